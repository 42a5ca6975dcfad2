"""Chance in the neighbours: what members of one group owe to those of the other that they share."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from biaspipe.counts import Flips
from biaspipe.fliptest import brute_force, influence, search
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


@pytest.mark.parametrize(("seed", "k"), list(product(range(6), (1, 3, 4))))
def test_sums_are_those_of_taking_everybody_away_in_turn(seed: int, k: int) -> None:
    """What the lists of neighbours say is what searches without each person find."""
    a, d = drawn(seed, 12, 9, whole=False)
    before, total = each_alone(a, d, k), 0
    for people, left in without_one(a):
        change = d.people * (before - each_alone(left, d, k))
        own = d.people * (before - each_alone(left, d, k)) ** 2
        total += people * int(change.sum() ** 2 - own.sum())
    assert counted(a, d, k).shared == max(0, total)


def cell(yes: int, no: int, disfavored: int = 10) -> Flips:
    """Run the fliptest of people who are all alike."""
    a = members(np.zeros(2), np.array([True, False]), np.array([yes, no]))
    d = members(np.zeros(1), np.array([True]), np.array([disfavored]))
    return counted(a.only(a.people > 0), d, 5)


@pytest.mark.parametrize(
    ("yes", "no", "shared"), [(8, 8, 23), (12, 4, 13), (16, 0, 1), (36, 0, 0), (5, 0, 0)]
)
def test_members_of_a_cell_turn_together(yes: int, no: int, shared: int) -> None:
    """Members of a tied cell turn together, by what chance in its vote may do."""
    # A vote of 16 has a deviation of 1/2 at a draw, 3/8 two standard errors from it, 3/32 at four:
    # times 10 x 9 pairs of members 22.5, 12.7 and 0.8. Of just k voters the jackknife judges.
    assert cell(yes, no).shared == shared


@pytest.mark.parametrize(("seed", "k"), list(product(range(4), (1, 3, 4))))
def test_tied_votes_share_as_many_coins_as_they_have_in_common(seed: int, k: int) -> None:
    """Two votes of people who are tied go together as far as they are of the same people."""
    a, d = drawn(seed, 12, 9, whole=True)
    changes, own = np.zeros((len(a.people), len(d.people))), 0.0
    alone, left = each_alone(a, d, k), [rows for _, rows in without_one(a)]
    for i, size in enumerate(d.numbers[:, 0]):
        apart = np.abs(a.numbers[:, 0] - size)
        voters = apart <= np.sort(np.repeat(apart, a.people))[k - 1]
        votes = a.people[voters].sum()
        if votes == k:
            changes[:, i] = [alone[i] - each_alone(rows, one(d, i), k)[0] for rows in left]
            own += d.people[i] * (a.people * changes[:, i] ** 2).sum()
            continue
        signs = np.where(a.favorable, 1, -1)
        margin = (a.people * signs)[voters].sum()
        deviation = min(1 / 2, 3 * votes / 2 / margin**2) if margin else 1 / 2
        deviation *= margin**2 <= 25 * votes
        changes[:, i] = voters * signs * deviation / np.sqrt(votes)
        own += d.people[i] * deviation**2
    total = (a.people * (changes @ d.people) ** 2).sum() - own
    shared = counted(a, d, k).shared
    assert shared is not None
    assert max(0.0, total) - 1e-2 <= shared <= max(0.0, total) + 1.01


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


def test_neighbours_tied_too_often_turn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where so many rows are tied that they are not told apart, the most that they can share is."""
    a, d = drawn(1, 30, 20, whole=True)
    told = counted(a, d).shared
    assert told is not None
    monkeypatch.setattr(influence, "MOST_TIED", 1)
    found = counted(a, d)
    assert found.shared is not None
    assert found.shared > told
    interval = Intervals(found, 0.95).of(FT, FT(found))
    assert interval is not None
    assert interval.method == "paired-jackknife"
    assert interval.high - interval.low > 1


def test_lists_of_bounded_length_share_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a block holds too many, those tied too often are one, and nobody else is."""
    random, sides = np.random.default_rng(3), []
    for number in (2_000, 300):
        sizes = np.where(random.random(number) < 0.5, 0.0, random.normal(5, 1, number))
        features = np.column_stack([sizes, random.integers(0, 2, number)])
        rows = members(np.arange(number), random.random(number) < 0.5)
        sides.append(replace(rows, numbers=features))
    monkeypatch.setattr(influence, "MOST_TIED", 100)
    monkeypatch.setattr(brute_force, "MOST_TIED", 100)
    a, d = sides
    found = counted(a, d).shared
    assert found
    monkeypatch.setattr(brute_force, "MOST_TOLD", 500)
    assert counted(a, d).shared == found


def test_fair_cells_hold_parity() -> None:
    """Where three kinds of people are decided alike, 95 % intervals hold 0 in at least 93 %."""
    random, found = np.random.default_rng(11), []
    for _ in range(100):
        sides = []
        for number in (100, 1_000):
            kinds = random.integers(0, 3, number)
            both = np.bincount(2 * kinds + (random.random(number) < 0.2 + 0.3 * kinds), minlength=6)
            rows = members(np.zeros((6, 0)), np.tile([False, True], 3), both)
            kinds = np.repeat(np.arange(3), 2).reshape(6, 1)
            sides.append(replace(rows, categories=kinds).only(both > 0))
        found.append(counted(sides[0], sides[1], 5))
    assert held(found, 0.0, 0.95) >= 0.93
    assert held([replace(f, shared=None) for f in found], 0.0, 0.95) < 0.3


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


def held(found: list[Flips], truth: float, confidence: float = 0.8) -> float:
    """Return the share of the intervals that hold a value."""
    ends = [Intervals(f, confidence).of(FT, FT(f)) for f in found]
    return float(np.mean([e is not None and e.low <= truth <= e.high for e in ends]))
