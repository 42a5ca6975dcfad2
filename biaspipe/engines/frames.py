"""Rows in hand: a frame of polars, pandas, PyArrow, DuckDB or Spark, counted where it is."""

from collections import Counter
from collections.abc import Sequence
from datetime import timezone
from os import PathLike
from typing import Any, cast

import polars as pl

from biaspipe.engines.backend import Backend
from biaspipe.engines.polars import PolarsBackend
from biaspipe.errors import DataError, Fault, SpecError, UsageError
from biaspipe.extras import import_extra
from biaspipe.printable_text import first_line
from biaspipe.sources import Sources
from biaspipe.sources.files import refuse_csv_options, refuse_expected_digest
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.spec import IN_HAND, Data

__all__ = ["backend_of_frame", "refuse_unfit"]

FRAME_KINDS = "a frame of polars, pandas, pyarrow, duckdb or pyspark"
DUCKDB = ("duckdb", "_duckdb")
"""Modules that relations of DuckDB are of."""


def refuse_unfit(frame: object, data: Data) -> None:
    """Refuse what a spec says of its data that rows in hand do not take.

    Parameters
    ----------
    frame : the rows.
    data : the part of the spec that says what to read.

    Raises
    ------
    SpecError
        If it describes a file, or joins tables to a relation of DuckDB, on whose connection they
        are not.
    """
    refuse_csv_options(data, "these rows are in hand", ("data",))
    refuse_expected_digest(data, "these rows are in hand", ("data",))
    if data.join and _library(frame) in DUCKDB:
        words = "a relation of DuckDB is not joined with files; join it before the audit"
        raise SpecError([Fault(words, ("data", "join"))])


def backend_of_frame(frame: object, inputs: Sources) -> Backend:
    """Return the backend that counts a frame where it is.

    Parameters
    ----------
    frame : the rows: a frame of polars (lazy or not), pandas, PyArrow, DuckDB or Spark.
    inputs : the files that are joined.

    Raises
    ------
    UsageError
        If this is no frame that biaspipe knows, or its library is not installed.
    DataError
        If a column holds values of several types.
    """
    match library := _library(frame):
        case _ if library in DUCKDB:
            from biaspipe.engines.duckdb.backend import RelationBackend  # noqa: PLC0415 - needs duckdb

            return RelationBackend(frame)
        case "polars":
            rows = frame.lazy() if isinstance(frame, pl.DataFrame) else frame
            if isinstance(rows, pl.LazyFrame):
                with translate_errors(IN_HAND):
                    rows.collect_schema()
                return PolarsBackend(inputs, rows)
        case "pandas" | "pyarrow":
            return PolarsBackend(inputs, _converted(frame))
        case "pyspark":
            from biaspipe.engines.spark.backend import SparkBackend  # noqa: PLC0415 - needs pyspark

            return SparkBackend(inputs, frame=frame)
    raise _no_frame(frame)


def _library(frame: object) -> str:
    return type(frame).__module__.partition(".")[0]


def _converted(frame: Any) -> pl.LazyFrame:
    """Return rows of pandas or PyArrow as polars reads them, which copies as little as it can."""
    import_extra("pyarrow", "pandas")
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return _of_pandas(frame).lazy()
    if hasattr(frame, "schema"):
        return _of_arrow(frame).lazy()
    raise _no_frame(frame)


def _no_frame(frame: object) -> UsageError:
    is_series = hasattr(frame, "to_frame")
    hint = "make a frame of it: to_frame()" if is_series else f"it is {FRAME_KINDS}"
    if isinstance(frame, str | PathLike):
        hint = "a file is named by the spec, as data: {path: ...}"
    return UsageError(f"data is no frame: {type(frame).__qualname__}", hint=hint)


def _of_arrow(frame: Any) -> pl.DataFrame:
    """Return rows of PyArrow; a column of a type that polars does not know is named."""
    _refuse_twice(frame.schema.names)
    for field in frame.schema:
        if str(field.type).startswith("decimal256"):
            raise _unreadable(field.name, field.type)
    try:
        return cast("pl.DataFrame", pl.from_arrow(frame))
    except UNREADABLE as error:
        columns = getattr(frame, "num_columns", 0)
        if columns == 1:
            raise _unreadable(frame.schema.names[0], frame.schema.types[0]) from None
        for i in range(columns):
            _of_arrow(frame.select([i]))
        raise DataError(f"{IN_HAND}: cannot be read: {first_line(error)}") from None


def _of_pandas(frame: Any) -> pl.DataFrame:
    """Return rows of pandas; a column that polars cannot take is named."""
    names = [str(name) for name in frame.columns]
    _refuse_twice(names)
    columns = [frame.iloc[:, i] for i in range(len(names))]
    changed = {n: _countable(c) for n, c in zip(names, columns, strict=True) if _is_odd(c.dtype)}
    try:
        return pl.from_pandas(frame.set_axis(names, axis=1).assign(**changed) if changed else frame)
    except UNREADABLE:
        for i in range(len(names)) if len(names) > 1 else ():
            _of_pandas(frame.iloc[:, [i]])
        raise _unreadable(names[0], frame.dtypes.iloc[0]) from None


def _refuse_twice(names: Sequence[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise DataError(f"{IN_HAND}: there are two columns {name!r}")


def _is_odd(dtype: Any) -> bool:
    """Whether pandas has a type of its own for what polars holds as another one."""
    held = getattr(dtype, "categories", None)
    names = {type(dtype).__name__, type(getattr(held, "dtype", None)).__name__}
    return bool(names & {*AS_TEXT, "SparseDtype"}) or _is_offset(dtype)


def _is_offset(dtype: Any) -> bool:
    return isinstance(getattr(dtype, "tz", None), timezone)


def _countable(column: Any) -> Any:
    """Return a column as values that a spec can name: a period or an interval by its text."""
    if type(column.dtype).__name__ == "SparseDtype":
        return column.sparse.to_dense()
    if _is_offset(column.dtype):
        return column.dt.tz_convert("UTC")
    if hasattr(column, "cat"):
        return column.cat.rename_categories([str(value) for value in column.cat.categories])
    return column.astype("string")


def _unreadable(column: str, dtype: Any) -> DataError:
    held = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    several = "cannot be read as values of one type"
    words = several if str(held) == "object" else f"holds {held}, which no engine can count"
    hint = "make text or numbers of it, or leave the column out"
    return DataError(f"{IN_HAND}: column {column!r} {words}", hint=hint)


AS_TEXT = ("IntervalDtype", "PeriodDtype")
"""Types of pandas whose values a person writes as text: (0, 25] and 2026-11."""
UNREADABLE = (
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
    NotImplementedError,
    OverflowError,
    TypeError,
    ValueError,
)
"""The errors of polars and PyArrow for values that a column cannot hold."""
