"""The bytes of all files on this machine, read once beside the count: digests, and lines."""

import hashlib
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Event

from biaspipe.errors import DataError, LimitError
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources.compression import (
    BLOCK,
    COMPRESSED,
    Gunzip,
    compression_of,
    refuse_excess,
    zstd_size,
)
from biaspipe.sources.files import TEXT, InputFile, TableFiles
from biaspipe.sources.interrupts import add_alarm, interruptible_each, remove_alarm
from biaspipe.sources.lines import LARGE, CsvLines, JsonLines
from biaspipe.spec import joint_digest

__all__ = ["Digests"]

PACKED = 4
"""How many bytes of text a byte of a compressed file stands for, about."""
MAX_AT_ONCE = 4
"""Compressed files that are unpacked at a time, as engines do, who must not get ahead."""
TIME_RESOLUTION = 20_000_000
"""Nanoseconds within which a file that changes twice may show the same times."""


@dataclass
class _TableDigests:
    """A table; for each of its files on this machine, the digest and lines to wait for."""

    files: TableFiles
    futures: list[Future[tuple[str, CsvLines | None]]] = field(default_factory=list)


class Digests:
    """The digests of all input files, taken beside the count; a file that changes is refused.

    The same bytes tell whether each line of a text table has as many fields as the first.

    Parameters
    ----------
    tables : the files of every table in the spec.
    policy : how much of them is read.
    """

    def __init__(self, tables: Sequence[TableFiles], policy: Policy = DEFAULT) -> None:
        self.limits = policy.limits
        self.tables = [_TableDigests(files) for files in tables]
        local = [table for table in self.tables if not table.files.remote]
        singles = [one for table in local for one in table.files.singles]
        self.paths = [(Path(one.real[0]), one.name) for one in singles]
        self.before = {path: _stable_state(path) for path, _ in self.paths}
        for path, written in self.paths:
            if not self.before[path][0]:
                raise DataError(f"{written}: the file is empty")
        texts = [one for one in singles if one.format in TEXT]
        self.compression = {one.real[0]: self._compression(one) for one in texts}
        self.stopped, self.alarm = Event(), Future[None]()
        self.read: dict[str, int] = {}
        add_alarm(self.alarm)
        workers = min(MAX_AT_ONCE, max(1, sum(map(bool, self.compression.values()))))
        self.pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="digest")
        for table in local:
            ones = table.files.singles
            table.futures = [self.pool.submit(self._read_or_fail, one) for one in ones]

    def _compression(self, one: TableFiles) -> str:
        """Return how a text is compressed; LimitError if it says that it holds too much."""
        path = Path(one.real[0])
        how, packed = compression_of(path), self.before[path][0]
        if how == "zstd":
            most = self.limits.unpacked
            refuse_excess(one.name, packed, zstd_size(path, most), most)
        return how

    def _read_or_fail(self, one: TableFiles) -> tuple[str, CsvLines | None]:
        """Read a file; one that holds too much ends the wait for the count."""
        try:
            return self._read(one)
        except LimitError as error:
            with suppress(InvalidStateError):
                self.alarm.set_exception(error)
            raise

    @property
    def total(self) -> int:
        """Bytes of all files on this machine; compressed or remote data counts as large."""
        tables = [table.files for table in self.tables]
        if any(t.remote or n.endswith(COMPRESSED) for t in tables for n in t.real):
            return sys.maxsize
        return sum(state[0] for state in self.before.values())

    def bytes_read(self) -> tuple[int, int] | None:
        """Return how many bytes on this machine are read, and of how many; None without any."""
        whole = sum(state[0] for state in self.before.values())
        return (sum([*self.read.values()]), whole) if whole else None

    def result(self) -> tuple[InputFile, ...]:
        """Wait for the digests.

        Raises
        ------
        DataError
            If a file changed while it was read.
        """
        remote = [table.files for table in self.tables if table.files.remote]
        inputs = {name: InputFile(name, None, None) for files in remote for name in files.written}
        futures = [future for table in self.tables for future in table.futures]
        for (path, written), future in zip(self.paths, futures, strict=True):
            inputs[written] = InputFile(written, self.before[path][0], future.result()[0])
        self.refuse_changed()
        self.close()
        return tuple(inputs[name] for name in sorted(inputs))

    def refuse_unexpected(self) -> None:
        """Refuse tables whose digest the spec expects to be another one; DataError shows both."""
        for table in self.tables:
            expected = table.files.source.expect and table.files.source.expect.sha256
            if not expected:
                continue
            digests = [future.result()[0] for future in table.futures]
            found = joint_digest(dict(zip(table.files.written, digests, strict=True)))
            if found != expected:
                self.refuse_changed()
                words = f"{table.files.name}: the digest is {found}, and the spec expects"
                hint = "other bytes, or another set of files, than the spec was written for"
                raise DataError(f"{words} {expected}", hint=hint)

    @cached_property
    def rows(self) -> list[int | None]:
        """The rows of each table, once all of its lines are read; None where it has no lines.

        Raises
        ------
        DataError
            If a line of a text table has more or fewer fields than the first one, or quotes that
            an engine could take for others than were meant.
        """
        try:
            return [self._rows(table) if table.files.is_csv else None for table in self.tables]
        except DataError:
            self.refuse_changed()
            raise

    def _rows(self, table: _TableDigests) -> int:
        read = [future.result()[1] for future in table.futures]
        lines = self._remote_lines(table) if table.files.remote else [one for one in read if one]
        for one in lines[1:]:
            one.refuse_other_columns(lines[0])
        return sum(one.rows for one in lines)

    def _read(self, one: TableFiles) -> tuple[str, CsvLines | None]:
        """Return the digest of a file, and its lines if it is a text table."""
        path, digest, name = Path(one.real[0]), hashlib.sha256(), one.real[0]
        self.read[name] = 0
        how, size = self.compression.get(one.real[0], ""), self.before[path][0]
        large = size * (PACKED if how else 1)
        lines = self._lines(one, one.name, large) if one.is_csv else None
        text = lines or (JsonLines(one.name, self.limits.line) if one.format in TEXT else None)
        unzip = Gunzip(one.name, size, self.limits.unpacked) if how == "zlib" else None
        try:
            with path.open("rb", buffering=0) as file:
                block = memoryview(bytearray(BLOCK))
                while not self.stopped.is_set() and (size := file.readinto(block)):
                    digest.update(block[:size])
                    self.read[name] += size
                    if text and how != "zstd":
                        for part in unzip.read(block[:size]) if unzip else (block[:size],):
                            text.read(part)
        except OSError as error:
            raise DataError(f"{one.name}: {error.strerror}") from None
        if lines and how == "zstd":
            self._unpack(one, lines)
        if unzip and not self.stopped.is_set():
            unzip.end()
        if lines and not self.stopped.is_set():
            lines.end()
        return digest.hexdigest(), lines

    def _unpack(self, one: TableFiles, lines: CsvLines) -> None:
        from biaspipe.sources.scan import text_lines  # noqa: PLC0415 - polars is slow to import

        for _, text in text_lines(one):
            if self.stopped.is_set():
                return
            lines.read(text)

    def _remote_lines(self, table: _TableDigests) -> list[CsvLines]:
        """Check the lines of remote files, in a pass of their own."""
        from biaspipe.sources.scan import text_lines  # noqa: PLC0415 - as above

        found: dict[str, CsvLines] = {}
        for name, text in interruptible_each(text_lines(table.files)):
            if name not in found:
                found[name] = self._lines(table.files, name, sys.maxsize)
            found[name].read(text)
        for one in found.values():
            one.end()
        return list(found.values())

    def _lines(self, files: TableFiles, name: str, size: int) -> CsvLines:
        csv, quick = files.source.csv, size >= LARGE
        named = len(csv.columns) if csv.columns else None
        lines = CsvLines(name, files.separator, header=csv.header, named=named, quick=quick)
        lines.longest = self.limits.line
        return lines

    def refuse_faulty(self) -> None:
        """Refuse files that are found to hold too much by now, before they are read once more."""
        if self.alarm.done():
            self.alarm.result()

    def refuse_changed(self) -> None:
        """Refuse files that are others than when the run began; DataError names them."""
        for path, written in self.paths:
            if _state(path) != self.before[path]:
                raise DataError(f"{written}: the file changed while it was read")

    def close(self) -> None:
        """Stop digesting, in the middle of a file too."""
        self.stopped.set()
        remove_alarm(self.alarm)
        self.pool.shutdown(wait=False, cancel_futures=True)


def _stable_state(path: Path) -> tuple[int, ...]:
    """Return the state of a file, late enough that a further change would show in it."""
    state = _state(path)
    if 0 <= time.time_ns() - state[-1] < TIME_RESOLUTION:
        time.sleep(TIME_RESOLUTION / 1e9)
        return _state(path)
    return state


def _state(path: Path) -> tuple[int, ...]:
    """Return size, identity and times of a file, which change with its content."""
    try:
        stat = path.stat()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    return stat.st_size, stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns
