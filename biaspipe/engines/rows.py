"""Lazy frames of any engine: the tables of an audit opened, joined, conditioned and read."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import MAXYEAR, MINYEAR, datetime
from functools import cached_property

import narwhals as nw
import polars as pl
import polars.selectors as cs

from biaspipe.conditions import columns_of, parsed, unusable
from biaspipe.engines.coding import kind
from biaspipe.engines.joining import Frame, Joined, Joiner, Table
from biaspipe.engines.weights import LONG, Limbs
from biaspipe.engines.where.translation import met
from biaspipe.errors import DataError, Fault, SpecError, first_line
from biaspipe.plan import Kind
from biaspipe.spec import Data

__all__ = ["BATCH", "KEPT", "Rows", "plain"]

BATCH = 100_000
"""Rows that are handed over at a time, where that can be chosen."""
KEPT = "__kept__"
"""The column that tells which rows meet the condition of `where`."""


class Rows(ABC):
    """The rows of an audit, as lazy frames.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    """

    limbs: Limbs = LONG
    """How the engine holds large sums."""
    version: str
    """What counts, with its version."""

    def __init__(self, data: Data) -> None:
        self.data = data

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call the data."""

    @abstractmethod
    def scan(self) -> list[Table]:
        """Return every table by itself, opened but not read."""

    @abstractmethod
    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, in one pass where the engine can."""

    @abstractmethod
    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""

    @abstractmethod
    def reading(self, name: str) -> AbstractContextManager[None]:
        """Turn what the engine says of faulty data into words that name the table."""

    def beside(self, left: Frame, right: Frame) -> Frame:
        """Put the rows of two tables next to each other, in their order."""
        words = "only engine: polars can join by position; other engines keep no order of rows"
        raise SpecError([Fault(words, ("data", "join"))])

    def settle(self) -> bool:
        """Take types from all values instead of the first; whether that changes anything."""
        return False

    @abstractmethod
    def close(self) -> None:
        """Stop what still runs."""

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that the condition names."""
        where, values = self.data.where, self.data.values
        return columns_of(parsed(where, values)) if where else ()

    @cached_property
    def scanned(self) -> list[Table]:
        """Every table by itself, opened but not read."""
        with self.reading(self.name):
            return self.scan()

    @cached_property
    def tables(self) -> Joined:
        """The data with its joins."""
        joiner = Joiner(lambda query: self.collected([query])[0], self.beside, self.reading)
        return joiner.joined(self.data, self.scanned)

    @cached_property
    def frame(self) -> Frame:
        """The data with its joins and, where there is a condition, the column `KEPT`."""
        if self.data.where is None:
            return self.tables.frame
        with self.reading(self.name):
            return self.conditioned(self.tables.frame, self.data.where)

    @cached_property
    def schema(self) -> Mapping[str, nw.dtypes.DType]:
        """The columns of the data with its joins."""
        with self.reading(self.name):
            return self.tables.frame.collect_schema()

    def forget(self) -> None:
        """Open the tables anew the next time that they are asked for."""
        for name in ("scanned", "tables", "frame", "schema"):
            self.__dict__.pop(name, None)

    def moment(self, value: datetime) -> nw.Expr:
        """Return a time without a zone as the engine takes it."""
        return nw.lit(value)

    def conditioned(self, frame: Frame, where: str) -> Frame:
        """Add the column `KEPT`: whether a row meets a condition.

        Raises
        ------
        SpecError
            If the text is no condition, or none of these columns.
        """
        columns = {n: t for n, t in self.schema.items() if n not in self.tables.markers}
        condition = parsed(where, self.data.values)
        kept = met(condition, columns, self.kind, self.name, self.moment).alias(KEPT)
        try:
            return frame.with_columns(kept)
        except NotImplementedError as error:
            raise unusable(f"{self.version} cannot answer it: {first_line(error)}") from None

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What kind of values each column holds."""
        kinds = {name: self.kind(name) for name in self.schema}
        return {name: k for name, k in kinds.items() if name not in self.tables.markers}

    def kind(self, column: str) -> Kind:
        """Return what kind of values a column holds."""
        return kind(self.schema[column])

    def read(self, query: Frame) -> pl.DataFrame:
        """Run one query."""
        return self.read_all([query])[0]

    def read_all(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, in one pass where the engine can; what goes wrong names the table."""
        with self.reading(self.name):
            frames = [plain(frame) for frame in self.collected(queries)]
            self._refuse_far(frames)
            return frames

    def _refuse_far(self, frames: Sequence[pl.DataFrame]) -> None:
        """Refuse dates that Python's calendar does not reach."""
        for frame in frames:
            for times in frame.select(cs.date() | cs.datetime()):
                years = times.drop_nulls().dt.year()
                if not years.is_between(MINYEAR, MAXYEAR).fill_null(value=False).all():
                    words = f"{self.name}: a date lies before year {MINYEAR} or after {MAXYEAR}"
                    raise DataError(words)

    @property
    def kept_rows(self) -> Frame:
        """The rows that count."""
        return self.frame.filter(nw.col(KEPT)) if self.data.where else self.frame


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Return times with a zone in UTC; each engine has its own zone to show them in."""
    return frame.with_columns(cs.datetime(time_zone="*").dt.convert_time_zone("UTC"))
