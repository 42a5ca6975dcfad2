"""Drivers: the connections to databases that Ibis knows, and what comes back through them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import polars as pl

from biaspipe.engines.connection import Connection
from biaspipe.engines.extras import needed
from biaspipe.engines.fetching import frame_of
from biaspipe.engines.portable import portable
from biaspipe.errors import BiaspipeError, DataError, UsageError, listing, nearest

__all__ = ["BATCH", "Driver", "IbisDriver", "RefusedError", "parts_of"]

BATCH = 100_000
"""Rows that are handed over at a time."""
FILES = ("duckdb", "sqlite")
"""Databases that are files, which a driver makes where there are none."""
NO_DATABASES = ("polars", "pyspark")
DUCKDB = "SET disabled_optimizers = 'statistics_propagation,filter_pushdown'"
"""The optimizers trust statistics that leave NaN out, and so overlook it."""


class RefusedError(DataError):
    """The database does not understand a query.

    Parameters
    ----------
    name : what messages call the table.
    why : what the database says.
    """

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: cannot be read: {why}")
        self.why = why


class Driver(ABC):
    """A connection to a database.

    Parameters
    ----------
    connection : where the database is.
    backend : Ibis' own connection.
    """

    version: str
    """The database, with its version."""

    def __init__(self, connection: Connection, backend: Any) -> None:
        self.connection = connection
        self.backend = backend

    @property
    def dialect(self) -> str:
        """What sqlglot calls the database's SQL."""
        return str(self.backend.compiler.dialect.__name__).lower()

    @abstractmethod
    def table(self, name: str) -> Any:
        """Return a table of the database by its name, which may be qualified."""

    @abstractmethod
    def fetched(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows."""

    @abstractmethod
    def batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query and yield its rows a few at a time."""

    @abstractmethod
    def fault(self, error: Exception, name: str) -> BaseException | None:
        """Return what a driver's error is to a person; None if it is no driver's."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    def rows(self, query: Any) -> pl.DataFrame:
        """Run a query of Ibis.

        Parameters
        ----------
        query : the query, whose columns have names of their own.
        """
        return frame_of(self.fetched(self.sql(query)), query.schema())

    def parts(self, query: Any) -> Iterator[pl.DataFrame]:
        """Run a query of Ibis and yield its rows a few at a time.

        Parameters
        ----------
        query : the query, whose columns have names of their own.
        """
        schema = query.schema()
        return (frame_of(rows, schema) for rows in self.batches(self.sql(query)))

    def sql(self, query: Any) -> str:
        """Return a query of Ibis in the database's own SQL."""
        return str(self.backend.compile(portable(query, self.backend)))

    def queried(self, sql: str, schema: Any) -> Any:
        """Return a query in the database's own SQL as a table of Ibis.

        Parameters
        ----------
        sql : the query.
        schema : the names and types of its columns; asking the database would make a view there.
        """
        ibis = needed("ibis", "postgres")
        operations = needed("ibis.expr.operations", "postgres")
        return operations.SQLQueryResult(sql, ibis.schema(schema), self.backend).to_expr()

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Turn what a driver says into words that name the table and hold no secret.

        Parameters
        ----------
        name : what messages call the table.
        """
        try:
            yield
        except BiaspipeError:
            raise
        except Exception as error:
            fault = self.fault(error, name)
            error.args = (self.connection.scrubbed(str(error)),)
            if fault is None:
                raise
            raise fault from None

    def words(self, error: Exception) -> str:
        """Return a driver's error as one line without secrets."""
        lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
        first = lines[0] if lines else type(error).__name__
        return self.connection.scrubbed(first)


class IbisDriver(Driver):
    """A connection through any driver that Ibis has.

    Parameters
    ----------
    connection : where the database is.

    Raises
    ------
    UsageError
        If Ibis does not know the database, or its driver is not installed.
    DataError
        If there is no such database, or it refuses the connection.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, None)
        scheme = connection.scheme
        ibis = _known(scheme)
        options = {}
        if scheme in FILES and connection.path:
            if not Path(connection.path).is_file():
                raise DataError(f"connection: there is no file {connection.path}")
            options = {"read_only": True} if scheme == "duckdb" else {}
        with self.reading("connection"):
            self.backend = ibis.connect(connection.url, **options)
            self._settle(scheme)
            self.version = f"{scheme} {self.backend.version}"

    def _settle(self, scheme: str) -> None:
        if scheme == "duckdb":
            self.backend.raw_sql(DUCKDB)
        if scheme == "sqlite":
            self.backend.raw_sql("PRAGMA query_only = ON").close()

    def table(self, name: str) -> Any:
        """Return a table of the database by its name, which may be qualified."""
        exceptions = needed("ibis.common.exceptions", "postgres")
        *above, last = parts_of(name, self.dialect)
        place = tuple(above) if len(above) > 1 else next(iter(above), None)
        try:
            return self.backend.table(last, database=place)
        except exceptions.TableNotFound:
            known = self.backend.list_tables(database=place)
        raise DataError(f"{name}: there is no such table", hint=nearest(last, known))

    def fetched(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows."""
        return [row for rows in self.batches(sql) for row in rows]

    def batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query and yield its rows a few at a time."""
        cursor = self.backend.raw_sql(sql)
        if hasattr(cursor, "fetchmany"):
            while rows := cursor.fetchmany(BATCH):
                yield rows
        else:
            yield [tuple(row) for row in cursor]

    def fault(self, error: Exception, name: str) -> BaseException | None:
        """Return what a driver's error is to a person; None if it is no driver's."""
        if "Interrupt" in type(error).__name__:
            return KeyboardInterrupt()
        if type(error).__module__ == "builtins" and not isinstance(error, OSError):
            return None
        return DataError(f"{name}: cannot be read: {self.words(error)}")

    def close(self) -> None:
        """Close the connection."""
        if self.backend is not None:
            self.backend.disconnect()


def _known(scheme: str) -> Any:
    """Return Ibis, where it knows a database and has its driver."""
    ibis = needed("ibis", "postgres")
    found = {entry.name for entry in entry_points(group="ibis.backends")}
    known = sorted({*found, "postgresql"} - set(NO_DATABASES))
    if scheme not in known:
        words = f"connection: {scheme}:// is no known database, such as {listing(known, most=40)}"
        raise UsageError(words, hint=nearest(scheme, known))
    try:
        getattr(ibis, scheme)
    except (AttributeError, ImportError):
        hint = f"pip install 'ibis-framework[{scheme}]'"
    else:
        return ibis
    raise UsageError(f"connection: the driver of {scheme} is not installed", hint=hint)


def parts_of(name: str, dialect: str) -> list[str]:
    """Return the parts of a table's name: its database and schema, if given, and its own.

    Parameters
    ----------
    name : the name as the spec writes it; a part with a dot is quoted.
    dialect : what sqlglot calls the database's SQL.

    >>> parts_of("hr.decisions", "postgres"), parts_of('"a.b"', "postgres")
    (['hr', 'decisions'], ['a.b'])
    """
    sqlglot = needed("sqlglot", "postgres")
    try:
        return [part.name for part in sqlglot.to_table(name, dialect=dialect).parts]
    except sqlglot.errors.SqlglotError:
        return [name]
