"""How much of a report is printed, where it was written to, and what a terminal gets."""

import re
from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit
from tests.cli.terminals import on_a_terminal

METRICS = {"DI": {"min": 0.5}, "DPPL": {"max_abs": 0.1}, "CI": None}
"""DI passes, DPPL fails, and CI has no limit."""
VERDICT_LINE = re.compile(r"1 passed, 1 failed, 1 reported  \(\d+\.\d\d s\)  exit 1\n")


def test_run_shows_what_has_to_be_seen() -> None:
    """What failed has a row; what passed or has no limit is counted, and --all shows it."""
    path = write_audit(metrics=METRICS)
    brief, everything = call("run", path), call("run", path, "--all")
    assert (brief.code, everything.code) == (1, 1)
    rows = r"^(PASS|FAIL|reported) +(\w+) "
    assert re.findall(rows, brief.out, re.M) == [("FAIL", "DPPL")]
    assert "\nnot shown: 1 passed, 1 reported\n" in brief.out
    assert "\n2 checks are not shown; --all shows all\n" in brief.out
    found = re.findall(rows, everything.out, re.M)
    assert found == [("FAIL", "DPPL"), ("PASS", "DI"), ("reported", "CI")]
    assert "not shown" not in everything.out


def test_values_are_shown_where_no_check_has_a_limit() -> None:
    """Without a limit anywhere, values are what there is to see."""
    ended = call("run", write_audit(metrics={"DI": None, "CI": None}))
    assert ended.code == 5
    assert re.findall(r"^reported  (\w+) ", ended.out, re.M) == ["DI", "CI"]


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_run_prints_the_verdict_line(option: str) -> None:
    """With -q one line is printed: the last one of a report, with the exit code."""
    ended = call("run", write_audit(metrics=METRICS), option)
    assert (ended.code, ended.err) == (1, "")
    assert VERDICT_LINE.fullmatch(ended.out)
    assert VERDICT_LINE.fullmatch(call("run", "audit.yaml").last + "\n")


def test_quiet_run_of_several_specs_names_each() -> None:
    """With -q each of several specs has its line, which names it, and the summary follows."""
    paths = [write_audit(name, metrics=METRICS) for name in ("a", "b")]
    ended = call("run", *paths, "-q", "--output-dir", "out")
    first, second, *summary = ended.out.splitlines()
    assert VERDICT_LINE.fullmatch(first.removeprefix("a.yaml: ") + "\n")
    assert VERDICT_LINE.fullmatch(second.removeprefix("b.yaml: ") + "\n")
    assert summary == [
        "",
        "verdict  exit  spec    checks                          worst",
        "────────────────────────────────────────────────────────────",
        (
            "fail        1  a.yaml  1 passed, 1 failed, 1 reported  "
            "DPPL on sex, f against m: +0.2000, limit within 0.1"
        ),
        (
            "fail        1  b.yaml  1 passed, 1 failed, 1 reported  "
            "DPPL on sex, f against m: +0.2000, limit within 0.1"
        ),
        "exit 1",
    ]


def test_quiet_commands_print_their_last_line() -> None:
    """With -q what `render`, `verify` and `diff` print is the last line of what they would."""
    call("run", write_audit(metrics=METRICS), "-o", "r.json")
    for words in (["render", "r.json"], ["verify", "r.json"], ["diff", "r.json", "r.json"]):
        loud, quiet = call(*words), call(*words, "-q")
        assert (quiet.code, quiet.out) == (loud.code, loud.last + "\n")


def test_written_files_are_named() -> None:
    """A run says which files it wrote, beside what may go into a pipe; streams are no files."""
    path = write_audit(metrics=METRICS)
    ended = call(
        "run", path, "-o", "r.json", "-o", "out/r.txt", "-o", "/dev/stderr", "--format", "text"
    )
    assert ended.err.splitlines()[-1] == "wrote r.json, out/r.txt"
    assert VERDICT_LINE.fullmatch(ended.last + "\n")
    assert "wrote" not in ended.out + call("run", path).text
    ended = call("run", path, "--output-dir", "dir")
    assert (
        ended.err == "wrote dir/audit.json, dir/audit.html\nwrote dir/index.html, dir/index.json\n"
    )
    assert "wrote" not in call("run", path, "-o", "r.json", "-q").text


def test_file_that_is_not_written_is_not_named() -> None:
    """Where a file cannot be written, none is said to be."""
    Path("file").write_text("", encoding="utf-8")
    ended = call("run", write_audit(), "-o", "/dev/full", "--format", "json")
    assert ended.code == 3
    assert "wrote" not in ended.text


def test_rendered_files_are_named_on_standard_error() -> None:
    """`render` says which files it wrote beside what may go into a pipe."""
    call("run", write_audit(metrics=METRICS), "-o", "r.json")
    ended = call("render", "r.json", "-o", "a.txt", "-o", "b.json")
    assert (ended.out, ended.err) == ("", "wrote a.txt, b.json\n")
    assert call("render", "r.json", "-o", "a.txt", "-q").text == ""


def test_text_of_a_file_is_what_is_printed_off_a_terminal() -> None:
    """-o x.txt holds what a pipe gets; with --all what --all prints."""
    path = write_audit(metrics=METRICS)
    for more in ([], ["--all"]):
        printed = call("run", path, "-o", "r.txt", "-o", "r.json", *more).out
        text = Path("r.txt").read_text(encoding="utf-8")
        assert text == printed
        assert call("render", "r.json", *more).out == text
        assert call("render", "r.json", "--format", "text", *more).out == text
        assert ("\nPASS " in text) is bool(more)


def test_artifact_is_the_same_however_much_is_printed() -> None:
    """What is printed changes nothing in the report's result."""
    path = write_audit(metrics=METRICS)
    for name, more in (("a", []), ("b", ["--all"]), ("c", ["-q"])):
        call("run", path, "-o", f"{name}.json", *more)
    sums = [re.search('"result_sha256": "(.*)"', Path(f"{n}.json").read_text()) for n in "abc"]
    assert len({found[1] for found in sums if found}) == 1


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False)],
)
def test_terminal_gets_colours_unless_no_color(
    variables: dict[str, str], coloured: bool, folder: Path
) -> None:
    """On a terminal verdicts have colours, and none where NO_COLOR is set."""
    sent = on_a_terminal("run", write_audit(metrics=METRICS), cwd=folder, **variables)
    assert ("\x1b[1;31mFAIL" in sent) is coloured


def test_force_color_colours_a_pipe() -> None:
    """FORCE_COLOR gives what is no terminal colours, and breaks no line."""
    path = write_audit(metrics=METRICS)
    coloured, plain = (call("run", path, **env).out for env in ({"FORCE_COLOR": "1"}, {}))
    assert "\x1b[1;31mFAIL" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    seconds = r"\d\.\d\d s"
    assert re.sub(seconds, "", bare) == re.sub(seconds, "", plain)
