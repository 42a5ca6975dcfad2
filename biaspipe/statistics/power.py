"""The smallest gap that a check would have seen: the minimum detectable effect of its interval.

A gap is seen where the interval excludes parity. Both groups are taken to have the rate that they
have together, and that of the disfavored group is moved until four samples in five show it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import fsum, isfinite, sqrt
from typing import Any, NamedTuple

from biaspipe.counts import EffectiveShare, Flips, Group, Table, WeightedTotal, share_of
from biaspipe.metrics import Metric, Rate
from biaspipe.statistics.effective_size import (
    categories,
    category_share,
    effective_share,
    pooled_rate,
)
from biaspipe.statistics.joint_intervals import quantile_of_each
from biaspipe.statistics.propimp import DIVERGENCES
from biaspipe.statistics.proportions import normal_quantile, wilson

__all__ = [
    "POWER",
    "Z_OF_POWER",
    "Gap",
    "Moved",
    "detectable",
    "gap_words",
    "smallest_gap",
]

POWER = 0.8
"""How often a gap of the size that is told is seen."""
Z_OF_POWER = normal_quantile(POWER)
SEEN = "a report says which gap would be told from chance four times in five"
MOST_STEPS = 20
CLOSE = 1e-5
DIGITS = 4


class Gap(NamedTuple):
    """The values nearest to parity that a check tells from it, four times in five.

    Parameters
    ----------
    low, high : the one below parity and the one above it; None where no value there is seen.
    approximate : whether it is read off the width of the interval found, not worked out at parity.
    """

    low: float | None
    high: float | None
    approximate: bool = False


class Moved(NamedTuple):
    """A rate that both groups have at parity, and those nearest to it that would be seen in d.

    Parameters
    ----------
    rate : of both groups.
    low, high : of the disfavored group, below and above; None where even 0 or 1 is not seen.
    """

    rate: float
    low: float | None
    high: float | None


@lru_cache(maxsize=4096)
def detectable(rate: float, favored: float, disfavored: float, z: float) -> Moved:
    """Return the rates of d nearest to a common one that Newcombe's interval would tell from it.

    The likeliest pair of samples that misses the gap lies Z_OF_POWER standard errors from the
    true rates, shared out by the variances; there the interval just reaches parity.

    Parameters
    ----------
    rate : the rate at parity.
    favored, disfavored : the people, or effective people, of both denominators.
    z : the critical value of the interval.

    References
    ----------
    A. M. Hasofer and N. C. Lind, Exact and invariant second-moment code format, Journal of the
    Engineering Mechanics Division 100 (1974) 111-121, for the likeliest point of failure.

    Examples
    --------
    >>> found = detectable(0.5, 200, 200, 1.959963984540)
    >>> round(found.low, 4), round(found.high, 4)
    (0.3618, 0.6382)
    """
    people = favored, disfavored
    low, high = (_moved(rate, people, z, sign) for sign in (-1, 1))
    return Moved(rate, low, high)


def _moved(rate: float, people: tuple[float, float], z: float, sign: int) -> float | None:
    """Move a rate of d until the gap is seen; None where it would leave [0, 1].

    A fixed point, sought by Steffensen's steps: two plain ones, and where their line leads.
    """
    a, d = people
    gap = (z + Z_OF_POWER) * sqrt(rate * (1 - rate) * (1 / a + 1 / d))
    for _ in range(MOST_STEPS):
        first = _next(rate, sign * gap, people, z)
        second = _next(rate, sign * first, people, z)
        bend = second - 2 * first + gap
        before, gap = gap, second
        if abs(second - first) <= CLOSE * second:
            break
        led = before - (first - before) ** 2 / bend if bend else second
        gap = led if second / 2 < led < 2 * second else second
    moved = rate + sign * gap
    return moved if 0 <= moved <= 1 else None


def _next(rate: float, gap: float, people: tuple[float, float], z: float) -> float:
    """Return the gap that would be seen if the variances were those of a gap with its sign."""
    moved = _unit(rate + gap)
    constant, variance = rate * (1 - rate) / people[0], moved * (1 - moved) / people[1]
    error = sqrt(constant + variance)
    shift = (Z_OF_POWER if gap >= 0 else -Z_OF_POWER) / error if error else 0.0
    near, far = _unit(rate + shift * constant), _unit(moved - shift * variance)
    far = max(near, far) if gap >= 0 else min(near, far)
    return _reach(near, far, people, z) + Z_OF_POWER * error


def _reach(rate: float, moved: float, people: tuple[float, float], z: float) -> float:
    """Return how far Newcombe's interval reaches from the difference of two rates towards 0."""
    a, d = people
    one, other = wilson(moved * d, d, z), wilson(rate * a, a, z)
    sides = (one.below, other.above) if moved >= rate else (one.above, other.below)
    return sqrt(sides[0] * sides[0] + sides[1] * sides[1])


def _unit(share: float) -> float:
    return min(1.0, max(0.0, share))


def smallest_gap(
    evidence: Table | Group | Flips,
    metric: Metric,
    value: float,
    ends: tuple[float, float],
    z: float,
    **parameters: Any,
) -> Gap | None:
    """Return the values nearest to parity that a check would tell from it, four times in five.

    Parameters
    ----------
    evidence : what the metric is computed from.
    metric : the metric.
    value : what it came to.
    ends : of the interval that decides.
    z : the critical value of that interval.
    parameters : those that the value was computed with.

    Returns
    -------
    Gap or None
        None where parity means nothing, where categories are many, and where the interval has
        no end. Without either value no gap that is possible would be seen.
    """
    if isinstance(evidence, Group) or not isfinite(value):
        return None
    exact = _exact(metric) if isinstance(evidence, Table) else None
    found = exact(evidence, metric, z, **parameters) if exact else None
    if exact is None:
        found = _by_width(metric, value, ends, z)
    if found is None:
        return None
    low, high = (_told(end, metric.range_of(**parameters)) for end in found[:2])
    return None if found.approximate and low is high is None else found._replace(low=low, high=high)


def gap_words(metric: Metric) -> str:
    """Say how the smallest gap of a metric is found, or why it has none.

    >>> from biaspipe.metrics import find
    >>> gap_words(find("GE"))
    'no smallest gap: it compares no groups, so that chance alone has no value for it'
    """
    if not metric.has_facet:
        return "no smallest gap: it compares no groups, so that chance alone has no value for it"
    if not _exact(metric):
        return f"{SEEN}; read off the width of the interval found, so only about"
    if metric.distance:
        return f"{SEEN}; worked out at parity, for labels of two categories"
    return f"{SEEN}; worked out at parity, for as many people of both groups"


def _exact(metric: Metric) -> Callable[..., Gap | None] | None:
    """Return what works out the gap at parity; None where it is read off the width."""
    if metric.rate is not None and metric.rate.is_share:
        return _of_rate
    if metric.distance is not None:
        return _of_distance
    return _JOINT.get(metric.interval)


def _told(end: float | None, bounds: tuple[float, float]) -> float | None:
    """Round what is told of a gap, and tell none that no value can have."""
    if end is None or not (isfinite(end) and bounds[0] <= end <= bounds[1]):
        return None
    return float(f"{end:.{DIGITS}g}")


def _of_rate(table: Table, metric: Metric, z: float) -> Gap | None:
    """Return the gap of a difference or of a ratio of shares, which exclude parity together."""
    found = _moved_rate(table, metric.rate, z) if metric.rate else None
    if found is None or (metric.compares == "d / a" and not found.rate):
        return None
    if metric.compares == "d / a":
        low, high = (None if end is None else end / found.rate for end in found[1:])
        return Gap(low, high)
    low, high = (None if end is None else end - found.rate for end in found[1:])
    return Gap(low, high) if metric.compares == "d - a" else Gap(_negated(high), _negated(low))


def _negated(end: float | None) -> float | None:
    return None if end is None else -end


def _moved_rate(table: Table, rate: Rate, z: float) -> Moved | None:
    """Return the gap of a share; None where somebody's denominator is empty."""
    groups = table.favored, table.disfavored
    if not all(rate.whole(g) for g in groups):
        return None
    return _moved_shares((effective_share(rate, g) for g in groups), z)


def _moved_shares(sides: Iterable[EffectiveShare], z: float) -> Moved:
    a, d = sides
    return detectable(pooled_rate(a, d), a.whole, d.whole, z)


def _of_distance(table: Table, metric: Metric, z: float, **parameters: Any) -> Gap | None:
    """Return the gap of a distance of two categories, whichever way the shares differ."""
    names = categories(table)
    groups = table.favored, table.disfavored
    if len(names) != 2 or not all(g.n for g in groups):
        return None
    found = _moved_shares((category_share(g, names[0]) for g in groups), z)
    divergence = DIVERGENCES.get(str(metric.distance))
    size = metric.range_of(**parameters)[1]
    away = [
        divergence(found.rate, end) if divergence else size * abs(end - found.rate)
        for end in (found.low, found.high)
        if end is not None
    ]
    return Gap(None, max(away, default=None))


def _of_greatest(table: Table, metric: Metric, z: float) -> Gap | None:
    """Return the gap of the larger of two gaps: in whichever of the rates and directions it is."""
    sizes = _sizes(table, metric, z)
    return _sized(metric, max(sizes)) if sizes else Gap(None, None)


def _of_average(table: Table, metric: Metric, z: float) -> Gap | None:
    """Return the gap of the average of two gaps, however it is shared out between them."""
    sizes = _sizes(table, metric, z)
    size = sqrt(fsum(s * s for s in sizes)) / 2
    return _sized(metric, size, guess=True) if sizes else Gap(None, None)


def _sizes(table: Table, metric: Metric, z: float) -> list[float]:
    """Return how large a gap in each of two rates has to be; nothing where one is not seen."""
    sizes = []
    for rate in metric.rates:
        found = _moved_rate(table, rate, quantile_of_each(z))
        ends = [end for end in found[1:] if end is not None] if found else []
        if found is None or not ends:
            return []
        sizes.append(max(_size(metric, found.rate, end) for end in ends))
    return sizes


def _size(metric: Metric, rate: float, moved: float) -> float:
    """Return how far a rate was moved: by how much, or for ratios which part of the greater."""
    far = abs(moved - rate)
    return far / max(rate, moved) if metric.is_ratio else far


def _sized(metric: Metric, size: float, *, guess: bool = False) -> Gap:
    return Gap(1 - size, None, guess) if metric.is_ratio else Gap(None, size, guess)


def _of_imbalance(table: Table, _metric: Metric, z: float) -> Gap | None:
    """Return the gap of 2p - 1, p being a's share of both groups: how far from a half p is."""
    a, d = (WeightedTotal.of(g, lambda g: g.n) for g in (table.favored, table.disfavored))
    people = share_of(a, d).whole
    seen, per = z / 2 / sqrt(people), Z_OF_POWER * Z_OF_POWER / people
    # The size s of p - 1/2 with s - seen = Z_OF_POWER * sqrt((1/4 - s * s) / people).
    root = sqrt(max(0.0, per * (1 + per) / 4 - per * seen * seen))
    size = 2 * (seen + root) / (1 + per)
    return Gap(-size, size)


def _by_width(metric: Metric, value: float, ends: tuple[float, float], z: float) -> Gap:
    """Read the gap off the width of the interval found, as if it were as wide at parity."""
    longer = (z + Z_OF_POWER) / z
    low, high = (
        metric.ideal - (ends[1] - value) * longer,
        metric.ideal + (value - ends[0]) * longer,
    )
    return Gap(low, high, approximate=True)


_JOINT = {
    "wilson": _of_imbalance,
    "joint-greatest": _of_greatest,
    "joint-average": _of_average,
}
"""What works out the gap at parity, by the method of the interval."""
