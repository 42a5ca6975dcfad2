"""Intervals whose method failed: the value lies at an end, and the report says so."""

import json
from pathlib import Path

import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import find
from biaspipe.renderers.evidence_page import page_story
from biaspipe.report import Report
from biaspipe.statistics import METHODS, Intervals
from biaspipe.statistics.proportions import IntervalEstimate
from tests.pipeline.reports import Values, forged, report, table
from tests.renderers.evidence_page.story_text import story_text

ROWS = table("sex,label", "m,1 x 30", "m,0 x 20", "f,1 x 20", "f,0 x 30")
PARTS: Values = {
    "columns": {"label": {"column": "label", "positive": 1}},
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DPL": {"max_abs": 0.5}},
}


def _beside(*_: object, **__: object) -> IntervalEstimate:
    """Return limits that do not hold 0.2, as no method should."""
    return IntervalEstimate(0.3, 0.35, 0.4)


def test_failed_method_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval reaches to the value; record, note and page say that its method failed."""
    failed = METHODS["newcombe"]._replace(closed_form=_beside)
    monkeypatch.setitem(METHODS, "newcombe", failed)
    path = report(tmp_path, ROWS, **PARTS)
    made = Report.model_validate_json(path.read_text(encoding="utf-8"))
    (check,) = made.result.checks
    assert check.interval is not None
    assert (check.interval.ends, check.interval.clamped) == ((0.2, 0.4), True)
    assert check.note == (
        "the interval's method failed on these counts: its ends did not hold the value, and the"
        " nearer one was moved to it"
    )
    assert "In 1 of the checks the method failed" in story_text(page_story(made))


def test_ordinary_interval_says_nothing_of_it(tmp_path: Path) -> None:
    """Where the method's own ends hold the value, the key is left out; verify finds it forged."""
    path = report(tmp_path, ROWS, **PARTS)
    (check,) = json.loads(path.read_text(encoding="utf-8"))["result"]["checks"]
    assert "clamped" not in check["interval"]

    def forge(values: Values) -> None:
        values["result"]["checks"][0]["interval"]["clamped"] = True

    assert forged(path, forge) == ["result.checks[0].interval.clamped"]


def test_rounding_is_no_failure() -> None:
    """An end that rounding alone has put beside the value counts as holding it."""
    a = Group({(True, None): 10**15, (False, None): 3})
    d = Group({(True, None): 10**15, (False, None): 7})
    for metric in map(find, ("DPL", "CI")):
        found = Intervals(Table(a, d), 0.95).of(metric, metric(Table(a, d)))
        assert found is not None
        assert not found.clamped
