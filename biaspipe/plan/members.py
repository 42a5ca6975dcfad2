"""The people of groups as they are counted: by outcome, in whole numbers.

Under sampling weights they become floats, next to the exact sums.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from biaspipe.counts import Cell, Favorable, Group, Headcount

__all__ = ["PARTS_PER_PERSON", "GroupMembers", "MissingPeople", "group_of", "to_headcount"]

PARTS_PER_PERSON = 2**180
"""Sampling weights are counted in so many parts of a person, in which their sums are exact."""

SURE_DIGITS = 12
"""Decimal digits of a sum of squares that rounding each square to a float leaves alone."""

PeopleByOutcome = Counter[tuple[Favorable, Favorable, str | None]]
"""People by observed outcome, predicted outcome and label category."""

K = TypeVar("K")


@dataclass
class GroupMembers:
    """The people of one group in one stratum, and the rows behind them.

    Parameters
    ----------
    cells : people; under sampling weights, the `PARTS_PER_PERSON` of them.
    rows : rows of the data.
    squares : under sampling weights, the parts of the sums of squared weights.
    """

    cells: PeopleByOutcome = field(default_factory=Counter)
    rows: int = 0
    squares: PeopleByOutcome = field(default_factory=Counter)

    def add(self, outcomes: tuple[Favorable, Favorable, str | None], cell: Cell) -> None:
        """Count a cell."""
        self.cells[outcomes] += cell.n
        self.rows += cell.rows
        if cell.squares:
            self.squares[outcomes] += cell.squares


@dataclass
class MissingPeople:
    """The people of one group who take no part.

    Parameters
    ----------
    rows : rows of the data, by the reason.
    n : people; under sampling weights, the `PARTS_PER_PERSON` of them.
    """

    rows: Counter[str] = field(default_factory=Counter)
    n: int = 0

    def add(self, reason: str, cell: Cell) -> None:
        """Count a cell."""
        self.rows[reason] += cell.rows
        self.n += cell.n


def group_of(
    members: Iterable[GroupMembers], letter: str, *, missing: int = 0, sampled: bool = False
) -> Group:
    """Add up the members of several groups and strata to one group.

    Parameters
    ----------
    members : the people that the group is made up of.
    letter : the side's letter in formulas.
    missing : its people who lack label or prediction, counted as the members count.
    sampled : whether the people were weighed by sampling weights.
    """
    every = GroupMembers()
    for counted in members:
        every.rows += counted.rows
        every.cells.update(counted.cells)
        every.squares.update(counted.squares)
    cells, labels = _by_outcome(every.cells), _by_category(every.cells)
    if not sampled:
        return Group(cells, labels, every.rows, letter, missing=missing)
    squares = every.squares.total()
    kish = every.cells.total() ** 2 / (squares * PARTS_PER_PERSON) if squares else 0
    return Group(
        _people(cells),
        _people(labels),
        every.rows,
        letter,
        _sure(kish),
        to_headcount(missing, sampled=True),
        _squares(_by_outcome(every.squares)),
        _squares(_by_category(every.squares)),
    )


def _by_outcome(people: PeopleByOutcome) -> dict[tuple[Favorable, Favorable], int]:
    """Add up people by observed and predicted outcome."""
    found: Counter[tuple[Favorable, Favorable]] = Counter()
    for (observed, predicted, _), n in people.items():
        found[observed, predicted] += n
    return dict(found)


def _by_category(people: PeopleByOutcome) -> dict[str, int]:
    """Add up people by category of the label, where it has any."""
    found: Counter[str] = Counter()
    for (_, _, category), n in people.items():
        if category is not None:
            found[category] += n
    return dict(found)


def _squares(parts: Mapping[K, int]) -> dict[K, Headcount]:
    return {key: _sure(n / PARTS_PER_PERSON) for key, n in parts.items()}


def _sure(number: float) -> Fraction:
    """Return a number in the digits that rounding squares leaves alone."""
    return Fraction(float(f"{number:.{SURE_DIGITS}g}"))


def to_headcount(n: int, *, sampled: bool) -> Headcount:
    """Return a number of people as a report can hold it: under sampling weights, that of a float.

    Parameters
    ----------
    n : people, or under sampling weights the `PARTS_PER_PERSON` of them.
    sampled : whether they were weighed by sampling weights.
    """
    return Fraction(n / PARTS_PER_PERSON) if sampled else n


def _people(parts: Mapping[K, int]) -> dict[K, Headcount]:
    return {key: to_headcount(n, sampled=True) for key, n in parts.items()}
