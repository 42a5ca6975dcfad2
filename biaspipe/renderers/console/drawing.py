"""Stories on a terminal, in a CI log, or as plain text."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from biaspipe.errors import Exit
from biaspipe.printable_text import escape, escape_commands
from biaspipe.renderers.console.report import report_story, verdict_line
from biaspipe.renderers.console.tables import INDENT, UNLIMITED, ConsoleTable
from biaspipe.renderers.story import Facts, Items, Line, Role, Section, Span, Story, StoryTable
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["console_for", "draw", "full_text", "plain_text", "show"]

TITLE_WIDTHS = (5, 8, 13)
"""How wide titles of facts may be, with the space behind them."""
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
        for line in lines:
            line.rstrip()
        joined = Text("\n", end=text.end).join(lines)
        joined.end = text.end
        return joined


def show(story: Story, *, quiet: bool = False, about: str = "") -> None:
    """Print a story.

    Parameters
    ----------
    story : what the page says.
    quiet : whether it is only its last line, the verdict line.
    about : what stands before that line, where one of several is to be told from the others.
    """
    last = verdict_line(story)
    last = last._replace(spans=(Span(f"{escape(about)}: "), *last.spans)) if about else last
    told = Story((Section((last,)),)) if quiet else story
    console_for(sys.stdout).print(draw(told), crop=False)


def plain_text(report: Report, code: Exit) -> str:
    """Return the console's page of a report as text without colour, of which no line is broken.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    """
    return _plain(report_story(report, code))


def full_text(report: Report, code: Exit) -> str:
    """Return the same with a row for every check."""
    return _plain(report_story(report, code, everything=True))


def _plain(story: Story) -> str:
    console = Page(width=UNLIMITED, color_system=None, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(draw(story), crop=False)
    lines = "\n".join(line.rstrip() for line in captured.get().splitlines())
    return escape_commands(lines) + "\n"


def console_for(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console for a stream: as wide as its terminal or COLUMNS says, else unlimited.

    Parameters
    ----------
    file : where to write.
    width : columns, where it is not the stream's own business.
    """
    if width is None and not file.isatty() and "COLUMNS" not in os.environ:
        width = UNLIMITED
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
                    parts.append(ConsoleTable(part, STYLES))
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
