"""What a report holds as frames: a row for each check, or for each rate of a group."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypeVar

import polars as pl

from biaspipe.renderers.csv.checks import CHECK_COLUMNS, check_rows
from biaspipe.renderers.csv.columns import CsvColumn, CsvKind, CsvValue
from biaspipe.renderers.csv.rates import RATE_COLUMNS, rate_rows
from biaspipe.report import Report

__all__ = ["check_frame", "rate_frame"]

Row = TypeVar("Row")
TYPES: dict[CsvKind, type[pl.DataType]] = {
    "text": pl.String,
    "number": pl.Float64,
    "integer": pl.Int64,
    "day": pl.Date,
}
FIRST_OF_CHECKS = (
    *("metric", "facet", "favored", "disfavored"),
    *("verdict", "value", "low", "high", "sentence"),
)
FIRST_OF_RATES = ("facet", "group", "rate", "value", "low", "high", "people")
"""The columns that stand first in a frame, which shows those alone where there is little room."""


def check_frame(report: Report) -> pl.DataFrame:
    """Return the checks of a report, a row for each, in the columns of its CSV.

    Parameters
    ----------
    report : the whole report.
    """
    return _frame(CHECK_COLUMNS, list(check_rows(report)), FIRST_OF_CHECKS)


def rate_frame(report: Report) -> pl.DataFrame:
    """Return the rates of every group of a report, a row for each, in the columns of their CSV.

    Parameters
    ----------
    report : the whole report; one of before there were rates gives no rows.
    """
    return _frame(RATE_COLUMNS, list(rate_rows(report)), FIRST_OF_RATES)


def _frame(
    columns: Sequence[CsvColumn[Row]], rows: Sequence[Row], first: Iterable[str]
) -> pl.DataFrame:
    by_name = {column.name: column for column in columns}
    ordered = [by_name[name] for name in dict.fromkeys((*first, *by_name))]
    cells = {c.name: [_value(c.kind, c.of(row)) for row in rows] for c in ordered}
    return pl.DataFrame(cells, schema={c.name: TYPES[c.kind] for c in ordered})


def _value(kind: CsvKind, value: CsvValue) -> CsvValue | date:
    """Return a cell as a frame holds it: a day as one, and every number of people as a float."""
    if value is None or kind in ("text", "integer"):
        return value
    return date.fromisoformat(str(value)) if kind == "day" else float(value)
