"""How many people a limit needs, so that groups which are alike keep it.

Under interval decisions the whole interval has to lie within the limits, two one-sided tests of
which both have to succeed; where values decide, the value alone has to. D. J. Schuirmann, A
comparison of the two one-sided tests procedure and the power approach for assessing the
equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987)
657-680.
"""

from collections.abc import Callable
from math import inf, isfinite, log, prod, sqrt
from typing import NamedTuple

from biaspipe.counts import Table
from biaspipe.metrics import Metric, Rate
from biaspipe.statistics.effective_size import (
    categories,
    category_share,
    effective_share,
    pooled_rate,
)
from biaspipe.statistics.sample_size import chance_within, people_seen

__all__ = ["LimitPower", "Standard", "limit_power"]

MOST = 1e12
CLOSE = 1e-6
CURVATURES = {"kullback-leibler": 2.0, "jensen-shannon": 8.0}
"""Of a divergence of two shares near p: how many times p (1 - p) times it the squared gap is."""
AVERAGES = {"mover-average": 1, "joint-average": 2}
"""How many limits an average of two gaps has to keep: without its sign, their difference too."""
Ends = tuple[float, float]


class LimitPower(NamedTuple):
    """What a limit asks of the people, the groups being alike.

    Parameters
    ----------
    chance : how often the people there are keep it.
    each : how many people it takes in each of two groups of one size; None where that is not known.
    proportion : how many times as many people of both groups it takes.
    """

    chance: float
    each: float | None
    proportion: float


class Standard(NamedTuple):
    """What keeping a limit takes: the critical value of the interval, and how often it has to."""

    z: float
    power: float


class _Part(NamedTuple):
    """A comparison that has to keep limits: its variance by group, and how far each limit is."""

    variances: Ends
    """Of one person of each group."""
    distances: Ends


def limit_power(
    table: Table, metric: Metric, kept: Ends, standard: Standard, size: float = 1.0
) -> LimitPower | None:
    """Return what a limit asks of two groups that are alike.

    Both are taken to have the rates that they have together, and normal approximations hold.

    Parameters
    ----------
    table : the people there are.
    metric : the metric.
    kept : the least and the greatest value that keep the limit, with parity between them.
    standard : how surely groups that are alike are to keep it; z is 0 where the value decides.
    size : the greatest value of a distance of two categories.

    Returns
    -------
    None where the metric is none of rates or of two categories, or nobody tells a rate.

    Examples
    --------
    >>> from biaspipe.counts import Group
    >>> from biaspipe.metrics import find
    >>> half = Group({(None, True): 100, (None, False): 100})
    >>> standard = Standard(1.95996398454, 0.8)
    >>> found = limit_power(Table(half, half), find("DI"), (0.8, 1.25), standard)
    >>> round(found.each), round(found.chance, 2)
    (422, 0.21)
    """
    a, d = people_seen(table.favored), people_seen(table.disfavored)
    parts = _parts(table, metric, kept, size) if a and d else []
    if not parts:
        return None

    def chance(favored: float, disfavored: float) -> float:
        return prod(_chance(part, (favored, disfavored), standard.z) for part in parts)

    each = _least(lambda people: chance(people, people), standard.power)
    times = _least(lambda times: chance(times * a, times * d), standard.power)
    return LimitPower(chance(a, d), each, times)


def _chance(part: _Part, people: Ends, z: float) -> float:
    """Return how often a comparison of so many people keeps its limits."""
    error = sqrt(part.variances[0] / people[0] + part.variances[1] / people[1])
    low, high = (distance / error if error else inf for distance in part.distances)
    return chance_within((low, high), 1.0, z)


def _least(chance: Callable[[float], float], power: float) -> float:
    """Return the least number at which a chance is large enough; infinite beyond `MOST`."""
    low, high = 1 / MOST, MOST
    if chance(high) < power:
        return inf
    while high > low * (1 + CLOSE):
        middle = sqrt(low * high)
        low, high = (low, middle) if chance(middle) >= power else (middle, high)
    return high


def _parts(table: Table, metric: Metric, kept: Ends, size: float) -> list[_Part]:
    """Return the comparisons that have to keep limits; none where a rate is of nobody."""
    if metric.distance is not None:
        return _of_distance(table, metric, kept[1], size)
    rates = metric.rates or ((metric.rate,) if metric.rate and metric.rate.is_share else ())
    if metric.rates and not metric.range[0] < metric.ideal < metric.range[1]:
        limit = kept[0] if metric.is_ratio else kept[1]
        kept = (limit, 1 / limit if limit else inf) if metric.is_ratio else (-limit, limit)
    distances = _distances(metric, kept)
    variances = [_variances(table, rate, ratio=metric.is_ratio) for rate in rates]
    found = [v for v in variances if v is not None]
    if len(found) < len(rates):
        return []
    if metric.interval in AVERAGES:
        a, d = (sum(sides) / 4 for sides in zip(*found, strict=True))
        return [_Part((a, d), distances)] * AVERAGES[metric.interval]
    return [_Part(v, distances) for v in found]


def _distances(metric: Metric, kept: Ends) -> Ends:
    """Return how far the limits are from parity: of ratios by their logarithms."""
    if metric.is_ratio:
        return (-log(kept[0]) if kept[0] > 0 else inf, log(kept[1]) if isfinite(kept[1]) else inf)
    return metric.ideal - kept[0], kept[1] - metric.ideal


def _variances(table: Table, rate: Rate, *, ratio: bool) -> Ends | None:
    """Return the variance of a rate, or of its logarithm, by one person of each group."""
    groups = table.favored, table.disfavored
    if not all(rate.whole(g) for g in groups):
        return None
    a, d = (effective_share(rate, g) for g in groups)
    p = pooled_rate(a, d)
    if ratio and not p:
        return None
    variance = (1 - p) / p if ratio else p * (1 - p)
    return (
        variance * people_seen(groups[0]) / a.whole,
        variance * people_seen(groups[1]) / d.whole,
    )


def _of_distance(table: Table, metric: Metric, limit: float, size: float) -> list[_Part]:
    """Return the difference of two categories that has to stay within what a distance may be."""
    names, groups = categories(table), (table.favored, table.disfavored)
    if len(names) != 2 or not all(g.labels for g in groups):
        return []
    a, d = (category_share(g, names[0]) for g in groups)
    p = pooled_rate(a, d)
    each = [
        p * (1 - p) * people_seen(g) / share.whole for g, share in zip(groups, (a, d), strict=True)
    ]
    curvature = CURVATURES.get(str(metric.distance))
    gap = sqrt(curvature * p * (1 - p) * limit) if curvature else limit / size
    return [_Part((each[0], each[1]), (gap, gap))]
