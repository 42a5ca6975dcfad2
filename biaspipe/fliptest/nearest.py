"""The running nearest neighbours of some members: what has been seen, merged with what comes.

What is kept of a member's neighbours is a list of distances, each with the people at it, down to
the k-th person and the ties with it; where it matters who they are, each row of them apart.
It neither grows with the rows that are searched nor depends on their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ANYBODY", "MAX_PEOPLE", "TIE_TOLERANCE", "Nearest"]

ANYBODY = -1
"""The position of neighbours who are not told apart."""

TIE_TOLERANCE = 1e-9
"""Relative difference of squared distances below which two neighbours are equally near."""

MAX_PEOPLE = 2.0**61
"""More than a summary may count."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Nearest:
    """The people near each of some members, by distance.

    Parameters
    ----------
    size : how many members there are.
    rows : member by member, the position of the member, from 0.
    squared : the squared distances to it, ascending; each once, unless neighbours are told apart.
    yes, no : the people at this distance whose prediction is favorable, and the others.
    who : the position of the row that they are, or `ANYBODY`.
    """

    size: int
    rows: Ints
    squared: Floats
    yes: Ints
    no: Ints
    who: Ints

    @classmethod
    def of(cls, size: int, rows: Ints, squared: Floats, yes: Ints, no: Ints) -> "Nearest":
        """Return lists of people who are not told apart."""
        return cls(size, rows, squared, yes, no, np.full(len(rows), ANYBODY))

    @classmethod
    def nobody(cls, size: int) -> "Nearest":
        """Return members of whose neighbours nothing has been seen."""
        none = np.zeros(0, dtype=np.int64)
        return cls(size, none, np.zeros(0), none, none, none)

    @classmethod
    def stacked(cls, parts: Sequence["Nearest"]) -> "Nearest":
        """Put lists of different members one below the other."""
        before = np.cumsum([0, *(part.size for part in parts)])
        rows = [part.rows + start for part, start in zip(parts, before, strict=False)]
        return cls(
            int(before[-1]),
            np.concatenate([*rows, np.zeros(0, dtype=np.int64)]),
            np.concatenate([*(part.squared for part in parts), np.zeros(0)]),
            np.concatenate([*(part.yes for part in parts), np.zeros(0, dtype=np.int64)]),
            np.concatenate([*(part.no for part in parts), np.zeros(0, dtype=np.int64)]),
            np.concatenate([*(part.who for part in parts), np.zeros(0, dtype=np.int64)]),
        )

    def part(self, start: int, stop: int) -> "Nearest":
        """Return the lists of the members from `start` to before `stop`."""
        low, high = np.searchsorted(self.rows, (start, stop))
        span = slice(low, high)
        columns = (self.squared[span], self.yes[span], self.no[span], self.who[span])
        return Nearest(stop - start, self.rows[span] - start, *columns)

    def merged(self, others: Sequence["Nearest"], k: int) -> "Nearest":
        """Return the nearest of what this and other lists of the same members have seen."""
        lists = [self, *others]
        rows = np.concatenate([part.rows for part in lists])
        squared = np.concatenate([part.squared for part in lists])
        order = np.lexsort((squared, rows))
        columns = ([getattr(part, name) for part in lists] for name in ("yes", "no", "who"))
        yes, no, who = (np.concatenate(parts)[order] for parts in columns)
        return Nearest(self.size, rows[order], squared[order], yes, no, who).summed().kept(k)

    def summed(self) -> "Nearest":
        """Return the lists with the people at one distance as one, unless they are told apart."""
        if not len(self.rows):
            return self
        columns = (self.rows, self.squared, self.who)
        new = np.any([column[1:] != column[:-1] for column in columns], axis=0)
        first = np.flatnonzero(np.r_[True, new])
        rows, squared, who = self.rows[first], self.squared[first], self.who[first]
        yes, no = (np.add.reduceat(people, first) for people in (self.yes, self.no))
        return Nearest(self.size, rows, squared, yes, no, who)

    def untold(self) -> "Nearest":
        """Return the lists with neighbours who are not told apart, which takes less memory."""
        return Nearest.of(self.size, self.rows, self.squared, self.yes, self.no).summed()

    def untold_where_more(self, most: int) -> "Nearest":
        """Return the lists with the farthest people as one, of members who have more rows."""
        if not len(self.rows):
            return self
        last = np.r_[self.rows[1:] != self.rows[:-1], True]
        farthest = np.zeros(self.size)
        farthest[self.rows[last]] = self.squared[last] * (1 - 2 * TIE_TOLERANCE)
        is_many = np.bincount(self.rows, minlength=self.size) > most
        is_one = is_many[self.rows] & (self.squared >= farthest[self.rows])
        who = np.where(is_one, ANYBODY, self.who)
        return Nearest(self.size, self.rows, self.squared, self.yes, self.no, who).summed()

    def kept(self, k: int) -> "Nearest":
        """Return the lists without anybody farther than the k-th person."""
        near = self.squared <= (self.radius(k) * (1 + TIE_TOLERANCE))[self.rows]
        yes, no, who = (column[near] for column in (self.yes, self.no, self.who))
        return Nearest(self.size, self.rows[near], self.squared[near], yes, no, who)

    def radius(self, k: int) -> Floats:
        """Return the squared distance to the k-th person of each member; infinite with fewer."""
        found = np.full(self.size, np.inf)
        if not len(self.rows):
            return found
        reached = np.cumsum(self.yes + self.no)
        first = np.flatnonzero(np.r_[True, self.rows[1:] != self.rows[:-1]])
        last = np.r_[first[1:], len(self.rows)] - 1
        before = np.r_[0, reached[last[:-1]]]
        enough = reached[last] - before >= k
        places = np.searchsorted(reached, before[enough] + k)
        found[self.rows[first[enough]]] = self.squared[places]
        return found

    @property
    def is_sound(self) -> bool:
        """Whether the lists are what they are said to be, as far as can be seen."""
        inside = (self.rows >= 0) & (self.rows < self.size) & (self.squared >= 0)
        counts = (self.yes >= 0) & (self.no >= 0)
        in_order = np.all(self.rows[1:] >= self.rows[:-1])
        people = self.yes.sum(dtype=np.float64) + self.no.sum(dtype=np.float64)
        return bool(inside.all() and counts.all() and in_order and people < MAX_PEOPLE)

    def votes(self) -> Ints:
        """Return how many people are kept of each member."""
        votes = np.zeros(self.size, dtype=np.int64)
        np.add.at(votes, self.rows, self.yes + self.no)
        return votes

    def margin(self) -> Ints:
        """Return by how many votes the people kept are for a favorable prediction."""
        votes = np.zeros(self.size, dtype=np.int64)
        np.add.at(votes, self.rows, self.yes - self.no)
        return votes
