"""A story as one page of HTML that needs nothing else."""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from biaspipe.renderers.page.pictures import Pictures
from biaspipe.renderers.page.templating import STYLE, macros, page_template
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Section,
    Story,
    StoryCell,
    StoryPart,
    StoryTable,
    Verbatim,
)

__all__ = ["draw_page"]

MANY_COLUMNS = 12
"""More columns than a sheet of paper has room for with all their words."""
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
    What stands before the first section with a title is its head.

    Parameters
    ----------
    story : what the page says, with a title.
    """
    page = _Page()
    ids = _ids(story.sections)
    drawn = [page.section(section, i) for section, i in zip(story.sections, ids, strict=True)]
    titled = next((i for i, section in enumerate(drawn) if section.title is not None), len(drawn))
    contents = [section for section in drawn[titled:] if section.level == 2 and section.title]
    style = STYLE + page.style()
    text: str = page_template().render(
        title=story.title,
        style=Markup(style),  # noqa: S704 - the package's own, and titles that are spelled in it
        style_digest=Markup(f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"),  # noqa: S704 - letters, digits, + and /
        lead=[part for section in drawn[:titled] for part in section.parts],
        contents=contents if len(contents) >= MANY_SECTIONS else [],
        sections=drawn[titled:],
    )
    return text + "\n"


class _Page:
    """What the parts of a page share: numbers for their ids, and labels of their columns."""

    def __init__(self) -> None:
        self._pictures = Pictures()
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

    def _part(self, part: StoryPart) -> Markup:
        parts = macros("parts.html")
        drawn: Markup
        match part:
            case Line():
                drawn = parts.line(part)
            case Facts(lines):
                drawn = parts.facts(list(_titled(lines)))
            case Items(lines):
                drawn = parts.items(lines)
            case Verbatim(lines):
                drawn = parts.verbatim(lines)
            case StoryTable():
                drawn = self._table(part)
            case _:
                drawn = self._pictures.figure(part)
        return drawn

    def _table(self, table: StoryTable) -> Markup:
        kind = _kind(table)
        if kind == "cards":
            kind += f" t{len(self._labels)}"
            self._labels.append(tuple(column.title for column in table.columns))
        figures = [cell.figure for cell in _cells(table) if cell.figure]
        drawn: Markup = macros("parts.html").table(
            table,
            table.caption or self._title,
            kind,
            self._pictures.key(figures),
            self._pictures.cell,
        )
        return drawn


def _ids(sections: Sequence[Section]) -> Iterator[str]:
    """Yield an id for each section: the plain words of its title, and a number where needed."""
    seen: Counter[str] = Counter({"main": 1, "contents": 1})
    for section in sections:
        words = re.sub(r"[^a-z0-9]+", "-", (section.title or "").lower()).strip("-") or "section"
        seen[words] += 1
        # what ends in a number could be another one's
        yield words if seen[words] == 1 and not words[-1].isdigit() else f"{words}-{seen[words]}"


def _kind(table: StoryTable) -> str:
    cells = list(_cells(table))
    if any(cell.figure for cell in cells):
        return "cards"
    if any(cell.role for cell in cells):
        return "map many" if len(table.columns) > MANY_COLUMNS else "map"
    return "plain"


def _cells(table: StoryTable) -> Iterator[StoryCell]:
    return (cell for row in table.rows for cell in row.cells if isinstance(cell, StoryCell))


def _titled(lines: Iterable[Line]) -> Iterator[tuple[list[str], list[Line]]]:
    """Yield facts by their titles; a line without one belongs to the fact before it."""
    titles, group = [], []
    for line in lines:
        if line.titles and group:
            yield titles, group
            group = []
        if line.titles:
            titles = [title.text for title in line.titles]
        group.append(line)
    if group:
        yield titles, group


def _css_text(text: str) -> str:
    """Return a text as a style sheet writes it, with nothing in it that could end it.

    >>> _css_text("95% <b>")
    '"95\\\\25  \\\\3c b\\\\3e "'
    """
    plain = (c if (c.isascii() and c.isalnum()) or c == " " else f"\\{ord(c):x} " for c in text)
    return f'"{"".join(plain)}"'
