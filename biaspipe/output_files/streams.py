"""Streams of this process, and where an output really goes: into one of them, or to a file."""

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from biaspipe.printable_text import escape_commands

__all__ = [
    "PRINTED",
    "PlainStream",
    "descriptor_of",
    "file_of",
    "is_regular",
    "is_stream",
    "write_commands",
]

MAX_LINKS = 8
MAX_BEGUN = 200
PRINTED = (1, 2)
"""The numbers of standard output and standard error."""


class PlainStream(TextIOWrapper):
    """A stream of text on which no line can be taken for a command of a CI system."""

    begun = ""
    """The end of the line that is not ended yet."""

    def write(self, text: str) -> int:
        """Write text, its lines unlike commands, be they written piece by piece."""
        plain, whole = escape_commands(text), self.begun + text
        if self.begun and escape_commands(whole) != self.begun + plain:
            plain = rf"\x{ord(plain[0]):02x}{plain[1:]}"
        super().write(plain)
        self.begun = whole.rpartition("\n")[2][-MAX_BEGUN:]
        return len(text)

    def write_as_it_is(self, text: str) -> None:
        """Write text that may hold commands."""
        super().write(text)


def write_commands(lines: Iterable[str], stream: IO[str]) -> None:
    """Write commands for a CI system, each as a line of its own.

    Parameters
    ----------
    lines : the commands, escaped as the system asks for.
    stream : where it reads them.
    """
    text = "".join(f"{line}\n" for line in lines)
    stream.flush()
    if isinstance(stream, PlainStream):
        stream.write_as_it_is(text)
    else:
        stream.write(text)
    stream.flush()


def descriptor_of(path: Path) -> int | None:
    """Return the number of the open file of this process that a path is a name of.

    Parameters
    ----------
    path : the output.

    >>> descriptor_of(Path("/dev/stdout")), descriptor_of(Path("report.json"))
    (1, None)
    """
    own = re.compile(rf"/proc/{os.getpid()}(/task/[0-9]+)?/fd|/dev/fd")
    for _ in range(MAX_LINKS):
        folder = _folder(path)
        if own.fullmatch(folder) and re.fullmatch("[0-9]+", path.name):
            return int(path.name)
        if folder != "/dev" or not path.is_symlink():
            break
        path = Path(folder) / path.readlink()
    return None


def file_of(path: Path) -> Path:
    """Return the file that is replaced where a path is written to.

    A link is replaced itself, whoever has laid it there; those of the system are followed.

    Parameters
    ----------
    path : the output.
    """
    return Path(os.path.realpath(path)) if _is_laid_by_the_system(path) else _placed(path)


def is_stream(path: Path) -> bool:
    """Whether a path is a pipe, a device or an open file, which is written into and not replaced.

    Parameters
    ----------
    path : the output.
    """
    if descriptor_of(path) is not None:
        return True
    if path.is_symlink() and not _is_laid_by_the_system(path):
        return False
    with suppress(OSError):
        mode = path.stat().st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def is_regular(path: Path) -> bool:
    """Whether a path is a file of its own, and not the name of a stream, such as /dev/stdout.

    Parameters
    ----------
    path : the output.
    """
    return path.is_file() and descriptor_of(path) is None and not _is_laid_by_the_system(path)


def _is_laid_by_the_system(path: Path) -> bool:
    folder = _folder(path)
    return path.is_symlink() and (folder == "/dev" or folder.startswith("/proc/"))


def _placed(path: Path) -> Path:
    return Path(_folder(path)) / path.name


def _folder(path: Path) -> str:
    return os.path.realpath(path.parent)
