"""URIs of tables in stores and on web servers: what they name, and what they may hold."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote, urlsplit

from biaspipe.errors import DataError, Fault, Loc, SpecError
from biaspipe.printable_text import escape
from biaspipe.secrets import secret_parameters

__all__ = [
    "FAMILIES",
    "TIMEOUT",
    "WEB",
    "file_name",
    "hidden_prefixes",
    "is_folder",
    "is_remote",
    "is_web",
    "overlapping",
    "refuse_ambiguous",
    "refuse_secrets",
    "scan_options",
]

WEB = ("http://", "https://")
TIMEOUT = 60
"""Seconds that a store or server may be silent; polars by itself waits without end."""

FAMILIES = {"s3a": "s3", "gcs": "gs", "azure": "az", "adl": "az", "abfs": "az", "abfss": "az"}

BUCKET = re.compile(r"[\w.-]+", re.ASCII)
HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII | re.I)
AZURE = re.compile(r"[\w$-]+(@[\w-]+\.(dfs|blob)\.core\.windows\.net)?", re.ASCII)
PLACES = {"http": HOST, "https": HOST, "az": AZURE}
"""What stands between :// and the next slash; a bucket where a scheme has no form of its own."""
QUERY = re.compile(r"[?&;#][\w.+-]*=", re.ASCII)
"""How parameters begin, by which DuckDB would take another endpoint, or other keys."""


def is_remote(path: str) -> bool:
    """Whether a path is a URI, which goes to the engine untouched.

    >>> is_remote("s3://bucket/decisions.parquet"), is_remote("data/decisions.parquet")
    (True, False)
    """
    return "://" in path


def is_web(path: str) -> bool:
    """Whether a URI names a file of a web server, which is fetched before it is read.

    >>> is_web("https://example.org/decisions.csv"), is_web("s3://bucket/decisions.csv")
    (True, False)
    """
    return path.startswith(WEB)


def is_folder(path: str) -> bool:
    """Whether a URI names everything below it.

    >>> is_folder("s3://bucket/2026/"), is_folder("s3://bucket/2026.parquet")
    (True, False)
    """
    return is_remote(path) and path.endswith("/")


def file_name(path: str) -> str:
    """Return the part of a path that tells the format: a URI without its query.

    >>> file_name("https://example.org/decisions.csv?download=1")
    'https://example.org/decisions.csv'
    """
    return re.split(r"[?#]", path, maxsplit=1)[0] if path.startswith("http") else path


def scan_options(paths: Sequence[str]) -> dict[str, Any]:
    """Return how polars gets at the files of a table: where it finds globs, and its time limit.

    Parameters
    ----------
    paths : of the files, all remote or none.
    """
    if not any(map(is_remote, paths)):
        return {"glob": False}
    if any(path.startswith("hf://") for path in paths):  # of which polars knows the token only
        return {"glob": True}
    return {"glob": True, "storage_options": {"read_timeout": f"{TIMEOUT} seconds"}}


def hidden_prefixes(paths: Sequence[str]) -> tuple[str, ...] | None:
    """Return the beginnings of names that polars passes over in remote folders.

    Parameters
    ----------
    paths : of the files of a table.
    """
    return (".", "_") if all(map(is_folder, paths)) else None


def refuse_secrets(uri: str) -> None:
    """Refuse a URI that lets people in, since reports and messages show it.

    Parameters
    ----------
    uri : as the spec writes it.

    Raises
    ------
    DataError
        If it holds a password, a key, a token or a signature; the message does not show it.
    """
    try:
        parts = urlsplit(uri)
        is_open = parts.password is not None or (
            parts.scheme in ("http", "https") and parts.username
        )
    except ValueError:
        return
    names = [name for name, _ in secret_parameters(uri)]
    if is_open or names:
        what = f"{', '.join(names)} in its query" if names else "a name or password"
        raise DataError(
            f"the URI at {parts.hostname} holds {what}; credentials do not belong in a spec",
            hint="polars takes credentials from the environment",
        )


def refuse_ambiguous(uri: str, loc: Loc) -> None:
    """Refuse a URI that two readers could take for two places, or that sets up its own store.

    Parameters
    ----------
    uri : as the spec writes it.
    loc : where in the spec it stands.

    Raises
    ------
    SpecError
        With the part that is refused.
    """
    scheme, _, rest = uri.partition("://")
    place = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if not re.fullmatch(r"[a-z][a-z0-9+.-]*", scheme):
        words = f"{escape(scheme)}:// is no scheme, which is written in small letters"
        raise SpecError([Fault(words, loc)])
    form = PLACES.get(FAMILIES.get(scheme, scheme), BUCKET)
    if not form.fullmatch(place):
        what = "host and port" if scheme.startswith("http") else "bucket"
        words = f"{escape(place)!r} is no {what} that can stand in a URI of {scheme}://"
        hint = "servers other than the usual ones are named by the environment, not by a spec"
        raise SpecError([Fault(words, loc, hint=hint)])
    if not scheme.startswith("http") and (query := QUERY.search(unquote(rest))):
        words = f"{escape(query[0])}... in the URI sets up the store, which a spec may not"
        raise SpecError([Fault(words, loc, hint="the environment does: see docs/cloud.md")])


def overlapping(paths: Sequence[str]) -> tuple[str, str] | None:
    """Return two URIs of which one, a glob or a folder, stands for what the other names too.

    >>> overlapping(["s3://b/part-*.parquet", "s3://b/part-0.parquet"])
    ('s3://b/part-*.parquet', 's3://b/part-0.parquet')
    >>> overlapping(["s3://b/2026-07/*.parquet", "s3://b/2026-08/*.parquet"])
    """
    uris = [path for path in dict.fromkeys(paths) if is_remote(path)]
    pairs = ((wide, narrow) for wide in uris for narrow in uris if wide != narrow)
    return next(((w, n) for w, n in pairs if _stands_for(w, n)), None)


def _stands_for(wide: str, narrow: str) -> bool:
    if is_folder(wide):
        return narrow.startswith(wide)
    if wide.count("/") != narrow.count("/") and "**" not in wide:
        return False
    return fnmatchcase(narrow, wide.replace("**/", "*"))
