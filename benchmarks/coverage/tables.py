"""The tables and lists that the benchmark of coverage prints."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median

from scenes import FROM_PEOPLE
from tallies import Cell

__all__ = [
    "OUTSIDE",
    "Line",
    "coverage_table",
    "event_table",
    "lines",
    "listed",
    "method_table",
    "width_table",
]

COLUMNS = ((0, 20), (20, 50), (50, 200), (200, 1_000), (1_000, 10**12))
HEADS = ("under 20", "20 to 49", "50 to 199", "200 to 999", "1,000 and more")
"""Expected people in the smallest denominator."""
OUTSIDE = "*"
"""The mark of a row's lowest or highest cell, where cells are outside of their bounds."""


@dataclass(frozen=True)
class Line:
    """What became of one target with about so many people in the smallest denominator."""

    name: str
    column: int
    cells: Sequence[Cell]

    @property
    def counted(self) -> list[Cell]:
        """The cells in which there is a value often enough to say something of them."""
        return [cell for cell in self.cells if cell.counts]

    @property
    def is_event(self) -> bool:
        """Whether events are counted, and not intervals."""
        return any(cell.target.truth is None for cell in self.cells)

    @property
    def share(self) -> float:
        """The average over the cells."""
        return sum(cell.share for cell in self.counted) / len(self.counted)

    @property
    def kept(self) -> bool:
        """Whether the bounds are kept on average, where there are any."""
        if COLUMNS[self.column][0] < FROM_PEOPLE or not self.counted:
            return True
        low, high = self.counted[0].target.bounds
        return low <= self.share <= high


def lines(cells: Sequence[Cell], row: Callable[[Cell], str] = attrgetter("name")) -> list[Line]:
    """Gather the cells of each row by the people of the smallest denominator.

    Parameters
    ----------
    cells : what was counted.
    row : the row that a cell belongs to; the name of its target if left out.
    """
    names: dict[str, list[Cell]] = {}
    for cell in cells:
        names.setdefault(row(cell), []).append(cell)
    return [
        Line(name, i, [cell for cell in found if low <= cell.target.people < high])
        for name, found in names.items()
        for i, (low, high) in enumerate(COLUMNS)
    ]


def method_table(cells: Sequence[Cell]) -> str:
    """Write the coverage by the method of the interval, of those that say it."""
    told = sorted((c for c in cells if c.method), key=lambda cell: cell.method)
    return coverage_table(lines(told, lambda cell: f"`{cell.method}`"), markdown=True)


def _table(title: str, rows: Sequence[Line], words: Callable[[Line], str], markdown: bool) -> str:
    """Write a table with a row for each target and a column for each number of people."""
    names = dict.fromkeys(line.name for line in rows)
    body = [
        [name, *(words(line) if line.counted else "" for line in rows if line.name == name)]
        for name in names
    ]
    head = [title, *HEADS]
    if markdown:
        written = [head, ["---", *("---:" for _ in HEADS)], *body]
        return "\n".join(f"| {' | '.join(row)} |" for row in written)
    width = max(len(row[0]) for row in [head, *body])
    return "\n".join(
        f"{row[0]:<{width}}" + "".join(f"{c:>24}" for c in row[1:]) for row in [head, *body]
    )


def coverage_table(rows: Sequence[Line], markdown: bool) -> str:
    """Write the coverage, and that of the lowest and of the highest cell."""
    return _table("coverage", [r for r in rows if not r.is_event], _share, markdown)


def event_table(rows: Sequence[Line], markdown: bool) -> str:
    """Write how often events happen, if there are any."""
    return _table("share of audits", [r for r in rows if r.is_event], _share, markdown)


def width_table(rows: Sequence[Line], markdown: bool) -> str:
    """Write the median width of intervals."""
    return _table("median width", [r for r in rows if not r.is_event], _width, markdown)


def _share(line: Line) -> str:
    each = [cell.share for cell in line.counted]
    low = OUTSIDE if any(cell.is_below for cell in line.counted) else ""
    high = OUTSIDE if any(cell.is_above for cell in line.counted) else ""
    return f"{line.share:.3f} ({min(each):.3f}{low} to {max(each):.3f}{high})"


def _width(line: Line) -> str:
    return f"{median(cell.width for cell in line.counted):.3g}"


def listed(cells: Sequence[Cell]) -> Iterator[str]:
    """Say of cells, each in one line, where they are and what became of them."""
    for cell in cells:
        defined = (
            f", has a value in {cell.defined / cell.samples:.0%}"
            if (cell.defined < cell.samples)
            else ""
        )
        again = ", drawn again" if cell.again else ""
        yield (
            f"{cell.name}: {cell.share:.3f} at {cell.case}; {cell.target.people:,.0f} people"
            f"{defined} ({cell.samples:,} samples{again})"
        )
