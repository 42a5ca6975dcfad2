"""Files as frames of Spark, with the types and values that polars gives them."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import polars as pl

from biaspipe.engines.extras import needed
from biaspipe.engines.files import COMPRESSED, TEXT, Files
from biaspipe.engines.scanning import csv_options, opened, reading, scan
from biaspipe.engines.sessions import Session
from biaspipe.errors import DataError
from biaspipe.spec import Source

__all__ = ["read_table"]

TYPES: tuple[tuple[type[pl.DataType], str], ...] = (
    (pl.Boolean, "boolean"),
    (pl.Int64, "bigint"),
    (pl.Float64, "double"),
    (pl.Date, "date"),
)
"""The types that the columns of text tables have."""
SCHEMAS = "the files of one table hold the same columns, of the same types"
OTHERS = "engine: polars and engine: duckdb read it; Parquet is read by all"
MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}

Types = dict[str, pl.DataType]


def read_table(
    session: Session, source: Source, files: Files, dates: Sequence[str]
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
        raise DataError(f"{files.name}: Spark does not read {files.format} files", hint=OTHERS)
    if files.format in TEXT:
        return _text(session, source, files, dates)
    if files.remote:
        return _remote(session, files), {}
    return _local(session, source, files)


def _remote(session: Session, files: Files) -> Any:
    """Open Parquet that only Spark reaches, once its files are known to be alike."""
    frame = session.spark.read.parquet(*dict.fromkeys(files.real))
    first: dict[str, str] = {}
    for path in sorted(frame.inputFiles()):
        single = session.spark.read.parquet(_escaped(unquote(path)))
        types = {field.name: field.dataType.simpleString() for field in single.schema}
        first = first or types
        _refuse_other(path, first, types, "another file")
    return _layered(session.spark.read, "parquet", files.real)


def _refuse_other(name: str, first: dict[str, Any], found: dict[str, Any], where: str) -> None:
    """Refuse a file that lacks a column of the first, or holds other values in it."""
    for column, dtype in first.items():
        if found.get(column) != dtype:
            words = f"{name}: column {column!r} holds {found.get(column)}, and {dtype} in {where}"
            raise DataError(words, hint=SCHEMAS)


def _local(session: Session, source: Source, files: Files) -> tuple[Any, Types]:
    """Open Parquet on this machine, which the workers find under the same paths."""
    with reading(files.name):
        types: Types = dict(scan(files, source.csv).collect_schema())
        first: dict[str, pl.DataType] = {}
        for single in dict.fromkeys(files.singles):
            found = dict(pl.read_parquet_schema(single.real[0]))
            first = first or found
            _refuse_other(single.name, first, found, files.written[0])
    reader = session.spark.read
    folders = [name for name in types if name not in first]
    if folders:
        own = session.spark.read.parquet(_uri(files.real[0])).schema
        reader = reader.schema(_with_folders(own, {n: types[n] for n in folders}))
        reader = reader.option("basePath", f"file://{_above_keys(files)}")
    frame = _layered(reader, "parquet", [_uri(path) for path in files.real])
    _refuse_passed_over(frame, files)
    return _without_nothing(frame, types), types


def _with_folders(own: Any, folders: Types) -> Any:
    """Return the schema of Spark of files in folders that are named key=value."""
    kinds = needed("pyspark.sql.types", "spark")
    fields = [field for field in own if field.name not in folders]
    named = [kinds.StructField(n, kinds.DataType.fromDDL(_type(t))) for n, t in folders.items()]
    return kinds.StructType([*fields, *named])


def _above_keys(files: Files) -> str:
    """Return the folder above those that are named key=value."""
    parts = Path(files.real[0]).absolute().parts
    keys = [i for i, part in enumerate(parts[:-1]) if "=" in part]
    return str(Path(*parts[: keys[0]]))


def _without_nothing(frame: Any, types: Types) -> Any:
    """Return a frame whose columns of no type hold nothing, as they do in the file."""
    functions = needed("pyspark.sql.functions", "spark")
    empty = [name for name, dtype in types.items() if isinstance(dtype, pl.Null)]
    return frame.withColumns({n: functions.lit(None) for n in empty}) if empty else frame


def _text(
    session: Session, source: Source, files: Files, dates: Sequence[str]
) -> tuple[Any, Types]:
    """Open a text table; all of its values decide on the types, by the rules of all engines."""
    if files.remote:
        words = f"{files.name}: Spark reads text tables of this machine only"
        raise DataError(words, hint="engine: polars reads remote ones; Parquet is read by all")
    for path in dict.fromkeys(files.real):
        _refuse_compression(path, files)
    with reading(files.name):
        frame = opened(files, source.csv, dates, as_text=True)
        types: Types = dict(frame.collect_schema())
    if files.format in ("csv", "tsv"):
        return _csv(session, source, files, types), types
    return _json(session, files, types), types


def _refuse_compression(path: str, files: Files) -> None:
    """Refuse what Spark does not unpack: it goes by the ending, and polars by the content."""
    with Path(path).open("rb") as file:
        start = file.read(4)
    found = next((e for e, magic in MAGIC.items() if start.startswith(magic)), "")
    ending = next((e for e in COMPRESSED if path.lower().endswith(e)), "")
    if found == ".zst" or found != ending or (ending and not path.endswith(ending)):
        words = f"{files.name}: Spark reads text as it is, or packed in files that end in .gz"
        raise DataError(words, hint=OTHERS)


def _csv(session: Session, source: Source, files: Files, types: Types) -> Any:
    """Read a table of separated texts, every value as a text, then as what polars takes it for."""
    functions = needed("pyspark.sql.functions", "spark")
    options = csv_options(files, source.csv)
    reader = session.spark.read.schema(_texts(len(types))).options(
        sep=options["separator"],
        header=options["has_header"],
        quote='"',
        escape='"',
        multiLine=True,
        encoding="UTF-8",
        mode="PERMISSIVE",
        maxColumns=max(20_480, len(types)),
    )
    frame = _layered(reader, "csv", [_uri(path) for path in files.real])
    _refuse_passed_over(frame, files)
    missing = ["", *(options["null_values"] or ())]
    last = len(types) - 1
    columns = []
    for i, (name, dtype) in enumerate(types.items()):
        text = functions.col(f"c{i}")
        if i == last:
            text = functions.when(text.endswith("\r"), _stop(ENDS)).otherwise(text)
        held = functions.when(~text.isin(missing), text)
        columns.append(_cast(held, dtype).alias(name))
    return frame.select(columns)


ENDS = "some lines end in CR LF and some in LF"


def _texts(count: int) -> str:
    return ", ".join(f"c{i} string" for i in range(count))


def _cast(text: Any, dtype: pl.DataType) -> Any:
    """Return a text as what polars takes it for; a value that does not fit ends the count."""
    functions = needed("pyspark.sql.functions", "spark")
    if isinstance(dtype, pl.Null):
        return functions.lit(None)
    if isinstance(dtype, pl.Boolean):
        return functions.lower(text) == "true"
    kind = _type(dtype)
    if kind == "string":
        return text
    if kind == "timestamp":
        text = functions.regexp_replace(text, r"([+-]\d{2})(\d{2})$", "$1:$2")
    cast = text.try_cast(kind)
    wrong = text.isNotNull() & cast.isNull()
    words = functions.concat(functions.lit("conversion from "), text, functions.lit(f" to {kind}"))
    return functions.when(wrong, functions.raise_error(words)).otherwise(cast)


def _stop(words: str) -> Any:
    functions = needed("pyspark.sql.functions", "spark")
    return functions.raise_error(functions.lit(words))


def _json(session: Session, files: Files, types: Types) -> Any:
    """Read lines of JSON; values that are no single ones stay as they are written."""
    kinds = needed("pyspark.sql.types", "spark")
    schema = kinds.StructType(
        [kinds.StructField(n, kinds.DataType.fromDDL(_type(t))) for n, t in types.items()]
    )
    reader = session.spark.read.schema(schema).options(mode="FAILFAST", encoding="UTF-8")
    frame = _layered(reader, "json", [_uri(path) for path in files.real])
    _refuse_passed_over(frame, files)
    return _without_nothing(frame, types)


def _type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Datetime):
        return "timestamp" if dtype.time_zone else "timestamp_ntz"
    return next((name for cls, name in TYPES if isinstance(dtype, cls)), "string")


def _layered(reader: Any, form: str, paths: Sequence[str]) -> Any:
    """Read files, those that are listed several times as often."""
    layers: list[dict[str, None]] = []
    for path in paths:
        layer = next((known for known in layers if path not in known), None)
        if layer is None:
            layers.append(layer := {})
        layer[path] = None
    frames = [reader.format(form).load(list(layer)) for layer in layers]
    return reduce(lambda above, below: above.unionAll(below), frames)


def _refuse_passed_over(frame: Any, files: Files) -> None:
    """Refuse files that Spark leaves out by their names."""
    read = {unquote(urlsplit(uri).path) for uri in frame.inputFiles()}
    for real, written in zip(files.real, files.written, strict=True):
        if str(Path(real).absolute()) not in read:
            words = f"{written}: Spark passes over files of such a name"
            raise DataError(words, hint="rename it; a name begins with a letter or digit")


def _uri(path: str) -> str:
    return "file://" + _escaped(str(Path(path).absolute()))


def _escaped(path: str) -> str:
    """Return a path whose signs stand for themselves, and for no other files."""
    return "".join(f"\\{sign}" if sign in "\\*?[]{}" else sign for sign in path)
