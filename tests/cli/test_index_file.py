"""`--output-dir` writes `index.json` for programs, and with `--also` further formats."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit
from tests.cli.log_commands import commands_in

LIMITS: dict[str, dict[str, Any]] = {
    "pass": {"DI": {"min": 0.5}},
    "warn": {"DI": {"min": 0.5, "warn": {"min": 0.9}}},
    "fail": {"DI": {"min": 0.9}},
    "undecided": {"RD": {"max_abs": 0.1}},
    "reported": {"DI": {}},
}
"""The metrics of an audit that comes to each verdict."""


def run(*verdicts: str, words: tuple[str, ...] = ()) -> Ended:
    """Run an audit of each verdict into a folder; one of `error` is no audit."""
    for verdict in verdicts:
        if verdict == "error":
            Path("error.yaml").write_text("version: 1\n", encoding="utf-8")
        else:
            write_audit(verdict, metrics=LIMITS[verdict])
    return call("run", *(f"{verdict}.yaml" for verdict in verdicts), "--output-dir", "out", *words)


def index() -> Any:
    """Return what the index holds."""
    return json.loads(Path("out/index.json").read_text(encoding="utf-8"))


def test_index_has_every_audit_as_its_report_has_it() -> None:
    """An audit has the verdict, code and digest of its report, and its files are there."""
    assert run("pass", "fail").code == 1
    found = index()
    assert (found["schema"], found["verdict"], found["exit_code"]) == (
        "biaspipe-index/1",
        "fail",
        1,
    )
    good, bad = found["audits"]
    report = json.loads(Path("out/fail.json").read_text(encoding="utf-8"))
    assert bad == {
        "name": "fail",
        "spec": "fail.yaml",
        "verdict": report["result"]["verdict"],
        "exit_code": 1,
        "result_sha256": report["result_sha256"],
        "files": ["fail.json", "fail.html"],
    }
    assert (good["verdict"], good["exit_code"]) == ("pass", 0)
    assert all(Path("out", file).is_file() for file in good["files"] + bad["files"])


@pytest.mark.parametrize(
    ("verdicts", "worst", "code"),
    [
        ("pass", "pass", 0),
        ("pass warn", "warn", 0),
        ("warn reported", "reported", 5),
        ("reported undecided", "undecided", 4),
        ("undecided fail", "fail", 1),
        ("fail error", "error", 2),
    ],
)
def test_worst_verdict_goes_with_the_exit_code(verdicts: str, worst: str, code: int) -> None:
    """The verdict of a run is the worst of its audits, by the precedence of the exit codes."""
    assert run(*verdicts.split()).code == code
    assert (index()["verdict"], index()["exit_code"]) == (worst, code)


def test_spec_without_a_report_says_why() -> None:
    """A spec that is wrong has its exit code and the first line of its error, and no name."""
    run("error", "pass")
    (first, _) = index()["audits"]
    assert first == {
        "spec": "error.yaml",
        "verdict": "error",
        "exit_code": 2,
        "reason": "error.yaml:1:1: the key 'name' is missing",
    }


@pytest.mark.parametrize(
    ("name", "shown"),
    [("##[error]x.yaml", r"#\x23[error]x.yaml"), ("\x9b\udcff.yaml", r"\x9b\udcff.yaml")],
)
def test_spec_of_an_odd_name_is_only_read(name: str, shown: str) -> None:
    """Whatever a spec without a report is called, the index holds no command, and is UTF-8."""
    Path(name).write_text("version: 1\n", encoding="utf-8")
    assert call("run", name, "--output-dir", "out").code == 2
    (audit,) = index()["audits"]
    assert (audit["spec"], audit["reason"]) == (shown, f"{shown}:1:1: the key 'name' is missing")
    assert commands_in(Path("out/index.json").read_text(encoding="utf-8")) == []


def test_empty_selection_is_no_pass() -> None:
    """An index without audits has the verdict and the code of a run that checked nothing."""
    assert run("pass", words=("--select", "CI")).code == 5
    assert index() == {
        "schema": "biaspipe-index/1",
        "verdict": "reported",
        "exit_code": 5,
        "audits": [],
    }


def test_lenient_run_says_so_by_its_code() -> None:
    """With `--fail-on never` the code is 0 and the verdict is still what it came to."""
    assert run("fail", words=("--fail-on", "never")).code == 0
    assert (index()["verdict"], index()["exit_code"]) == ("fail", 0)


def test_further_formats_are_written_of_every_audit() -> None:
    """Each `--also` is a file of every audit, named by it and listed in the index."""
    words = ("--also", "markdown", "--also", "rates", "--also", "clarify")
    run("pass", "fail", words=words)
    files = ["fail.json", "fail.html", "fail.md", "fail.rates.csv", "fail.clarify.json"]
    assert index()["audits"][1]["files"] == files
    assert Path("out/fail.rates.csv").read_text(encoding="utf-8").startswith("audit,")
    assert all(Path("out", file.replace("fail", "pass", 1)).is_file() for file in files)


def test_further_format_of_an_older_run_is_moved_aside() -> None:
    """An audit that gives no report leaves none of its older files, in whatever format."""
    words = ("--also", "csv", "--also", "rates")
    run("pass", words=words)
    Path("data.csv").unlink()
    assert call("run", "pass.yaml", "--output-dir", "out", *words).code == 3
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "index.html",
        "index.json",
        "pass.csv.stale",
        "pass.html.stale",
        "pass.json.stale",
        "pass.rates.csv.stale",
    ]


def test_further_format_needs_a_folder() -> None:
    """Without a folder there is nothing to write a further format into."""
    ended = call("run", write_audit(), "--also", "csv")
    assert ended.code == 2
    assert ended.err == (
        "error: --also csv: no folder is named to write into\n  hint: add --output-dir DIR\n"
    )


def test_further_format_is_not_written_over_an_input() -> None:
    """A further format of an audit that is its own data is refused, and the data stays."""
    path = write_audit("data")
    ended = call("run", path, "--output-dir", ".", "--also", "csv")
    assert ended.code == 2
    assert "data.csv is the data of data.yaml, and would be written over" in ended.err
    assert Path("data.csv").read_text(encoding="utf-8").startswith("sex,")


def test_data_beside_a_wrong_spec_of_its_name_stays() -> None:
    """A CSV that is no output of biaspipe is not moved aside, whatever the audit is called."""
    write_audit("data", metrics={"DX": {}})
    assert call("run", "data.yaml", "--output-dir", ".", "--also", "csv").code == 2
    assert Path("data.csv").is_file()
