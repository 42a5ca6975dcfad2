"""Tables in a database, reached through Ibis: the database counts, and only counts come back.

Names of tables in specs are names, and never files, functions or queries.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.backend import Backend, Frame, NamedFrame
from biaspipe.engines.database.connection import Connection, permitted_connection
from biaspipe.engines.database.drivers import Driver
from biaspipe.engines.database.ibis import IbisDriver, refuse_unknown
from biaspipe.engines.database.permissions import refuse_reach
from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.extras import import_extra
from biaspipe.policy import DEFAULT, Policy
from biaspipe.printable_text import escape
from biaspipe.spec import Data

__all__ = ["DatabaseBackend", "parts_of"]

PART = r'(?:(?!-)(?:[\w$#@]|-(?!-))+|"(?:[^"\x00-\x1f]|"")+")'
TABLE = re.compile(rf"{PART}(?:\.{PART}){{0,2}}")
"""A name, which may have a schema and a catalog; a part with other signs is in double quotes."""
MAX_CHARACTERS = 1_000
"""Characters; no database has names that are nearly as long."""
MAX_SHOWN = 80


class DatabaseBackend(Backend):
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
        self.tables = [(name, parts_of(name, loc)) for name, loc in _tables(data)]
        connection = permitted_connection(str(data.connection), os.environ, policy)
        with connection.scrubbing():
            self.driver = _driver(connection, policy)
        self.version = (
            f"{self.driver.version} (ibis {import_extra('ibis', 'postgres').__version__})"
        )

    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Open every table of the audit, the main one first, and read none."""
        tables = []
        for name, parts in self.tables:
            with self.errors(name):
                tables.append((name, nw.from_native(self.driver.table(name, parts))))
        return tables

    def is_empty_type(self, native: Any, column: str) -> bool:
        """Whether a column is of Ibis' type for what is null in every row."""
        return bool(native.schema()[column].is_null())

    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        return [self.driver.rows(query.to_native()) for query in queries]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        return self.driver.frames(rows.to_native())

    def errors(self, name: str) -> AbstractContextManager[None]:
        """Turn what the database says into words that name the table."""
        return self.driver.errors(name)

    def close(self) -> None:
        """Close the connection."""
        self.driver.close()


def _tables(data: Data) -> Iterator[tuple[str, Loc]]:
    """Yield the tables as the spec writes them, and where."""
    yield str(data.table), ("data", "table")
    for i, join in enumerate(data.join):
        yield str(join.table), ("data", "join", i, "table")


def _driver(connection: Connection, policy: Policy) -> Driver:
    is_postgres = connection.scheme == "postgres"
    if not is_postgres:
        refuse_unknown(connection.scheme)
    refuse_reach(policy, connection)
    if not is_postgres:
        return IbisDriver(connection)
    from biaspipe.engines.database.postgres import PostgresDriver  # noqa: PLC0415 - needs psycopg

    return PostgresDriver(connection, policy)


def parts_of(name: str, loc: Loc = ("data", "table")) -> tuple[str, ...]:
    """Return the parts of a table's name: its catalog and schema, if given, and its own.

    Parameters
    ----------
    name : the name as the spec writes it.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        If it is no name.

    >>> parts_of("hr.decisions"), parts_of('"a.b"')
    (('hr', 'decisions'), ('a.b',))
    """
    if len(name) <= MAX_CHARACTERS and TABLE.fullmatch(name):
        return tuple(_plain(part) for part in re.findall(PART, name))
    cut = name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}…"
    raise SpecError(
        [
            Fault(
                f"{escape(cut)!r} is no name of a table",
                loc,
                expected="a name of the database, such as decisions or hr.decisions",
                hint='a part with other signs stands in double quotes: hr."my decisions"',
            )
        ]
    )


def _plain(part: str) -> str:
    return part[1:-1].replace('""', '"') if part.startswith('"') else part
