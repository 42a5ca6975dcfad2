"""Local files: those that a path, a folder or a glob stands for.

What cannot be listed or read is an error, not passed over.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from glob import has_magic
from pathlib import Path

from biaspipe.errors import DataError
from biaspipe.printable_text import escape

__all__ = ["PathEntry", "files_at"]

SPECIAL = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _allow_all(path: Path, written: str) -> None:
    """Let every file be looked at."""


@dataclass(frozen=True)
class PathEntry:
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
    allow: Callable[[Path, str], None] = _allow_all

    @cached_property
    def status(self) -> os.stat_result:
        """The status of the file, if it may be asked for; DataError if a link leads nowhere."""
        self.allow(self.path, self.written)
        try:
            return self.path.stat()
        except OSError as error:
            words = "the link leads nowhere" if self.path.is_symlink() else error.strerror
            hint = "remove it, or name the files that count"
            raise DataError(f"{self.written}: {words}", hint=hint) from None

    @property
    def identity(self) -> tuple[int, int]:
        """The device and the inode: the same for one file under all its names."""
        return self.status.st_dev, self.status.st_ino

    @property
    def is_folder(self) -> bool:
        """Whether it holds others."""
        return stat.S_ISDIR(self.status.st_mode)

    def inside(self) -> "Iterator[PathEntry]":
        """Yield what a folder holds, sorted by name; DataError if that cannot be listed."""
        if self.identity in self.above:
            raise DataError(f"{self.written}: the link leads to a folder that it is in itself")
        try:
            names = sorted(path.name for path in self.path.iterdir())
        except OSError as error:
            raise DataError(f"{self.written}: {error.strerror}") from None
        above = (*self.above, self.identity)
        yield from (replace(self.down(name), above=above) for name in names)

    def down(self, name: str) -> "PathEntry":
        """Return the entry of a folder that has this name."""
        written = f"{self.written.rstrip('/')}/{name}" if self.written else name
        return PathEntry(self.path / name, written, allow=self.allow)


def _refuse_special(entry: PathEntry) -> PathEntry:
    """Return a file; DataError if it is a pipe or the like, which is read only once."""
    if kind := SPECIAL.get(stat.S_IFMT(entry.status.st_mode)):
        raise DataError(f"{entry.written}: this is {kind}, and no file")
    return entry


def _files_below(folder: PathEntry) -> Iterator[PathEntry]:
    """Yield all files of a folder at any depth, linked folders included.

    Names that begin with "." or "_" are passed over, unless they are a key, as in _day=1.
    DataError names what cannot be listed, leads nowhere, leads back, or is no file.
    """
    for entry in folder.inside():
        if entry.path.name[0] in "._" and "=" not in entry.path.name:
            continue
        if entry.is_folder:
            yield from _files_below(entry)
        else:
            yield _refuse_special(entry)


def _matching(folder: PathEntry, parts: Sequence[str]) -> Iterator[PathEntry]:
    """Yield the files and folders that the parts of a glob stand for; ** is any depth."""
    part, *rest = parts
    if part == "**":
        yield from _matching(folder, rest or ["*"])
        for entry in _named(folder, "*"):
            if entry.is_folder:
                yield from _matching(entry, parts)
    elif not rest:
        yield from _named(folder, part)
    else:
        for entry in _named(folder, part):
            if entry.is_folder:
                yield from _matching(entry, rest)


def _named(folder: PathEntry, part: str) -> Iterator[PathEntry]:
    if not has_magic(part):
        entry = folder.down(part)
        if os.path.lexists(entry.path):
            yield entry
        return
    for entry in folder.inside():
        name = entry.path.name
        if fnmatchcase(name, part) and (part.startswith(".") or not name.startswith(".")):
            yield entry


def files_at(
    local: str,
    written: str,
    folder: Path,
    allow: Callable[[Path, str], None],
    is_data: Callable[[str], bool],
) -> list[PathEntry]:
    """Return the files that a path, a folder or a glob stands for, sorted.

    Parameters
    ----------
    local : the path.
    written : the same, as the spec writes it.
    folder : what relative paths are relative to.
    allow : raises for what may not be looked at.
    is_data : whether a file of a folder holds data, by its name.

    Raises
    ------
    DataError
        If there is none, or one cannot be read.
    """
    if "\0" in local:
        raise DataError(f"{escape(written)}: there is no such file")
    path = folder / local
    is_glob = has_magic(local) and not os.path.lexists(path)
    if not is_glob:
        allow(path, written)
    try:
        if is_glob:
            found, empty = _matched(folder, local, allow, is_data), "no file matches"
        else:
            found, empty = _found(PathEntry(path, written, allow=allow), is_data)
    except OSError as error:
        raise DataError(f"{written}: {error.strerror}") from None
    if not found:
        raise DataError(f"{written}: {empty}", hint=f"looked in {_shown(folder)}")
    return found


def _found(entry: PathEntry, is_data: Callable[[str], bool]) -> tuple[list[PathEntry], str]:
    """Return the files of a folder, or the file itself, and the message if there are none."""
    if entry.path.is_dir():
        files = [inner for inner in _files_below(entry) if is_data(inner.path.name)]
        return files, "the folder holds no data file"
    return [_refuse_special(entry)] if entry.path.exists() else [], "there is no such file"


def _matched(
    folder: Path,
    glob: str,
    allow: Callable[[Path, str], None],
    is_data: Callable[[str], bool],
) -> list[PathEntry]:
    """Return the files that a glob stands for; of a folder that it matches it has to match all."""
    anchor = Path(glob).anchor
    top = PathEntry(Path(anchor or folder), anchor, allow=allow)
    parts = [part for part in glob.split("/") if part]
    while not has_magic(parts[0]):
        top = top.down(parts.pop(0))
    allow(top.path, top.written or ".")
    if not top.path.is_dir():
        return []
    entries = dict.fromkeys(_matching(top, parts))
    files = [e for e in entries if not e.is_folder and not _is_mark(e.path.name, is_data)]
    known = {entry.path for entry in files}
    for entry in entries:
        for inner in _files_below(entry) if entry.is_folder else ():
            if inner.path not in known and is_data(inner.path.name):
                stands = "the glob stands for this folder, and not for what it holds"
                hint = f"** reads folders at any depth, such as {inner.written}"
                raise DataError(f"{entry.written}: {stands}", hint=hint)
    return sorted((_refuse_special(entry) for entry in files), key=lambda entry: entry.written)


def _is_mark(name: str, is_data: Callable[[str], bool]) -> bool:
    """Whether a file only says that the others are complete, such as _SUCCESS."""
    return name.startswith("_") and not is_data(name)


def _shown(folder: Path) -> str:
    return "the spec's folder" if str(folder) in ("", ".") else f"{folder}, the spec's folder"
