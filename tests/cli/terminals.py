"""A terminal that a process can be started on, and what it would have to show."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests.cli.calls import environment

__all__ = ["on_a_terminal"]


def on_a_terminal(*words: object, cwd: Path, **more: str) -> str:
    """Start the command line on a pseudo-terminal and return every character that it sends there.

    Parameters
    ----------
    words : the arguments.
    cwd : the current folder of the process.
    more : variables of the environment.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "biaspipe", *map(str, words)],
        cwd=cwd,
        env=environment(TERM="xterm-256color") | more,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        sent = b""
        with suppress(OSError):  # a terminal whose last process is gone
            while piece := os.read(ours, 65_536):
                sent += piece
    os.close(ours)
    return sent.decode("utf-8", "replace")
