"""Moments: exact sums in any order, of numbers of any size."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.fliptest.exact_moments import Moments
from tests.examples import examples

UNIT = 2**1074
NUMBERS = st.floats(-1e150, 1e150) | st.sampled_from([5e-324, -2.5e-310, 0.1, 1e16])
WHOLE = st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9)


def people(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return numbers of people as an array."""
    return np.array(values, dtype=np.int64)


@given(st.lists(st.tuples(NUMBERS, st.integers(1, 9)), min_size=1, max_size=20))
@examples(100)
def test_sums_are_exact(pairs: list[tuple[float, int]]) -> None:
    """The sums are those of fractions, each number counted for its people."""
    found = Moments.of(np.array([x for x, _ in pairs]), people([n for _, n in pairs]))
    assert Fraction(found.total, UNIT) == sum(Fraction(x) * n for x, n in pairs)
    assert Fraction(found.squares, UNIT**2) == sum(Fraction(x) ** 2 * n for x, n in pairs)


@given(st.lists(WHOLE, min_size=1, max_size=20))
@examples(100)
def test_whole_numbers_are_not_rounded(values: list[int]) -> None:
    """Whole numbers of 64 binary digits are summed up as they are."""
    found = Moments.of(people(values), np.ones(len(values), dtype=np.int64))
    assert (found.total, found.squares) == (
        sum(values) * UNIT,
        sum(x * x for x in values) * UNIT**2,
    )
    assert (found.low, found.high) == (min(values), max(values))


def test_unsigned_numbers_are_whole_too() -> None:
    """Numbers beyond those with a sign are summed up as they are."""
    values = np.array([2**64 - 1, 1], dtype=np.uint64)
    assert Moments.of(values, people([1, 1])).total == 2**64 * UNIT


def test_many_rows_add_up() -> None:
    """The sums of more rows than are summed up at once are exact too."""
    values = np.full(200_000, 1 - 2**-53)
    found = Moments.of(values, np.ones(200_000, dtype=np.int64))
    assert Fraction(found.squares, UNIT**2) == 200_000 * (1 - Fraction(1, 2**53)) ** 2


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1e16, 1e16 + 2], 1.0), ([0.0, 2e-200], 1e-200), ([0.0, 2e200], 1e200), ([3.5], 0.0)],
)
def test_deviations_far_from_one_are_right(values: list[float], expected: float) -> None:
    """The deviation loses no digits to numbers that are large, tiny, or nearly alike."""
    found = Moments.of(np.array(values), np.ones(len(values), dtype=np.int64))
    assert found.deviation == expected


def test_parts_add_up_to_the_whole() -> None:
    """Moments of parts put together are those of all, to the last digit."""
    values = np.random.default_rng(3).standard_normal(1_000) * 1e3
    ones = np.ones(1_000, dtype=np.int64)
    whole = Moments.of(values, ones)
    parts = Moments.of(values[700:], ones[700:]) + Moments() + Moments.of(values[:700], ones[:700])
    assert parts == whole
    assert abs(whole.deviation - sqrt(float(np.var(values)))) < 1e-9
