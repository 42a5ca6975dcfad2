"""Databases that are files, opened so that what a stranger put into them reads nothing else."""

import re
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from biaspipe.engines.duckdb.backend import UNTRUSTED
from biaspipe.policy import real_path
from biaspipe.sources.extras import import_extra
from biaspipe.sources.quoting import identifier, literal

__all__ = ["opened"]

DUCKDB = {
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "disabled_optimizers": UNTRUSTED,
}
SEALED = ("SET enable_external_access = false", "SET lock_configuration = true")
"""From here on no view reads a file, and nothing takes that back."""
OWN = ("information_schema", "main", "memory", "pg_catalog", "system", "temp")
"""What DuckDB calls databases of its own."""
SQLITE = ("PRAGMA trusted_schema = OFF", "PRAGMA query_only = ON")
"""Views call no functions of this process, and nothing is written."""


def opened(scheme: str, path: str) -> Any:
    """Return the connection of Ibis to a file, which can only read that file.

    Parameters
    ----------
    scheme : duckdb or sqlite.
    path : of the file, which is there.
    """
    real = real_path(Path(path))
    return _duckdb(real) if scheme == "duckdb" else _sqlite(real)


def _duckdb(path: Path) -> Any:
    duckdb = import_extra("duckdb", "duckdb")
    with ExitStack() as failing:
        connection = failing.enter_context(duckdb.connect(config=DUCKDB))
        with suppress(duckdb.Error):  # zones need its extension icu
            connection.execute("LOAD icu")
        name = identifier(f"{path.stem}_file" if path.stem.lower() in OWN else path.stem)
        connection.execute(f"ATTACH {literal(str(path))} AS {name} (READ_ONLY, TYPE duckdb)")
        connection.execute(f"USE {name}")
        backend = import_extra("ibis", "postgres").duckdb.from_connection(connection)
        for statement in SEALED:
            connection.execute(statement)
        failing.pop_all()
    return backend


def _sqlite(path: Path) -> Any:
    uri = f"{path.as_uri()}?mode=ro"
    with ExitStack() as failing:
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)  # one at a time
        failing.enter_context(closing(connection))
        backend = import_extra("ibis", "postgres").sqlite.from_connection(connection)
        connection.create_function("_ibis_regex_search", 2, _is_like, deterministic=True)
        for statement in SQLITE:
            connection.execute(statement).close()
        failing.pop_all()
    return backend


def _is_like(text: str | None, expression: str) -> bool | None:
    """Whether a text is like a pattern; each part is met where it first can be, and nowhere else.

    Python's own search would try every other place too, which may take for ever.
    """
    begin, *middle = expression.split(".*")
    parts = [f"(?>.*?{part})" for part in middle[:-1]] + [f".*{part}" for part in middle[-1:]]
    return None if text is None else re.search(begin + "".join(parts), text) is not None
