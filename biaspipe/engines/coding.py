"""Columns to codes: the polars expressions that reduce a row to the key of its cell."""

import polars as pl

from biaspipe.plan import OTHER, Bin, Dimension, Kind, literals

__all__ = ["clean", "code", "feature", "kind", "named"]

_KINDS: tuple[tuple[type[pl.DataType], Kind], ...] = (
    (pl.String, Kind.TEXT),
    (pl.Categorical, Kind.TEXT),
    (pl.Enum, Kind.TEXT),
    (pl.Null, Kind.MISSING),
    (pl.Boolean, Kind.BOOLEAN),
    (pl.Decimal, Kind.DECIMAL),
    (pl.Date, Kind.DATE),
    (pl.Datetime, Kind.DATETIME),
)


def kind(dtype: pl.DataType) -> Kind:
    """Return which kind of values a polars type holds."""
    if dtype.is_integer():
        return Kind.INTEGER
    if dtype.is_float():
        return Kind.FLOAT
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return Kind.ZONED
    return next((k for cls, k in _KINDS if isinstance(dtype, cls)), Kind.OTHER)


def clean(column: str, dtype: pl.DataType) -> pl.Expr:
    """Return a column with NaN as missing and categories as the texts that they stand for."""
    values = pl.col(column)
    if dtype.is_float():
        return values.fill_nan(None)
    if isinstance(dtype, pl.Null):
        return values.cast(pl.Float64)
    if kind(dtype) is Kind.TEXT and not isinstance(dtype, pl.String):
        return values.cast(pl.String)
    return values


def named(column: str, dtype: pl.DataType) -> pl.Expr:
    """Return a column by the values that a person would write: 0.1, not 0.10000000149011612."""
    values = clean(column, dtype)
    return values.cast(pl.String).cast(pl.Float64) if isinstance(dtype, pl.Float32) else values


def feature(column: str, dtype: pl.DataType) -> pl.Expr:
    """Return a column as a feature; one without any value is a category that all share."""
    values = clean(column, dtype)
    return values.cast(pl.String) if isinstance(dtype, pl.Null) else values


def code(dimension: Dimension, dtype: pl.DataType) -> pl.Expr:
    """Return a dimension's code: the bin's position, OTHER, or null where the value is missing."""
    if dimension.bins is None:
        return named(dimension.column, dtype)
    values = clean(dimension.column, dtype)
    coded = pl.lit(OTHER, pl.Int16)
    for i, b in reversed(list(enumerate(dimension.bins))):
        coded = pl.when(_holds(b, values, dtype)).then(pl.lit(i, pl.Int16)).otherwise(coded)
    return pl.when(values.is_not_null()).then(coded)


def _holds(b: Bin, values: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if isinstance(b.test, str | int | float | bool):
        named = [values == literal for literal in literals(b.test, kind(dtype))]
        return pl.any_horizontal(named) if named else pl.lit(False)
    number = values.cast(pl.Float64) if isinstance(dtype, pl.Decimal) else values
    held = pl.lit(True)
    for bound, met in (
        (b.test.above, number.gt),
        (b.test.at_least, number.ge),
        (b.test.below, number.lt),
        (b.test.at_most, number.le),
    ):
        if bound is not None:
            held &= met(bound)
    return held
