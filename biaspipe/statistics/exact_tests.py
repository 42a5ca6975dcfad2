"""Exact two-sided tests: the tables that are at most as probable as the one found, added up.

SciPy has them, but takes a second to import, and adds up every table far in the tail. Here the
probability of the table found comes from its deviance (Loader 2000), which keeps its digits down
to the smallest number there is; the others follow by products, outwards until they are negligible.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp, fsum, lgamma, log, log1p, pi, sqrt
from typing import NamedTuple

__all__ = [
    "MOST_SPREAD",
    "binomial",
    "conditional",
    "fisher",
    "spread",
]

TIE = 1e-7
NEGLIGIBLE = 1e-17
LEAST_WEIGHT = 1e-40
LEAST_PROBABILITY = 1e-30
"""What `conditional` reports of anything less: the weights that it leaves out are less still."""
MOST_SPREAD = 2_000
"""The standard deviation up to which the tables near the one found are few enough to add up."""
MOST_PRODUCTS = 500_000
"""The products of weights that strata may take to be joined."""
SMALL = 15


class _Law(NamedTuple):
    """A distribution of whole numbers with one mode.

    Parameters
    ----------
    low, mode, high : its least, a likeliest and its greatest number.
    log_probability : of a number.
    up, down : what the probability of the next greater, and of the next smaller number is
        multiplied by.
    """

    low: int
    mode: int
    high: int
    log_probability: Callable[[int], float]
    up: Callable[[int], float]
    down: Callable[[int], float]


def _stirling_error(n: float) -> float:
    """Return how far log n! is from Stirling's formula."""
    if n <= SMALL:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(2 * pi) / 2 if n else 0.0
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / n


def _deviance(found: float, expected: float) -> float:
    """Return `found * log(found / expected) + expected - found`, near 0 without loss of digits."""
    apart = found - expected
    if abs(apart) >= 0.1 * (found + expected):
        return found * log(found / expected) - apart
    ratio = apart / (found + expected)
    total, term, odd = apart * ratio, 2 * found * ratio, 1
    while True:
        term *= ratio * ratio
        odd += 2
        if total + term / odd == total:
            return total
        total += term / odd


def _log_binomial(k: int, n: int, p: float, q: float) -> float:
    """Return the log-probability of k of n; p and q add up to 1, and neither is 0."""
    if k == 0:
        return n * (log1p(-p) if p < 0.5 else log(q))
    if k == n:
        return n * (log1p(-q) if q < 0.5 else log(p))
    errors = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    apart = _deviance(k, n * p) + _deviance(n - k, n * q)
    return errors - apart - 0.5 * (log(2 * pi) + log(k) + log((n - k) / n))


def _two_sided(law: _Law, found: int) -> float:
    """Add up the probabilities of all numbers that are at most as probable as the one found."""
    most = law.log_probability(found) + TIE
    if most >= law.log_probability(law.mode):
        return 1.0
    is_above = found > law.mode
    tails = [_tail(law, found, above=is_above)]
    if (other := _first_beyond(law, most, above=not is_above)) is not None:
        tails.append(_tail(law, other, above=not is_above))
    return min(1.0, fsum(tails))


def _first_beyond(law: _Law, most: float, *, above: bool) -> int | None:
    """Return the number nearest to the mode that is at most so probable, on one side of it."""
    near, far = law.mode, law.high if above else law.low
    if law.log_probability(far) > most:
        return None
    while abs(far - near) > 1:
        middle = (near + far) // 2
        if law.log_probability(middle) > most:
            near = middle
        else:
            far = middle
    return far


def _tail(law: _Law, first: int, *, above: bool) -> float:
    """Return the probability of a number and of all beyond it."""
    step, factor, end = (1, law.up, law.high) if above else (-1, law.down, law.low)
    k, weight, total = first, 1.0, 1.0
    while k != end and weight > NEGLIGIBLE * total:
        weight *= factor(k)
        total += weight
        k += step
    return exp(law.log_probability(first)) * total


@lru_cache(4096)
def fisher(a: int, b: int, c: int, d: int) -> float:
    """Return the two-sided probability of Fisher's exact test for the rows `a b` and `c d`.

    A probability that is less than any number can be is 0.

    >>> round(fisher(3, 1, 1, 3), 4)
    0.4857
    """
    row, column, people = a + b, a + c, a + b + c + d
    if not (row and column and people - row and people - column):
        return 1.0
    return _two_sided(_hypergeometric(row, column, people), a)


def _hypergeometric(row: int, column: int, people: int) -> _Law:
    """Return the law of the first cell of a table with these margins."""
    rest = people - row - column
    p, q = column / people, (people - column) / people
    whole = _log_binomial(column, people, p, q)

    def log_probability(k: int) -> float:
        other = _log_binomial(column - k, people - row, p, q)
        return _log_binomial(k, row, p, q) + other - whole

    return _Law(
        max(0, -rest),
        (row + 1) * (column + 1) // (people + 2),
        min(row, column),
        log_probability,
        lambda k: (row - k) * (column - k) / ((k + 1) * (rest + k + 1)),
        lambda k: k * (rest + k) / ((row - k + 1) * (column - k + 1)),
    )


@lru_cache(4096)
def binomial(found: int, n: int) -> float:
    """Return the two-sided probability of so many of n, each of them as likely as not.

    >>> round(binomial(6, 8), 12), binomial(0, 0)
    (0.2890625, 1.0)
    """
    if not n:
        return 1.0
    law = _Law(
        0,
        (n + 1) // 2,
        n,
        lambda k: _log_binomial(k, n, 0.5, 0.5),
        lambda k: (n - k) / (k + 1),
        lambda k: k / (n - k + 1),
    )
    return _two_sided(law, found)


def conditional(found: int, strata: Sequence[tuple[int, int, int]]) -> float | None:
    """Return the two-sided probability of a sum of first cells, each table's margins given.

    Parameters
    ----------
    found : the sum of the first cells.
    strata : for each table its first row, its first column, and its people.

    Returns
    -------
    float or None
        None where joining the tables takes more than `MOST_PRODUCTS`; never less than
        `LEAST_PROBABILITY`.

    Examples
    --------
    >>> round(conditional(3, [(4, 4, 8)]), 4)
    0.4857
    """
    weights, low, products = [1.0], 0, 0
    if fsum(spread(*margins) for margins in strata) > MOST_SPREAD:
        return None
    for first, part in sorted((_weights(*margins) for margins in strata), key=lambda w: len(w[1])):
        products += len(weights) * len(part)
        if products > MOST_PRODUCTS:
            return None
        weights, low = _joined(weights, part), low + first
    place = found - low
    least = weights[place] * (1 + TIE) if 0 <= place < len(weights) else 0.0
    extreme = fsum(weight for weight in weights if weight <= least)
    return min(1.0, max(LEAST_PROBABILITY, extreme / fsum(weights)))


def _weights(row: int, column: int, people: int) -> tuple[int, list[float]]:
    """Return the first cells of a table that count, from the least, as parts of the likeliest."""
    law = _hypergeometric(row, column, people) if 0 < column < people else None
    if law is None:
        return (row if column else 0), [1.0]
    sides: list[list[float]] = []
    for factor, step, end in ((law.down, -1, law.low), (law.up, 1, law.high)):
        side, k, weight = list[float](), law.mode, 1.0
        while k != end and weight > LEAST_WEIGHT:
            weight *= factor(k)
            side.append(weight)
            k += step
        sides.append(side)
    return law.mode - len(sides[0]), [*reversed(sides[0]), 1.0, *sides[1]]


def _joined(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the weights of the sums of two independent numbers."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    sums = [0.0] * (len(long) + len(short) - 1)
    for i, weight in enumerate(short):
        sums[i : i + len(long)] = [
            there + weight * here for there, here in zip(sums[i : i + len(long)], long, strict=True)
        ]
    return sums


def spread(row: float, column: float, people: float) -> float:
    """Return the standard deviation of the first cell of a table with these margins.

    >>> round(spread(40, 60, 120), 4)
    2.5928
    """
    if people <= 1:
        return 0.0
    rest = (people - row) / people * (people - column) / (people - 1)
    return sqrt(row * column / people * rest)
