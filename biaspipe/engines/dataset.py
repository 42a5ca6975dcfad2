"""The data of an audit on any engine: its tables opened, joined, conditioned and read."""

from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, MINYEAR
from functools import cached_property

import narwhals as nw
import polars as pl
import polars.selectors as cs

from biaspipe.conditions import columns_of, parse_condition, unusable
from biaspipe.engines.backend import Backend, Frame, NamedFrame, in_utc
from biaspipe.engines.coding import kind
from biaspipe.engines.joining import JoinedTable, join_tables
from biaspipe.errors import DataError
from biaspipe.plan import Kind
from biaspipe.printable_text import first_line
from biaspipe.spec import Data

__all__ = ["MATCHES", "Dataset"]

MATCHES = "__matches__"
"""The column that tells which rows meet the condition of `where`."""


class Dataset:
    """The rows of an audit, as lazy frames of a backend.

    Parameters
    ----------
    backend : where they are.
    data : the part of the spec that says what to read.
    name : what messages call the data.
    """

    def __init__(self, backend: Backend, data: Data, name: str) -> None:
        self.backend, self.data, self.name = backend, data, name

    @property
    def condition_columns(self) -> tuple[str, ...]:
        """The columns that the condition names."""
        where, values = self.data.where, self.data.values
        return columns_of(parse_condition(where, values)) if where else ()

    @cached_property
    def tables(self) -> list[NamedFrame]:
        """Every table by itself, opened but not read."""
        with self.backend.errors(self.name):
            return self.backend.open(self.condition_columns)

    @cached_property
    def joined(self) -> JoinedTable:
        """The data with its joins."""
        return join_tables(self.backend, self.data, self.tables)

    @cached_property
    def frame(self) -> Frame:
        """The data with its joins and, where there is a condition, the column `MATCHES`."""
        if self.data.where is None:
            return self.joined.frame
        with self.backend.errors(self.name):
            return self.conditioned(self.data.where)

    @cached_property
    def schema(self) -> Mapping[str, nw.dtypes.DType]:
        """The columns of the data with its joins."""
        with self.backend.errors(self.name):
            return self.joined.frame.collect_schema()

    @property
    def rows(self) -> Frame:
        """The rows that count."""
        return self.frame.filter(nw.col(MATCHES)) if self.data.where else self.frame

    def reopen(self) -> None:
        """Open the tables anew the next time that they are asked for."""
        for name in ("tables", "joined", "frame", "schema"):
            self.__dict__.pop(name, None)

    def conditioned(self, where: str) -> Frame:
        """Return the data with its joins and the column `MATCHES`: whether a row meets a condition.

        Raises
        ------
        SpecError
            If the text is no condition, or none of these columns.
        """
        from biaspipe.engines.where.translation import meets  # noqa: PLC0415 - most audits have none

        columns = {n: t for n, t in self.schema.items() if n not in self.joined.markers}
        condition = parse_condition(where, self.data.values)
        naive_time = self.backend.naive_time
        matches = meets(condition, columns, self.kind, self.name, naive_time).alias(MATCHES)
        try:
            return self.joined.frame.with_columns(matches)
        except NotImplementedError as error:
            words = f"{self.backend.version} cannot answer it: {first_line(error)}"
            raise unusable(words) from None

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What kind of values each column holds."""
        kinds = {name: self.kind(name) for name in self.schema}
        return {name: k for name, k in kinds.items() if name not in self.joined.markers}

    def kind(self, column: str) -> Kind:
        """Return the kind of values of a column; polars tells those that it has typed."""
        if column in self.backend.polars_types:
            nothing = pl.LazyFrame(schema={column: self.backend.polars_types[column]})
            return kind(nw.from_native(nothing).collect_schema()[column])
        found = kind(self.schema[column])
        is_known = found is not Kind.MISSING or self.backend.is_empty_type(
            self.joined.frame.to_native(), column
        )
        return found if is_known else Kind.OTHER

    def read(self, query: Frame) -> pl.DataFrame:
        """Run one query."""
        return self.read_all([query])[0]

    def read_all(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, in one pass where the engine can; what goes wrong names the table."""
        with self.backend.errors(self.name):
            frames = [in_utc(frame) for frame in self.backend.run(queries)]
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
