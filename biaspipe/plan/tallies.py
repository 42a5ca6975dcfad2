"""Counted people added up to groups: whole numbers, or floats next to the exact sums of weights."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from biaspipe.counts import Cell, Group, Outcome

__all__ = ["PARTS", "Tally", "group_of"]

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


def group_of(tallies: Iterable[Tally], letter: str, *, sampled: bool = False) -> Group:
    """Add up tallies to a group.

    Parameters
    ----------
    tallies : whose people the group is made up of.
    letter : the side's letter in formulas.
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
        return Group(dict(cells), dict(labels), rows, letter)
    kish = cells.total() ** 2 / (squares * PARTS) if squares else 0
    effective = Fraction(float(f"{kish:.{SURE_DIGITS}g}"))
    return Group(_people(cells), _people(labels), rows, letter, effective)


def _people(parts: Mapping[Key, int]) -> dict[Key, Fraction]:
    """Return people as a report can hold them: each number is exactly that of a float."""
    return {key: Fraction(n / PARTS) for key, n in parts.items()}
