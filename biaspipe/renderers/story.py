"""What a page says, as plain data: sections of lines, facts and tables.

A story is made from a report, and pages are drawn from it, such as the one for a terminal.
It says what its words are, such as a verdict or an aside, and nothing of how they look; each of
its texts is one line that can only be read.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from biaspipe.verdict import Verdict

__all__ = [
    "Facts",
    "Items",
    "Line",
    "Role",
    "Section",
    "Span",
    "Story",
    "StoryColumn",
    "StoryPart",
    "StoryRow",
    "StoryTable",
]

Role = Verdict | Literal["strong", "aside", "caution", "verified"]
"""What some words are: a verdict, or something as good or as bad as one; in bold; by the way."""


class Span(NamedTuple):
    """Some words of a line, with their role if they have one."""

    text: str
    role: Role | None = None


class Line(NamedTuple):
    """A sentence, or some words that stand by themselves.

    Parameters
    ----------
    spans : its words.
    titles : what it is about, where it is one of several facts.
    role : the role of the line as a whole, and so of the words that have none.
    """

    spans: tuple[Span, ...]
    titles: tuple[Span, ...] = ()
    role: Role | None = None

    @classmethod
    def of(
        cls, *words: str | Span, titles: Sequence[str | Span] = (), role: Role | None = None
    ) -> "Line":
        """Return a line of texts and spans.

        >>> Line.of("DI ", Span("PASS", Verdict.PASS)).spans
        (Span(text='DI ', role=None), Span(text='PASS', role=<Verdict.PASS: 'pass'>))
        """
        return cls(tuple(map(_span, words)), tuple(map(_span, titles)), role)


class Facts(NamedTuple):
    """Lines with titles, of which one stands below the other."""

    lines: tuple[Line, ...]


class Items(NamedTuple):
    """Lines that belong to the one before them."""

    lines: tuple[Line, ...]


class StoryColumn(NamedTuple):
    """A column of a table; numbers stand on its right."""

    title: str
    kind: Literal["text", "number"] = "text"


class StoryRow(NamedTuple):
    """The cells of a row, and the role of the first one."""

    cells: tuple[str, ...]
    role: Role | None = None


class StoryTable(NamedTuple):
    """A table.

    Parameters
    ----------
    columns : its columns.
    rows : its rows, each with a cell for each column.
    wrapping : titles of the columns whose cells may go over several lines where there is little
        room; the last one does so last.
    """

    columns: tuple[StoryColumn, ...]
    rows: tuple[StoryRow, ...]
    wrapping: tuple[str, ...] = ()


StoryPart = Line | Facts | Items | StoryTable


class Section(NamedTuple):
    """Some parts of a story that belong together, under a title or none."""

    parts: tuple[StoryPart, ...]
    title: str | None = None


class Story(NamedTuple):
    """All that a page says, in the order in which it is read."""

    sections: tuple[Section, ...]


def _span(words: str | Span) -> Span:
    return words if isinstance(words, Span) else Span(words)
