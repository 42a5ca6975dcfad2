"""Exact sums of numbers and of their squares, the same in any order and at any partitioning.

A number of 53 binary digits is cut into three pieces, so that products of pieces add up exactly;
the sums are whole numbers of units of 2^-1074, and of 2^-2148 for squares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["Moments", "Numbers"]

Numbers = NDArray[np.float64] | NDArray[np.int64] | NDArray[np.uint64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Parts = tuple[int, float | int | None, float | int | None, int, int]

DIGITS, UNIT = 53, 1074
"""Binary digits of a number, and the power of 1/2 that every number is a multiple of."""
PIECE = 18
ROWS = 65_536
"""Rows whose products of two pieces add up within the digits of a float."""
LARGEST = 2**UNIT
"""More than any number."""
GUARD_DIGITS = 64
"""Binary digits of a root beyond those of the number."""


@dataclass(frozen=True)
class Moments:
    """The ends, the sum and the sum of squares of a feature, exactly.

    Parameters
    ----------
    people : how many people have the number.
    low, high : the least and the greatest number; whole numbers as they are.
    total, squares : the sums over people, in units of 2^-1074 and 2^-2148.
    """

    people: int = 0
    low: float | int | None = None
    high: float | int | None = None
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: Numbers, people: Ints, *, sums: bool = True) -> "Moments":
        """Sum up finite numbers, each of so many people; without `sums` note the ends only."""
        if not len(values):
            return cls()
        low, high = values.min().item(), values.max().item()
        total = squares = 0
        for factor, chosen in _by_bit(values, people) if sums else ():
            one, two = _all_sums(chosen)
            total, squares = total + factor * one, squares + factor * two
        return cls(int(people.sum()), low, high, total, squares)

    @property
    def parts(self) -> "Parts":
        """The fields, as they are sent."""
        return self.people, self.low, self.high, self.total, self.squares

    @classmethod
    def from_parts(cls, parts: "Parts", people: int) -> "Moments":
        """Return the moments of so many people; ValueError if no numbers have such parts."""
        found, low, high, total, squares = parts
        ends = all(x is not None and abs(x) < LARGEST for x in (low, high)) if people else True
        if found != people or not ends or people * squares < total**2:
            raise ValueError(parts)
        return cls(people, low, high, total, squares) if people else cls()

    def __add__(self, other: "Moments") -> "Moments":
        """Put the people of both together."""
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return Moments(
            self.people + other.people,
            min(lows, default=None),
            max(highs, default=None),
            self.total + other.total,
            self.squares + other.squares,
        )

    @property
    def deviation(self) -> float:
        """The standard deviation over people.

        >>> Moments.of(np.array([1.0, 3.0]), np.array([2, 2])).deviation
        1.0
        """
        spread = self.people * self.squares - self.total**2
        return float(
            Fraction(isqrt(spread << 2 * GUARD_DIGITS), self.people << (UNIT + GUARD_DIGITS))
        )


def _by_bit(values: Numbers, people: Ints) -> Iterator[tuple[int, Numbers]]:
    """Yield numbers that count 1, 2, 4 ... times; together each counts for its people."""
    for bit in range(int(people.max()).bit_length()):
        chosen = (people >> bit) & 1 == 1
        if chosen.all():
            yield 1 << bit, values
        elif chosen.any():
            yield 1 << bit, values[chosen]


def _all_sums(values: Numbers) -> tuple[int, int]:
    is_whole = values.dtype.kind != "f"
    return _whole_sums(values) if is_whole else _sums(values.astype(np.float64, copy=False))


def _whole_sums(values: Numbers) -> tuple[int, int]:
    """Return the sums of whole numbers and of their squares, in units."""
    low = int(values.min())
    apart = values.astype(np.uint64) - np.uint64(low % 2**64)
    one, two = _apart_sums(apart)
    squares = two + 2 * low * one + len(values) * low**2
    return (one + len(values) * low) << UNIT, squares << 2 * UNIT


def _apart_sums(apart: NDArray[np.uint64]) -> tuple[int, int]:
    """Return the sums of numbers up to 2^64 and of their squares, from two halves of 32 digits."""
    if int(apart.max()) < 2**DIGITS:
        one, two = _sums(apart.astype(np.float64))
        return one >> UNIT, two >> 2 * UNIT
    halves = (apart >> np.uint64(32)).astype(np.float64), (apart % np.uint64(2**32))
    high, low = halves[0], halves[1].astype(np.float64)
    sums = [_sums(part) for part in (high, low, high + low)]
    (h1, h2), (l1, l2), (_, both) = [(one >> UNIT, two >> 2 * UNIT) for one, two in sums]
    return (h1 << 32) + l1, (h2 << 64) + l2 + ((both - h2 - l2) << 32)


def _sums(values: Floats) -> tuple[int, int]:
    """Return the sums of numbers and of their squares, in units."""
    total = squares = 0
    for start in range(0, len(values), ROWS):
        for exponent, one, two in _block(values[start : start + ROWS]):
            shift = exponent - DIGITS + UNIT
            total += _shifted(one, shift)
            squares += _shifted(two, 2 * shift)
    return total, squares


def _block(values: Floats) -> Iterator[tuple[int, int, int]]:
    """Yield, for the numbers of each binary exponent, the sums of their digits and squares."""
    fractions, exponents = np.frexp(values)
    digits = np.ldexp(fractions, DIGITS).astype(np.int64)
    pieces = [digits & (2**PIECE - 1), (digits >> PIECE) & (2**PIECE - 1), digits >> 2 * PIECE]
    low, mid, high = (piece.astype(np.float64) for piece in pieces)
    least = int(exponents.min())
    where = (exponents - least).astype(np.intp)
    ones = [np.bincount(where, weights=piece) for piece in (low, mid, high)]
    products = (low * low, 2 * low * mid, 2 * low * high + mid * mid, 2 * mid * high, high * high)
    twos = [np.bincount(where, weights=product) for product in products]
    for i in np.flatnonzero(np.bincount(where)):
        one = sum(int(part[i]) << PIECE * place for place, part in enumerate(ones))
        two = sum(int(part[i]) << PIECE * place for place, part in enumerate(twos))
        yield least + int(i), one, two


def _shifted(number: int, shift: int) -> int:
    return number << shift if shift >= 0 else number >> -shift
