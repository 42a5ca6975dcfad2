"""Rows of JSON whose values stand inside of objects and arrays, as a frame of polars.

A value that is not found by its path is an error: an array of another length than in the rows
before, a value that is no single one, a line that is no JSON.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.sources.compression import GZIP, ZSTD, gunzip
from biaspipe.sources.files import TableFiles
from biaspipe.spec import steps_of

__all__ = ["first_record", "present_columns", "read_nested"]

LINES = ("ndjson", "jsonl")
NESTED = pl.List(pl.Null)
"""The type of a column whose values are objects or arrays, which no audit can use."""

PlacedRow = tuple[str, Any]
"""Where a row stands, for messages, and the row."""


def read_nested(files: TableFiles) -> pl.LazyFrame:
    """Read the files of a table.

    Parameters
    ----------
    files : its files, on this machine.

    Raises
    ------
    SpecError
        If the files are no JSON.
    DataError
        If a row cannot be read, or is not like the others.
    """
    if files.format not in (*LINES, "json"):
        words = f"fields is about rows of JSON, and {files.name} is {files.format}"
        raise SpecError([Fault(words, ("data", "fields"), at_key=True)])
    if files.remote:
        words = f"{files.name}: rows inside of JSON are read on this machine only"
        raise DataError(words, hint="fetch it, and name the copy")
    fields = files.source.fields
    rows = (row for single in files.singles for row in _rows(single))
    columns = _by_path(fields, rows) if fields else _by_key(list(rows))
    return pl.LazyFrame([_series(name, values) for name, values in columns.items()])


def present_columns(single: TableFiles, needed: Collection[str]) -> set[str]:
    """Return the needed columns that some row of a file has, if only as null.

    Parameters
    ----------
    single : a file on this machine.
    needed : the columns that the audit reads.
    """
    fields = single.source.fields or {}
    named = [name for name in needed if not fields or name in fields]
    paths = {name: steps_of(fields[name]) if fields else (name,) for name in named}
    found: set[str] = set()
    for _, row in _rows(single):
        found |= {name for name, steps in paths.items() if name not in found and _has(row, steps)}
        if len(found) == len(paths):
            break
    return found


def _has(value: Any, steps: tuple[str | int, ...]) -> bool:
    """Whether a path leads to something in a row."""
    for step in steps:
        if not isinstance(value, list | dict):
            return False
        inside: Any = value
        try:
            value = inside[step]
        except (LookupError, TypeError):
            return False
    return True


def first_record(files: TableFiles) -> Any:
    """Return the first row of a table as it is written; None if there is none."""
    return next((row for _, row in _rows(files.singles[0])), None)


def _rows(single: TableFiles) -> Iterator[PlacedRow]:
    """Yield the rows of one file, in their order."""
    name, text = single.name, _text(single)
    if single.format in LINES:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                place = f"{name}, line {number:,}"
                yield place, _parsed(line, place)
        return
    document = _parsed(text, name)
    if records := single.source.records:
        document = _value(document, _path_steps(records), {}, name)
    if not isinstance(document, list):
        hint = "records: says where the array stands in the document"
        raise DataError(f"{name}: the rows are no array of JSON", hint=hint)
    for number, row in enumerate(document, 1):
        yield f"{name}, row {number:,}", row


def _text(single: TableFiles) -> str:
    content = Path(single.real[0]).read_bytes()
    if content.startswith(ZSTD):
        words = f"{single.name}: rows inside of JSON are not read from zstd"
        raise DataError(words, hint="unpack the file, or pack it with gzip")
    try:
        content = gunzip(single.name, content) if content.startswith(GZIP) else content
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        hint = "convert it, for example: iconv -f latin1 -t utf-8 old.jsonl > new.jsonl"
        raise DataError(f"{single.name}: the text is not UTF-8", hint=hint) from None


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise DataError(f"{place}: the JSON is nested too deep") from None
    except ValueError as error:
        raise DataError(f"{place}: not JSON: {error}") from None


PathStep = tuple[str | int, str]
"""A key or an index, and the path of what it is looked up in."""
Lengths = dict[str, int]
"""How many values the arrays at a path hold, in every row."""


def _path_steps(path: str) -> tuple[PathStep, ...]:
    steps = steps_of(path)
    return tuple((step, _written(steps[:i])) for i, step in enumerate(steps))


def _written(steps: Iterable[str | int]) -> str:
    text = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps)
    return text.removeprefix(".")


def _by_path(fields: dict[str, str], rows: Iterable[PlacedRow]) -> dict[str, list[Any]]:
    paths = {name: _path_steps(path) for name, path in fields.items()}
    columns: dict[str, list[Any]] = {name: [] for name in fields}
    lengths: Lengths = {}
    for place, row in rows:
        for name, steps in paths.items():
            value = _value(row, steps, lengths, place)
            if isinstance(value, list | dict):
                held = "an array" if isinstance(value, list) else "an object"
                raise DataError(f"{place}: {fields[name]} holds {held}, and no single value")
            columns[name].append(value)
    return columns


def _value(value: Any, steps: tuple[PathStep, ...], lengths: Lengths, place: str) -> Any:
    """Return the value that a path leads to; None where a key is not there."""
    for step, inside in steps:
        if value is None:
            return None
        expected = list if isinstance(step, int) else dict
        if not isinstance(value, expected):
            held = "array" if expected is list else "object"
            raise DataError(f"{place}: {inside or 'the row'} is no {held} of JSON")
        if isinstance(value, dict):
            value = value.get(str(step))
            continue
        known = lengths.setdefault(inside, len(value))
        if len(value) != known or int(step) >= known:
            words = f"and {known:,} in the first row"
            words = words if len(value) != known else f"and [{step}] is asked for"
            raise DataError(f"{place}: {inside or 'the row'} holds {len(value):,} values, {words}")
        value = value[int(step)]
    return value


def _by_key(rows: list[PlacedRow]) -> dict[str, list[Any]]:
    """Return the values of every key that a row has."""
    for place, row in rows:
        if not isinstance(row, dict):
            raise DataError(f"{place}: the row is no object of JSON")
    keys = dict.fromkeys(key for _, row in rows for key in row)
    return {key: [row.get(key) for _, row in rows] for key in keys}


def _series(name: str, values: list[Any]) -> pl.Series:
    """Return values as the one type that all of them have; numbers beside texts are texts."""
    types = {type(value) for value in values if value is not None}
    if types & {list, dict}:
        return pl.Series(name, [None] * len(values), NESTED)
    if types <= {bool}:
        return pl.Series(name, values, pl.Boolean if types else pl.Null)
    if types <= {int} and all(v is None or -(2**63) <= v < 2**63 for v in values):
        return pl.Series(name, values, pl.Int64)
    if types <= {int, float}:
        return pl.Series(name, [None if v is None else float(v) for v in values], pl.Float64)
    texts = (v if v is None or isinstance(v, str) else json.dumps(v) for v in values)
    return pl.Series(name, list(texts), pl.String)
