"""Compressed files: unpacked some at a time, and no further than they may go."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from biaspipe.errors import DataError, LimitError
from biaspipe.policy import DEFAULT

__all__ = [
    "BLOCK",
    "COMPRESSED",
    "GZIP",
    "ZSTD",
    "Gunzip",
    "compression_of",
    "gunzip",
    "refuse_excess",
    "zstd_size",
]

COMPRESSED = (".gz", ".zst")
"""How the names of compressed files end."""
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
MAGIC: dict[bytes, Literal["zlib", "zstd"]] = {
    GZIP: "zlib",
    b"x\x01": "zlib",
    b"x\x9c": "zlib",
    b"x\xda": "zlib",
    ZSTD: "zstd",
}
"""How compressed files begin, and what unpacks them."""

BLOCK = 1 << 16
"""Bytes that are read at a time; what numpy makes of them stays in the cache of a core."""
ALWAYS_ALLOWED = 1 << 28
"""Bytes that any file may unpack to."""
RATIO = 200
"""How many times its size a file may unpack to beyond that; tables come to 50 at most."""
ZLIB = zlib.MAX_WBITS | 32
"""Both of zlib's formats, of which one is gzip's."""
SKIPPED = 0x184D2A50
"""The frames of zstd that hold no data, but for the last four bits."""
ZSTD_BLOCK = 1 << 17
"""The most bytes that a block of zstd unpacks to."""
RAW, RLE, PACKED = 0, 1, 2
"""The kinds of such blocks."""


def compression_of(path: Path) -> Literal["", "zlib", "zstd"]:
    """Return how a file is compressed, as its content says, by which polars goes, not its name."""
    with path.open("rb") as file:
        start = file.read(4)
    return next((how for magic, how in MAGIC.items() if start.startswith(magic)), "")


class Gunzip:
    """Unpacks a file that holds one gzip or zlib stream, or several in a row.

    Parameters
    ----------
    name : what messages call the file.
    packed : the bytes of the file.
    most : the bytes that it may unpack to.
    """

    def __init__(self, name: str, packed: int, most: int) -> None:
        self.name, self.packed, self.most = name, packed, most
        self.unzip, self.size = zlib.decompressobj(ZLIB), 0

    def read(self, block: bytes | memoryview) -> Iterator[bytes]:
        """Yield what the next bytes unpack to, some at a time.

        Raises
        ------
        DataError
            If they are damaged.
        LimitError
            If they unpack to too much.
        """
        while block:
            if self.unzip.eof:
                self.unzip = zlib.decompressobj(ZLIB)
            try:
                text = self.unzip.decompress(block, BLOCK)
            except zlib.error:
                raise DataError(f"{self.name}: the compressed data is damaged") from None
            self.size += len(text)
            refuse_excess(self.name, self.packed, self.size, self.most)
            yield text
            block = self.unzip.unconsumed_tail or self.unzip.unused_data

    def end(self) -> None:
        """Raise DataError if something is cut off at the end."""
        if not self.unzip.eof:
            raise DataError(f"{self.name}: the compressed data is cut off")


def gunzip(name: str, content: bytes) -> bytes:
    """Return the text that a gzip file holds; DataError if that is damaged, or too much.

    Parameters
    ----------
    name : what messages call the file.
    content : its bytes.
    """
    unzip = Gunzip(name, len(content), DEFAULT.limits.unpacked)
    blocks = (content[at : at + BLOCK] for at in range(0, len(content), BLOCK))
    text = b"".join(part for block in blocks for part in unzip.read(block))
    unzip.end()
    return text


def refuse_excess(name: str, packed: int, unpacked: int, most: int) -> None:
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
    if unpacked > ALWAYS_ALLOWED and unpacked > RATIO * packed:
        words = f"{name}: the {packed:,} bytes unpack to {RATIO} times as much and more"
        raise LimitError(words, hint="unpack the file where it is trusted, or write it as Parquet")


def zstd_size(path: Path, enough: int) -> int:
    """Return how many bytes a zstd file unpacks to at most, without unpacking it.

    What is no zstd ends the count: unpacking it will say what is wrong.

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
            elif start == ZSTD:
                size, said = _frame_size(file, enough)
                total += min(size, said)
                lie = max(lie, size - said)  # unpacking ends at the first one
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
