"""What the fliptest owes to single members of the favored group: the chance in its neighbours.

A neighbour that several members of the disfavored group have in common moves their flips together,
by which the share of flips varies more than if each member had neighbours of its own.

Where just k people vote, each person of the favored group is taken away in turn, as by the
jackknife, and the next one votes instead. Where more vote, since they are equally near, one of
them seldom turns the vote, though another sample may: each of them is then owed an equal part of
the variance that the vote has, as a count of so many is binomial.
Who votes is known from the lists of neighbours, so that nothing is searched again.
All sums are of whole numbers, and the same in whatever order they are made.
"""

from math import isqrt
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from biaspipe.fliptest.nearest import ANYBODY, Nearest

__all__ = ["MOST_TIED", "MOST_TOLD", "Influence"]

MOST_TIED = 3_900
"""Rows equally near to one member up to which they are told apart."""
MOST_TOLD = 1_000_000
"""Neighbours of a block of members that are held one by one: more than of 256 members so tied."""

UNIT = 1 << 20
"""The parts of a flip in which changes are counted."""
OPEN, SURE = 3, 25
"""Squared standard errors between a vote and a draw: up to which it is a coin's, and beyond which
it is certain."""

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Influence:
    """By how many flips the result changes where a person of the favored group is another.

    Parameters
    ----------
    neighbours : how many people each row of a stands for.
    members, favorable : how many people each row of d stands for, and their predictions.
    k : nearest people that vote, the ties with the last one included.
    """

    def __init__(self, neighbours: Ints, members: Ints, favorable: Bools, k: int) -> None:
        self.neighbours, self.members, self.favorable, self.k = neighbours, members, favorable, k
        self.changes = np.zeros(len(neighbours), dtype=np.int64)
        self.squares = np.zeros(len(neighbours), dtype=np.int64)
        self.own = self.together = 0
        self._lock = Lock()

    def add(self, found: Nearest, members: Ints) -> None:
        """Add what some members owe to their neighbours.

        Parameters
        ----------
        found : the nearest k + 1 of each member, told apart.
        members : the members' rows of d.
        """
        near = found.kept(self.k)
        people, votes = self.members[members], near.votes()
        deviation = _deviation(near.margin(), votes)
        told = np.bincount(near.rows, minlength=near.size) <= MOST_TIED
        told[near.rows[near.who == ANYBODY]] = False
        tied = votes > self.k
        with self._lock:
            self.together += int((people * deviation)[~told].sum())
        self._add_tied(near, people * (told & tied), votes, deviation)
        self._add_untied(found, near, people * ~tied, self.favorable[members])

    def _add_tied(self, near: Nearest, people: Ints, votes: Ints, deviation: Ints) -> None:
        """Add what members whose neighbours are tied owe to each: a part of the vote's variance."""
        part = np.ceil(deviation / np.sqrt(np.maximum(votes, 1))).astype(np.int64)
        change = (people * part)[near.rows] * np.where(near.yes > 0, 1, -1)
        own = people * (deviation * deviation // UNIT)
        moved = change != 0
        with self._lock:
            np.add.at(self.changes, near.who[moved], change[moved])
            self.own += int(own.sum())

    def _add_untied(self, found: Nearest, near: Nearest, people: Ints, favorable: Bools) -> None:
        """Add what changes for members without each of their k neighbours."""
        if_yes, if_no = self._changes(found, near, favorable)
        change = np.where(near.yes > 0, if_yes[near.rows], if_no[near.rows])
        people = people[near.rows]
        moved = (change != 0) & (people > 0)
        who, people, change = near.who[moved], people[moved], change[moved]
        with self._lock:
            np.add.at(self.changes, who, people * change * UNIT)
            np.add.at(self.squares, who, people * change * change)

    @staticmethod
    def _changes(found: Nearest, near: Nearest, favorable: Bools) -> tuple[Ints, Ints]:
        """Return each member's change without one favorable, and one other, of its k neighbours.

        Those next to them vote once one of them is missing.
        """
        margin, more = near.margin(), found.margin()
        before = _flip(margin, favorable)
        if_yes, if_no = (before - _flip(more - vote, favorable) for vote in (1, -1))
        return if_yes, if_no

    @property
    def shared(self) -> int:
        """Twice the sum, over pairs of members, of what both owe to the neighbours they share.

        That is the sum of squared changes, without the part that is each member's own and varies
        with the member; rounded up, not negative. Where neighbours are not told apart, it is the
        most that it can be: as if those votes turned together, and with all others.
        """
        moved = np.flatnonzero(self.changes | self.squares)
        columns = (self.neighbours[moved], self.changes[moved], self.squares[moved])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        known = sum(people * (change**2 - own * UNIT**2) for people, change, own in rows)
        total = max(0, known - self.own * UNIT)
        if self.together:
            total = (isqrt(total) + 1 + self.together) ** 2
        shared: int = -(-total // UNIT**2)
        return shared


def _flip(margin: Ints, favorable: Bools) -> Ints:
    """Return 1 for a flip to the favorable, -1 for one away from it, 0 for none."""
    to, away = (margin > 0) & ~favorable, (margin < 0) & favorable
    return to.astype(np.int64) - away.astype(np.int64)


def _deviation(margin: Ints, votes: Ints) -> Ints:
    """Return the standard deviation of each vote over samples, in units, rather too large.

    A vote within `OPEN` squared standard errors of a draw is a coin's; beyond that its deviation
    falls with them, slowly enough that an interval at any usual confidence still reaches a draw
    where a binomial one does.
    """
    squared = margin.astype(np.float64) ** 2
    distance = np.maximum(np.maximum(OPEN * votes, squared), 1)
    deviation = np.ceil(UNIT * OPEN * votes / (2 * distance))
    return np.where(squared > SURE * votes, 0, deviation).astype(np.int64)
