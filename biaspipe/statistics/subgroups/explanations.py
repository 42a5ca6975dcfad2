"""Which subgroups stand for others: those that another one explains are folded under it."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import JointCell
from biaspipe.statistics.subgroups.slices import Ints, Slices, cells_of

__all__ = ["Found", "explained"]

MAX_EXPLAINED = 500
"""Subgroups that are compared with each other, those of the largest statistics."""
MOST_LEFT = 0.5
"""The share of its gap that a subgroup may keep where another one explains it."""

Mask = NDArray[np.bool_]
Counts = tuple[int, int]
"""People, and those of them whom the rate counts."""


class Found(NamedTuple):
    """What was found, and what tells a difference from chance.

    Parameters
    ----------
    statistics : the statistic of every subgroup, above 0 where its rate is above that of the rest.
    positions : the subgroups that were found.
    critical : the size of a statistic beyond which a difference is no chance.
    min_rows : people that both sides of a comparison have to have.
    harmed_above : whether a rate above that of the rest is to the disadvantage of a subgroup.
    """

    statistics: Sequence[float]
    positions: Sequence[int]
    critical: float
    min_rows: int
    harmed_above: bool

    def is_harmed(self, i: int) -> bool:
        """Whether the rate of a subgroup is to its disadvantage."""
        return (self.statistics[i] > 0) == self.harmed_above


def explained(slices: Slices, cells: Sequence[JointCell], found: Found) -> dict[int, int]:
    """Return for each subgroup that was found the one that explains it, itself where none does.

    They are gone through by the size of their statistics, the disadvantaged before the advantaged.
    One that stands for itself explains another of its direction where of the other's gap at most
    half is left without it, and no more than chance may leave: the gap to its other people, if
    the other is within it, else the gap without its people on either side. What is left has to be
    large enough to tell. Where one of its groups alone was found too, and explains it, that
    simpler one takes its place. An advantaged one may be explained by a disadvantaged one, of
    which it is the mirror image; never the other way round.

    Parameters
    ----------
    slices : every subgroup.
    cells : the people that they are made of.
    found : those that were found.
    """
    ranked = sorted(
        found.positions,
        key=lambda i: (
            not found.is_harmed(i),
            -abs(found.statistics[i]),
            len(slices.examined[i].terms),
            i,
        ),
    )[:MAX_EXPLAINED]
    people = _People(slices, cells, ranked, found)
    standing: list[int] = []
    by: dict[int, int] = {}
    for i in ranked:
        if i in by:
            continue
        other = people.explanation(i, standing)
        if other is not None:
            by[i] = other
            continue
        simplest = people.simplest(i, [j for j in ranked if j not in by], standing)
        standing.append(simplest)
        by[simplest] = by[i] = simplest
    return by


class _People:
    """The people of subgroups, and what is left of the gap of some without others."""

    def __init__(
        self, slices: Slices, cells: Sequence[JointCell], chosen: Sequence[int], found: Found
    ) -> None:
        wanted, facets = set(chosen), [one.known for one in slices.sets for _ in one.starts]
        self.counts = np.array([cell[1:] for cell in cells], dtype=np.int64).reshape(-1, 2)
        self.cells = {i: own for i, own in enumerate(cells_of(slices)) if i in wanted}
        self.inside = {i: self._mask(own) for i, own in self.cells.items()}
        self.known = {i: self._mask(facets[i]) for i in wanted if len(facets[i]) < len(cells)}
        self.slices, self.found = slices.examined, found

    def _mask(self, cells: Ints) -> Mask:
        mask = np.zeros(len(self.counts), dtype=bool)
        mask[cells] = True
        return mask

    def _shared(self, i: int, mask: Mask) -> Counts:
        """Count the people of a subgroup who are among others, and those whom the rate counts."""
        cells = self.cells[i]
        whole, part = self.counts[cells[mask[cells]]].sum(axis=0).tolist()
        return whole, part

    def explanation(self, i: int, standing: Iterable[int]) -> int | None:
        """Return which of the subgroups that stand for themselves explains another one."""
        return next((j for j in standing if self._explains(j, i)), None)

    def simplest(self, i: int, found: Sequence[int], standing: Sequence[int]) -> int:
        """Return the simplest of the subgroups around one that explains it, or itself.

        Parameters
        ----------
        i : the subgroup.
        found : those that may stand for it.
        standing : those that stand for themselves; what they explain may not stand for others.
        """
        terms = set(self.slices[i].terms)
        around = [j for j in found if set(self.slices[j].terms) < terms]
        around = [j for j in around if self.explanation(j, standing) is None]
        around.sort(key=lambda j: len(self.slices[j].terms))
        alike = self.explanation(i, around)
        return i if alike is None else alike

    def _explains(self, j: int, i: int) -> bool:
        """Whether one subgroup explains another."""
        _, whole, part, rest, counted = self.slices[i]
        of, of_part = self.slices[j].whole, self.slices[j].part
        both, both_part = self._shared(i, self.inside[j])
        alike = self.found.is_harmed(i) == self.found.is_harmed(j)
        if alike and both == whole:
            return self._is_little(i, (whole, part), (of - whole, of_part - part))
        if i in self.known:
            of, of_part = self._shared(j, self.known[i])
        if not alike:
            if self.found.is_harmed(i) or both:
                return False
            if of == rest == self.slices[j].whole:  # each is the rest of the other
                return True
        left = rest - (of - both), counted - (of_part - both_part)
        return self._is_little(i, (whole - both, part - both_part), left)

    def _is_little(self, i: int, own: Counts, others: Counts) -> bool:
        """Whether between some of its people and others little is left of a subgroup's gap."""
        (whole, part), (of, counted) = own, others
        if min(whole, of) < self.found.min_rows:
            return False
        one = self.slices[i]
        gap = one.part / one.whole - one.rest_part / one.rest_whole
        left = (part / whole - counted / of) * (-1 if gap < 0 else 1)
        rate = (part + counted) / (whole + of)
        scale = sqrt(rate * (1 - rate) * (1 / whole + 1 / of))
        return left <= min(MOST_LEFT * abs(gap), self.found.critical * scale)
