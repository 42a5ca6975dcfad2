"""A metric is added in one file: its record alone gives it everything that the others have."""

from collections.abc import Callable
from operator import neg

import polars as pl
import pytest

import biaspipe
from biaspipe.cli.explain import explain_metric
from biaspipe.counts import Group, Real, Table
from biaspipe.metrics import FAMILIES, METRICS, Needs, Rate
from biaspipe.metrics.record import metric
from biaspipe.renderers.reference.metric_pages import index, pages
from biaspipe.renderers.reference.schemas import audit_schema
from biaspipe.renderers.sagemaker.analysis import analysis_values
from biaspipe.report import Report
from biaspipe.smclarify import SmclarifyCounts
from biaspipe.statistics import Intervals, parity_test
from tests.metrics import test_laws
from tests.metrics.conditions import no_negative_label
from tests.statistics import test_laws as test_interval_laws

false_alarm_rate = Rate(lambda g: g.FP, lambda g: g.negatives, "n_{}(0)")


@metric(
    id="FAD",
    name="False Alarm Difference",
    needs=Needs.FACET | Needs.OBSERVED | Needs.PREDICTED,
    formula="FPR_a - FPR_d, FPR = FP/(FP+TN)",
    range=(-1, 1),
    plainly="Whether people are wrongly alarmed as often in one group as in the other.",
    positive="negative cases of {favored} are accepted more often than of {disfavored}, by {gap}",
    undefined="one of the groups has no negative label",
    rate=false_alarm_rate,
    compares="a - d",
    source="A handbook of alarms",
    interval="newcombe",
)
def false_alarm_difference(table: Table) -> Real:
    """Difference of the false positive rates; in [-1, 1]."""
    return false_alarm_rate(table.favored) - false_alarm_rate(table.disfavored)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the metric, as its line in the family's tuple does."""
    monkeypatch.setitem(METRICS, false_alarm_difference.id, false_alarm_difference)
    for family in ("post_training", "all"):
        monkeypatch.setitem(FAMILIES, family, (*FAMILIES[family], false_alarm_difference))


A = Group({(True, True): 40, (True, False): 10, (False, True): 20, (False, False): 30}, name="a")
D = Group({(True, True): 30, (True, False): 20, (False, True): 5, (False, False): 45}, name="d")


def test_new_metric_has_a_value_and_an_interval() -> None:
    """The formula gives the value, the method that the record names the interval and the test."""
    compared = Table(A, D)
    value = false_alarm_difference(compared)
    found = Intervals(compared, 0.95).of(false_alarm_difference, value)
    assert value.number == pytest.approx(0.3)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.1319, 0.4493), abs=1e-4)
    assert found.method == "newcombe"
    assert parity_test(false_alarm_difference, compared) is not None


def audited() -> Report:
    """Return the report of an audit that holds the metric to a limit."""
    rows = [
        (group, observed, predicted)
        for group, counted in (("a", A), ("d", D))
        for (observed, predicted), n in counted.cells.items()
        for _ in range(int(n))
    ]
    frame = pl.DataFrame(rows, schema=["group", "label", "prediction"], orient="row")
    spec = {
        "version": 1,
        "name": "new",
        "columns": {
            "label": {"column": "label", "positive": True},
            "prediction": {"column": "prediction", "positive": True},
        },
        "facets": {"group": {"column": "group", "favored": "a", "disfavored": "d"}},
        "metrics": {"FAD": {"max_abs": 0.1}, "AD": {}},
    }
    return biaspipe.run(spec, frame)


def test_new_metric_is_audited() -> None:
    """An audit takes its name, computes it, gives it an interval and holds it to its limit."""
    check, *_ = audited().result.checks
    assert (check.metric, check.verdict.value) == ("FAD", "fail")
    assert check.value == pytest.approx(0.3)
    assert check.interval is not None
    assert check.sentence.startswith("negative cases of a are accepted more often than of d")


def test_new_metric_is_not_of_clarify() -> None:
    """Its source is not Clarify's: smclarify gives it no value, no `analysis.json` holds it."""
    assert false_alarm_difference not in FAMILIES["clarify"]
    (section,) = [v for k, v in analysis_values(audited()).items() if k.startswith("post")]
    (group,) = section["facets"]["group"]
    assert [metric["name"] for metric in group["metrics"]] == ["AD"]
    assert SmclarifyCounts(A).value(false_alarm_difference, "group", "d") is None


def test_new_metric_is_explained() -> None:
    """`explain`, the pages, their index and the schema of the spec show the record."""
    assert "FPR_a - FPR_d" in explain_metric("FAD")
    assert "newcombe: Newcombe's hybrid score interval" in explain_metric("FAD")
    assert "# FAD: False Alarm Difference" in pages()["FAD.md"]
    assert "| [FAD](FAD.md) | False Alarm Difference |" in index()
    entry = audit_schema()["$defs"]["Metrics"]["properties"]["FAD"]
    assert entry["description"].startswith("False Alarm Difference: Whether people are wrongly")
    assert "FPR_a - FPR_d" in entry["description"]
    assert "max_abs" in entry["properties"]
    assert "alpha" not in entry["properties"]


LAWS: list[Callable[[], None]] = [
    test_laws.test_value_lies_within_the_range,
    test_laws.test_value_is_a_clean_number,
    test_laws.test_value_has_the_status_of_its_condition,
    test_laws.test_value_is_ideal_at_parity,
    test_laws.test_value_follows_a_swap_of_the_sides,
    test_laws.test_value_depends_on_shares_alone,
    test_laws.test_value_does_not_depend_on_order,
    test_laws.test_value_is_the_comparison_of_the_rates,
    test_interval_laws.test_interval_holds_the_value,
    test_interval_laws.test_interval_lies_within_the_range,
    test_interval_laws.test_interval_follows_a_swap_of_the_sides,
    test_interval_laws.test_more_confidence_is_wider,
]


@pytest.mark.parametrize("keeps", LAWS)
def test_new_metric_keeps_the_laws(
    keeps: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line classifies it for the laws, which then run over it as over every other metric."""
    laws = test_laws.Laws((-1, 1), neg, no_negative_label)
    for module in (test_laws, test_interval_laws):
        monkeypatch.setattr(module, "METRICS", {false_alarm_difference.id: false_alarm_difference})
        monkeypatch.setattr(module, "LAWS", {false_alarm_difference.id: laws})
    keeps()
