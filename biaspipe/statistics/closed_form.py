"""The intervals that have a closed form, on the evidence of a metric.

Each takes the evidence, the metric, and the normal quantile z of the confidence.
"""

from collections.abc import Callable
from math import sqrt

from biaspipe.counts import EffectiveShare, Flips, Group, Table, WeightedTotal, share_of
from biaspipe.metrics import Metric, Rate
from biaspipe.metrics.rates import error_rate, error_ratio
from biaspipe.statistics.effective_size import (
    categories,
    category_share,
    effective_share,
    excess_people,
    overlap_people,
)
from biaspipe.statistics.propimp import DIVERGENCES, boundary, entropy, extremes
from biaspipe.statistics.proportions import (
    IntervalEstimate,
    difference_interval,
    jeffreys,
    newcombe,
    odds,
    paired,
    paired_ratio,
    ratio_interval,
    wilson,
)

__all__ = [
    "absolute",
    "compare_odds",
    "compare_paired_ratios",
    "compare_shares",
    "flip_share",
    "imbalance",
    "jeffreys_share",
    "label_distance",
    "model_bias",
    "propagated",
    "sampled_flips",
    "share",
    "within",
]

UNIT = (-1.0, 1.0)


def share(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return Wilson's limits of a share of a group, by effective numbers; in [0, 1].

    Parameters
    ----------
    rate : a rate that is a share of people.
    group : the group, with somebody in the rate's denominator.
    z : the normal quantile of the confidence.
    """
    return wilson(*effective_share(rate, group), z)


def jeffreys_share(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return Jeffreys' limits of the same, which hold it at larger quantiles too."""
    return jeffreys(*effective_share(rate, group), z)


def _odds(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return the limits of a ratio of two parts of a group that exclude each other."""
    one, other = _share_in_both(rate, group), _share_in_both(rate, group, reverse=True)
    return odds(one.part, other.part, z)


def _share_in_both(rate: Rate, group: Group, *, reverse: bool = False) -> EffectiveShare:
    """Return the share that one part of a group has in both that a ratio is of, or the other."""
    one, other = (WeightedTotal.of(group, people) for people in (rate.part, rate.whole))
    return share_of(other, one) if reverse else share_of(one, other)


def _paired_ratio(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return the limits of a ratio of two parts of a group that overlap."""
    return paired_ratio(*overlap_people(rate, group), z)


def _comparison(
    of: Callable[[Rate, Group, float], IntervalEstimate],
) -> Callable[..., IntervalEstimate]:
    """Compare a rate of both groups, whose limits are those of a function, as the metric does."""

    def compared(table: Table, metric: Metric, z: float) -> IntervalEstimate:
        if metric.rate is None:
            raise LookupError(f"{metric.id} compares no rate")
        a, d = of(metric.rate, table.favored, z), of(metric.rate, table.disfavored, z)
        if metric.compares == "d / a":
            return ratio_interval(d, a)
        limits = (
            difference_interval(a, d) if metric.compares == "a - d" else difference_interval(d, a)
        )
        return within(limits, metric.range)

    return compared


compare_shares = _comparison(share)
compare_odds = _comparison(_odds)
compare_paired_ratios = _comparison(_paired_ratio)


def within(limits: IntervalEstimate, bounds: tuple[float, float] = UNIT) -> IntervalEstimate:
    """Keep in the range of a metric what rounding may have moved out of it."""
    low, high = bounds
    return IntervalEstimate(max(low, limits.low), limits.estimate, min(high, limits.high))


def imbalance(table: Table, _metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of 2p - 1, p being the favored group's share of both; in [-1, 1]."""
    a, d = (WeightedTotal.of(g, lambda g: g.n) for g in (table.favored, table.disfavored))
    low, estimate, high = wilson(*share_of(a, d), z)
    return within(IntervalEstimate(2 * low - 1, 2 * estimate - 1, 2 * high - 1))


def label_distance(table: Table, metric: Metric, z: float, **parameters: float) -> IntervalEstimate:
    """Return the limits of a distance of two categories that is a multiple of their difference.

    The multiple is the greatest value that the metric can have, that of the difference being 1.
    """
    return absolute(_difference(table, z), metric.range_of(**parameters)[1])


def absolute(limits: IntervalEstimate, factor: float = 1.0) -> IntervalEstimate:
    """Return the limits of a multiple of the difference without its sign.

    >>> absolute(IntervalEstimate(-0.25, 0.125, 0.5))
    IntervalEstimate(low=0.0, estimate=0.125, high=0.5)
    >>> absolute(IntervalEstimate(-0.5, -0.375, -0.25), 2)
    IntervalEstimate(low=0.5, estimate=0.75, high=1.0)
    """
    near, far = sorted((abs(limits.low), abs(limits.high)))
    if limits.low <= 0 <= limits.high:
        near = 0.0
    return IntervalEstimate(factor * near, factor * abs(limits.estimate), factor * far)


def propagated(
    evidence: Table | Group, metric: Metric, z: float, alpha: float = 2.0
) -> IntervalEstimate:
    """Return the limits of a divergence of two categories, or of the entropy; not negative."""
    if isinstance(evidence, Group):
        return _entropy(evidence, z, alpha)
    # The category that is rarer in d: a share near 1 has lost the digits of what is left of it.
    shares = (_shares(evidence, name) for name in categories(evidence))
    a, d = min(shares, key=lambda pair: pair[1].part)
    divergence = DIVERGENCES[str(metric.distance)]
    low, high = extremes(divergence, boundary(a, d, z))
    gap = _difference(evidence, z)
    estimate = divergence(a.part / a.whole, d.part / d.whole)
    least = 0.0 if gap.low <= 0 <= gap.high else low
    return IntervalEstimate(least, estimate, min(high, metric.range[1]))


def _entropy(group: Group, z: float, alpha: float) -> IntervalEstimate:
    errors, rejections = effective_share(error_rate, group), _share_in_both(error_ratio, group)
    pairs = boundary(errors, rejections, z)
    if alpha <= 0:
        # Undefined where anybody has no benefit: of populations in which everybody has one.
        pairs = [(wrong, 0.0) for wrong, _ in pairs]
    low, high = extremes(lambda wrong, share: entropy(wrong, share, alpha), pairs)
    rejected = rejections.part / rejections.whole if rejections.whole else 0.0
    return IntervalEstimate(low, entropy(errors.part / errors.whole, rejected, alpha), high)


def _difference(table: Table, z: float) -> IntervalEstimate:
    """Return the limits of the difference of one category's shares; the other has it negated."""
    a, d = _shares(table, categories(table)[0])
    return within(newcombe(*a, *d, z))


def _shares(table: Table, category: str) -> tuple[EffectiveShare, EffectiveShare]:
    """Return the share of a category of the label in both groups."""
    return category_share(table.favored, category), category_share(table.disfavored, category)


def flip_share(flips: Flips, _metric: Metric, z: float, **_: object) -> IntervalEstimate:
    """Return the limits of the flips to the favorable less those away from it; in [-1, 1]."""
    still = flips.n_d - flips.F_plus - flips.F_minus
    return within(paired(0, flips.F_plus, flips.F_minus, still, z))


def sampled_flips(flips: Flips, _metric: Metric, z: float, **_: object) -> IntervalEstimate:
    """Return the limits of the same where members were drawn; in [-1, 1].

    The share of each stratum and the flips within it have Wilson's limits; how far these are from
    their estimates, times what the value changes with them, is joined by adding squares. Of a
    stratum without members every share of flips is possible.
    """
    if flips.drawn is None:
        return flip_share(flips, _metric, z)
    strata = (flips.drawn.unfavorable, flips.drawn.favorable)
    unfavorable, favorable = (people for people, _ in strata)
    weight = wilson(unfavorable, flips.n_d, z)
    to, away = (
        wilson(n, m, z) if m else IntervalEstimate(0.0, 0.0, 1.0)
        for n, (_, m) in zip((flips.F_plus, flips.F_minus), strata, strict=True)
    )
    rest = favorable / flips.n_d
    slopes = [to.high + away.estimate if not unfavorable else to.estimate + away.estimate]
    slopes += [to.estimate + away.high if not favorable else to.estimate + away.estimate]
    estimate = weight.estimate * to.estimate - rest * away.estimate
    below = (weight.estimate * to.below, rest * away.above, slopes[1] * weight.below)
    above = (weight.estimate * to.above, rest * away.below, slopes[0] * weight.above)
    low, high = (sqrt(sum(part * part for part in parts)) for parts in (below, above))
    return within(IntervalEstimate(estimate - low, estimate, estimate + high))


def model_bias(table: Table, z: float) -> IntervalEstimate | None:
    """Return the limits of DPPL - DPL, or None where someone lacks a label or a prediction."""
    groups = (table.favored, table.disfavored)
    if not all(g.n and g.n == g.TP + g.FP + g.FN + g.TN for g in groups):
        return None
    a, d = (_excess_of_predictions(group, z) for group in groups)
    return difference_interval(a, d)


def _excess_of_predictions(group: Group, z: float) -> IntervalEstimate:
    """Return the limits of the share predicted favorable less that observed so."""
    return paired(*excess_people(group), z)
