"""Sums of people, as far as rounded numbers can tell whether they are the same."""

from math import isclose

from biaspipe.report import People

__all__ = ["EXACT_DIGITS", "is_same"]

EXACT_DIGITS = 1e-9
"""How far sums of rounded numbers may be apart, relative to their size."""


def is_same(one: People, other: People) -> bool:
    """Whether two numbers of people are the same, as far as sums of rounded ones can tell."""
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    return isclose(one, other, rel_tol=EXACT_DIGITS)
