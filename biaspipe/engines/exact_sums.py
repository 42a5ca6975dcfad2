"""Exact sums of floats: whole numbers of a person's parts, in limbs for an engine's integers."""

from dataclasses import dataclass
from itertools import pairwise

import narwhals as nw
import polars as pl

from biaspipe.plan import PARTS_PER_PERSON

__all__ = ["FRACTION", "IN_INT64", "IN_INT128", "ExactSums", "to_integers"]

FRACTION = PARTS_PER_PERSON.bit_length() - 1
"""Binary digits of a person's parts."""
WHOLE = 2.0**52
"""A float that is not below this is a whole number."""


@dataclass(frozen=True)
class ExactSums:
    """Limbs of a number: integers of as many binary digits each as their sums have room for.

    Parameters
    ----------
    bits : binary digits of each limb but the first, a divisor of those of the parts.
    count : limbs of a number; the first holds what is above all others.
    dtype : the type of their sums.
    """

    bits: int
    count: int
    dtype: nw.dtypes.DType

    def sums(self, number: nw.Expr, name: str) -> list[nw.Expr]:
        """Return the sums of a float's limbs; every step of this is exact."""
        shifts = [FRACTION - self.bits * i for i in reversed(range(self.count))]
        floors = [self.floor(number * 2.0**shift) for shift in shifts]
        rests = (low - high * 2.0**self.bits for high, low in pairwise(floors))
        limbs = [floors[0], *rests]
        return [limb.cast(self.dtype).sum().alias(f"{name}{i}") for i, limb in enumerate(limbs)]

    def floor(self, number: nw.Expr) -> nw.Expr:
        """Return the largest whole number, as a float, that is not above one of at least 0."""
        return number.floor()

    def totals(self, cells: pl.DataFrame, name: str) -> list[int]:
        """Return the numbers that sums of limbs make up."""
        numbers = [0] * cells.height
        for i in range(self.count):
            limbs = to_integers(cells[f"{name}{i}"])
            numbers = [(n << self.bits) + limb for n, limb in zip(numbers, limbs, strict=True)]
        return numbers


class _RoundedSums(ExactSums):
    """Floors by rounding; where large floats have no floor that is a float."""

    def floor(self, number: nw.Expr) -> nw.Expr:
        """Return the largest whole number, as a float, that is not above one of at least 0."""
        near = (number + WHOLE) - WHOLE
        down = nw.when(near > number).then(near - 1.0).otherwise(near)
        return nw.when(number < WHOLE).then(down).otherwise(number)


IN_INT128 = ExactSums(90, 3, nw.Int128())
"""For engines with integers of 128 bits; sums over 2^37 rows fit."""
IN_INT64 = _RoundedSums(30, 11, nw.Int64())
"""For engines with integers of 64 bits; sums over 2^33 rows fit."""


def to_integers(sums: pl.Series) -> list[int]:
    """Return sums as whole numbers; engines have types of their own for large ones.

    Parameters
    ----------
    sums : whole numbers of any type, some maybe missing.
    """
    return [int(n or 0) for n in sums.to_list()]
