"""Adverse impact as selections are judged in the practice of employment.

The measures are those of the Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4 D,
and of the courts that count standard deviations.
"""

from fractions import Fraction
from math import erfc, inf, sqrt
from typing import NamedTuple

from biaspipe.counts import Table
from biaspipe.metrics import selection_rate
from biaspipe.statistics.exact_tests import MOST_SPREAD, fisher, spread
from biaspipe.statistics.power import Z_OF_POWER
from biaspipe.statistics.proportions import quantile

__all__ = [
    "AdverseImpact",
    "Flip",
    "adverse_impact",
    "multiple_for_flip",
    "multiple_for_significance",
]

Pair = tuple[float, float]
"""A number of the favored and of the disfavored group."""
LEAST_SIGNIFICANCE = 1e-12
"""Below it there are no quantiles; a p-value is asked to be less for show."""


class Flip(NamedTuple):
    """What becomes of two selection rates when one selection goes to the other group.

    Parameters
    ----------
    ratio : of the rates, d to a; None where nobody of the favored group is selected any more.
    reverses : whether the disfavored group then has the higher rate.
    """

    ratio: float | None
    reverses: bool


class AdverseImpact(NamedTuple):
    """The measures of one selection from two groups.

    Standard deviations say how many fewer people of the disfavored group are selected than
    expected: of a pool of which so many are selected (hypergeometric), and of selections each of
    which is of the group as often as its share of the pool is (binomial, a fixed availability).
    What counts people one by one is None under sampling weights, whose people are stood for.

    Parameters
    ----------
    shortfall : the selections that the disfavored group lacks at the rate of both groups together.
    fisher : Fisher's two-sided p-value; None where people are so many that it is z's.
    z : the difference of the rates in pooled standard errors, with its two-sided `z_p_value`.
    hypergeometric, binomial : the shortfall in standard deviations, by model.
    flip : the ratio after one selection has moved.
    """

    shortfall: float
    fisher: float | None = None
    z: float | None = None
    z_p_value: float | None = None
    hypergeometric: float | None = None
    binomial: float | None = None
    flip: Flip | None = None


def adverse_impact(table: Table) -> AdverseImpact:
    """Measure a selection from two groups.

    Parameters
    ----------
    table : two groups with somebody in each, of whom somebody is selected.

    Examples
    --------
    >>> from biaspipe.counts import Group
    >>> a, d = ({(None, True): s, (None, False): n - s} for s, n in ((48, 80), (12, 40)))
    >>> found = adverse_impact(Table(Group(a), Group(d)))
    >>> found.shortfall, round(found.hypergeometric, 2), round(found.binomial, 2)
    (8.0, 3.09, 2.19)
    """
    a, d = table.favored, table.disfavored
    one, other = selection_rate.part(a), selection_rate.part(d)
    selected, people = one + other, a.n + d.n
    shortfall = float(Fraction(d.n * selected, 1) / people - other)
    if any(group.effective is not None for group in (a, d)):
        return AdverseImpact(shortfall)
    s_a, s_d, n_a, n_d = int(one), int(other), int(a.n), int(d.n)
    pool = spread(n_d, s_a + s_d, n_a + n_d)
    available = sqrt(selected * (n_d / people) * (n_a / people))
    rate = selected / people
    error = sqrt(rate * (1 - rate) * (1 / n_a + 1 / n_d))
    z = float(Fraction(s_a, n_a) - Fraction(s_d, n_d)) / error if error else 0.0
    return AdverseImpact(
        shortfall,
        fisher(s_a, n_a - s_a, s_d, n_d - s_d) if pool <= MOST_SPREAD else None,
        z,
        erfc(abs(z) / sqrt(2)),
        shortfall / pool if pool else 0.0,
        shortfall / available if available else 0.0,
        _flip(s_a, n_a, s_d, n_d),
    )


def _flip(s_a: int, n_a: int, s_d: int, n_d: int) -> Flip | None:
    """Move one selection; None where none can be moved."""
    if not s_a or s_d == n_d:
        return None
    favored, disfavored = Fraction(s_a - 1, n_a), Fraction(s_d + 1, n_d)
    ratio = float(disfavored / favored) if favored else None
    return Flip(ratio, disfavored > favored)


def multiple_for_significance(rates: Pair, people: Pair, significance: float) -> float:
    """Return how many times as many people make a difference significant four times in five.

    By the normal approximation, corrected so that it holds for Fisher's exact test.

    Parameters
    ----------
    rates, people : of the favored and of the disfavored group.
    significance : what the two-sided p-value has to be less than.

    References
    ----------
    J. L. Fleiss, A. Tytun and H. K. Ury, A simple approximation for calculating sample sizes for
    comparing independent proportions, Biometrics 36 (1980) 343-346.

    Examples
    --------
    >>> round(100 * multiple_for_significance((0.5, 0.3), (100, 100), 0.05))
    103
    """
    (a, d), split = rates, people[1] / people[0]
    gap, mean = abs(a - d), (a + split * d) / (1 + split)
    if not gap:
        return inf
    chance = quantile(1 - max(significance, LEAST_SIGNIFICANCE)) * sqrt(
        (1 + split) * mean * (1 - mean)
    )
    found = chance + Z_OF_POWER * sqrt(split * a * (1 - a) + d * (1 - d))
    favored = found * found / (split * gap * gap)
    root = 1 + sqrt(1 + 2 * (1 + split) / (favored * split * gap))
    return favored / 4 * root * root / people[0]


def multiple_for_flip(rates: Pair, people: Pair) -> float:
    """Return how many times as many people let one selection moved not turn a difference round.

    Parameters
    ----------
    rates, people : of the favored and of the disfavored group.

    >>> round(multiple_for_flip((0.2, 0.15), (80, 20)), 6)
    1.25
    """
    gap = rates[0] - rates[1]
    return sum(1 / number for number in people) / gap if gap > 0 else inf
