"""Data that a command line gives in place of a spec's: where it is, and what a result calls it."""

import os
from glob import has_magic
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from biaspipe.errors import UsageError
from biaspipe.spec import Data, Format

__all__ = ["GivenData", "data_instead", "result_name"]

PLACES = ("path", "table", "connection")
"""The keys of `data` that say where it is."""
ALIKE = ({"ndjson", "jsonl"}, {"arrow", "ipc"})
"""Formats that are one by two names."""
LINES: tuple[Format, ...] = ("csv", "tsv")
OF_JSON: tuple[Format, ...] = ("json", "ndjson", "jsonl")


class GivenData(NamedTuple):
    """Data in place of that of a spec.

    Parameters
    ----------
    place : a path relative to the spec's folder or an absolute one, or a URI.
    name : what a result calls it, wherever it is.
    format : what its ending tells; None where it tells nothing.
    """

    place: str
    name: str
    format: Format | None = None

    @classmethod
    def of(cls, path: str, folder: Path, form: Format | None) -> "GivenData":
        """Return data that a command line names.

        Parameters
        ----------
        path : a file, glob, folder or URI, relative to the current folder.
        folder : that of the spec.
        form : the format that its ending tells, if it tells one.

        Raises
        ------
        UsageError
            If the path is no text, or could be taken for one with a parameter.
        """
        faults = {
            "names no data": not path.strip(),
            "'${' begins a parameter in a spec": "${" in path,
            "the name is not UTF-8": not _is_text(path),
        }
        for words in (words for words, is_so in faults.items() if is_so):
            raise UsageError(f"--data {path!r}: {words}", hint="--data takes a path or a URI")
        place = _place(path, folder)
        return cls(place, result_name(place), form)

    def named(self, written: str) -> str:
        """Return what a result calls one of its files.

        Parameters
        ----------
        written : the file's path, which begins as the data's place does.
        """
        return written.removeprefix(self.place[: len(self.place) - len(self.name)])


def _is_text(name: str) -> bool:
    r"""Whether a name of a file is in UTF-8, as every name in a report has to be.

    >>> _is_text("märz.csv"), _is_text("m\udce4rz.csv")
    (True, False)
    """
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


def result_name(place: str) -> str:
    """Return what a result calls data: its last name, or a whole URI, so that no folder is told.

    Parameters
    ----------
    place : where the data is.

    >>> [result_name(p) for p in ("/srv/new.csv", "../2026/*/a.csv", "s3://bucket/new.csv")]
    ['new.csv', '*/a.csv', 's3://bucket/new.csv']
    """
    if "://" in place:
        return place
    parts = place.split("/")
    first = next((i for i, part in enumerate(parts) if has_magic(part)), len(parts) - 1)
    return "/".join(parts[first:])


def _place(path: str, folder: Path) -> str:
    """Return where data is, relative to a spec's folder unless it is absolute or a URI."""
    if path.lower().startswith("file://") and urlsplit(path).netloc.lower() in ("", "localhost"):
        path = unquote(urlsplit(path).path)
    if "://" in path:
        return path
    if Path(path).is_absolute():
        return Path(os.path.normpath(path)).as_posix()
    here = Path(os.path.realpath(".")) / path
    try:
        place = os.path.relpath(here, os.path.realpath(folder))
    except ValueError:  # another drive of Windows
        return here.as_posix()
    return Path(place).as_posix()


def data_instead(data: Data, given: GivenData) -> dict[str, Any]:
    """Return what a spec says of its data, of other data: all that fits its format.

    Parameters
    ----------
    data : as the spec says it.
    given : what is read instead.
    """
    said = data.model_fields_set - {*PLACES, *_unfit(data, given.format)}
    return {"path": given.place} | {key: getattr(data, key) for key in sorted(said)}


def _unfit(data: Data, form: Format | None) -> set[str]:
    """Return the keys that say how files of another format are read."""
    if form is None:
        return set()
    is_same = data.format == form or {data.format, form} in ALIKE
    left = set() if is_same else {"format"}
    left |= set() if form in LINES else {"csv"}
    return left | (set() if form in OF_JSON else {"fields", "records"})
