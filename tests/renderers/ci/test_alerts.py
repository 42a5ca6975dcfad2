"""What somebody has to look at: each finding once, where it stands, and never nothing if red."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest

from biaspipe.printable_text import escape
from biaspipe.renderers.ci.alerts import Alert, alerts, spec_path
from biaspipe.renderers.ci.annotations import annotations_of
from biaspipe.renderers.ci.gitlab import gitlab
from biaspipe.renderers.ci.junit import junit
from biaspipe.renderers.ci.sarif import sarif
from biaspipe.report import Report
from biaspipe.verdict import Verdict
from tests.golden.audits import NAMES, report_of
from tests.renderers.console.test_drawing import audited

ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"
"""DPPL is 0.3 and DI 0.5."""


def report(folder: Path, metrics: dict[str, Any], rows: str = ROWS, **parts: Any) -> Report:
    """Return the report of an audit."""
    return audited(folder, rows, metrics=metrics, **parts)


def only(found: Report) -> Alert:
    """Return the one alert of a report."""
    (alert,) = alerts(found)
    return alert


def test_alert_says_which_check_it_is_and_where(tmp_path: Path) -> None:
    """A failure is an error with its check, sentence, value, limit, file and line."""
    found = report(tmp_path, {"DI": {"min": 0.8}})
    alert = only(found)
    assert (alert.level, alert.verdict, alert.rule) == ("error", Verdict.FAIL, "DI")
    assert alert.title == "DI on sex, f against m"
    assert "to the disadvantage of f" in alert.message
    assert alert.message.endswith("; DI 0.5000 (0.355 to 0.696), limit from 0.8")
    assert alert.check is found.result.checks[0]
    assert (Path(alert.path).suffix, alert.line) == (".yaml", found.result.checks[0].line)


@pytest.mark.parametrize("name", NAMES)
def test_gravest_come_first_and_waived_and_passed_never(name: str) -> None:
    """Failures stand before undecided checks and warnings, and nothing else is an alert."""
    found = alerts(report_of(name))
    verdicts = [alert.verdict for alert in found]
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict.gravity)
    assert set(verdicts) <= {Verdict.FAIL, Verdict.UNDECIDED, Verdict.WARN}
    assert len({alert.fingerprint for alert in found}) == len(found)
    assert all(alert.line >= 1 for alert in found)


@pytest.mark.parametrize("name", NAMES)
def test_red_verdict_has_an_alert(name: str) -> None:
    """An audit has alerts where its verdict is neither pass nor waived."""
    found = report_of(name)
    assert bool(alerts(found)) == (found.result.verdict not in (Verdict.PASS, Verdict.WAIVED))


def test_fingerprint_is_of_the_check_not_of_its_value(tmp_path: Path) -> None:
    """Another value and another line keep the fingerprint; another group or metric has another."""
    first = only(report(tmp_path, {"DI": {"min": 0.8}}))
    moved = only(report(tmp_path, {"CI": None, "DI": {"min": 0.9}}, ROWS.replace("30", "31")))
    turned = only(
        report(tmp_path, {"DI": {"max": 1.25}}, facets={"sex": {"column": "sex", "favored": "f"}})
    )
    other = only(report(tmp_path, {"DPPL": {"max_abs": 0.1}}))
    assert first.fingerprint == moved.fingerprint
    assert (first.line, first.message) != (moved.line, moved.message)
    assert len({first.fingerprint, turned.fingerprint, other.fingerprint}) == 3


def test_nothing_checked_is_an_alert(tmp_path: Path) -> None:
    """An audit without any limit has one alert, which says so."""
    alert = only(report(tmp_path, {"DI": None}))
    assert (alert.rule, alert.level, alert.check) == ("nothing-checked", "error", None)
    assert alert.message == "nothing was checked, since no check has a limit"


def test_what_vanished_is_an_alert() -> None:
    """Each check and group that vanished since the baseline is an error of its own."""
    gone = [alert for alert in alerts(report_of("second-release")) if alert.rule == "vanished"]
    assert "vanished since the baseline: group east of region" in {alert.title for alert in gone}
    assert {(alert.level, alert.verdict, alert.check) for alert in gone} == {
        ("error", Verdict.FAIL, None)
    }


@pytest.mark.parametrize(
    ("undecided", "level"), [("fail", "warning"), ("warn", "warning"), ("pass", "note")]
)
def test_undecided_is_as_grave_as_the_spec_counts_it(
    undecided: str, level: str, tmp_path: Path
) -> None:
    """An undecided check is a warning, and a note where the spec counts it as passed."""
    rules = {"min_rows": 1000, "undecided": undecided}
    alert = only(report(tmp_path, {"DI": {"min": 0.8}}, decision=rules))
    assert (alert.verdict, alert.level) == (Verdict.UNDECIDED, level)


def test_repetition_names_what_it_repeats() -> None:
    """A check that says again what another one says is an alert that names the other."""
    found = {alert.title: alert.repeats for alert in alerts(report_of("diabetes-progression"))}
    assert found["RD on sex, sex_2 against the rest"] == "RD on sex, sex_1 against the rest"
    assert found["RD on sex, sex_1 against the rest"] == ""


def test_names_of_data_are_lines_that_can_only_be_read(tmp_path: Path) -> None:
    """Group names begin no line and no command of a system that reads the texts."""
    rows = ROWS.replace("f,", '"f\n::error::x##[error]y",')
    alert = only(report(tmp_path, {"DI": {"min": 0.8}}, rows))
    assert alert.title == r"DI on sex, f\n::error::x#\x23[error]y against m"
    assert "\n" not in alert.message
    assert "##[" not in alert.message


@pytest.mark.parametrize(
    ("given", "git", "path"),
    [
        ("audits/a.yaml", {}, "audits/a.yaml"),
        ("./audits/a.yaml", {}, "audits/a.yaml"),
        ("/builds/x/audits/a.yaml", {}, "a.yaml"),
        ("../audits/a.yaml", {}, "a.yaml"),
        ("../a.yaml", {"path": "audits/a.yaml"}, "audits/a.yaml"),
    ],
)
def test_path_is_that_in_the_repository(given: str, git: dict[str, str], path: str) -> None:
    """The path is from the top of the repository, and names no folder of a machine."""
    found = report_of("german-credit")
    run = found.run.model_copy(update={"spec": given, "git": git})
    assert spec_path(found.model_copy(update={"run": run})) == path


def placed(name: str) -> Report:
    """Return a report whose spec is called so in its repository."""
    found = report_of("second-release")
    run = found.run.model_copy(update={"git": {"path": name}})
    return found.model_copy(update={"run": run})


def file_of_junit(text: str) -> str | None:
    """Return the file that the first test case names."""
    case = fromstring(text.partition("\n")[2]).find(".//testcase")  # noqa: S314 - our own
    assert case is not None
    return case.get("file")


def test_files_name_the_spec_as_it_is_called() -> None:
    """A path that a log would take for a command stands in files as it is, and in the log not."""
    name = "##[error]a b/::x%.yaml"
    found = placed(name)
    texts = [draw(found) for draw in (gitlab, sarif, junit)]
    entry, result = json.loads(texts[0])[0], json.loads(texts[1])["runs"][0]["results"][0]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert [entry["location"]["path"], unquote(uri), file_of_junit(texts[2])] == [name] * 3
    assert [text for text in texts if "##" in text] == []
    assert {one.path for one in annotations_of(alerts(found))} == {escape(name)}


@pytest.mark.parametrize("name", ["a\x1b[31m.yaml", "\u202ea.yaml"])
def test_path_that_xml_cannot_hold_is_spelled_out(name: str) -> None:
    """A path with control characters leaves JUnit XML that can be read."""
    assert file_of_junit(junit(placed(name))) == escape(name)
