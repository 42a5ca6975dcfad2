"""Compressed text, unpacked some at a time and no further than it may go."""

import zlib
from pathlib import Path
from typing import BinaryIO, Protocol

from biaspipe.errors import DataError, LimitError
from biaspipe.policy import DEFAULT

__all__ = ["BLOCK", "JsonLines", "Sink", "Unzipped", "refuse_much", "unzipped", "zstd_size"]

BLOCK = 1 << 16
"""Bytes that are read at a time; what numpy makes of them stays in the cache of a core."""
FREE = 1 << 28
"""Bytes that any file may unpack to."""
RATIO = 200
"""How many times its size a file may unpack to beyond that; tables come to 50 at most."""
ZLIB = zlib.MAX_WBITS | 32
"""Both of zlib's formats, of which one is gzip's."""
ZSTD, SKIPPED = 0xFD2FB528, 0x184D2A50
ZSTD_BLOCK = 1 << 17
"""The most bytes that a block of zstd unpacks to."""
RAW, RLE, PACKED = 0, 1, 2
"""The kinds of such blocks."""


class Sink(Protocol):
    """What follows the bytes of a text."""

    name: str

    def read(self, block: bytes | memoryview) -> None:
        """Follow the next bytes."""

    def end(self) -> None:
        """Follow what stands behind the last line break."""


class JsonLines:
    """Follows lines of JSON, of which none may be too long to be held.

    Parameters
    ----------
    name : what messages call the file.
    longest : the bytes of a line; None where lines mean nothing.
    """

    def __init__(self, name: str, longest: int | None) -> None:
        self.name, self.longest = name, longest
        self.line, self.length = 1, 0

    def read(self, block: bytes | memoryview) -> None:
        """Follow the next bytes; LimitError if a line is too long."""
        if self.longest is None:
            return
        text = bytes(block)
        first = text.find(b"\n")
        if len(text) > self.longest or self.length + len(text[:first]) > self.longest:
            lengths = [len(line) for line in text.split(b"\n")]
            lengths[0] += self.length
            if long := [i for i, length in enumerate(lengths) if length > self.longest]:
                words = f"line {self.line + long[0]:,} is longer than {self.longest:,} bytes"
                hint = "the policy's limits: {line: ...} allows more"
                raise LimitError(f"{self.name}: {words}", hint=hint)
        self.line += text.count(b"\n")
        self.length = self.length + len(text) if first < 0 else len(text) - text.rfind(b"\n") - 1

    def end(self) -> None:
        """Do nothing: the last line needs no line break."""


class Text:
    """Keeps a text as it is.

    Parameters
    ----------
    name : what messages call the file.
    """

    def __init__(self, name: str) -> None:
        self.name, self.parts = name, list[bytes]()

    def read(self, block: bytes | memoryview) -> None:
        """Keep the next bytes."""
        self.parts.append(bytes(block))

    def end(self) -> None:
        """Do nothing."""


class Unzipped:
    """Hands on the text that a file holds, which may be several compressed ones in a row.

    Parameters
    ----------
    sink : what follows the text.
    packed : the bytes of the file.
    most : the bytes that it may unpack to.
    """

    def __init__(self, sink: Sink, packed: int, most: int) -> None:
        self.sink, self.packed, self.most = sink, packed, most
        self.name = sink.name
        self.unzip, self.size = zlib.decompressobj(ZLIB), 0

    def read(self, block: bytes | memoryview) -> None:
        """Unpack the next bytes, some at a time, however much they stand for."""
        try:
            while block:
                if self.unzip.eof:
                    self.unzip = zlib.decompressobj(ZLIB)
                text = self.unzip.decompress(block, BLOCK)
                self.size += len(text)
                refuse_much(self.name, self.packed, self.size, self.most)
                self.sink.read(text)
                block = self.unzip.unconsumed_tail or self.unzip.unused_data
        except zlib.error:
            raise DataError(f"{self.name}: the compressed data is damaged") from None

    def end(self) -> None:
        """Follow the last line; DataError if something is cut off behind it."""
        if not self.unzip.eof:
            raise DataError(f"{self.name}: the compressed data is cut off")
        self.sink.end()


def unzipped(name: str, content: bytes) -> bytes:
    """Return the text that a gzip file holds; DataError if that is damaged, or too much.

    Parameters
    ----------
    name : what messages call the file.
    content : its bytes.
    """
    text = Text(name)
    unzip = Unzipped(text, len(content), DEFAULT.limits.unpacked)
    for at in range(0, len(content), BLOCK):
        unzip.read(content[at : at + BLOCK])
    unzip.end()
    return b"".join(text.parts)


def refuse_much(name: str, packed: int, unpacked: int, most: int) -> None:
    """Refuse a file that unpacks to more than it may, as no table of people does.

    Parameters
    ----------
    name : what messages call the file.
    packed : its bytes.
    unpacked : the bytes that it is known to unpack to.
    most : those that it may unpack to at most.

    Raises
    ------
    LimitError
        With the sizes.
    """
    if unpacked > most:
        words = f"{name}: the {packed:,} bytes unpack to more than {most:,}"
        raise LimitError(words, hint="the policy's limits: {unpacked: ...} allows more")
    if unpacked > FREE and unpacked > RATIO * packed:
        words = f"{name}: the {packed:,} bytes unpack to {RATIO} times as much and more"
        raise LimitError(words, hint="unpack the file where it is trusted, or write it as Parquet")


def zstd_size(path: Path, enough: int) -> int:
    """Return how many bytes a zstd file unpacks to at most, without unpacking it.

    What is no zstd ends the count: whoever unpacks it says what is wrong.

    Parameters
    ----------
    path : the file.
    enough : the bytes from which on nobody wants to know more.
    """
    total = lie = 0
    with path.open("rb") as file:
        while total + lie <= enough and len(start := file.read(4)) == 4:
            magic = int.from_bytes(start, "little")
            if magic & ~0xF == SKIPPED:
                file.seek(int.from_bytes(file.read(4), "little"), 1)
            elif magic == ZSTD:
                size, said = _frame_size(file, enough)
                total += min(size, said)
                lie = max(lie, size - said)  # whoever unpacks it ends at the first one
            else:
                break
    return total + lie


def _frame_size(file: BinaryIO, enough: int) -> tuple[int, int]:
    """Return the most bytes of a frame, and those that it says; go to its end.

    Its magic number was read before.
    """
    flags = int.from_bytes(file.read(1), "little")
    is_single = bool(flags & 0x20)
    file.seek((not is_single) + (0, 1, 2, 4)[flags & 3], 1)
    width = (int(is_single), 2, 4, 8)[flags >> 6]
    known = int.from_bytes(file.read(width), "little") + (256 if width == 2 else 0)
    total, is_last = 0, False
    while not is_last and total <= enough:
        head = file.read(3)
        block = int.from_bytes(head, "little")
        is_last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if len(head) < 3 or kind > PACKED:
            break
        total += ZSTD_BLOCK if kind == PACKED else size
        file.seek(1 if kind == RLE else size, 1)
    file.seek(4 if flags & 4 else 0, 1)
    return total, known if width else total
