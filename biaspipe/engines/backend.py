"""The protocol of an engine: it opens tables, runs queries, hands over rows, explains errors."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import narwhals as nw
import polars as pl
import polars.selectors as cs

from biaspipe.engines.exact_sums import IN_INT64, ExactSums
from biaspipe.errors import Fault, SpecError

if TYPE_CHECKING:
    from biaspipe.fliptest.passes import Pass, S

__all__ = ["BATCH", "ROW_NUMBER", "Backend", "Frame", "NamedFrame", "in_utc"]

BATCH = 100_000
"""Rows that are handed over at a time, where that can be chosen."""
ROW_NUMBER = "__row_number__"
"""The column that `Backend.number_rows` adds."""

Frame = nw.LazyFrame[Any]

NamedFrame = tuple[str, Frame]
"""A table's name for messages, and its rows."""


class Backend(ABC):
    """Where the rows are, and what counts them; everything else is written once for all.

    An engine supplies the abstract methods, and replaces of the others what it does in its own way.
    """

    version: str
    """What counts, with its version, such as duckdb 1.4.0."""
    exact_sums: ExactSums = IN_INT64
    """How large sums are held."""
    polars_types: Mapping[str, pl.DataType] = {}
    """The types of the columns that polars has typed for the engine."""
    recounts_text_tables = False
    """Whether joined text tables are counted too, to see that each line is one row."""

    @abstractmethod
    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Open every table of the audit, the main one first, and read none.

        Parameters
        ----------
        dates : columns of text tables that are dates where they hold nothing else.
        """

    @abstractmethod
    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, in one pass where the engine can."""

    @abstractmethod
    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""

    @abstractmethod
    def errors(self, name: str) -> AbstractContextManager[None]:
        """Turn what the engine says of faulty data into words that name the table."""

    @abstractmethod
    def is_empty_type(self, native: Any, column: str) -> bool:
        """Whether a column of a type that narwhals does not know is of the type of no value.

        Parameters
        ----------
        native : the engine's own frame.
        column : the column's name.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop what still runs."""

    def infer_all_types(self) -> bool:
        """Take types from all values instead of the first; whether that changes anything."""
        return False

    def naive_time(self, value: datetime) -> nw.Expr:
        """Return a time without a zone as the engine takes it."""
        return nw.lit(value)

    def join_by_position(self, left: Frame, right: Frame) -> Frame:
        """Put the rows of two tables next to each other, in their order."""
        words = "only engine: polars can join by position; other engines keep no order of rows"
        raise SpecError([Fault(words, ("data", "join"))])

    def number_rows(self) -> bool:
        """Open the main table with the column `ROW_NUMBER` from now on; whether it can be."""
        return False

    def run_pass(self, rows: Frame, a_pass: "Pass[S]", name: str) -> "S":
        """Run a pass of the fliptest over rows.

        Parameters
        ----------
        rows : what it looks at.
        a_pass : what it asks.
        name : what messages call the data.
        """
        with self.errors(name):
            return a_pass.merged([a_pass.of(map(in_utc, self.batches(rows)))])


def in_utc(frame: pl.DataFrame) -> pl.DataFrame:
    """Return times with a zone in UTC; each engine has its own zone to show them in."""
    return frame.with_columns(cs.datetime(time_zone="*").dt.convert_time_zone("UTC"))
