"""The first line of a text table: the names in it, and what stands there twice.

Polars gives the second of two equal names an ending, and leaves doubled quotes as they are.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import polars as pl

from biaspipe.errors import DataError
from biaspipe.printable_text import escape, escape_in_json
from biaspipe.sources.files import TableFiles
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.uris import scan_options

__all__ = [
    "RENAMED",
    "column_names",
    "header_names",
    "name_line",
    "names_apart",
    "refuse_duplicates",
    "renamed_columns",
]

RENAMED = re.compile(r"_duplicated_\d+$")
"""The ending that polars gives the second of two equal names."""
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*( [A-Za-z_]+)*")
MOST = 12
"""Names that are told; the line to be pasted has all of them."""
WORDS = ("false", "n", "no", "null", "off", "on", "true", "y", "yes")
"""Texts that YAML takes for other values than texts."""


def header_names(files: TableFiles, names: Sequence[str]) -> list[str]:
    """Return what the columns of a table are called in the first line of its first file.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them.
    """
    csv = files.source.csv
    odd = any('""' in name or RENAMED.search(name) for name in names)
    if not (odd and files.is_csv and csv.header and not csv.columns):
        return list(names)
    with translate_errors(files.name):
        first = pl.scan_csv(
            files.real[0],
            separator=files.separator,
            has_header=False,
            infer_schema=False,
            n_rows=1,
            **scan_options(files.real),
        ).collect()
    found = [str(name or "") for row in first.rows() for name in row]
    return found if len(found) == len(names) else list(names)


def column_names(files: TableFiles, names: Sequence[str]) -> list[str]:
    """Return what the columns of a table are called here: by the header, each by another name.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them.
    """
    pairs = zip(names, header_names(files, names), strict=True)
    return [name if RENAMED.search(name) else own for name, own in pairs]


def renamed_columns(files: TableFiles, names: Sequence[str]) -> dict[str, str]:
    """Return the columns that have another column's name, each with that, as polars calls them.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them.
    """
    there = header_names(files, names)
    pairs = zip(names, there, strict=True)
    return {name: own for name, own in pairs if RENAMED.search(name) and name != own}


def refuse_duplicates(files: TableFiles, names: Sequence[str], needed: Collection[str]) -> None:
    """Refuse a text table whose header names a needed column twice.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them.
    needed : the columns that the audit reads.

    Raises
    ------
    DataError
        With the places of all that stand twice, and what a spec says to name them apart.
    """
    renamed = renamed_columns(files, names)
    twice = {own for name, own in renamed.items() if own in needed or name in needed}
    if not twice:
        return
    header = header_names(files, names)
    places = _places(header)
    first, *others = sorted(twice) + sorted(own for own in places if own and own not in twice)
    words = f"{files.name}: the header names the column {first!r} {_times(places[first])}"
    if others:
        told = [f"{own!r} ({_numbers(places[own])})" for own in others[:MOST]]
        told += [f"{len(others) - MOST:,} more"] if len(others) > MOST else []
        words += f"; also more than once: {', '.join(told)}"
    hint = f"name them apart, in the spec's data or in this join: {name_line(files, header)}"
    raise DataError(words, hint=hint)


def _places(header: Sequence[str]) -> Mapping[str, list[int]]:
    """Return the numbers of the columns that stand more than once, by name."""
    places: dict[str, list[int]] = {}
    for i, name in enumerate(header, start=1):
        places.setdefault(name, []).append(i)
    return {name: numbers for name, numbers in places.items() if len(numbers) > 1}


def _times(numbers: Sequence[int]) -> str:
    times = "twice" if len(numbers) == 2 else f"{len(numbers):,} times"
    return f"{times}, as columns {_numbers(numbers)}"


def _numbers(numbers: Sequence[int]) -> str:
    *most, last = [f"{number:,}" for number in numbers]
    return f"{', '.join(most)} and {last}"


def name_line(files: TableFiles, header: Sequence[str]) -> str:
    """Return the line of a spec that names the columns of a table, no two of them alike.

    Parameters
    ----------
    files : the table, whose other options the line keeps.
    header : the names in its first line.
    """
    csv = files.source.csv
    options = [f"separator: {_scalar(csv.separator)}"] * ("separator" in csv.model_fields_set)
    nulls = csv.null_values
    options += [f"null_values: [{', '.join(map(_scalar, nulls))}]"] if nulls else []
    columns = ", ".join(map(_scalar, _apart(header)))
    return f"csv: {{{', '.join([*options, 'header: true', f'columns: [{columns}]'])}}}"


def names_apart(files: TableFiles, names: Sequence[str]) -> list[str]:
    """Return names for all columns of a table, no two alike; none where the header has no twins.

    Parameters
    ----------
    files : the table.
    names : its columns as polars calls them.
    """
    return list(_apart(header_names(files, names))) if renamed_columns(files, names) else []


def _apart(header: Sequence[str]) -> Iterator[str]:
    """Yield names that differ: the second x is x_2, and a column without a name is its number."""
    known = {name for name in header if name}
    used = set[str]()
    for i, name in enumerate(header, start=1):
        called = name or f"column_{i}"
        number = 1 + bool(name)
        while called in used or (called != name and called in known):
            called, number = f"{name or f'column_{i}'}_{number}", number + 1
        used.add(called)
        yield called


def _scalar(text: str) -> str:
    r"""Write a text of YAML, in quotes where it could be read as something else.

    >>> [_scalar(text) for text in ("home town", "yes", 'a "b", c', "7")]
    ['home town', '"yes"', '"a \\"b\\", c"', '"7"']
    """
    if PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    shows = escape(text) == text and "##" not in text
    return escape_in_json(json.dumps(text, ensure_ascii=not shows))
