"""Files and relations counted by DuckDB: files in a database of its own, in memory."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from tempfile import gettempdir
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.backend import BATCH, Backend, Frame, NamedFrame
from biaspipe.engines.duckdb.cloud import reach
from biaspipe.engines.duckdb.files import DuckdbFiles, refuse_folded_case
from biaspipe.engines.exact_sums import IN_INT128
from biaspipe.engines.input_checks import refuse_nested
from biaspipe.errors import BiaspipeError, DataError
from biaspipe.extras import import_extra
from biaspipe.printable_text import first_line
from biaspipe.sources import Sources
from biaspipe.sources.interrupts import interruptible, interruptible_each
from biaspipe.sources.quoting import identifier
from biaspipe.spec import IN_HAND

__all__ = ["SETTINGS", "DuckdbBackend", "RelationBackend", "backend_of"]

SETTINGS = {
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "allow_unsigned_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "disabled_optimizers": "statistics_propagation,filter_pushdown",
}
"""Nothing is installed or taken from the home folder, and NaN in Parquet files is not overlooked:
these optimizers trust statistics that leave it out."""


class RelationBackend(Backend):
    """Counts a relation of DuckDB on the connection that it belongs to.

    Parameters
    ----------
    relation : the rows.
    """

    exact_sums = IN_INT128

    def __init__(self, relation: Any) -> None:
        self.version = f"duckdb {import_extra('duckdb', 'duckdb').__version__}"
        self.relation = relation

    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Return the relation."""
        return [(IN_HAND, nw.from_native(_without_nan(self.relation)))]

    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        return [query.collect("polars").to_native() for query in queries]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        for batch in rows.to_native().to_arrow_reader(BATCH):
            yield pl.DataFrame(pl.from_arrow(batch))

    def is_empty_type(self, native: Any, column: str) -> bool:
        """Whether a column is of DuckDB's type for what is null in every row."""
        return str(native.types[native.columns.index(column)]) == '"NULL"'

    def errors(self, name: str) -> AbstractContextManager[None]:
        """Turn DuckDB's errors into ones that name the table."""
        return _translate_errors(name)

    def close(self) -> None:
        """Leave the connection as it is."""


def _without_nan(relation: Any) -> Any:
    """Return a relation with NaN as missing.

    DuckDB compares by the statistics of Parquet files, which leave NaN out, and so overlooks it.
    """
    types = zip(relation.columns, map(str, relation.types), strict=True)
    quoted = [identifier(name) for name, t in types if t in ("FLOAT", "DOUBLE")]
    floats = [f"CASE WHEN isfinite({n}) OR abs({n}) = 'inf' THEN {n} END AS {n}" for n in quoted]
    return relation.project(f"* REPLACE ({', '.join(floats)})") if floats else relation


@contextmanager
def _translate_errors(name: str) -> Iterator[None]:
    """Turn DuckDB's errors into ones that name the table.

    Parameters
    ----------
    name : what messages call the table.
    """
    duckdb = import_extra("duckdb", "duckdb")
    try:
        yield
    except BiaspipeError:
        raise
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise DataError(f"{name}: cannot be read: {_first(error)}") from None


def _first(error: Exception) -> str:
    """Return the line that says what is wrong; below a traceback it is the last one."""
    lines = str(error).strip().splitlines()
    is_stack = any(line.strip().startswith("Traceback") for line in lines)
    return lines[-1].strip() if is_stack else first_line(error)


class DuckdbBackend(RelationBackend):
    """Counts files.

    Parameters
    ----------
    inputs : the files.

    Raises
    ------
    UsageError
        If DuckDB is not installed, or cannot reach a file.
    SpecError
        If a file holds nested rows.
    """

    def __init__(self, inputs: Sources) -> None:
        duckdb = import_extra("duckdb", "duckdb")
        refuse_nested(inputs)
        self.version, self.sources = f"duckdb {duckdb.__version__}", inputs.tables
        self.connection = duckdb.connect(
            ":memory:", config=SETTINGS | {"temp_directory": gettempdir()}
        )
        with suppress(duckdb.Error):  # zones need its extension icu, which may not be there
            self.connection.execute("SET TimeZone = 'UTC'")
        if remote := [uri for files in self.sources if files.remote for uri in files.real]:
            reach(self.connection, remote)
        self.polars_types: dict[str, pl.DataType] = {}

    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Open every table of the audit, the main one first, and read none."""
        return interruptible(lambda: self._opened(dates), self.connection.interrupt)

    def _opened(self, dates: Sequence[str]) -> list[NamedFrame]:
        tables = []
        opening = DuckdbFiles(self.connection, dates)
        for files in self.sources:
            with self.errors(files.name):
                relation, types = opening.relation(files)
            self.polars_types |= types
            tables.append((files.name, nw.from_native(relation)))
        refuse_folded_case([(name, frame.collect_schema().names()) for name, frame in tables])
        return tables

    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        stop = self.connection.interrupt
        calls = [partial(query.collect, "polars") for query in queries]
        return [interruptible(call, stop).to_native() for call in calls]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        return interruptible_each(super().batches(rows), self.connection.interrupt)

    def close(self) -> None:
        """Close the database."""
        with suppress(
            import_extra("duckdb", "duckdb").Error
        ):  # a call that was interrupted still ends
            self.connection.close()


def backend_of(inputs: Sources, *_: object) -> DuckdbBackend:
    """Return the backend that counts files with DuckDB."""
    return DuckdbBackend(inputs)
