"""Intervals of conditional disparities: a difference that is averaged over strata."""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from biaspipe.counts import Table
from biaspipe.metrics import Metric, Needs
from biaspipe.statistics.closed_form import within
from biaspipe.statistics.effective_size import efficiency, pooled_n_eff
from biaspipe.statistics.proportions import IntervalEstimate, difference_interval, wilson

__all__ = ["stratified"]


class _StratumShare(NamedTuple):
    """The disfavored group's share of one outcome in one stratum, and the people behind it."""

    weight: float
    favored: float
    disfavored: float
    n_eff: float

    @property
    def estimate(self) -> float:
        return self.disfavored / (self.favored + self.disfavored)


def stratified(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the average of d's share of rejections less that of acceptances.

    As the metric does, it takes the strata in which both outcomes occur. In [-1, 1]; for one
    stratum they are Newcombe's.
    """
    predicted = Needs.PREDICTED in metric.needs
    strata = table.strata_by_part(predicted=predicted).taking_part
    sizes = [float(sum(g.n for g in stratum.sides)) for stratum in strata]
    weights = [size / fsum(sizes) for size in sizes]
    efficiencies = efficiency(table.favored), efficiency(table.disfavored)
    shares: tuple[list[_StratumShare], list[_StratumShare]] = [], []
    for weight, stratum in zip(weights, strata, strict=True):
        counted = zip(*(g.outcomes(predicted=predicted) for g in stratum.sides), strict=True)
        for among, (a, d) in zip(shares, counted, strict=True):
            people = pooled_n_eff(float(a), float(d), *efficiencies)
            among.append(_StratumShare(weight, float(a), float(d), people))
    rejections, acceptances = (_average(among, z) for among in shares)
    return within(difference_interval(rejections, acceptances))


def _average(shares: Sequence[_StratumShare], z: float) -> IntervalEstimate:
    """Return Wilson's limits of a weighted average, at the n_eff that its variance stands for.

    A share that few people stand behind says little of its own variance, 0 or 1 of one person
    nothing at all. So for the variance each is drawn towards the average by the weight of z^2
    people, as Wilson's limits are drawn towards one half.
    An average of 0 or 1, be it by rounding, has no such variance: only the people count.
    """
    estimate = min(1.0, fsum(s.weight * s.estimate for s in shares))
    is_mixed = fsum(s.disfavored for s in shares) and fsum(s.favored for s in shares)
    variance = fsum(s.weight * s.weight * _variance(s, estimate, z) / s.n_eff for s in shares)
    if is_mixed and 0 < estimate < 1 and variance:
        people = estimate * (1 - estimate) / variance
    else:
        people = 1 / fsum(s.weight * s.weight / s.n_eff for s in shares)
    return wilson(estimate * people, people, z)


def _variance(share: _StratumShare, average: float, z: float) -> float:
    """Return the variance of one person's outcome in a stratum."""
    shrunk = (share.estimate * share.n_eff + z * z * average) / (share.n_eff + z * z)
    return shrunk * (1 - shrunk)
