"""Rows that a driver hands back, as frames with the types that Ibis says they have."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import polars as pl

from biaspipe.errors import DataError

__all__ = ["frame_of"]


def frame_of(rows: Sequence[Sequence[Any]], schema: Any) -> pl.DataFrame:
    """Return rows as a frame.

    Parameters
    ----------
    rows : what a driver hands back.
    schema : the types of Ibis by column.

    Raises
    ------
    DataError
        If a value is not of its column's type, or too large.
    """
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    named = zip(schema.items(), columns, strict=True)
    try:
        return pl.DataFrame([_series(name, dtype, values) for (name, dtype), values in named])
    except (ArithmeticError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise DataError(f"a column holds a value that no audit can count: {error}") from None


def _series(name: str, dtype: Any, values: Sequence[Any]) -> pl.Series:
    if dtype.is_decimal():
        return _decimals(name, values, dtype.scale)
    read = READERS.get(type(dtype).__name__, str)
    held = [None if value is None else read(value) for value in values]
    return pl.Series(name, held, dtype=_type(dtype, held))


def _type(dtype: Any, values: Sequence[Any]) -> pl.DataType | type[pl.DataType]:
    """Return the type of a column of polars; sums may be larger than a column's values."""
    if dtype.is_integer():
        largest = max((abs(v) for v in values if v is not None), default=0)
        return pl.Int64 if largest < MOST else pl.Int128
    if dtype.is_timestamp():
        return pl.Datetime("us", dtype.timezone)
    return TYPES.get(type(dtype).__name__, pl.String)


def _decimals(name: str, values: Sequence[Decimal | None], scale: int | None) -> pl.Series:
    """Return decimals; without a scale, with as few digits as they need."""
    if scale is None:
        plain = [None if v is None else v.normalize() for v in values]
        scale = max((-int(v.as_tuple().exponent) for v in plain if v is not None), default=0)
    return pl.Series(name, values, dtype=pl.Decimal(38, max(scale, 0)))


def _day(value: Any) -> date:
    return date.fromisoformat(value) if isinstance(value, str) else value


def _moment(value: Any) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


MOST = 2**63
WHOLE = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(WHOLE, int),
    "Boolean": bool,
    "Float32": float,
    "Float64": float,
    "Date": _day,
    "Timestamp": _moment,
}
TYPES = {
    "Boolean": pl.Boolean,
    "Float32": pl.Float32,
    "Float64": pl.Float64,
    "Date": pl.Date,
    "Null": pl.Null,
}
