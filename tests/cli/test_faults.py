"""What may go wrong around a run: files that change, full disks, silent servers, interrupts."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines.backend import Backend
from biaspipe.engines.duckdb.backend import DuckdbBackend
from biaspipe.engines.polars import PolarsBackend
from biaspipe.sources import downloads, uris
from tests.cli.calls import ROWS, call, environment, write_audit

PROMPT = 10.0
"""Seconds within which an interrupted process ends on a busy machine; the calls take minutes."""

DEAF = """
import ctypes, sys
import polars
from biaspipe.cli import main

def deaf(*_, **__):
    print("counting", flush=True)
    ctypes.CDLL(None).sleep(600)

polars.collect_all = deaf
main()
"""
"""The command line with a polars that counts for ten minutes and hears no interrupt."""

ENDLESS = """
from biaspipe.cli import main
from biaspipe.engines.duckdb import backend as duckdb

interruptible = duckdb.interruptible

def endless(call, stop):
    print("counting", flush=True)
    query = "SELECT sum(a.range * b.range) FROM range(1000000000) a, range(1000000000) b"
    return interruptible(lambda: stop.__self__.sql(query).fetchall(), stop)

duckdb.interruptible = endless
main()
"""
"""The command line with a DuckDB that never comes to the end of a query."""


@dataclass(frozen=True)
class Signalled:
    """What a process came to that was sent a signal: its exit code, its errors, its seconds."""

    code: int
    err: str
    seconds: float


def signalled(
    words: Sequence[str],
    ready: Callable[[Any], object],
    number: int = signal.SIGINT,
    more: Mapping[str, str] | None = None,
) -> Signalled:
    """Send a process a signal once it is ready; it is killed where it does not end by that."""
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment(**more or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        ready(process)
        start = time.monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return Signalled(process.returncode, err, time.monotonic() - start)


def counting(process: Any) -> None:
    """Wait until a process says that it counts."""
    assert process.stdout.readline() == "counting\n"


@contextmanager
def silent_server() -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield the address of a server that accepts and never answers, and how to wait for a call."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(60)
        calls: list[socket.socket] = []
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        yield address, lambda _: calls.append(listening.accept()[0])
        for connection in calls:
            connection.close()


def store_at(address: str) -> dict[str, str]:
    """Return what in the environment leads to a store that needs no key."""
    words = {"AWS_ALLOW_HTTP": "true", "AWS_SKIP_SIGNATURE": "true"}
    return {"AWS_ENDPOINT_URL": f"http://{address}", **words}


@pytest.mark.parametrize(("script", "engine"), [(DEAF, "polars"), (ENDLESS, "duckdb")])
def test_interrupt_ends_a_count_that_hears_nothing(script: str, engine: str) -> None:
    """A library that counts on does not keep an interrupted run; it leaves nothing behind."""
    write_audit(engine=engine)
    ended = signalled(["-c", script, "run", "audit.yaml", "-o", "report.json"], counting)
    assert (ended.code, ended.err.strip()) == (130, "interrupted")
    assert ended.seconds < PROMPT
    assert sorted(path.name for path in Path().iterdir()) == ["audit.yaml", "data.csv"]


@pytest.mark.parametrize(
    "uri", ["s3://bucket/data.parquet", "s3://bucket/data.csv", "http://{}/x.csv"]
)
def test_interrupt_ends_the_wait_for_a_silent_server(uri: str) -> None:
    """A server that accepts and never answers does not keep an interrupted run."""
    with silent_server() as (address, called):
        write_audit(rows=None, data=uri.format(address))
        access = store_at(address)
        words = ["-m", "biaspipe", "run", "audit.yaml", "-o", "report.json"]
        ended = signalled(words, called, more=access)
    assert (ended.code, ended.err.strip()) == (130, "interrupted")
    assert ended.seconds < PROMPT
    assert [path.name for path in Path().iterdir()] == ["audit.yaml"]


def test_termination_leaves_nothing_behind() -> None:
    """A run that is told to end says so, and leaves no report or part of one."""
    write_audit()
    words = ["-c", DEAF, "run", "audit.yaml", "-o", "report.json"]
    ended = signalled(words, counting, signal.SIGTERM)
    assert (ended.code, ended.err.strip()) == (143, "terminated")
    assert sorted(path.name for path in Path().iterdir()) == ["audit.yaml", "data.csv"]


def test_silent_web_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A web server that does not answer in time is named, with exit 3."""
    monkeypatch.setattr(downloads, "TIMEOUT", 0.2)
    with silent_server() as (address, _):
        ended = call("run", write_audit(rows=None, data=f"http://{address}/data.csv"))
    assert ended.code == 3
    assert f"error: http://{address}/data.csv: {address} does not answer\n" in ended.err


def test_silent_store_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that does not answer in time is named, with exit 3."""
    monkeypatch.setattr(uris, "TIMEOUT", 1)
    with silent_server() as (address, _):
        path = write_audit(rows=None, data="s3://bucket/data.parquet")
        ended = call("run", path, **store_at(address), POLARS_CLOUD_MAX_RETRIES="0")
    assert ended.code == 3
    assert "error: s3://bucket/data.parquet: " in ended.err
    assert "does not answer" in ended.err


def test_duckdb_leaves_standard_error_empty() -> None:
    """A run with DuckDB that ends well prints its report and nothing else."""
    write_audit(engine="duckdb")
    words = [sys.executable, "-m", "biaspipe", "run", "audit.yaml"]
    done = subprocess.run(words, env=environment(), capture_output=True, check=True)
    assert done.stderr == b""


def cut(path: Path) -> None:
    """Take the second half of a file away."""
    os.truncate(path, path.stat().st_size // 2)


def replaced(path: Path) -> None:
    """Put another file in the place of one."""
    path.with_name("new").write_bytes(path.read_bytes() * 2)
    path.with_name("new").replace(path)


def grown(path: Path) -> None:
    """Write something more to the end of a file."""
    with path.open("ab") as file:
        file.write(b"m,1,1\n")


CHANGES = [cut, replaced, grown, Path.unlink]


@pytest.mark.parametrize("change", CHANGES, ids=["cut", "replaced", "grown", "gone"])
@pytest.mark.parametrize("engine", [PolarsBackend, DuckdbBackend])
@pytest.mark.parametrize("name", ["data.csv", "data.parquet", "data.arrow"])
def test_file_that_changes_under_the_count_is_refused(
    name: str,
    engine: type[Backend],
    change: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file that is cut, replaced, longer or gone when it is counted ends with 3 and its name."""
    write_table(name, people())
    word = "polars" if engine is PolarsBackend else "duckdb"
    path = write_audit(rows=None, data=name, engine=word)
    count = engine.run

    def changed(self: Any, queries: Any) -> Any:
        if Path(name).exists():
            change(Path(name))
        return count(self, queries)

    monkeypatch.setattr(engine, "run", changed)
    ended = call("run", path, "-o", "report.json")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith("error: ")
    assert name in ended.err
    assert not Path("report.json").exists()


def people() -> pl.DataFrame:
    """Return the usual rows."""
    return pl.read_csv(ROWS.encode())


def write_table(name: str, frame: pl.DataFrame) -> None:
    """Write a table in the format that its name tells."""
    ways: dict[str, Callable[[str], object]] = {
        ".csv": frame.write_csv,
        ".ndjson": frame.write_ndjson,
        ".parquet": frame.write_parquet,
        ".arrow": frame.write_ipc,
    }
    ways[Path(name).suffix](name)


def audit_of(names: list[str], **parts: Any) -> Path:
    """Write an audit of several files."""
    path = write_audit(rows=None, **parts)
    spec = json.loads(path.read_text(encoding="utf-8")) | {"data": {"path": names}}
    path.write_text(json.dumps(spec, indent=1), encoding="utf-8")
    return path


REAL = people().with_columns(label=pl.col("label") / 2)
SCHEMAS = [
    ("csv", people().drop("label"), "there is no column 'label', which one.csv has"),
    ("csv", people().with_columns(x=1), "there is a column 'x', which one.csv lacks"),
    ("csv", people().select("label", "sex", "prediction"), "the columns are 'label', 'sex'"),
    ("parquet", people().drop("label"), "column 'label'"),
    ("parquet", REAL, "column 'label' holds "),
    ("arrow", people().drop("label"), "there is no column 'label', which one.arrow has"),
    ("arrow", REAL, "column 'label' holds Float64, and Int64 in one.arrow"),
    ("ndjson", REAL, "column 'label' holds Float64, and Int64 in one.ndjson"),
]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(("form", "other", "words"), SCHEMAS)
def test_files_of_other_columns_are_named(
    form: str, other: pl.DataFrame, words: str, engine: str
) -> None:
    """Of three files of a table the one with other columns is named, and so is the column."""
    for name, frame in (("one", people()), ("two", people()), ("three", other)):
        write_table(f"{name}.{form}", frame)
    ended = call("run", audit_of([f"one.{form}", f"two.{form}", f"three.{form}"], engine=engine))
    assert (ended.code, ended.out) == (3, "")
    assert f"error: three.{form}: " in ended.err
    assert words in ended.err


def test_narrower_file_is_not_blamed() -> None:
    """Of files with other types than the first the one that cannot be read after it is named."""
    write_table("one.parquet", people())
    write_table("two.parquet", people().with_columns(pl.col("label").cast(pl.Int8)))
    write_table("three.parquet", people().with_columns(pl.col("label").cast(pl.String)))
    ended = call("run", audit_of(["one.parquet", "two.parquet", "three.parquet"]))
    assert ended.code == 3
    words = "three.parquet: column 'label' holds String, and Int64 in one.parquet"
    assert f"error: {words}\n" in ended.err


def limited(size: int) -> Callable[[], None]:
    """Return what keeps a process from writing larger files."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def written(*words: str, size: int) -> subprocess.CompletedProcess[str]:
    """Run an audit where no file may be larger than some bytes."""
    return subprocess.run(
        [sys.executable, "-B", "-m", "biaspipe", "run", "audit.yaml", *words],
        env=environment(),
        preexec_fn=limited(size),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("-o", "out/audit.json"), ("audit.json.stale", "a.txt")),
        (("--output-dir", "out"), ("audit.json.stale", "a.txt")),
        (("-o", "out/a.txt", "-o", "out/audit.json"), ("audit.json.stale", "a.txt.stale")),
    ],
)
def test_no_old_report_is_lost_where_a_new_one_does_not_fit(
    words: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """A disk that is full leaves older reports whole, moved aside, and no part of a new one."""
    write_audit()
    Path("out").mkdir()
    for name in ("audit.json", "a.txt"):
        Path("out", name).write_text("old", encoding="utf-8")
    done = written(*words, size=3000)
    assert done.returncode == 3
    assert "error: out/audit.json: cannot be written: File too large\n" in done.stderr
    assert {p.name: p.read_text() for p in Path("out").iterdir()} == dict.fromkeys(names, "old")


def test_device_is_written_to_and_not_replaced() -> None:
    """What is no regular file takes the report itself, and a full one is a fault."""
    ended = call("run", write_audit(), "-o", "/dev/full", "--format", "json")
    assert ended.code == 3
    assert "error: /dev/full: cannot be written: No space left on device\n" in ended.err
    assert Path("/dev/full").is_char_device()


def test_report_is_written_to_a_name_that_is_given_twice() -> None:
    """Two outputs of one name are one file, written whole."""
    ended = call("run", write_audit(), "-o", "report.json", "-o", Path("report.json").resolve())
    assert ended.code == 0
    names = sorted(path.name for path in Path().iterdir())
    assert names == ["audit.yaml", "data.csv", "report.json"]


def test_interrupt_while_a_report_takes_its_place_leaves_no_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A report that is interrupted before it takes its place leaves nothing beside it."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert call("run", write_audit(), "-o", "report.json").code == 130
    assert sorted(path.name for path in Path().iterdir()) == ["audit.yaml", "data.csv"]


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")])
def test_machine_without_room_is_no_bug(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that gives neither memory nor a thread ends with 3 and in words."""

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(PolarsBackend, "run", full)
    ended = call("run", write_audit())
    assert (ended.code, ended.out) == (3, "")
    assert ended.err == "error: the machine has no memory left for this audit\n"


def test_library_that_breaks_down_names_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panic of polars over a file that nobody changed is a fault of that file, in words."""

    def panics(*_: object, **__: object) -> None:
        raise pl.exceptions.PanicException("range end index 936 out of range")

    monkeypatch.setattr(PolarsBackend, "run", panics)
    ended = call("run", write_audit())
    words = "error: data.csv: polars breaks down: range end index 936 out of range\n"
    assert (ended.code, ended.err) == (3, words)
