"""Columns to codes: the expressions that reduce a row to the key of its cell, on every engine."""

from collections.abc import Iterator
from math import inf
from struct import pack, unpack
from typing import Any
from zoneinfo import ZoneInfo

import narwhals as nw

from biaspipe.plan import Bin, Dimension, Kind, literals

__all__ = ["LARGEST_SHORT", "as_written", "clean", "code", "digit", "feature", "kind"]

MAX_SMALL = 2**7
"""How many digits fit the smallest integers, by which grouping is fastest."""
MAX_CHAIN = 100
"""How many bins are asked for inside of each other; Python follows them call by call."""
LARGE = 2.0**31
"""Bounds from here on may be beyond the integers of a column."""
LARGEST_SHORT = 3.4028234663852886e38
"""The largest float of 32 bits."""

_KINDS: tuple[tuple[type[nw.dtypes.DType], Kind], ...] = (
    (nw.String, Kind.TEXT),
    (nw.Categorical, Kind.TEXT),
    (nw.Enum, Kind.TEXT),
    (nw.Unknown, Kind.MISSING),
    (nw.Boolean, Kind.BOOLEAN),
    (nw.Decimal, Kind.DECIMAL),
    (nw.Date, Kind.DATE),
    (nw.Datetime, Kind.DATETIME),
)


def kind(dtype: nw.dtypes.DType) -> Kind:
    """Return which kind of values a type holds; a column without any value has no known type."""
    if dtype.is_integer():
        return Kind.INTEGER
    if dtype.is_float():
        return Kind.FLOAT
    if isinstance(dtype, nw.Datetime) and dtype.time_zone:
        return Kind.ZONED
    return next((k for cls, k in _KINDS if isinstance(dtype, cls)), Kind.OTHER)


def clean(column: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return a column with NaN as missing and categories as the texts that they stand for."""
    values = nw.col(column)
    if dtype.is_float():
        return nw.when(_is_number(values)).then(values)
    if isinstance(dtype, nw.Unknown):
        return values.cast(nw.Float64)
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return values.cast(nw.String)
    return values


def as_written(column: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return a column by the values that a person would write: 0.1, not 0.10000000149011612."""
    values = clean(column, dtype)
    return values.cast(nw.String).cast(nw.Float64) if isinstance(dtype, nw.Float32) else values


def feature(column: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return a column as a feature; one without any value is a category that all share."""
    values = clean(column, dtype)
    return values.cast(nw.String) if isinstance(dtype, nw.Unknown) else values


def code(dimension: Dimension, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return a dimension's code: the bin's position, OTHER, or null where the value is missing."""
    if dimension.bins is None:
        return as_written(dimension.column, dtype)
    found = digit(dimension, dtype).cast(nw.Int16)
    return nw.when(found > 0).then(found - 2)


def digit(dimension: Dimension, dtype: nw.dtypes.DType) -> nw.Expr:
    """Return a dimension with bins as a digit: 0 missing, 1 in no bin, else the position plus 2."""
    bins = list(enumerate(dimension.bins or ()))
    small = nw.Int8() if len(bins) + 2 < MAX_SMALL else nw.Int16()
    is_float = dtype.is_float()
    values = nw.col(dimension.column) if is_float else clean(dimension.column, dtype)
    found, chains = nw.lit(1, small), list[nw.Expr]()
    for i, b in reversed(bins):
        branch = nw.when(_holds(b, values, dtype)).then(nw.lit(i + 2, small))
        if (i + 1) % MAX_CHAIN == 0 and i + 1 < len(bins):
            found, chains = branch, [found, *chains]
        else:
            found = branch.otherwise(found)
    found = nw.coalesce(found, *chains) if chains else found
    present = _is_number(values) if is_float else ~values.is_null()
    return nw.when(present).then(found).otherwise(nw.lit(0, small))


def _is_number(values: nw.Expr) -> nw.Expr:
    """Whether floats are no NaN, which every engine holds for greater than infinity."""
    return values <= inf


def _holds(b: Bin, values: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    tests = list(_tests(b, values, dtype))
    if isinstance(b.test, str | int | float | bool):
        return nw.any_horizontal(tests, ignore_nulls=False) if tests else nw.lit(False)
    return nw.all_horizontal(tests, ignore_nulls=False)


def _tests(b: Bin, values: nw.Expr, dtype: nw.dtypes.DType) -> Iterator[nw.Expr]:
    if isinstance(b.test, str | int | float | bool):
        found = literals(b.test, kind(dtype))
        yield from (values == nw.lit(_as_held(value, dtype)) for value in found)
        return
    number = values.cast(nw.Float64) if isinstance(dtype, nw.Decimal | nw.Float32) else values
    if b.test.above is not None:
        yield number > _as_held(b.test.above, dtype)
    if b.test.at_least is not None:
        yield number >= _as_held(b.test.at_least, dtype)
    if b.test.below is not None:
        yield number < _as_held(b.test.below, dtype)
    if b.test.at_most is not None:
        yield number <= _as_held(b.test.at_most, dtype)


def _as_held(value: Any, dtype: nw.dtypes.DType) -> Any:
    """Return a literal as a column holds it: whole, the 0.1 of short floats, in its own zone."""
    if dtype.is_integer() and isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < LARGE else value
    if isinstance(dtype, nw.Float32) and abs(value) <= LARGEST_SHORT:
        return unpack("f", pack("f", value))[0]
    if isinstance(dtype, nw.Datetime) and dtype.time_zone:
        return value.astimezone(ZoneInfo(dtype.time_zone))
    return value
