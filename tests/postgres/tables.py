"""Frames as tables of a Postgres database."""

import json
from collections.abc import Mapping
from typing import Any

import polars as pl
import psycopg
from psycopg import sql

from tests.servers.postgres import Database

__all__ = ["TYPES", "store", "type_of"]

TYPES: Mapping[type[pl.DataType], str] = {
    pl.Int8: "smallint",
    pl.Int16: "smallint",
    pl.Int32: "integer",
    pl.Int64: "bigint",
    pl.UInt8: "smallint",
    pl.UInt16: "integer",
    pl.UInt32: "bigint",
    pl.UInt64: "numeric(20,0)",
    pl.Float32: "real",
    pl.Float64: "double precision",
    pl.Boolean: "boolean",
    pl.String: "text",
    pl.Categorical: "text",
    pl.Enum: "text",
    pl.Date: "date",
    pl.Time: "time",
    pl.Duration: "interval",
    pl.Binary: "bytea",
    pl.List: "bigint[]",
    pl.Struct: "json",
    pl.Null: "text",
}


def type_of(dtype: pl.DataType) -> str:
    """Return the type of Postgres that holds a column of polars."""
    if isinstance(dtype, pl.Decimal):
        return f"numeric({dtype.precision},{dtype.scale})"
    if isinstance(dtype, pl.Datetime):
        return "timestamptz" if dtype.time_zone else "timestamp"
    return TYPES[type(dtype)]


def store(database: Database, schema: str, tables: Mapping[str, pl.DataFrame]) -> None:
    """Write tables to a schema of their own, in place of what it held.

    Parameters
    ----------
    database : where.
    schema : the schema's name.
    tables : the tables by name.
    """
    place = sql.Identifier(schema)
    with psycopg.connect(database.socket_url()) as connection:
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(place))
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(place))
        for name, rows in tables.items():
            table = sql.Identifier(schema, name)
            columns = sql.SQL(", ").join(
                sql.SQL("{} {}").format(sql.Identifier(n), sql.SQL(type_of(t)))
                for n, t in rows.schema.items()
            )
            connection.execute(sql.SQL("CREATE TABLE {} ({})").format(table, columns))
            copy = sql.SQL("COPY {} FROM STDIN").format(table)
            with connection.cursor().copy(copy) as lines:
                for row in rows.iter_rows():
                    lines.write_row([_held(value) for value in row])


def _held(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict) else value
