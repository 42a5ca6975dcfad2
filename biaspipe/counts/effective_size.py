"""The effective number of people behind an estimate, under sampling weights.

A weighted sample says as much of a share as a smaller one, or a larger one, in which all weigh
the same: `n_eff`, the number of people at which the variance of a simple random sample is that of
the estimate. It depends on how the weights go with what is estimated, so each estimate has its own.

The variance of an estimate is the sum of squared weights, each times the squared influence of its
kind of people (Woodruff 1971). For a share p of W weighted people that is
v = sum of S2 (y - p)^2 / W^2, and n_eff = p(1-p)/v (Korn and Graubard 1998), which comes to
W / ((1-p) r_1 + p r_0): r_1 is the average weight, S2 / W, of those with the outcome, r_0 of those
without. Kish's number is W / (p r_1 + (1-p) r_0), the same where r_1 = r_0.

Few people show little of the weights of their kind, nobody nothing: one of a small weight would
make a share near 0 look sure. So where a kind's average weight is below that of all, it is drawn
towards it by the weight of `PRIOR` people, against those who are seen: Kish's number of the kind,
or of all where a few heavy ones outweigh the others. Where all are of one kind, p(1-p)/v is 0/0,
and n_eff is Kish's number of all, which this tends to.

References
----------
E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number of
positive counts estimated from survey data, Survey Methodology 24 (1998) 193-201.
R. S. Woodruff, A simple method for approximating the variance of a complicated estimate, Journal
of the American Statistical Association 66 (1971) 411-414.
"""

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple, Self

from biaspipe.counts.tables import Group, Headcount

__all__ = ["EffectiveShare", "WeightedTotal", "n_eff", "rounded", "share_of", "steady_weight"]

DIGITS = 12
"""Significant digits that do not depend on the weights' scale, nor on the order of sums."""
PRIOR = 4.0
"""How many people of the average weight steady what few people show of the weights of their kind.

Wilson's limits draw a share towards one half by as many, z^2 at 95 %.
"""

Count = Callable[[Group], Headcount]


class WeightedTotal(NamedTuple):
    """People of one kind.

    Parameters
    ----------
    people : the sum of their weights.
    squares : the sum of their squared weights, the same where each stands for one person.
    """

    people: float
    squares: float

    @classmethod
    def of(cls, group: Group, count: Count) -> Self:
        """Count people of a group, and with the same function their squared weights."""
        return cls(float(count(group)), float(count(group.squared)))

    @property
    def kish(self) -> float:
        """Kish's number, (sum w)^2 / sum w^2: how many of equal weight they are; at most the rows.

        >>> WeightedTotal(6.0, 12.0).kish, WeightedTotal(0.0, 0.0).kish
        (3.0, 0.0)
        """
        if self.people == self.squares or not self.squares:
            return self.people
        return rounded(self.people / (self.squares / self.people))

    @property
    def weight(self) -> float:
        """The average weight of those for whom the people stand: sum w^2 / sum w."""
        return self.squares / self.people if self.people else 0.0


def n_eff(parts: Sequence[tuple[WeightedTotal, float]]) -> float:
    """Return the effective number of people behind an estimate, by linearization.

    Parameters
    ----------
    parts : the kinds of people in the estimate's denominator, each with its influence: how much
        the estimate changes with one person more of this kind, in any unit; 0 on average.

    Returns
    -------
    float
        The people themselves where each has the weight 1; n where n people have the same weight.
        More than there are rows is possible, where those that are rare weigh little.

    Examples
    --------
    >>> one, other = WeightedTotal(250.0, 250.0), WeightedTotal(250.0, 250.0)
    >>> n_eff([(one, 0.5), (other, -0.5)])
    500.0
    >>> n_eff([(WeightedTotal(0.0, 0.0), 1.0), (WeightedTotal(8.0, 20.0), 0.0)])
    3.2
    """
    totals = [total for total, _ in parts]
    every = WeightedTotal(fsum(t.people for t in totals), fsum(t.squares for t in totals))
    if not every.squares or all(t.people == t.squares for t in totals):
        return every.people
    equal = fsum(total.people * influence**2 for total, influence in parts)
    uneven = fsum(
        total.people * steady_weight(total, every) * influence**2 for total, influence in parts
    )
    return rounded(every.people * (equal / uneven)) if uneven else every.kish


def steady_weight(total: WeightedTotal, every: WeightedTotal) -> float:
    """Return the weight of a kind of people, drawn up towards that of all where few are seen.

    >>> steady_weight(WeightedTotal(4.0, 4.0), WeightedTotal(20.0, 60.0))
    2.0
    >>> steady_weight(WeightedTotal(0.0, 0.0), WeightedTotal(20.0, 60.0))
    3.0
    >>> steady_weight(WeightedTotal(4.0, 16.0), WeightedTotal(20.0, 60.0))
    4.0
    """
    if total.weight >= every.weight:
        return total.weight
    seen = min(total.kish, every.kish)
    return total.weight + (every.weight - total.weight) * PRIOR / (PRIOR + seen)


class EffectiveShare(NamedTuple):
    """A share of people as one of `whole` people of equal weight, of whom `part` have it."""

    part: float
    whole: float


def share_of(one: WeightedTotal, other: WeightedTotal) -> EffectiveShare:
    """Return the share of some people in these and others, by the effective number of both.

    Parameters
    ----------
    one : those who have what is counted.
    other : the others of the denominator.

    >>> share_of(WeightedTotal(6.0, 12.0), WeightedTotal(2.0, 4.0))
    EffectiveShare(part=3.0, whole=4.0)
    """
    people = one.people + other.people
    if not people:
        return EffectiveShare(0.0, 0.0)
    whole = n_eff([(one, other.people / people), (other, -one.people / people)])
    part = min(one.people * (whole / people), whole) if other.people else whole
    return EffectiveShare(part, whole)


def rounded(number: float) -> float:
    """Return a number in the digits that do not depend on how weights are summed or scaled."""
    return float(f"{number:.{DIGITS}g}")
