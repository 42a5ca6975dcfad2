"""The files of folders and globs: what cannot be listed or read is an error, not passed over."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from glob import has_magic
from pathlib import Path

from biaspipe.errors import DataError

__all__ = ["Entry", "below", "file_at", "matching"]

KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _anything(path: Path, written: str) -> None:
    """Let every file be looked at."""


@dataclass(frozen=True)
class Entry:
    """A file or folder, links followed.

    Parameters
    ----------
    path : where it is.
    written : the same, as a spec would write it.
    above : the folders that were gone through to come here, by their identity.
    allow : raises for what may not be looked at, links followed.
    """

    path: Path
    written: str
    above: tuple[tuple[int, int], ...] = ()
    allow: Callable[[Path, str], None] = _anything

    @cached_property
    def status(self) -> os.stat_result:
        """What the system says of it, if it may be asked; DataError if a link leads nowhere."""
        self.allow(self.path, self.written)
        try:
            return self.path.stat()
        except OSError as error:
            words = "the link leads nowhere" if self.path.is_symlink() else error.strerror
            hint = "remove it, or name the files that count"
            raise DataError(f"{self.written}: {words}", hint=hint) from None

    @property
    def identity(self) -> tuple[int, int]:
        """What tells it from all others, whatever it is called."""
        return self.status.st_dev, self.status.st_ino

    @property
    def is_folder(self) -> bool:
        """Whether it holds others."""
        return stat.S_ISDIR(self.status.st_mode)

    def inside(self) -> "Iterator[Entry]":
        """Yield what a folder holds, sorted by name; DataError if that cannot be listed."""
        if self.identity in self.above:
            raise DataError(f"{self.written}: the link leads to a folder that it is in itself")
        try:
            names = sorted(path.name for path in self.path.iterdir())
        except OSError as error:
            raise DataError(f"{self.written}: {error.strerror}") from None
        above = (*self.above, self.identity)
        yield from (replace(self.down(name), above=above) for name in names)

    def down(self, name: str) -> "Entry":
        """Return what is called so in a folder."""
        written = f"{self.written.rstrip('/')}/{name}" if self.written else name
        return Entry(self.path / name, written, allow=self.allow)


def file_at(entry: Entry) -> Entry:
    """Return a file as it is; DataError if it is a pipe or the like, which is read only once."""
    if kind := KINDS.get(stat.S_IFMT(entry.status.st_mode)):
        raise DataError(f"{entry.written}: this is {kind}, and no file")
    return entry


def below(folder: Entry) -> Iterator[Entry]:
    """Yield all files of a folder at any depth, linked folders included.

    Names that begin with "." or "_" are passed over, unless they are a key, as in _day=1.

    Parameters
    ----------
    folder : which to look through.

    Raises
    ------
    DataError
        With what cannot be listed, leads nowhere, leads back, or is neither file nor folder.
    """
    for entry in folder.inside():
        if entry.path.name[0] in "._" and "=" not in entry.path.name:
            continue
        if entry.is_folder:
            yield from below(entry)
        else:
            yield file_at(entry)


def matching(folder: Entry, parts: Sequence[str]) -> Iterator[Entry]:
    """Yield the files and folders that a glob stands for; DataError as in `below`.

    Parameters
    ----------
    folder : where the glob begins.
    parts : of the glob, between its slashes; ** stands for any number of folders.
    """
    part, *rest = parts
    if part == "**":
        yield from matching(folder, rest or ["*"])
        for entry in _named(folder, "*"):
            if entry.is_folder:
                yield from matching(entry, parts)
    elif not rest:
        yield from _named(folder, part)
    else:
        for entry in _named(folder, part):
            if entry.is_folder:
                yield from matching(entry, rest)


def _named(folder: Entry, part: str) -> Iterator[Entry]:
    if not has_magic(part):
        entry = folder.down(part)
        if os.path.lexists(entry.path):
            yield entry
        return
    for entry in folder.inside():
        name = entry.path.name
        if fnmatchcase(name, part) and (part.startswith(".") or not name.startswith(".")):
            yield entry
