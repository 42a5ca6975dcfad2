"""Which columns an audit may be about, and why the others are left out."""

from biaspipe.engines.column_contents import ColumnContents, TableContents
from biaspipe.plan import Kind
from biaspipe.printable_text import escape, list_values, shorten
from biaspipe.proposal.vocabulary import (
    is_count,
    is_group,
    is_identifier,
    is_stratum,
    is_weight,
    label_rank,
    prediction_rank,
)

__all__ = [
    "MAX_GROUPS",
    "copies_of",
    "described",
    "is_few",
    "is_many_numbers",
    "is_scale",
    "is_stratum_candidate",
    "reason_of",
    "told_size",
]

MAX_GROUPS = 12
"""Values up to which each is proposed as a group."""
MAX_CLASSES = 4
"""Numbers up to which each is taken for a class of its own."""
MAX_CATEGORIES = 50
"""Values up to which texts are taken for categories."""
MIN_ROWS = 20
"""Rows from which it means something that no two of them have the same value."""
WORDS = 4
"""Words on average from which texts are taken for sentences."""
MAX_SHOWN = 6
MAX_TEXT = 40
MAX_TESTED = 100
"""Columns that are looked at for a copy of an outcome."""
DATES = (Kind.DATE, Kind.DATETIME, Kind.ZONED)


def described(column: ColumnContents) -> str:
    """Write the values of a column with their rows, the commonest first.

    >>> described(ColumnContents("sex", Kind.TEXT, 5, 1, (("m", 3), ("f", 1))))
    "'m': 3, 'f': 1, missing: 1"
    """
    if column.values is None or is_many_numbers(column):
        low, high = column.ends or (0, 0)
        shown = [f"{low:,.6g} to {high:,.6g}"]
    else:
        people = column.people or (None,) * len(column.values)
        pairs = zip(column.values, people, strict=True)
        shown = [f"{_short(value)}: {told_size(n, of)}" for (value, n), of in pairs][:MAX_SHOWN]
        if len(column.values) > MAX_SHOWN:
            shown.append(f"{len(column.values) - MAX_SHOWN:,} more")
    return ", ".join([*shown, *([f"missing: {column.missing:,}"] if column.missing else [])])


def told_size(rows: int, people: float | None) -> str:
    """Write how many rows there are, and people where a row stands for several.

    >>> told_size(1200, None), told_size(4, 20380.0)
    ('1,200', '4 (20,380 people)')
    """
    return f"{rows:,}" if people is None else f"{rows:,} ({people:,.0f} people)"


def _short(value: object) -> str:
    return shorten(escape(list_values([value])), MAX_TEXT)


def is_few(column: ColumnContents, most: int = MAX_GROUPS) -> bool:
    """Whether a column has two values or a few more."""
    return column.values is not None and 1 < len(column.values) <= most


def is_many_numbers(column: ColumnContents) -> bool:
    """Whether a column holds so many numbers that groups of them need bounds."""
    return _has_numbers(column, MAX_GROUPS)


def is_scale(column: ColumnContents) -> bool:
    """Whether a column holds numbers of which a bound tells which are favorable."""
    return _has_numbers(column, MAX_CLASSES)


def _has_numbers(column: ColumnContents, most: int) -> bool:
    """Whether a column holds more different numbers than this."""
    is_number = column.kind in (Kind.INTEGER, Kind.FLOAT, Kind.DECIMAL)
    return is_number and (column.values is None or len(column.values) > most)


def reason_of(column: ColumnContents) -> str | None:
    """Say why a column is nothing that an audit could be about; None if it may be.

    >>> reason_of(ColumnContents("version", Kind.INTEGER, 5, 0, ((1, 5),)))
    'the same value in every row: 1'
    """
    return _without_values(column) or _telling_apart(column) or _text(column)


def _without_values(column: ColumnContents) -> str | None:
    if column.kind is Kind.MISSING or column.missing >= column.rows:
        return "no value in any row"
    if column.kind in DATES or column.dated:
        return "dates"
    if column.kind is Kind.OTHER:
        return str(column.kind)
    if column.values is not None and len(column.values) == 1:
        others = "row that has one" if column.missing else "row"
        return f"the same value in every {others}: {_short(column.values[0][0])}"
    return None


def _telling_apart(column: ColumnContents) -> str | None:
    """Say that a column tells people apart, unless its name says that it is something else."""
    many = column.values is None or len(column.values) > MIN_ROWS
    if is_identifier(column.name) and (many or column.differs):
        return "an identifier by its name"
    named = is_count(column.name) or is_weight(column.name) or is_group(column.name)
    named = named or prediction_rank(column.name) is not None
    named = named or label_rank(column.name) == 0
    counted = column.kind in (Kind.TEXT, Kind.INTEGER) and column.rows > MIN_ROWS
    if column.differs and counted and not named and column.words < WORDS:
        return "another value in every row, as an identifier has"
    return None


def _text(column: ColumnContents) -> str | None:
    if column.kind is not Kind.TEXT or is_few(column):
        return None
    if column.words >= WORDS or (column.values is None and column.words == 0):
        return "free text"
    if column.values is None:
        return "texts of very many values, or long ones"
    if len(column.values) > MAX_CATEGORIES:
        return f"{len(column.values):,} different texts"
    return None


def copies_of(outcome: ColumnContents, table: TableContents) -> tuple[str, ...]:
    """Return the columns of which each value goes with one outcome only: what leaks it.

    Parameters
    ----------
    outcome : a column of few values.
    table : the table.
    """
    if not is_few(outcome) or table.rows <= MIN_ROWS:
        return ()
    tested = [c for c in table.columns if is_few(c) and c.name != outcome.name][:MAX_TESTED]
    return tuple(c.name for c in tested if table.tells(c.name, outcome.name))


def is_stratum_candidate(column: ColumnContents) -> bool:
    """Whether people may be grouped by a column before they are compared."""
    return is_few(column, MAX_CATEGORIES) and is_stratum(column.name)
