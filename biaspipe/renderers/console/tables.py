"""Tables on a terminal or in a file: aligned, folded between words, or parted where narrow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from textwrap import wrap

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
_Layout = tuple[list[int], tuple[int, ...]]
"""The widths of the columns in a row, and how many of the others stand together."""
_Cell = tuple[str, str]
_Drawn = tuple[str, Role | None, str]


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
        """Lay the table out for the width at hand, in as few lines as can be."""
        room = options.max_width
        text = Text(no_wrap=True, overflow="fold", end="")
        layouts = list(self._layouts(room))
        if layouts:
            drawn = [self._lines(_Folder(console), *layout, room) for layout in layouts]
            pairs = zip(drawn, layouts, strict=True)
            lines, (widths, _) = min(pairs, key=lambda pair: len(pair[0]))
            whole = sum(widths) + GAP * (len(widths) - 1)
            head = self._line([column.title for column in self.table.columns], widths)
            text.append(head + "\n", "bold")
            text.append("─" * (whole if room < UNLIMITED else cell_len(head)) + "\n", "dim")
        else:
            lines = list(self._in_words(_Folder(console), room))
        styles = {role: Style.parse(style) for role, style in self.styles.items()}
        for words, role, rest in lines:
            text.append(words, styles[role] if role else None)
            text.append(rest + "\n")
        yield text

    def _in_words(self, folder: "_Folder", room: int) -> Iterator[_Drawn]:
        """Yield rows as texts, each cell with its title, where the columns have no room."""
        titles = [column.title for column in self.table.columns]
        left = tuple(reversed(self.table.apart))
        shared: list[str] = []
        for row in self.table.rows:
            apart = list(_apart(self.table, row, left))
            above = [line for cells in apart for line in _above(folder, cells, room)]
            yield from ((line, "aside", "") for line in above if above != shared)
            shared = above
            first, *others = list(zip(titles, row.texts, strict=True))[: len(titles) - sum(left)]
            told = ", ".join(f"{title} {cell}" for title, cell in others if cell)
            top, *rest = folder.fold(
                f"{first[1]}{' ' * GAP}{told}" if told else first[1], _inside(room)
            )
            named = len(first[1]) if top.startswith(first[1]) else len(top)
            yield top[:named], row.role, top[named:]
            yield from ((INDENT + line, None, "") for line in rest)
            below = (line for cells in apart for line in _below(folder, cells, room))
            yield from ((line, None, "") for line in below)

    def _lines(
        self, folder: "_Folder", widths: Sequence[int], left: Sequence[int], room: int
    ) -> list[_Drawn]:
        """Return the lines of all rows: what is drawn in a role, the role, and the rest."""
        lines: list[_Drawn] = []
        shared: list[str] = []
        for row in self.table.rows:
            apart = list(_apart(self.table, row, left))
            above = [line for cells in apart for line in _above(folder, cells, room)]
            lines += [(line, "aside", "") for line in above if above != shared]
            shared = above
            folded = [folder.fold(*pair) for pair in zip(row.texts, widths, strict=False)]
            for first, *rest in zip_longest(*folded, fillvalue=""):
                line = self._line((first, *rest), widths)
                lines.append((line[: len(first)], row.role, line[len(first) :]))
            below = (line for cells in apart for line in _below(folder, cells, room))
            lines += [(line, None, "") for line in below]
        return lines

    @cached_property
    def _lengths(self) -> list[Counter[int]]:
        """How long the cells of each column are, and how many are as long."""
        titles = [column.title for column in self.table.columns]
        rows = (
            [_size(cell) for cell in cells]
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
        return [max(map(_size, column)) for column in words]

    def _layouts(self, room: int) -> Iterator[_Layout]:
        """Yield the layouts that break no word; where there are none, one that does if it fits."""
        if room >= UNLIMITED:
            yield [_most(column) for column in self._lengths], ()
            return
        left: tuple[int, ...] = ()
        found = False
        for more in (0, *self.table.apart):
            left = (more, *left) if more else left
            kept = len(self._lengths) - sum(left)
            if widths := self._folded(kept, room, self._least):
                found = True
                yield widths, left
                if widths == [max(column) for column in self._lengths[:kept]]:
                    return
        if not found and not self.table.apart:
            broken = [max(NARROWEST, cell_len(column.title)) for column in self.table.columns]
            if widths := self._folded(kept, room, broken):
                yield widths, left

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

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for column, cell, width in zip(self.table.columns, cells, widths, strict=False):
            space = " " * (width - _size(cell))
            padded.append(space + cell if column.kind == "number" else cell + space)
        return (" " * GAP).join(padded).rstrip()


class _Folder:
    """What folds cells between words; the groups of a comparison stand in many rows."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.known: dict[tuple[str, int], list[str]] = {}

    def fold(self, cell: str, width: int) -> list[str]:
        """Return a cell as lines of a width."""
        if self.console.width >= UNLIMITED or (len(cell) <= width and cell.isascii()):
            return [cell]
        if (cell, width) not in self.known:
            self.known[cell, width] = self._folded(cell, width)
        return self.known[cell, width]

    def _folded(self, cell: str, width: int) -> list[str]:
        if _size(cell) <= width:
            return [cell]
        if cell.isascii():  # as most are, which takes a tenth of the time
            return wrap(cell, width, break_on_hyphens=False) or [""]
        wrapped = Text(cell).wrap(self.console, width, overflow="fold")
        return [line.plain.rstrip() for line in wrapped]


def _apart(table: StoryTable, row: StoryRow, left: Sequence[int]) -> Iterator[list[_Cell]]:
    """Yield the columns that have left a row, in their groups."""
    if left:
        titles = [column.title for column in table.columns]
        cells = list(zip(titles, row.texts, strict=True))[len(titles) - sum(left) :]
        for n in left:
            yield cells[:n]
            cells = cells[n:]


def _above(folder: _Folder, cells: Sequence[_Cell], room: int) -> Iterator[str]:
    """Yield what a row shares with those after it, each text with its title."""
    if len(cells) > 1:
        words = ", ".join(f"{title} {cell}" for title, cell in cells if cell)
        first, *rest = folder.fold(words, _inside(room))
        yield from (first, *(INDENT + line for line in rest))


def _below(folder: _Folder, cells: Sequence[_Cell], room: int) -> Iterator[str]:
    """Yield the lines below a row, of a text that says itself what it is."""
    if len(cells) == 1 and cells[0][1]:
        first, *rest = folder.fold(cells[0][1], _inside(room))
        yield from (INDENT + first, *(2 * INDENT + line for line in rest))


def _size(text: str) -> int:
    """Return how many columns a text takes."""
    return len(text) if text.isascii() else cell_len(text)


def _inside(room: int) -> int:
    """Return the width of lines that are set in twice."""
    return max(NARROWEST, room - 2 * len(INDENT))


def _most(lengths: Counter[int]) -> int:
    """Return the width of a column on an unlimited page, a few long cells left out of account."""
    return max((length for length in lengths if length <= LONGEST), default=LONGEST)


def _added(lengths: Counter[int], width: int) -> int:
    """Return how many more lines the cells of a column take when it is narrower by one."""
    return sum(n * (-(-length // (width - 1)) + -length // width) for length, n in lengths.items())
