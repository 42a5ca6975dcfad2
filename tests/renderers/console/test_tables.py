"""The columns of a table are aligned for every script, and folded without losing a character."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from biaspipe.renderers.console.drawing import draw
from biaspipe.renderers.console.tables import UNLIMITED
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
    lines = laid_out(table(("x" * 50, "1.0", "z" * 50)), width)
    text = "".join(lines)
    assert (text.count("x"), text.count("z"), max(map(len, lines)) <= width) == (50, 50, True)


words = st.text(st.characters(categories=("L", "N", "So"), include_characters="[]/: "), max_size=40)


numbers = st.integers(-(10**30), 10**30).map(str)


@given(st.lists(st.tuples(words, numbers, words), max_size=5), st.integers(60, 120))
def test_folding_loses_nothing(rows: list[tuple[str, str, str]], width: int) -> None:
    """Whatever the cells hold, no line is too wide and every visible character is shown once."""
    lines = laid_out(table(*rows), width)
    assert max(map(cell_len, lines)) <= width
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


def apart(*rows: tuple[str, str, str, str]) -> StoryTable:
    """Return a table whose note leaves its row first, then who with how many."""
    titles = ("value", "who", "people", "note")
    columns = tuple(StoryColumn(title) for title in titles)
    return StoryTable(columns, tuple(map(StoryRow, rows)), apart=(1, 2))


PARTED = [("+0.1", "women", "1,200", "they are granted less"), ("+0.2", "women", "1,200", "")]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (
            60,
            [
                "value  who    people  note",
                "───────────────────────────────────────────",
                "+0.1   women  1,200   they are granted less",
                "+0.2   women  1,200",
            ],
        ),
        (
            30,
            [
                "value  who    people",
                "────────────────────",
                "+0.1   women  1,200",
                "  they are granted less",
                "+0.2   women  1,200",
            ],
        ),
        (
            18,
            [
                "value",
                "─────",
                "who women,",
                "  people 1,200",
                "+0.1",
                "  they are",
                "    granted less",
                "+0.2",
            ],
        ),
    ],
)
def test_columns_leave_their_rows_where_there_is_no_room(width: int, lines: list[str]) -> None:
    """The last column goes below its row; others stand above the rows that share them."""
    assert laid_out(apart(*PARTED), width) == [line.rstrip() for line in lines]


def test_row_is_told_in_words_where_its_columns_have_no_room() -> None:
    """A row that no layout has room for is a text, each cell with its title."""
    columns = tuple(map(StoryColumn, ("verdict", "limit", "who", "note")))
    found = (("fails", "0.8 to 1.25", "women", "less"), ("passes", "", "women", ""))
    rows = tuple(map(StoryRow, found))
    assert laid_out(StoryTable(columns, rows, apart=(1, 1)), 16) == [
        "fails  limit",
        "  0.8 to 1.25",
        "  women",
        "  less",
        "passes",
        "  women",
    ]


def test_rows_that_share_nothing_are_told_apart() -> None:
    """Where it changes, what stands above rows stands there again."""
    rows = [PARTED[1], ("+0.3", "men", "900", ""), ("+0.4", "women", "1,200", "")]
    found = laid_out(apart(*rows), 18)
    assert [line for line in found if line.startswith("who")] == [
        "who women,",
        "who men,",
        "who women,",
    ]


@given(st.lists(st.tuples(words, words, words, words), max_size=4), st.integers(20, 120))
def test_no_word_is_broken_that_a_line_has_room_for(
    rows: list[tuple[str, str, str, str]], width: int
) -> None:
    """A word that fits into a line is whole, wherever it stands."""
    shown = " ".join(laid_out(apart(*rows), width)).split()
    fitting = {
        word
        for row in rows
        for cell in row
        for word in cell.split()
        if cell_len(word) <= width // 6
    }
    assert {word for word in fitting if not any(word in one for one in shown)} == set()


def test_long_cell_of_an_unlimited_page_pushes_its_own_row_alone() -> None:
    """One long name does not set the columns of all other rows apart."""
    rows = [("a" * 300, "1", "x"), ("b", "2", "y")]
    assert laid_out(table(*rows), UNLIMITED)[2:] == [f"{'a' * 300}      1  x", "b         2  y"]
