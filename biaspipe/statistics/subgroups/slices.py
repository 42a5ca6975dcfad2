"""The subgroups that the groups of some facets describe, alone and together; with numpy."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import IN_NO_GROUP, MOST_JOINT_CELLS, NO_VALUE, JointCells
from biaspipe.errors import DataError

__all__ = ["FacetSet", "Ints", "Slice", "Slices", "cells_of", "slices_of"]

Ints = NDArray[np.int64]

MAX_SLICES = 50_000
"""Subgroups that are looked at."""
LARGEST_MARK = 2**62


class Slice(NamedTuple):
    """A subgroup, and the rest: who has a value of its facets and is not of it.

    Parameters
    ----------
    terms : the groups that describe it, each as the positions of a facet and of a group of it.
    whole, part : its people whom a rate is a share of, and those of them whom it counts.
    rest_whole, rest_part : the same of the rest.
    """

    terms: tuple[tuple[int, int], ...]
    whole: int
    part: int
    rest_whole: int
    rest_part: int

    @property
    def smaller(self) -> int:
        """People of the smaller side."""
        return min(self.whole, self.rest_whole)


class FacetSet(NamedTuple):
    """The subgroups that a set of facets describes, as sums over cells.

    Parameters
    ----------
    known : the cells of people with a value of each of these facets.
    order : the cells of the subgroups that are examined, one subgroup after the other.
    starts : where in `order` each of them begins.
    """

    known: Ints
    order: Ints
    starts: Ints

    def cells_of(self, i: int) -> Ints:
        """Return the cells of one of its subgroups."""
        ends = [*self.starts[1:], len(self.order)]
        return self.order[self.starts[i] : ends[i]]


class Slices(NamedTuple):
    """Every subgroup of some facets.

    Parameters
    ----------
    examined : those that are looked at, in the order of `sets` and their subgroups.
    sets : the same by facets.
    repeated : how many others split the people just as one of these does.
    small : those that are too small, or whose rest is.
    in_small : how many people are in one of the small ones, of those whom the rate is a share of.
    """

    examined: tuple[Slice, ...]
    sets: tuple[FacetSet, ...]
    repeated: int
    small: tuple[Slice, ...]
    in_small: int


def slices_of(cells: JointCells, order: int, min_rows: int) -> Slices:
    """Find the subgroups that up to `order` groups of different facets describe.

    Parameters
    ----------
    cells : the people by the groups of all facets.
    order : how many facets describe a subgroup at most.
    min_rows : people that a subgroup and its rest have to have each.

    Raises
    ------
    DataError
        If there are more cells or subgroups than are looked at.
    """
    if len(cells.cells) > MOST_JOINT_CELLS:
        words = f"subgroups: {len(cells.cells):,} combinations of groups, and at most"
        raise DataError(f"{words} {MOST_JOINT_CELLS:,} are searched")
    codes = np.array([c.codes for c in cells.cells], dtype=np.int64)
    codes = codes.reshape(len(cells.cells), len(cells.groups))
    counts = np.array([c[1:] for c in cells.cells], dtype=np.int64).reshape(-1, 2)
    marks = np.random.RandomState(0).randint(1, LARGEST_MARK, len(codes), dtype=np.int64)
    finder = _Finder(codes, counts, marks.astype(np.uint64) * (counts[:, 0] > 0), min_rows)
    for number in range(1, order + 1):
        for facets in combinations(range(codes.shape[1]), number):
            finder.look(facets)
    return finder.found()


class _Finder:
    """Goes through sets of facets; who is split alike is told by sums of random marks of cells."""

    def __init__(self, codes: Ints, counts: Ints, marks: NDArray[np.uint64], min_rows: int) -> None:
        self.codes, self.counts, self.marks, self.min_rows = codes, counts, marks, min_rows
        self.seen: set[tuple[int, int]] = set()
        self.examined: list[Slice] = []
        self.small: list[Slice] = []
        self.in_small = np.zeros(len(codes), dtype=bool)
        self.sets: list[FacetSet] = []
        self.repeated = 0

    def look(self, facets: tuple[int, ...]) -> None:
        """Sort out the subgroups of a set of facets."""
        own = self.codes[:, facets]
        inside = np.flatnonzero((own > IN_NO_GROUP).all(axis=1))
        if not len(inside):
            return
        known = np.flatnonzero((own > NO_VALUE).all(axis=1))
        groups, which = np.unique(own[inside], axis=0, return_inverse=True)
        if len(self.examined) + len(self.small) + len(groups) > MAX_SLICES:
            raise DataError(
                f"subgroups: there are more than {MAX_SLICES:,} subgroups to look at",
                hint="search fewer facets, a lower order, or give facets of many values `groups`",
            )
        order = inside[np.argsort(which.ravel(), kind="stable")]
        starts = np.searchsorted(np.sort(which.ravel()), np.arange(len(groups)))
        sums = np.add.reduceat(self.counts[order], starts)
        rest = self.counts[known].sum(axis=0) - sums
        mark = np.add.reduceat(self.marks[order], starts)
        kept = []
        ends = [*starts[1:], len(order)]
        found = zip(groups, sums.tolist(), rest.tolist(), mark, strict=True)
        for i, (group, own_sums, rest_sums, own_mark) in enumerate(found):
            terms = tuple(zip(facets, group.tolist(), strict=True))
            slice_ = Slice(terms, *own_sums, *rest_sums)
            if slice_.smaller < self.min_rows:
                self.small.append(slice_)
                self.in_small[order[starts[i] : ends[i]]] = True
            elif self._is_new(
                int(own_mark), (int(self.marks[known].sum()) - int(own_mark)) % 2**64
            ):
                self.examined.append(slice_)
                kept.append(order[starts[i] : ends[i]])
        if kept:
            begins = np.cumsum([0, *map(len, kept[:-1])])
            self.sets.append(FacetSet(known, np.concatenate(kept), begins))

    def _is_new(self, own: int, rest: int) -> bool:
        """Whether no subgroup before has the same people, against the same rest."""
        is_new = (own, rest) not in self.seen
        self.seen.add((own, rest))
        self.repeated += not is_new
        return is_new

    def found(self) -> Slices:
        """Return all that was found."""
        people = int(self.counts[self.in_small, 0].sum())
        examined, small = tuple(self.examined), tuple(self.small)
        return Slices(examined, tuple(self.sets), self.repeated, small, people)


def cells_of(slices: Slices) -> Iterator[Ints]:
    """Yield the cells of every subgroup that is examined."""
    for facets in slices.sets:
        yield from (facets.cells_of(i) for i in range(len(facets.starts)))
