"""Tables that only the engine reaches: what their URIs may hold, and in words what went wrong."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote, urlsplit

from biaspipe.errors import DataError, Fault, Loc, SpecError, StoreError, first_line, shown
from biaspipe.secrets import secret_parameters

__all__ = [
    "file_name",
    "hidden_in",
    "is_folder",
    "is_remote",
    "overlap",
    "reach",
    "refuse_secrets",
    "refuse_unclear",
    "unread",
]

PATIENCE = 60
"""Seconds that a store may be silent; what polars does by itself has no end."""

CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_SKIP_SIGNATURE=true for public data",
    "gs": "GOOGLE_SERVICE_ACCOUNT; GOOGLE_SKIP_SIGNATURE=true for public data",
    "az": "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY; AZURE_SKIP_SIGNATURE=true"
    " for public data",
    "hf": "HF_TOKEN",
}
FAMILIES = {"s3a": "s3", "gcs": "gs", "azure": "az", "adl": "az", "abfs": "az", "abfss": "az"}
KNOWN = "s3, gs, az, abfss, hf, http and https are known"

BUCKET = re.compile(r"[\w.-]+", re.ASCII)
WEB = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII | re.I)
AZURE = re.compile(r"[\w$-]+(@[\w-]+\.(dfs|blob)\.core\.windows\.net)?", re.ASCII)
PLACES = {"http": WEB, "https": WEB, "az": AZURE}
"""What stands between :// and the next slash; a bucket where a scheme has no form of its own."""
QUERY = re.compile(r"[?&;#][\w.+-]*=", re.ASCII)
"""How parameters begin, by which DuckDB would take another endpoint, or other keys."""

HINTS = {
    "region": "AWS_REGION in the environment names it",
    "folder": "a folder ends in '/'; a glob has a '*'",
    "one format": "a glob such as folder/**/*.parquet leaves the others out",
    "known": KNOWN,
}

FAULTS: Sequence[tuple[str, str, str | None]] = (
    (r"169\.254\.169\.254|metadata\.google\.internal", "no credentials were found", "credentials"),
    (r"NoSuchBucket|ContainerNotFound", "there is no such bucket", None),
    (r"SignatureDoesNotMatch", "the store refuses the secret key", "credentials"),
    (r"InvalidAccessKeyId", "the store does not know the access key", "credentials"),
    (r"ExpiredToken|RequestExpired", "the credentials have expired", "credentials"),
    (r"40[13] (Unauthorized|Forbidden)|lacked the necessary", "access is denied", "credentials"),
    (r"404 Not Found|NoSuchKey", "there is no such file", "folder"),
    (r"without LOCATION|PermanentRedirect", "the bucket is in another region", "region"),
    (r"Connection refused", "{host} refuses the connection", None),
    (r"dns error|failed to lookup|name resolution", "the host {host} is not known", None),
    (r"timed out|TimedOut", "{host} does not answer", None),
    (r"error sending request|connection closed|[Cc]onnection reset|error decoding response",
     "the connection to {host} failed", None),
    (r"expanded paths were empty", "no file matches", None),
    (r"different file extensions", "the folder holds files of several kinds", "one format"),
    (r"^No such file or directory", "polars does not know such URIs", "known"),
    (r"non-2xx status code: (?P<status>\d{3} [A-Z][A-Za-z ]+)", "the store answers {status}", None),
)  # fmt: skip
"""What polars says where a store cannot be read, the words for it, and the hint."""


def is_remote(path: str) -> bool:
    """Whether a path is a URI, which goes to the engine untouched.

    >>> is_remote("s3://bucket/decisions.parquet"), is_remote("data/decisions.parquet")
    (True, False)
    """
    return "://" in path


def is_folder(path: str) -> bool:
    """Whether a URI names everything below it.

    >>> is_folder("s3://bucket/2026/"), is_folder("s3://bucket/2026.parquet")
    (True, False)
    """
    return is_remote(path) and path.endswith("/")


def file_name(path: str) -> str:
    """Return what of a path tells the format: a URI without its query.

    >>> file_name("https://example.org/decisions.csv?download=1")
    'https://example.org/decisions.csv'
    """
    return re.split(r"[?#]", path, maxsplit=1)[0] if path.startswith("http") else path


def reach(paths: Sequence[str]) -> dict[str, Any]:
    """Return how polars gets at the files of a table: where it finds globs, and its patience.

    Parameters
    ----------
    paths : of the files, all remote or none.
    """
    if not any(map(is_remote, paths)):
        return {"glob": False}
    if any(path.startswith("hf://") for path in paths):  # of which polars knows the token only
        return {"glob": True}
    return {"glob": True, "storage_options": {"read_timeout": f"{PATIENCE} seconds"}}


def hidden_in(paths: Sequence[str]) -> tuple[str, ...] | None:
    """Return what the names of files begin with that polars passes over in remote folders.

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


def refuse_unclear(uri: str, loc: Loc) -> None:
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
        words = f"{shown(scheme)}:// is no scheme, which is written in small letters"
        raise SpecError([Fault(words, loc)])
    form = PLACES.get(FAMILIES.get(scheme, scheme), BUCKET)
    if not form.fullmatch(place):
        what = "host and port" if scheme.startswith("http") else "bucket"
        words = f"{shown(place)!r} is no {what} that can stand in a URI of {scheme}://"
        hint = "servers other than the usual ones are named by the environment, not by a spec"
        raise SpecError([Fault(words, loc, hint=hint)])
    if not scheme.startswith("http") and (query := QUERY.search(unquote(rest))):
        words = f"{shown(query[0])}... in the URI sets up the store, which a spec may not"
        raise SpecError([Fault(words, loc, hint="the environment does: see docs/cloud.md")])


def overlap(paths: Sequence[str]) -> tuple[str, str] | None:
    """Return two URIs of which one, a glob or a folder, stands for what the other names too.

    >>> overlap(["s3://b/part-*.parquet", "s3://b/part-0.parquet"])
    ('s3://b/part-*.parquet', 's3://b/part-0.parquet')
    >>> overlap(["s3://b/2026-07/*.parquet", "s3://b/2026-08/*.parquet"])
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


def unread(name: str, message: str) -> StoreError | None:
    """Say in words why a store could not be read; None where that is not what went wrong.

    Parameters
    ----------
    name : what messages call the table; nothing is said of a table on this machine.
    message : what polars says.

    >>> print(unread("s3://b/x.csv", "Server returned non-2xx status code: 503 Slow Down: "))
    s3://b/x.csv: the store answers 503 Slow Down
    """
    if not is_remote(name):
        return None
    culprit = re.search(r"\(path: (\w+://[^/)]+/[^)]+)\)", message)
    named = culprit[1] if culprit else name
    host = re.search(r"https?://(?:[^/@\s]*@)?([^/?\s)]+)", message)
    for pattern, words, hint in FAULTS:
        if found := re.search(pattern, message):
            said = words.format(host=host[1] if host else "the store", **found.groupdict())
            return StoreError(f"{named}: {said}", hint=_hint(hint, name))
    first = re.sub(r"\?\S*", "", first_line(message))
    return StoreError(f"{named}: cannot be read: {first}") if "object-store" in message else None


def _hint(about: str | None, name: str) -> str | None:
    scheme = name.split("://", 1)[0]
    if about == "folder" and scheme.startswith("http"):
        return None
    if about != "credentials":
        return HINTS[about] if about else None
    variables = CREDENTIALS.get(FAMILIES.get(scheme, scheme))
    return f"polars takes them from the environment: {variables}" if variables else None
