"""Files that are written as a whole, or not at all, and never over what was read."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from biaspipe.errors import OutputError, UsageError
from biaspipe.output_files.streams import PRINTED, descriptor_of, file_of, is_stream
from biaspipe.printable_text import escape_commands

__all__ = ["check_place", "make_folder", "refuse_input", "write_files"]


def check_place(path: Path) -> None:
    """Refuse a file that could not be written where it is to be; its folder is made.

    Raises
    ------
    OutputError
        If its folder cannot be written into, or it is a folder itself.
    """
    if not is_stream(path):
        make_folder(file_of(path).parent, path.parent)
    if path.is_dir():
        raise OutputError(f"{path}: this is a folder")


def refuse_input(outputs: Iterable[Path], inputs: Iterable[tuple[str, Path]], whose: str) -> None:
    """Refuse to write over what is read.

    Parameters
    ----------
    outputs : what is written.
    inputs : what is read: what it is, and the file.
    whose : what reads it.

    Raises
    ------
    UsageError
        If one of the outputs is one of the inputs, by whatever name.
    """
    standing = [path for path in outputs if path.is_file()]
    for what, path in inputs if standing else ():
        if any(path.exists() and path.samefile(output) for output in standing):
            words = f"{path} is the {what} of {whose}, and would be written over"
            raise UsageError(words, hint="write to another file")


def write_files(texts: Sequence[tuple[Path, str]]) -> None:
    """Write files as a whole, or leave what stood there.

    None takes its place before all of them are on the disk; what is no regular file, such as a
    pipe, is written to.

    Parameters
    ----------
    texts : paths with what is written there.

    Raises
    ------
    OutputError
        If one of them cannot be written.
    """
    staged: list[tuple[Path, Path, Path]] = []
    with ExitStack() as unfinished:
        for path, text in texts:
            with _writing(path):
                if is_stream(path):
                    _write_into(path, text)
                else:
                    file = file_of(path)
                    temporary = file.with_name(f".biaspipe-{os.urandom(8).hex()}.tmp")
                    unfinished.callback(_remove, temporary)
                    _write_new(temporary, text, _mode_of(file))
                    staged.append((path, file, temporary))
        for path, file, temporary in staged:
            with _writing(path):
                temporary.replace(file)
    for folder in {file.parent for _, file, _ in staged}:
        _sync(folder)


def make_folder(folder: Path, named: Path | None = None) -> None:
    """Make a folder that can be written into.

    Parameters
    ----------
    folder : the folder.
    named : what it is called in an error, if by another name.

    Raises
    ------
    OutputError
        If nothing can be written into it.
    """
    from tempfile import TemporaryFile  # noqa: PLC0415 - brings packers, which `--version` can do without

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{named or folder}: cannot be written into: {error.strerror}") from None


def _write_into(path: Path, text: str) -> None:
    """Write to a pipe, a device, or what is open already, which goes on where it is.

    What is printed may be read by a CI system, which must find no command in it.
    """
    number = descriptor_of(path)
    text = escape_commands(text) if number in PRINTED else text
    to = path if number is None else os.dup(number)
    with open(to, "w", encoding="utf-8", newline="\n") as stream:  # noqa: PTH123 - or a number
        stream.write(text)


def _write_new(path: Path, text: str, mode: int | None) -> None:
    """Write a file that nobody has made before, and wait until the disk has it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags, 0o666), "w", encoding="utf-8", newline="\n") as file:
        if mode is not None:
            path.chmod(mode)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _mode_of(path: Path) -> int | None:
    """Return the permissions of a file that is replaced; None where there is none."""
    with suppress(OSError):
        found = path.lstat().st_mode
        if stat.S_ISREG(found):
            return stat.S_IMODE(found) & 0o777
    return None


def _sync(folder: Path) -> None:
    """Wait until the disk has the names of a folder's files, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
