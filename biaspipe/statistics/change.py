"""Limits of a change: how much farther from its best a number is than an earlier one."""

from math import inf, isinf, sqrt

from biaspipe.statistics.closed_form import absolute
from biaspipe.statistics.joint_intervals import radius_of_both
from biaspipe.statistics.proportions import IntervalEstimate, difference_interval, quantile

__all__ = ["change_interval"]

Z = quantile(0.95)
TINY = 1e-300
"""The width of limits that leave nothing open; an estimate beside them is never 0."""


def change_interval(
    now: IntervalEstimate, before: IntervalEstimate, correlation: float = 0.0, z: float = Z
) -> IntervalEstimate:
    """Return the limits of |now| - |before|, from those of two numbers whose best value is 0.

    With d = now - before and s = now + before, the change is the greater of min(d, s) and
    min(-d, -s), whatever the signs are, and that of the two turned round is its negative. MOVER
    gives the limits of d and s, and the formula those of the change: where neither number may be
    0, they are MOVER's own. Of numbers on two sides of 0, a positive correlation widens them.

    Parameters
    ----------
    now, before : the estimates with their limits, at the same confidence.
    correlation : of both estimates, where they are of the same people.
    z : the normal quantile of the limits.

    References
    ----------
    G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008) 1693-1702; of d and s together,
    R. L. Berger, Technometrics 24 (1982) 295-300; of the ellipse, H. Scheffe, Biometrika 40
    (1953) 87-104.

    Examples
    --------
    >>> one, other = IntervalEstimate(0.2, 0.3, 0.4), IntervalEstimate(0.1, 0.2, 0.3)
    >>> low, estimate, high = change_interval(one, other)
    >>> round(low, 4), round(estimate, 4), round(high, 4)
    (-0.0414, 0.1, 0.2414)
    """
    sizes = absolute(now), absolute(before)
    if isinf(now.estimate) or isinf(before.estimate):
        return _of_infinite(*sizes)
    low, high = _folded(now, before, correlation)
    radius = radius_of_both(z) / z
    if high >= 0:
        high = max(high, _most(now, before, correlation, radius))
    if low <= 0:
        low = min(low, -_most(before, now, correlation, radius))
    change = sizes[0].estimate - sizes[1].estimate
    return IntervalEstimate(min(low, change), change, max(high, change))


def _folded(
    now: IntervalEstimate, before: IntervalEstimate, correlation: float
) -> tuple[float, float]:
    """Return the ends of the change from the limits of d and of s."""
    apart = difference_interval(now, before, correlation)
    joint = difference_interval(now, before.negated, -correlation)
    low = min(max(apart.low, -joint.high), max(-apart.high, joint.low))
    return low, max(min(apart.high, joint.high), min(-apart.low, -joint.low))


def _most(
    number: IntervalEstimate, other: IntervalEstimate, correlation: float, radius: float
) -> float:
    """Return how far from 0 a number may be where the other one is 0; -inf where that cannot be.

    There the change is all of the number, and either d or s misses it: with the ellipse that holds
    both numbers, whose radius is given in limits, neither end is missed more often than it should.
    """
    to_zero = -other.estimate and -other.estimate / _width(other, -other.estimate)
    if abs(to_zero) > radius:
        return -inf
    half = sqrt(max(0.0, (1 - correlation**2) * (radius**2 - to_zero**2)))
    ends = (correlation * to_zero - half, correlation * to_zero + half)
    return max(abs(number.estimate + (end and end * _width(number, end))) for end in ends)


def _width(number: IntervalEstimate, way: float) -> float:
    """Return how far from a number its limit is, below it or above; never 0."""
    return (number.above if way > 0 else number.below) or TINY


def _of_infinite(now: IntervalEstimate, before: IntervalEstimate) -> IntervalEstimate:
    """Return the limits of a change where a number is infinite: all that both limits allow."""
    low = -inf if isinf(before.high) else now.low - before.high
    high = inf if isinf(now.high) else now.high - before.low
    both = isinf(now.estimate) and isinf(before.estimate)
    return IntervalEstimate(low, 0.0 if both else now.estimate - before.estimate, high)
