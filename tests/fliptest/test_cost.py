"""Exact fliptests that are too large: refused with the time they take, and a way out."""

from pathlib import Path

import polars as pl
import pytest

from biaspipe.counts import Group, Table
from biaspipe.errors import SpecError
from biaspipe.fliptest import cost, exact
from biaspipe.fliptest.cost import may_be_too_large
from biaspipe.fliptest.exact import DistinctPass, bounded_distinct_rows
from biaspipe.plan import Comparison, FacetTables
from tests.fliptest.parts import parted
from tests.fliptest.test_fliptest import counted, fliptest
from tests.fliptest.test_sampled import plan_of, rows

COLUMNS = ("key0", "key1", *(f"feature{i}" for i in range(5)))


def sized(favored: int, disfavored: int) -> tuple[FacetTables, ...]:
    """Return the tables of one comparison with so many rows on its sides."""
    table = Table(Group({}, rows=favored), Group({}, rows=disfavored))
    nobody = Group({})
    return (FacetTables("sex", (Comparison("m", "f", ("m",), ("f",), table),), (), {}, {}, nobody),)


def test_too_many_pairs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of too many distinct rows names both sides, the time, and a sample to ask for."""
    people = [("m", 1, i) for i in range(3)] + [("f", 0, i) for i in range(2)] * 5
    monkeypatch.setattr(cost, "MAX_PAIRS", 6)
    assert counted(fliptest(tmp_path, people)) == (10, 0, 10, 3, 0)
    monkeypatch.setattr(cost, "MAX_PAIRS", 5)
    monkeypatch.setattr(cost, "PAIRS_A_MINUTE", 0.6)
    with pytest.raises(SpecError) as refused:
        fliptest(tmp_path, people)
    words = str(refused.value)
    assert "n_d = 2 with n_a = 3 distinct rows, which takes about 10 minutes" in words
    assert "FT: {sample: 20000, seed: 7}" in words


def test_size_is_known_before_rows_are_read() -> None:
    """Tables tell whether a search may be too large; one with a sample never is."""
    large, largest = sized(3 * 10**6, 10**5), sized(3 * 10**6 + 1, 10**5)
    assert not may_be_too_large(plan_of(), large)
    assert may_be_too_large(plan_of(), largest)
    assert not may_be_too_large(plan_of(sample=5), largest)


def test_distinct_rows_may_be_few() -> None:
    """Any number of rows is searched where few of them are distinct."""
    frame = rows(1, 90).drop("id")
    expected = frame.group_by(pl.exclude("n")).agg(pl.col("n").sum())
    found = bounded_distinct_rows(plan_of(), sized(10**6, 10**6), parted(frame, 3, 4))
    assert sorted(found.rows(), key=str) == sorted(expected.rows(), key=str)


def test_many_distinct_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass stops at too many distinct rows, and the refusal counts those of the tables."""
    frame = rows(1, 90).drop("id")
    assert parted(frame, 3, 4)(DistinctPass(10, COLUMNS)) is None
    monkeypatch.setattr(exact, "MAX_ROWS", 10)
    with pytest.raises(SpecError, match="n_d = 1,000,000 with n_a = 30,000,000 distinct rows"):
        bounded_distinct_rows(plan_of(), sized(30 * 10**6, 10**6), parted(frame, 3, 4))


def test_parts_without_rows_merge_with_the_others() -> None:
    """A partition may be empty, the first one too."""
    a_pass = DistinctPass(1_000, COLUMNS)
    whole, nothing = a_pass.of([rows(1, 90)]), a_pass.of([])
    assert whole is not None
    for parts in ([nothing, whole], [whole, nothing], [nothing, nothing, whole]):
        found = a_pass.merged(parts)
        assert found is not None
        assert sorted(found.rows(), key=str) == sorted(whole.rows(), key=str)


def test_a_large_fliptest_of_nobody_is_undefined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that weigh nothing are nobody, whichever way they are counted."""
    people = [("m", 1, 0, 0), ("f", 0, 1, 0)]
    monkeypatch.setattr(cost, "MAX_PAIRS", 0)
    check = fliptest(tmp_path, people, columns=("size", "n"), weight="n")
    assert (check.value, counted(check)) == (None, (0, 0, 0, 0, 0))
