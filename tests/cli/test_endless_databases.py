"""Database files whose views never end: the time that is allowed, and signals, end the audit."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import product
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import duckdb
import pytest

from tests.cli.calls import USUAL, environment
from tests.examples import some

COLUMNS = "CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, 1 AS label, 1 AS prediction"
NUMBERS = "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t)"
ENDLESS = {
    "duckdb": f"SELECT {COLUMNS} FROM range(1000000000000) t(i)",  # noqa: S608 - made of literals
    "sqlite": f"{NUMBERS} SELECT {COLUMNS} FROM t",  # noqa: S608 - made of literals
    "sqlite without a first row": f"{NUMBERS} SELECT max(i) AS sex, 1 AS label, 1 AS prediction"  # noqa: S608 - made of literals
    " FROM t",
}
"""Views; the last one keeps whoever asks for its types."""
ENDS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
"""Signals, and how a run ends by them."""
CONNECT: dict[str, Callable[[str], Any]] = {"duckdb": duckdb.connect, "sqlite": sqlite3.connect}
PROMPT = 10
"""Seconds in which a process has to end that is told to."""
UNTOLD = 2
"""Seconds after which a process reads its database, where the system does not tell."""


@contextmanager
def started(kind: str, seconds: int) -> Iterator[subprocess.Popen[str]]:
    """Start the audit of an endless view in the current folder; it is killed with the block."""
    scheme = kind.split(maxsplit=1)[0]
    with closing(CONNECT[scheme](f"d.{scheme}")) as connection:
        connection.execute(f"CREATE VIEW endless AS {ENDLESS[kind]}")
    data = {"table": "endless", "connection": f"{scheme}://d.{scheme}"}
    Path("audit.yaml").write_text(json.dumps({**USUAL, "name": "audit", "data": data}), "utf-8")
    Path("policy.yaml").write_text(f"version: 1\nlimits: {{seconds: {seconds}}}\n", "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "biaspipe", "run", "audit.yaml", "--policy", "policy.yaml"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_query(process: subprocess.Popen[str]) -> None:
    """Wait until a process has had its database open for half a second."""
    files = Path(f"/proc/{process.pid}/fd")
    until = monotonic() + (60 if files.is_dir() else UNTOLD)
    while monotonic() < until and not any(is_database(file) for file in files.glob("*")):
        sleep(0.02)
    sleep(0.5)


def is_database(descriptor: Path) -> bool:
    """Tell whether a descriptor of a process is that of its database."""
    with suppress(OSError):  # it may be closed by now
        return descriptor.readlink().name.startswith("d.")
    return False


@pytest.mark.parametrize("kind", ENDLESS)
def test_limit_ends_an_endless_query(kind: str) -> None:
    """A query of a file ends soon after the seconds that it may take, with the limit's words."""
    began = monotonic()
    with started(kind, seconds=1) as process:
        _, err = process.communicate(timeout=60)
    assert monotonic() - began < 1 + PROMPT
    assert process.returncode == 3
    assert err.startswith("error: the audit takes longer than 1 second (limits: seconds)\n")
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "kind"), some(product(ENDS, ENDLESS)))
def test_signal_ends_an_endless_query(number: signal.Signals, kind: str) -> None:
    """A signal ends a query of a file at once, and nothing else is said."""
    with started(kind, seconds=60) as process:
        wait_for_query(process)
        assert process.poll() is None
        began = monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert monotonic() - began < PROMPT
    assert (process.returncode, err.strip()) == ENDS[number]
