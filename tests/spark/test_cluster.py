"""The Spark cluster of the tests itself: it counts, loses a worker, and ends."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.servers.spark import Cluster, spark_cluster

pytestmark = pytest.mark.spark

DRIVER = """
import sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.master(sys.argv[1]).getOrCreate()
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
rows = spark.read.parquet(sys.argv[2])
same = rows.mapInArrow(lambda batches: batches, rows.schema).toArrow()
print(rows.count(), same.num_rows, executors)
spark.stop()
"""


def submitted(cluster: Cluster, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Count the rows of a Parquet folder on a cluster, in the engine and through Python."""
    strict = ["-W", "error", "-W", "ignore:PySpark does not yet fully support pandas"]
    return subprocess.run(
        [sys.executable, *strict, "-c", DRIVER, cluster.master, str(folder)],
        env=dict(cluster.environment),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of four Parquet files of 250 rows."""
    for part in range(4):
        rows = pl.DataFrame({"n": range(part * 250, part * 250 + 250)})
        rows.write_parquet(tmp_path / f"part-{part}.parquet")
    return tmp_path


def test_both_workers_count_rows(cluster: Cluster, folder: Path) -> None:
    """A driver gets an executor of each worker, and they count and hand back all rows."""
    done = submitted(cluster, folder)
    assert (done.returncode, done.stdout) == (0, "1000 1000 2\n"), done.stderr
    assert cluster.live_workers() == 2


def test_cluster_counts_without_a_worker(cluster: Cluster, folder: Path) -> None:
    """A cluster that has lost a worker counts with the other one, and can be filled again."""
    cluster.kill_worker()
    assert cluster.live_workers() == 1
    done = submitted(cluster, folder)
    assert (done.returncode, done.stdout) == (0, "1000 1000 1\n"), done.stderr
    cluster.fill()
    assert cluster.live_workers() == 2


def test_nothing_stays_of_a_cluster() -> None:
    """A cluster that has stopped leaves no process and no folder."""
    with spark_cluster() as started:
        daemons = [started.server, *started.workers]
        assert [daemon.process.poll() for daemon in daemons] == [None, None, None]
    assert [daemon.process.poll() for daemon in daemons] == [-9, -9, -9]
    assert not started.folder.exists()
