"""Text tables as frames of Spark, with the types and values that polars gives them."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl

from biaspipe.engines.spark.frames import refuse_alike
from biaspipe.engines.spark.paths import refuse_passed_over, uri_of
from biaspipe.engines.spark.sessions import Session
from biaspipe.engines.spark.types import native_type
from biaspipe.errors import DataError
from biaspipe.sources.compression import COMPRESSED
from biaspipe.sources.files import TableFiles
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.quoting import backticked
from biaspipe.sources.scan import csv_options, scan_typed
from biaspipe.spec import Source

__all__ = ["Types", "text_table"]

Types = dict[str, pl.DataType]
MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
OTHERS = "engine: polars and engine: duckdb read it; Parquet is read by all"
ENDS = "some lines end in CR LF and some in LF"


def text_table(
    session: Session, source: Source, files: TableFiles, dates: Sequence[str]
) -> tuple[Any, Types]:
    """Open a text table; all of its values decide on the types, by the rules of all engines.

    Parameters
    ----------
    session : the session that reads it.
    source : the part of the spec that says how.
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
        frame = scan_typed(files, source.csv, dates, as_text=True)
        types: Types = dict(frame.collect_schema())
    refuse_alike(session, [(files.name, list(types))])
    if files.format in ("csv", "tsv"):
        return _csv(session, source, files, types), types
    return _json(session, files, types), types


def _refuse_compression(path: str, files: TableFiles) -> None:
    """Refuse what Spark does not unpack: it goes by the ending, and polars by the content."""
    with Path(path).open("rb") as file:
        start = file.read(4)
    found = next((e for e, magic in MAGIC.items() if start.startswith(magic)), "")
    ending = next((e for e in COMPRESSED if path.lower().endswith(e)), "")
    if found == ".zst" or found != ending or (ending and not path.endswith(ending)):
        words = f"{files.name}: Spark reads text as it is, or packed in files that end in .gz"
        raise DataError(words, hint=OTHERS)


def _csv(session: Session, source: Source, files: TableFiles, types: Types) -> Any:
    """Read a table of separated texts, every value as a text, then as what polars takes it for."""
    functions = session.functions
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
    frame = reader.csv([uri_of(path) for path in files.real])
    refuse_passed_over(frame, files)
    missing = ["", *(options["null_values"] or ())]
    last = len(types) - 1
    columns = []
    for i, (name, dtype) in enumerate(types.items()):
        text = functions.col(f"c{i}")
        if i == last:
            text = functions.when(
                text.endswith("\r"), functions.raise_error(functions.lit(ENDS))
            ).otherwise(text)
        held = functions.when(~text.isin(missing), text)
        columns.append(_cast(functions, held, dtype).alias(name))
    return frame.select(columns)


def _texts(count: int) -> str:
    return ", ".join(f"c{i} string" for i in range(count))


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
