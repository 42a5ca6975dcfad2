"""Older reports: none is left where a run that wrote no report would have written its own."""

import os
from pathlib import Path
from typing import Any

import pytest

from biaspipe.cli import run
from biaspipe.cli.older_outputs import OlderOutputs
from tests.cli.calls import Ended, call, write_audit

OLD = '{"old": true}'
BROKEN: dict[str, Any] = {"metrics": {"DX": None}}


def names(folder: str = ".") -> list[str]:
    """Return the names of the reports in a folder, older ones too."""
    return sorted(p.name for p in Path(folder).glob("*") if "report" in p.name)


def old(*paths: str) -> None:
    """Write files where reports will go."""
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(OLD, encoding="utf-8")


def failing() -> Path:
    """Write an audit whose data is not there."""
    return write_audit(rows=None, data="nowhere.csv")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("audit.yaml",), 3),
        (("missing.yaml",), 2),
        (("broken.yaml",), 2),
        (("audit.yaml", "broken.yaml"), 2),
        (("audit.yaml", "--select", "nothing"), 2),
        (("audit.yaml", "--fail-on", "never"), 3),
        (("audit.yaml", "--fail-on", "bogus"), 2),
        (("--as-of", "soon", "audit.yaml"), 2),
        (("audit.yaml", "--bogus"), 2),
        ((), 2),
    ],
    ids=str,
)
def test_no_older_report_stays_where_none_was_written(words: tuple[str, ...], code: int) -> None:
    """Whatever a run ends for with 2 or 3, what stood at `-o` is moved aside, whole, and named."""
    failing()
    write_audit("broken", **BROKEN)
    old("report.json", "report.txt")
    ended = call("run", "-o", "report.json", "-o", "report.txt", *words)
    assert ended.code == code
    assert names() == ["report.json.stale", "report.txt.stale"]
    assert Path("report.json.stale").read_text(encoding="utf-8") == OLD
    line = "note: report.json: is an older report, moved to report.json.stale"
    assert ended.err.splitlines().count(line) == 1
    assert "Traceback" not in ended.err


def test_nothing_that_was_moved_aside_is_written_over() -> None:
    """Each older report that is moved aside has a name of its own."""
    failing()
    for number in ("1", "2", "3"):
        old("report.json")
        Path("report.json").write_text(number, encoding="utf-8")
        assert call("run", "audit.yaml", "-o", "report.json").code == 3
    kept = ["report.json.stale", "report.json.stale.2", "report.json.stale.3"]
    assert names() == kept
    assert [Path(name).read_text(encoding="utf-8") for name in kept] == ["1", "2", "3"]


def test_report_that_was_written_replaces_the_older_one() -> None:
    """A run that comes to a report leaves nothing beside it, also where a check fails."""
    old("report.json")
    for limit, code in ((0.5, 0), (0.9, 1)):
        ended = call("run", write_audit(metrics={"DI": {"min": limit}}), "-o", "report.json")
        assert (ended.code, ended.err, names()) == (code, "wrote report.json\n", ["report.json"])


def test_empty_selection_leaves_no_older_report() -> None:
    """A selection of nothing writes no report, so that the older one does not stay either."""
    write_audit(tags=["release"])
    old("report.json")
    ended = call("run", "audit.yaml", "--select", "GE", "-o", "report.json", "--fail-on", "never")
    assert (ended.code, names()) == (0, ["report.json.stale"])


def test_interrupted_run_leaves_no_older_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is interrupted ends with 130 and has moved the older report aside."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "run", interrupted)
    old("report.json")
    assert call("run", write_audit(), "-o", "report.json").code == 130
    assert names() == ["report.json.stale"]


INDEXES = ("index.html", "index.json")
STALE = ("index.html.stale", "index.json.stale")


def folder(*specs: str) -> Ended:
    """Run specs with reports in a folder."""
    return call("run", *specs, "--output-dir", "reports")


def inside() -> list[str]:
    """Return what is in the folder of reports."""
    return sorted(path.name for path in Path("reports").iterdir())


def both(*names: str) -> list[str]:
    """Return the names of reports with those of their pages."""
    return sorted([*names, *(name.replace(".json", ".html") for name in names)])


def test_reports_of_a_folder_are_moved_one_by_one() -> None:
    """Of several audits, only the reports of those that gave none are moved aside."""
    for name in ("a", "b", "c", "d"):
        write_audit(name)
    assert folder("a.yaml", "b.yaml", "c.yaml", "d.yaml").code == 0
    Path("b.yaml").write_text(Path("b.yaml").read_text().replace("data.csv", "nowhere.csv"))
    Path("c.yaml").write_text(Path("c.yaml").read_text().replace('"DI"', '"DX"'))
    assert folder("a.yaml", "b.yaml", "c.yaml").code == 2
    assert inside() == [*both("a.json", "b.json.stale", "c.json.stale", "d.json"), *INDEXES]


@pytest.mark.parametrize("broken", ["name: a\n{", "name: other\n{", "{"])
def test_report_of_a_spec_that_cannot_be_read(broken: str) -> None:
    """The report of a spec is known by the path that it was made from."""
    folder(str(write_audit("a")))
    Path("a.yaml").write_text(broken, encoding="utf-8")
    assert folder("a.yaml").code == 2
    assert inside() == [*both("a.json.stale"), *INDEXES]


def test_report_of_a_spec_by_another_path_is_known_by_its_name() -> None:
    """A spec that cannot be read still says its name, by which its report is known."""
    folder(str(write_audit("a")))
    Path("moved").mkdir()
    Path("a.yaml").rename("moved/a.yaml")
    Path("moved/a.yaml").write_text("version: 1\nname: a\nfacets: [", encoding="utf-8")
    assert folder("moved/a.yaml").code == 2
    assert inside() == [*both("a.json.stale"), *INDEXES]


def test_reports_of_folders_that_are_refused_as_a_whole() -> None:
    """Where no spec of a folder is run, all its reports are moved aside, and no others."""
    for name in ("audits/team", "others"):
        Path(name).mkdir(parents=True)
    for name in ("a", "b", "other"):
        write_audit(name)
    Path("a.yaml").rename("audits/a.yaml")
    Path("b.yaml").rename("audits/team/b.yaml")
    Path("data.csv").rename("others/data.csv")
    for place in ("audits", "audits/team", "."):
        Path(place, "data.csv").symlink_to(Path("others/data.csv").absolute())
    assert folder("audits", "other.yaml").code == 0
    Path("audits/c.yaml").write_text(Path("audits/a.yaml").read_text(), encoding="utf-8")
    ended = folder("audits")
    assert ended.code == 2
    assert "2 audits are named 'a'" in ended.err
    moved = both("a.json.stale", "b.json.stale", "other.json")
    assert inside() == sorted([*moved, *STALE])


def test_wrong_command_line_moves_the_reports_of_its_folder() -> None:
    """A wrong word on the command line is no reason for older reports to stay."""
    folder(str(write_audit("a")))
    assert call("run", "a.yaml", "--output-dir", "reports", "--fail-on", "bogus").code == 2
    assert inside() == [*both("a.json.stale"), *STALE]


@pytest.mark.parametrize("output", ["audit.yaml", "./audit.yaml", "data.csv"])
def test_what_is_no_output_stays(output: str) -> None:
    """What could be no report of this run is left alone: its spec, and what no format ends like."""
    path = write_audit()
    chosen = ("--format", "json") if output != "data.csv" else ()
    for words in ((), ("--bogus",), ("--fail-on", "bogus")):
        assert call("run", path, "missing.yaml", "-o", output, *chosen, *words).code == 2
    assert Path("audit.yaml").exists()
    assert Path("data.csv").exists()


def test_csv_that_is_no_report_stays() -> None:
    """Where the words of a run are wrong, a CSV is moved aside if it is a report, not data."""
    path = write_audit()
    assert call("run", path, "-o", "checks.csv", "--fail-on", "never").code == 0
    for output in ("checks.csv", "data.csv"):
        assert call("run", path, "-o", output, "--bogus").code == 2
    assert Path("data.csv").exists()
    assert not Path("checks.csv").exists()


def test_pipes_stay() -> None:
    """A pipe is no older report, and is left alone."""
    os.mkfifo("report.json")
    failing()
    assert call("run", "audit.yaml", "-o", "report.json").code == 3
    assert names() == ["report.json"]


def test_name_of_a_stream_is_no_file() -> None:
    """A name that the system gives an open file, as /dev/stdout is one, is no older report."""
    with Path("report.json").open("w", encoding="utf-8") as file:
        stream = Path(f"/proc/self/fd/{file.fileno()}")
        assert stream.is_file()
        assert OlderOutputs.find([], [stream], None, "json").files == {}


def test_report_that_cannot_be_moved_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an older report cannot be moved aside, that is said, and the exit code stays."""

    def replace(self: Path, _: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    failing()
    old("report.json")
    monkeypatch.setattr(Path, "replace", replace)
    ended = call("run", "audit.yaml", "-o", "report.json")
    assert ended.code == 3
    words = "note: report.json: is an older report, and cannot be moved aside: Permission denied"
    assert words in ended.err
    assert names() == ["report.json"]


@pytest.mark.parametrize("words", [("-o", "{}"), ("-o", "{}", "--format", "json")])
@pytest.mark.parametrize("what", ["data.csv", "audit.yaml", "old.json"])
def test_nothing_that_a_run_reads_is_written_over(what: str, words: tuple[str, ...]) -> None:
    """An output that is the spec, its data or its baseline is refused, and stays as it is."""
    spec = write_audit()
    assert call("run", spec, "-o", "old.json").code == 0
    spec = write_audit(baseline={"report": "old.json"})
    before = Path(what).read_bytes()
    options = [word.format(what) for word in words]
    if "--format" in options or what.endswith(".json"):
        ended = call("run", spec, *options)
        assert ended.code == 2
        assert f"{what} is the " in ended.err
    assert Path(what).read_bytes() == before
    assert sorted(path.name for path in Path().glob("*.stale")) == []


def test_baseline_in_the_folder_of_reports_is_no_output() -> None:
    """A run whose report would take the place of its own baseline is refused, each time."""
    spec = write_audit()
    assert call("run", spec, "--output-dir", "reports").code == 0
    spec = write_audit(baseline={"report": "reports/audit.json"})
    before = Path("reports/audit.json").read_bytes()
    for _ in range(2):
        ended = call("run", spec, "--output-dir", "reports")
        assert (ended.code, Path("reports/audit.json").read_bytes()) == (2, before)
        assert "is the baseline of audit.yaml" in ended.err


def test_spec_in_the_folder_of_reports_stays() -> None:
    """A spec that stands where its report would is refused as an output, and is not moved."""
    spec = write_audit("s")
    Path("reports").mkdir()
    before = spec.rename("reports/s.json").read_bytes()
    for words in ((), ("--fail-on", "bogus")):
        ended = call("run", "reports/s.json", "--output-dir", "reports", *words)
        assert (ended.code, inside()) == (2, ["s.json"])
        assert "moved" not in ended.err
    assert Path("reports/s.json").read_bytes() == before


@pytest.mark.parametrize("text", [OLD, "{", "", '{"schema": "other/1", "run": {"spec": "a.yaml"}}'])
def test_what_is_no_report_stays_in_a_folder(text: str) -> None:
    """Of a folder, what no audit of the run would write is moved aside only if it is a report."""
    Path("reports").mkdir()
    Path("reports/b.json").write_text(text, encoding="utf-8")
    write_audit("a", rows=None, data="nowhere.csv")
    Path("reports/b.html").write_text(text, encoding="utf-8")
    assert folder("a.yaml").code == 3
    assert inside() == ["b.html", "b.json", *INDEXES]


def test_policy_that_is_named_as_an_output_stays() -> None:
    """A wrong policy is not moved aside, though an output has its name."""
    Path("policy.json").write_text("{", encoding="utf-8")
    ended = call("run", write_audit(), "-o", "policy.json", "--policy", "policy.json")
    assert (ended.code, Path("policy.json").exists()) == (2, True)
    assert "moved" not in ended.err
