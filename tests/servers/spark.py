"""A Spark standalone cluster on loopback: one master, two workers, by pyspark's own jars."""

import http.client
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tests.servers.processes import Server, serving, wait_until

__all__ = ["WORKERS", "Cluster", "spark_cluster"]

WORKERS = 2

# What every driver, executor and daemon of the cluster takes from SPARK_CONF_DIR.
# Two cores and two executors of an application leave room for a second one beside it.
DEFAULTS = """
spark.driver.host               127.0.0.1
spark.driver.bindAddress        127.0.0.1
spark.driver.memory             512m
spark.driver.extraJavaOptions   {java}
spark.executor.memory           512m
spark.executor.extraJavaOptions {java}
spark.cores.max                 2
spark.ui.enabled                false
spark.ui.showConsoleProgress    false
spark.master.rest.enabled       false
spark.scheduler.minRegisteredResourcesRatio 1
spark.sql.shuffle.partitions    4
spark.shuffle.io.retryWait      1s
spark.sql.warehouse.dir         {folder}/warehouse
"""

# Short-lived processes on few cores start faster with a light compiler and collector.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

LOGGING = """
rootLogger.level = error
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
logger.gateway.name = org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level = error
logger.shell.name = org.apache.spark.repl.Main
logger.shell.level = error
logger.master.name = org.apache.spark.deploy.master
logger.master.level = info
"""


@dataclass(frozen=True)
class Cluster:
    """A running cluster.

    Attributes
    ----------
    master
        The URL to submit to, ``spark://127.0.0.1:PORT``.
    environment
        The variables that a driver needs: put them into its process before it starts a session.
    folder
        Where the cluster keeps its settings, logs and data until it stops.
    server
        The master.
    workers
        The workers that were started and not killed, the oldest first.
    """

    master: str
    environment: Mapping[str, str]
    folder: Path
    interface: int
    server: Server
    stack: ExitStack = field(repr=False)
    workers: list[Server] = field(default_factory=list)

    def live_workers(self) -> int:
        """Return the number of workers that the master counts on."""
        connection = http.client.HTTPConnection("127.0.0.1", self.interface, timeout=30)
        try:
            connection.request("GET", "/json/")
            return int(json.load(connection.getresponse())["aliveworkers"])
        finally:
            connection.close()

    def fill(self) -> None:
        """Start workers until there are two, and wait until the master counts on them."""
        while len(self.workers) < WORKERS:
            self.workers.append(self._worker())
        wait_until(lambda: self.live_workers() == WORKERS, self.workers[-1])

    def kill_worker(self) -> None:
        """Kill the oldest worker and its executors at once, and wait until the master knows."""
        worker, *others = self.workers
        self.workers[:] = others
        worker.kill()
        wait_until(lambda: self.live_workers() == len(others), (others or [worker])[0])

    def _worker(self) -> Server:
        bounds = ["--cores", "2", "--memory", "1g", "--port", "0", "--webui-port", "0"]
        log = Path(tempfile.mkdtemp(prefix="worker-", dir=self.folder)) / "log"
        command = [*launched("worker.Worker"), *bounds, "--work-dir", str(log.parent), self.master]
        return self.stack.enter_context(serving(command, log, environment=self.environment))


def spark_home() -> Path:
    """Return the folder of the installed pyspark; RuntimeError where there is none."""
    found = find_spec("pyspark")
    if found is None or found.origin is None:
        raise RuntimeError("pyspark is missing: pip install 'biaspipe[spark]'")
    return Path(found.origin).parent


def launched(daemon: str) -> list[str]:
    """Return the command that starts a daemon of the cluster."""
    program = str(spark_home() / "bin" / "spark-class")
    return [program, f"org.apache.spark.deploy.{daemon}", "--host", "127.0.0.1"]


def environment_of(folder: Path) -> dict[str, str]:
    """Return the variables of a process that takes part in a cluster, and write its settings."""
    settings = folder / "conf"
    settings.mkdir()
    defaults = DEFAULTS.format(folder=folder, java=JAVA)
    (settings / "spark-defaults.conf").write_text(defaults, encoding="utf-8")
    (settings / "log4j2.properties").write_text(LOGGING, encoding="utf-8")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    return inherited | {
        "SPARK_HOME": str(spark_home()),
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": JAVA,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


@contextmanager
def spark_cluster() -> Iterator[Cluster]:
    """Start a cluster of one master and two workers, and stop all of it with the block.

    The operating system chooses every port, and nothing listens beyond loopback.
    A worker has two cores and 1 GiB; an application takes one core and 512 MiB of each.

    Raises
    ------
    RuntimeError
        Where pyspark is not installed, or a daemon does not start, with its last words.
    """
    folder = Path(tempfile.mkdtemp(prefix="spark-"))
    environment = environment_of(folder)
    ports = ["--port", "0", "--webui-port", "0"]
    try:
        with ExitStack() as stack:
            command = [*launched("master.Master"), *ports]
            log = folder / "master.log"
            master = stack.enter_context(serving(command, log, environment=environment))
            url, interface = addresses(master)
            cluster = Cluster(url, environment, folder, interface, master, stack)
            cluster.fill()
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def addresses(master: Server) -> tuple[str, int]:
    """Return a master's URL and the port of its web interface, once it listens on both."""
    listening = re.compile(r"Starting Spark master at (\S+)(?s:.*)MasterWebUI.*127\.0\.0\.1:(\d+)")
    wait_until(lambda: listening.search(master.said()) is not None, master)
    found = listening.search(master.said())
    assert found
    return found[1], int(found[2])
