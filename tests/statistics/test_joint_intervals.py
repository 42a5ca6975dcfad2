"""Intervals of metrics that join two rates."""

from collections import Counter
from math import cos, pi, sin, sqrt

import numpy as np
import pytest

from biaspipe.counts import Table
from biaspipe.metrics import METRICS
from biaspipe.metrics.rates import Rate, false_positive_rate, recall
from biaspipe.statistics import ConfidenceInterval, Intervals
from biaspipe.statistics.closed_form import jeffreys_share, share
from biaspipe.statistics.proportions import IntervalEstimate, difference_interval, ratio_interval
from tests.metrics.comparisons import confusion

RATES = (recall, false_positive_rate)
NORMAL, EACH, RADIUS = 1.95996398454, 2.236476644598, 2.447746830681
"""The quantile of one interval, of each of two that hold both, and the radius of a circle."""
STEPS = 20_000

TABLES = {
    "both apart": Table(confusion(400, 100, 90, 410), confusion(300, 200, 40, 460)),
    "opposite signs": Table(confusion(400, 100, 40, 460), confusion(300, 200, 90, 410)),
    "one apart": Table(confusion(400, 100, 50, 450), confusion(250, 250, 50, 450)),
    "one nearly alike": Table(confusion(400, 100, 52, 448), confusion(250, 250, 50, 450)),
    "alike": Table(confusion(40, 10, 5, 45), confusion(39, 11, 6, 44)),
    "few": Table(confusion(3, 1, 1, 4), confusion(1, 3, 4, 1)),
}


def interval(metric: str, table: Table) -> ConfidenceInterval:
    """Return the 95 % interval of a metric that has a value."""
    found = Intervals(table, 0.95).of(METRICS[metric], METRICS[metric](table))
    assert found is not None
    return found


def gap(rate: Rate, table: Table, z: float, *, ratio: bool) -> IntervalEstimate:
    """Return the limits of what a rate is apart, negated where it is larger in the other group."""
    of = share if z == NORMAL else jeffreys_share
    a, d = of(rate, table.favored, z), of(rate, table.disfavored, z)
    found = difference_interval(a, d)
    if ratio:
        low, estimate, high = (1 - r if r <= 1 else 1 / r - 1 for r in ratio_interval(d, a))
        found = IntervalEstimate(high, estimate, low)
    if found.estimate < 0:
        found = IntervalEstimate(-found.high, -found.estimate, -found.low)
    return found


def least_size(table: Table, *, ratio: bool) -> float:
    """Return the least average size of two gaps in the ellipse around them, by looking at it."""
    one, other = (gap(rate, table, RADIUS, ratio=ratio) for rate in RATES)
    if all(gap(rate, table, EACH, ratio=ratio).low <= 0 for rate in RATES):
        return 0.0
    turns = (2 * pi * step / STEPS for step in range(STEPS))
    points = [
        (
            one.estimate + (one.above if cos(t) > 0 else one.below) * cos(t),
            other.estimate + (other.above if sin(t) > 0 else other.below) * sin(t),
        )
        for t in turns
    ]
    across, down = one.estimate / one.below, other.estimate / other.below
    if across * across + down * down <= 1:
        return 0.0
    return min(abs(x) + abs(y) for x, y in points) / 2


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_average_size_begins_where_the_ellipse_is_nearest_to_parity(table: Table) -> None:
    """The end near parity is the least average that a walk round the ellipse comes by."""
    assert interval("AAOD", table).low == pytest.approx(least_size(table, ratio=False), abs=1e-4)
    assert interval("AOR", table).high == pytest.approx(1 - least_size(table, ratio=True), abs=1e-4)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_largest_size_is_that_of_one_gap(table: Table) -> None:
    """One end is the larger end of both gaps' intervals, the other that of wider ones."""
    for metric, ratio in (("EOD", False), ("EOR", True)):
        plain = [gap(rate, table, NORMAL, ratio=ratio) for rate in RATES]
        wide = [gap(rate, table, EACH, ratio=ratio) for rate in RATES]
        high = max(max(abs(one.low), abs(one.high)) for one in plain)
        low = max(max(one.low, 0.0) for one in wide)
        found = interval(metric, table)
        ends = (1 - found.high, 1 - found.low) if ratio else (found.low, found.high)
        assert ends == pytest.approx((low, high), abs=1e-9)


def test_average_keeps_the_signs() -> None:
    """The average of two differences is as sure as half of their sum, squares added."""
    table = TABLES["opposite signs"]
    tpr, fpr = interval("RD", table), interval("FPRD", table)
    found = interval("AOD", table)
    value = (0.2 - 0.1) / 2
    below = sqrt((0.2 - tpr.low) ** 2 + (-0.1 - fpr.low) ** 2) / 2
    above = sqrt((tpr.high - 0.2) ** 2 + (fpr.high + 0.1) ** 2) / 2
    assert (found.low, found.high) == pytest.approx((value - below, value + above))


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [
        ("EOD", 0.1360, 0.2545),
        ("EOR", 0.3134, 0.6578),
        ("AOD", 0.1151, 0.1843),
        ("AAOD", 0.1065, 0.1843),
        ("AOR", 0.5249, 0.7227),
    ],
)
def test_worked_example(metric: str, low: float, high: float) -> None:
    """A table with both rates apart has these intervals."""
    found = interval(metric, TABLES["both apart"])
    assert (found.low, found.high) == pytest.approx((low, high), abs=5.01e-5)


@pytest.mark.parametrize("metric", ["EOD", "AAOD", "EOR", "AOR"])
def test_interval_reaches_parity_where_groups_are_nearly_alike(metric: str) -> None:
    """Small gaps of few people do not exclude that there are none."""
    ideal = METRICS[metric].ideal
    found = interval(metric, TABLES["alike"])
    assert ideal in (found.low, found.high)


def test_very_good_models_of_few_people_reach_parity() -> None:
    """An error more or less of 25 people in each denominator is no finding against 1,000."""
    random = np.random.default_rng(5)
    rows = zip(
        random.binomial([1_000, 25, 25], [0.99, 0.99, 0.01], (400, 3)).tolist(),
        random.binomial(1_000, 0.01, 400).tolist(),
        strict=True,
    )
    held: Counter[str] = Counter()
    for (found, tp, fp), wrong in rows:
        table = Table(
            confusion(found, 1_000 - found, wrong, 1_000 - wrong),
            confusion(tp, 25 - tp, fp, 25 - fp),
        )
        for metric in ("EOD", "EOR", "AAOD", "AOR"):
            ends = interval(metric, table)
            held[metric] += ends.low <= METRICS[metric].ideal <= ends.high
    assert {metric: n / 400 >= 0.94 for metric, n in held.items()} == dict.fromkeys(held, True)
