"""Files to a polars LazyFrame: formats, options of text tables, and the types of their columns."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import polars as pl

from biaspipe.errors import DataError, Fault, Loc, SpecError
from biaspipe.plan import is_pattern
from biaspipe.printable_text import list_values
from biaspipe.sources.files import TableFiles
from biaspipe.sources.headers import column_names
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.uris import hidden_prefixes, scan_options

__all__ = [
    "UNNAMED",
    "csv_options",
    "looks_numeric",
    "refuse_absent_null_values",
    "scan",
    "scan_typed",
    "text_lines",
]

SAMPLE = 1_000
UNNAMED = ""
"""The column of a text table that has no name, such as the row numbers that pandas writes."""
DATE = r"^\d{4}-\d{2}-\d{2}$"
TIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$"
ZONED = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$"
PROBE = 50_000
"""Rows that are looked at before all of them are."""
MARKERS = ("", "na", "nan", "null", "none", "nil", "missing", "unknown")
"""Texts that the hint on `null_values` proposes, without signs and capitals; some are values."""


def scan(files: TableFiles, *, as_text: bool = False) -> pl.LazyFrame:
    """Open files lazily.

    Parameters
    ----------
    files : the files of one table.
    as_text : whether text tables keep every value as text.
    """
    real, how = list(files.real), scan_options(files.real)
    match files.format:
        case "parquet":
            return pl.scan_parquet(
                real,
                **how,
                hidden_file_prefix=hidden_prefixes(real),
                hive_partitioning=files.partitioned,
                extra_columns="ignore",
                cast_options=pl.ScanCastOptions(
                    integer_cast="upcast", float_cast="upcast", missing_struct_fields="insert"
                ),
            )
        case "arrow" | "ipc":
            return pl.scan_ipc(real, **how, hive_partitioning=files.partitioned)
        case "ndjson" | "jsonl":
            length = None if as_text else SAMPLE
            options = how.get("storage_options")
            return pl.scan_ndjson(
                list(files.globs), infer_schema_length=length, storage_options=options
            )
        case "csv" | "tsv" | "json":  # rows of a document are read by nested_json
            return pl.scan_csv(
                real,
                **csv_options(files),
                **how,
                infer_schema=not as_text,
                infer_schema_length=SAMPLE,
            )
    raise LookupError(f"{files.name}: nothing scans {files.format}")


def scan_typed(files: TableFiles, dates: Collection[str], *, as_text: bool = False) -> pl.LazyFrame:
    """Open files lazily, the columns of text tables with their types.

    Parameters
    ----------
    files : the files of one table.
    dates : columns of text tables that are dates where they hold nothing else.
    as_text : whether all values of text tables decide on their types, instead of the first.
    """
    frame = scan(files, as_text=as_text)
    found = frame.collect_schema().names()
    if not files.is_csv:
        return frame
    names = column_names(files, found)
    frame = frame if names == found else frame.rename(dict(zip(found, names, strict=True)))
    _refuse_patterns(files, names)
    frame = _empty_as_null(frame)
    frame = _infer_all_types(frame, names) if as_text else frame
    return _infer_dates(frame.drop(UNNAMED, strict=False), dates, whole=as_text)


def csv_options(files: TableFiles) -> dict[str, Any]:
    """Return polars' options for a text table."""
    csv = files.source.csv
    return {
        "separator": files.separator,
        "has_header": csv.header,
        "new_columns": list(csv.columns) if csv.columns else None,
        "null_values": list(csv.null_values) if csv.null_values else None,
    }


def text_lines(files: TableFiles) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of files as bytes, some at a time, each with the name of the file.

    Parameters
    ----------
    files : compressed, remote, or neither.
    """
    with translate_errors(files.name):
        how = scan_options(files.real)
        frame = pl.scan_lines(list(files.real), include_file_paths="file", **how)
        for batch in frame.collect_batches(maintain_order=True, engine="streaming"):
            for (file,), lines in batch.group_by("file", maintain_order=True):
                yield str(file), lines["line"].str.join("\n").item().encode() + b"\n"


def _refuse_patterns(files: TableFiles, names: Sequence[str]) -> None:
    """Refuse columns of a text table whose names engines read as patterns; DataError."""
    for name in names:
        if is_pattern(name):
            words = f"{files.name}: engines read the name of the column {name!r} as a pattern"
            raise DataError(words, hint="give the column another name")


def _empty_as_null(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Make empty texts missing, quoted or not, as they are in columns of numbers."""
    texts = [n for n, dtype in frame.collect_schema().items() if isinstance(dtype, pl.String)]
    return frame.with_columns(pl.when(pl.col(n) != "").then(pl.col(n)) for n in texts)


def looks_numeric(frame: pl.LazyFrame) -> bool:
    """Whether the first rows make a text of a column whose values can all be read as numbers.

    Among other values they would be numbers: then all rows have to decide.
    """
    schema = frame.collect_schema()
    texts = [pl.col(name) for name, dtype in schema.items() if isinstance(dtype, pl.String)]
    sample = frame.select(texts).head(SAMPLE).collect()
    fits = [
        (read.is_not_null() | text.is_null()).all() & text.is_not_null().any()
        for text in texts
        for read in (_unpadded(text).cast(pl.Float64, strict=False), _boolean(text))
    ]
    return bool(fits) and sample.select(pl.any_horizontal(fits)).item()


def _unpadded(text: pl.Expr) -> pl.Expr:
    """Return texts without the spaces before a number that a text table may hold."""
    return text.str.strip_chars_start(" ")


def _infer_all_types(frame: pl.LazyFrame, columns: list[str]) -> pl.LazyFrame:
    """Give each of these text columns the narrowest type that all of its values fit."""
    tried = [(name, cast) for name in columns for cast in _casts(pl.col(name))]
    fits = [
        (cast.is_null() & pl.col(name).is_not_null()).any().not_().alias(str(i))
        for i, (name, cast) in enumerate(tried)
    ]
    chosen: dict[str, pl.Expr] = {}
    found = frame.select(fits).collect(engine="streaming").row(0)
    for (name, cast), fit in zip(tried, found, strict=True):
        if fit:
            chosen.setdefault(name, cast.alias(name))
    return frame.with_columns(chosen.values())


def _casts(text: pl.Expr) -> list[pl.Expr]:
    """Return texts as values of each type, the narrowest first: of none where all are missing."""
    number = _unpadded(text)
    types = (pl.Int64, pl.Float64)
    return [pl.lit(None), *(number.cast(t, strict=False) for t in types), _boolean(text)]


def _infer_dates(frame: pl.LazyFrame, columns: Collection[str], *, whole: bool) -> pl.LazyFrame:
    """Make dates and times of texts in ISO 8601, by all values of a column or by the first."""
    schema = frame.collect_schema()
    texts = [c for c in columns if isinstance(schema.get(c), pl.String)]
    sample = frame.select(texts) if whole else frame.select(texts).head(SAMPLE)
    for name in texts:
        text = pl.col(name).str
        ways = {
            DATE: text.to_date("%Y-%m-%d"),
            TIME: text.to_datetime(),
            ZONED: text.to_datetime(time_zone="UTC"),
        }
        for pattern, cast in ways.items():
            fits = text.contains(pattern).all() & pl.col(name).is_not_null().any()
            if sample.select(fits).collect(engine="streaming").item():
                frame = frame.with_columns(cast.alias(name))
                break
    return frame


def _boolean(text: pl.Expr) -> pl.Expr:
    low = text.str.to_lowercase()
    return pl.when(low == "true").then(pl.lit(True)).when(low == "false").then(pl.lit(False))


def refuse_absent_null_values(files: TableFiles, loc: Loc) -> None:
    """Refuse `null_values` of which one occurs in no column of a table.

    Parameters
    ----------
    files : the files of a text table.
    loc : where in the spec the list stands.

    Raises
    ------
    SpecError
        With every text that does not occur, and texts that do and look alike.
    """
    source, markers = files.source, files.source.csv.null_values or ()
    csv = source.csv.model_copy(update={"null_values": None})
    plain = files._replace(source=source.model_copy(update={"csv": csv}))
    with translate_errors(files.name):
        rows = scan(plain, as_text=True)
        head = rows.head(PROBE).collect() if markers else pl.DataFrame()
        absent = [i for i, text in enumerate(markers) if not _occurs(head.lazy(), text)]
        absent = [i for i in absent if not _occurs(rows, markers[i])]
    hint = f"these do: {list_values(found, most=5)}" if absent and (found := _alike(head)) else None
    words = "no value of {} is {!r}"
    faults = [Fault(words.format(files.name, markers[i]), (*loc, i), hint=hint) for i in absent]
    if faults:
        raise SpecError(faults)


def _occurs(rows: pl.LazyFrame, text: str) -> bool:
    found = rows.filter(pl.any_horizontal(pl.all() == text)).head(1)
    return found.collect(engine="streaming").height > 0


def _alike(head: pl.DataFrame) -> list[str]:
    """Return texts that look as if they stood for a missing value."""
    found = dict[str, None]()
    for texts in head.get_columns():
        plain = texts.str.to_lowercase().str.replace_all(r"[^\pL\pN]", "")
        found |= dict.fromkeys(texts.filter(plain.is_in(MARKERS) & (texts != "")).unique().sort())
    return list(found)
