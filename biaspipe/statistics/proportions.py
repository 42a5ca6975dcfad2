"""Limits for shares of people, in closed form.

Counts may be broken numbers, as an effective number of people is.
Every limit is made of additions, products and square roots, which come to the same digits on
every machine, as those of powers and of `math.hypot` need not; only the normal quantile takes a
logarithm, and is rounded for that.
"""

from functools import cache
from math import inf, isinf, sqrt
from statistics import NormalDist
from typing import NamedTuple

__all__ = [
    "IntervalEstimate",
    "clopper_pearson",
    "difference_interval",
    "jeffreys",
    "newcombe",
    "normal_quantile",
    "odds",
    "paired",
    "paired_ratio",
    "quantile",
    "ratio_interval",
    "wilson",
]

DIGITS_OF_QUANTILE = 12
FAR = 2.6
"""Beyond so many standard errors, as more than 99 % need, tails are not taken for normal."""


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

    @property
    def negated(self) -> "IntervalEstimate":
        """The same of the number with the other sign."""
        return IntervalEstimate(-self.high, -self.estimate, -self.low)


@cache
def quantile(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval, the same on every machine.

    >>> quantile(0.95)
    1.95996398454
    """
    return normal_quantile((1 + confidence) / 2)


@cache
def normal_quantile(probability: float) -> float:
    """Return below which number a standard normal one lies as often, the same on every machine.

    >>> normal_quantile(0.8)
    0.841621233573
    """
    return round(NormalDist().inv_cdf(probability), DIGITS_OF_QUANTILE)


def wilson(part: float, whole: float, z: float) -> IntervalEstimate:
    """Return Wilson's score limits for a share, without continuity correction; in [0, 1].

    The lower end comes from the product of both, since their difference loses digits where the
    part is small and the whole large.
    Far out the tail on the side of the nearer bound is thinner than a normal one and the other
    thicker: there an end is no nearer than that of Jeffreys' interval.

    >>> low, _, high = wilson(81, 263, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    spread = z * sqrt(z * z + 4 * part * ((whole - part) / whole))
    high = (2 * part + z * z + spread) / (2 * (whole + z * z))
    low = part * (part / whole) / ((whole + z * z) * high) if part else 0.0
    estimate = part / whole
    if z > FAR:
        far = jeffreys(part, whole, z)
        low, high = min(low, far.low), max(high, far.high)
    return IntervalEstimate(min(low, estimate), estimate, max(min(high, 1.0), estimate))


def clopper_pearson(part: float, whole: float, z: float) -> IntervalEstimate:
    """Return Clopper and Pearson's exact limits for a share, in closed form; in [0, 1].

    For quantiles so large that Wilson's limits of small shares are too near the estimate. By hand,
    since SciPy's inverse of the beta distribution takes a second to import and has other last
    digits elsewhere.

    References
    ----------
    E. Paulson, An approximate normalization of the analysis of variance distribution, Annals of
    Mathematical Statistics 13 (1942) 233-235; B. H. Camp, Approximation to the point binomial,
    Annals of Mathematical Statistics 22 (1951) 130-131.

    Examples
    --------
    >>> low, _, high = clopper_pearson(5, 50, 1.95996398454)
    >>> round(low, 4), round(high, 4)
    (0.033, 0.2181)
    """
    return _by_beta(part, whole, z, 0.0)


def jeffreys(part: float, whole: float, z: float) -> IntervalEstimate:
    """Return Jeffreys' limits for a share, in the same closed form; in [0, 1].

    They are the quantiles of its posterior distribution, and nearer than the exact ones: so they
    hold a share on average as often as asked, instead of at least.

    References
    ----------
    L. D. Brown, T. T. Cai and A. DasGupta, Interval estimation for a binomial proportion,
    Statistical Science 16 (2001) 101-133.

    Examples
    --------
    >>> low, _, high = jeffreys(5, 50, 1.95996398454)
    >>> round(low, 4), round(high, 4)
    (0.039, 0.2053)
    """
    return _by_beta(part, whole, z, 0.5)


def _by_beta(part: float, whole: float, z: float, prior: float) -> IntervalEstimate:
    """Return quantiles of beta distributions as limits; 0 and 1 where all answers are alike."""
    estimate, rest = part / whole, whole - part
    low = _beta_quantile(part + prior, rest + 1 - prior, z) if part else 0.0
    high = 1 - _beta_quantile(rest + prior, part + 1 - prior, z) if rest > 0 else 1.0
    return IntervalEstimate(min(low, estimate), estimate, max(high, estimate))


def _beta_quantile(one: float, other: float, z: float) -> float:
    """Return the lower quantile of a beta distribution, by Paulson's of a ratio F."""
    x, y = 1 / (9 * one), 1 / (9 * other)
    margin = (1 - x) * (1 - x) - z * z * x
    if x >= 1 or margin <= 0:
        return 0.0
    spread = sqrt((1 - x) * (1 - x) * y + (1 - y) * (1 - y) * x - z * z * x * y)
    root = ((1 - x) * (1 - y) + z * spread) / margin
    return one / (one + other * (root * root * root))


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
    under = p * q + sqrt(low * _square(other.above) + _square(q * one.below))
    over = p * q + sqrt(high * _square(one.above) + _square(p * other.below))
    estimate = p / q if q else inf
    return IntervalEstimate(
        min(low / under, estimate) if low and under > 0 else 0.0,
        estimate,
        max(over / high, estimate) if high else inf,
    )


def _square(number: float) -> float:
    return number * number


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
    IntervalEstimate
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
    IntervalEstimate
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
