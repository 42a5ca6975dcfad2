"""People by the groups of several facets at once: what subgroups are made of."""

from typing import NamedTuple

__all__ = ["IN_NO_GROUP", "MOST_JOINT_CELLS", "NO_VALUE", "JointCell", "JointCells"]

IN_NO_GROUP = -1
"""The code of people in none of a facet's groups: they are among the rest of each of them."""
NO_VALUE = -2
"""The code of people without a value of a facet, who may be of any of its groups."""

MOST_JOINT_CELLS = 100_000
"""Combinations of the groups of several facets among which subgroups are searched."""


class JointCell(NamedTuple):
    """People who are in the same groups.

    Parameters
    ----------
    codes : for each facet the position of their group, `IN_NO_GROUP` or `NO_VALUE`.
    whole : those of them whom a rate is a share of.
    part : of these, those whom it counts.
    """

    codes: tuple[int, ...]
    whole: int
    part: int


class JointCells(NamedTuple):
    """All people whose outcomes are known, by the groups of several facets.

    Parameters
    ----------
    groups : for each facet the names of its groups.
    cells : people by their groups, sorted by code, each combination once.
    """

    groups: tuple[tuple[str, ...], ...]
    cells: tuple[JointCell, ...]
