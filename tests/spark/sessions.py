"""Sessions of Spark for the tests of audits, and a server that gives them."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from biaspipe.engines.spark.session import open_session
from biaspipe.spec import Spark
from tests.servers.processes import serving, wait_until
from tests.servers.spark import Cluster, spark_home

__all__ = [
    "applications",
    "command",
    "connect_server",
    "interrupt",
    "left_of",
    "session_on",
    "started",
]


@contextmanager
def session_on(cluster: Cluster) -> Iterator[Any]:
    """Start a session on a cluster in this process, which audits find and leave as it is."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment.items():
            patch.setenv(name, value)
        session = open_session(Spark(master=cluster.master, config={"spark.task.maxFailures": 4}))
        try:
            yield session.spark
        finally:
            session.close()


def command(*words: str) -> list[str]:
    """Return the command line of an audit, every warning of Python an error."""
    return [sys.executable, "-W", "error", "-m", "biaspipe", *words]


def started(cluster: Cluster, folder: Path, *words: str, **more: str) -> "subprocess.Popen[str]":
    """Start a command in a folder, with what a driver needs in its environment.

    Parameters
    ----------
    cluster : whose environment it has.
    folder : where it runs.
    words : after `biaspipe`.
    more : further variables.
    """
    return subprocess.Popen(
        command(*words),
        env={**cluster.environment, **more},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def applications(cluster: Cluster) -> int:
    """Return the number of applications that a cluster runs."""
    with urlopen(f"http://127.0.0.1:{cluster.interface}/json/", timeout=30) as answer:
        return len(json.load(answer)["activeapps"])


def left_of(process: "subprocess.Popen[str]") -> list[int]:
    """Return the processes that still run of those that a command has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == process.pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@contextmanager
def connect_server(cluster: Cluster, folder: Path) -> Iterator[str]:
    """Start a Spark Connect server on loopback, and return its URL."""
    program = str(spark_home() / "bin" / "spark-submit")
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.log.level": "INFO",
    }
    words = [word for item in settings.items() for word in ("--conf", "=".join(item))]
    line = [program, "--master", "local[2]", *words, "--class", server, "spark-internal"]
    environment = {**cluster.environment, "SPARK_DAEMON_MEMORY": "768m"}
    with serving(line, folder / "connect.log", environment=environment) as process:
        listening = re.compile(r"Spark Connect server started at:?\s*\S*?:(\d+)")
        wait_until(lambda: listening.search(process.said()) is not None, process)
        found = listening.search(process.said())
        assert found
        yield f"sc://127.0.0.1:{found[1]}"


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Interrupt a command as a terminal does: all that it has started as well."""
    os.killpg(process.pid, signal.SIGINT)
