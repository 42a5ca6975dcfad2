"""Tables that only the engine reaches: what their URIs may hold, and in words what went wrong."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from biaspipe.errors import DataError, StoreError, first_line
from biaspipe.secrets import secret_parameters

__all__ = [
    "file_name",
    "hidden_in",
    "is_folder",
    "is_remote",
    "overlap",
    "reach",
    "refuse_secrets",
    "refuse_silent",
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
    if any(map(is_remote, paths)):
        return {"glob": True, "storage_options": {"read_timeout": f"{PATIENCE} seconds"}}
    return {"glob": False}


def refuse_silent(paths: Sequence[str]) -> None:
    """Refuse files on web servers that do not answer, for which polars would wait for ever.

    Parameters
    ----------
    paths : of the files of a table, on this machine or not.

    Raises
    ------
    DataError
        With the server; any answer is good, since polars says better what is wrong with it.
    """
    for uri in dict.fromkeys(path for path in paths if path.startswith(("http://", "https://"))):
        if _is_silent(uri):
            raise StoreError(f"{uri}: {urlsplit(uri).netloc} does not answer")


def _is_silent(uri: str) -> bool:
    from http.client import HTTPException  # noqa: PLC0415 - only web servers need it
    from urllib.request import Request, urlopen  # noqa: PLC0415 - as above

    try:
        urlopen(Request(uri, method="HEAD"), timeout=PATIENCE).close()  # noqa: S310 - http or https
    except (OSError, HTTPException, ValueError) as error:
        return isinstance(getattr(error, "reason", error), TimeoutError)
    return False


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
