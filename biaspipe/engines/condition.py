"""The condition of `where`: SQL to an expression that is true or false for each row by itself."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import polars as pl

from biaspipe.errors import Fault, Loc, SpecError, first_line, nearest

__all__ = [
    "columns_of",
    "not_of_a_row",
    "refuse_unknown",
    "row_condition",
    "unfit",
    "unusable",
    "wider",
]

LOC: Loc = ("data", "where")
BEYOND_A_ROW = {
    *("Agg", "Correlation", "Len", "Over", "Quantile"),
    *("Rank", "Rolling", "Shift", "SubPlan", "Window"),
}
"""What polars calls the parts of an expression that look at other rows."""

WIDER: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32"), pl.Int64),
    "UInt64": pl.Int128,
}


def unfit(words: str) -> SpecError:
    """Return what is wrong with a condition, at its place in the spec."""
    return SpecError([Fault(words, LOC)])


def unusable(said: str) -> SpecError:
    """Return the words of an engine that does not take a condition."""
    return unfit(f"the condition cannot be used: {said}")


def not_of_a_row() -> SpecError:
    """Return what is wrong with a condition that looks at other rows, or has another answer."""
    return unfit("the condition is not true or false for each row by itself")


def refuse_unknown(named: Iterable[str], columns: Collection[str], table: str) -> None:
    """Refuse a condition that names a column which is not there.

    Parameters
    ----------
    named : the columns that it names.
    columns : those of the table.
    table : what messages call it.

    Raises
    ------
    SpecError
        With the nearest name.
    """
    for column in named:
        if column not in columns:
            hint = nearest(column, columns)
            raise SpecError([Fault(f"{table} has no column {column!r}", LOC, hint=hint)])


def columns_of(where: str | None) -> list[str]:
    """Return the columns that a condition names, each once; none where it is no SQL."""
    try:
        return list(dict.fromkeys(pl.sql_expr(where).meta.root_names())) if where else []
    except pl.exceptions.PolarsError:
        return []


def wider(where: str, frame: pl.LazyFrame) -> dict[Any, type[pl.DataType]]:
    """Return wider types for the short integers in a condition, whose sums and products fit them.

    Parameters
    ----------
    where : the condition in SQL.
    frame : the table that it is about.
    """
    schema = frame.collect_schema()
    named = {name: schema[name] for name in columns_of(where) if name in schema}
    return {name: WIDER[str(dtype)] for name, dtype in named.items() if str(dtype) in WIDER}


def row_condition(where: str, frame: pl.LazyFrame, name: str) -> pl.Expr:
    """Return the expression of a condition.

    Parameters
    ----------
    where : the condition in SQL.
    frame : the table that it is about.
    name : what messages call the table.

    Raises
    ------
    SpecError
        If it is no SQL, names a column that is not there, or is not true or false for each row.
    """
    schema = frame.collect_schema()
    try:
        condition = pl.sql_expr(where)
        if BEYOND_A_ROW & set(_names(json.loads(condition.meta.serialize(format="json")))):
            raise not_of_a_row()
        refuse_unknown(condition.meta.root_names(), schema, name)
        if schema_of(condition, frame) != pl.Boolean:
            raise not_of_a_row()
    except pl.exceptions.PolarsError as error:
        raise unusable(first_line(error)) from None
    return condition


def schema_of(condition: pl.Expr, frame: pl.LazyFrame) -> pl.DataType:
    """Return the type of an expression, found on no rows so that its faults show at once."""
    return frame.head(0).select(condition.alias("where")).collect()["where"].dtype


def _names(node: Any) -> Iterator[str]:
    """Walk over a serialised expression; literals and columns are texts too, but not parts."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            if key not in ("Literal", "Column"):
                yield from _names(value)
    elif isinstance(node, list):
        for value in node:
            yield from _names(value)
    elif isinstance(node, str):
        yield node
