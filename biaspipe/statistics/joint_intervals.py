"""The intervals of metrics that join two rates, whose denominators have nobody in common.

What each rate is apart between the groups, its gap, has an interval; the two are independent.
A gap is a difference, or for ratios `1 - R` where R is at most 1 and `1/R - 1` above.
Without its sign it is biased away from 0, so that the end nearer to parity needs more room than
the other: it is made for both gaps together.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import erfc, log, sqrt

from biaspipe.counts import Group, Table
from biaspipe.metrics import Metric, Rate
from biaspipe.statistics.closed_form import absolute, jeffreys_share, share
from biaspipe.statistics.proportions import (
    IntervalEstimate,
    difference_interval,
    quantile,
    ratio_interval,
)

__all__ = ["average", "average_size", "greatest_size", "quantile_of_each", "radius_of_both"]

DIGITS = 12


@cache
def quantile_of_each(z: float) -> float:
    """Return the normal quantile at which two intervals hold both numbers as surely as one at z.

    >>> round(quantile_of_each(quantile(0.95)), 4)
    2.2365
    """
    return quantile(round(sqrt(1 - erfc(z / sqrt(2))), DIGITS))


@cache
def radius_of_both(z: float) -> float:
    """Return how many standard errors a circle reaches that holds two numbers as surely.

    >>> round(radius_of_both(quantile(0.95)), 4)
    2.4477
    """
    return round(sqrt(-2 * log(erfc(z / sqrt(2)))), DIGITS)


def average(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the average of two differences; in [-1, 1]."""
    one, other = _gaps(table, metric, z)
    estimate = (one.estimate + other.estimate) / 2
    below, above = (_joined(one.below, other.below) / 2, _joined(one.above, other.above) / 2)
    return IntervalEstimate(max(-1.0, estimate - below), estimate, min(1.0, estimate + above))


def greatest_size(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the larger of two gaps without their signs; in [0, 1].

    It is as large as one of the two at least, and no larger than both: its high end is the larger
    high end, and its low end the larger low one of limits that hold both gaps.
    """
    plain = [absolute(gap) for gap in _gaps(table, metric, z)]
    both = [absolute(gap) for gap in _joint_gaps(table, metric, quantile_of_each(z))]
    limits = IntervalEstimate(
        max(gap.low for gap in both),
        max(gap.estimate for gap in plain),
        max(gap.high for gap in plain),
    )
    return _likeness(limits) if metric.is_ratio else limits


def average_size(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the average of two gaps without their signs; in [0, 1].

    Of a few people the ellipse may miss parity where the limits of both gaps hold it: then it is
    not excluded.
    """
    plain, wide = _gaps(table, metric, z), _joint_gaps(table, metric, radius_of_both(z))
    both = _joint_gaps(table, metric, quantile_of_each(z))
    may_be_alike = all(gap.low <= 0 <= gap.high for gap in both)
    limits = IntervalEstimate(
        0.0 if may_be_alike else _least(*(_upright(gap) for gap in wide)) / 2,
        sum(abs(gap.estimate) for gap in plain) / 2,
        min(1.0, max(_ends(*plain)) / 2),
    )
    return _likeness(limits) if metric.is_ratio else limits


def _joint_gaps(table: Table, metric: Metric, z: float) -> list[IntervalEstimate]:
    """Return limits that hold both gaps together, at a larger quantile than one has alone.

    So far from their estimates, Wilson's limits of small shares are too near them.
    """
    return _gaps(table, metric, z, jeffreys_share)


def _gaps(
    table: Table,
    metric: Metric,
    z: float,
    of: Callable[[Rate, Group, float], IntervalEstimate] = share,
) -> list[IntervalEstimate]:
    """Return the limits of what each rate is apart, positive where a has more."""
    sides = [(of(rate, table.favored, z), of(rate, table.disfavored, z)) for rate in metric.rates]
    if metric.is_ratio:
        return [_gap_of_ratio(ratio_interval(d, a)) for a, d in sides]
    return [difference_interval(a, d) for a, d in sides]


def _gap_of_ratio(ratio: IntervalEstimate) -> IntervalEstimate:
    """Return what a ratio is from 1, the same for it and for its inverse but for the sign.

    >>> _gap_of_ratio(IntervalEstimate(0.5, 0.75, 2.0))
    IntervalEstimate(low=-0.5, estimate=0.25, high=0.5)
    """
    low, estimate, high = (1 - r if r <= 1 else 1 / r - 1 for r in ratio)
    return IntervalEstimate(high, estimate, low)


def _likeness(gap: IntervalEstimate) -> IntervalEstimate:
    """Return the limits of what is left to 1."""
    return IntervalEstimate(1 - gap.high, 1 - gap.estimate, 1 - gap.low)


def _upright(gap: IntervalEstimate) -> IntervalEstimate:
    """Return a gap, negated if it is negative."""
    return gap if gap.estimate >= 0 else gap.negated


def _joined(one: float, other: float) -> float:
    return sqrt(one * one + other * other)


def _ends(one: IntervalEstimate, other: IntervalEstimate) -> Iterator[float]:
    """Yield how large the sum of two gaps may be, each taken with either sign."""
    for x, y in product((one, one.negated), (other, other.negated)):
        yield x.estimate + y.estimate + _joined(x.above, y.above)


def _least(one: IntervalEstimate, other: IntervalEstimate) -> float:
    """Return the least sum of two sizes within the ellipse below and left of two gaps above 0.

    It is where the ellipse reaches farthest towards a smaller sum; where a gap would be negative
    there, the sum grows again, and the least one is where that gap is 0.
    """
    x, y, across, down = one.estimate, other.estimate, one.below, other.below
    if _holds_zero(x, across, y, down):
        return 0.0
    reach = _joined(across, down)
    if across * across <= x * reach and down * down <= y * reach:
        return x + y - reach
    crossings = [
        size - half * sqrt(1 - (gap / breadth) * (gap / breadth))
        for size, half, gap, breadth in ((x, across, y, down), (y, down, x, across))
        if gap < breadth
    ]
    return max(0.0, min(crossings))


def _holds_zero(x: float, across: float, y: float, down: float) -> bool:
    """Whether an ellipse round two gaps holds the point where both are 0."""
    if x > across or y > down:
        return False
    return (x / across if x else 0.0) ** 2 + (y / down if y else 0.0) ** 2 <= 1
