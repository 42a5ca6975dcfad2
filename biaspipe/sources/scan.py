"""Files to a polars LazyFrame: formats, options of text tables, types, and faults in words."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl

from biaspipe.errors import DataError, TypesChangedError, first_line
from biaspipe.plan import is_pattern
from biaspipe.sources.files import Files, is_csv, separator_of
from biaspipe.sources.lines import not_utf8
from biaspipe.sources.uris import hidden_in, reach, unread
from biaspipe.spec import Csv

__all__ = [
    "NAMELESS",
    "is_deceptive",
    "lines_of",
    "opened",
    "reading",
    "refuse_patterns",
    "refuse_twins",
    "scan",
]

SAMPLE = 1_000
NAMELESS = ""
"""The column of a text table that has no name, such as the row numbers that pandas writes."""
UNFIT = ("could not parse", "cannot parse", "NULL-typed", "conversion from")
"""What polars says of a value that does not fit the type of its column."""
DATE = r"^\d{4}-\d{2}-\d{2}$"
TIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$"
ZONED = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$"


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn what polars says of faulty data into words that name the table."""
    try:
        yield
    except pl.exceptions.NoDataError:
        raise DataError(f"{name}: the file is empty") from None
    except pl.exceptions.PolarsError as error:
        raise _in_words(name, str(error)) from None
    except pl.exceptions.PanicException as error:
        raise DataError(f"{name}: polars breaks down: {first_line(error)}") from None
    except OSError as error:
        words = f"{name}: {error.strerror or first_line(error)}"
        raise unread(name, str(error)) or DataError(words) from None


def _in_words(name: str, message: str) -> DataError:
    if fault := unread(name, message):
        return fault
    if any(words in message for words in UNFIT):
        return TypesChangedError(f"{name}: {first_line(message)}")
    if "invalid utf8" in message.lower().replace("utf-8", "utf8"):
        return not_utf8(name)
    if "more fields than defined" in message:
        hint = 'check the separator and the quotes; csv: {separator: ";"} sets another one'
        return DataError(f"{name}: a line has more fields than the header", hint=hint)
    return DataError(f"{name}: cannot be read: {first_line(message)}")


def scan(files: Files, csv: Csv, *, as_text: bool = False) -> pl.LazyFrame:
    """Open files lazily.

    Parameters
    ----------
    files : the files of one table.
    csv : how text tables are written.
    as_text : whether text tables keep every value as text, until `settle` gives them types.
    """
    real, how = list(files.real), reach(files.real)
    match files.format:
        case "parquet":
            return pl.scan_parquet(
                real,
                **how,
                hidden_file_prefix=hidden_in(real),
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
    return pl.scan_csv(
        real,
        **csv_options(files, csv),
        **how,
        infer_schema=not as_text,
        infer_schema_length=SAMPLE,
    )


def opened(
    files: Files, csv: Csv, dates: Collection[str], *, as_text: bool = False
) -> pl.LazyFrame:
    """Open files lazily, the columns of text tables with their types.

    Parameters
    ----------
    files : the files of one table.
    csv : how text tables are written.
    dates : columns of text tables that are dates where they hold nothing else.
    as_text : whether all values of text tables decide on their types, instead of the first.
    """
    frame = scan(files, csv, as_text=as_text)
    names = frame.collect_schema().names()
    if not is_csv(files):
        return frame
    refuse_patterns(files, names)
    frame = emptied(frame)
    frame = settle(frame, names) if as_text else frame
    return dated(frame.drop(NAMELESS, strict=False), dates, whole=as_text)


def csv_options(files: Files, csv: Csv) -> dict[str, Any]:
    """Return polars' options for a text table."""
    return {
        "separator": separator_of(files, csv),
        "has_header": csv.header,
        "new_columns": list(csv.columns) if csv.columns else None,
        "null_values": list(csv.null_values) if csv.null_values else None,
    }


def lines_of(files: Files) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of files as bytes, some at a time, each with the name of the file.

    Parameters
    ----------
    files : compressed, remote, or neither.
    """
    with reading(files.name):
        how = reach(files.real)
        frame = pl.scan_lines(list(files.real), include_file_paths="file", **how)
        for batch in frame.collect_batches(maintain_order=True, engine="streaming"):
            for (file,), lines in batch.group_by("file", maintain_order=True):
                yield str(file), lines["line"].str.join("\n").item().encode() + b"\n"


def refuse_patterns(files: Files, names: Sequence[str]) -> None:
    """Refuse columns of a text table whose names stand for other columns than their own.

    Raises
    ------
    DataError
        With the column's name.
    """
    for name in names:
        if is_pattern(name):
            words = f"{files.name}: engines read the name of the column {name!r} as a pattern"
            raise DataError(words, hint="give the column another name")


def refuse_twins(files: Files, names: Sequence[str], needed: Collection[str]) -> None:
    """Refuse a text table whose header names a needed column twice.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them; the second of two alike is renamed by polars.
    needed : the columns that the audit reads.

    Raises
    ------
    DataError
        With the column's name.
    """
    for name in sorted(needed) if is_csv(files) else ():
        if f"{name}_duplicated_0" in names:
            raise DataError(f"{files.name}: the header names the column {name!r} twice")


def emptied(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Make empty texts missing, quoted or not, as they are in columns of numbers."""
    texts = [n for n, dtype in frame.collect_schema().items() if isinstance(dtype, pl.String)]
    return frame.with_columns(pl.when(pl.col(n) != "").then(pl.col(n)) for n in texts)


def is_deceptive(frame: pl.LazyFrame) -> bool:
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


def settle(frame: pl.LazyFrame, columns: list[str]) -> pl.LazyFrame:
    """Give text columns the narrowest type that every value of theirs fits.

    Parameters
    ----------
    frame : a table whose columns are texts.
    columns : the columns that matter; the others stay texts.
    """
    tried: list[tuple[str, pl.Expr]] = []
    for name in columns:
        text = pl.col(name)
        tried += [
            (name, _unpadded(text).cast(pl.Int64, strict=False)),
            (name, _unpadded(text).cast(pl.Float64, strict=False)),
            (name, _boolean(text)),
        ]
    fits = [
        (cast.is_null() & pl.col(name).is_not_null()).any().not_().alias(str(i))
        for i, (name, cast) in enumerate(tried)
    ]
    held = [pl.col(name).is_not_null().any().alias(f"held{i}") for i, name in enumerate(columns)]
    found = frame.select(*fits, *held).collect(engine="streaming").row(0)
    chosen = {
        name: pl.lit(None).alias(name)
        for name, is_held in zip(columns, found[len(tried) :], strict=True)
        if not is_held
    }
    for (name, cast), fit in zip(tried, found[: len(tried)], strict=True):
        if fit:
            chosen.setdefault(name, cast.alias(name))
    return frame.with_columns(chosen.values())


def dated(frame: pl.LazyFrame, columns: Collection[str], *, whole: bool) -> pl.LazyFrame:
    """Make dates and times of text columns that hold nothing else, written as ISO 8601 does.

    Parameters
    ----------
    frame : a text table.
    columns : the columns that a condition compares.
    whole : whether all values decide, instead of the first.
    """
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
