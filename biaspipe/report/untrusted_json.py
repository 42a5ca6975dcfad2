"""JSON that a stranger hands over: bounded in size, depth and time, and without double meaning.

The bounds are far beyond what a run writes: the report of 24,000 checks has 19 MB, and no report
is 20 levels deep.
"""

import json
from collections.abc import Callable
from itertools import accumulate
from math import isfinite
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_VALUES", "content_of", "excerpt", "parse_json"]

MAX_BYTES = 500_000_000
MAX_DEPTH = 100
MAX_VALUES = 25_000_000
MAX_QUOTED = 80
LEVELS = [0] * 256
for opening, closing in ("[]", "{}"):
    LEVELS[ord(opening)], LEVELS[ord(closing)] = 1, -1
NO_BRACKETS = bytes(byte for byte in range(256) if not LEVELS[byte])


def content_of(path: Path) -> bytes:
    """Read a file of JSON, which is one that ends.

    Parameters
    ----------
    path : the file.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it is no regular file, or larger than any file of its kind.
    """
    mode = path.stat().st_mode
    if not S_ISREG(mode) and not S_ISDIR(mode):  # a pipe may never end, or never begin
        raise ValueError("it is no regular file")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
    return content


def parse_json(
    content: bytes,
    parse_float: Callable[[str], Any] | None = None,
    parse_int: Callable[[str], Any] | None = None,
    *,
    twice: bool = False,
) -> Any:
    """Return the values of JSON text.

    Parameters
    ----------
    content : the text, in UTF-8.
    parse_float, parse_int : what becomes of numbers.
    twice : whether a key may stand twice, for who tells so otherwise.

    Raises
    ------
    ValueError
        If it is no JSON, too deep, or may be read in two ways: a key stands twice, or a number is
        infinite or none.

    >>> parse_json(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> parse_json(b'{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the key 'a' stands twice
    """
    _refuse_bombs(content)
    try:
        return json.loads(
            content.decode(),
            object_pairs_hook=dict if twice else _once,
            parse_float=parse_float or _finite,
            parse_int=parse_int or _whole,
            parse_constant=_finite,
        )
    except RecursionError:  # brackets beside quotes that do not match
        raise ValueError(f"it is nested deeper than {MAX_DEPTH} levels") from None


def _refuse_bombs(content: bytes) -> None:
    values = sum(map(content.count, (b",", b"[", b"{")))
    if values > MAX_VALUES:
        raise ValueError(f"it has more than {MAX_VALUES:,} values")
    if _depth(content) > MAX_DEPTH:
        raise ValueError(f"it is nested deeper than {MAX_DEPTH} levels")


def excerpt(text: object) -> str:
    """Quote a text of a stranger in a few characters of one line.

    >>> excerpt("a" * 1000)[-4:]
    "aa…'"
    """
    words = str(text)
    cut = words if len(words) <= MAX_QUOTED else words[: MAX_QUOTED - 1] + "…"
    return repr(cut)


def _depth(content: bytes) -> int:
    """Count how many brackets are open at once, outside of texts."""
    bare = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = b"".join(bare.split(b'"')[::2]).translate(None, NO_BRACKETS)
    return max(accumulate(map(LEVELS.__getitem__, brackets)), default=0)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        known = set[str]()
        for name, _ in pairs:
            if name in known:
                raise ValueError(f"the key {excerpt(name)} stands twice")
            known.add(name)
    return values


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:MAX_QUOTED]} is no number of JSON")
    return number


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"a whole number has {len(text.removeprefix('-')):,} digits") from None
