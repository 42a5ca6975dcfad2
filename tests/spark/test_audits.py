"""Audits submitted to a cluster: lost workers, interrupts, refused connections, passes."""

import json
import shutil
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import pytest

from biaspipe.engines.counting import Engine
from biaspipe.engines.spark.backend import SparkBackend
from biaspipe.errors import DataError, UsageError
from biaspipe.loading import Loaded
from biaspipe.sources import open_sources
from biaspipe.spec import Data, Spark
from tests.engines.builders import prepare, write
from tests.engines.conformance import Outcome, outcome
from tests.engines.samples import people
from tests.servers.spark import Cluster
from tests.spark.sessions import (
    applications,
    connect_server,
    interrupt,
    left_of,
    session_on,
    started,
)

pytestmark = pytest.mark.spark

COLUMNS = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "score", "at_least": 0.5},
    "strata": ["city"],
}
METRICS = {"DPL": None, "DI": None, "CDDL": None}


def audit(folder: Path, data: dict[str, Any], **parts: Any) -> Loaded:
    """Write a spec of several metrics, and load it."""
    return prepare(folder, data=data, columns=COLUMNS, metrics=METRICS, **parts)


def result_in(path: Path) -> Any:
    """Return the result of a report without the spec, which says where it was counted."""
    result = json.loads(path.read_text(encoding="utf-8"))["result"]
    del result["audit"]
    return result


def test_audit_is_submitted_to_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """The command line counts a folder on the cluster, prints nothing else, and leaves nothing."""
    for part in range(4):
        write(tmp_path / f"d/part-{part}.parquet", people())
    audit(tmp_path, {"path": "d"}, engine="spark", spark={"master": cluster.master})
    words = ("run", "audit.yaml", "--fail-on", "never", "-o")
    process = started(cluster, tmp_path, *words, "spark.json")
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "wrote spark.json\n")
    assert left_of(process) == []
    local = started(cluster, tmp_path, *words, "polars.json", "--engine", "polars")
    local.communicate()
    assert result_in(tmp_path / "spark.json") == result_in(tmp_path / "polars.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        *("audit.yaml", "d", "polars.json", "spark.json")
    ]


def running_tasks(session: Any) -> int:
    """Return the tasks of a session that run at this moment."""
    tracker = session.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return sum(stage.numActiveTasks for stage in stages if stage)


def copies(folder: Path, times: int) -> list[str]:
    """Write nearly a million people to so many files; return the names of the files."""
    names = [f"d{i:02}.parquet" for i in range(times)]
    write(folder / names[0], pl.concat([people()] * 20_000))
    for name in names[1:]:
        shutil.copy(folder / names[0], folder / name)
    return names


def test_losing_a_worker_changes_nothing_but_the_time(cluster: Cluster, tmp_path: Path) -> None:
    """A worker that is killed while it counts leaves the result as it is."""
    loaded = audit(tmp_path, {"path": copies(tmp_path, 48)})
    expected = outcome(loaded)
    found: list[Outcome] = []
    with session_on(cluster) as session:
        thread = Thread(target=lambda: found.append(outcome(loaded, "spark")))
        thread.start()
        deadline = time.monotonic() + 300
        while running_tasks(session) < 2 and time.monotonic() < deadline and thread.is_alive():
            time.sleep(0.02)
        assert running_tasks(session) > 0
        assert found == []
        cluster.kill_worker()
        assert found == []
        thread.join()
    assert found == [expected]
    assert expected.result is not None
    assert cluster.live_workers() == 1


def test_interrupt_ends_the_audit(cluster: Cluster, tmp_path: Path) -> None:
    """An interrupted audit ends with 130 and leaves no process."""
    spark = {"master": cluster.master}
    audit(tmp_path, {"path": copies(tmp_path, 60)}, engine="spark", spark=spark)
    process = started(cluster, tmp_path, "run", "audit.yaml", "-o", "report.json")
    deadline = time.monotonic() + 300
    while applications(cluster) == 0 and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(5)
    assert process.poll() is None
    interrupt(process)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "\ninterrupted\n")
    assert left_of(process) == []
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize("seconds", [0.2, 1.0])
def test_interrupt_while_java_starts_leaves_no_java(
    seconds: float, cluster: Cluster, tmp_path: Path
) -> None:
    """Java that was started for an audit ends with it, even if it was only on its way up."""
    write(tmp_path / "d.parquet", people())
    audit(tmp_path, {"path": "d.parquet"}, engine="spark", spark={"master": "local[2]"})
    process = started(cluster, tmp_path, "run", "audit.yaml", "-o", "report.json")
    deadline = time.monotonic() + 300
    while len(left_of(process)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(seconds)
    interrupt(process)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "\ninterrupted\n")
    assert left_of(process) == []
    assert not (tmp_path / "report.json").exists()


def free_port() -> int:
    """Return a port of loopback on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.mark.parametrize(("key", "scheme"), [("master", "spark"), ("remote", "sc")])
def test_refused_connection_is_an_error(
    key: str, scheme: str, lasting_cluster: Cluster, tmp_path: Path
) -> None:
    """A cluster or server that refuses the connection ends the audit with 3 in seconds."""
    write(tmp_path / "d.parquet", people())
    url = f"{scheme}://127.0.0.1:{free_port()}"
    audit(tmp_path, {"path": "d.parquet"}, engine="spark", spark={key: url})
    process = started(lasting_cluster, tmp_path, "run", "audit.yaml")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 3
    assert errors == f"error: {url}: Spark cannot be reached: Connection refused\n"
    assert left_of(process) == []


@pytest.mark.parametrize(
    "settings",
    [
        Spark(config={"spark.hadoop.fs.s3a.secret.key": "x"}),
        Spark(remote="sc://host:15002/;token=x"),
        Spark(remote="local[2]"),
    ],
    ids=str,
)
def test_settings_are_refused(settings: Spark, tmp_path: Path) -> None:
    """Credentials in the settings, and a remote that is no server, are errors before any start."""
    write(tmp_path / "d.parquet", people())
    data = Data(path=("d.parquet",))
    with (
        open_sources(data, tmp_path) as inputs,
        closing(Engine(SparkBackend(inputs, settings), data, inputs)) as engine,
    ):
        with pytest.raises(UsageError, match="spark: ") as error:
            engine.refuse_empty()
        assert "token=x" not in str(error.value)


def counting() -> Any:
    """Return a pass that counts rows, of a class that a worker cannot import."""

    class Counting:
        def of(self, batches: Iterable[pl.DataFrame]) -> int:
            return sum(batch.height for batch in batches)

        def merged(self, parts: Iterable[int]) -> int:
            return sum(parts)

        def pack(self, summary: int) -> bytes:
            return str(summary).encode()

        def unpack(self, data: bytes) -> int:
            return int(data)

    return Counting()


def test_function_runs_on_every_partition(cluster: Cluster, tmp_path: Path) -> None:
    """A function runs on the workers for each partition, and what it returns comes back."""
    for part in range(3):
        write(tmp_path / f"d/part-{part}.parquet", pl.DataFrame({"label": [part, 1, 1]}))

    def total(batches: Iterator[pl.DataFrame]) -> bytes:
        return str(sum(batch["label"].sum() for batch in batches)).encode()

    def failing(batches: Iterator[pl.DataFrame]) -> bytes:
        raise ValueError(f"{len(list(batches))} batches")

    with (
        session_on(cluster),
        open_sources(Data(path=("d",)), tmp_path) as inputs,
        closing(SparkBackend(inputs)) as backend,
    ):
        rows = backend.open(())[0][1].select("label")
        parts = backend.run_on_workers(rows, total)
        assert sum(map(int, parts)) == 9
        assert backend.run_pass(rows, counting(), "d") == 9
        with pytest.raises(DataError, match="a worker's Python raises ValueError: "):
            backend.run_on_workers(rows, failing)


def test_audit_by_spark_connect(lasting_cluster: Cluster, tmp_path: Path) -> None:
    """A Spark Connect server gives the result of polars, for files and for a frame in hand."""
    write(tmp_path / "d.parquet", people())
    with connect_server(lasting_cluster, tmp_path) as url:
        data = {"path": "d.parquet", "where": "score < 0.95"}
        loaded = audit(tmp_path, data, spark={"remote": url}, engine="spark")
        found = outcome(loaded)
        assert found.result is not None, found.words
        assert found == outcome(loaded, "polars")
        with pytest.MonkeyPatch.context():
            from pyspark.sql.connect.session import SparkSession

            session = SparkSession.builder.remote(url).create()
            frame = session.read.parquet(f"file://{tmp_path}/d.parquet")
            assert outcome(loaded, frame=frame) == outcome(loaded, frame=people())
            assert frame.count() == people().height
            session.stop()
