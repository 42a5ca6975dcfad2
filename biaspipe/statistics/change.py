"""Limits of a change: how much farther from its best a number is than an earlier one."""

from math import inf, isinf

from biaspipe.statistics.closed_form import absolute
from biaspipe.statistics.proportions import IntervalEstimate, difference_interval

__all__ = ["change_interval"]


def change_interval(
    now: IntervalEstimate, before: IntervalEstimate, correlation: float = 0.0
) -> IntervalEstimate:
    """Return the limits of |now| - |before|, from those of two numbers whose best value is 0.

    With d = now - before and s = now + before, the change is the greater of min(d, s) and
    min(-d, -s), whatever the signs are, and that of the two turned round is its negative. MOVER
    gives the limits of d and s, and the formula those of the change: where neither number may be
    0, they are MOVER's own. Where one of them may be 0, the change may be all of the other.

    Parameters
    ----------
    now, before : the estimates with their limits, at the same confidence.
    correlation : of both estimates, where they are of the same people.

    References
    ----------
    G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008) 1693-1702.

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
    apart = difference_interval(now, before, correlation)
    joint = difference_interval(now, before.negated, -correlation)
    low = min(max(apart.low, -joint.high), max(-apart.high, joint.low))
    high = max(min(apart.high, joint.high), min(-apart.low, -joint.low))
    if before.low <= 0 <= before.high:
        high = max(high, _most(now, apart))
    if now.low <= 0 <= now.high:
        low = min(low, -_most(before, apart))
    change = sizes[0].estimate - sizes[1].estimate
    return IntervalEstimate(min(low, change), change, max(high, change))


def _most(number: IntervalEstimate, apart: IntervalEstimate) -> float:
    """Return how far from 0 a number, or the difference, may be: that whose limits are closer."""
    is_paired = apart.high - apart.low < number.high - number.low
    return absolute(apart if is_paired else number).high


def _of_infinite(now: IntervalEstimate, before: IntervalEstimate) -> IntervalEstimate:
    """Return the limits of a change where a number is infinite: all that both limits allow."""
    low = -inf if isinf(before.high) else now.low - before.high
    high = inf if isinf(now.high) else now.high - before.low
    both = isinf(now.estimate) and isinf(before.estimate)
    return IntervalEstimate(low, 0.0 if both else now.estimate - before.estimate, high)
