"""The errors of polars in words that name the table and the way out."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import polars as pl

from biaspipe.errors import DataError, StoreError, TypesChangedError
from biaspipe.printable_text import first_line
from biaspipe.sources.lines import not_utf8
from biaspipe.sources.uris import FAMILIES, is_remote

__all__ = ["translate_errors"]

TYPE_ERRORS = ("could not parse", "cannot parse", "NULL-typed", "conversion from")
"""What polars says of a value that does not fit the type of its column."""
CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_SKIP_SIGNATURE=true for public data",
    "gs": "GOOGLE_SERVICE_ACCOUNT; GOOGLE_SKIP_SIGNATURE=true for public data",
    "az": "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY; AZURE_SKIP_SIGNATURE=true"
    " for public data",
    "hf": "HF_TOKEN",
}
HINTS = {
    "region": "AWS_REGION in the environment names it",
    "folder": "a folder ends in '/'; a glob has a '*'",
    "one format": "a glob such as folder/**/*.parquet leaves the others out",
    "known": "s3, gs, az, abfss, hf, http and https are known",
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


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Raise what polars says of faulty data as a DataError that names the table.

    Parameters
    ----------
    name : what messages call the table.
    """
    try:
        yield
    except pl.exceptions.NoDataError:
        raise DataError(f"{name}: the file is empty") from None
    except pl.exceptions.PolarsError as error:
        raise _explained(name, str(error)) from None
    except pl.exceptions.PanicException as error:
        raise DataError(f"{name}: polars breaks down: {first_line(error)}") from None
    except OSError as error:
        words = f"{name}: {error.strerror or first_line(error)}"
        raise _store_error(name, str(error)) or DataError(words) from None


def _explained(name: str, message: str) -> DataError:
    if fault := _store_error(name, message):
        return fault
    if any(words in message for words in TYPE_ERRORS):
        return TypesChangedError(f"{name}: {first_line(message)}")
    if "invalid utf8" in message.lower().replace("utf-8", "utf8"):
        return not_utf8(name)
    if "more fields than defined" in message:
        hint = 'check the separator and the quotes; csv: {separator: ";"} sets another one'
        return DataError(f"{name}: a line has more fields than the header", hint=hint)
    return DataError(f"{name}: cannot be read: {first_line(message)}")


def _store_error(name: str, message: str) -> StoreError | None:
    """Return the error of a store that could not be read; None where something else went wrong.

    >>> print(_store_error("s3://b/x.csv", "Server returned non-2xx status code: 503 Slow Down: "))
    s3://b/x.csv: the store answers 503 Slow Down
    """
    if not is_remote(name):
        return None
    path = re.search(r"\(path: (\w+://[^/)]+/[^)]+)\)", message)
    named = path[1] if path else name
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
