"""Paths as Spark takes them, none of which it passes over."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from biaspipe.engines.files import Files
from biaspipe.errors import DataError

__all__ = ["escaped", "refuse_passed_over", "uri_of"]


def refuse_passed_over(frame: Any, files: Files) -> None:
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
    return "file://" + escaped(str(Path(path).absolute()))


def escaped(path: str) -> str:
    r"""Return a path whose signs stand for themselves, and for no other files.

    >>> print(escaped("/data/part[1].parquet"))
    /data/part\[1\].parquet
    """
    return "".join(f"\\{sign}" if sign in "\\*?[]{}" else sign for sign in path)
