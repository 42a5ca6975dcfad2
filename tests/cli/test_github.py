"""At GitHub a run annotates what it found and writes the step's summary; data commands nothing."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import Exit
from biaspipe.pipeline import provenance
from biaspipe.renderers.ci.annotations import Annotation, draw_annotations
from tests.cli.calls import ROWS, Ended, call, start, write_audit
from tests.cli.log_commands import Command, commands_in
from tests.cli.test_terminal_attacks import KEYS, TEXTS, assert_plain, write_attack

STRICT: dict[str, Any] = {"metrics": {"DI": {"min": 0.9}}}
SUMMARY = "summary.md"


def at_github(*words: object, **more: str) -> Ended:
    """Call the command line as a step of GitHub Actions does."""
    named = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": SUMMARY, "GITHUB_WORKSPACE": "."}
    return call(*words, **{**named, **more})


def annotated(ended: Ended) -> list[Command]:
    """Return the annotations of a call, which prints no other command."""
    found = commands_in(ended.err)
    assert commands_in(ended.out) == []
    assert {each.name for each in found} <= {"error", "warning", "notice"}
    return found


def summary() -> str:
    """Return the summary of the step."""
    return Path(SUMMARY).read_text(encoding="utf-8")


def test_failure_is_annotated_at_its_line() -> None:
    """A check that fails is an error at its line of the spec; the page is in the summary."""
    write_audit("loan", **STRICT)
    ended = at_github("run", "loan.yaml")
    (found,) = annotated(ended)
    assert (ended.code, found.name) == (1, "error")
    assert found.properties == {
        "file": "loan.yaml",
        "line": "23",
        "title": "fail: DI on sex, f against m",
    }
    assert found.data.endswith("; DI 0.6667 (0.188 to 2.1), limit from 0.9")
    assert summary().startswith("# Bias audit of loan\n\n✗ **Does not meet its limits: ")


AT = {"GITHUB_ACTIONS": "true"}
TOLD: list[tuple[tuple[str, ...], dict[str, str], bool]] = [
    ((), AT, True),
    ((), {"GITHUB_ACTIONS": "false"}, False),
    ((), {}, False),
    (("--format", "github"), {}, True),
    (("--format", "none"), AT, False),
]
"""Options, variables, and whether GitHub is told."""
OF_RUN: list[tuple[tuple[str, ...], dict[str, str], bool]] = [
    (("--format", "clarify", "-o", "analysis.json"), AT, True),
    (("--format", "clarify", "-o", "analysis.json"), {}, False),
    (("-q",), AT, True),
]


@pytest.mark.parametrize(("words", "at", "is_told"), [*TOLD, *OF_RUN])
def test_run_tells_github_by_itself(
    words: tuple[str, ...], at: dict[str, str], is_told: bool
) -> None:
    """At GitHub a run annotates whatever it writes, unless told not to; elsewhere if asked to."""
    write_audit("loan", **STRICT)
    ended = call("run", "loan.yaml", *words, **{"GITHUB_STEP_SUMMARY": SUMMARY, **at})
    assert (ended.code, bool(annotated(ended))) == (1, is_told)
    assert Path(SUMMARY).exists() is is_told


@pytest.mark.parametrize(("words", "at", "is_told"), TOLD)
def test_check_tells_github_by_itself(
    words: tuple[str, ...], at: dict[str, str], is_told: bool
) -> None:
    """So does a check, which writes no summary."""
    write_audit("loan", metrics={"DII": {"min": 0.9}})
    ended = call("check", "loan.yaml", *words, **{"GITHUB_STEP_SUMMARY": SUMMARY, **at})
    assert (ended.code, bool(annotated(ended))) == (2, is_told)
    assert not Path(SUMMARY).exists()


@pytest.mark.parametrize("chosen", ["github", "none"])
def test_files_are_what_their_names_say(chosen: str) -> None:
    """What GitHub is told decides nothing of the files, nor does it need any."""
    write_audit("loan")
    assert call("run", "loan.yaml", "--format", chosen).code == 0
    call("run", "loan.yaml", "--format", chosen, "-o", "a.json", "-o", "b.md")
    assert json.loads(Path("a.json").read_text())["schema"] == "biaspipe-report/1"
    assert Path("b.md").read_text().startswith("# Bias audit of loan")
    ended = call("run", "loan.yaml", "--format", chosen, "-o", "a.doc")
    assert (ended.code, "the ending tells the format" in ended.err) == (2, True)


def test_wrong_command_line_moves_no_file_of_another_kind() -> None:
    """What stands at an output of no known format is left, also where GitHub is told."""
    write_audit("loan")
    Path("notes.doc").write_text("mine")
    assert call("run", "loan.yaml", "--format", "github", "-o", "notes.doc", "--oops").code == 2
    assert Path("notes.doc").read_text() == "mine"


def test_every_fault_of_a_spec_is_annotated() -> None:
    """`check` annotates each fault at its line and column, with what was expected and a hint."""
    write_audit("loan", metrics={"DI": {"mni": 0.9}, "DII": None})
    first, second = annotated(at_github("check", "."))
    assert first.properties == {
        "file": "loan.yaml",
        "line": "24",
        "col": "4",
        "title": "wrong spec",
    }
    lines = first.data.split("\n")
    assert lines[0] == "unknown key 'mni' in metrics.DI"
    assert lines[-1] == "hint: did you mean 'min'?"
    assert second.data.startswith("unknown metric 'DII'")


def test_notes_of_check_are_notices() -> None:
    """What no limit guards, such as the other side, is a notice of `check` at its line."""
    write_audit("loan", metrics={"DI": {"min": 0.9}, "DPPL": {"max": 0.1}})
    ended = at_github("check", "loan.yaml")
    assert ended.code == 0
    assert [(e.name, e.properties["file"], e.properties["line"]) for e in annotated(ended)] == [
        ("notice", "loan.yaml", "23"),
        ("notice", "loan.yaml", "26"),
    ]


def test_spec_without_limits_is_a_warning_of_check() -> None:
    """A spec that is valid and checks nothing is annotated before it is run."""
    write_audit("loan", metrics={"DI": None})
    ended = at_github("check", "loan.yaml")
    assert ended.code == 0
    assert [(each.name, each.data) for each in annotated(ended)] == [
        ("warning", "no check has a limit, so `run` will end with exit code 5")
    ]


@pytest.mark.parametrize("kind", ["no spec", "no data", "no limit", "no group", "undecided"])
def test_red_verdict_has_an_annotation(kind: str) -> None:
    """Whatever ends a run with a code other than 0 is annotated, and is in the summary."""
    kinds: dict[str, dict[str, Any]] = {
        "no data": {"data": "nowhere.csv", "rows": None},
        "no limit": {"metrics": {"DI": None}},
        "no group": {"facets": {"sex": {"column": "sex", "favored": "x"}}},
        "undecided": {"decision": {"min_rows": 100}},
    }
    write_audit("loan", **kinds.get(kind, {}))
    ended = at_github("run", "nothing.yaml" if kind == "no spec" else "loan.yaml")
    assert ended.code != 0
    assert annotated(ended)
    assert kind == "no spec" or summary()


def test_empty_selection_is_annotated() -> None:
    """A selection that leaves nothing to check is an error without a file."""
    write_audit("loan")
    ended = at_github("run", "loan.yaml", "--select", "RD")
    assert ended.code == Exit.NOTHING_CHECKED
    assert [each.data for each in annotated(ended)] == [
        "nothing was checked: the selection is empty"
    ]


def test_many_failures_are_counted() -> None:
    """GitHub shows ten of a level: the worst of each audit come first, and all are counted."""
    rows = "group,prediction,n\n" + "".join(
        f"{g},1,{60 - 4 * i}\n{g},0,{40 + 4 * i}\n" for i, g in enumerate("abcdefghijklm")
    )
    columns = {"prediction": {"column": "prediction", "positive": 1}, "weight": "n"}
    facets = {"group": {"column": "group", "favored": "a"}}
    write_audit("many", rows=rows, columns=columns, facets=facets, metrics={"DPPL": {"max": 0.01}})
    write_audit("one", data="one.csv", **STRICT)
    found = annotated(at_github("run", "many.yaml", "one.yaml"))
    assert [each.name for each in found] == ["error"] * 10 + ["notice"]
    assert [each.properties.get("title") for each in found[:2]] == [
        "fail: DPPL on group, m against a",
        "fail: DI on sex, f against m",
    ]
    assert found[-1].data.startswith("13 errors in all; GitHub shows 10 of a level")


def test_several_audits_begin_with_a_table() -> None:
    """The summary of several audits is the console's table, then each audit, the worst first."""
    write_audit("good")
    write_audit("loan", **STRICT)
    write_audit("lost", data="nowhere.csv", rows=None)
    at_github("run", ".", "--output-dir", "out")
    lines = summary().splitlines()
    assert lines[:6] == [
        "# Bias audits",
        "",
        "| verdict | exit | spec | checks | worst | wrote |",
        "| --- | ---: | --- | --- | --- | --- |",
        "| ✗ **not audited** | 3 | lost.yaml |  | nowhere.csv: there is no such file |  |",
        (
            "| ✗ **fail** | 1 | loan.yaml | 1 failed "
            "| DI on sex, f against m: 0.6667, limit from 0.9 | out/loan.json, .html |"
        ),
    ]
    assert [line for line in lines if line.startswith("# ")] == [
        "# Bias audits",
        "# lost.yaml",
        "# Bias audit of loan",
        "# Bias audit of good",
    ]


def test_summary_is_written_behind_what_is_there() -> None:
    """What the step has written before stays, and the heading begins a line of its own."""
    write_audit("loan")
    Path(SUMMARY).write_text("before")
    at_github("run", "loan.yaml")
    at_github("run", "loan.yaml")
    assert summary().startswith("before\n# Bias audit of loan\n")
    assert summary().count("\n# Bias audit of loan\n") == 2


@pytest.mark.parametrize("there", [0, 1_000_000, 1_040_000, 1_048_570])
def test_summary_fits_with_what_is_there(there: int) -> None:
    """GitHub shows no summary above 1 MiB, so ours ends where that is full, and says so."""
    write_audit("loan", **STRICT)
    Path(SUMMARY).write_bytes(b"x" * there)
    ended = at_github("run", "loan.yaml")
    assert ended.code == 1
    assert Path(SUMMARY).stat().st_size <= 1024 * 1024
    is_cut = "left out here" in summary()
    assert is_cut is (there == 1_040_000)
    assert ("has no room for more" in ended.err) is (there == 1_048_570)


@pytest.mark.parametrize("file", ["nowhere/summary.md", "folder"])
def test_summary_that_cannot_be_written_is_told(file: str) -> None:
    """The verdict keeps its exit code where the summary cannot be written, which is annotated."""
    Path("folder").mkdir()
    write_audit("loan")
    ended = at_github("run", "loan.yaml", GITHUB_STEP_SUMMARY=file)
    assert ended.code == 0
    assert [(each.name, each.properties["title"]) for each in annotated(ended)] == [
        ("warning", "no summary of the step")
    ]
    write_audit("loan", **STRICT)
    assert at_github("run", "loan.yaml", GITHUB_STEP_SUMMARY=file).code == 1


def test_missing_summary_is_told() -> None:
    """Where no file is named for the summary, a note says so."""
    write_audit("loan")
    ended = call("run", "loan.yaml", "--format", "github")
    assert "note: GITHUB_STEP_SUMMARY names no file" in ended.err


def test_stored_report_is_told_if_asked() -> None:
    """`render --format github` prints the annotations of a report, and writes the summary."""
    write_audit("loan", **STRICT)
    call("run", "loan.yaml", "-o", "report.json")
    assert commands_in(at_github("render", "report.json").text) == []
    ended = at_github("render", "report.json", "--format", "github", "-o", "again.md")
    assert [each.properties["file"] for each in commands_in(ended.out)] == ["loan.yaml"]
    assert summary() == Path("again.md").read_text()
    assert ended.code == 0


def test_file_is_named_from_the_top_of_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run is started, an annotation names the spec as its repository has it."""
    subprocess.run(["git", "init", "--quiet"], check=True)  # noqa: S607 - found by PATH
    Path("audits").mkdir()
    monkeypatch.chdir("audits")
    write_audit("loan", **STRICT)
    named = [each.properties["file"] for each in annotated(at_github("run", "loan.yaml"))]
    wrong = write_audit("wrong", metrics={"DII": None})
    named += [each.properties["file"] for each in annotated(at_github("check", wrong))]
    assert named == ["audits/loan.yaml", "audits/wrong.yaml"]


def test_file_is_named_from_the_workspace_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a repository the workspace is what a file is named from."""
    monkeypatch.setattr(provenance, "_repository", lambda _: None)
    Path("audits").mkdir()
    monkeypatch.chdir("audits")
    write_audit("loan", **STRICT)
    (found,) = annotated(at_github("run", "loan.yaml", GITHUB_WORKSPACE=".."))
    assert found.properties["file"] == "audits/loan.yaml"


@pytest.mark.parametrize("name", TEXTS)
def test_group_commands_nothing(name: str) -> None:
    """A group's name of the data gives no command but the annotation of its check."""
    rows = ROWS.replace("f,", json.dumps(TEXTS[name], ensure_ascii=False) + ",")
    write_audit("loan", rows=rows.replace('\\"', '""').replace("\\n", "\n"), **STRICT)
    for words in ((), ("--all", "--rates", "-v")):
        found = annotated(at_github("run", "loan.yaml", *words))
        assert [(each.name, each.properties["file"]) for each in found] == [("error", "loan.yaml")]
        assert found[0].properties.keys() == {"file", "line", "title"}
        assert_plain(found[0].data)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ["github", "github-old", "return"])
def test_spec_commands_nothing(key: str, name: str) -> None:
    """A text at whatever key of a spec gives no command but annotations of that spec."""
    write_attack(key, TEXTS[name]).rename("loan.yaml")
    for words in (("run", "loan.yaml"), ("check", "loan.yaml", "--data")):
        for each in annotated(at_github(*words)):
            assert each.properties.get("file") in {"loan.yaml", None}
            assert each.properties.keys() <= {"file", "line", "col", "title"}


@pytest.mark.parametrize("name", ["##[error]x.yaml", "::error::x.yaml", "a\n::error::x.yaml"])
def test_file_name_commands_nothing(name: str) -> None:
    """The name of a spec's file gives no command, be the spec right, wrong or not selected."""
    good = write_audit("loan", **STRICT).read_text()
    for text in (good, "version: 1", good.replace("data.csv", "nowhere.csv")):
        Path(name).write_text(text)
        for words in (("run",), ("run", "--select", "RD"), ("check",), ("run", "-v")):
            ended = at_github(words[0], *words[1:], "--", name)
            assert all(each.properties["title"] for each in annotated(ended))


@pytest.mark.parametrize("chosen", ["json", "csv", "rates", "clarify", "markdown", "html", "text"])
def test_printed_format_commands_nothing(chosen: str) -> None:
    """A stored report is printed in whatever format without a command, and JSON stays true."""
    hostile = "##[error]x"
    write_audit("loan", rows=ROWS.replace("f,", f"{hostile},"), **STRICT)
    at_github("run", "loan.yaml", "-o", "report.json", "-q")
    ended = at_github("render", "report.json", "--format", chosen)
    assert commands_in(ended.text) == commands_in(Path("report.json").read_text()) == []
    if chosen == "json":
        assert json.loads(ended.out)["result"]["checks"][0]["disfavored"] == hostile


@pytest.mark.parametrize("chosen", ["json", "csv"])
def test_process_keeps_its_streams_apart(chosen: str, tmp_path: Path) -> None:
    """As a process, too, what goes into a pipe is the file alone, and commands nothing."""
    write_audit("loan", rows=ROWS.replace("f,", "##[error]x,"), **STRICT)
    words = ("run", "loan.yaml", "-q", "-o", "/dev/stdout", "--format", chosen)
    ended = start(*words, cwd=tmp_path, GITHUB_ACTIONS="true")
    assert [each.name for each in annotated(ended)] == ["error"]
    verdict, rest = ended.out.splitlines()[-1], ended.out.splitlines()[:-1]
    assert verdict.endswith("exit 1")
    if chosen == "json":
        assert json.loads("\n".join(rest))["result"]["checks"][0]["disfavored"] == "##[error]x"


def test_data_that_cannot_be_read_is_annotated_at_their_key() -> None:
    """Each spec of a run whose data cannot be read is named, with the line of `data`."""
    for name in ("one", "two"):
        write_audit(name, data="nowhere.csv", rows=None)
    found = annotated(at_github("run", "one.yaml", "two.yaml"))
    told = [(each.properties["file"], each.properties["title"]) for each in found]
    assert told == [("one.yaml", "not audited"), ("two.yaml", "not audited")]
    lines = Path("one.yaml").read_text(encoding="utf-8").splitlines()
    assert {lines[int(each.properties["line"]) - 1] for each in found} == {' "data": {'}


def test_fault_of_a_spec_that_is_found_late_is_one_of_the_spec() -> None:
    """A file whose kind nobody knows makes the spec wrong, in annotation and summary too."""
    write_audit("loan", data="data.odd")
    ended = at_github("run", "loan.yaml")
    (found,) = annotated(ended)
    assert (ended.code, found.properties["title"]) == (2, "wrong spec")
    assert "✗ **WRONG SPEC**  exit 2" in summary()


def test_worst_audit_stands_first_by_its_exit_code() -> None:
    """An audit that checks nothing stands above all that end with 0, with a mark, in bold."""
    write_audit("passes")
    write_audit("nothing", metrics={"DI": {}})
    write_audit("fails", **STRICT)
    write_audit("lost", data="nowhere.csv", rows=None)
    write_audit("wrong", metrics={"DX": {}})
    assert at_github("run", ".", "--output-dir", "out").code == 2
    rows = [line.split(" | ")[:2] for line in summary().splitlines()[4:9]]
    assert rows == [
        ["| ✗ **wrong spec**", "2"],
        ["| ✗ **not audited**", "3"],
        ["| ✗ **fail**", "1"],
        ["| ? **nothing checked**", "5"],
        ["| ✓ **pass**", "0"],
    ]
    page = Path("out/index.html").read_text(encoding="utf-8")
    words = ("WRONG SPEC", "NOT AUDITED", "FAIL", "NOTHING CHECKED", "PASS")
    places = [page.rindex(f"{each}<") for each in words]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"metrics": {"DI": {}}}, "? **Nothing was checked"),
        (
            {"metrics": {"RD": {"max_abs": 0.1}}, "decision": {"undecided": "pass"}},
            "? **Nothing could be decided",
        ),
    ],
)
def test_nothing_that_was_found_out_is_no_pass_to_the_eye(
    parts: dict[str, Any], words: str
) -> None:
    """Where nothing was checked or decided, the summary's verdict has the mark of a question."""
    write_audit("loan", **parts)
    at_github("run", "loan.yaml")
    assert summary().startswith(f"# Bias audit of loan\n\n{words}")


def test_notice_of_more_promises_no_log() -> None:
    """What says that more was found names no place that a quiet run does not have."""
    alike = [Annotation("error", "a", "b")] * 11
    (*_, notice) = draw_annotations([alike])
    assert notice.endswith("11 errors in all; GitHub shows 10 of a level, the worst stand here")
