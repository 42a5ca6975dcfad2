"""Chance in the neighbours: what members of one group owe to those of the other that they share."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from biaspipe.counts import Flips
from biaspipe.fliptest import influence, search
from biaspipe.fliptest.search import Members, flips
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals

FT = METRICS["FT"]


def members(sizes: np.ndarray, favorable: np.ndarray, people: np.ndarray | None = None) -> Members:
    """Return rows of numbers."""
    codes = np.zeros((len(sizes), 0), dtype=np.int64)
    ones = np.ones(len(sizes), dtype=np.int64)
    return Members(
        sizes.reshape(len(sizes), -1), codes, ones if people is None else people, favorable
    )


def drawn(seed: int, favored: int, disfavored: int, *, whole: bool) -> tuple[Members, Members]:
    """Draw both groups; whole sizes are tied often."""
    random = np.random.default_rng(seed)
    sides = []
    for number in (favored, disfavored):
        sizes = random.integers(0, 6, number).astype(float) if whole else random.normal(size=number)
        people = random.integers(1, 4, number) if whole else np.ones(number, dtype=np.int64)
        sides.append(members(sizes, random.random(number) < 0.5, people))
    return sides[0], sides[1]


def counted(a: Members, d: Members, k: int = 3) -> Flips:
    """Run the fliptest."""
    return flips(a, d, k=k, scaling="none", features=("size",))


def each_alone(a: Members, d: Members, k: int) -> np.ndarray:
    """Return for every row of d whether a person of it is flipped, and which way."""
    found = [counted(a, one(d, i), k) for i in range(len(d.people))]
    return np.array([f.F_plus - f.F_minus for f in found])


def one(rows: Members, place: int) -> Members:
    """Return one person of a row."""
    alone = rows.only(np.arange(len(rows.people)) == place)
    return replace(alone, people=np.ones(1, dtype=np.int64))


def without_one(rows: Members) -> Iterator[tuple[int, Members]]:
    """Yield, for each row, how many people it is, and all rows with one of them missing."""
    for place, people in enumerate(rows.people):
        left = rows.people - (np.arange(len(rows.people)) == place)
        yield int(people), replace(rows, people=left).only(left > 0)


@pytest.mark.parametrize(("seed", "whole", "k"), list(product(range(6), (True, False), (1, 3, 4))))
def test_sums_are_those_of_taking_everybody_away_in_turn(seed: int, whole: bool, k: int) -> None:
    """What the lists of neighbours say is what searches without each person find."""
    a, d = drawn(seed, 12, 9, whole=whole)
    before, total = each_alone(a, d, k), 0
    for people, left in without_one(a):
        change = d.people * (before - each_alone(left, d, k))
        own = d.people * (before - each_alone(left, d, k)) ** 2
        total += people * int(change.sum() ** 2 - own.sum())
    assert counted(a, d, k).shared == max(0, total)


def test_neither_order_nor_search_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in another order, and the search in a tree, give the same sum."""
    a, d = drawn(7, 300, 200, whole=False)
    found = counted(a, d).shared
    assert found
    order = np.random.default_rng(1).permutation(300)
    shuffled = Members(a.numbers[order], a.categories[order], a.people[order], a.favorable[order])
    assert counted(shuffled, d).shared == found
    monkeypatch.setattr(search, "SMALL_SEARCH", 0)
    assert counted(a, d).shared == found


def test_neighbours_tied_too_often_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too many rows are tied, the interval is of the members alone, and says so."""
    monkeypatch.setattr(influence, "MOST_TIED", 2)
    found = counted(*drawn(1, 30, 20, whole=True))
    assert found.shared is None
    interval = Intervals(found, 0.95).of(FT, FT(found))
    assert interval is not None
    assert interval.method == "newcombe-paired"


def test_interval_is_of_both_groups() -> None:
    """With few favored people 80 % intervals hold the value in about 80 %, else in a third."""
    random, found = np.random.default_rng(5), []
    for _ in range(150):
        sides = []
        for number, threshold in ((60, 0.0), (400, 0.3)):
            sizes = random.normal(size=(number, 2))
            noise = random.random(number) < 0.3
            sides.append(members(sizes, (sizes.sum(axis=1) > threshold) ^ noise))
        found.append(counted(sides[0], sides[1], 5))
    truth = np.mean([float(f.net / f.n_d) for f in found])
    assert 0.7 < held(found, float(truth)) < 0.92
    assert held([replace(f, shared=None) for f in found], float(truth)) < 0.4


def held(found: list[Flips], truth: float) -> float:
    """Return the share of the intervals that hold a value."""
    ends = [Intervals(f, 0.8).of(FT, FT(f)) for f in found]
    return float(np.mean([e is not None and e.low <= truth <= e.high for e in ends]))
