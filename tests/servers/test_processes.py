"""Servers of the tests end with their block, and with the tests when these are killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers.processes import serving, wait_until

FOREVER = ["/bin/sh", "-c", "echo ready; sleep 600 & sleep 600"]
"""A server that starts a process of its own."""

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.servers.processes import serving, wait_until
with serving(sys.argv[2:], Path(sys.argv[1])) as server:
    wait_until(lambda: "ready" in server.said(), server)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def is_held(pipe: Path) -> bool:
    """Return whether a process still has a named pipe open to write to."""
    command = [sys.executable, "-c", "import sys; open(sys.argv[1]).read()", str(pipe)]
    try:
        subprocess.run(command, timeout=30, check=True)
    except subprocess.TimeoutExpired:
        return True
    return False


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_server_ends_with_its_block(tmp_path: Path, ending: signal.Signals) -> None:
    """A server and the processes that it started end when the block is left."""
    log = tmp_path / "log"
    with serving(FOREVER, log, ending=ending) as server:
        wait_until(lambda: "ready" in server.said(), server)
        assert server.process.poll() is None
    assert server.process.poll() == -ending


def test_killed_server_is_gone_at_once(tmp_path: Path) -> None:
    """A server can be killed in the middle of its block."""
    with serving(FOREVER, tmp_path / "log") as server:
        wait_until(lambda: "ready" in server.said(), server)
        server.kill()
        assert server.process.poll() == -signal.SIGKILL


def test_server_ends_when_the_tests_are_killed(tmp_path: Path) -> None:
    """A server and the processes that it started end even if the tests are killed."""
    log = tmp_path / "log"
    held = f"exec 9>{tmp_path / 'pipe'}; {FOREVER[-1]}"
    subprocess.run(["mkfifo", str(tmp_path / "pipe")], check=True)  # noqa: S607 - of every Unix
    command = [sys.executable, "-c", KILLED, str(log), "/bin/sh", "-c", held]
    with subprocess.Popen(command) as killed:
        assert not is_held(tmp_path / "pipe")
        assert killed.wait() == -signal.SIGKILL


def test_server_that_ends_early_is_told(tmp_path: Path) -> None:
    """Waiting for a server that has ended fails with its exit code and its last words."""
    command = ["/bin/sh", "-c", "echo no room; exit 3"]
    with (
        serving(command, tmp_path / "log") as server,
        pytest.raises(RuntimeError, match="the server ended with 3:\nno room"),
    ):
        wait_until(lambda: False, server)


def test_server_that_takes_long_is_told(tmp_path: Path) -> None:
    """Waiting for a server ends after the seconds that it is given."""
    started = time.monotonic()
    with (
        serving(FOREVER, tmp_path / "log") as server,
        pytest.raises(RuntimeError, match="not ready after 0 s"),
    ):
        wait_until(lambda: False, server, seconds=0.2)
    assert time.monotonic() - started < 30
