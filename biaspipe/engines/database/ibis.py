"""Databases of any kind that Ibis knows.

Those that are files are opened so that what a stranger put into them reads nothing else.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from biaspipe.engines.backend import BATCH
from biaspipe.engines.database.connection import FILES, Connection
from biaspipe.engines.database.drivers import Driver
from biaspipe.engines.duckdb.backend import SETTINGS
from biaspipe.errors import DataError, UsageError
from biaspipe.extras import import_extra
from biaspipe.policy import real_path
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.sources.interrupts import interruptible, interruptible_each, is_call_running
from biaspipe.sources.quoting import identifier, literal

__all__ = ["IbisDriver", "refuse_unknown"]

NO_DATABASES = ("datafusion", "flink", "polars", "pyspark")
DUCKDB_NAMES = "SELECT table_name FROM information_schema.tables"
SEALED = ("SET enable_external_access = false", "SET lock_configuration = true")
"""From here on no view reads a file, and nothing takes that back; DuckDB leaves a `temp_directory`
that is set open, so none is."""
RESERVED = ("information_schema", "main", "memory", "pg_catalog", "system", "temp")
"""What DuckDB calls databases of its own."""
SQLITE = ("PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON")
"""Views call no functions of this process, and nothing is written."""


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
        with self.errors("connection"):
            self.backend = interruptible(self._connected)
            with ExitStack() as failing:
                failing.callback(self.close)
                self.version = f"{scheme} {interruptible(lambda: self.backend.version)}"
                failing.pop_all()

    def _connected(self) -> Any:
        if self.connection.scheme in FILES:
            return _opened(self.connection.scheme, self.connection.path)
        return import_extra("ibis", "postgres").connect(self.connection.url)

    @property
    def _stop(self) -> Callable[[], None] | None:
        """The call that ends a query of a file; other databases are left alone."""
        is_file = self.connection.scheme in FILES
        return self.backend.con.interrupt if is_file else None

    def table(self, name: str, parts: Sequence[str]) -> Any:
        """Return a table of the database by its name, and its parts."""
        return interruptible(lambda: self._table(name, parts), self._stop)

    def _table(self, name: str, parts: Sequence[str]) -> Any:
        exceptions = import_extra("ibis.common.exceptions", "postgres")
        *above, last = parts
        place = tuple(above) if len(above) > 1 else next(iter(above), None)
        with catch_warnings():
            # Ibis still calls DuckDB by names that are going out of use.
            simplefilter("ignore", DeprecationWarning)
            try:
                if self.connection.scheme != "sqlite" or last in self._names(place):
                    return self.backend.table(last, database=place)
            except exceptions.TableNotFound:
                pass
            known = self._names(place)
        if last in known:
            raise DataError(f"{name}: cannot be read: it is a view of what is not there")
        raise DataError(f"{name}: there is no such table", hint=did_you_mean(last, known))

    def _names(self, place: Any) -> list[str]:
        if self.connection.scheme == "duckdb":
            return [name for rows in self._batches(DUCKDB_NAMES) for (name,) in rows]
        return list(self.backend.list_tables(database=place))

    def fetch(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows."""
        return interruptible(
            lambda: [row for rows in self._batches(sql) for row in rows], self._stop
        )

    def batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query and yield its rows a few at a time."""
        return interruptible_each(self._batches(sql), self._stop)

    def _batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        cursor = self.backend.raw_sql(sql)
        if hasattr(cursor, "fetchmany"):
            while rows := cursor.fetchmany(BATCH):
                yield rows
        else:
            yield [tuple(row) for row in cursor]

    def fault(self, error: Exception, name: str) -> BaseException | None:
        """Return the error that a person reads for a driver's; None if it is no driver's."""
        if type(error).__module__ == "builtins" and not isinstance(error, OSError):
            return None
        return DataError(f"{name}: cannot be read: {self.words(error)}")

    def close(self) -> None:
        """Close the connection, unless a query still runs that heard no interrupt."""
        if self.backend is not None and not is_call_running():
            self.backend.disconnect()


def refuse_unknown(scheme: str) -> None:
    """Refuse a database that Ibis does not know, or whose driver is not installed.

    Parameters
    ----------
    scheme : of the URL.

    Raises
    ------
    UsageError
        With the nearest that is known, or the command that installs the driver.
    """
    ibis = import_extra("ibis", "postgres")
    found = {entry.name for entry in entry_points(group="ibis.backends")}
    known = sorted({*found, "postgresql"} - set(NO_DATABASES))
    if scheme not in known:
        words = (
            f"connection: {scheme}:// is no known database, such as {list_values(known, most=40)}"
        )
        raise UsageError(words, hint=did_you_mean(scheme, known))
    try:
        getattr(ibis, scheme)
    except (AttributeError, ImportError):
        hint = f"pip install 'ibis-framework[{scheme}]'"
    else:
        return
    raise UsageError(f"connection: the driver of {scheme} is not installed", hint=hint)


def _opened(scheme: str, path: str) -> Any:
    """Return the connection of Ibis to a file, which can only read that file.

    Parameters
    ----------
    scheme : duckdb or sqlite.
    path : of the file, which is there.
    """
    real = real_path(Path(path))
    return _duckdb(real) if scheme == "duckdb" else _sqlite(real)


def _duckdb(path: Path) -> Any:
    duckdb = import_extra("duckdb", "duckdb")
    with ExitStack() as failing:
        connection = failing.enter_context(duckdb.connect(config=SETTINGS))
        with suppress(duckdb.Error):  # zones need its extension icu
            connection.execute("LOAD icu")
        name = identifier(f"{path.stem}_file" if path.stem.lower() in RESERVED else path.stem)
        connection.execute(f"ATTACH {literal(str(path))} AS {name} (READ_ONLY, TYPE duckdb)")
        connection.execute(f"USE {name}")
        backend = import_extra("ibis", "postgres").duckdb.from_connection(connection)
        for statement in SEALED:
            connection.execute(statement)
        failing.pop_all()
    return backend


def _sqlite(path: Path) -> Any:
    uri = f"{path.as_uri()}?mode=ro"
    with ExitStack() as failing:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)  # one at a time
        failing.enter_context(closing(connection))
        backend = import_extra("ibis", "postgres").sqlite.from_connection(connection)
        connection.create_function("_ibis_regex_search", 2, _is_like, deterministic=True)
        for statement in SQLITE:
            connection.execute(statement).close()
        failing.pop_all()
    return backend


def _is_like(text: str | None, expression: str) -> bool | None:
    """Whether a text is like a pattern; each part is met where it first can be, and nowhere else.

    Python's own search would try every other place too, which may take for ever.
    """
    begin, *middle = expression.split(".*")
    parts = [f"(?>.*?{part})" for part in middle[:-1]] + [f".*{part}" for part in middle[-1:]]
    return None if text is None else re.search(begin + "".join(parts), text) is not None
