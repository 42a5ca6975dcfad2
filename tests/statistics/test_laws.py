"""Laws that the interval of every metric keeps."""

from dataclasses import replace
from math import inf, isnan
from operator import neg

import pytest

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import METHODS, ConfidenceInterval, Intervals, metrics_of
from biaspipe.statistics.methods import OF_MANY_CATEGORIES
from tests.metrics.comparisons import UNEVEN, Comparison, flips, group, law, table
from tests.metrics.test_laws import LAWS, reciprocal, scaled

MetricInput = Table | Group | Flips
UNEVEN_GROUPS = (group(UNEVEN.a, "a"), group(UNEVEN.d, "d"))


def evidence_of(c: Comparison) -> dict[str, MetricInput]:
    """Return the evidence of each metric."""
    compared, everyone = table(c.a, c.d), group(c.everyone(), "")
    other: dict[str, MetricInput] = {"FT": c.flips, "GE": everyone}
    return {metric: other.get(metric, compared) for metric in METRICS}


def intervals(c: Comparison, confidence: float = 0.95) -> dict[str, ConfidenceInterval | None]:
    """Return the interval of each metric."""
    shared: dict[int, Intervals] = {}
    found = {}
    for metric, evidence in evidence_of(c).items():
        made = shared.setdefault(id(evidence), Intervals(evidence, confidence))
        found[metric] = made.of(METRICS[metric], METRICS[metric](evidence))
    return found


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_a_method(metric: str) -> None:
    """Each registered metric names the method of its interval, which says who published it."""
    method = METHODS[METRICS[metric].interval]
    assert method.id == METRICS[metric].interval
    assert min(len(method.name), len(method.words), len(method.source)) > 10


def test_every_method_is_used() -> None:
    """No method is described that no metric has, for labels of many categories or samples too."""
    assert [method for method in METHODS if not metrics_of(method)] == []


@pytest.mark.parametrize("metric", METRICS)
def test_every_distance_has_a_method(metric: str) -> None:
    """Each distance of label distributions that a record names has one for many categories."""
    distance = METRICS[metric].distance
    assert distance is None or OF_MANY_CATEGORIES[distance] in METHODS


@law
def test_interval_holds_the_value(comparison: Comparison) -> None:
    """A metric has an interval exactly where it has a value, and the value lies within it."""
    for metric, found in intervals(comparison).items():
        value = METRICS[metric](evidence_of(comparison)[metric]).extended
        assert (metric, found is None) == (metric, value is None)
        if found is not None and value is not None:
            assert (metric, found.low <= value <= found.high) == (metric, True)
            assert found.low < inf


@law
def test_interval_lies_within_the_range(comparison: Comparison) -> None:
    """An interval has no NaN and does not leave the metric's range."""
    for metric, found in intervals(comparison).items():
        if found is not None:
            least, most = LAWS[metric].range
            assert not isnan(found.low)
            assert (metric, least <= found.low, found.high <= most) == (metric, True, True)


@law
def test_interval_follows_a_swap_of_the_sides(comparison: Comparison) -> None:
    """The interval of a difference changes its sign with the sides, that of a ratio turns over."""
    counted = comparison.flips
    there = replace(counted, F_plus=counted.F_minus, F_minus=counted.F_plus)
    swapped = intervals(Comparison(comparison.d, comparison.a, there))
    for metric, found in intervals(comparison).items():
        other = swapped[metric]
        if found is None or other is None:
            assert found is other
        elif LAWS[metric].swapped is neg:
            assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-9)
        elif LAWS[metric].swapped is reciprocal:
            turned = (reciprocal(found.high), reciprocal(found.low))
            assert (other.low, other.high) == pytest.approx(turned)


@law
def test_more_confidence_is_wider(comparison: Comparison) -> None:
    """An interval of more confidence contains that of less."""
    wide, narrow = intervals(comparison, 0.99), intervals(comparison, 0.9)
    for metric, less in narrow.items():
        more = wide[metric]
        if less is not None and more is not None:
            assert (metric, more.low <= less.low, less.high <= more.high) == (metric, True, True)


@pytest.mark.parametrize("metric", METRICS)
def test_more_people_are_narrower(metric: str) -> None:
    """A hundred times as many people have an interval of less than half the width."""
    few, many = intervals(UNEVEN)[metric], intervals(scaled(UNEVEN, 100))[metric]
    assert few is not None
    assert many is not None
    assert many.high - many.low < (few.high - few.low) / 2


EDGES = {
    "one person each": (1, 0, 0, 0, 0, 0, 0, 1),
    "all alike": (5, 0, 0, 0, 7, 0, 0, 0),
    "opposites": (9, 0, 0, 0, 0, 0, 0, 9),
    "a cell of one among very many": (10**12, 1, 1, 10**12, 10**12, 1, 10**12, 1),
    "very many": (10**12, 3 * 10**11, 10**12, 5, 7, 10**12, 10**12, 10**12),
}


@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_sane(edge: str) -> None:
    """One person, nobody in a cell and a million millions have intervals without a warning."""
    tp, fp, fn, tn, *others = EDGES[edge]
    a = Group({(True, True): tp, (False, True): fp, (True, False): fn, (False, False): tn})
    d = Group(dict(zip(a.cells, others, strict=True)))
    labelled = [Group(g.cells, {"yes": g.positives, "no": g.negatives}) for g in (a, d)]
    compared, other = Table(labelled[0], labelled[1]), flips(0, tp, tp + fp, 9)
    alone: dict[str, MetricInput] = {"GE": a, "FT": other}
    for metric in METRICS.values():
        evidence = alone.get(metric.id, compared)
        found = Intervals(evidence, 0.95).of(metric, metric(evidence))
        value = metric(evidence).extended
        assert (metric.id, found is None) == (metric.id, value is None)
        if found is not None:
            assert not isnan(found.low + found.high) or found.high == inf


@pytest.mark.parametrize("p", [1.0, 1.5, 40.0])
def test_order_of_the_norm_reaches_the_interval(p: float) -> None:
    """The interval of LP of two categories is 2^(1/p) times that of TVD, for any order p."""
    a, d = (Group(g.cells, {"yes": g.positives, "no": g.negatives}) for g in UNEVEN_GROUPS)
    made = Intervals(Table(a, d), 0.95)
    norm, gap = METRICS["LP"], METRICS["TVD"]
    found, other = (
        made.of(norm, norm(Table(a, d), p=p), p=p),
        made.of(gap, gap(Table(a, d))),
    )
    assert found is not None
    assert other is not None
    assert (found.low, found.high) == pytest.approx((0, 2 ** (1 / p) * other.high))


@pytest.mark.parametrize("alpha", [0.5, 1.0, 3.0, 20.0])
def test_order_of_the_entropy_reaches_the_interval(alpha: float) -> None:
    """The interval of GE lies around the value of the order that it was computed with."""
    everyone = group(UNEVEN.everyone(), "")
    value = METRICS["GE"](everyone, alpha=alpha)
    found = Intervals(everyone, 0.95).of(METRICS["GE"], value, alpha=alpha)
    assert found is not None
    assert found.low < (value.extended or 0) < found.high


def test_entropy_of_those_with_a_benefit_has_an_interval() -> None:
    """For alpha <= 0 the interval is of people who all have a benefit, as the value is."""
    everyone = Group({(True, True): 40, (False, True): 10})
    for alpha in (-20.0, -1.0, 0.0):
        value = METRICS["GE"](everyone, alpha=alpha)
        found = Intervals(everyone, 0.95).of(METRICS["GE"], value, alpha=alpha)
        assert found is not None
        assert found.low < (value.extended or 0) < found.high < inf


def test_bias_added_by_the_model_is_the_difference() -> None:
    """DPPL less DPL has an interval around it, and none where somebody lacks a prediction."""
    compared = table(UNEVEN.a, UNEVEN.d)
    found = Intervals(compared, 0.95).model_bias()
    assert found is not None
    difference, around = found
    assert difference == pytest.approx(0.31666666666667 - 0.1)
    assert (around.low, around.high) == pytest.approx((-0.217133, 0.599504), abs=1e-6)
    half = Group({(True, None): 5, (False, True): 5})
    assert Intervals(Table(half, compared.disfavored), 0.95).model_bias() is None
    assert Intervals(Table(Group({}), compared.disfavored), 0.95).model_bias() is None
    assert Intervals(UNEVEN.flips, 0.95).model_bias() is None
