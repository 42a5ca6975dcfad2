"""What the fliptest owes to single members of the favored group: the chance in its neighbours.

A neighbour that several members of the disfavored group have in common moves their flips together,
by which the share of flips varies more than if each member had neighbours of its own.
Each person of the favored group is taken away in turn, as by the jackknife, and the next one votes
instead. Who changes then is known from the lists of neighbours, so that nothing is searched again.
All sums are of whole numbers, and the same in whatever order they are made.
"""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from biaspipe.fliptest.nearest import ANYBODY, Nearest

__all__ = ["MOST_TOLD", "Influence"]

MOST_TIED = 1_000
"""Rows equally near to one member up to which they are told apart."""
MOST_TOLD = 1_000_000
"""Neighbours of a block of members that are held one by one."""

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Influence:
    """By how many flips the result changes where a person of the favored group is missing.

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
        self.is_known = True
        self._lock = Lock()

    def add(self, found: Nearest, members: Ints) -> None:
        """Add what some members owe to their neighbours.

        Parameters
        ----------
        found : the nearest k + 1 of each member, told apart.
        members : the members' rows of d.
        """
        near = found.kept(self.k)
        ties = np.bincount(near.rows, minlength=near.size)
        if np.any(near.who == ANYBODY) or ties.max(initial=0) > MOST_TIED:
            self.is_known = False
            return
        people, favorable = self.members[members], self.favorable[members]
        if_yes, if_no = self._changes(found, near, favorable)
        change = np.where(near.yes > 0, if_yes[near.rows], if_no[near.rows])
        moved = change != 0
        who, people, change = near.who[moved], people[near.rows][moved], change[moved]
        with self._lock:
            np.add.at(self.changes, who, people * change)
            np.add.at(self.squares, who, people * change * change)

    def _changes(self, found: Nearest, near: Nearest, favorable: Bools) -> tuple[Ints, Ints]:
        """Return each member's change without one favorable, and one other, of its neighbours.

        Where just k people vote, those next to them do so too once one of them is missing.
        """
        margin, votes = near.margin(), np.zeros(near.size, dtype=np.int64)
        np.add.at(votes, near.rows, near.yes + near.no)
        more = np.where(votes == self.k, found.margin() - margin, 0)
        before = _flip(margin, favorable)
        if_yes, if_no = (before - _flip(margin - vote + more, favorable) for vote in (1, -1))
        return if_yes, if_no

    @property
    def shared(self) -> int | None:
        """Twice the sum, over pairs of members, of what both owe to the neighbours they share.

        That is the jackknife's sum of squared changes, without the part that is each member's own
        and varies with the member. None where neighbours could not be told apart; not negative.
        """
        if not self.is_known:
            return None
        moved = np.flatnonzero(self.squares)
        columns = (self.neighbours[moved], self.changes[moved], self.squares[moved])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        total: int = sum(people * (change * change - own) for people, change, own in rows)
        return max(0, total)


def _flip(margin: Ints, favorable: Bools) -> Ints:
    """Return 1 for a flip to the favorable, -1 for one away from it, 0 for none."""
    to, away = (margin > 0) & ~favorable, (margin < 0) & favorable
    return to.astype(np.int64) - away.astype(np.int64)
