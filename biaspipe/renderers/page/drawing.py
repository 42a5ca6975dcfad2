"""A story as one page of HTML that needs nothing else."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from biaspipe.renderers.page.pictures import Pictures
from biaspipe.renderers.page.tables import narrow_tables, story_cells, table_view
from biaspipe.renderers.page.templating import STYLE, draw, draw_whole, excerpt_style, readable
from biaspipe.renderers.page.words import fact_groups, words_of
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
    Section,
    Story,
    StoryPart,
    StoryTable,
    Verbatim,
)

__all__ = ["draw_excerpt", "draw_page"]

MANY_SECTIONS = 4
"""Sections from which on a page begins with a list of them."""


class _Drawn(NamedTuple):
    """A section whose parts are drawn."""

    title: str | None
    level: int
    id: str
    parts: tuple[Markup, ...]


def draw_page(story: Story) -> str:
    """Return a story as a page of HTML, the same bytes for the same story.

    It loads nothing and runs nothing, which it also tells the browser to hold it to.
    Its head is the first section, and what comes before the next one with a title.

    Parameters
    ----------
    story : what the page says, with a title.
    """
    page = _Page()
    ids = _ids(story.sections)
    drawn = [page.section(section, i) for section, i in zip(story.sections, ids, strict=True)]
    head = _head(story.sections)
    contents = [section for section in drawn[head:] if section.level == 2 and section.title]
    text = draw_whole(
        "page",
        title=story.title,
        style=Markup(STYLE + page.style()),  # noqa: S704 - ours, with titles that are spelled in it
        head=drawn[:head],
        contents=contents if len(contents) >= MANY_SECTIONS else [],
        sections=drawn[head:],
    )
    return readable(text) + "\n"


def draw_excerpt(story: Story, name: str) -> str:
    """Return a story as a part of somebody else's page, which looks as before beside it.

    Parameters
    ----------
    story : what it says; its title is not shown.
    name : letters and digits, its own in that page, which the ids in it begin with.
    """
    page = _Page(name)
    drawn = [page.section(section, "") for section in story.sections]
    style = Markup(excerpt_style())  # noqa: S704 - ours
    return readable(draw_whole("excerpt", style=style, sections=drawn)) + "\n"


def _head(sections: Sequence[Section]) -> int:
    """Return how many sections are the head of a page: all up to the second one with a title."""
    places = [i for i, section in enumerate(sections) if i and section.level == 2 and section.title]
    return places[0] if places else 0


class _Page:
    """What the parts of a page share: numbers for their ids, and labels of their columns."""

    def __init__(self, name: str = "") -> None:
        self._pictures = Pictures(name)
        self._labels: list[tuple[str, ...]] = []
        self._title = ""

    def section(self, section: Section, name: str) -> _Drawn:
        """Draw a section."""
        if section.title is not None:
            self._title = section.title
        if section.level == 2:
            self._pictures.forget_key()
        parts = tuple(map(self._part, section.parts))
        return _Drawn(section.title, section.level, name, parts)

    def style(self) -> str:
        """Return the labels that cells have where a row of a table is drawn as a card."""
        rules = [
            f".t{i} td:nth-child({n}):before{{content:{_css_text(label)}}}"
            for i, labels in enumerate(self._labels)
            for n, label in enumerate(labels, 1)
            if label and n > 1
        ]
        return f"@media screen and (max-width:44rem){{{''.join(rules)}}}\n" if rules else ""

    def _part(self, part: StoryPart) -> Markup:  # noqa: PLR0911 - one for each kind
        match part:
            case Line():
                titles = [title.text for title in part.titles]
                return draw("parts", "line", titles, *words_of(part))
            case PictureNote(line):
                return self._part(line)
            case Facts(lines):
                return draw("parts", "facts", list(fact_groups(lines)))
            case Items(lines):
                return draw("parts", "items", list(map(words_of, lines)))
            case Verbatim(lines):
                return draw("parts", "verbatim", lines)
            case StoryTable():
                return self._table(part)
            case _:
                return self._pictures.figure(part)

    def _labelled(self, table: StoryTable, kind: str) -> str:
        """Return the kind of a table with the number of its labels, where its cells have some."""
        if kind == "plain":
            return kind
        labels = tuple(column.title for column in table.columns)
        if labels not in self._labels:
            self._labels.append(labels)
        return f"{kind} t{self._labels.index(labels)}"

    def _table(self, table: StoryTable) -> Markup:
        kind = _kind(table)
        key = self._pictures.key(cell.figure for cell in story_cells(table) if cell.figure)
        parts = [table] if kind == "cards" else list(narrow_tables(table))
        views = (
            table_view(
                part, self._labelled(part, kind), part.caption or self._title, self._pictures.cell
            )
            for part in parts
        )
        return key + Markup("\n").join(draw("parts", "table", view) for view in views)


def _ids(sections: Sequence[Section]) -> Iterator[str]:
    """Yield an id for each section: the plain words of its title, and a number where needed."""
    seen: Counter[str] = Counter({"main": 1, "contents": 1})
    for section in sections:
        words = re.sub(r"[^a-z0-9]+", "-", (section.title or "").lower()).strip("-") or "section"
        seen[words] += 1
        # what ends in a number could be another one's
        yield words if seen[words] == 1 and not words[-1].isdigit() else f"{words}-{seen[words]}"


def _kind(table: StoryTable) -> str:
    """Return how a table is laid out: as cards where there is little room, as a map, or plain."""
    cells = list(story_cells(table))
    if table.narrow == "cards" or any(cell.figure for cell in cells):
        return "cards"
    return "map" if any(cell.role for cell in cells) else "plain"


def _css_text(text: str) -> str:
    r"""Return a text as a style sheet writes it, with nothing in it that could end it.

    >>> _css_text("95% <b>")
    '"95\\25  \\3c b\\3e "'
    """
    plain = (c if (c.isascii() and c.isalnum()) or c == " " else f"\\{ord(c):x} " for c in text)
    return f'"{"".join(plain)}"'
