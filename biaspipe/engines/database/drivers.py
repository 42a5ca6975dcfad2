"""Drivers: connections to databases, and what comes back through them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from math import inf
from typing import Any

import polars as pl

from biaspipe.conditions import MAX_DIGITS
from biaspipe.engines.database.connection import Connection
from biaspipe.errors import BiaspipeError, DataError
from biaspipe.extras import import_extra
from biaspipe.printable_text import first_line

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
    def fetch(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run a query and return its rows."""

    @abstractmethod
    def batches(self, sql: str) -> Iterator[Sequence[Sequence[Any]]]:
        """Run a query and yield its rows a few at a time."""

    @abstractmethod
    def fault(self, error: Exception, name: str) -> BaseException | None:
        """Return the error that a person reads for a driver's; None if it is no driver's."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    def rows(self, query: Any) -> pl.DataFrame:
        """Run a query of Ibis.

        Parameters
        ----------
        query : the query, whose columns have names of their own.
        """
        return _frame_of(self.fetch(self.sql(query)), query.schema())

    def frames(self, query: Any) -> Iterator[pl.DataFrame]:
        """Run a query of Ibis and yield its rows a few at a time.

        Parameters
        ----------
        query : the query, whose columns have names of their own.
        """
        schema = query.schema()
        return (_frame_of(rows, schema) for rows in self.batches(self.sql(query)))

    def sql(self, query: Any) -> str:
        """Return a query of Ibis in the database's own SQL."""
        return str(self.backend.compile(_portable(query, self.backend)))

    def query_table(self, sql: str, schema: Any) -> Any:
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


def _portable(query: Any, backend: Any) -> Any:
    """Return a query that a database answers as any other does.

    Decimals are written with all their digits, since only Postgres has a type without a scale.
    Texts are compared by their bytes, since the order of Postgres depends on its language.
    Truths become integers of 32 bits first, since Postgres knows no other way.
    Where a database cannot tell floats that are no numbers, it holds none.

    Parameters
    ----------
    query : a table of Ibis.
    backend : the connection of Ibis.
    """
    operations = import_extra("ibis.expr.operations", "postgres")
    bounded = backend.name != "postgres"
    ordered = (operations.Less, operations.LessEqual, operations.Greater, operations.GreaterEqual)
    lacks_nan = not backend.has_operation(operations.IsNan)
    lacks_inf = not backend.has_operation(operations.IsInf)

    def replaced(node: Any, changes: Any) -> Any:
        node = node.__recreate__(changes) if changes else node
        if bounded and isinstance(node, operations.Literal) and isinstance(node.value, Decimal):
            return _exact(node)
        if not bounded and isinstance(node, ordered) and node.left.dtype.is_string():
            return node.copy(left=_bytes(node.left), right=_bytes(node.right))
        if isinstance(node, operations.Cast) and node.arg.dtype.is_boolean():
            return _counted(node)
        if lacks_nan and isinstance(node, operations.IsNan):
            return operations.Literal(False, "boolean")
        if lacks_inf and isinstance(node, operations.IsInf):
            return operations.Equals(operations.Abs(node.arg), operations.Literal(inf, "float64"))
        return node

    return query.op().replace(replaced).to_expr()


def _bytes(text: Any) -> Any:
    """Return a text as its bytes, whose order is that of its letters in no language."""
    udf = import_extra("ibis", "postgres").udf.scalar
    function: Any = udf.builtin(_in, name="convert_to", signature=(("string",) * 2, "binary"))
    return function(text.to_expr(), "UTF8").op()


def _in(text: str, encoding: str) -> bytes:
    """Stand for the function of Postgres, which takes the same."""
    return text.encode(encoding)


def _exact(literal: Any) -> Any:
    types = import_extra("ibis.expr.datatypes", "postgres")
    scale = max(0, -int(literal.value.as_tuple().exponent))
    return literal.copy(dtype=types.Decimal(max(MAX_DIGITS, scale), scale))


def _counted(cast: Any) -> Any:
    types = import_extra("ibis.expr.datatypes", "postgres")
    return cast.copy(arg=cast.copy(to=types.int32)) if cast.to.is_integer() else cast


def _frame_of(rows: Sequence[Sequence[Any]], schema: Any) -> pl.DataFrame:
    """Return rows as a frame.

    Parameters
    ----------
    rows : what a driver hands back.
    schema : the types of Ibis by column.

    Raises
    ------
    DataError
        If a value is not of its column's type, or too large.
    """
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    named = zip(schema.items(), columns, strict=True)
    try:
        return pl.DataFrame([_series(name, dtype, values) for (name, dtype), values in named])
    except (ArithmeticError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise DataError(f"a column holds a value that no audit can count: {error}") from None


def _series(name: str, dtype: Any, values: Sequence[Any]) -> pl.Series:
    if dtype.is_decimal():
        return _decimals(name, values, dtype.scale)
    read = READERS.get(type(dtype).__name__, str)
    held = [None if value is None else read(value) for value in values]
    return pl.Series(name, held, dtype=_type(dtype, held))


def _type(dtype: Any, values: Sequence[Any]) -> pl.DataType | type[pl.DataType]:
    """Return the type of a column of polars; sums may be larger than a column's values."""
    if dtype.is_integer():
        largest = max((abs(v) for v in values if v is not None), default=0)
        return pl.Int64 if largest < LARGEST else pl.Int128
    if dtype.is_timestamp():
        return pl.Datetime("us", dtype.timezone)
    return TYPES.get(type(dtype).__name__, pl.String)


def _decimals(name: str, values: Sequence[Decimal | float | None], scale: int | None) -> pl.Series:
    """Return decimals; without a scale, with as few digits as they need."""
    if scale is None:  # SQLite has floats where a column says NUMERIC
        values = exact = [None if v is None else Decimal(str(v)) for v in values]
        plain = [None if v is None else v.normalize() for v in exact]
        scale = max((-int(v.as_tuple().exponent) for v in plain if v is not None), default=0)
    return pl.Series(name, values, dtype=pl.Decimal(MAX_DIGITS, max(scale, 0)))


def _day(value: Any) -> date:
    return date.fromisoformat(value) if isinstance(value, str) else value


def _timestamp(value: Any) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


LARGEST = 2**63
WHOLE = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(WHOLE, int),
    "Boolean": bool,
    "Float32": float,
    "Float64": float,
    "Date": _day,
    "Timestamp": _timestamp,
}
TYPES = {
    "Boolean": pl.Boolean,
    "Float32": pl.Float32,
    "Float64": pl.Float64,
    "Date": pl.Date,
    "Null": pl.Null,
}
