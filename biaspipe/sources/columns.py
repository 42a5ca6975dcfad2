"""The columns of the files of one table: the same in all of them, or the one at fault is named."""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from glob import has_magic

import polars as pl

from biaspipe.errors import DataError
from biaspipe.printable_text import list_values
from biaspipe.sources.files import TableFiles
from biaspipe.sources.nested_json import present_columns
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.scan import scan, text_lines
from biaspipe.sources.uris import is_folder

__all__ = [
    "refuse_case_duplicates",
    "refuse_different_columns",
    "refuse_faulty_file",
    "refuse_missing_columns",
    "refuse_other_types",
]

FileColumns = tuple[str, Mapping[str, str]]
"""A file's name, and what each of its columns holds, in their order."""

HINT = "the files of one table hold the same columns, of the same types"


def _refuse_other_columns(
    first: FileColumns, other: FileColumns, *, more: bool = True, ordered: bool = False
) -> None:
    """Refuse a file that lacks a column of the first one, or holds other values in it.

    The other may have columns that the first one lacks if there may be `more` of them; the order
    matters if they are `ordered`, as in text tables.
    """
    for fault in _faults(first, other, more=more, ordered=ordered):
        raise DataError(f"{other[0]}: {fault}", hint=HINT)


def _faults(first: FileColumns, other: FileColumns, *, more: bool, ordered: bool) -> Iterator[str]:
    (name, expected), (_, found) = first, other
    for column, held in expected.items():
        if column not in found:
            yield f"there is no column {column!r}, which {name} has"
        elif found[column] != held:
            yield f"column {column!r} holds {found[column]}, and {held} in {name}"
    for column in found:
        if column not in expected and not more:
            yield f"there is a column {column!r}, which {name} lacks"
    if ordered and list(found) != list(expected):
        yield f"the columns are {list_values(found)}, and {list_values(expected)} in {name}"


def refuse_other_types(
    name: str, first: Mapping[str, object], found: Mapping[str, object], where: str
) -> None:
    """Refuse a file whose columns an engine would read as those of the first one.

    Parameters
    ----------
    name : the file.
    first, found : what the columns of the first file hold, and those of this one.
    where : what messages call the first one.

    Raises
    ------
    DataError
        With the file and the column.
    """
    for column, dtype in first.items():
        if found.get(column) != dtype:
            words = f"{name}: column {column!r} holds {found.get(column)}, and {dtype} in {where}"
            raise DataError(words, hint=HINT)


def refuse_case_duplicates(
    tables: Sequence[tuple[str, Sequence[str]]],
    to: str,
    hint: str,
    fold: Callable[[str], Hashable] = str.lower,
) -> None:
    """Refuse columns that differ in case only, for an engine that does not tell them apart.

    Parameters
    ----------
    tables : what messages call them, and the columns of each.
    to : what messages call the engine.
    hint : the way out.
    fold : returns what makes two names one to the engine.

    Raises
    ------
    DataError
        With both columns.
    """
    known: dict[Hashable, str] = {}
    for name, columns in tables:
        for column in columns:
            if (other := known.setdefault(fold(column), column)) != column:
                words = f"{name}: {other!r} and {column!r} are one column to {to}"
                raise DataError(words, hint=hint)


def refuse_faulty_file(tables: Sequence[TableFiles]) -> None:
    """Refuse a file that cannot be read by itself, or not after the first one of its table.

    Parameters
    ----------
    tables : those of an audit, of which one could not be read.

    Raises
    ------
    DataError
        With the file, and the column where one differs; none if every file is as it should be.
    """
    plain = [files for files in tables if not files.is_nested]
    singles = [single for files in plain for single in files.singles]
    for single in singles if len(singles) > 1 else ():
        _read_through(single)
    for files in plain:
        _refuse_others(files)


def refuse_different_columns(files: TableFiles) -> None:
    """Refuse files that hold other columns than the first, before any row of them is counted.

    Parameters
    ----------
    files : the files of one table.

    Raises
    ------
    DataError
        With the file and the column; a line of JSON may leave a column out.
    """
    first, *others = files.singles
    expected = _columns(first) if others else {}
    for other in others:
        found = _columns(other)
        if files.format in ("ndjson", "jsonl"):
            found = {
                name: found[name] if name in found and not _fits(found[name], held) else held
                for name, held in expected.items()
            }
        _refuse_columns(files, (first.name, expected), (other.name, found))


def refuse_missing_columns(files: TableFiles, needed: Collection[str]) -> None:
    """Refuse a file of JSON no row of which has a column that another file of its table has.

    Parameters
    ----------
    files : the files of one table.
    needed : the columns that the audit reads.

    Raises
    ------
    DataError
        With the file and the column; single rows may leave a key out.
    """
    singles = _singles(files) if files.is_nested or files.format in ("ndjson", "jsonl") else []
    columns = present_columns if files.is_nested else _needed_names
    known = {one.name: columns(one, needed) for one in singles} if len(singles) > 1 else {}
    everywhere = set().union(*known.values())
    for one in singles if known else ():
        lacking = sorted(everywhere - known[one.name])
        if lacking and not files.is_nested:
            lacking = [name for name in lacking if name not in _columns(one)]
        if lacking:
            has = next(name for name, names in known.items() if lacking[0] in names)
            column = repr((files.source.fields or {}).get(lacking[0], lacking[0]))
            what = f"no row has {column}" if files.is_nested else f"no line has the key {column}"
            hint = "the files of one table hold the same columns"
            raise DataError(f"{one.name}: {what}, which {has} has", hint=hint)


def _needed_names(one: TableFiles, needed: Collection[str]) -> set[str]:
    with translate_errors(one.name):
        return set(scan(one).collect_schema().names()) & set(needed)


def _singles(files: TableFiles) -> list[TableFiles]:
    """Return each file as a table of its own; those that a remote glob or folder stands for too."""
    if not any(is_folder(uri) or has_magic(uri) for uri in files.real if files.remote):
        return list(files.singles)
    found = dict.fromkeys(name for name, _ in text_lines(files))
    return [files._replace(real=(name,), written=(name,)) for name in found]


def _fits(found: str, held: str) -> bool:
    """Whether values of one type in JSON are values of another, too."""
    return found == "Null" or (found, held) == ("Int64", "Float64")


def _refuse_columns(files: TableFiles, first: FileColumns, other: FileColumns) -> None:
    exact = files.is_csv or files.format in ("arrow", "ipc")
    _refuse_other_columns(first, other, more=not exact, ordered=files.is_csv)


def _read_through(files: TableFiles) -> None:
    """Read files from their first to their last value, to see whether that can be done."""
    with translate_errors(files.name):
        frame = scan(files, as_text=True)
        frame.select(pl.all().null_count()).collect(engine="streaming")


def _refuse_others(files: TableFiles) -> None:
    """Refuse a file that cannot be read after the first one, for the columns that it holds."""
    first, *others = files.singles
    expected = _columns(first) if others else {}
    for other in others:
        found = _columns(other)
        if list(found.items()) == list(expected.items()):
            continue
        both = first.real + other.real, first.written + other.written
        try:
            _read_through(files._replace(real=both[0], written=both[1]))
        except DataError:
            _refuse_columns(files, (first.name, expected), (other.name, found))
            raise


def _columns(single: TableFiles) -> dict[str, str]:
    with translate_errors(single.name):
        schema = scan(single, as_text=True).collect_schema()
    return {name: str(dtype) for name, dtype in schema.items()}
