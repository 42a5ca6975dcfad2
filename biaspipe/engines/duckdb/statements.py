"""What DuckDB is asked in SQL: names, texts, types and the calls that read files."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from biaspipe.sources.files import TableFiles
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.scan import UNNAMED, csv_options
from biaspipe.spec import Source

__all__ = [
    "MISLED",
    "cast_to",
    "csv_call",
    "hive_options",
    "listed",
    "literal",
    "type_of",
]

MISLED = "statistics_propagation,filter_pushdown"
"""Optimizers that trust the statistics of Parquet files, which leave NaN out, and overlook it."""
UNREAD = "__nameless__"
"""What DuckDB calls the column without a name, which nothing reads."""
TYPES: tuple[tuple[type[pl.DataType], str], ...] = (
    (pl.String, "VARCHAR"),
    (pl.Boolean, "BOOLEAN"),
    (pl.Int64, "BIGINT"),
    (pl.Float64, "DOUBLE"),
    (pl.Date, "DATE"),
)
"""The types that the columns of text tables have."""


def hive_options(files: TableFiles) -> str:
    """Return the options that make columns of folders named key=value, with their types."""
    if not files.partitioned or files.remote:
        return f"hive_partitioning={str(files.partitioned).lower()}"
    folders = [part for name in files.written for part in Path(name).parts[:-1] if "=" in part]
    keys = {part.split("=", 1)[0] for part in folders}
    with translate_errors(files.name):
        schema = pl.scan_parquet(list(files.real), glob=False, hive_partitioning=True)
        types = {n: t for n, t in schema.collect_schema().items() if n in keys}
    typed = ", ".join(f"{literal(n)}: {type_of(t)}" for n, t in types.items())
    return f"hive_partitioning=true, hive_types={{{typed}}}"


def csv_call(source: Source, files: TableFiles, names: Sequence[str]) -> str:
    """Return the call that reads a table of separated texts, every value as a text."""
    options = csv_options(files, source.csv)
    named = (UNREAD if name == UNNAMED else name for name in names)
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in named)
    nulls = listed(["", *(options["null_values"] or ())])
    how = (
        f"columns={{{columns}}}, auto_detect=false, header={str(options['has_header']).lower()}, "
        f"delim={literal(options['separator'])}, quote='\"', escape='\"', nullstr={nulls}, "
        "null_padding=true, parallel=false"
    )
    return f"read_csv({listed(files.globs)}, {how})"


def type_of(dtype: pl.DataType) -> str:
    """Return what DuckDB calls the type of a column of a text table."""
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMPTZ" if dtype.time_zone else "TIMESTAMP"
    return next((name for cls, name in TYPES if isinstance(dtype, cls)), "VARCHAR")


def cast_to(dtype: pl.DataType) -> str:
    """Return the type that a column gets; one without any value fits every question."""
    return '"NULL"' if dtype == pl.Null else type_of(dtype)


def literal(text: str) -> str:
    """Return a text in quotes."""
    return "'" + text.replace("'", "''") + "'"


def listed(texts: Sequence[str]) -> str:
    """Return a list of texts."""
    return f"[{', '.join(map(literal, texts))}]"
