"""The exit code is the promise to a pipeline: every code, and which one wins."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, start, write_audit

Parts = dict[str, Any]

KINDS: dict[str, tuple[int, Parts]] = {
    "wrong-spec": (2, {"metrics": {"DI": {"minn": 0.5}}}),
    "wrong-data": (3, {"data": "nowhere.csv", "rows": None}),
    "failed": (1, {"metrics": {"DI": {"min": 0.8}}}),
    "undecided": (4, {"metrics": {"RD": {"max_abs": 0.1}}}),
    "nothing": (5, {"metrics": {"DI": None}}),
    "passed": (0, {}),
}
"""One audit for each way to end, the gravest first."""

WARNED: Parts = {"metrics": {"DI": {"min": 0.5, "warn": {"min": 0.8}}}}
PAIRS = list(combinations(KINDS, 2))
each_kind = pytest.mark.parametrize("kind", KINDS)


def write(kind: str) -> Path:
    """Write the audit that ends in this way."""
    return write_audit(kind, **KINDS[kind][1])


def run(*words: object, **parts: Any) -> Ended:
    """Write an audit and run it."""
    return call("run", write_audit(**parts), *words)


@each_kind
def test_kind_has_its_code(kind: str) -> None:
    """Each way to end has its own exit code."""
    assert call("run", write(kind)).code == KINDS[kind][0]


@each_kind
def test_process_ends_with_the_code(kind: str, folder: Path) -> None:
    """A process started from a shell ends with the same code."""
    assert start("run", write(kind), cwd=folder).code == KINDS[kind][0]


@pytest.mark.parametrize(("worse", "better"), PAIRS, ids=[f"{a}+{b}" for a, b in PAIRS])
def test_worst_code_of_several_wins(worse: str, better: str) -> None:
    """Of two specs the graver code is the run's, whichever stands first."""
    paths = [write(better), write(worse)]
    code = KINDS[worse][0]
    assert [call("run", *order).code for order in (paths, paths[::-1])] == [code, code]


@pytest.mark.parametrize(
    ("metrics", "code"),
    [
        ({"DI": {"min": 0.8}, "RD": {"max_abs": 0.1}}, 1),
        ({"RD": {"max_abs": 0.1}, "DI": {"min": 0.5}}, 4),
        ({"RD": {"max_abs": 0.1}, "DI": {"min": 0.5, "warn": {"min": 0.8}}}, 4),
        ({"DI": {"min": 0.8}, "DPPL": {"max_abs": 0.5}}, 1),
        ({"DI": {"min": 0.5}, "RD": None}, 0),
        ({"DI": {"min": 0.5, "warn": {"min": 0.8}}}, 0),
    ],
)
def test_gravest_check_decides(metrics: Parts, code: int) -> None:
    """Within one audit a failure beats an undecided check, which beats a pass."""
    assert run(metrics=metrics).code == code


def test_wrong_spec_beats_missing_data() -> None:
    """A spec that is wrong ends with 2 though its data is missing too."""
    wrong = {"metrics": {"DI": {"minn": 0.5}}, "data": "nowhere.csv", "rows": None}
    assert run(**wrong).code == 2


@pytest.mark.parametrize("part", ["column", "value"])
def test_what_the_data_lacks_beats_a_faulty_weight(part: str) -> None:
    """Data that lacks what the spec names ends with 2 though one of its weights is negative."""
    facet = {"column": "gender"} if part == "column" else {"column": "sex", "favored": "male"}
    rows = "sex,prediction,n\nm,1,3\nf,1,-3\n"
    columns = {"prediction": {"column": "prediction", "positive": 1}, "weight": "n"}
    assert run(rows=rows, columns=columns, facets={"sex": facet}).code == 2


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        ("wrong-spec", (2, 2, 2)),
        ("wrong-data", (3, 3, 3)),
        ("failed", (1, 1, 0)),
        ("undecided", (4, 4, 0)),
        ("nothing", (5, 5, 0)),
        ("passed", (0, 0, 0)),
    ],
)
def test_fail_on_decides_what_fails(kind: str, codes: tuple[int, int, int]) -> None:
    """With fail, warn and never, in turn, each way to end has these codes."""
    path = write(kind)
    ways = ("fail", "warn", "never")
    assert tuple(call("run", path, "--fail-on", way).code for way in ways) == codes


@pytest.mark.parametrize(("way", "code"), [("fail", 0), ("warn", 1), ("never", 0)])
def test_warning_fails_where_it_is_asked_to(way: str, code: int) -> None:
    """A warning ends with 1 under --fail-on warn, and else with 0."""
    assert run("--fail-on", way, **WARNED).code == code


def test_stored_reports_tell_the_code_of_their_run() -> None:
    """What a run with --fail-on warn printed is what render prints, and verify names its code."""
    ran = run("--fail-on", "warn", "-q", "-o", "strict.json", **WARNED)
    assert (ran.code, call("render", "strict.json", "-q").out) == (1, ran.out)
    assert "a run that comes to this ends with exit 1" in call("verify", "strict.json").out


def test_warning_beats_undecided_where_it_fails() -> None:
    """Under --fail-on warn a warning ends with 1 though another check is undecided."""
    metrics = {**WARNED["metrics"], "RD": {"max_abs": 0.1}}
    assert run("--fail-on", "warn", metrics=metrics).code == 1


@pytest.mark.parametrize("kind", ["wrong-spec", "wrong-data"])
def test_never_keeps_what_is_no_verdict(kind: str) -> None:
    """With --fail-on never a wrong spec or faulty data beside a failed audit keeps its code."""
    paths = write("failed"), write(kind)
    assert call("run", *paths, "--fail-on", "never").code == KINDS[kind][0]


def test_unknown_way_to_fail_is_refused() -> None:
    """A misspelt --fail-on is a wrong command line that lists the choices."""
    ended = run("--fail-on", "fial")
    assert ended.code == 2
    assert "'fail', 'warn', 'never'" in ended.err


@pytest.mark.parametrize("kind", ["failed", "undecided", "nothing", "passed"])
def test_report_tells_its_code(kind: str) -> None:
    """The last line of a report tells the exit code that the process ends with."""
    ended = call("run", write(kind))
    assert ended.last.endswith(f"  exit {ended.code}")


def test_several_specs_end_in_a_summary() -> None:
    """Several specs end in a table of what each came to and what is worst, and the worst code."""
    ended = call("run", *(write(kind) for kind in KINDS))
    assert ended.code == 2
    assert ended.out.splitlines()[-10:] == [
        "",
        "verdict          exit  spec             checks       worst",
        "──────────────────────────────────────────────────────────",
        (
            "wrong spec          2  wrong-spec.yaml               "
            "wrong-spec.yaml:24:4: unknown key 'minn' in metrics.DI"
        ),
        "not audited         3  wrong-data.yaml               nowhere.csv: there is no such file",
        (
            "fail                1  failed.yaml      1 failed     "
            "DI on sex, f against m: 0.6667, limit from 0.8"
        ),
        (
            "undecided           4  undecided.yaml   1 undecided  "
            "RD on sex, f against m: undefined, limit within 0.1"
        ),
        "nothing checked     5  nothing.yaml     1 reported   nothing checked",
        "pass                0  passed.yaml      1 passed",
        "exit 2",
    ]


def test_summary_says_what_was_written() -> None:
    """Where files are written, the summary names them beside what each audit came to."""
    write_audit("a")
    write_audit("b", data="nowhere.csv", rows=None)
    ended = call("run", "a.yaml", "b.yaml", "--output-dir", "out")
    assert ended.out.splitlines()[-3:-1] == [
        (
            "pass            0  a.yaml  1 passed                                      "
            "out/a.json, .html"
        ),
        "not audited     3  b.yaml            nowhere.csv: there is no such file",
    ]


def test_single_spec_has_no_summary() -> None:
    """A single spec ends with its own last line."""
    assert run().last.startswith("1 passed  (")


def test_wrong_spec_does_not_stop_the_others() -> None:
    """A spec that is wrong is named, and those after it are still audited."""
    ended = call("run", write("wrong-spec"), write("passed"))
    assert "wrong-spec.yaml:" in ended.err
    assert "audit   passed" in ended.out


def test_folder_stands_for_its_specs(folder: Path) -> None:
    """A folder stands for its .yaml and .yml files in the order of their names, and no others."""
    for name in ("b", "a"):
        write_audit(name)
    Path("b.yaml").rename("b.yml")
    Path("notes.txt").write_text("version: 2", encoding="utf-8")
    ended = call("run", ".")
    assert ended.code == 0
    assert re.findall(r"^audit +(\w+)", ended.out, flags=re.MULTILINE) == ["a", "b"]
    assert call("run", folder).code == 0


def test_spec_named_twice_is_run_once() -> None:
    """A spec that is named itself and by its folder is run once."""
    write_audit()
    assert call("run", "audit.yaml", ".", "./audit.yaml").out.count("audit   audit") == 1


def test_folder_without_specs_is_an_error() -> None:
    """An empty folder ends with 2 and is named."""
    Path("empty").mkdir()
    ended = call("run", "empty")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: empty: the folder holds no .yaml file\n"


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("name", ["nowhere.yaml", "no/where", "a" * 300])
def test_missing_path_is_an_error(command: str, name: str) -> None:
    """A path that leads nowhere ends with 2 and is named, whatever stands beside it."""
    ended = call(command, write_audit(), name)
    assert ended.code == 2
    assert name in ended.err
    assert "Traceback" not in ended.err


def test_two_audits_of_one_name_are_refused() -> None:
    """Two specs of one name end with 2, are both named, and neither is run."""
    write_audit().rename("copy.yaml")
    ended = call("run", "copy.yaml", write_audit())
    assert (ended.code, ended.out) == (2, "")
    assert "2 audits are named 'audit': copy.yaml, audit.yaml" in ended.err


@pytest.mark.parametrize("option", ["-o", "--output"])
@pytest.mark.parametrize("name", ["report.pdf", "report", ".json", "report.json.bak"])
def test_unknown_ending_is_refused(option: str, name: str) -> None:
    """An output whose ending tells no format ends with 2 before anything is run."""
    ended = run(option, name)
    assert (ended.code, ended.out) == (2, "")
    assert f"-o {name}: the ending tells the format; it is .json or .txt" in ended.err


def test_one_output_for_several_specs_is_refused() -> None:
    """One output file for two specs ends with 2 and points to --output-dir."""
    ended = call("run", write_audit("a"), write_audit("b"), "-o", "report.json")
    assert (ended.code, ended.out) == (2, "")
    assert "--output-dir" in ended.err
    assert not Path("report.json").exists()


@pytest.mark.parametrize(
    "words", [("-o", "file/report.json"), ("--output-dir", "file"), ("--output-dir", "file/new")]
)
def test_output_that_cannot_be_written_is_an_error(words: tuple[str, str]) -> None:
    """An output below a file that is no folder ends with 3 before anything is run."""
    Path("file").write_text("old", encoding="utf-8")
    ended = run(*words)
    assert (ended.code, ended.out) == (3, "")
    assert re.match(r"error: file(/new)?: cannot be written into: ", ended.err)
    assert Path("file").read_text(encoding="utf-8") == "old"


def test_output_that_is_a_folder_is_an_error() -> None:
    """An output file that is a folder ends with 3."""
    Path("report.json").mkdir()
    ended = run("-o", "report.json")
    assert (ended.code, ended.err) == (3, "error: report.json: this is a folder\n")


@pytest.mark.parametrize("kind", ["failed", "undecided", "nothing", "passed"])
def test_outputs_are_written_whatever_the_verdict(kind: str) -> None:
    """The artifact and the text are written however the audit ends, into folders as they come."""
    words = ("-o", "new/report.json", "-o", "new/report.txt", "--output-dir", "all")
    ended = call("run", write(kind), *words)
    assert ended.code == KINDS[kind][0]
    written = [p.as_posix() for p in sorted(Path().rglob("*")) if p.suffix in (".json", ".txt")]
    assert set(written) == {
        f"all/{kind}.json",
        "all/index.json",
        "new/report.json",
        "new/report.txt",
    }
    assert len(written) == 4
    assert Path(f"all/{kind}.json").read_bytes() == Path("new/report.json").read_bytes()


@pytest.mark.parametrize("kind", ["wrong-spec", "wrong-data"])
def test_what_is_not_audited_leaves_no_output(kind: str) -> None:
    """A spec that is not audited moves an older artifact aside, as it was."""
    path = write(kind)
    Path("report.json").write_text("old", encoding="utf-8")
    call("run", path, "-o", "report.json")
    assert not Path("report.json").exists()
    assert Path("report.json.stale").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("frobnicate",),
        ("run",),
        ("check",),
        ("run", "audit.yaml", "--nonsense"),
        ("explain", "DX"),
        ("schema",),
        ("schema", "spec"),
        ("completion", "tcsh"),
        ("--nonsense",),
    ],
)
def test_wrong_command_line_is_two(words: tuple[str, ...]) -> None:
    """Whatever is wrong with the command line ends with 2, in words and without output."""
    write_audit()
    ended = call(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("kind", "plain", "data"),
    [
        ("wrong-spec", 2, 2),
        ("wrong-data", 0, 3),
        ("failed", 0, 0),
        ("undecided", 0, 0),
        ("nothing", 0, 0),
        ("passed", 0, 0),
    ],
)
def test_check_computes_nothing(kind: str, plain: int, data: int) -> None:
    """A check of the spec knows the spec alone, one with --data the data too, neither a verdict."""
    path = write(kind)
    assert (call("check", path).code, call("check", path, "--data").code) == (plain, data)


def test_check_says_that_nothing_would_be_checked() -> None:
    """A spec without limits is valid, and its check says how a run of it ends."""
    assert "so `run` will end with exit code 5" in call("check", write("nothing")).out


@pytest.mark.parametrize(
    ("facet", "words"),
    [
        ({"column": "gender"}, "data.csv has no column 'gender'"),
        ({"column": "sex", "favored": "male"}, "'male' does not occur in sex"),
    ],
)
@pytest.mark.parametrize("command", [("run",), ("check", "--data")])
def test_what_the_data_lacks_is_two(
    command: tuple[str, ...], facet: dict[str, str], words: str
) -> None:
    """A column or value that the data lacks ends with 2 and shows the line of the spec."""
    ended = call(*command, write_audit(facets={"sex": facet}))
    assert ended.code == 2
    assert words in ended.err
    assert ended.err.startswith("error: audit.yaml:")
