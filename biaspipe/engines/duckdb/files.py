"""Files as relations of DuckDB, with the types and values that polars gives them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from biaspipe.errors import DataError, UsageError
from biaspipe.extras import import_extra
from biaspipe.printable_text import list_values
from biaspipe.sources.columns import (
    refuse_case_duplicates,
    refuse_different_columns,
    refuse_other_types,
)
from biaspipe.sources.files import TEXT, TableFiles
from biaspipe.sources.headers import column_names
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.quoting import identifier, literal
from biaspipe.sources.scan import UNNAMED, csv_options, scan, scan_typed

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

__all__ = ["DuckdbFiles", "refuse_folded_case"]

Types = dict[str, pl.DataType]
NUMBERED = re.compile(r"_\d+$")
UNREAD = "__nameless__"
"""DuckDB's name for the column without a name, which nothing reads."""
TYPES: tuple[tuple[type[pl.DataType], str], ...] = (
    (pl.String, "VARCHAR"),
    (pl.Boolean, "BOOLEAN"),
    (pl.Int64, "BIGINT"),
    (pl.Float64, "DOUBLE"),
    (pl.Date, "DATE"),
)
"""The types that the columns of text tables have."""
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


@dataclass(frozen=True)
class DuckdbFiles:
    """Opens files on a connection.

    Parameters
    ----------
    connection : DuckDB's.
    dates : columns of text tables that are dates where they hold nothing else.
    """

    connection: Any
    dates: Sequence[str]

    def relation(self, files: TableFiles) -> "tuple[DuckDBPyRelation, Types]":
        """Open a table, and return the types that polars has given its columns, if it has.

        Parameters
        ----------
        files : its files.

        Raises
        ------
        DataError
            If they cannot be read, or differ.
        UsageError
            If DuckDB does not read this format there.
        """
        if files.format in TEXT:
            return self._texts(files)
        if files.format in ("arrow", "ipc"):
            refuse_different_columns(files)
            return self._arrow(files), {}
        if files.format != "parquet":
            words = f"{files.name}: DuckDB does not read {files.format} files"
            raise UsageError(words, hint="count with engine: polars")
        return self._parquet(files), {}

    def _parquet(self, files: TableFiles) -> "DuckDBPyRelation":
        hive, files = _hive_options(files), self._found(files)
        self._refuse_other_schemas(files, hive)
        relation = self.connection.sql(f"FROM read_parquet({_list(files.globs)}, {hive})")
        self._refuse_numbered(files, relation.columns)
        return relation

    def _found(self, files: TableFiles) -> TableFiles:
        """Return the objects that globs and folders in the cloud stand for."""
        if not files.remote:
            return files
        globs = [f"{p}**/*.parquet" if p.endswith("/") else p for p in files.real]
        there = (self.connection.sql(f"FROM glob({literal(g)})").fetchall() for g in globs)
        found = [[name for (name, *_) in rows] or [g] for rows, g in zip(there, globs, strict=True)]
        real = tuple(name for names in found for name in sorted(names))
        return files._replace(real=real, written=real)

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
        refuse_folded_case([(files.name, names)])
        return self.connection.from_arrow(table)

    def _refuse_numbered(self, files: TableFiles, columns: Sequence[str]) -> None:
        """Refuse columns that DuckDB numbers, since others have their names, but for case."""
        numbered = {column for column in columns if NUMBERED.search(column)}
        if not numbered:
            return
        schema = self.connection.sql(f"FROM parquet_schema({_list(files.globs)})")
        names = [name for (name,) in schema.project("name").fetchall()]
        if numbered.difference(names):
            refuse_folded_case([(files.name, names)])
            _refuse_twice(files.name, columns, names)

    def _refuse_other_schemas(self, files: TableFiles, hive: str) -> None:
        """Refuse files that lack a column of the first, or hold other values in it."""
        first: Mapping[str, str] = {}
        for single in files.singles:
            one = self.connection.sql(f"FROM read_parquet({_list(single.globs)}, {hive})")
            types = dict(zip(one.columns, map(str, one.types), strict=True))
            first = first or types
            found = {
                column: first[column] if held in NARROWER.get(first.get(column, ""), ()) else held
                for column, held in types.items()
            }
            refuse_other_types(single.name, first, found, files.written[0])

    def _texts(self, files: TableFiles) -> "tuple[DuckDBPyRelation, Types]":
        """Open a text table; all of its values decide on the types, by the rules of all engines."""
        refuse_different_columns(files)
        with translate_errors(files.name):
            frame = scan_typed(files, self.dates, as_text=True)
            schema = frame.collect_schema()
        refuse_folded_case([(files.name, schema.names())])
        if files.format in ("csv", "tsv"):
            names = column_names(files, scan(files, as_text=True).collect_schema().names())
            table = _csv_call(files, names)
        else:
            columns = ", ".join(f"{literal(n)}: {literal(_type(t))}" for n, t in schema.items())
            form = "format='newline_delimited', maximum_object_size=268435456"
            table = f"read_json({_list(files.globs)}, {form}, columns={{{columns}}})"
        casts = (
            f"CAST({identifier(n)} AS {_cast(t)}) AS {identifier(n)}" for n, t in schema.items()
        )
        return self.connection.sql(f"FROM {table}").project(", ".join(casts)), dict(schema)


def _refuse_twice(name: str, columns: Sequence[str], names: Sequence[str]) -> None:
    """Refuse the columns of a file that has several of one name.

    Parameters
    ----------
    name : the file.
    columns : as DuckDB calls them.
    names : those in the file, with those inside of other columns.
    """
    for column in columns:
        own = NUMBERED.sub("", column)
        if column not in names and names.count(own) > 1:
            places = [i for i, each in enumerate(columns, 1) if NUMBERED.sub("", each) == own]
            words = f"{name}: there are {len(places)} columns {own!r}, {list_values(places)}"
            raise DataError(words, hint="write the file with a name for each")


def refuse_folded_case(tables: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Refuse columns that differ in case only; DuckDB folds the case of ASCII letters.

    Parameters
    ----------
    tables : what messages call them, and the columns of each.

    Raises
    ------
    DataError
        With both columns.
    """
    hint = "rename one, or count with engine: polars"
    refuse_case_duplicates(tables, "DuckDB", hint, lambda column: column.encode().lower())


def _hive_options(files: TableFiles) -> str:
    """Return the options that make columns of folders named key=value, with their types."""
    if not files.partitioned or files.remote:
        return f"hive_partitioning={str(files.partitioned).lower()}"
    folders = [part for name in files.written for part in Path(name).parts[:-1] if "=" in part]
    keys = {part.split("=", 1)[0] for part in folders}
    with translate_errors(files.name):
        schema = pl.scan_parquet(list(files.real), glob=False, hive_partitioning=True)
        types = {n: t for n, t in schema.collect_schema().items() if n in keys}
    typed = ", ".join(f"{literal(n)}: {_type(t)}" for n, t in types.items())
    return f"hive_partitioning=true, hive_types={{{typed}}}"


def _csv_call(files: TableFiles, names: Sequence[str]) -> str:
    """Return the call that reads a table of separated texts, every value as a text."""
    options = csv_options(files)
    named = (UNREAD if name == UNNAMED else name for name in names)
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in named)
    nulls = _list(["", *(options["null_values"] or ())])
    how = (
        f"columns={{{columns}}}, auto_detect=false, header={str(options['has_header']).lower()}, "
        f"delim={literal(options['separator'])}, quote='\"', escape='\"', nullstr={nulls}, "
        "null_padding=true, parallel=false"
    )
    return f"read_csv({_list(files.globs)}, {how})"


def _type(dtype: pl.DataType) -> str:
    """Return DuckDB's name for the type of a column of a text table."""
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMPTZ" if dtype.time_zone else "TIMESTAMP"
    return next((name for cls, name in TYPES if isinstance(dtype, cls)), "VARCHAR")


def _cast(dtype: pl.DataType) -> str:
    """Return the type that a column gets; one without any value fits every question."""
    return '"NULL"' if dtype == pl.Null else _type(dtype)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(literal, texts))}]"
