"""A process that ends when the tests do, whatever ends the tests."""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Account", "Server", "serving", "wait_until"]

PATIENCE = 300.0
"""Seconds that a server is given to be ready, on a machine that is busy with other things."""

# The shell becomes the server; what it leaves behind waits until the tests' end of the pipe
# closes, which it also does when they are killed, and then signals all that the server started.
GUARD = """
number=$1; shift
exec 3<&0 </dev/null
(read -r _ <&3; kill -s "$number" -- "-$$") >/dev/null 2>&1 &
exec "$@" 3<&-
"""


@dataclass(frozen=True)
class Account:
    """The user of this machine that a server runs as."""

    user: int
    group: int

    @classmethod
    def named(cls, *names: str) -> "Account":
        """Return the first account that exists of some names; KeyError where none does."""
        known = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = next(known[name] for name in names if name in known)
        return cls(user=entry.pw_uid, group=entry.pw_gid)


@dataclass(frozen=True)
class Server:
    """A running process, the processes that it started, and what they print."""

    process: subprocess.Popen[bytes]
    log: Path

    def said(self) -> str:
        """Return all that the server has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """End the server and what it started in its group at once, as a failing machine would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self._wait(PATIENCE)

    def stop(self) -> None:
        """End the server by the signal that it was started with, and kill it if it stays."""
        try:
            self._wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def _wait(self, seconds: float) -> None:
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(seconds)


@contextmanager
def serving(
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    account: Account | None = None,
    ending: signal.Signals = signal.SIGKILL,
) -> Iterator[Server]:
    """Run a command as a process group of its own, and end it with the block or the tests.

    Parameters
    ----------
    command
        The program and its arguments.
    log
        The file that standard output and standard error go to.
    environment
        All variables of the process; those of the tests if it is not given.
    account
        The user to run as, which only root may choose.
    ending
        The signal that tells the whole group to end.
    """
    guarded = ["/bin/sh", "-c", GUARD, "guard", ending.name.removeprefix("SIG"), *command]
    server = Server(started(guarded, log, environment, account), log)
    try:
        yield server
    finally:
        server.stop()


def started(
    command: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None,
    account: Account | None,
) -> subprocess.Popen[bytes]:
    """Start a command that leads a process group and reads from the tests."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
            cwd=log.parent,
            user=account.user if account else None,
            group=account.group if account else None,
            extra_groups=[] if account else None,
        )


def wait_until(ready: Callable[[], bool], server: Server, seconds: float = PATIENCE) -> None:
    """Wait until a server is ready; RuntimeError with its last words if it ends or takes long."""
    deadline = time.monotonic() + seconds
    while not ready():
        if (code := server.process.poll()) is not None:
            raise RuntimeError(f"the server ended with {code}:\n{server.said()[-4000:]}")
        if time.monotonic() > deadline:
            raise RuntimeError(f"not ready after {seconds:.0f} s:\n{server.said()[-4000:]}")
        time.sleep(0.05)
