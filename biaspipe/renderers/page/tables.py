"""Tables of a story as a page has them: what each cell holds, and how it looks."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from markupsafe import Markup

from biaspipe.renderers.figures import Figure
from biaspipe.renderers.page.words import Run, Words, words_of
from biaspipe.renderers.story import Line, Role, StoryCell, StoryRow, StoryTable

__all__ = ["Cell", "TableView", "narrow_tables", "story_cells", "table_view"]

Draw = Callable[[Figure], Markup]


MOST_COLUMNS = 12
"""More columns than that are shown in parts."""
COLUMNS = 9
"""Columns of such a part, at most."""
LONG_WORD = 24
"""Letters from which on a word may be broken, so that no column is as wide as it."""


class Cell(NamedTuple):
    """A cell: whether it heads its row, its look, what it says, lines below, and a picture."""

    heading: bool
    style: str
    text: str
    sign: str = ""
    runs: tuple[Run, ...] = ()
    below: tuple[Words, ...] = ()
    picture: Markup | None = None


class TableView(NamedTuple):
    """A table: its columns with their looks, and its rows, whose first cells are their headings."""

    kind: str
    name: str
    caption: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]


def table_view(table: StoryTable, kind: str, name: str, draw: Draw) -> TableView:
    """Return what a page has of a table.

    Parameters
    ----------
    table : the table of the story.
    kind : how it is laid out.
    name : what it is called.
    draw : what draws a figure in a cell.
    """
    looks = tuple("n" if column.kind == "number" else "" for column in table.columns)
    columns = tuple((column.title, look) for column, look in zip(table.columns, looks, strict=True))
    rows = tuple(_row(row, looks, draw) for row in table.rows)
    return TableView(kind, name, table.caption, columns, rows)


def narrow_tables(table: StoryTable) -> Iterator[StoryTable]:
    """Yield a table in parts for which a sheet of paper has room, each with the first column.

    Parameters
    ----------
    table : a table of any number of columns.
    """
    others = table.columns[1:]
    if len(table.columns) <= MOST_COLUMNS:
        yield table
        return
    parts = -(-len(others) // COLUMNS)
    for part in range(parts):
        start, end = (len(others) * i // parts + 1 for i in (part, part + 1))
        columns = table.columns[start:end]
        titles = f"{columns[0].title} to {columns[-1].title}"
        yield table._replace(
            columns=(table.columns[0], *columns),
            rows=tuple(
                row._replace(cells=(row.cells[0], *row.cells[start:end])) for row in table.rows
            ),
            caption=f"{table.caption}: {titles}" if table.caption else titles,
        )


def story_cells(table: StoryTable) -> Iterator[StoryCell]:
    """Yield the cells of a table that are more than a text."""
    return (cell for row in table.rows for cell in row.cells if isinstance(cell, StoryCell))


def _row(row: StoryRow, looks: tuple[str, ...], draw: Draw) -> tuple[Cell, ...]:
    first, *others = row.cells
    return (
        _cell(first, True, looks[0], draw, row.role),
        *(
            Cell(False, _look(cell, look), cell)
            if isinstance(cell, str)
            else _cell(cell, False, look, draw)
            for cell, look in zip(others, looks[1:], strict=True)
        ),
    )


def _cell(
    cell: str | StoryCell, heading: bool, look: str, draw: Draw, row_role: Role | None = None
) -> Cell:
    if isinstance(cell, str):
        cell = StoryCell((Line.of(cell),))
    first, *others = cell.lines or (Line(()),)
    style, sign, text, runs = words_of(first, cell.role or first.role or row_role)
    look = _look(text or first.text, look)
    style = f"{style} {look}".strip() if look else style
    picture = draw(cell.figure) if cell.figure else None
    heading = heading and bool(text or runs)
    return Cell(heading, style, text, sign, runs, tuple(map(words_of, others)), picture)


def _look(text: str, look: str) -> str:
    """Return how a cell looks: with words that are broken where they are too long for a column."""
    if len(text) <= LONG_WORD or max(map(len, text.split()), default=0) <= LONG_WORD:
        return look
    return f"{look} wide".strip()
