"""Tables as CSV by RFC 4180: columns of one type each, and no text that a spreadsheet computes."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Generic, Literal, NamedTuple, TypeVar

from biaspipe.printable_text import escape
from biaspipe.renderers.about import fact_text
from biaspipe.report import Report

__all__ = [
    "CsvColumn",
    "CsvKind",
    "CsvValue",
    "column_table",
    "csv_text",
    "defused",
    "original",
    "spec_entry",
]

Row = TypeVar("Row")
CsvValue = str | int | float | None
"""What a cell holds; None leaves it empty."""
CsvKind = Literal["text", "number", "integer", "day"]
"""What the cells of a column hold, where they are not empty."""
FORMULA = re.compile(r"'*\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""How a text begins that a spreadsheet computes, or one that was marked to be a text."""


class CsvColumn(NamedTuple, Generic[Row]):
    """A column of a CSV.

    Parameters
    ----------
    name : its title.
    kind : what its cells hold, where they are not empty.
    about : what that is, in a sentence.
    of : its cell in a row.
    """

    name: str
    kind: CsvKind
    about: str
    of: Callable[[Row], CsvValue]


def csv_text(columns: Sequence[CsvColumn[Row]], rows: Iterable[Row]) -> str:
    """Return rows as CSV: comma, double quotes, CRLF, and a line for each row.

    Numbers are written in full, so that the same numbers are read. What does not show in a text,
    such as a line break, is spelled out.

    Parameters
    ----------
    columns : the columns.
    rows : what each of them takes its cells of.
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([_cell(column.of(row)) for column in columns])
    return text.getvalue()


def _cell(value: CsvValue) -> CsvValue:
    return defused(escape(value)) if isinstance(value, str) else value


def defused(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would compute it.

    >>> defused("=1+1"), defused("'-1"), defused("women"), defused("'")
    ("'=1+1", "''-1", 'women', "'")
    """
    return f"'{text}" if FORMULA.match(text) else text


def original(text: str) -> str:
    """Return a text as it was before it was `defused`.

    >>> original("'=1+1"), original("''-1"), original("women"), original("'")
    ('=1+1', "'-1", 'women', "'")
    """
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def spec_entry(report: Report, *keys: str) -> str | None:
    """Return what the spec of a report says below some keys, if it is a text or a number."""
    value = report.result.audit.entry(*keys)
    return fact_text(value) if isinstance(value, str | int | float) else None


def column_table(columns: Sequence[CsvColumn[Row]]) -> str:
    """Return what columns hold, as a table in Markdown."""
    rows = [f"| `{one.name}` | {one.kind} | {one.about} |" for one in columns]
    return "\n".join(["| column | holds | what |", "| --- | --- | --- |", *rows])
