"""Tables in a database, reached through Ibis: the database counts, and only counts come back."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.coding import kind
from biaspipe.engines.counting import FrameEngine
from biaspipe.engines.database.connection import Connection, filled_in
from biaspipe.engines.database.drivers import Driver
from biaspipe.engines.database.guard import refuse_reach
from biaspipe.engines.database.ibis import IbisDriver, refuse_unknown
from biaspipe.engines.database.names import parts_of
from biaspipe.engines.joining import Frame, Table
from biaspipe.errors import Loc
from biaspipe.plan import Kind
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.extras import import_extra
from biaspipe.sources.files import InputFile
from biaspipe.spec import Data

__all__ = ["DatabaseEngine"]


class DatabaseEngine(FrameEngine):
    """Counts tables where they are; nothing is written there.

    Parameters
    ----------
    data : the part of the spec that names the tables and the connection.
    policy : what the spec may reach.

    Raises
    ------
    UsageError
        If the driver of the database is not installed.
    DataError
        If the connection is refused, or a table is missing.
    SpecError
        If the policy does not allow it, a table's name is none, or the condition or a join asks
        for a column that is not there.
    """

    def __init__(self, data: Data, policy: Policy = DEFAULT) -> None:
        import_extra("ibis", "postgres")
        super().__init__(data)
        self._parts = [
            parts_of(name, loc) for name, loc in zip(self._names, _places(data), strict=True)
        ]
        connection = filled_in(str(data.connection), os.environ, policy)
        with connection.scrubbing():
            self.driver = _driver(connection, policy)
        ibis = import_extra("ibis", "postgres").__version__
        self.version = f"{self.driver.version} (ibis {ibis})"

    @property
    def name(self) -> str:
        """What messages call the data: the table as the spec writes it."""
        return str(self.data.table)

    def inputs(self) -> tuple[InputFile, ...]:
        """Return the tables; only the database knows their sizes."""
        return tuple(InputFile(name, None, None) for name in self._names)

    @property
    def _names(self) -> list[str]:
        return [self.name, *(str(join.table) for join in self.data.join)]

    def close(self) -> None:
        """Close the connection."""
        self.driver.close()

    def scan(self) -> list[Table]:
        """Return every table by itself, opened but not read."""
        tables = []
        for name, parts in zip(self._names, self._parts, strict=True):
            with self.reading(name):
                tables.append((name, nw.from_native(self.driver.table(name, parts))))
        return tables

    def kind(self, column: str) -> Kind:
        """Return what kind of values a column holds."""
        dtype = self.tables.frame.to_native().schema()[column]
        found = kind(self.schema[column])
        return Kind.OTHER if found is Kind.MISSING and not dtype.is_null() else found

    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        return [self.driver.rows(query.to_native()) for query in queries]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time."""
        return self.driver.parts(rows.to_native())

    def reading(self, name: str) -> Any:
        """Turn what the database says into words that name the table."""
        return self.driver.reading(name)


def _places(data: Data) -> list[Loc]:
    return [("data", "table"), *(("data", "join", i, "table") for i in range(len(data.join)))]


def _driver(connection: Connection, policy: Policy) -> Driver:
    is_postgres = connection.scheme == "postgres"
    if not is_postgres:
        refuse_unknown(connection.scheme)
    refuse_reach(policy, connection)
    if not is_postgres:
        return IbisDriver(connection)
    from biaspipe.engines.database.postgres import PostgresDriver  # noqa: PLC0415 - needs psycopg

    return PostgresDriver(connection, policy)
