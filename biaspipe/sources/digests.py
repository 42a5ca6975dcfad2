"""The bytes of all input files, read once beside the count: for digests, and line by line."""

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
from biaspipe.sources.files import COMPRESSED, TEXT, Files, Input, is_csv, packing, separator_of
from biaspipe.sources.lines import LARGE, Lines
from biaspipe.sources.unpacking import (
    BLOCK,
    JsonLines,
    Sink,
    Unzipped,
    refuse_much,
    zstd_size,
)
from biaspipe.sources.waiting import each, heed, unheed
from biaspipe.spec import Source, joint_digest

__all__ = ["Digests"]

PACKED = 4
"""How many bytes of text a byte of a compressed file stands for, about."""
MOST_AT_ONCE = 4
"""Compressed files that are unpacked at a time, as engines do, who must not get ahead."""
NEW = 20_000_000
"""Nanoseconds within which a file that changes twice may show the same times."""


@dataclass
class _Table:
    """A table, and for each of its files on this machine the digest and lines, on their way."""

    source: Source
    files: Files
    futures: list[Future[tuple[str, Lines | None]]] = field(default_factory=list)


class Digests:
    """The digests of all input files, taken beside the count; a file that changes is refused.

    The same bytes tell whether each line of a text table has as many fields as the first.

    Parameters
    ----------
    sources : every table of files in the spec, and its files.
    policy : how much of them is read.
    """

    def __init__(self, sources: Sequence[tuple[Source, Files]], policy: Policy = DEFAULT) -> None:
        self.limits = policy.limits
        self.tables = [_Table(source, files) for source, files in sources]
        local = [table for table in self.tables if not table.files.remote]
        singles = [one for table in local for one in table.files.singles]
        self.paths = [(Path(one.real[0]), one.name) for one in singles]
        self.before = {path: _settled(path) for path, _ in self.paths}
        for path, written in self.paths:
            if not self.before[path][0]:
                raise DataError(f"{written}: the file is empty")
        self.packed = {one.real[0]: self._packing(one) for one in singles if one.format in TEXT}
        self.stopped, self.alarm = Event(), Future[None]()
        heed(self.alarm)
        workers = min(MOST_AT_ONCE, max(1, sum(map(bool, self.packed.values()))))
        self.pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="digest")
        for table in local:
            ones = table.files.singles
            table.futures = [self.pool.submit(self._heard, table.source, one) for one in ones]

    def _packing(self, one: Files) -> str:
        """Return how a text is compressed; LimitError if it says that it holds too much."""
        path = Path(one.real[0])
        how, packed = packing(path), self.before[path][0]
        if how == "zstd":
            most = self.limits.unpacked
            refuse_much(one.name, packed, zstd_size(path, most), most)
        return how

    def _heard(self, source: Source, one: Files) -> tuple[str, Lines | None]:
        """Read a file; whoever waits for the count hears of one that holds too much."""
        try:
            return self._read(source, one)
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

    def result(self) -> tuple[Input, ...]:
        """Wait for the digests.

        Raises
        ------
        DataError
            If a file changed while it was read.
        """
        remote = [table.files for table in self.tables if table.files.remote]
        inputs = {name: Input(name, None, None) for files in remote for name in files.written}
        futures = [future for table in self.tables for future in table.futures]
        for (path, written), future in zip(self.paths, futures, strict=True):
            inputs[written] = Input(written, self.before[path][0], future.result()[0])
        self.refuse_changed()
        self.close()
        return tuple(inputs[name] for name in sorted(inputs))

    def refuse_unexpected(self) -> None:
        """Refuse tables whose digest the spec expects to be another one; DataError shows both."""
        for table in self.tables:
            expected = table.source.expect and table.source.expect.sha256
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
        """The rows of each table, once all of its lines are followed; None where it has none.

        Raises
        ------
        DataError
            If a line of a text table has more or fewer fields than the first one, or quotes that
            an engine could take for others than were meant.
        """
        try:
            return [self._rows(table) if is_csv(table.files) else None for table in self.tables]
        except DataError:
            self.refuse_changed()
            raise

    def _rows(self, table: _Table) -> int:
        read = [future.result()[1] for future in table.futures]
        lines = self._followed(table) if table.files.remote else [one for one in read if one]
        for one in lines[1:]:
            one.refuse_other_columns(lines[0])
        return sum(one.rows for one in lines)

    def _read(self, source: Source, one: Files) -> tuple[str, Lines | None]:
        """Return the digest of a file, and its lines if it is a text table."""
        path, digest = Path(one.real[0]), hashlib.sha256()
        how, size = self.packed.get(one.real[0], ""), self.before[path][0]
        lines = None
        text: Sink | None = None
        try:
            if is_csv(one):
                large = size * (PACKED if how else 1)
                text = lines = self._lines(source, one, one.name, large)
            elif one.format in TEXT:
                text = JsonLines(one.name, self.limits.line if one.format != "json" else None)
            if text and how == "zlib":
                text = Unzipped(text, size, self.limits.unpacked)
            with path.open("rb", buffering=0) as file:
                block = memoryview(bytearray(BLOCK))
                while not self.stopped.is_set() and (size := file.readinto(block)):
                    digest.update(block[:size])
                    if text and how != "zstd":
                        text.read(block[:size])
        except OSError as error:
            raise DataError(f"{one.name}: {error.strerror}") from None
        if lines and how == "zstd":
            self._unpack(one, lines)
        if text and not self.stopped.is_set():
            text.end()
        return digest.hexdigest(), lines

    def _unpack(self, one: Files, lines: Lines) -> None:
        from biaspipe.sources.scan import lines_of  # noqa: PLC0415 - polars is slow to import

        for _, text in lines_of(one):
            if self.stopped.is_set():
                return
            lines.read(text)

    def _followed(self, table: _Table) -> list[Lines]:
        """Follow the lines of remote files, in a pass of their own."""
        from biaspipe.sources.scan import lines_of  # noqa: PLC0415 - as above

        found: dict[str, Lines] = {}
        for name, text in each(lines_of(table.files)):
            if name not in found:
                found[name] = self._lines(table.source, table.files, name, sys.maxsize)
            found[name].read(text)
        for one in found.values():
            one.end()
        return list(found.values())

    def _lines(self, source: Source, files: Files, name: str, size: int) -> Lines:
        csv = source.csv
        named = len(csv.columns) if csv.columns else None
        separator, quick = separator_of(files, csv), size >= LARGE
        lines = Lines(name, separator, header=csv.header, named=named, quick=quick)
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
        unheed(self.alarm)
        self.pool.shutdown(wait=False, cancel_futures=True)


def _settled(path: Path) -> tuple[int, ...]:
    """Return the state of a file once a further change would show in it."""
    state = _state(path)
    if 0 <= time.time_ns() - state[-1] < NEW:
        time.sleep(NEW / 1e9)
        return _state(path)
    return state


def _state(path: Path) -> tuple[int, ...]:
    """Return what a file's status says of its content, and that it is the same file; size first."""
    try:
        stat = path.stat()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    return stat.st_size, stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns
