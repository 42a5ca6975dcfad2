"""Files as frames of Spark, with the types and values that polars gives them."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import polars as pl

from biaspipe.engines.spark.answers import without_code
from biaspipe.engines.spark.frames import refuse_alike
from biaspipe.engines.spark.paths import escaped, refuse_passed_over, uri_of
from biaspipe.engines.spark.sessions import Session
from biaspipe.engines.spark.texts import Types, text_table
from biaspipe.engines.spark.types import native_type
from biaspipe.errors import DataError
from biaspipe.sources.columns import refuse_other_types
from biaspipe.sources.extras import import_extra
from biaspipe.sources.files import TEXT, TableFiles
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.quoting import backticked
from biaspipe.sources.scan import scan
from biaspipe.spec import Source

__all__ = ["read_table"]


def read_table(
    session: Session, source: Source, files: TableFiles, dates: Sequence[str]
) -> tuple[Any, Types]:
    """Open a table.

    Parameters
    ----------
    session : the session that reads it.
    source : the part of the spec that says how.
    files : its files.
    dates : columns of text tables that are dates where they hold nothing else.

    Returns
    -------
    tuple
        The frame of Spark, and the types that polars sees; none of a remote table.

    Raises
    ------
    DataError
        If Spark cannot read the table as the other engines do.
    """
    if files.format in ("arrow", "ipc"):
        words = f"{files.name}: Spark does not read {files.format} files"
        raise DataError(words, hint="engine: polars and engine: duckdb do; Parquet is read by all")
    if files.format in TEXT:
        return text_table(session, source, files, dates)
    if files.remote:
        return _remote(session, files), {}
    return _local(session, source, files)


def _remote(session: Session, files: TableFiles) -> Any:
    """Open Parquet that only Spark reaches, once its files are known to be alike."""
    frame = session.spark.read.parquet(*files.real)
    with without_code(files.name):
        _ = frame.schema
    first: dict[str, str] = {}
    for path in sorted(frame.inputFiles()):
        single = session.spark.read.parquet(escaped(unquote(path)))
        with without_code(path):
            types = {field.name: field.dataType.simpleString() for field in single.schema}
        first = first or types
        refuse_other_types(path, first, types, "another file")
    return frame


def _local(session: Session, source: Source, files: TableFiles) -> tuple[Any, Types]:
    """Open Parquet on this machine, which the workers find under the same paths."""
    with translate_errors(files.name):
        types: Types = dict(scan(files, source.csv).collect_schema())
        first: Types = {}
        for single in files.singles:
            with Path(single.real[0]).open("rb") as file:
                found = dict(pl.read_parquet_schema(file))
            first = first or found
            refuse_other_types(single.name, first, found, files.written[0])
    refuse_alike(session, [(files.name, list(types))])
    native = {name: native_type(dtype) for name, dtype in types.items()}
    native |= dict.fromkeys(_old_times(files, types), "timestamp")
    fields = [f"{backticked(name)} {dtype}" for name, dtype in native.items() if dtype]
    reader = session.spark.read.schema(", ".join(fields))
    if types.keys() - first.keys():
        reader = reader.option("basePath", f"file://{_above_keys(files)}")
    frame = reader.parquet(*map(uri_of, files.real))
    refuse_passed_over(frame, files)
    others = {name: dtype for name, dtype in types.items() if not native[name]}
    known = {n: dtype for n, dtype in types.items() if native[n] != "timestamp" or _zoned(dtype)}
    return _with_others(session.functions, frame, others), known


def _zoned(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.Datetime) and dtype.time_zone is not None


def _old_times(files: TableFiles, types: Types) -> list[str]:
    """Return the columns whose times are of 96 bits, which have a zone to Spark alone."""
    nano = {n for n, t in types.items() if isinstance(t, pl.Datetime) and t.time_unit == "ns"}
    if not nano:
        return []
    parquet = import_extra("pyarrow.parquet", "spark").ParquetFile(files.real[0])
    columns = [parquet.schema.column(i) for i in range(len(parquet.schema.names))]
    return [c.path for c in columns if c.path in nano and c.physical_type == "INT96"]


def _above_keys(files: TableFiles) -> str:
    """Return the folder above those that are named key=value."""
    parts = Path(files.real[0]).absolute().parts
    keys = [i for i, part in enumerate(parts[:-1]) if "=" in part]
    return str(Path(*parts[: keys[0]]))


def _with_others(functions: ModuleType, frame: Any, others: Types) -> Any:
    """Add the columns that Spark does not read: what asks for them ends with an error."""
    added = {}
    for name, dtype in others.items():
        words = f"Spark does not read column {name!r}, which holds {dtype}"
        stop = functions.raise_error(functions.lit(words))
        times = isinstance(dtype, pl.Datetime)
        stop = stop.cast("timestamp_ntz" if times else "string")
        added[name] = functions.lit(None) if isinstance(dtype, pl.Null) else stop
    return frame.withColumns(added) if added else frame
