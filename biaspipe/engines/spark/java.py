"""The process of Java that Spark runs in: started, and ended, whatever interrupts it."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import Any

from biaspipe.engines.spark.errors import reason
from biaspipe.errors import UsageError
from biaspipe.extras import import_extra

__all__ = ["ENDING", "end_java", "holding_interrupts", "restore_interrupt", "start_java"]

STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")
TIMEOUT = 10.0
"""Seconds that Java is given to end by itself."""
JAVA = "Spark needs Java 17 or newer, which JAVA_HOME or the PATH leads to"
ENDING = suppress(Exception)
"""Passes over what py4j and pyspark raise where Java, or the server, has ended already."""


@contextmanager
def holding_interrupts() -> Iterator[None]:
    """Hold an interrupt until the block has ended; a second one is heard at once.

    While Java starts it is nobody's to end, so that an interrupt would leave it running.

    Raises
    ------
    KeyboardInterrupt
        At the end, if there was an interrupt, and interrupts raise it.
    """
    numbers = [getattr(signal, name) for name in STOPPING if hasattr(signal, name)]
    found = {number: signal.getsignal(number) for number in numbers}
    handlers: dict[int, Any] = {n: handler for n, handler in found.items() if callable(handler)}
    if current_thread() is not main_thread():
        yield
        return
    heard: list[tuple[int, Any]] = []

    def hold(number: int, frame: Any) -> None:
        if heard:
            handlers[number](number, frame)
        heard.append((number, frame))

    for number in handlers:
        signal.signal(number, hold)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if heard:
        handlers[heard[0][0]](*heard[0])


def start_java(conf: Any) -> Any:
    """Start the process of Java that Spark runs in, and return the gateway to it.

    Parameters
    ----------
    conf : the settings of Spark.

    Raises
    ------
    UsageError
        If Java does not start, with the last line that it prints.
    """
    launcher = import_extra("pyspark.java_gateway", "spark")
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # workers of Python import nothing from here
    with tempfile.TemporaryFile() as printed:
        try:
            return launcher.launch_gateway(conf, {"stdout": printed, "stderr": printed})
        except Exception as error:  # noqa: BLE001 - of pyspark, py4j or the system, by what lacks
            printed.seek(0)
            lines = printed.read().decode(errors="replace").strip().splitlines()
            said = lines[-1] if lines else reason(str(error))
            raise UsageError(f"Spark does not start: {said}", hint=JAVA) from None


def end_java(gateway: Any, interrupt: Any) -> None:
    """End a process of Java, and let an interrupt do what it did before.

    Parameters
    ----------
    gateway : the gateway to it; None, if it is not ours to end.
    interrupt : what handled an interrupt before.
    """
    restore_interrupt(interrupt)
    if gateway is None:
        return
    context = import_extra("pyspark", "spark").SparkContext
    if context._gateway is gateway:
        context._gateway = context._jvm = None
    with ENDING:
        gateway.shutdown()
    with ENDING:
        gateway.proc.stdin.close()
    try:
        gateway.proc.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()
        gateway.proc.wait()


def restore_interrupt(interrupt: Any) -> None:
    """Let an interrupt do what it did before; what pyspark makes of it talks to Java twice."""
    if interrupt is not None and current_thread() is main_thread():
        signal.signal(signal.SIGINT, interrupt)
