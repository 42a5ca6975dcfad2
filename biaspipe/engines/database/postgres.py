"""Postgres: tables with values as all engines have them, in one snapshot that is only read."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from biaspipe.engines.backend import BATCH
from biaspipe.engines.database.connection import CONNECTION_HINT, Connection
from biaspipe.engines.database.conninfo import IN_CLEAR, IN_CLEAR_HINT, libpq_settings
from biaspipe.engines.database.drivers import Driver
from biaspipe.errors import DataError
from biaspipe.extras import import_extra
from biaspipe.policy import DEFAULT, Policy
from biaspipe.printable_text import did_you_mean
from biaspipe.sources.quoting import identifier

__all__ = ["PostgresDriver"]

TYPES = {
    "bool": "boolean",
    "int2": "int16",
    "int4": "int32",
    "int8": "int64",
    "float4": "float32",
    "float8": "float64",
    "date": "date",
    "timestamp": "timestamp(6)",
    "timestamptz": "timestamp('UTC', 6)",
}
VARHDRSZ = 4
"""The bytes of PostgreSQL's header, which the modifier of a type counts beside its digits."""
TEXTS = ("text", "varchar", "bpchar", "char", "name", "citext")

COLUMNS = """
SELECT a.attname, b.typname, b.typtype,
  CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END,
  COALESCE(NOT c.collisdeterministic, false)
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped
  AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attnum
"""
TABLE_NAMES = """
SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname
  ELSE n.nspname || '.' || c.relname END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
"""
MAX_BYTES = 63
"""A longer name would be cut, and be that of another table."""
MAX_SECONDS = 2_000_000
CANCELLED = "57014"
NO_JIT = "SET jit = off"
"""Compiling a count of many cases takes longer than it saves."""
IN_UTC = "SET TIME ZONE 'UTC'"
"""The hour of a time with a zone is that of no place."""


class PostgresDriver(Driver):
    """A connection to Postgres: one transaction, which reads one state of the tables.

    Parameters
    ----------
    connection : where the database is.
    policy : what the spec may reach, and how long it may take.

    Raises
    ------
    UsageError
        If the driver is not installed.
    DataError
        If there is no such database, or it refuses the connection.
    """

    def __init__(self, connection: Connection, policy: Policy = DEFAULT) -> None:
        super().__init__(connection, None)
        psycopg = import_extra("psycopg", "postgres")
        self.seconds = min(policy.limits.seconds, MAX_SECONDS)
        self.started = monotonic()
        with self.errors("connection"):
            self.server = psycopg.connect(libpq_settings(connection, policy))
        with self.errors("connection"):
            backend = import_extra("ibis.backends.postgres", "postgres").Backend
            self.backend = backend.from_connection(self.server)
            self.server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            self.server.read_only = True
            self.server.execute(IN_UTC)
            self.server.execute(f"SET statement_timeout = {self.seconds * 1000}")
            self.server.execute("SELECT 1")
        with suppress(psycopg.Error), self.server.transaction():  # a server without that setting
            self.server.execute(NO_JIT)
        version = self.server.info.parameter_status("server_version") or ""
        self.version = f"postgres {version.split(' ')[0]}"

    def table(self, name: str, parts: Sequence[str]) -> Any:
        """Return a table of the database by its name, and its parts."""
        quoted = ".".join(map(identifier, parts))
        if any(len(part.encode()) > MAX_BYTES for part in parts):
            words = f"{name}: there is no such table: names have {MAX_BYTES} bytes at most"
            raise DataError(words)
        [(found,)] = self.fetch("SELECT pg_catalog.to_regclass(%s)::text", [quoted])
        if found is None:
            known = [known for (known,) in self.fetch(TABLE_NAMES)]
            raise DataError(
                f"{name}: there is no such table", hint=did_you_mean(".".join(parts), known)
            )
        schema, selected = {}, []
        for column, base, form, size, loose in self.fetch(COLUMNS, [quoted]):
            schema[column], value = _column(identifier(column), base, form, size)
            value += ' COLLATE "C"' if loose else ""
            selected.append(f"{value} AS {identifier(column)}")
        if not selected:
            raise DataError(f"{name}: permission denied: there is no column that it may read")
        columns = ", ".join(selected)
        return self.query_table(f"SELECT {columns} FROM {quoted}", schema)  # noqa: S608 - all is quoted

    def fetch(self, sql: str, values: Sequence[str] | None = None) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows.

        Parameters
        ----------
        sql : the query.
        values : what its `%s` stand for.
        """
        with self.server.transaction(), self.server.cursor() as cursor:
            rows: Sequence[Sequence[Any]] = cursor.execute(sql, values).fetchall()
            return rows

    def batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query and yield its rows a few at a time, which the server holds meanwhile."""
        with self.server.transaction(), self.server.cursor(name="biaspipe_rows") as cursor:
            cursor.execute(sql)
            while rows := cursor.fetchmany(BATCH):
                yield rows

    def fault(self, error: Exception, name: str) -> BaseException | None:
        """Return the error that a person reads for a driver's; None if it is no driver's."""
        psycopg = import_extra("psycopg", "postgres")
        if not isinstance(error, psycopg.Error):
            return None
        code = error.sqlstate or ""
        if name == "connection":
            words = self.words(error).removeprefix("connection failed: ")
            if "authentication method requirement" in words:
                return DataError(IN_CLEAR, hint=IN_CLEAR_HINT)
            hint = CONNECTION_HINT if "password" in words or code.startswith("28") else None
            return DataError(f"the database cannot be reached: {words}", hint=hint)
        if code == CANCELLED and monotonic() - self.started >= self.seconds:
            words = f"{name}: the database took longer than {self.seconds:,} seconds"
            return DataError(words, hint="the policy sets the time: limits: {seconds: ...}")
        return DataError(f"{name}: cannot be read: {self.words(error)}")

    def close(self) -> None:
        """Close the connection."""
        self.server.close()


def _column(quoted: str, base: str, form: str, size: int) -> tuple[Any, str]:
    """Return the type of Ibis that a column has for an audit, and the SQL of its values.

    A text that is padded, enumerated or compared without case is the text that it shows. A decimal
    that is no number is missing.
    """
    types = import_extra("ibis.expr.datatypes", "postgres")
    if form == "e" or base in TEXTS:
        return types.string, f"CAST({quoted} AS TEXT)"
    if base == "numeric":
        return _decimal(types, size), f"NULLIF({quoted}, 'NaN')"
    if base in TYPES:
        return types.dtype(TYPES[base]), quoted
    return types.unknown, quoted


def _decimal(types: Any, size: int) -> Any:
    """Return a decimal with the digits that a column's modifier stands for; any, if it has none."""
    if size < VARHDRSZ:
        return types.Decimal()
    precision, scale = (size - VARHDRSZ) >> 16 & 0xFFFF, (size - VARHDRSZ) & 0x7FF
    return types.Decimal(precision, scale) if scale <= precision else types.Decimal()
