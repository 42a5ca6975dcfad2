"""What two checks say alike is shown once, by the graver of both; --all shows every check."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.metrics import METRICS
from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.annotations import annotations_of
from biaspipe.renderers.console.drawing import full_text, plain_text
from biaspipe.report import Report
from tests.golden.audits import code_of
from tests.renderers.console.test_drawing import audited

ROWS = "sex,prediction,n\nm,1,60\nm,0,40\nf,1,30\nf,0,70\n"
"""DPPL is 0.3 and DI 0.5, or -0.3 and 2 the other way round."""
THREE = ROWS + "x,1,50\nx,0,50\n"
EACH = {"sex": {"column": "sex"}}
"""Each group against the rest, which of two groups is the other one."""
Rows = list[tuple[str, str]]


def shown(report: Report, *, everything: bool = False) -> Rows:
    """Return verdict and metric of every row."""
    text = (full_text if everything else plain_text)(report, code_of(report))
    rows = [line.split() for line in text.splitlines()]
    found = [(row[0], row[1]) for row in rows if len(row) > 2 and row[1] in METRICS]
    return [row for row in found if row[0] != "worst"]


@pytest.mark.parametrize(
    ("metrics", "rows"),
    [
        ({"DPPL": {"max_abs": 0.1}}, [("FAIL", "DPPL")]),
        ({"DPPL": {"max_abs": 0.5, "warn": {"max_abs": 0.1}}}, [("WARN", "DPPL")]),
        ({"DI": {"min": 0.8, "max": 1.25}}, [("FAIL", "DI")]),
        ({"DI": {"min": 0.8}}, [("FAIL", "DI")]),
        ({"DI": {"min": 0.8, "warn": {"max": 1.25}}}, [("FAIL", "DI")]),
        ({"DPPL": {"max": 0.1, "warn": {"min": -0.1}}}, [("FAIL", "DPPL")]),
        ({"DPPL": {"max_abs": 0.5}}, []),
        ({"DPPL": None}, [("reported", "DPPL")]),
    ],
)
def test_two_groups_the_other_way_round_are_shown_once(
    metrics: dict[str, Any], rows: Rows, tmp_path: Path
) -> None:
    """Of two groups, each against the rest, the graver row is shown, and both with --all."""
    report = audited(tmp_path, ROWS, facets=EACH, metrics=metrics)
    assert shown(report) == rows
    assert len(shown(report, everything=True)) == 2


def test_what_repeats_is_counted(tmp_path: Path) -> None:
    """A failure that says the same of the same groups is in the tally, and its lack is told."""
    report = audited(tmp_path, ROWS, facets=EACH, metrics={"DPPL": {"max_abs": 0.1}})
    text = plain_text(report, code_of(report))
    assert "not shown: 1 failed, the same as above\n" in text
    assert "1 check is not shown; --all shows all\n2 failed  (" in text


def test_three_groups_repeat_nothing(tmp_path: Path) -> None:
    """Each of three groups against the rest says something of its own."""
    report = audited(tmp_path, THREE, facets=EACH, metrics={"DPPL": {"max_abs": 0.1}})
    text = plain_text(report, code_of(report))
    assert [verdict for verdict, _ in shown(report)] == ["FAIL", "FAIL"]
    assert "not shown: 1 passed\n" in text


STRICT, LENIENT = {"max_abs": 0.1}, {"max_abs": 0.5}


@pytest.mark.parametrize(
    ("metrics", "rows"),
    [
        ({"DPPL": STRICT, "vertex.dpppl": STRICT}, [("FAIL", "DPPL")]),
        ({"vertex.dpppl": STRICT, "DPPL": STRICT}, [("FAIL", "DPPL")]),
        ({"vertex.dpppl": STRICT, "DPPL": LENIENT}, [("FAIL", "vertex.dpppl")]),
        ({"vertex.dpppl": LENIENT, "DPPL": STRICT}, [("FAIL", "DPPL")]),
        ({"vertex.dpppl": STRICT}, [("FAIL", "vertex.dpppl")]),
        ({"vertex.dpppl": None, "DPPL": None}, [("reported", "DPPL")]),
    ],
)
def test_metric_of_another_name_is_shown_once(
    metrics: dict[str, Any], rows: Rows, tmp_path: Path
) -> None:
    """Of a metric of Vertex AI and the one of Clarify with its value, the graver row is shown."""
    report = audited(tmp_path, ROWS, metrics=metrics)
    assert shown(report) == rows
    assert len(shown(report, everything=True)) == len(metrics)


ODDS = "sex,label,prediction,n\n" + "".join(
    f"{sex},{label},{prediction},{n}\n"
    for sex, counts in (("m", (60, 40, 20, 80)), ("f", (30, 10, 30, 90)))
    for (label, prediction), n in zip(((1, 1), (0, 1), (1, 0), (0, 0)), counts, strict=True)
)
"""SD and FPRD are 0.2333, against f; vertex.specificity_difference is the other sign, against m."""
LABELLED = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
    "weight": "n",
}
SIDES = {
    "SD": {"max_abs": 0.1},
    "FPRD": {"max_abs": 0.05},
    "vertex.specificity_difference": {"max_abs": 0.2},
}


def test_what_is_against_another_side_repeats_nothing(tmp_path: Path) -> None:
    """Of failures against one side the strictest is shown, and one against the other side too."""
    report = audited(tmp_path, ODDS, columns=LABELLED, metrics=SIDES)
    text = plain_text(report, code_of(report))
    assert shown(report) == [("FAIL", "FPRD"), ("FAIL", "vertex.specificity_difference")]
    assert "not shown: 1 failed, the same as above\n" in text
    repeats = {alert.rule: alert.repeats for alert in alerts(report)}
    assert list(repeats) == ["FPRD", "SD", "vertex.specificity_difference"]
    assert list(repeats.values()) == ["", "FPRD on sex, f against m", ""]


def test_failure_of_another_limit_is_annotated(tmp_path: Path) -> None:
    """Each failed check has its annotation, which says what it repeats."""
    found = annotations_of(alerts(audited(tmp_path, ODDS, columns=LABELLED, metrics=SIDES)))
    assert len(found) == 3
    assert found[1].message.endswith("; the same as FPRD on sex, f against m")


def test_other_sign_is_said(tmp_path: Path) -> None:
    """What says the same with the other sign says so."""
    limits = {"RD": {"max_abs": 0.1}, "FNRD": {"max_abs": 0.09}}
    report = audited(tmp_path, ODDS, columns=LABELLED, metrics=limits)
    repeats = {alert.rule: alert.repeats for alert in alerts(report)}
    assert repeats == {"FNRD": "", "RD": "FNRD on sex, f against m, with the other sign"}


def test_common_repetition_is_one_row(tmp_path: Path) -> None:
    """RD, its like of Vertex AI and that of misses with one limit are one row."""
    limits = dict.fromkeys(("RD", "vertex.recall_difference", "FNRD"), STRICT)
    report = audited(tmp_path, ODDS, columns=LABELLED, metrics=limits)
    text = plain_text(report, code_of(report))
    assert shown(report) == [("FAIL", "RD")]
    assert (
        "not shown: 1 failed, the same as above; 1 failed, the same as above, with the other sign"
    ) in " ".join(text.split())


def test_metrics_that_are_the_same_have_the_same_value() -> None:
    """Every metric that names another one has its note, its range and its need of it."""
    for metric in METRICS.values():
        if metric.same_as:
            other = METRICS[metric.same_as]
            assert (metric.needs, metric.range) == (other.needs, other.range)
            assert metric.note is not None
            assert metric.note.startswith(f"Equals {metric.same_as}") or (
                metric.note.startswith(f"Equals -{metric.same_as}")
            )
