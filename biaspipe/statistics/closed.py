"""The intervals that have a closed form, on the evidence of a metric."""

from math import sqrt

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric, Rate
from biaspipe.statistics.people import categories, effective, pooled, scale
from biaspipe.statistics.propagation import (
    entropy,
    jensen_shannon,
    kullback_leibler,
    propagated,
    round_trip,
)
from biaspipe.statistics.proportions import (
    Limits,
    difference,
    newcombe,
    odds,
    paired,
    paired_ratio,
    quantile,
    ratio,
    wilson,
)
from biaspipe.statistics.strata import average_disparity

__all__ = [
    "average",
    "conditional",
    "drawn_flips",
    "error_odds",
    "flip_share",
    "folded",
    "imbalance",
    "label_distance",
    "may_be_equal",
    "model_bias",
    "propagated_imprecision",
    "share",
    "share_difference",
    "share_ratio",
]


def share(rate: Rate, group: Group, z: float) -> Limits:
    """Return the limits of a share of a group; in [0, 1]."""
    return wilson(effective(group, rate.part(group)), effective(group, rate.whole(group)), z)


def share_difference(table: Table, metric: Metric, z: float) -> Limits:
    """Return the limits of the difference of a share between two groups; in [-1, 1]."""
    a, d = _shares(table, metric, z)
    return _within(difference(a, d) if metric.compares == "a - d" else difference(d, a))


def _within(limits: Limits) -> Limits:
    """Keep in [-1, 1] what rounding may have moved out of it."""
    return Limits(max(-1.0, limits.low), limits.value, min(1.0, limits.high))


def share_ratio(table: Table, metric: Metric, z: float) -> Limits:
    """Return the limits of the ratio of a share between two groups, d to a; in [0, inf]."""
    a, d = _shares(table, metric, z)
    return ratio(d, a)


def _shares(table: Table, metric: Metric, z: float) -> tuple[Limits, Limits]:
    if metric.rate is None:
        raise LookupError(f"{metric.id} compares no share of people")
    return share(metric.rate, table.favored, z), share(metric.rate, table.disfavored, z)


def imbalance(table: Table, _metric: Metric, z: float) -> Limits:
    """Return the limits of 2p - 1, p being the favored group's share of both; in [-1, 1]."""
    a, d = table.favored, table.disfavored
    people = pooled(float(a.n), float(d.n), scale(a), scale(d))
    low, value, high = wilson(float(a.n / (a.n + d.n)) * people, people, z)
    return _within(Limits(2 * low - 1, 2 * value - 1, 2 * high - 1))


def error_odds(table: Table, metric: Metric, z: float) -> Limits:
    """Return the limits of a difference of FN/FP between two groups; unbounded."""
    a, d = (
        odds(effective(g, g.FN), effective(g, g.FP), z) for g in (table.favored, table.disfavored)
    )
    return difference(d, a) if metric.id == "TE" else difference(a, d)


def conditional(table: Table, metric: Metric, z: float) -> Limits:
    """Return the limits of DCAcc or DCR, differences of labels for each prediction; unbounded."""
    a, d = (_labels_per_prediction(g, z, metric.id) for g in (table.favored, table.disfavored))
    return difference(a, d) if metric.id == "DCAcc" else difference(d, a)


def _labels_per_prediction(group: Group, z: float, metric: str) -> Limits:
    both, observed, predicted = (
        (group.TP, group.FN, group.FP) if metric == "DCAcc" else (group.TN, group.FP, group.FN)
    )
    return paired_ratio(
        effective(group, both), effective(group, observed), effective(group, predicted), z
    )


def average(table: Table, metric: Metric, z: float) -> Limits:
    """Return the limits of CDDL or CDDPL; in [-1, 1]."""
    if metric.id == "CDDL":
        limits = average_disparity(table, lambda g: g.negatives, lambda g: g.positives, z)
    else:
        limits = average_disparity(
            table, lambda g: g.predicted_negatives, lambda g: g.predicted_positives, z
        )
    return _within(limits)


def label_distance(table: Table, metric: Metric, z: float, p: float = 2.0) -> Limits:
    """Return the limits of LP, TVD or KS of two categories, all multiples of one difference."""
    return folded(_gaps(table, z)[0], 2 ** (1 / p) if metric.id == "LP" else 1.0)


def folded(limits: Limits, factor: float = 1.0) -> Limits:
    """Return the limits of a multiple of the difference without its sign.

    >>> folded(Limits(-0.25, 0.125, 0.5)), folded(Limits(-0.5, -0.375, -0.25), 2)
    (Limits(low=0.0, value=0.125, high=0.5), Limits(low=0.5, value=0.75, high=1.0))
    """
    near, far = sorted((abs(limits.low), abs(limits.high)))
    if limits.low <= 0 <= limits.high:
        near = 0.0
    return Limits(factor * near, factor * abs(limits.value), factor * far)


def propagated_imprecision(
    proof: Table | Group, metric: Metric, z: float, alpha: float = 2.0
) -> Limits:
    """Return the limits of KL or JS of two categories, or of GE; not negative."""
    if isinstance(proof, Group):
        return _inequality(proof, z, alpha)
    (one, other), people = _counts(proof)[0], _people(proof)
    pairs = round_trip((one, people[0]), (other, people[1]), z)
    function = kullback_leibler if metric.id == "KL" else jensen_shannon
    low, high = propagated(function, pairs)
    gap = _gaps(proof, z)[0]
    value = function(one / people[0], other / people[1])
    return Limits(0.0 if gap.low <= 0 <= gap.high else low, value, min(high, metric.range[1]))


def _inequality(group: Group, z: float, alpha: float) -> Limits:
    n, wrong, rejected = (effective(group, n) for n in (group.n, group.FN + group.FP, group.FN))
    pairs = round_trip((wrong, n), (rejected, wrong), z)
    if alpha <= 0:
        # Undefined where anybody has no benefit: of populations in which everybody has one.
        pairs = [(errors, 0.0) for errors, _ in pairs]
    low, high = propagated(lambda errors, share: entropy(errors, share, alpha), pairs)
    return Limits(low, entropy(wrong / n, rejected / wrong if wrong else 0.0, alpha), high)


def may_be_equal(table: Table, confidence: float) -> bool:
    """Whether equal distributions of the label are not excluded, by any of its categories."""
    number = len(categories(table))
    if number > 2:
        confidence = 1 - (1 - confidence) / number
    return all(gap.low <= 0 <= gap.high for gap in _gaps(table, quantile(confidence)))


def _gaps(table: Table, z: float) -> list[Limits]:
    """Return the limits of each category's difference; two categories have the same, negated."""
    counts, people = _counts(table), _people(table)
    tried = counts[:1] if len(counts) == 2 else counts
    return [_within(newcombe(one, people[0], other, people[1], z)) for one, other in tried]


def _counts(table: Table) -> list[tuple[float, float]]:
    """Return the people of both groups in each category of the label."""
    a, d = table.favored, table.disfavored
    return [
        (effective(a, a.labels.get(name, 0)), effective(d, d.labels.get(name, 0)))
        for name in categories(table)
    ]


def _people(table: Table) -> tuple[float, float]:
    a, d = table.favored, table.disfavored
    return effective(a, a.n), effective(d, d.n)


def flip_share(flips: Flips, _metric: Metric, z: float, **_: object) -> Limits:
    """Return the limits of the flips to the favorable less those away from it; in [-1, 1]."""
    still = flips.n_d - flips.F_plus - flips.F_minus
    return _within(paired(0, flips.F_plus, flips.F_minus, still, z))


def drawn_flips(flips: Flips, _metric: Metric, z: float, **_: object) -> Limits:
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
        wilson(n, m, z) if m else Limits(0.0, 0.0, 1.0)
        for n, (_, m) in zip((flips.F_plus, flips.F_minus), strata, strict=True)
    )
    rest = favorable / flips.n_d
    slopes = [to.high + away.value if not unfavorable else to.value + away.value]
    slopes += [to.value + away.high if not favorable else to.value + away.value]
    value = weight.value * to.value - rest * away.value
    below = (weight.value * to.below, rest * away.above, slopes[1] * weight.below)
    above = (weight.value * to.above, rest * away.below, slopes[0] * weight.above)
    low, high = (sqrt(sum(part * part for part in parts)) for parts in (below, above))
    return _within(Limits(value - low, value, value + high))


def model_bias(table: Table, z: float) -> Limits | None:
    """Return the limits of DPPL - DPL, or None where someone lacks a label or a prediction."""
    groups = (table.favored, table.disfavored)
    if not all(g.n and g.n == g.TP + g.FP + g.FN + g.TN for g in groups):
        return None
    a, d = (_excess_of_predictions(group, z) for group in groups)
    return difference(a, d)


def _excess_of_predictions(group: Group, z: float) -> Limits:
    """Return the limits of the share predicted favorable less that observed so."""
    both, predicted, observed, neither = (
        effective(group, n) for n in (group.TP, group.FP, group.FN, group.TN)
    )
    return paired(both, predicted, observed, neither, z)
