"""Rows in hand: a frame of polars, pandas, PyArrow, DuckDB or Spark, counted where it is."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
from biaspipe.engines.extras import needed
from biaspipe.engines.files import Input, refuse_csv
from biaspipe.engines.filing import IN_HAND
from biaspipe.engines.inputs import found_inputs
from biaspipe.engines.joining import Frame, Table
from biaspipe.engines.polars import PolarsEngine
from biaspipe.engines.weights import WIDE
from biaspipe.errors import DataError, Fault, SpecError, UsageError, first_line
from biaspipe.plan import Kind
from biaspipe.spec import Data

__all__ = ["RelationEngine", "engine_of"]

TAKEN = "a frame of polars, pandas, pyarrow, duckdb or pyspark"


def engine_of(frame: object, data: Data, folder: Path) -> Engine:
    """Return the engine that counts a frame where it is.

    Parameters
    ----------
    frame : the rows: a frame of polars (lazy or not), pandas, PyArrow, DuckDB or Spark.
    data : the part of the spec that says what is joined, and which rows count.
    folder : what relative paths are relative to.

    Raises
    ------
    UsageError
        If this is no frame that biaspipe knows, or its library is not installed.
    DataError
        If a column holds values of several types.
    """
    refuse_csv(data, "these rows are in hand", ("data",))
    library = _library(frame)
    if library in ("duckdb", "_duckdb"):
        return RelationEngine(frame, data)
    with found_inputs(data, folder, in_hand=True) as inputs:
        match library:
            case "polars":
                rows = frame.lazy() if isinstance(frame, pl.DataFrame) else frame
                if isinstance(rows, pl.LazyFrame):
                    return PolarsEngine(data, inputs, rows)
            case "pandas" | "pyarrow":
                return PolarsEngine(data, inputs, _converted(frame))
            case "pyspark":
                from biaspipe.engines.spark.engine import SparkEngine  # noqa: PLC0415 - needs pyspark

                return SparkEngine.of(frame, data, inputs)
        raise UsageError(f"data is no frame: {type(frame).__qualname__}", hint=f"it is {TAKEN}")


def _library(frame: object) -> str:
    return type(frame).__module__.partition(".")[0]


def _converted(frame: Any) -> pl.LazyFrame:
    """Return rows of pandas or PyArrow as polars reads them, which copies as little as it can."""
    needed("pyarrow", "pandas")
    if hasattr(frame, "iloc"):
        return _of_pandas(frame).lazy()
    try:
        rows = pl.from_arrow(frame)
    except (*UNFIT, TypeError) as error:
        raise DataError(f"{IN_HAND}: cannot be read: {first_line(error)}") from None
    if isinstance(rows, pl.DataFrame):
        return rows.lazy()
    raise UsageError(f"data is no frame: {type(frame).__qualname__}", hint=f"it is {TAKEN}")


def _of_pandas(frame: Any) -> pl.DataFrame:
    """Return rows of pandas; a column that holds values of several types is named."""
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise DataError(f"{IN_HAND}: there are two columns {twice!r}")
    try:
        return pl.from_pandas(frame)
    except (*UNFIT, TypeError):
        for column in frame.columns if len(frame.columns) > 1 else ():
            _of_pandas(frame[[column]])
        words = f"{IN_HAND}: column {frame.columns[0]!r} cannot be read as values of one type"
        raise DataError(words) from None


UNFIT = (pl.exceptions.PolarsError, ValueError)
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
        self.version = f"duckdb {needed('duckdb', 'duckdb').__version__}"
        self.relation = relation
        if data.join:
            words = "a relation of DuckDB is not joined with files; join it before the audit"
            raise SpecError([Fault(words, ("data", "join"))])

    @property
    def name(self) -> str:
        """What messages call the data."""
        return IN_HAND

    def inputs(self) -> tuple[Input, ...]:
        """Return the one input, of which nothing is known."""
        return (Input(IN_HAND, None, None),)

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
