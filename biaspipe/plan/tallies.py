"""Counted people added up to groups: whole numbers, or floats next to the exact sums of weights."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from biaspipe.counts import Cell, Group, Headcount, Outcome

__all__ = ["PARTS", "Losses", "Tally", "group_of", "people_in"]

PARTS = 2**180
"""Sampling weights are counted in so many parts of a person, in which their sums are exact."""

SURE_DIGITS = 12
"""Decimal digits of a sum of squares that rounding each square to a float leaves alone."""

Cells = Counter[tuple[Outcome, Outcome, str | None]]
"""People by observed outcome, predicted outcome and label category."""

Key = TypeVar("Key")


@dataclass
class Tally:
    """The people of one group in one stratum, and the rows behind them.

    Parameters
    ----------
    cells : people; under sampling weights, the `PARTS` of them.
    rows : rows of the data.
    squares : under sampling weights, the parts of the sum of squared weights.
    """

    cells: Cells = field(default_factory=Counter)
    rows: int = 0
    squares: int = 0

    def add(self, outcomes: tuple[Outcome, Outcome, str | None], cell: Cell) -> None:
        """Count a cell."""
        self.cells[outcomes] += cell.n
        self.rows += cell.rows
        self.squares += cell.squares


@dataclass
class Losses:
    """The people of one group who take no part.

    Parameters
    ----------
    rows : rows of the data, by the reason.
    n : people; under sampling weights, the `PARTS` of them.
    """

    rows: Counter[str] = field(default_factory=Counter)
    n: int = 0

    def add(self, reason: str, cell: Cell) -> None:
        """Count a cell."""
        self.rows[reason] += cell.rows
        self.n += cell.n


def group_of(
    tallies: Iterable[Tally], letter: str, *, missing: int = 0, sampled: bool = False
) -> Group:
    """Add up tallies to a group.

    Parameters
    ----------
    tallies : whose people the group is made up of.
    letter : the side's letter in formulas.
    missing : its people who lack label or prediction, counted as the tallies count.
    sampled : whether the people were weighed by sampling weights.
    """
    cells: Counter[tuple[Outcome, Outcome]] = Counter()
    labels: Counter[str] = Counter()
    rows = squares = 0
    for tally in tallies:
        rows += tally.rows
        squares += tally.squares
        for (observed, predicted, category), n in tally.cells.items():
            cells[observed, predicted] += n
            if category is not None:
                labels[category] += n
    if not sampled:
        return Group(dict(cells), dict(labels), rows, letter, missing=missing)
    kish = cells.total() ** 2 / (squares * PARTS) if squares else 0
    effective = Fraction(float(f"{kish:.{SURE_DIGITS}g}"))
    lost = people_in(missing, sampled=True)
    return Group(_people(cells), _people(labels), rows, letter, effective, lost)


def people_in(n: int, *, sampled: bool) -> Headcount:
    """Return a number of people as a report can hold it: under sampling weights, that of a float.

    Parameters
    ----------
    n : people, or under sampling weights the `PARTS` of them.
    sampled : whether they were weighed by sampling weights.
    """
    return Fraction(n / PARTS) if sampled else n


def _people(parts: Mapping[Key, int]) -> dict[Key, Headcount]:
    return {key: people_in(n, sampled=True) for key, n in parts.items()}
