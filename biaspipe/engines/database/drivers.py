"""Drivers: connections to databases, and what comes back through them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl

from biaspipe.engines.database.connection import Connection
from biaspipe.engines.database.fetching import frame_of
from biaspipe.engines.database.portable import portable
from biaspipe.errors import BiaspipeError, first_line
from biaspipe.sources.extras import import_extra

__all__ = ["Driver"]


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

    @abstractmethod
    def table(self, name: str, parts: Sequence[str]) -> Any:
        """Return a table of the database by its name, and its parts."""

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
        ibis = import_extra("ibis", "postgres")
        operations = import_extra("ibis.expr.operations", "postgres")
        return operations.SQLQueryResult(sql, ibis.schema(schema), self.backend).to_expr()

    @contextmanager
    def errors(self, name: str) -> Iterator[None]:
        """Turn what a driver says into words that name the table and hold no secret.

        Parameters
        ----------
        name : what messages call the table.
        """
        try:
            yield
        except BiaspipeError:
            raise
        except Exception as error:  # of any driver: what it does not know goes on, without secrets
            fault = self.fault(error, name)
            error.args = (self.connection.scrubbed(str(error)),)
            if fault is None:
                raise
            raise fault from None

    def words(self, error: Exception) -> str:
        """Return a driver's error as one line without secrets."""
        return self.connection.scrubbed(first_line(error) or type(error).__name__)
