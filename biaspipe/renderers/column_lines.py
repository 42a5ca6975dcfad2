"""What was counted as what, a line for each column, and what to say of it."""

from collections.abc import Iterator, Sequence

from biaspipe.printable_text import escape
from biaspipe.renderers.text import counted_text
from biaspipe.report import CountedAsRecord, SideRecord

__all__ = ["column_notes", "column_text"]

MAX_SHOWN = 5
"""Values of a side that a line has room for."""


def column_text(column: CountedAsRecord) -> str:
    """Write in one line which values of a column were counted as what.

    >>> side = SideRecord(side="positive", rows=70, least="0.51", greatest="0.9")
    >>> told = {"facet": None, "column": "score", "sides": (side,), "notes": (), "warnings": ()}
    >>> column_text(CountedAsRecord(role="prediction", **told))
    'prediction score: positive 0.51 to 0.9 (70 rows)'
    """
    return f"{_name(column)}: {'; '.join(map(_side_text, column.sides))}"


def _name(column: CountedAsRecord) -> str:
    """Say what a column is, the name once where a facet has that of its column."""
    what = column.role if column.facet is None else f"facet {escape(column.facet)}"
    return what if column.facet == column.column else f"{what} {escape(column.column)}"


def _side_text(side: SideRecord) -> str:
    rows = counted_text(side.rows, "row")
    values = side.values or ()
    if len(values) == 1 and not side.others:
        return f"{escape(side.side)} {_value_text(values[0].value)} ({rows})"
    if values:
        listed = [f"{_value_text(v.value)} {v.rows:,}" for v in values[:MAX_SHOWN]]
        more = len(values) - len(listed) + (side.others or 0)
        return f"{escape(side.side)} {', '.join(listed)}{f' and {more:,} more' if more else ''}"
    ends = " to ".join(dict.fromkeys(end for end in (side.least, side.greatest) if end))
    return f"{escape(side.side)} {ends} ({rows})" if ends else f"{escape(side.side)} ({rows})"


def _value_text(value: str) -> str:
    """Quote a value where its edges would not be seen."""
    return escape(value) if value and value == value.strip() else repr(value)


def column_notes(columns: Sequence[CountedAsRecord] | None) -> Iterator[str]:
    """Yield what a reader should know of the values, each with what it is about."""
    for column in columns or ():
        for word, notes in (("warning", column.warnings), ("note", column.notes)):
            yield from (f"{_name(column)}: {word}: {escape(note)}" for note in notes)
