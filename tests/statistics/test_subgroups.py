"""The search for subgroups: what it finds where there is nothing, and where there is something."""

from math import sqrt

import numpy as np
import pytest

from biaspipe.counts import IN_NO_GROUP, NO_VALUE, JointCell, JointCells
from biaspipe.errors import DataError
from biaspipe.statistics.subgroups import Search, Settings, search
from biaspipe.statistics.subgroups import slices as slices_module
from biaspipe.statistics.subgroups.max_t import MAX_PEOPLE, maxima
from biaspipe.statistics.subgroups.slices import slices_of

SETTINGS = Settings(order=3, min_rows=20, draws=1_000)


def cells_of(
    seed: int, *, people: int = 1_000, groups: int = 3, planted: float = 0.3
) -> JointCells:
    """Return people of three facets, of whom those in the first group of two have another rate."""
    random = np.random.RandomState(seed)
    codes = random.randint(0, groups, (people, 3))
    inside = (codes[:, 0] == 0) & (codes[:, 1] == 0)
    outcomes = random.rand(people) < np.where(inside, planted, 0.3)
    found, which = np.unique(codes, axis=0, return_inverse=True)
    wholes = np.bincount(which.ravel()).tolist()
    parts = np.bincount(which.ravel(), weights=outcomes).astype(int).tolist()
    names = tuple(tuple(f"{facet}{n}" for n in range(groups)) for facet in "abc")
    rows = zip(found.tolist(), wholes, parts, strict=True)
    return JointCells(names, tuple(JointCell(tuple(c), n, k) for c, n, k in rows))


def few(*cells: tuple[tuple[int, ...], int, int]) -> JointCells:
    """Return a few cells of facets with groups x, y and z."""
    return JointCells((("x", "y", "z"),) * len(cells[0][0]), tuple(JointCell(*c) for c in cells))


def found(searched: Search) -> list[tuple[tuple[int, int], ...]]:
    """Return what describes the subgroups that were found."""
    return [one.slice.terms for one in searched.examined if one.is_found]


def by_itself(one: tuple[object, int, int, int, int]) -> float:
    """Return the score statistic of a subgroup against its rest."""
    _, whole, part, rest, counted = one
    pooled = (part + counted) / (whole + rest)
    spread = sqrt(pooled * (1 - pooled) * (1 / whole + 1 / rest))
    return abs(part / whole - counted / rest) / spread


def test_chance_is_not_found() -> None:
    """Of 20 data sets of pure chance one or so has a finding; single tests find one in most."""
    searched = [search(cells_of(seed), SETTINGS) for seed in range(20)]
    assert sum(bool(found(one)) for one in searched) <= 2
    naive = [any(by_itself(e.slice) > 1.96 for e in one.examined) for one in searched]
    assert sum(naive) >= 15


def test_a_planted_gap_is_found_once() -> None:
    """A gap of people of two groups at once is found, and explains all others in which it shows."""
    settings = SETTINGS._replace(harmed_above=True)
    searched = search(cells_of(0, people=3_000, planted=0.65), settings)
    planted = ((0, 0), (1, 0))
    named = {i: one.slice.terms for i, one in enumerate(searched.examined)}
    assert len(found(searched)) > 5
    explained = {
        named[one.explained_by]
        for one in searched.examined
        if one.explained_by is not None and one.low > 0
    }
    assert explained == {planted}


def test_a_gap_of_a_whole_group_is_told_of_the_group() -> None:
    """Of a group that fares worse wherever it is looked at, the group is told and not its parts."""
    random = np.random.RandomState(1)
    cells = []
    for code in np.ndindex(2, 3, 3):
        rate = 0.3 if code[0] == 0 else 0.5
        cells.append(JointCell(code, 200, int(random.binomial(200, rate))))
    searched = search(
        JointCells((("f", "m"), ("x", "y", "z"), ("u", "v", "w")), tuple(cells)), SETTINGS
    )
    assert standing(searched) == [((0, 0),)]
    assert len(found(searched)) > 4


def standing(searched: Search) -> list[tuple[tuple[int, int], ...]]:
    """Return what describes the subgroups that stand for themselves."""
    return [one.slice.terms for i, one in enumerate(searched.examined) if one.explained_by == i]


def test_what_shows_within_other_groups_is_not_explained_by_them() -> None:
    """A small group that fares worse at every age stands for itself, however the ages differ."""
    cells = few(((0, 0), 5_000, 500), ((0, 1), 5_000, 2_000), ((1, 0), 120, 0), ((1, 1), 180, 27))
    searched = search(cells, Settings(2, 50, 1_000))
    assert {((0, 1),), ((1, 0),)} <= set(standing(searched))


def test_too_few_left_explain_nothing() -> None:
    """A group of whom hardly anybody is outside of a worse one stands for itself beside it."""
    cells = few(((0, 0), 300, 60), ((0, 1), 40, 18), ((1, 0), 400, 200), ((1, 1), 400, 200))
    searched = search(cells, Settings(2, 50, 1_000))
    assert ((0, 0),) in standing(searched)
    more = few(((0, 0), 300, 60), ((0, 1), 200, 96), ((1, 0), 400, 200), ((1, 1), 400, 200))
    assert standing(search(more, Settings(2, 50, 1_000))) == [((0, 0), (1, 0))]


def test_the_advantaged_explain_nobody() -> None:
    """Where a majority fares better, each minority that fares worse stands for itself."""
    searched = search(
        few(((0,), 10_000, 6_000), ((1,), 2_000, 900), ((2,), 300, 126)), Settings(1, 50, 1_000)
    )
    assert {((0, 1),), ((0, 2),)} <= set(standing(searched))


@pytest.mark.parametrize(("harmed_above", "told"), [(False, 1), (True, 0)])
def test_of_two_groups_the_disadvantaged_one_is_told(harmed_above: bool, told: int) -> None:
    """Of two groups that are each other's rest, the one whose rate harms it explains the other."""
    cells = few(((0,), 500, 300), ((1,), 500, 200))
    searched = search(cells, Settings(1, 50, 1_000, harmed_above=harmed_above))
    assert standing(searched) == [((0, told),)]


def test_draws_are_those_of_people_dealt_out_one_by_one() -> None:
    """Counts drawn for cells have the same largest statistics as outcomes shuffled among people."""
    cells = cells_of(5, people=600)
    slices = slices_of(cells, 2, 20)
    drawn = maxima(slices, cells.cells, 4_000, 0)
    random = np.random.RandomState(9)
    where = np.repeat(np.arange(len(cells.cells)), [cell.whole for cell in cells.cells])
    outcomes = np.arange(600) < sum(cell.part for cell in cells.cells)
    codes = np.array([cell.codes for cell in cells.cells])[where]
    inside = [np.all([codes[:, f] == g for f, g in one.terms], axis=0) for one in slices.examined]
    sizes = np.array([[m.sum(), (~m).sum()] for m in inside])
    spread = np.sqrt(outcomes.mean() * (1 - outcomes.mean()) * (1 / sizes).sum(axis=1))
    weights = np.array([m / m.sum() - ~m / (~m).sum() for m in inside])
    dealt = np.array([random.permutation(outcomes) for _ in range(1_000)]).T
    largest = np.abs(weights @ dealt / spread[:, None]).max(axis=0)
    shares = (0.5, 0.9, 0.95)
    assert np.quantile(drawn, shares) == pytest.approx(np.quantile(largest, shares), abs=0.1)


def test_an_adjusted_p_value_is_the_exact_one_of_a_single_comparison() -> None:
    """Two of four people, in groups of two, are of one group by chance in 1 of 3 draws."""
    searched = search(few(((0,), 2, 2), ((1,), 2, 0)), Settings(1, 2, 20_000))
    assert [one.p_value for one in searched.examined] == pytest.approx([1 / 3, 1 / 3], abs=0.01)


def test_draws_stay_the_same() -> None:
    """The same seed gives the same statistics, on every machine and in years to come."""
    cells = few(((0,), 50, 20), ((1,), 50, 10), ((2,), 40, 9))
    drawn = maxima(slices_of(cells, 1, 20), cells.cells, 1_000, 7)
    assert drawn[[0, 500, 949, 999]] == pytest.approx(
        [0.059617124838, 1.152255068782, 2.444302118377, 4.693331621623], abs=1e-12
    )
    assert search(cells, Settings(1, 20, 1_000, 7)).critical == 2.444302


def test_people_without_a_value_are_of_no_side() -> None:
    """Who has no value of a facet may be of its groups; who is in no group is of the rest."""
    cells = few(
        ((NO_VALUE, 0), 100, 40), ((IN_NO_GROUP, 0), 60, 20), ((0, 0), 70, 30), ((1, 1), 80, 30)
    )
    slices = {one.terms: one[1:] for one in slices_of(cells, 2, 1).examined}
    assert slices[(0, 0),] == (70, 30, 140, 50)
    assert slices[(1, 0),] == (230, 90, 80, 30)


def test_who_is_split_alike_is_tested_once() -> None:
    """A subgroup of the same people as a simpler one is counted, and has no test of its own."""
    slices = slices_of(few(((0, 0), 70, 30), ((1, 1), 80, 30), ((2, 1), 50, 20)), 2, 1)
    assert [one.terms for one in slices.examined] == [((0, 0),), ((0, 1),), ((0, 2),), ((1, 1),)]
    assert slices.repeated == 4


def test_small_subgroups_are_counted() -> None:
    """A subgroup of too few people, or of almost all, is not examined and not lost."""
    slices = slices_of(few(((0,), 900, 30), ((1,), 20, 3), ((2,), 5, 0)), 1, 21)
    assert [one.terms for one in slices.examined] == [((0, 0),)]
    assert [(one.terms, one.whole) for one in slices.small] == [(((0, 1),), 20), (((0, 2),), 5)]
    assert slices.in_small == 25


def test_an_outcome_that_never_varies() -> None:
    """Where everybody has the same outcome draws tell nothing, and Bonferroni's bound holds."""
    searched = search(few(((0,), 50, 0), ((1,), 60, 0), ((2,), 60, 0)), Settings(1, 20, 1_000))
    assert searched.critical == 2.39398
    assert searched.smallest_gap is None
    assert all(one.low < 0 < one.high and one.p_value == 1 for one in searched.examined)


def test_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """More subgroups, or people, than can be looked at are refused in words."""
    with pytest.raises(DataError, match="people, and at most"):
        search(few(((0,), MAX_PEOPLE, 5), ((1,), 60, 0)), Settings(1, 20))
    monkeypatch.setattr(slices_module, "MAX_SLICES", 5)
    with pytest.raises(DataError, match="there are more than 5 subgroups"):
        search(cells_of(0), SETTINGS)
