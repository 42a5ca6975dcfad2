"""Exact tests, against other programs, enumeration and published tables."""

from fractions import Fraction
from math import comb
from random import Random
from time import perf_counter

import pytest

from biaspipe.statistics.exact_tests import binomial, conditional, fisher


def enumerated(a: int, b: int, c: int, d: int) -> float:
    """Return Fisher's two-sided probability by listing every table with the same margins."""
    row, column, people = a + b, a + c, a + b + c + d
    ways = [comb(row, k) * comb(people - row, column - k) for k in range(column + 1)]
    return float(Fraction(sum(w for w in ways if w <= ways[a]), comb(people, column)))


@pytest.mark.parametrize(
    ("cells", "p_value"),
    [
        ((1200, 18800, 30, 70), 1.2977872727455718e-13),
        ((1200, 18800, 60, 40), 2.146844986140521e-46),
        ((700, 300, 100, 900), 1.0745653605983877e-179),
        ((500, 0, 0, 500), 2 / comb(1000, 500)),
    ],
)
def test_fisher_is_right_far_in_the_tail(cells: tuple[int, ...], p_value: float) -> None:
    """Far in the tail, down to 1e-300, Fisher's test has the digits that listing tables has."""
    assert fisher(*cells) == pytest.approx(p_value, rel=1e-10)
    assert fisher(*cells) > 0


def test_fisher_of_large_counts_is_quick() -> None:
    """Ten million people in each group take no loop over millions of tables."""
    started = perf_counter()
    assert fisher(5_000_000, 5_000_000, 5_040_000, 4_960_000) == pytest.approx(
        1.455746787857561e-71, rel=1e-8
    )
    assert perf_counter() - started < 0.5


def test_fisher_is_that_of_enumeration_in_larger_tables() -> None:
    """With hundreds in a cell, Fisher's test gives what listing every table gives."""
    random = Random(11)
    for _ in range(60):
        cells = [random.randrange(1, 300) for _ in range(4)]
        assert fisher(*cells) == pytest.approx(enumerated(*cells), rel=1e-10)


@pytest.mark.parametrize(
    ("found", "people", "p_value"),
    [
        (59, 65, 4.964650327128627e-12),
        (150, 236, 3.715936139571495e-05),
        (0, 1000, 2 * 0.5**1000),
        (3, 5, 1.0),
        (0, 0, 1.0),
    ],
)
def test_binomial_is_that_of_other_programs(found: int, people: int, p_value: float) -> None:
    """The binomial test gives scipy's probabilities, those of two published tables among them."""
    assert binomial(found, people) == pytest.approx(p_value, rel=1e-10)


def test_one_stratum_is_fishers() -> None:
    """Of a single table the exact conditional test is Fisher's."""
    random = Random(3)
    for _ in range(100):
        a, b, c, d = (random.randrange(0, 12) for _ in range(4))
        if a + b and c + d:
            exact = conditional(a, [(a + b, a + c, a + b + c + d)])
            assert exact == pytest.approx(fisher(a, b, c, d), rel=1e-9)


def test_many_large_strata_are_not_joined() -> None:
    """Strata whose tables would take too long to join have no exact probability."""
    assert conditional(50_000, [(1000, 1000, 2000)] * 100) is None
    assert conditional(10**9, [(10**9, 10**9, 4 * 10**9)]) is None
