"""The interval of a disparity that is averaged over strata, in closed form."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

from biaspipe.counts import Group, Headcount, Table
from biaspipe.statistics.people import pooled, scale
from biaspipe.statistics.proportions import Limits, difference, wilson

__all__ = ["average_disparity"]

Outcome = Callable[[Group], Headcount]


class _Share(NamedTuple):
    """The disfavored group's share of one outcome in one stratum, and the people behind it."""

    weight: float
    favored: float
    disfavored: float
    effective: float

    @property
    def value(self) -> float:
        return self.disfavored / (self.favored + self.disfavored)


def average_disparity(table: Table, rejected: Outcome, accepted: Outcome, z: float) -> Limits:
    """Return the limits of the average of d's share of rejections less that of acceptances.

    As the metric does, it takes the strata in which both outcomes occur.

    Parameters
    ----------
    table : a comparison, with strata.
    rejected, accepted : the people of a group with either outcome.
    z : the normal quantile.

    Returns
    -------
    Limits
        In [-1, 1]; for one stratum they are Newcombe's.
    """
    no, yes, sizes = [], [], []
    scales = (scale(table.favored), scale(table.disfavored))
    for stratum in table.strata:
        sides = (stratum.favored, stratum.disfavored)
        refused, taken = ([float(outcome(g)) for g in sides] for outcome in (rejected, accepted))
        if sum(refused) and sum(taken):
            sizes.append(float(sum(g.n for g in sides)))
            no.append(refused)
            yes.append(taken)
    weights = [size / fsum(sizes) for size in sizes]
    one, other = (
        _average(
            [
                _Share(w, a, d, pooled(a, d, *scales))
                for w, (a, d) in zip(weights, side, strict=True)
            ],
            z,
        )
        for side in (no, yes)
    )
    return difference(one, other)


def _average(shares: Sequence[_Share], z: float) -> Limits:
    """Return Wilson's limits of a weighted average, at the number of people it is worth.

    A share that few people stand behind says little of its own variance, 0 or 1 of one person
    nothing at all. So for the variance each is drawn towards the average by the weight of z^2
    people, as Wilson's limits are drawn towards one half.
    An average of 0 or 1, be it by rounding, has no such variance: only the people count.
    """
    value = min(1.0, fsum(s.weight * s.value for s in shares))
    held = fsum(s.disfavored for s in shares), fsum(s.favored for s in shares)
    variance = fsum(s.weight * s.weight * _spread(s, value, z) / s.effective for s in shares)
    if all(held) and 0 < value < 1 and variance:
        people = value * (1 - value) / variance
    else:
        people = 1 / fsum(s.weight * s.weight / s.effective for s in shares)
    return wilson(value * people, people, z)


def _spread(share: _Share, average: float, z: float) -> float:
    drawn = (share.value * share.effective + z * z * average) / (share.effective + z * z)
    return drawn * (1 - drawn)
