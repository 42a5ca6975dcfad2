"""Where an output really goes: into a stream, or to a file, whatever way its path leads there."""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

__all__ = ["descriptor_of", "file_of", "is_regular", "is_stream"]

MAX_LINKS = 8


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
