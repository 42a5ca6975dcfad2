"""The intervals that have a closed form, on the evidence of a metric.

Each takes the evidence, the metric, and the normal quantile z of the confidence.
"""

from collections.abc import Callable
from math import sqrt

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric, Rate
from biaspipe.statistics.effective_size import categories, efficiency, n_eff, pooled_n_eff
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
    return wilson(n_eff(group, rate.part(group)), n_eff(group, rate.whole(group)), z)


def jeffreys_share(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return Jeffreys' limits of the same, which hold it at larger quantiles too."""
    return jeffreys(n_eff(group, rate.part(group)), n_eff(group, rate.whole(group)), z)


def _odds(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return the limits of a ratio of two parts of a group that exclude each other."""
    return odds(n_eff(group, rate.part(group)), n_eff(group, rate.whole(group)), z)


def _paired_ratio(rate: Rate, group: Group, z: float) -> IntervalEstimate:
    """Return the limits of a ratio of two parts of a group that overlap."""
    both = rate.both(group) if rate.both else 0
    one, other = rate.part(group) - both, rate.whole(group) - both
    return paired_ratio(n_eff(group, both), n_eff(group, one), n_eff(group, other), z)


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
    a, d = table.favored, table.disfavored
    people = pooled_n_eff(float(a.n), float(d.n), efficiency(a), efficiency(d))
    low, estimate, high = wilson(float(a.n / (a.n + d.n)) * people, people, z)
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
    people = _people(evidence)
    one, other = min(_counts(evidence), key=lambda counts: counts[1])
    divergence = DIVERGENCES[str(metric.distance)]
    low, high = extremes(divergence, boundary((one, people[0]), (other, people[1]), z))
    gap = _difference(evidence, z)
    estimate = divergence(one / people[0], other / people[1])
    least = 0.0 if gap.low <= 0 <= gap.high else low
    return IntervalEstimate(least, estimate, min(high, metric.range[1]))


def _entropy(group: Group, z: float, alpha: float) -> IntervalEstimate:
    n, wrong, rejected = (n_eff(group, n) for n in (group.n, group.FN + group.FP, group.FN))
    pairs = boundary((wrong, n), (rejected, wrong), z)
    if alpha <= 0:
        # Undefined where anybody has no benefit: of populations in which everybody has one.
        pairs = [(errors, 0.0) for errors, _ in pairs]
    low, high = extremes(lambda errors, share: entropy(errors, share, alpha), pairs)
    return IntervalEstimate(
        low, entropy(wrong / n, rejected / wrong if wrong else 0.0, alpha), high
    )


def _difference(table: Table, z: float) -> IntervalEstimate:
    """Return the limits of the difference of one category's shares; the other has it negated."""
    (one, other), people = _counts(table)[0], _people(table)
    return within(newcombe(one, people[0], other, people[1], z))


def _counts(table: Table) -> list[tuple[float, float]]:
    """Return the people of both groups in each category of the label."""
    a, d = table.favored, table.disfavored
    return [
        (n_eff(a, a.labels.get(name, 0)), n_eff(d, d.labels.get(name, 0)))
        for name in categories(table)
    ]


def _people(table: Table) -> tuple[float, float]:
    a, d = table.favored, table.disfavored
    return n_eff(a, a.n), n_eff(d, d.n)


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
    both, predicted, observed, neither = (
        n_eff(group, n) for n in (group.TP, group.FP, group.FN, group.TN)
    )
    return paired(both, predicted, observed, neither, z)
