"""How DuckDB reaches files in the cloud: by its own extension, else by the libraries of fsspec."""

import os
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from biaspipe.errors import UsageError
from biaspipe.extras import import_extra
from biaspipe.sources.quoting import literal

__all__ = ["reach"]

LIBRARIES = {
    "s3": "s3fs",
    "s3a": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "az": "adlfs",
    "abfs": "adlfs",
    "abfss": "adlfs",
    "hf": "huggingface_hub",
}
"""The library that reads the files of a scheme, where DuckDB's own extension is not installed."""
SECRETS = {
    "KEY_ID": "AWS_ACCESS_KEY_ID",
    "SECRET": "AWS_SECRET_ACCESS_KEY",
    "SESSION_TOKEN": "AWS_SESSION_TOKEN",
    "REGION": "AWS_REGION",
}
"""The parts of a key in DuckDB's words, and the variables that hold them."""


def reach(connection: Any, uris: Iterable[str]) -> None:
    """Make files in the cloud readable; credentials come from the environment.

    Nothing is downloaded for it.

    Parameters
    ----------
    connection : DuckDB's.
    uris : where the files are.

    Raises
    ------
    UsageError
        If a library is not installed, with the command that installs it.
    """
    duckdb = import_extra("duckdb", "duckdb")
    try:
        connection.execute("LOAD httpfs")
    except duckdb.Error:
        for scheme in sorted({uri.partition("://")[0] for uri in uris}):
            _register(connection, scheme)
    else:
        connection.execute(f"CREATE OR REPLACE SECRET (TYPE s3, PROVIDER config{_secret()})")


def _register(connection: Any, scheme: str) -> None:
    library = LIBRARIES.get(scheme)
    if library is None or not find_spec("fsspec") or not find_spec(library):
        how = f"pip install fsspec {library}, or " if library else ""
        words = f"DuckDB cannot read {scheme}:// without its extension httpfs"
        raise UsageError(words, hint=f"{how}count with engine: polars")
    filesystem = import_extra("fsspec", "duckdb").filesystem
    connection.register_filesystem(filesystem(scheme, **(_s3() if library == "s3fs" else {})))


def _s3() -> dict[str, Any]:
    """Return the options that s3fs does not take from the environment by itself."""
    client = {"endpoint_url": "AWS_ENDPOINT_URL", "region_name": "AWS_REGION"}
    return {
        "anon": _is_anonymous(),
        "client_kwargs": {key: os.environ[n] for key, n in client.items() if n in os.environ},
        "config_kwargs": {"connect_timeout": 5, "read_timeout": 60, "retries": {"max_attempts": 2}},
        "use_listings_cache": False,
        "skip_instance_cache": True,
    }


def _secret() -> str:
    """Return the options of the secret that DuckDB's extension signs with."""
    found = {key: os.environ.get(name) for key, name in SECRETS.items()}
    if _is_anonymous():
        found = {"REGION": found["REGION"]}
    protocol, _, host = os.environ.get("AWS_ENDPOINT_URL", "").partition("://")
    parts = [f"{key} {literal(value)}" for key, value in found.items() if value]
    if host:
        parts += [f"ENDPOINT {literal(host)}", "URL_STYLE 'path'", f"USE_SSL {protocol != 'http'}"]
    return "".join(f", {part}" for part in parts)


def _is_anonymous() -> bool:
    return os.environ.get("AWS_SKIP_SIGNATURE", "").lower() in ("true", "1")
