"""Tables counted by Spark: in the session that is there, or in one of our own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.backend import Backend, Frame, NamedFrame, in_utc
from biaspipe.engines.input_checks import refuse_nested, rows_name
from biaspipe.engines.spark.column_names import narwhals_frame, refuse_alike
from biaspipe.engines.spark.errors import translate_errors
from biaspipe.engines.spark.files import read_table, refuse_other_stores
from biaspipe.engines.spark.session import Session, open_session
from biaspipe.engines.spark.workers import on_worker
from biaspipe.extras import import_extra
from biaspipe.fliptest.passes import Pass, S, translate_summary_errors
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources import Sources
from biaspipe.spec import IN_HAND, Audit, Spark

__all__ = ["SparkBackend", "backend_of"]


class SparkBackend(Backend):
    """Counts the tables of an audit on Spark, which hands back only counts.

    Parameters
    ----------
    inputs : the files.
    settings : where Spark runs, where no session is there yet.
    policy : what the spec may reach.
    frame : a frame of Spark, classic or Connect, whose own session counts it and what is joined.

    Raises
    ------
    UsageError
        If pyspark or Java is not installed.
    SpecError
        If a file holds nested rows.
    DataError
        If Spark cannot be reached.
    """

    recounts_text_tables = True

    def __init__(
        self,
        inputs: Sources,
        settings: Spark | None = None,
        policy: Policy = DEFAULT,
        *,
        frame: Any = None,
    ) -> None:
        pyspark = import_extra("pyspark", "spark")
        refuse_nested(inputs)
        self.name, self.sources = rows_name(inputs), inputs.tables
        self.settings, self.policy, self.given = settings, policy, frame
        self.version = f"pyspark {pyspark.__version__}"
        self.polars_types: dict[str, pl.DataType] = {}

    @cached_property
    def session(self) -> Session:
        """The session that counts."""
        if self.given is None:
            session = open_session(self.settings, self.policy)
        else:
            connected = ".connect." in type(self.given).__module__
            session = Session(self.given.sparkSession, connected)
        self.version = session.version
        return session

    def close(self) -> None:
        """Stop a session of our own."""
        if session := self.__dict__.get("session"):
            session.close()

    def is_empty_type(self, native: Any, column: str) -> bool:
        """Whether a column is of Spark's type for what is null in every row."""
        return bool(native.schema[column].dataType.typeName() == "void")

    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Open every table of the audit, the main one first, and read none."""
        tables = [] if self.given is None else [(IN_HAND, self.given)]
        for files in self.sources:
            refuse_other_stores(self.policy, files)
            with self.errors(files.name):
                frame, types = read_table(self.session, files, dates)
            self.polars_types |= types
            tables.append((files.name, frame))
        with self.errors(self.name):
            refuse_alike(self.session, [(name, frame.columns) for name, frame in tables])
            return [(name, narwhals_frame(frame)) for name, frame in tables]

    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        with self.session.cancelling():
            frames = [pl.DataFrame(query.to_native().toArrow()) for query in queries]
        return [frame.with_columns(self._unsigned(frame)) for frame in frames]

    def _unsigned(self, frame: pl.DataFrame) -> list[pl.Expr]:
        """Return the columns that Spark holds as decimals for want of large whole numbers."""
        large = (name for name in frame.columns if self.polars_types.get(name) == pl.UInt64)
        return [pl.col(name).cast(pl.UInt64) for name in large]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        with self.session.cancelling():
            for batch in rows.to_native().toArrow().to_batches():
                yield pl.DataFrame(pl.from_arrow(batch))

    def naive_time(self, value: datetime) -> nw.Expr:
        """Return a time without a zone; Spark would take it for one in the zone of Python."""
        return nw.lit(value.isoformat(" ")).cast(nw.Datetime("us"))

    def errors(self, name: str) -> AbstractContextManager[None]:
        """Turn Spark's errors into ones that name the table."""
        return translate_errors(name)

    def run_pass(self, rows: Frame, a_pass: Pass[S], name: str) -> S:
        """Run a pass over rows where they lie: a summary of each partition comes back."""
        parts = self.run_on_workers(
            rows, lambda batches: a_pass.pack(a_pass.of(map(in_utc, batches)))
        )
        with translate_summary_errors(name):
            return a_pass.merged(map(a_pass.unpack, parts))

    def run_on_workers(
        self, rows: Frame, function: Callable[[Iterator[pl.DataFrame]], bytes]
    ) -> list[bytes]:
        """Run a function over every partition of rows, on the workers.

        Parameters
        ----------
        rows : what it is given, in batches.
        function : can be pickled; of no row as well.
        """
        with self.errors(self.name), self.session.cancelling():
            parts = rows.to_native().mapInArrow(on_worker(function), "part binary").toArrow()
        with translate_summary_errors(self.name):
            return [part.as_buffer().to_pybytes() for part in parts["part"] if part.is_valid]


def backend_of(inputs: Sources, audit: Audit, policy: Policy) -> SparkBackend:
    """Return the backend that counts files with Spark."""
    return SparkBackend(inputs, audit.spark, policy)
