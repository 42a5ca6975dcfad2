"""Stories on a terminal, in a CI log, or as plain text."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import IO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from biaspipe.errors import Exit
from biaspipe.printable_text import escape_commands
from biaspipe.renderers.report import report_story
from biaspipe.renderers.story import Facts, Items, Line, Role, Story, StoryTable
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["console_for", "draw", "plain_text", "show"]

LOG_WIDTH = 120
INDENT = "  "
TITLE_WIDTHS = (5, 8, 13)
"""How wide titles of facts may be, with the space behind them."""
GAP = 2
NARROWEST = 8
ROOMY = 100
"""Columns of a page on which the last column to fold stays whole as long as another can give."""
STYLES: dict[Role, str] = {
    Verdict.FAIL: "bold red",
    Verdict.UNDECIDED: "bold magenta",
    Verdict.WARN: "yellow",
    Verdict.WAIVED: "cyan",
    Verdict.PASS: "green",
    Verdict.REPORTED: "dim",
    "strong": "bold",
    "aside": "dim",
    "caution": "bold yellow",
    "verified": "bold green",
}


class Page(Console):
    """A console on which only lines of ours begin at the margin.

    A name of a spec may be long, and what stands where it is wrapped may read like a verdict.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render something, text with what is wrapped of a line set in."""
        width = (options or self.options).max_width
        if isinstance(renderable, Text) and not renderable.no_wrap:
            renderable = self._set_in(renderable, width)
        return super().render(renderable, options)

    def _set_in(self, text: Text, width: int) -> Text:
        if all(cell_len(line) <= width for line in text.plain.split("\n")):
            return text
        lines: list[Text] = []
        for line in text.split(allow_blank=True):
            first, *rest = line.wrap(self, max(1, width - len(INDENT))) or [line]
            lines += [first, *(Text(INDENT).append_text(one) for one in rest)]
        joined = Text("\n", end=text.end).join(lines)
        joined.end = text.end
        return joined


def show(story: Story) -> None:
    """Print a story."""
    console_for(sys.stdout).print(draw(story), crop=False)


def plain_text(report: Report, code: Exit) -> str:
    """Return the console's page of a report as text without colour, 120 columns wide.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    """
    console = Page(width=LOG_WIDTH, color_system=None, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(draw(report_story(report, code)), crop=False)
    lines = "\n".join(line.rstrip() for line in captured.get().splitlines())
    return escape_commands(lines) + "\n"


def console_for(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console for a stream: as wide as its terminal or COLUMNS says, else 120.

    Parameters
    ----------
    file : where to write.
    width : columns, where it is not the stream's own business.
    """
    if width is None and not file.isatty() and "COLUMNS" not in os.environ:
        width = LOG_WIDTH
    return Page(file=file, width=width, highlight=False, markup=False, emoji=False)


def draw(story: Story) -> RenderableType:
    """Return a story as rich prints it, its sections set apart by blank lines.

    Parameters
    ----------
    story : what the page says.
    """
    parts: list[RenderableType] = []
    for i, section in enumerate(story.sections):
        parts += [Text()] if i else []
        parts += [Text(section.title, "bold")] if section.title is not None else []
        for part in section.parts:
            match part:
                case Line():
                    parts.append(_text(part))
                case Facts(lines):
                    parts += _aligned(lines)
                case Items(lines):
                    parts += [Text(INDENT).append_text(_text(line)) for line in lines]
                case StoryTable():
                    parts.append(_Columns(part))
    return Group(*parts)


def _aligned(lines: Sequence[Line]) -> Iterator[Text]:
    """Yield facts, their titles equally wide."""
    longest = max(len(title.text) for line in lines for title in line.titles)
    width = next((width for width in TITLE_WIDTHS if width > longest), longest + 1)
    return (_text(line, width) for line in lines)


def _text(line: Line, width: int = 0) -> Text:
    text = Text(style=STYLES[line.role] if line.role else "")
    unmarked = "not bold" if line.role else ""
    titles = [(f"{title.text:<{width}}", title.role) for title in line.titles]
    for words, role in [*titles, *((span.text, span.role) for span in line.spans)]:
        text.append(words, STYLES[role] if role else unmarked)
    return text


@dataclass(frozen=True)
class _Columns:
    """A table for a terminal, folded where its rows do not fit into the width.

    A report easily has hundreds of rows, all of plain text; laying them out as one text is much
    faster than a table of rich that lays out every cell, and takes no longer than the audit.
    """

    table: StoryTable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Lay the table out for the width at hand."""
        widths = self._widths(options.max_width)
        whole = sum(widths) + GAP * (len(widths) - 1)
        text = Text(no_wrap=whole <= options.max_width, overflow="fold", end="")
        titles = [column.title for column in self.table.columns]
        text.append(self._line(titles, widths) + "\n", "bold")
        text.append("─" * whole + "\n", "dim")
        known: dict[tuple[str, int], list[str]] = {}
        for row in self.table.rows:
            folded = []
            for pair in zip(row.texts, widths, strict=True):
                if pair not in known:  # the groups of a comparison stand in many rows
                    known[pair] = _fold(console, *pair)
                folded.append(known[pair])
            for first, *rest in zip_longest(*folded, fillvalue=""):
                line = self._line((first, *rest), widths)
                text.append(line[: len(first)], STYLES[row.role] if row.role else "")
                text.append(line[len(first) :] + "\n")
        yield text

    def _widths(self, room: int) -> list[int]:
        """Return the width of each column; what folds the fewest cells gives way first."""
        titles = [column.title for column in self.table.columns]
        rows = (
            [cell_len(cell) for cell in cells]
            for cells in (titles, *(row.texts for row in self.table.rows))
        )
        lengths = [Counter(column) for column in zip(*rows, strict=True)]
        widths = [max(column) for column in lengths]
        places = [titles.index(title) for title in self.table.wrapping if title in titles]
        spare = room - GAP * (len(widths) - 1)
        for flexible in (places[:-1], places) if room >= ROOMY else (places,):
            while sum(widths) > spare:
                able = [p for p in flexible if widths[p] > max(NARROWEST, len(titles[p]))]
                if not able:
                    break
                costs = {p: (_added(lengths[p], widths[p]), -widths[p]) for p in able}
                widths[min(costs, key=costs.__getitem__)] -= 1
        return widths

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = []
        for column, cell, width in zip(self.table.columns, cells, widths, strict=True):
            space = " " * (width - cell_len(cell))
            padded.append(space + cell if column.kind == "number" else cell + space)
        return (" " * GAP).join(padded).rstrip()


def _added(lengths: Counter[int], width: int) -> int:
    """Return how many more lines the cells of a column take when it is narrower by one."""
    return sum(n * (-(-length // (width - 1)) + -length // width) for length, n in lengths.items())


def _fold(console: Console, cell: str, width: int) -> list[str]:
    if cell_len(cell) <= width:
        return [cell]
    return [line.plain.rstrip() for line in Text(cell).wrap(console, width, overflow="fold")]
