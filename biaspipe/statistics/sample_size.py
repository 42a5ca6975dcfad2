"""How many people it would take for an interval to lie on one side of its limits.

The people of a group are counted so many times over, as if more of the same came, and the
interval is made again by its own method.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isfinite, isinf, log
from statistics import NormalDist
from typing import Any, NamedTuple, TypeVar

from biaspipe.counts import Flips, Group, Headcount, Stratum, Table
from biaspipe.metrics import Metric
from biaspipe.statistics.power import POWER
from biaspipe.statistics.proportions import normal_quantile, quantile

__all__ = [
    "Factors",
    "Undecided",
    "chance_within",
    "decisive_factors",
    "multiple_for",
    "multiplied",
    "people_seen",
]

MOST_STEPS = 20
CLOSE = 1e-3
MOST = 1e9
"""How many times over people are counted at most."""
GRAIN = 2**20
NORMAL = NormalDist()
Key = TypeVar("Key")
Evidence = Table | Group | Flips
Ends = tuple[float, float]
IntervalOf = Callable[[Evidence], Ends | None]
"""Makes the ends of a value's interval from other evidence of the same value."""


class Undecided(NamedTuple):
    """A value whose interval reaches across its limits.

    Parameters
    ----------
    metric, value : the metric, and what it came to.
    kept : the least and the greatest value that keep the limits.
    z : the critical value of the interval that decides.
    """

    metric: Metric
    value: float
    kept: Ends
    z: float


class Factors(NamedTuple):
    """How many times as many people it takes, or None where no number of them would do.

    Parameters
    ----------
    both : of each group, both growing in proportion.
    smaller : of the smaller group alone; None where there is none.
    """

    both: float | None
    smaller: float | None = None


def decisive_factors(evidence: Evidence, check: Undecided, interval: IntervalOf) -> Factors:
    """Return how many times as many people an interval takes to lie on one side of its limits.

    So many that new people of the same rates decide it four times in five.

    Parameters
    ----------
    evidence : the people seen.
    check : what they leave undecided.
    interval : makes the ends of its interval from as many people as there would be.
    """

    def required(favored: float, disfavored: float) -> float:
        ends = interval(multiplied(evidence, favored, disfavored))
        return _shortfall(check, ends) if ends else 0.0

    both = _in_proportion(lambda factor: required(factor, factor))
    if both is None or not isinstance(evidence, Table):
        return Factors(both)
    if evidence.disfavored.n <= evidence.favored.n:
        return Factors(both, _alone(lambda factor: required(1.0, factor), both))
    return Factors(both, _alone(lambda factor: required(factor, 1.0), both))


def _shortfall(check: Undecided, ends: Ends) -> float:
    """Return by what an interval's variance is too large: below 1 where it is small enough."""
    metric, value, kept, z = check
    errors = [_apart(metric, value, end) / z for end in ends]
    if not all(isfinite(error) for error in errors):
        return MOST
    near = [_apart(metric, value, end) for end in kept]
    if kept[0] < value < kept[1]:
        return multiple_for((near[0], near[1]), (errors[0], errors[1]), z)
    distance, error = (near[0], errors[1]) if value < kept[0] else (near[1], errors[0])
    return multiple_for((distance, distance * MOST), (error, error), z)


def _apart(metric: Metric, one: float, other: float) -> float:
    """Return how far two values are apart: ratios by their logarithms."""
    if not _is_logarithmic(metric):
        return abs(one - other)
    if one == other:
        return 0.0
    return abs(log(one / other)) if 0 < one < MOST and 0 < other < MOST else float("inf")


def _is_logarithmic(metric: Metric) -> bool:
    return metric.is_ratio and isinf(metric.range[1])


def multiple_for(distances: Ends, errors: Ends, z: float, power: float = POWER) -> float:
    """Return how many times smaller variances let an interval keep both limits so often.

    Parameters
    ----------
    distances : from the value down to the lower limit, and up to the upper one.
    errors : the standard errors on either side.
    z : the critical value; 0 where the value alone decides.
    power : how often.

    >>> round(multiple_for((0.1, float("inf")), (0.1, 0.1), 1.96), 3)
    7.849
    """
    if not all(distances):
        return float("inf")
    wanted = z + normal_quantile(power)
    signals = [d / e if e else float("inf") for d, e in zip(distances, errors, strict=True)]
    low = (wanted / min(signals)) ** 2
    most = z + quantile(power)
    high = (most / min(signals)) ** 2
    if chance_within((signals[0], signals[1]), low, z) >= power:
        return low
    for _ in range(40):
        middle = (low + high) / 2
        if chance_within((signals[0], signals[1]), middle, z) < power:
            low = middle
        else:
            high = middle
    return high


def chance_within(signals: Ends, multiple: float, z: float) -> float:
    """Return how often an interval lies within both limits.

    Parameters
    ----------
    signals : how many standard errors each limit is away.
    multiple : how many times the people are counted.
    z : the critical value.
    """
    chances = [NORMAL.cdf(signal * multiple**0.5 - z) for signal in signals]
    return max(0.0, chances[0] + chances[1] - 1)


def _in_proportion(required: Callable[[float], float]) -> float | None:
    """Return the factor at which nothing is short: what is short falls as people grow."""
    factor = 1.0
    for _ in range(MOST_STEPS):
        short = required(factor)
        if abs(short - 1) <= CLOSE:
            return factor
        factor *= 16 if short >= MOST else short
        if factor > MOST:
            return None
    return None


def _alone(required: Callable[[float], float], enough: float) -> float | None:
    """Return the factor of one group at which nothing is short; None where none reaches it.

    What is short is nearly a straight line in 1 / factor, which a secant follows.
    """
    before, u = (1 / enough, required(enough)), 0.5 / enough
    for _ in range(MOST_STEPS):
        short = required(1 / u)
        if abs(short - 1) <= CLOSE:
            return 1 / u
        slope = (short - before[1]) / (u - before[0]) if u != before[0] else 0.0
        before, u = (u, short), u + (1 - short) / slope if slope > 0 else 0.0
        if u <= 1 / MOST:
            return None
    return None


def people_seen(group: Group) -> float:
    """Return the people of a group: under sampling weights the rows that stand for them."""
    return float(group.n) if group.effective is None else float(group.rows)


def multiplied(evidence: Evidence, favored: float, disfavored: float) -> Evidence:
    """Return evidence as if there were so many times as many people of each group.

    >>> table = Table(Group({(None, True): 4}, rows=4), Group({(None, True): 6}, rows=6))
    >>> found = multiplied(table, 1, 1.5)
    >>> int(found.favored.n), int(found.disfavored.n)
    (4, 9)
    """
    a, d = (Fraction(round(factor * GRAIN), GRAIN) for factor in (favored, disfavored))
    if isinstance(evidence, Flips):
        return _flips(evidence, d)
    if isinstance(evidence, Group):
        return _group(evidence, a)
    strata = tuple(
        Stratum(s.name, _group(s.favored, a), _group(s.disfavored, d)) for s in evidence.strata
    )
    return Table(_group(evidence.favored, a), _group(evidence.disfavored, d), strata)


def _group(group: Group, factor: Fraction) -> Group:
    return replace(
        group,
        cells=_times(group.cells, factor),
        labels=_times(group.labels, factor),
        effective=None if group.effective is None else group.effective * factor,
        squares=_times(group.squares, factor),
        label_squares=_times(group.label_squares, factor),
    )


def _times(people: Mapping[Key, Headcount], factor: Fraction) -> dict[Key, Headcount]:
    return {key: n * factor for key, n in people.items()}


def _flips(flips: Flips, factor: Fraction) -> Flips:
    """Count the flips of so many times as many members, and what these owe to shared neighbours.

    None of their fields is an int then.
    """
    counted: dict[str, Any] = {
        name: getattr(flips, name) * factor for name in ("F_plus", "F_minus", "n_d", "n_a")
    }
    if flips.shared is not None:
        counted["shared"] = flips.shared * factor
    if flips.drawn is not None:
        parts: dict[str, Any] = {
            name: tuple(n * factor for n in getattr(flips.drawn, name))
            for name in ("unfavorable", "favorable")
        }
        counted["drawn"] = replace(flips.drawn, **parts)
    return replace(flips, **counted)
