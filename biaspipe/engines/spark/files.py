"""Files as frames of Spark, with the types and values that polars gives them.

Spark is told the types, and takes paths as it is given them; none of the files is passed over.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import polars as pl

from biaspipe.engines.spark.answers import without_code
from biaspipe.engines.spark.column_names import refuse_alike
from biaspipe.engines.spark.session import Session
from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.extras import import_extra
from biaspipe.policy import Policy, refusal
from biaspipe.printable_text import escape
from biaspipe.sources.columns import refuse_other_types
from biaspipe.sources.compression import COMPRESSED, GZIP, ZSTD
from biaspipe.sources.files import TEXT, TableFiles
from biaspipe.sources.headers import column_names
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.quoting import backticked
from biaspipe.sources.scan import csv_options, scan, scan_typed

__all__ = ["read_table", "refuse_other_stores"]

Types = dict[str, pl.DataType]
MAGIC = {".gz": GZIP, ".zst": ZSTD}
OTHER_ENGINES = "engine: polars and engine: duckdb read it; Parquet is read by all"
MIXED_LINE_ENDS = "some lines end in CR LF and some in LF"
TYPES: tuple[tuple[type[pl.DataType], str], ...] = (
    (pl.Boolean, "boolean"),
    (pl.Int8, "tinyint"),
    (pl.UInt8, "smallint"),
    (pl.Int16, "smallint"),
    (pl.UInt16, "int"),
    (pl.Int32, "int"),
    (pl.UInt32, "bigint"),
    (pl.Int64, "bigint"),
    (pl.UInt64, "decimal(20,0)"),
    (pl.Float32, "float"),
    (pl.Float64, "double"),
    (pl.String, "string"),
    (pl.Categorical, "string"),
    (pl.Enum, "string"),
    (pl.Date, "date"),
    (pl.Binary, "binary"),
)
"""How Spark holds a column, by what polars takes it for."""
LOC = ("data",)
STORES = frozenset(
    {
        *("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "adl", "oss", "cosn", "obs"),
        *("hdfs", "webhdfs", "swebhdfs", "dbfs"),
    }
)
"""Schemes by which Spark reads from elsewhere; others lead to this machine, or into archives."""
URI = re.compile(r"([a-z][a-z0-9]*)://[\w.@:\[\]-]*(/[^\\\x00-\x1f\x7f]*)?", re.ASCII)
"""URIs of which Java takes the same for the host as Python does."""


def read_table(session: Session, files: TableFiles, dates: Sequence[str]) -> tuple[Any, Types]:
    """Open a table.

    Parameters
    ----------
    session : the session that reads it.
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
    if files.format not in (*TEXT, "parquet"):
        words = f"{files.name}: Spark does not read {files.format} files"
        raise DataError(words, hint="engine: polars and engine: duckdb do; Parquet is read by all")
    if files.format in TEXT:
        return text_table(session, files, dates)
    if files.remote:
        return _remote(session, files), {}
    return _local(session, files)


def _remote(session: Session, files: TableFiles) -> Any:
    """Open Parquet that only Spark reaches, once its files are known to be alike."""
    frame = session.spark.read.parquet(*files.real)
    with without_code(files.name):
        _ = frame.schema
    first: dict[str, str] = {}
    for path in sorted(frame.inputFiles()):
        single = session.spark.read.parquet(escape_glob(unquote(path)))
        with without_code(path):
            types = {field.name: field.dataType.simpleString() for field in single.schema}
        first = first or types
        refuse_other_types(path, first, types, "another file")
    return frame


def _local(session: Session, files: TableFiles) -> tuple[Any, Types]:
    """Open Parquet on this machine, which the workers find under the same paths."""
    with translate_errors(files.name):
        types: Types = dict(scan(files).collect_schema())
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


def text_table(session: Session, files: TableFiles, dates: Sequence[str]) -> tuple[Any, Types]:
    """Open a text table; all of its values decide on the types, by the rules of all engines.

    Parameters
    ----------
    session : the session that reads it.
    files : its files.
    dates : columns that are dates where they hold nothing else.

    Raises
    ------
    DataError
        If Spark cannot read the table as the other engines do.
    """
    if files.remote:
        words = f"{files.name}: Spark reads text tables of this machine only"
        raise DataError(words, hint="engine: polars reads remote ones; Parquet is read by all")
    with translate_errors(files.name):
        for path in files.real:
            _refuse_compression(path, files)
        frame = scan_typed(files, dates, as_text=True)
        types: Types = dict(frame.collect_schema())
    refuse_alike(session, [(files.name, list(types))])
    if files.format in ("csv", "tsv"):
        return _csv(session, files, types), types
    return _json(session, files, types), types


def _refuse_compression(path: str, files: TableFiles) -> None:
    """Refuse what Spark does not unpack: it goes by the ending, and polars by the content."""
    with Path(path).open("rb") as file:
        start = file.read(4)
    found = next((e for e, magic in MAGIC.items() if start.startswith(magic)), "")
    ending = next((e for e in COMPRESSED if path.lower().endswith(e)), "")
    if found == ".zst" or found != ending or (ending and not path.endswith(ending)):
        words = f"{files.name}: Spark reads text as it is, or packed in files that end in .gz"
        raise DataError(words, hint=OTHER_ENGINES)


def _csv(session: Session, files: TableFiles, types: Types) -> Any:
    """Read a table of separated texts, every value as a text, then as what polars takes it for."""
    functions = session.functions
    options = csv_options(files)
    names = column_names(files, scan(files, as_text=True).collect_schema().names())
    texts = ", ".join(f"c{i} string" for i in range(len(names)))
    reader = session.spark.read.schema(texts).options(
        sep=options["separator"],
        header=options["has_header"],
        quote='"',
        escape='"',
        multiLine=True,
        encoding="UTF-8",
        mode="PERMISSIVE",
        maxColumns=max(20_480, len(names)),
    )
    frame = reader.csv([uri_of(path) for path in files.real])
    refuse_passed_over(frame, files)
    missing = ["", *(options["null_values"] or ())]
    last = len(names) - 1
    columns = []
    for name, dtype in types.items():
        i = names.index(name)
        text = functions.col(f"c{i}")
        if i == last:
            text = functions.when(
                text.endswith("\r"), functions.raise_error(functions.lit(MIXED_LINE_ENDS))
            ).otherwise(text)
        held = functions.when(~text.isin(missing), text)
        columns.append(_cast(functions, held, dtype).alias(name))
    return frame.select(columns)


def _cast(functions: ModuleType, text: Any, dtype: pl.DataType) -> Any:
    """Return a text as what polars takes it for; a value that does not fit ends the count."""
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


def _json(session: Session, files: TableFiles, types: Types) -> Any:
    """Read lines of JSON; values that are no single ones stay as they are written."""
    functions = session.functions
    fields = [f"{backticked(name)} {_type(dtype)}" for name, dtype in types.items()]
    reader = session.spark.read.schema(", ".join(fields)).options(mode="FAILFAST", encoding="UTF-8")
    frame = reader.json([uri_of(path) for path in files.real])
    refuse_passed_over(frame, files)
    empty = [name for name, dtype in types.items() if isinstance(dtype, pl.Null)]
    return frame.withColumns({name: functions.lit(None) for name in empty})


def _type(dtype: pl.DataType) -> str:
    return native_type(dtype) or "string"


def native_type(dtype: pl.DataType) -> str | None:
    """Return how Spark holds a column; None if it does not, or there is nothing to hold.

    Parameters
    ----------
    dtype : what polars takes the column for.

    >>> native_type(pl.Int64()), native_type(pl.Decimal(9, 2)), native_type(pl.Null())
    ('bigint', 'decimal(9,2)', None)
    """
    if isinstance(dtype, pl.Datetime) and dtype.time_unit != "ns":
        return "timestamp" if dtype.time_zone else "timestamp_ntz"
    if isinstance(dtype, pl.Decimal):
        return f"decimal({dtype.precision},{dtype.scale})"
    return next((name for cls, name in TYPES if isinstance(dtype, cls)), None)


def refuse_other_stores(policy: Policy, files: TableFiles) -> None:
    """Refuse URIs by which Spark would read what no rule has looked at.

    Parameters
    ----------
    policy : what the spec may reach.
    files : of a table.

    Raises
    ------
    SpecError
        With the scheme, or with what is wrong with the URI.
    """
    for uri in files.real if files.remote else ():
        found, scheme = URI.fullmatch(uri), uri.partition("://")[0]
        if found is None:
            words = f"Spark is not given {escape(uri)}: it is no plain URI"
            raise SpecError([Fault(words, LOC, hint="such as s3a://bucket/people.parquet")])
        if scheme not in STORES and policy.schemes is None:
            words = f"{scheme}:// is none of the schemes by which specs may have Spark read"
            raise refusal(policy, words, LOC, f"schemes: [{scheme}]")


def refuse_passed_over(frame: Any, files: TableFiles) -> None:
    """Refuse files that Spark leaves out by their names.

    Parameters
    ----------
    frame : what Spark reads.
    files : what it is to read.

    Raises
    ------
    DataError
        With the first of them.
    """
    read = {unquote(urlsplit(uri).path) for uri in frame.inputFiles()}
    for real, written in zip(files.real, files.written, strict=True):
        if str(Path(real).absolute()) not in read:
            words = f"{written}: Spark passes over files of such a name"
            raise DataError(words, hint="rename it; a name begins with a letter or digit")


def uri_of(path: str) -> str:
    """Return the URI of a file on this machine, and of no other file."""
    return "file://" + escape_glob(str(Path(path).absolute()))


def escape_glob(path: str) -> str:
    r"""Return a path whose signs stand for themselves, and for no other files.

    >>> print(escape_glob("/data/part[1].parquet"))
    /data/part\[1\].parquet
    """
    return "".join(f"\\{sign}" if sign in "\\*?[]{}" else sign for sign in path)
