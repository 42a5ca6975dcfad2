"""Aligned columns for a terminal, folded where the rows do not fit into its width.

A report easily has hundreds of rows, all of plain text; laying them out as one text is much
faster than a table that lays out every cell, and takes no longer than the audit itself.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

__all__ = ["Columns"]

GAP = 2
NARROWEST = 8
ROOMY = 100
"""Columns of a page on which the last column to fold stays whole as long as another can give."""


@dataclass
class Columns:
    """A table of plain cells whose first column may be styled.

    Parameters
    ----------
    titles : the columns' names.
    right : names of the columns that are aligned to the right.
    folded : names of the columns whose cells may go over several lines, on a page with room the
        last one last.
    """

    titles: Sequence[str]
    right: Sequence[str] = ()
    folded: Sequence[str] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)

    def add(self, *cells: str, style: str = "") -> None:
        """Add a row; the style is its first cell's."""
        self.rows.append(cells)
        self.styles.append(style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Lay the table out for the width at hand."""
        widths = self._widths(options.max_width)
        fits = sum(widths) + GAP * (len(widths) - 1) <= options.max_width
        text = Text(no_wrap=fits, overflow="fold", end="")
        text.append(self._line(self.titles, widths) + "\n", "bold")
        text.append("─" * (sum(widths) + GAP * (len(widths) - 1)) + "\n", "dim")
        known: dict[tuple[str, int], list[str]] = {}
        for row, style in zip(self.rows, self.styles, strict=True):
            folded = []
            for pair in zip(row, widths, strict=True):
                if pair not in known:  # the groups of a comparison stand in many rows
                    known[pair] = _fold(console, *pair)
                folded.append(known[pair])
            for first, *rest in zip_longest(*folded, fillvalue=""):
                line = self._line((first, *rest), widths)
                text.append(line[: len(first)], style)
                text.append(line[len(first) :] + "\n")
        yield text

    def _widths(self, room: int) -> list[int]:
        """Return the width of each column; what folds the fewest cells gives way first."""
        rows = ([cell_len(cell) for cell in row] for row in (self.titles, *self.rows))
        lengths = [Counter(column) for column in zip(*rows, strict=True)]
        widths = [max(column) for column in lengths]
        places = [self.titles.index(title) for title in self.folded if title in self.titles]
        spare = room - GAP * (len(widths) - 1)
        for flexible in (places[:-1], places) if room >= ROOMY else (places,):
            while sum(widths) > spare:
                able = [p for p in flexible if widths[p] > max(NARROWEST, len(self.titles[p]))]
                if not able:
                    break
                costs = {p: (_added(lengths[p], widths[p]), -widths[p]) for p in able}
                widths[min(costs, key=costs.__getitem__)] -= 1
        return widths

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for title, cell, width in zip(self.titles, cells, widths, strict=True):
            space = " " * (width - cell_len(cell))
            padded.append(space + cell if title in self.right else cell + space)
        return (" " * GAP).join(padded).rstrip()


def _added(lengths: Counter[int], width: int) -> int:
    """Return how many more lines the cells of a column take when it is narrower by one."""
    return sum(n * (-(-length // (width - 1)) + -length // width) for length, n in lengths.items())


def _fold(console: Console, cell: str, width: int) -> list[str]:
    if cell_len(cell) <= width:
        return [cell]
    return [line.plain.rstrip() for line in Text(cell).wrap(console, width, overflow="fold")]
