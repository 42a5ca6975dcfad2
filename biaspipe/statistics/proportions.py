"""Limits for shares of people, in closed form.

Counts may be broken numbers, as an effective number of people is.
Every limit is made of additions, products and square roots, which come to the same digits on
every machine; only the normal quantile takes a logarithm, and is rounded for that.
"""

from functools import cache
from math import inf, isinf, sqrt
from statistics import NormalDist
from typing import NamedTuple

__all__ = [
    "DIGITS_OF_QUANTILE",
    "IntervalEstimate",
    "clopper_pearson",
    "difference_interval",
    "newcombe",
    "odds",
    "paired",
    "paired_ratio",
    "quantile",
    "ratio_interval",
    "wilson",
]

DIGITS_OF_QUANTILE = 12


class IntervalEstimate(NamedTuple):
    """An estimate with the two ends of its interval."""

    low: float
    estimate: float
    high: float

    @property
    def below(self) -> float:
        """How far the lower end is from the estimate."""
        return self.estimate - self.low

    @property
    def above(self) -> float:
        """How far the upper end is from the estimate."""
        return self.high - self.estimate


@cache
def quantile(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval, the same on every machine.

    >>> quantile(0.95)
    1.95996398454
    """
    return round(NormalDist().inv_cdf((1 + confidence) / 2), DIGITS_OF_QUANTILE)


def wilson(part: float, whole: float, z: float) -> IntervalEstimate:
    """Return Wilson's score limits for a share, without continuity correction; in [0, 1].

    The lower end comes from the product of both, since their difference loses digits where the
    part is small and the whole large.

    >>> low, _, high = wilson(81, 263, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    spread = z * sqrt(z * z + 4 * part * ((whole - part) / whole))
    high = (2 * part + z * z + spread) / (2 * (whole + z * z))
    low = part * (part / whole) / ((whole + z * z) * high) if part else 0.0
    estimate = part / whole
    return IntervalEstimate(min(low, estimate), estimate, max(min(high, 1.0), estimate))


def clopper_pearson(part: float, whole: float, z: float) -> IntervalEstimate:
    """Return Clopper and Pearson's exact limits for a share, in Camp's closed form; in [0, 1].

    For quantiles so large that Wilson's limits are too near the estimate. By hand, since broken
    numbers of people and the same digits everywhere are wanted, which an incomplete beta
    function has not; in counts of 50 its ends are within 0.004 of the exact ones.

    B. H. Camp, Approximation to the point binomial, Annals of Mathematical Statistics 22 (1951)
    130-131; E. Paulson, Annals of Mathematical Statistics 13 (1942) 233-235.

    >>> low, _, high = clopper_pearson(5, 50, 1.95996398454)
    >>> round(low, 4), round(high, 4)
    (0.033, 0.2181)
    """
    estimate = part / whole
    low, high = _exact_low(part, whole, z), 1 - _exact_low(whole - part, whole, z)
    return IntervalEstimate(min(low, estimate), estimate, max(high, estimate))


def _exact_low(part: float, whole: float, z: float) -> float:
    """Return the lower one: of the beta distribution, whose quantile is one of a ratio F."""
    one, other = (1 / (9 * n) if n else inf for n in (part, whole - part + 1))
    margin = (1 - one) ** 2 - z * z * one
    if one >= 1 or margin <= 0:
        return 0.0
    spread = sqrt((1 - one) ** 2 * other + (1 - other) ** 2 * one - z * z * one * other)
    ratio = (((1 - one) * (1 - other) + z * spread) / margin) ** 3
    return part / (part + (whole - part + 1) * ratio)


def difference_interval(
    one: IntervalEstimate, other: IntervalEstimate, correlation: float = 0.0
) -> IntervalEstimate:
    """Return the limits of a difference from those of its parts: MOVER, squares added.

    >>> difference_interval(IntervalEstimate(0.1, 0.5, 0.8), IntervalEstimate(0.0, 0.2, 0.5))
    IntervalEstimate(low=-0.2, estimate=0.3, high=0.660555127546399)
    """
    return IntervalEstimate(
        one.estimate - other.estimate - _joined(one.below, other.above, correlation),
        one.estimate - other.estimate,
        one.estimate - other.estimate + _joined(one.above, other.below, correlation),
    )


def _joined(one: float, other: float, correlation: float) -> float:
    if isinf(one) or isinf(other):
        return inf
    return sqrt(max(0.0, one * one + other * other - 2 * correlation * one * other))


def ratio_interval(one: IntervalEstimate, other: IntervalEstimate) -> IntervalEstimate:
    """Return the limits of a ratio of independent numbers that are not negative: MOVER for ratios.

    The upper end is infinite where the denominator may be 0, the lower one 0 where the numerator
    may be.

    >>> ratio_interval(IntervalEstimate(0.0, 0.0, 0.5), IntervalEstimate(0.25, 0.5, 1.0))
    IntervalEstimate(low=0.0, estimate=0.0, high=1.1547005383792515)
    """
    p, q = one.estimate, other.estimate
    low, high = one.low * (2 * p - one.low), other.low * (2 * q - other.low)
    under = p * q + sqrt(low * other.above**2 + (q * one.below) ** 2)
    over = p * q + sqrt(high * one.above**2 + (p * other.below) ** 2)
    estimate = p / q if q else inf
    return IntervalEstimate(
        min(low / under, estimate) if low and under > 0 else 0.0,
        estimate,
        max(over / high, estimate) if high else inf,
    )


def newcombe(part: float, whole: float, other: float, of: float, z: float) -> IntervalEstimate:
    """Return Newcombe's hybrid score limits for `part/whole - other/of`; in [-1, 1].

    >>> low, _, high = newcombe(56, 70, 48, 80, 1.95996398454)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    return difference_interval(wilson(part, whole, z), wilson(other, of, z))


def phi(both: float, first: float, second: float, neither: float) -> float:
    """Return the correlation of two yes-no answers; a positive one is shrunk, as by method 10.

    >>> phi(20, 0, 0, 20), phi(0, 5, 5, 0)
    (0.95, -1.0)
    """
    people = both + first + second + neither
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    excess = both * neither - first * second
    if excess > 0:
        excess = max(excess - people / 2, 0.0)
    return max(-1.0, min(1.0, excess / sqrt(margins))) if margins > 0 else 0.0


def paired(both: float, first: float, second: float, neither: float, z: float) -> IntervalEstimate:
    """Return Newcombe's limits for a difference of two shares of the same people: method 10.

    Parameters
    ----------
    both, first, second, neither : people who said yes to both, to one alone, and to none.
    z : the normal quantile.

    Returns
    -------
    Limits
        Of `(first - second) / people`, in [-1, 1].

    Examples
    --------
    >>> low, estimate, high = paired(36, 12, 2, 0, 1.95996398454)
    >>> round(low, 4), estimate, round(high, 4)
    (0.0569, 0.2, 0.3404)
    """
    people = both + first + second + neither
    one, other = wilson(both + first, people, z), wilson(both + second, people, z)
    joined = difference_interval(one, other, phi(both, first, second, neither))
    estimate = (first - second) / people
    return IntervalEstimate(min(joined.low, estimate), estimate, max(joined.high, estimate))


def odds(part: float, other: float, z: float) -> IntervalEstimate:
    """Return the limits of `part / other` from those of the share of `part` in both.

    >>> low, estimate, high = odds(2, 2, 1.95996398454)
    >>> round(low, 4), estimate, round(high, 4)
    (0.1765, 1.0, 5.6649)
    """
    over, under = wilson(part, part + other, z), wilson(other, part + other, z)
    return IntervalEstimate(
        over.low / under.high,
        part / other if other else inf,
        over.high / under.low if under.low else inf,
    )


def paired_ratio(both: float, first: float, second: float, z: float) -> IntervalEstimate:
    """Return Bonett and Price's limits for a ratio of two shares of the same people.

    Parameters
    ----------
    both, first, second : people who said yes to both, and to one alone; who said no to both
        says nothing about the ratio.
    z : the normal quantile.

    Returns
    -------
    Limits
        Of `(both + first) / (both + second)`, in [0, inf].

    Examples
    --------
    >>> low, estimate, high = paired_ratio(20, 5, 5, 1.95996398454)
    >>> estimate, round(low * high, 12)
    (1.0, 1.0)
    """
    people, one, other = both + first + second, both + first, both + second
    joint = sqrt((first + second + 2) / ((one + 1) * (other + 1)))
    alone = sqrt((second + 1) / ((people + 2) * (one + 1)))
    apart = sqrt((first + 1) / ((people + 2) * (other + 1)))
    shrunk = z * joint / (alone + apart)
    over, under = wilson(one, people, shrunk), wilson(other, people, shrunk)
    estimate = one / other if other else inf
    return IntervalEstimate(
        over.low / under.high, estimate, over.high / under.low if under.low else inf
    )
