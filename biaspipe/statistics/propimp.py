"""Limits for functions of two independent shares: PropImp, Newcombe's propagating imprecision.

Each share may lie beyond its estimate by so many standard errors, both together by no more than
the interval's own: the ends are the least and the greatest value on the way round both.
"""

from collections.abc import Callable, Iterable
from functools import cache
from math import cos, expm1, inf, log, pi, sin

from biaspipe.statistics.proportions import wilson

__all__ = ["DIVERGENCES", "boundary", "entropy", "extremes"]

STEPS = 48
DIGITS = 10
Pair = tuple[float, float]


@cache
def _directions() -> list[Pair]:
    """Return the directions in which both shares are moved, all the way round."""
    turns = [2 * pi * step / STEPS for step in range(STEPS)]
    return [(round(cos(turn), 12), round(sin(turn), 12)) for turn in turns]


def boundary(one: Pair, other: Pair, z: float) -> list[Pair]:
    """Return the pairs of shares on the edge of what is not excluded, all the way round.

    Parameters
    ----------
    one, other : part and whole of each share; a share of nobody may be anything.
    z : the normal quantile.
    """
    turns = _directions()
    sizes = {abs(x) for x, _ in turns} | {abs(y) for _, y in turns}
    first, second = ({x: _moved(*share, z * x) for x in sizes} for share in (one, other))
    return [(first[abs(x)][x > 0], second[abs(y)][y > 0]) for x, y in turns]


def _moved(part: float, whole: float, z: float) -> Pair:
    """Return a share moved down and up."""
    if not whole:
        return 0.0, 1.0
    limits = wilson(part, whole, z)
    return limits.low, limits.high


def extremes(function: Callable[[float, float], float], pairs: Iterable[Pair]) -> Pair:
    """Return the least and the greatest value of a function, the same on every machine.

    >>> extremes(lambda p, q: p - q, boundary((5, 10), (5, 10), 1.96))
    (-0.4014101711, 0.4014101711)
    """
    values = [function(*pair) for pair in pairs]
    return _rounded(min(values)), _rounded(max(values))


def _rounded(value: float) -> float:
    """Cut what may differ in the last digits between two machines' logarithms."""
    return float(f"{value:.{DIGITS}g}")


def kullback_leibler(p: float, q: float) -> float:
    """Return the divergence of a share from another one, of two outcomes each; in nats.

    >>> kullback_leibler(0.5, 0.5), kullback_leibler(0.5, 0.0)
    (0.0, inf)
    """
    return max(0.0, _term(p, q) + _term(1 - p, 1 - q))


def _term(p: float, q: float) -> float:
    if p <= 0:
        return 0.0
    return p * log(p / q) if q > 0 else inf


def jensen_shannon(p: float, q: float) -> float:
    """Return the symmetric divergence of two shares, of two outcomes each; in nats."""
    middle = (p + q) / 2
    return (kullback_leibler(p, middle) + kullback_leibler(q, middle)) / 2


DIVERGENCES = {"kullback-leibler": kullback_leibler, "jensen-shannon": jensen_shannon}
"""By the name that a metric's record has for it, a divergence of labels of two categories."""


def entropy(errors: float, rejections: float, alpha: float) -> float:
    """Return the generalized entropy for a share of errors, and of false rejections in these.

    >>> round(entropy(0.2, 0.5, 2.0), 12)
    0.1
    """
    none, double = errors * rejections, errors * (1 - rejections)
    mean = 1 - none + double
    if mean <= 0 or (alpha <= 0 and none > 0):
        return inf
    shares = [(0.0, none), (1 / mean, 1 - errors), (2 / mean, double)]
    if alpha == 0:
        return max(0.0, -sum(weight * log(share) for share, weight in shares if weight > 0))
    if alpha == 1:
        return max(0.0, sum(weight * share * log(share) for share, weight in shares if share))
    powers = sum(weight * expm1(alpha * log(share)) for share, weight in shares if share)
    return max(0.0, (powers - none) / (alpha * (alpha - 1)))
