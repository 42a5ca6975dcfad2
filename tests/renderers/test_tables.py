"""The columns of a table are aligned for every script, and folded without losing a character."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from biaspipe.renderers.console import draw
from biaspipe.renderers.story import Section, Story, StoryColumn, StoryRow, StoryTable


def laid_out(table: StoryTable, width: int = 120) -> list[str]:
    """Return the lines of a table in a width."""
    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None, markup=False, emoji=False)
    console.print(draw(Story((Section((table,)),))), end="")
    return stream.getvalue().splitlines()


def table(*rows: tuple[str, ...]) -> StoryTable:
    """Return a table of name, value and note, of which the name and the note may fold."""
    columns = (StoryColumn("name"), StoryColumn("value", "number"), StoryColumn("note"))
    return StoryTable(columns, tuple(map(StoryRow, rows)), wrapping=("name", "note"))


def test_numbers_are_right_and_texts_left() -> None:
    """A column of numbers is aligned to the right, the others to the left, without padding."""
    assert laid_out(table(("a", "+1.0", "x"), ("longer", "-10.25", "y"))) == [
        "name     value  note",
        "────────────────────",
        "a         +1.0  x",
        "longer  -10.25  y",
    ]


def test_wide_characters_take_two_columns() -> None:
    """Characters that are two columns wide do not push the others out of line."""
    assert laid_out(table(("男性", "1", "x"), ("🙂", "10", "y"), ("abcd", "100", "z"))) == [
        "name  value  note",
        "─────────────────",
        "男性      1  x",
        "🙂       10  y",
        "abcd    100  z",
    ]


def test_long_cells_are_folded_between_words() -> None:
    """A cell that does not fit goes on in the next line, between words where there are any."""
    assert laid_out(table(("name", "1", "one two three four"), ("b", "2", "short")), 24) == [
        "name  value  note",
        "────────────────────────",
        "name      1  one two",
        "             three four",
        "b         2  short",
    ]


def test_empty_table_is_its_head() -> None:
    """A table without rows is its titles and a line."""
    assert laid_out(table()) == ["name  value  note", "─────────────────"]


@pytest.mark.parametrize("width", [10, 25, 40])
def test_narrow_page_loses_nothing(width: int) -> None:
    """A page that is too narrow for the table still shows every character of it."""
    text = "".join(laid_out(table(("a" * 50, "1.0", "b" * 50)), width)[2:])
    assert (text.count("a"), text.count("b")) == (50, 50)


words = st.text(st.characters(categories=("L", "N", "So"), include_characters="[]/: "), max_size=40)


@given(st.lists(st.tuples(words, st.integers().map(str), words), max_size=5), st.integers(60, 120))
def test_folding_loses_nothing(rows: list[tuple[str, str, str]], width: int) -> None:
    """Whatever the cells hold, no line is too wide and every visible character is shown once."""
    lines = laid_out(table(*rows), width)
    room = max(width, 22 + max((len(value) for _, value, _ in rows), default=5))
    assert max(map(cell_len, lines)) <= room
    given_characters = "".join("".join("".join(row).split()) for row in rows)
    assert sorted("".join("".join(lines[2:]).split())) == sorted(given_characters)


def test_what_folds_the_fewest_cells_gives_way() -> None:
    """On a narrow page one long id goes over two lines before all the notes do."""
    rows = [("a", "1", "one two three"), ("a" * 20, "2", "one two three"), ("b", "3", "four")]
    assert laid_out(table(*rows), 33) == [
        "name         value  note",
        "─────────────────────────────────",
        "a                1  one two three",
        "aaaaaaaaaaa      2  one two three",
        "aaaaaaaaa",
        "b                3  four",
    ]


@pytest.mark.parametrize(("width", "whole"), [(100, True), (99, False)])
def test_last_column_to_fold_is_whole_where_there_is_room(width: int, whole: bool) -> None:
    """On a page with room the last of the columns that fold stays whole while another can give."""
    rows = (StoryRow(("n" * 60, "")), StoryRow(("m" * 60, "")), StoryRow(("", "i" * 60)))
    noted = StoryTable((StoryColumn("note"), StoryColumn("id")), rows, wrapping=("note", "id"))
    assert any("i" * 60 in line for line in laid_out(noted, width)) is whole


def test_column_is_as_wide_as_its_title() -> None:
    """A column is never narrower than its title, so that titles and cells stay aligned."""
    titles = ("a", "long title")
    titled = StoryTable(
        tuple(map(StoryColumn, titles)), (StoryRow(("x", "word " * 3)),), wrapping=titles
    )
    assert laid_out(titled, 13) == ["a  long title", "─────────────", "x  word word", "   word"]
