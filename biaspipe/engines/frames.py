"""Rows in hand: a frame of polars, pandas, PyArrow, DuckDB or Spark, counted where it is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timezone
from pathlib import Path
from typing import Any, cast

import narwhals as nw
import polars as pl

from biaspipe.engines import Engine
from biaspipe.engines.counting import FrameEngine
from biaspipe.engines.duckdb.relations import (
    faults_of,
    kind_in,
    relation_batches,
    without_nan,
)
from biaspipe.engines.file_engine import IN_HAND
from biaspipe.engines.joining import Frame, Table
from biaspipe.engines.polars import PolarsEngine
from biaspipe.engines.weights import WIDE
from biaspipe.errors import DataError, Fault, SpecError, UsageError, first_line
from biaspipe.plan import Kind
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources import open_sources
from biaspipe.sources.extras import import_extra
from biaspipe.sources.files import InputFile, refuse_csv_options, refuse_expected_digest
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.spec import Data

__all__ = ["RelationEngine", "engine_of"]

TAKEN = "a frame of polars, pandas, pyarrow, duckdb or pyspark"


def engine_of(frame: object, data: Data, folder: Path, policy: Policy = DEFAULT) -> Engine:
    """Return the engine that counts a frame where it is.

    Parameters
    ----------
    frame : the rows: a frame of polars (lazy or not), pandas, PyArrow, DuckDB or Spark.
    data : the part of the spec that says what is joined, and which rows count.
    folder : what relative paths are relative to.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If this is no frame that biaspipe knows, or its library is not installed.
    DataError
        If a column holds values of several types.
    """
    refuse_csv_options(data, "these rows are in hand", ("data",))
    refuse_expected_digest(data, "these rows are in hand", ("data",))
    library = _library(frame)
    if library in ("duckdb", "_duckdb"):
        return RelationEngine(frame, data)
    with open_sources(data, folder, policy, in_hand=True) as inputs:
        match library:
            case "polars":
                rows = frame.lazy() if isinstance(frame, pl.DataFrame) else frame
                if isinstance(rows, pl.LazyFrame):
                    with translate_errors(IN_HAND):
                        rows.collect_schema()
                    return PolarsEngine(data, inputs, rows)
            case "pandas" | "pyarrow":
                return PolarsEngine(data, inputs, _converted(frame))
            case "pyspark":
                from biaspipe.engines.spark.engine import SparkEngine  # noqa: PLC0415 - needs pyspark

                return SparkEngine.of(frame, data, inputs)
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
    hint = "make a frame of it: to_frame()" if is_series else f"it is {TAKEN}"
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
"""What polars and PyArrow raise for values that a column cannot hold."""


class RelationEngine(FrameEngine):
    """Counts a relation of DuckDB on the connection that it belongs to.

    Parameters
    ----------
    relation : the rows.
    data : the part of the spec that says which rows count.

    Raises
    ------
    SpecError
        If the spec joins tables, which are not on that connection.
    """

    limbs = WIDE

    def __init__(self, relation: Any, data: Data) -> None:
        super().__init__(data)
        self.version = f"duckdb {import_extra('duckdb', 'duckdb').__version__}"
        self.relation = relation
        if data.join:
            words = "a relation of DuckDB is not joined with files; join it before the audit"
            raise SpecError([Fault(words, ("data", "join"))])

    @property
    def name(self) -> str:
        """What messages call the data."""
        return IN_HAND

    def inputs(self) -> tuple[InputFile, ...]:
        """Return the one input, of which nothing is known."""
        return (InputFile(IN_HAND, None, None),)

    def scan(self) -> list[Table]:
        """Return the relation."""
        return [(IN_HAND, nw.from_native(without_nan(self.relation)))]

    def kind(self, column: str) -> Kind:
        """Return what kind of values a column holds."""
        return kind_in(self.tables.frame, column)

    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        return [query.collect("polars").to_native() for query in queries]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time."""
        return relation_batches(rows)

    def reading(self, name: str) -> Any:
        """Turn what DuckDB says of faulty data into words that name the table."""
        return faults_of(name)

    def close(self) -> None:
        """Leave the connection as it is."""
