"""Paths as Spark takes them, none of which it passes over."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from biaspipe.errors import DataError, Fault, SpecError, shown
from biaspipe.policy import Policy, refused
from biaspipe.sources.files import TableFiles

__all__ = ["escaped", "refuse_other_stores", "refuse_passed_over", "uri_of"]

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
            words = f"Spark is not given {shown(uri)}: it is no plain URI"
            raise SpecError([Fault(words, LOC, hint="such as s3a://bucket/people.parquet")])
        if scheme not in STORES and policy.schemes is None:
            words = f"{scheme}:// is none of the schemes by which specs may have Spark read"
            raise refused(policy, words, LOC, f"schemes: [{scheme}]")


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
    return "file://" + escaped(str(Path(path).absolute()))


def escaped(path: str) -> str:
    r"""Return a path whose signs stand for themselves, and for no other files.

    >>> print(escaped("/data/part[1].parquet"))
    /data/part\[1\].parquet
    """
    return "".join(f"\\{sign}" if sign in "\\*?[]{}" else sign for sign in path)
