"""Intervals of conditional disparities: a difference that is averaged over strata."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

from biaspipe.counts import EffectiveShare, Stratum, Table, WeightedTotal, n_eff, share_of
from biaspipe.metrics import Metric, Needs
from biaspipe.statistics.closed_form import within
from biaspipe.statistics.proportions import IntervalEstimate, difference_interval, quantile, wilson

__all__ = ["StrataEffect", "strata_effect", "stratified", "unstratified"]


class _StratumShare(NamedTuple):
    """The disfavored group's share of one outcome in one stratum, and the people behind it."""

    weight: float
    disfavored: float
    n_eff: float

    @property
    def estimate(self) -> float:
        return self.disfavored / self.n_eff


class StrataEffect(NamedTuple):
    """What becomes of a disparity where people of the same stratum alone are compared.

    Parameters
    ----------
    is_reversed : whether it is the other way round within the strata, which chance does not make.
    is_certain : whether it is another one within the strata, which chance does not make.
    """

    is_reversed: bool
    is_certain: bool


def strata_effect(table: Table, metric: Metric, confidence: float) -> StrataEffect:
    """Compare the disparity over all people with the one within strata.

    It is reversed where both intervals exclude 0, on different sides. That there is an effect is
    certain there, and where the interval of the difference of both excludes 0. The two are of the
    same people, and vary together.

    Parameters
    ----------
    table : a comparison by stratum, of which the metric has a value.
    metric : CDDL or CDDPL.
    confidence : of the intervals.
    """
    z = quantile(confidence)
    within_strata, over_all = (
        stratified(table, metric, z),
        stratified(unstratified(table), metric, z),
    )
    changes_sign = within_strata.estimate * over_all.estimate < 0
    both = all(_excludes_0(limits) for limits in (within_strata, over_all))
    is_reversed = changes_sign and both
    correlation = _correlation(table, metric, z)
    differ = _excludes_0(difference_interval(over_all, within_strata, correlation))
    return StrataEffect(is_reversed, is_reversed or differ)


def unstratified(table: Table) -> Table:
    """Return a comparison with everybody in one stratum."""
    return Table(table.favored, table.disfavored, (Stratum("", table.favored, table.disfavored),))


def _correlation(table: Table, metric: Metric, z: float) -> float:
    """Return how far the disparities over all people and within strata vary together.

    It is the correlation of their influences, drawn towards 0 by the weight of z^2 people for
    each stratum: few people show less of what the two differ by than there is.
    """
    squares, within_strata = zip(*_influences(table, metric), strict=True)
    over_all = [x for _, x in _influences(unstratified(table), metric)] * len(table.strata)
    cells = list(zip(squares, within_strata, over_all, strict=True))
    spread = sqrt(fsum(n * x * x for n, x, _ in cells)) * sqrt(fsum(n * y * y for n, _, y in cells))
    everyone = fsum(
        WeightedTotal.of(group, lambda g: g.n).kish for group in (table.favored, table.disfavored)
    )
    shrinkage = everyone / (everyone + z * z * len(table.strata))
    return shrinkage * fsum(n * x * y for n, x, y in cells) / spread if spread else 0.0


def _influences(table: Table, metric: Metric) -> list[tuple[float, float]]:
    """Return how far each person moves a disparity that is averaged over strata.

    Returns
    -------
    list
        For each stratum, outcome and group the people, or under sampling weights the sum of their
        squared weights, and the influence of one of them: the disparity's derivative by their
        share of all people (Hampel 1974). In strata that take no part it is 0.
    """
    predicted = Needs.PREDICTED in metric.needs
    taking_part = table.strata_by_part(predicted=predicted).taking_part
    everyone = fsum(float(sum(g.n for g in s.sides)) for s in taking_part)
    disparity = float(metric(table).extended or 0)
    found = []
    for stratum in table.strata:
        (a_no, a_yes), (d_no, d_yes) = (g.outcomes(predicted=predicted) for g in stratum.sides)
        sides = ((float(a_no), float(d_no)), (float(a_yes), float(d_yes)))
        squares = zip(
            *(g.squared.outcomes(predicted=predicted) for g in stratum.sides), strict=True
        )
        if not stratum.has_both_outcomes(predicted=predicted):
            found += [(float(n), 0.0) for side in squares for n in side]
            continue
        people = fsum(n for side in sides for n in side)
        gap = sides[0][1] / sum(sides[0]) - sides[1][1] / sum(sides[1])
        for sign, (a, d), of in zip((1, -1), sides, squares, strict=True):
            slope, share = sign * people / (a + d), d / (a + d)
            moved = [slope * (is_d - share) + gap - disparity for is_d in (0, 1)]
            found += [(float(n), x / everyone) for n, x in zip(of, moved, strict=True)]
    return found


def _excludes_0(limits: IntervalEstimate) -> bool:
    return not limits.low <= 0 <= limits.high


def stratified(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the average of d's share of rejections less that of acceptances.

    As the metric does, it takes the strata in which both outcomes occur. In [-1, 1]; for one
    stratum they are Newcombe's.
    The strata's shares of the people are those of the sample: had it been another one, the
    disparities of the strata would have weighed otherwise. That adds the variance of the
    disparities between people, divided by their number.
    """
    predicted = Needs.PREDICTED in metric.needs
    strata = table.strata_by_part(predicted=predicted).taking_part
    sizes = [float(sum(g.n for g in stratum.sides)) for stratum in strata]
    weights = [size / fsum(sizes) for size in sizes]
    rejections, acceptances = (
        [
            _StratumShare(weight, *_share_of_outcome(stratum, predicted=predicted, favorable=yes))
            for weight, stratum in zip(weights, strata, strict=True)
        ]
        for yes in (False, True)
    )
    joined = difference_interval(_average(rejections, z), _average(acceptances, z))
    gaps = [no.estimate - yes.estimate for no, yes in zip(rejections, acceptances, strict=True)]
    error = z * sqrt(_variance_of_shares(strata, weights, gaps))
    below, above = (sqrt(side * side + error * error) for side in (joined.below, joined.above))
    return within(
        IntervalEstimate(joined.estimate - below, joined.estimate, joined.estimate + above)
    )


def _share_of_outcome(stratum: Stratum, *, predicted: bool, favorable: bool) -> EffectiveShare:
    """Return the share of d in the people of a stratum who have an outcome."""
    a, d = (
        WeightedTotal.of(group, lambda g: g.outcomes(predicted=predicted)[favorable])
        for group in stratum.sides
    )
    return share_of(d, a)


def _variance_of_shares(
    strata: Sequence[Stratum], weights: Sequence[float], gaps: Sequence[float]
) -> float:
    """Return what the strata's shares of the people add to the variance of an average of gaps."""
    mean = fsum(w * gap for w, gap in zip(weights, gaps, strict=True))
    apart = [gap - mean for gap in gaps]
    sides = [[WeightedTotal.of(g, lambda g: g.n) for g in stratum.sides] for stratum in strata]
    totals = (WeightedTotal(a.people + d.people, a.squares + d.squares) for a, d in sides)
    people = n_eff(list(zip(totals, apart, strict=True)))
    return fsum(w * gap * gap for w, gap in zip(weights, apart, strict=True)) / people


def _average(shares: Sequence[_StratumShare], z: float) -> IntervalEstimate:
    """Return Wilson's limits of a weighted average, at the n_eff that its variance stands for.

    A share that few people stand behind says little of its own variance, 0 or 1 of one person
    nothing at all. So for the variance each is drawn towards the average by the weight of z^2
    people, as Wilson's limits are drawn towards one half.
    An average of 0 or 1, be it by rounding, has no such variance: only the people count.
    """
    estimate = min(1.0, fsum(s.weight * s.estimate for s in shares))
    is_mixed = fsum(s.disfavored for s in shares) and fsum(s.n_eff - s.disfavored for s in shares)
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
