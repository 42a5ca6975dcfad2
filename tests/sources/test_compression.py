"""Files that unpack to more than any table is end in an error, with little memory and time."""

import gzip
import io
import json
import resource
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from biaspipe.errors import DataError, LimitError
from biaspipe.pipeline import Options, run
from biaspipe.policy import Limits, Policy
from biaspipe.sources import compression
from biaspipe.sources.compression import refuse_excess, zstd_size
from biaspipe.sources.lines import CsvLines
from biaspipe.spec import EngineName
from tests.cli.calls import start
from tests.engines.builders import USUAL, prepare, write
from tests.examples import is_thorough

HEAD = b"sex,label\nm,1\nm,0\nf,1\nf,0\n"
JSON = b'{"sex":"m","label":1}\n{"sex":"f","label":0}\n'
MEGABYTE = 1_000_000


def zipped(*parts: tuple[bytes, int]) -> bytes:
    """Return parts, each repeated, as a gzip file."""
    pack = zlib.compressobj(9, wbits=31)
    return b"".join(pack.compress(part * times) for part, times in parts) + pack.flush()


def zstd(*blocks: tuple[bytes, int], says: int | None = None) -> bytes:
    """Return blocks as a frame of zstd: each is raw, or one byte that is repeated."""
    flags, size = (0, b"") if says is None else (0x80, struct.pack("<I", says))
    frame = b"\x28\xb5\x2f\xfd" + bytes([flags, 0x58]) + size
    for i, (part, times) in enumerate(blocks):
        kind, length = (1, times) if times > 1 else (0, len(part))
        header = (i == len(blocks) - 1) | kind << 1 | length << 3
        frame += header.to_bytes(3, "little") + part
    return frame


MUCH = 1 << 17
BOMBS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "long line": (
        "a.csv.gz",
        lambda: zipped((HEAD, 1), (b"m", 40 * MEGABYTE)),
        "line 6 is longer than",
    ),
    "open quote": (
        "a.csv.gz",
        lambda: zipped((HEAD + b'"', 1), (b"m\n", 20 * MEGABYTE)),
        "line 6 opens a quote that is never closed",
    ),
    "odd quotes": (
        "a.csv.gz",
        lambda: zipped((HEAD + b'"', 1), (b'm""\n', 5 * MEGABYTE)),
        "line 6 opens a quote that is never closed",
    ),
    "rows": (
        "a.csv.gz",
        lambda: zipped((HEAD, 1), (b"m,1\n", MEGABYTE // 2)),
        "unpack to 200 times",
    ),
    "members": (
        "a.csv.gz",
        lambda: zipped((HEAD, 1)) + 10 * zipped((b"m,1\n", MEGABYTE // 20)),
        "unpack to 200 times",
    ),
    "cut off": (
        "a.csv.gz",
        lambda: zipped((HEAD, 1), (b"m,1\n", MEGABYTE // 2))[:-9],
        "unpack to 200 times",
    ),
    "line of JSON": (
        "a.jsonl.gz",
        lambda: zipped((JSON + b'{"sex":"', 1), (b"m", 40 * MEGABYTE)),
        "line 3 is longer than",
    ),
    "document of JSON": (
        "a.json.gz",
        lambda: zipped((b"[", 1), (b'{"sex":"m","label":1},', MEGABYTE // 8)),
        "unpack to 200 times",
    ),
    "repeated bytes": (
        "a.csv.zst",
        lambda: zstd((HEAD, 1), *[(b"m", MUCH)] * 2_100),
        "unpack to 200 times",
    ),
    "frames": (
        "a.csv.zst",
        lambda: zstd((HEAD, 1)) + 2_100 * zstd((b"m", MUCH)),
        "unpack to 200 times",
    ),
    "size that is a lie": (
        "a.csv.zst",
        lambda: zstd((HEAD, 1), *[(b"m", MUCH)] * 2_100, says=10),
        "unpack to 200 times",
    ),
    "window": ("a.csv.zst", lambda: b"\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00", "too much memory"),
    "nested lines": (
        "a.jsonl",
        lambda: JSON + b'{"sex":"m","label":1,"x":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n",
        "cannot be read: DepthLimitExceeded",
    ),
    "nested document": (
        "a.json",
        lambda: b'[{"sex":"m","label":1,"x":' + b"[" * 200_000 + b"]" * 200_000 + b"}]",
        "the JSON is nested too deep",
    ),
}
"""Files by what is too much in them, how each is made, and what is said of it."""


SLOW = ("rows", "members", "cut off", "document of JSON")
"""Bombs that take long until their size shows, which is smaller, as is what is free for them."""


@pytest.mark.parametrize("bomb", SLOW)
def test_much_that_is_sound_is_refused(
    bomb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file whose rows are as they should be, and far too many, is refused while it is read."""
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 1 << 20)
    name, make, words = BOMBS[bomb]
    write(tmp_path / name, make())
    data = {"path": name, "format": name.split(".")[1]}
    with pytest.raises(LimitError, match=words):
        run(prepare(tmp_path, data=data))


@pytest.mark.parametrize("bomb", [bomb for bomb in BOMBS if bomb not in SLOW])
def test_bomb_is_refused_in_little_memory(bomb: str, tmp_path: Path) -> None:
    """A process that reads a bomb ends with exit 3 and its name, within a gigabyte."""
    name, make, words = BOMBS[bomb]
    content = make()
    assert len(content) < 2 * MEGABYTE
    write(tmp_path / name, content)
    spec = {**USUAL, "data": {"path": name, "format": name.split(".")[1]}}
    write(tmp_path / "audit.yaml", json.dumps(spec))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    write(tmp_path / "policy.yaml", "version: 1\nlimits: {line: 2 MB}\n")
    policy = () if is_thorough() else ("--policy", "policy.yaml")  # shorter lines are done sooner
    done = start("run", "audit.yaml", *policy, cwd=tmp_path)
    assert (done.code, done.out) == (3, "")
    assert words in done.err
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most in (before, min(most, MEGABYTE if sys.platform == "linux" else 1 << 30))


@pytest.mark.parametrize("bomb", ["long line", "line of JSON", "frames", "window"])
def test_duckdb_refuses_bombs_too(bomb: str, tmp_path: Path) -> None:
    """DuckDB is told to stop, and the words are the same."""
    name, make, words = BOMBS[bomb]
    write(tmp_path / name, make())
    with pytest.raises(DataError, match=words):
        run(prepare(tmp_path, data={"path": name}), Options(engine="duckdb"))


BOUNDS: dict[str, tuple[str, bytes, dict[str, int], str]] = {
    "unpacked": (
        "a.csv.gz",
        zipped((HEAD, 1), (b"m,1\n", 1_000)),
        {"unpacked": 1_000},
        "unpack to more than 1,000",
    ),
    "quote": ("a.csv", HEAD + b'"' + b"m\n" * 100_000, {"line": 100_000}, "is never closed"),
    "line": (
        "a.csv.gz",
        zipped((HEAD, 1), (b"m", 200_000)),
        {"line": 100_000},
        "than 100,000 bytes",
    ),
    "line of JSON": (
        "a.jsonl",
        JSON + b'{"sex":"' + b"m" * 200_000 + b'","label":1}\n',
        {"line": 100_000},
        "line 3 is longer than 100,000 bytes",
    ),
}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("bound", BOUNDS)
def test_policy_sets_the_bounds(bound: str, engine: EngineName, tmp_path: Path) -> None:
    """A policy may allow less, and the error says so."""
    name, content, limits, words = BOUNDS[bound]
    write(tmp_path / name, content)
    policy = Policy(version=1, limits=Limits.model_validate(limits))
    with pytest.raises(DataError, match=words):
        run(prepare(tmp_path, data={"path": name}), Options(engine=engine, policy=policy))


def honest(frame: pl.DataFrame) -> dict[str, bytes]:
    """Return a table as each kind of compressed text."""
    text = frame.write_csv().encode()
    small = [zstd((text[i : i + 500], 1)) for i in range(0, len(text), 500)]
    packed = io.BytesIO()
    frame.write_csv(packed, compression="zstd")
    return {
        "a.csv.gz": gzip.compress(text),
        "b.csv.gz": b"".join(gzip.compress(line + b"\n") for line in text.splitlines()),
        "c.csv.zst": packed.getvalue(),
        "d.csv.zst": b"".join(small),
    }


@pytest.mark.parametrize("name", ["a.csv.gz", "b.csv.gz", "c.csv.zst", "d.csv.zst"])
def test_honest_files_are_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is compressed in one piece or in many is read, whatever its size."""
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 1_000)
    frame = pl.DataFrame({"sex": ["m", "f", "f", "m"] * 500, "label": [1, 0, 1, 1] * 500})
    frame = frame.with_columns(id=pl.int_range(2_000) * 7_919 % 2_000)
    write(tmp_path / name, honest(frame)[name])
    assert run(prepare(tmp_path, data={"path": name})).result.data.rows == 2_000


SIZES: dict[str, tuple[Callable[[], bytes], int]] = {
    "raw": (lambda: zstd((b"a" * 500, 1)), 500),
    "repeated": (lambda: zstd((b"a", 70_000)), 70_000),
    "frames": (lambda: zstd((b"abc", 1)) * 3, 9),
    "skipped": (lambda: b"\x50\x2a\x4d\x18\x05\0\0\0hello" + zstd((b"abc", 1)), 3),
    "lie": (lambda: zstd((b"a", 70_000), (b"a", 70_000), says=3) * 2, 3 + 3 + 139_997),
    "nothing": (lambda: b"", 0),
    "no zstd": (lambda: b"sex,label\n", 0),
    "cut off": (lambda: zstd((b"a", 70_000))[:8], 0),
}


@pytest.mark.parametrize("name", SIZES)
def test_zstd_is_measured_without_unpacking(name: str, tmp_path: Path) -> None:
    """The most that a zstd file unpacks to follows from its blocks."""
    make, size = SIZES[name]
    write(tmp_path / "a.zst", make())
    assert zstd_size(tmp_path / "a.zst", 1 << 40) == size


def test_ratio_matters_only_for_much() -> None:
    """A small file may unpack to any size, a large one to two hundred times its own."""
    refuse_excess("a", 1, 1 << 28, 1 << 40)
    refuse_excess("a", 1 << 30, 200 << 30, 1 << 40)
    with pytest.raises(LimitError, match="a: the 1,000,000 bytes unpack to 200 times as much"):
        refuse_excess("a", 1_000_000, 1 << 28 | 1, 1 << 40)


def test_long_rows_are_followed_as_short_ones() -> None:
    """Rows of a megabyte, with and without quotes, are counted whatever the blocks are."""
    row = b'"' + b'm""\n' * 20_000 + b'",1\n' + b"f" * 400_000 + b",0\n" + b"m,1\n"
    text = b"sex,label\n" + row * 3
    for size in (1 << 16, 1 << 20, len(text)):
        lines = CsvLines("a.csv", ",", header=True)
        for at in range(0, len(text), size):
            lines.read(text[at : at + size])
        lines.end()
        assert lines.rows == 9
