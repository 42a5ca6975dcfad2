"""Check sums by which the one changed place of a document can be named.

The leaves of a document are numbered. The first sum is over all of them, the others over those
whose number has the first, second, third ... bit set. Where one leaf changes, all sums that it
is part of change by the same amount, so that they spell its number.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import xor
from typing import Any
from zlib import crc32

__all__ = ["changed", "leaves", "located"]


def leaves(values: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Return every single value of a document with its path, in the order of the keys.

    >>> list(leaves({"b": [1, 2], "a": None}))
    [('a', None), ('b[0]', 1), ('b[1]', 2)]
    """
    if isinstance(values, dict) and values:
        for key in sorted(values):
            yield from leaves(values[key], f"{path}.{key}" if path else key)
    elif isinstance(values, list) and values:
        for i, value in enumerate(values):
            yield from leaves(value, f"{path}[{i}]")
    else:
        yield path, values


def located(values: Any) -> tuple[str, ...]:
    """Return the check sums of a document, in hexadecimal."""
    return tuple(
        f"{s:08x}" for s in _sums([crc32(f"{p}={v!r}".encode()) for p, v in leaves(values)])
    )


def _sums(codes: Sequence[int]) -> list[int]:
    bits = len(codes).bit_length()
    chosen = [[c for i, c in enumerate(codes) if i >> bit & 1] for bit in range(bits)]
    return [reduce(xor, part, 0) for part in (codes, *chosen)]


def changed(values: Any, locator: Sequence[str]) -> str | None:
    """Return the path of the one leaf whose change explains all check sums, if there is one.

    >>> sums = located({"a": 1, "b": 2, "c": 3})
    >>> changed({"a": 1, "b": 7, "c": 3}, sums), changed({"a": 1, "b": 2, "c": 3}, sums)
    ('b', None)
    """
    now = located(values)
    if len(now) != len(locator):
        return None
    change, *spelled = [int(a, 16) ^ int(b, 16) for a, b in zip(now, locator, strict=True)]
    if not change or not set(spelled) <= {0, change}:
        return None
    number = sum(1 << bit for bit, part in enumerate(spelled) if part)
    paths = [path for path, _ in leaves(values)]
    return paths[number] if number < len(paths) else None
