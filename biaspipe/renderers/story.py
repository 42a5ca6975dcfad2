"""What a page says, as plain data: sections of lines, facts, tables and figures.

A story is made from a report, and pages are drawn from it, such as the one for a terminal.
It says what its words are, such as a verdict or an aside, and nothing of how they look; each of
its texts is one line that can only be read.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from biaspipe.renderers.figures import Figure
from biaspipe.verdict import Verdict

__all__ = [
    "Facts",
    "Items",
    "Line",
    "PictureNote",
    "Role",
    "Section",
    "Span",
    "Story",
    "StoryCell",
    "StoryColumn",
    "StoryPart",
    "StoryRow",
    "StoryTable",
    "Verbatim",
]

Role = Verdict | Literal["strong", "aside", "caution", "verified"]
"""What some words are: a verdict, or something as good or as bad as one; in bold; by the way."""


class Span(NamedTuple):
    """Some words of a line.

    Parameters
    ----------
    text : the words.
    role : what they are, if they are more than words.
    link : the file beside the page that they name, as a relative address; None without one.
    """

    text: str
    role: Role | None = None
    link: str | None = None


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

        >>> Line.of("DI ", Span("PASS", Verdict.PASS)).spans[1]
        Span(text='PASS', role=<Verdict.PASS: 'pass'>, link=None)
        """
        return cls(_spans(words), _spans(titles) if titles else (), role)

    @classmethod
    def fact(cls, title: str, *words: str | Span) -> "Line":
        """Return a line that says one fact, with its title."""
        return cls.of(*words, titles=[Span(title, "aside")])

    @property
    def text(self) -> str:
        """Its words without their roles."""
        return "".join([span.text for span in self.spans])


class Facts(NamedTuple):
    """Lines with titles, of which one stands below the other."""

    lines: tuple[Line, ...]


class Items(NamedTuple):
    """Lines that belong to the one before them."""

    lines: tuple[Line, ...]

    @classmethod
    def of(cls, words: Iterable[str | Line]) -> "Items":
        """Return items of sentences."""
        return cls(tuple(one if isinstance(one, Line) else Line.of(one) for one in words))


class StoryColumn(NamedTuple):
    """A column of a table; numbers stand on its right."""

    title: str
    kind: Literal["text", "number"] = "text"


class StoryCell(NamedTuple):
    """A cell of more than one text.

    Parameters
    ----------
    lines : what it says, one below the other; the first is the main one.
    figure : a drawing of it, below or beside the lines.
    role : what the cell as a whole is, such as a verdict in a map of them.
    """

    lines: tuple[Line, ...]
    figure: Figure | None = None
    role: Role | None = None

    @classmethod
    def of(cls, main: str, *asides: str) -> "StoryCell":
        """Return a cell that says something, and below it what else there is to say of it."""
        return cls((Line.of(main), *(Line.of(Span(words, "aside")) for words in asides)))


class StoryRow(NamedTuple):
    """The cells of a row, and the role of the first one."""

    cells: tuple[str | StoryCell, ...]
    role: Role | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The cells in words, those of more than one text by the first."""
        return tuple(c if isinstance(c, str) else c.lines[0].text for c in self.cells)


class StoryTable(NamedTuple):
    """A table.

    Parameters
    ----------
    columns : its columns.
    rows : its rows, each with a cell for each column.
    wrapping : titles of the columns whose cells may go over several lines where there is little
        room; the last one does so last.
    caption : what it shows, in a sentence.
    apart : how many of the last columns leave their rows where there is little room: at first,
        then, and so on. One goes below its row; several stand above all rows that share them.
    narrow : what its rows are where a page has little room: shown in part, or a card for each.
    """

    columns: tuple[StoryColumn, ...]
    rows: tuple[StoryRow, ...]
    wrapping: tuple[str, ...] = ()
    caption: str = ""
    apart: tuple[int, ...] = ()
    narrow: Literal["part", "cards"] = "part"


class Verbatim(NamedTuple):
    """A text that is shown as it is written, such as a spec or commands."""

    lines: tuple[str, ...]


class PictureNote(NamedTuple):
    """What there is to say of pictures, for pages that have them."""

    line: Line


StoryPart = Line | Facts | Items | StoryTable | Figure | Verbatim | PictureNote


class Section(NamedTuple):
    """Some parts of a story that belong together, under a title or none.

    Parameters
    ----------
    parts : what it says.
    title : its heading.
    level : 2 for a section of the page, 3 for a part of the one before it.
    """

    parts: tuple[StoryPart, ...]
    title: str | None = None
    level: Literal[2, 3] = 2


class Story(NamedTuple):
    """All that a page says, in the order in which it is read.

    Parameters
    ----------
    sections : its sections.
    title : what the page is called; a page for a terminal has no title.
    """

    sections: tuple[Section, ...]
    title: str = ""


def _spans(words: Sequence[str | Span]) -> tuple[Span, ...]:
    return tuple([each if isinstance(each, Span) else Span(each) for each in words])
