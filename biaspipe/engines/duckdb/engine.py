"""Files counted by DuckDB, in a database of its own in memory."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import narwhals as nw
import polars as pl

from biaspipe.engines.duckdb.relations import (
    faults_of,
    kind_in,
    relation_batches,
)
from biaspipe.engines.duckdb.statements import (
    MISLED,
    cast_to,
    csv_call,
    hive_options,
    listed,
    literal,
    type_of,
)
from biaspipe.engines.duckdb.stores import reach
from biaspipe.engines.file_engine import FileEngine
from biaspipe.engines.joining import Frame, Table
from biaspipe.engines.weights import WIDE
from biaspipe.errors import DataError, UsageError
from biaspipe.plan import Kind
from biaspipe.sources import Sources
from biaspipe.sources.columns import (
    refuse_case_duplicates,
    refuse_different_columns,
    refuse_other_types,
)
from biaspipe.sources.extras import import_extra
from biaspipe.sources.files import TEXT, TableFiles
from biaspipe.sources.interrupts import interruptible, interruptible_each
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.quoting import identifier
from biaspipe.sources.scan import scan, scan_typed
from biaspipe.spec import Data, Source

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

__all__ = ["DuckdbEngine"]

SETTINGS = {
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": gettempdir(),
    "disabled_optimizers": MISLED,
}
NUMBERED = re.compile(r"_\d+$")


class DuckdbEngine(FileEngine):
    """Reads the tables of an audit with DuckDB and counts them there.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.

    Raises
    ------
    UsageError
        If DuckDB is not installed.
    DataError
        If a file cannot be read.
    SpecError
        If the condition or a join asks for a column that is not there.
    """

    limbs = WIDE

    def __init__(self, data: Data, inputs: Sources) -> None:
        duckdb = import_extra("duckdb", "duckdb")
        super().__init__(data, inputs)
        self.version = f"duckdb {duckdb.__version__}"
        self.connection = duckdb.connect(":memory:", config=SETTINGS)
        with suppress(duckdb.Error):  # zones need its extension icu, which may not be there
            self.connection.execute("SET TimeZone = 'UTC'")
        if remote := [uri for _, files in self.sources if files.remote for uri in files.real]:
            reach(self.connection, remote)

    def close(self) -> None:
        """Stop what still runs beside the count, and the database."""
        super().close()
        with suppress(
            import_extra("duckdb", "duckdb").Error
        ):  # a call that was interrupted still ends
            self.connection.close()

    def native_kind(self, column: str) -> Kind:
        """Return what kind of values a column holds to DuckDB."""
        return kind_in(self.tables.frame, column)

    def scan(self) -> list[Table]:
        """Return every table by itself, opened but not read."""
        return interruptible(self._opened, self.connection.interrupt)

    def _opened(self) -> list[Table]:
        tables = []
        for source, files in self.sources:
            with self.reading(files.name):
                relation = self._relation(source, files)
            tables.append((files.name, nw.from_native(relation)))
        _refuse_alike([(name, frame.collect_schema().names()) for name, frame in tables])
        return tables

    def _relation(self, source: Source, files: TableFiles) -> "DuckDBPyRelation":
        if files.format in TEXT:
            return self._texts(source, files)
        if files.format in ("arrow", "ipc"):
            refuse_different_columns(files, source.csv)
            return self._arrow(files)
        hive, files = hive_options(files), self._found(files)
        self._refuse_other_schemas(files, hive)
        relation = self.connection.sql(f"FROM read_parquet({listed(files.globs)}, {hive})")
        self._refuse_numbered(files, relation.columns)
        return relation

    def _found(self, files: TableFiles) -> TableFiles:
        """Return the objects that globs and folders in the cloud stand for."""
        if not files.remote:
            return files
        globs = [f"{p}**/*.parquet" if p.endswith("/") else p for p in files.real]
        listed = (self.connection.sql(f"FROM glob({literal(g)})").fetchall() for g in globs)
        found = [
            [name for (name, *_) in rows] or [g] for rows, g in zip(listed, globs, strict=True)
        ]
        real = tuple(name for names in found for name in sorted(names))
        return replace(files, real=real, written=real)

    def _arrow(self, files: TableFiles) -> "DuckDBPyRelation":
        if files.remote:
            words = f"{files.name}: DuckDB reads no Arrow files in the cloud"
            raise UsageError(words, hint="count with engine: polars")
        arrow, dataset = (
            import_extra("pyarrow", "duckdb"),
            import_extra("pyarrow.dataset", "duckdb"),
        )
        partitioning = "hive" if files.partitioned else None
        try:
            table = dataset.dataset(list(files.real), format="ipc", partitioning=partitioning)
            names = table.schema.names
        except (arrow.ArrowException, OSError, UnicodeDecodeError):
            raise DataError(f"{files.name}: cannot be read: this is no Arrow file") from None
        _refuse_alike([(files.name, names)])
        return self.connection.from_arrow(table)

    def _refuse_numbered(self, files: TableFiles, columns: Sequence[str]) -> None:
        """Refuse columns that DuckDB numbers, since they differ from others in case only."""
        numbered = {column for column in columns if NUMBERED.search(column)}
        if not numbered:
            return
        schema = self.connection.sql(f"FROM parquet_schema({listed(files.globs)})")
        names = [name for (name,) in schema.project("name").fetchall()]
        if numbered.difference(names):
            _refuse_alike([(files.name, names)])

    def _refuse_other_schemas(self, files: TableFiles, hive: str) -> None:
        """Refuse files that lack a column of the first, or hold other values in it."""
        first: Mapping[str, str] = {}
        for single in files.singles:
            one = self.connection.sql(f"FROM read_parquet({listed(single.globs)}, {hive})")
            types = dict(zip(one.columns, map(str, one.types), strict=True))
            first = first or types
            found = {
                column: first[column] if held in NARROWER.get(first.get(column, ""), ()) else held
                for column, held in types.items()
            }
            refuse_other_types(single.name, first, found, files.written[0])

    def _texts(self, source: Source, files: TableFiles) -> "DuckDBPyRelation":
        """Open a text table; all of its values decide on the types, by the rules of all engines."""
        refuse_different_columns(files, source.csv)
        with translate_errors(files.name):
            frame = scan_typed(files, source.csv, self.named, as_text=True)
            schema = frame.collect_schema()
        _refuse_alike([(files.name, schema.names())])
        self.typed |= schema
        if files.format in ("csv", "tsv"):
            names = scan(files, source.csv, as_text=True).collect_schema().names()
            table = csv_call(source, files, names)
        else:
            columns = ", ".join(f"{literal(n)}: {literal(type_of(t))}" for n, t in schema.items())
            form = "format='newline_delimited', maximum_object_size=268435456"
            table = f"read_json({listed(files.globs)}, {form}, columns={{{columns}}})"
        casts = (
            f"CAST({identifier(n)} AS {cast_to(t)}) AS {identifier(n)}" for n, t in schema.items()
        )
        return self.connection.sql(f"FROM {table}").project(", ".join(casts))

    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries, one after another."""
        stop = self.connection.interrupt
        calls = [partial(query.collect, "polars") for query in queries]
        return [interruptible(call, stop).to_native() for call in calls]

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time."""
        return interruptible_each(relation_batches(rows), self.connection.interrupt)

    def reading(self, name: str) -> Any:
        """Turn what DuckDB says of faulty data into words that name the table."""
        return faults_of(name)


NARROWER: dict[str, tuple[str, ...]] = {
    "SMALLINT": ("TINYINT",),
    "INTEGER": ("TINYINT", "SMALLINT"),
    "BIGINT": ("TINYINT", "SMALLINT", "INTEGER"),
    "USMALLINT": ("UTINYINT",),
    "UINTEGER": ("UTINYINT", "USMALLINT"),
    "UBIGINT": ("UTINYINT", "USMALLINT", "UINTEGER"),
    "DOUBLE": ("FLOAT",),
}
"""The types that later files may hold where the first file holds a wider one."""


def _refuse_alike(tables: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Refuse columns that differ in case only; DuckDB folds the case of ASCII letters."""
    hint = "rename one, or count with engine: polars"
    refuse_case_duplicates(tables, "DuckDB", hint, lambda column: column.encode().lower())
