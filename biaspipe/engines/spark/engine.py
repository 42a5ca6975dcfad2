"""Tables counted by Spark: in the session that is there, or in one of our own."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Self

import narwhals as nw
import polars as pl

from biaspipe.counts import Counts
from biaspipe.engines.file_engine import IN_HAND, FileEngine
from biaspipe.engines.joining import Frame, Table
from biaspipe.engines.rows import plain
from biaspipe.engines.spark.faults import faults_of
from biaspipe.engines.spark.files import read_table
from biaspipe.engines.spark.frames import lazy, refuse_alike
from biaspipe.engines.spark.paths import refuse_other_stores
from biaspipe.engines.spark.sessions import Session, open_session
from biaspipe.engines.spark.workers import on_worker
from biaspipe.fliptest.passes import Pass, S, translate_summary_errors
from biaspipe.plan import Kind, Plan
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources import Sources
from biaspipe.sources.extras import import_extra
from biaspipe.sources.files import is_csv
from biaspipe.spec import Data, Spark

__all__ = ["SparkEngine"]


class SparkEngine(FileEngine):
    """Counts the tables of an audit on Spark, which hands back only counts.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.
    settings : where Spark runs, where no session is there yet.
    frame : a frame of Spark, classic or Connect, where the rows are in hand.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If pyspark or Java is not installed.
    DataError
        If Spark cannot be reached.
    """

    def __init__(
        self,
        data: Data,
        inputs: Sources,
        settings: Spark | None = None,
        frame: Any = None,
        policy: Policy = DEFAULT,
    ) -> None:
        pyspark = import_extra("pyspark", "spark")
        super().__init__(data, inputs)
        self.settings, self.given, self.policy = settings, frame, policy
        self.version = f"pyspark {pyspark.__version__}"

    @classmethod
    def of(cls, frame: Any, data: Data, inputs: Sources) -> Self:
        """Return the engine that counts a frame of Spark in the frame's own session.

        Parameters
        ----------
        frame : the rows: a frame of pyspark, classic or Connect.
        data : the part of the spec that says what is joined, and which rows count.
        inputs : the files that are joined.
        """
        return cls(data, inputs, frame=frame)

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
        """Stop what still runs beside the count, and a session of our own."""
        super().close()
        if session := self.__dict__.get("session"):
            session.close()

    def native_kind(self, column: str) -> Kind:
        """Return what kind of values a column holds to Spark."""
        found = super().native_kind(column)
        if found is not Kind.MISSING:
            return found
        native = self.tables.frame.to_native().schema[column].dataType
        return found if native.typeName() == "void" else Kind.OTHER

    def scan(self) -> list[Table]:
        """Return every table by itself, opened but not read."""
        tables = [] if self.given is None else [(IN_HAND, self.given)]
        for source, files in self.sources:
            refuse_other_stores(self.policy, files)
            with self.reading(files.name):
                frame, types = read_table(self.session, source, files, self.named)
            self.typed |= types
            tables.append((files.name, frame))
        with self.reading(self.name):
            refuse_alike(self.session, [(name, frame.columns) for name, frame in tables])
            return [(name, lazy(frame)) for name, frame in tables]

    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        with self.session.cancelling():
            frames = [pl.DataFrame(query.to_native().toArrow()) for query in queries]
        return [frame.with_columns(self._unsigned(frame)) for frame in frames]

    def _unsigned(self, frame: pl.DataFrame) -> list[pl.Expr]:
        """Return the columns that Spark holds as decimals for want of large whole numbers."""
        large = (name for name in frame.columns if self.typed.get(name) == pl.UInt64)
        return [pl.col(name).cast(pl.UInt64) for name in large]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        with self.session.cancelling():
            for batch in rows.to_native().toArrow().to_batches():
                yield pl.DataFrame(pl.from_arrow(batch))

    def count(self, plan: Plan) -> Counts:
        """Count the data by the groupings of a plan, in one pass."""
        counts = super().count(plan)
        for i, (name, frame) in enumerate(self.scanned[1:], start=1 - self.in_hand):
            if is_csv(self.sources[i][1]):
                with self.reading(name):
                    ones = frame.select(nw.nth(0).is_null().alias("one"))
                    rows = self.collected([ones.select(nw.len())])[0].item()
                self.refuse_other_rows(i, int(rows))
        return counts

    def moment(self, value: datetime) -> nw.Expr:
        """Return a time without a zone; Spark would take it for one in the zone of Python."""
        return nw.lit(value.isoformat(" ")).cast(nw.Datetime("us"))

    def reading(self, name: str) -> Any:
        """Turn what Spark says of faulty data into words that name the table."""
        return faults_of(name)

    def run_pass(self, rows: Frame, a_pass: Pass[S]) -> S:
        """Run a pass over rows where they lie: a summary of each partition comes back."""
        parts = self.mapped(rows, lambda batches: a_pass.pack(a_pass.of(map(plain, batches))))
        with translate_summary_errors(self.name):
            return a_pass.merged(map(a_pass.unpack, parts))

    def mapped(
        self, rows: Frame, function: Callable[[Iterator[pl.DataFrame]], bytes]
    ) -> list[bytes]:
        """Run a function over every partition of rows, on the workers.

        Parameters
        ----------
        rows : what it is given, in batches.
        function : can be pickled; of no row as well.
        """
        with self.reading(self.name), self.session.cancelling():
            parts = rows.to_native().mapInArrow(on_worker(function), "part binary").toArrow()
        with translate_summary_errors(self.name):
            return [part.as_buffer().to_pybytes() for part in parts["part"] if part.is_valid]
