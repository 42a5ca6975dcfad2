"""JSON of strangers: what is refused, in which words, and in linear time."""

import gc
import json
import os
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from biaspipe.cli.older_outputs import OlderOutputs
from biaspipe.errors import SpecError
from biaspipe.migration.config_file import is_config, read_config
from biaspipe.report import untrusted_json
from biaspipe.report.analysis import read_analysis
from biaspipe.report.untrusted_json import content_of, parse_json
from tests.cli.calls import call

LONG = b'{"%s": 1, "%s": 2}' % (b"a" * 9999, b"a" * 9999)
ATTACKS: dict[str, tuple[bytes, str]] = {
    "depth 101": (b"[" * 101 + b"]" * 101, "nested deeper than 100 levels"),
    "depth 978": (b"[" * 978 + b"]" * 978, "nested deeper than 100 levels"),
    "objects 978 deep": (b'{"a":' * 978 + b"1" + b"}" * 978, "nested deeper than 100 levels"),
    "a million brackets": (b"[" * 1_000_000, "nested deeper than 100 levels"),
    "brackets behind an escape": (b'["\\\\",' * 101 + b"]" * 101, "nested deeper than 100"),
    "brackets in an open text": (b'"' + b"[" * 100_000, "Unterminated string"),
    "a key twice": (b'{"a": 1, "b": 2, "a": 3}', "the key 'a' stands twice"),
    "a key twice, once escaped": (b'{"a": 1, "\\u0061": 3}', "the key 'a' stands twice"),
    "a key of lines twice": (b'{"a\\nb": 1, "a\\nb": 3}', r"the key 'a\\nb' stands twice"),
    "a long key twice": (LONG, "a…' stands twice"),
    "a million digits": (b"9" * 1_000_000, "a whole number has 1,000,000 digits"),
    "a million digits below zero": (b"-" + b"9" * 1_000_000, "has 1,000,000 digits"),
    "a million digits of an exponent": (b"1e" + b"9" * 1_000_000, "9 is no number of JSON"),
    "beyond every number": (b"-1e999", "-1e999 is no number of JSON"),
    "no number": (b"[NaN]", "NaN is no number of JSON"),
    "infinity": (b"[-Infinity]", "-Infinity is no number of JSON"),
    "a byte of zero": (b"\x00", "Expecting value"),
    "a byte of zero in a text": (b'"a\x00"', "Invalid control character"),
    "a line break in a text": (b'"a\nb"', "Invalid control character"),
    "a byte order mark": (b"\xef\xbb\xbf1", "Unexpected UTF-8 BOM"),
    "another encoding": ("1".encode("utf-16"), "can't decode byte 0xff"),
    "half a character, encoded": (b'"\xed\xa0\x80"', "can't decode byte 0xed"),
    "an overlong slash": (b'"\xc0\xaf"', "can't decode byte 0xc0"),
    "a comment": (b"[1] // one", "Extra data"),
    "a comma too many": (b"[1,]", "Expecting value|Illegal trailing comma"),
    "digits of other letters": ("[\uff11]".encode(), "Expecting value"),
    "nothing": (b"", "Expecting value"),
}


@pytest.mark.parametrize(("content", "words"), ATTACKS.values(), ids=list(ATTACKS))
def test_what_is_not_plain_json_is_refused(content: bytes, words: str) -> None:
    """Text that is no JSON, or has two meanings, is refused in a few words."""
    with pytest.raises(ValueError, match=words) as refused:
        parse_json(content)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100 + b"]" * 100,
        b'"' + b"[" * 1000 + b'"',
        b'["\\\\\\"' + b"[" * 1000 + b'"]',
        b'"\\ud800"',
        b"0." + b"9" * 100_000,
        b'{"a": {"a": {"a": 1}}}',
    ],
)
def test_what_is_plain_json_is_read(content: bytes) -> None:
    """Depth is counted outside of texts, and keys within one object."""
    assert parse_json(content) == json.loads(content)


def test_values_and_bytes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of more bytes or values than any report has is refused before it is parsed."""
    with pytest.raises(ValueError, match="more than 25,000,000 values"):
        parse_json(b"[" + b"0," * 25_000_000 + b"0]")
    monkeypatch.setattr(untrusted_json, "MAX_BYTES", 1000)
    (tmp_path / "a.json").write_bytes(b" " * 1000)
    assert len(content_of(tmp_path / "a.json")) == 1000
    (tmp_path / "a.json").write_bytes(b" " * 1001)
    with pytest.raises(ValueError, match="larger than 1,000 bytes"):
        content_of(tmp_path / "a.json")


def test_endless_file_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file without an end no more is read than a report may have."""
    monkeypatch.setattr(untrusted_json, "MAX_BYTES", 1_000_000)
    with (tmp_path / "sparse.json").open("wb") as file:
        file.truncate(10**12)
    tracemalloc.start()
    with pytest.raises(ValueError, match="larger than"):
        content_of(tmp_path / "sparse.json")
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def keys(number: int) -> bytes:
    """Return an object whose last key stands twice."""
    names = ",".join(f'"k{i}":1' for i in range(number))
    return f'{{{names},"k{number - 1}":1}}'.encode()


MADE: dict[str, Callable[[int], bytes]] = {
    "a key twice": keys,
    "brackets": lambda n: b"[" * n,
    "pairs of brackets": lambda n: b"[" + b"[]," * n + b"[]]",
    "quotes": lambda n: b'"' * n,
    "backslashes": lambda n: b'"' + b"\\" * n,
    "one text": lambda n: b'"' + b"a" * n + b'"',
    "escapes": lambda n: b'"' + b"\\u0041" * n + b'"',
    "digits": lambda n: b"9" * n,
}


@pytest.mark.parametrize("made", MADE.values(), ids=list(MADE))
def test_time_is_linear(made: Callable[[int], bytes]) -> None:
    """Ten times as much text takes about ten times as long, and not a hundred times."""
    times = []
    gc.disable()  # which goes over whatever other tests have left
    for number in (20_000, 200_000):
        content, start = made(number), process_time()
        with suppress(ValueError):
            parse_json(content)
        times.append(process_time() - start)
    gc.enable()
    assert times[1] < max(0.5, 40 * times[0])


NO_FILES = ["fifo", ".", "/dev/zero", "/dev/null", "missing.json"]


@pytest.mark.parametrize("name", NO_FILES)
@pytest.mark.parametrize("words", ["verify", "render", "diff"])
def test_what_is_no_file_ends_at_once(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe without an end, a device or a folder in the place of a report ends with 3."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    ended = call(words, *[name] * (2 if words == "diff" else 1))
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(f"error: {name}: ")


@pytest.mark.parametrize("content", [b"[" * 978, keys(3), b"NaN", b"9" * 10_000], ids=range(4))
def test_every_reader_is_bounded(content: bytes, tmp_path: Path) -> None:
    """A configuration, an analysis and an older report are read with the same bounds."""
    path = tmp_path / "a.json"
    path.write_bytes(content)
    assert read_analysis(path) is None
    assert is_config(path)
    with pytest.raises(SpecError):
        read_config(path)
    older = OlderOutputs.find([], [], tmp_path, None)
    older.set_aside([path.with_name("audit.yaml")])
    assert path.is_file()


def test_pipe_is_no_configuration(tmp_path: Path) -> None:
    """A pipe in the place of a configuration, or of a baseline, is not waited for."""
    os.mkfifo(tmp_path / "fifo.json")
    assert read_analysis(tmp_path / "fifo.json") is None
    assert is_config(tmp_path / "fifo.json")
    with pytest.raises(SpecError, match="it is no regular file"):
        read_config(tmp_path / "fifo.json")
