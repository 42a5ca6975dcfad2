"""The one file at fault, where several are read as one table."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from glob import has_magic

import polars as pl

from biaspipe.errors import DataError
from biaspipe.sources.columns import Named, refuse_other_columns
from biaspipe.sources.files import Files, is_csv
from biaspipe.sources.nested import is_nested
from biaspipe.sources.scan import lines_of, reading, scan
from biaspipe.sources.uris import is_folder
from biaspipe.spec import Csv, Source

__all__ = ["refuse_culprit", "refuse_differing", "refuse_lacking"]


def refuse_culprit(sources: Sequence[tuple[Source, Files]]) -> None:
    """Refuse a file that cannot be read by itself, or not after the first one of its table.

    Parameters
    ----------
    sources : the tables of an audit, of which one could not be read.

    Raises
    ------
    DataError
        With the file, and the column where one differs; none if every file is as it should be.
    """
    sources = [(source, files) for source, files in sources if not is_nested(source, files)]
    singles = [(source, one) for source, files in sources for one in files.singles]
    for source, single in singles if len(singles) > 1 else ():
        _read_through(single, source.csv)
    for source, files in sources:
        _refuse_others(files, source.csv)


def refuse_differing(files: Files, csv: Csv) -> None:
    """Refuse files that hold other columns than the first, before any row of them is counted.

    Parameters
    ----------
    files : the files of one table.
    csv : how text tables are written.

    Raises
    ------
    DataError
        With the file and the column; a line of JSON may leave a column out.
    """
    first, *others = files.singles
    expected = _columns(first, csv) if others else {}
    for other in others:
        found = _columns(other, csv)
        if files.format in ("ndjson", "jsonl"):
            found = {
                name: found[name] if name in found and not _fits(found[name], held) else held
                for name, held in expected.items()
            }
        _refuse_columns(files, (first.name, expected), (other.name, found))


def refuse_lacking(files: Files, csv: Csv, needed: Collection[str]) -> None:
    """Refuse a file of JSON no line of which has a key that another file of its table has.

    Parameters
    ----------
    files : the files of one table.
    csv : how text tables are written.
    needed : the columns that the audit reads.

    Raises
    ------
    DataError
        With the file and the column; single lines may leave a key out.
    """
    singles = _singles(files) if files.format in ("ndjson", "jsonl") else []
    known = {one.name: _names(one, csv) for one in singles} if len(singles) > 1 else {}
    everywhere = set().union(*known.values())
    for one in singles if known else ():
        lacking = sorted(everywhere.intersection(needed).difference(known[one.name]))
        if lacking and (lacking := [n for n in lacking if n not in _columns(one, csv)]):
            has = next(name for name, names in known.items() if lacking[0] in names)
            words = f"{one.name}: no line has the key {lacking[0]!r}, which {has} has"
            raise DataError(words, hint="the files of one table hold the same columns")


def _singles(files: Files) -> list[Files]:
    """Return each file as a table of its own; those that a remote glob or folder stands for too."""
    if not any(is_folder(uri) or has_magic(uri) for uri in files.real if files.remote):
        return list(files.singles)
    found = dict.fromkeys(name for name, _ in lines_of(files))
    return [replace(files, real=(name,), written=(name,)) for name in found]


def _names(one: Files, csv: Csv) -> list[str]:
    with reading(one.name):
        return scan(one, csv).collect_schema().names()


def _fits(found: str, held: str) -> bool:
    """Whether values of one type in JSON are values of another, too."""
    return found == "Null" or (found, held) == ("Int64", "Float64")


def _refuse_columns(files: Files, first: Named, other: Named) -> None:
    exact = is_csv(files) or files.format in ("arrow", "ipc")
    refuse_other_columns(first, other, more=not exact, ordered=is_csv(files))


def _read_through(files: Files, csv: Csv) -> None:
    """Read files from their first to their last value, to see whether that can be done."""
    with reading(files.name):
        frame = scan(files, csv, as_text=True)
        frame.select(pl.all().null_count()).collect(engine="streaming")


def _refuse_others(files: Files, csv: Csv) -> None:
    """Refuse a file that cannot be read after the first one, for the columns that it holds."""
    first, *others = files.singles
    expected = _columns(first, csv) if others else {}
    for other in others:
        found = _columns(other, csv)
        if list(found.items()) == list(expected.items()):
            continue
        both = first.real + other.real, first.written + other.written
        try:
            _read_through(replace(files, real=both[0], written=both[1]), csv)
        except DataError:
            _refuse_columns(files, (first.name, expected), (other.name, found))
            raise


def _columns(single: Files, csv: Csv) -> dict[str, str]:
    with reading(single.name):
        schema = scan(single, csv, as_text=True).collect_schema()
    return {name: str(dtype) for name, dtype in schema.items()}
