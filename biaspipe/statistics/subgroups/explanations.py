"""Which subgroups stand for others: those that a simpler or a sharper one explains are folded."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import JointCell
from biaspipe.statistics.subgroups.slices import Ints, Slices, cells_of

__all__ = ["explained"]

MAX_EXPLAINED = 1_000
"""Subgroups that are compared with each other, those of the largest statistics."""

Mask = NDArray[np.bool_]


def explained(
    slices: Slices,
    cells: Sequence[JointCell],
    statistics: Sequence[float],
    found: Sequence[int],
    critical: float,
) -> dict[int, int]:
    """Return for each subgroup that was found the one that explains it, itself where none does.

    They are gone through by the size of their statistics. A subgroup within one that stands for
    itself has to differ from the other people of that one; any other has to differ from its rest
    where the people of all that stand for themselves are taken out of both. Where one of its
    groups alone was found too, and the subgroup does not differ from the others of it, that
    simpler one takes its place.

    Parameters
    ----------
    slices : every subgroup.
    cells : the people that they are made of.
    statistics : the statistic of each.
    found : the positions of those that were found.
    critical : the size of a statistic beyond which a difference is no chance.
    """
    ranked = sorted(found, key=lambda i: (-abs(statistics[i]), len(slices.examined[i].terms), i))[
        :MAX_EXPLAINED
    ]
    people = _People(slices, cells, ranked, critical)
    standing: list[int] = []
    by: dict[int, int] = {}
    for i in ranked:
        if i in by:
            continue
        other = people.explanation(i, standing)
        if other is not None:
            by[i] = other
            continue
        simplest = people.simplest(i, [j for j in ranked if j not in by])
        standing.append(simplest)
        by[simplest] = by[i] = simplest
    return by


class _People:
    """The people of subgroups, and whether some of them differ from others."""

    def __init__(
        self, slices: Slices, cells: Sequence[JointCell], chosen: Sequence[int], critical: float
    ) -> None:
        wanted, facets = set(chosen), [one.known for one in slices.sets for _ in one.starts]
        self.counts = np.array([cell[1:] for cell in cells], dtype=np.int64).reshape(-1, 2)
        self.inside = {i: self._mask(own) for i, own in enumerate(cells_of(slices)) if i in wanted}
        self.known = {i: self._mask(facets[i]) for i in wanted}
        self.slices, self.critical = slices.examined, critical

    def _mask(self, cells: Ints) -> Mask:
        mask = np.zeros(len(self.counts), dtype=bool)
        mask[cells] = True
        return mask

    def explanation(self, i: int, standing: Sequence[int]) -> int | None:
        """Return which of the subgroups that stand for themselves explains another one."""
        own, known = self.inside[i], self.known[i]
        for j in standing:
            others = self.inside[j]
            if not (own & ~others).any() and not self._differ(own, others & ~own):
                return j
        within = [j for j in standing if not (own & ~self.inside[j]).any()]
        if within or not standing:
            return None
        taken = np.zeros_like(own)
        for j in standing:
            taken |= self.inside[j]
        if self._differ(own & ~taken, known & ~own & ~taken):
            return None
        alone = (
            j
            for j in standing
            if not self._differ(own & ~self.inside[j], known & ~own & ~self.inside[j])
        )
        return next(alone, standing[0])

    def simplest(self, i: int, found: Sequence[int]) -> int:
        """Return the simplest of the subgroups around one from whose others it does not differ."""
        terms = set(self.slices[i].terms)
        around = [j for j in found if set(self.slices[j].terms) < terms]
        around.sort(key=lambda j: len(self.slices[j].terms))
        own = self.inside[i]
        alike = (j for j in around if not self._differ(own, self.inside[j] & ~own))
        return next(alike, i)

    def _differ(self, one: Mask, other: Mask) -> bool:
        """Whether two sets of people who have nobody in common differ by more than chance."""
        (whole, part), (of, counted) = (
            self.counts[mask].sum(axis=0).tolist() for mask in (one, other)
        )
        if not whole or not of:
            return False
        rate = (part + counted) / (whole + of)
        scale = sqrt(rate * (1 - rate) * (1 / whole + 1 / of))
        return scale > 0 and abs(part / whole - counted / of) / scale > self.critical
