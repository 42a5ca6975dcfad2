"""The time and memory that an audit may take: one that takes more ends, as by an interrupt."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from biaspipe.errors import LimitError, UsageError
from biaspipe.policy import Limits

__all__ = ["memory_in_use", "within_limits"]

SLICE = 0.1
"""Seconds between two looks at the clock and the memory."""
SIGNAL = getattr(signal, "SIGALRM", signal.SIGINT)
STATUS = Path("/proc/self/statm")


class _Over(KeyboardInterrupt):
    """An interrupt of our own, which everything hears that hears an interrupt."""


@contextmanager
def within_limits(limits: Limits) -> Iterator[None]:
    """Interrupt a block that takes more time or memory than it may.

    Only the main thread can be interrupted; elsewhere the block runs unwatched.

    Parameters
    ----------
    limits : of time and memory; the memory is that of this process.

    Raises
    ------
    LimitError
        With the limit that was reached.
    UsageError
        If the memory is limited and this system does not tell what is in use.
    """
    if limits.memory is not None and memory_in_use() is None:
        raise UsageError("limits: memory: this system does not tell how much is in use")
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch(limits, signal.getsignal(SIGNAL))
    signal.signal(SIGNAL, watch.heard)
    try:
        with watch:
            yield
    except _Over:
        raise LimitError(watch.reason, hint="the policy's limits decide: --policy FILE") from None
    finally:
        signal.signal(SIGNAL, watch.before or signal.SIG_DFL)


class _Watch:
    """Looks at clock and memory in a thread, and raises in the main one."""

    def __init__(self, limits: Limits, before: Any) -> None:
        self.limits, self.before = limits, before
        self.ended, self.reason = threading.Event(), ""
        self.lock = threading.Lock()
        self.deadline = monotonic() + limits.seconds
        self.thread = threading.Thread(target=self._look, name="biaspipe-limits", daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *error: object) -> None:
        with self.lock:  # whatever is raised from now on would be heard outside of the block
            self.ended.set()

    def heard(self, number: int, frame: Any) -> None:
        """Raise in the main thread where a limit is reached; others may use the signal too."""
        if self.reason and not self.ended.is_set():
            raise _Over
        if callable(self.before):
            self.before(number, frame)

    def _look(self) -> None:
        while not self.reason:
            self.reason = self._over()
            if self.ended.wait(0 if self.reason else SLICE):
                return
        with self.lock:
            if not self.ended.is_set():
                _interrupt()

    def _over(self) -> str:
        if monotonic() > self.deadline:
            most = self.limits.seconds
            unit = "second" if most == 1 else "seconds"
            return f"the audit takes longer than {most:,} {unit} (limits: seconds)"
        memory = self.limits.memory
        if memory is not None and (memory_in_use() or 0) > memory:
            size = memory.human_readable(decimal=True)
            return f"the audit needs more memory than {size} (limits: memory)"
        return ""


def _interrupt() -> None:
    """Send the signal to the main thread, so that it leaves a call of the system too."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, SIGNAL)
    else:
        signal.raise_signal(SIGNAL)


def memory_in_use() -> int | None:
    """Return how many bytes of memory this process holds; None if the system does not say."""
    if STATUS.exists():
        return int(STATUS.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - not on every system

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
