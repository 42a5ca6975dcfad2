"""Tables on a terminal or in a file: aligned, folded between words, or parted where narrow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from biaspipe.renderers.story import Role, StoryRow, StoryTable

__all__ = ["INDENT", "UNLIMITED", "ConsoleTable"]

INDENT = "  "
GAP = 2
NARROWEST = 8
ROOMY = 100
"""Columns of a page on which the last column to fold stays whole as long as another can give."""
UNLIMITED = 1_000_000
"""The width of a page whose lines are never broken."""
LONGEST = 60
"""Columns that a cell may take there before it pushes the rest of its row alone."""
FOLDED = 2
"""Lines over which cells are folded before columns leave their rows."""


@dataclass(frozen=True)
class ConsoleTable:
    """A table for a terminal.

    A report easily has hundreds of rows, all of plain text; laying them out as one text is much
    faster than a table of rich that lays out every cell, and takes no longer than the audit.

    Parameters
    ----------
    table : what it shows.
    styles : how the words of a role look.
    """

    table: StoryTable
    styles: dict[Role, str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Lay the table out for the width at hand."""
        room = options.max_width
        widths, left = self._layout(room)
        whole = sum(widths) + GAP * (len(widths) - 1)
        text = Text(no_wrap=whole <= room, overflow="fold", end="")
        head = self._line([column.title for column in self.table.columns], widths)
        text.append(head + "\n", "bold")
        text.append("─" * (whole if room < UNLIMITED else cell_len(head)) + "\n", "dim")
        known: dict[tuple[str, int], list[str]] = {}
        styles = {role: Style.parse(style) for role, style in self.styles.items()}
        shared: list[str] = []
        for row in self.table.rows:
            above = self._above(console, row, left, room)
            text.append("".join(line + "\n" for line in above if above != shared), "dim")
            shared = above
            folded = []
            for pair in zip(row.texts, widths, strict=False):
                if pair not in known:  # the groups of a comparison stand in many rows
                    known[pair] = _fold(console, *pair)
                folded.append(known[pair])
            for first, *rest in zip_longest(*folded, fillvalue=""):
                line = self._line((first, *rest), widths)
                text.append(line[: len(first)], styles[row.role] if row.role else None)
                text.append(line[len(first) :] + "\n")
            for line in self._below(console, row, left, room):
                text.append(line + "\n")
        yield text

    @cached_property
    def _lengths(self) -> list[Counter[int]]:
        """How long the cells of each column are, and how many are as long."""
        titles = [column.title for column in self.table.columns]
        rows = (
            [cell_len(cell) for cell in cells]
            for cells in (titles, *(row.texts for row in self.table.rows))
        )
        return [Counter(column) for column in zip(*rows, strict=True)]

    @cached_property
    def _least(self) -> list[int]:
        """How narrow each column can be without a broken word."""
        titles = [column.title for column in self.table.columns]
        columns = zip(titles, *(row.texts for row in self.table.rows), strict=True)
        words = (
            (title, *(w for cell in set(cells) for w in cell.split())) for title, *cells in columns
        )
        return [max(map(cell_len, column)) for column in words]

    def _layout(self, room: int) -> tuple[list[int], tuple[int, ...]]:
        """Return the widths of the columns in a row, and how many of the others stand together."""
        if room >= UNLIMITED:
            return [_most(column) for column in self._lengths], ()
        natural = [max(column) for column in self._lengths]
        left: tuple[int, ...] = ()
        for more in (0, *self.table.apart):
            left = (more, *left) if more else left
            kept = len(natural) - sum(left)
            if sum(natural[:kept]) + GAP * (kept - 1) <= room:
                return natural[:kept], left
            halves = [-(-width // FOLDED) for width in natural]
            least = list(map(max, halves, self._least))
            if (more or not self.table.apart) and (widths := self._folded(kept, room, least)):
                return widths, left
        broken = [max(NARROWEST, cell_len(column.title)) for column in self.table.columns]
        return self._folded(kept, room, self._least) or self._narrowed(kept, room, broken), left

    def _folded(self, kept: int, room: int, least: Sequence[int]) -> list[int] | None:
        """Return widths that fit, none less than it may be; None where there are none."""
        widths = self._narrowed(kept, room, least)
        return widths if sum(widths) + GAP * (kept - 1) <= room else None

    def _narrowed(self, kept: int, room: int, least: Sequence[int]) -> list[int]:
        """Return the width of each column; what folds the fewest cells gives way first."""
        lengths = self._lengths[:kept]
        widths = [max(column) for column in lengths]
        titles = [column.title for column in self.table.columns[:kept]]
        places = [titles.index(title) for title in self.table.wrapping if title in titles]
        spare = room - GAP * (kept - 1)
        for flexible in (places[:-1], places) if room >= ROOMY else (places,):
            while sum(widths) > spare:
                able = [p for p in flexible if widths[p] > least[p]]
                if not able:
                    break
                costs = {p: (_added(lengths[p], widths[p]), -widths[p]) for p in able}
                widths[min(costs, key=costs.__getitem__)] -= 1
        return widths

    def _above(self, console: Console, row: StoryRow, left: Sequence[int], room: int) -> list[str]:
        """Return what a row shares with those after it, each text with its title."""
        lines = []
        for cells in self._left(row, left):
            if len(cells) > 1:
                words = ", ".join(f"{title} {cell}" for title, cell in cells if cell)
                lines += _set_in(_fold(console, words, _inside(room)), INDENT)
        return lines

    def _below(
        self, console: Console, row: StoryRow, left: Sequence[int], room: int
    ) -> Iterator[str]:
        """Yield the lines below a row."""
        for cells in self._left(row, left):
            if len(cells) == 1 and cells[0][1]:
                lines = _fold(console, cells[0][1], _inside(room))
                yield from _set_in([INDENT + lines[0], *lines[1:]], 2 * INDENT)

    def _left(self, row: StoryRow, left: Sequence[int]) -> Iterator[list[tuple[str, str]]]:
        """Yield the columns that have no room in a row, in their groups."""
        titles = [column.title for column in self.table.columns]
        cells = list(zip(titles, row.texts, strict=True))[len(titles) - sum(left) :]
        for n in left:
            yield cells[:n]
            cells = cells[n:]

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for column, cell, width in zip(self.table.columns, cells, widths, strict=False):
            space = " " * (width - cell_len(cell))
            padded.append(space + cell if column.kind == "number" else cell + space)
        return (" " * GAP).join(padded).rstrip()


def _inside(room: int) -> int:
    """Return the width of lines that are set in twice."""
    return max(NARROWEST, room - 2 * len(INDENT))


def _set_in(lines: Sequence[str], indent: str) -> list[str]:
    """Set in all lines but the first."""
    return [*lines[:1], *(indent + line for line in lines[1:])]


def _most(lengths: Counter[int]) -> int:
    """Return the width of a column on an unlimited page, a few long cells left out of account."""
    return max((length for length in lengths if length <= LONGEST), default=LONGEST)


def _added(lengths: Counter[int], width: int) -> int:
    """Return how many more lines the cells of a column take when it is narrower by one."""
    return sum(n * (-(-length // (width - 1)) + -length // width) for length, n in lengths.items())


def _fold(console: Console, cell: str, width: int) -> list[str]:
    if cell_len(cell) <= width or console.width >= UNLIMITED:
        return [cell]
    return [line.plain.rstrip() for line in Text(cell).wrap(console, width, overflow="fold")]
