"""Check sums by which the one changed place of a document can be named.

The leaves of a document are numbered. The first sum is over all of them, the others over those
whose number has the first, second, third ... bit set. Where one leaf changes, all sums that it
is part of change by the same amount, so that they spell its number.
"""

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import compress, cycle
from operator import xor
from typing import Any
from zlib import crc32

__all__ = ["changed", "leaves", "lines", "located"]


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


def lines(values: Any) -> str:
    r"""Return the JSON of a document with sorted keys and every leaf in a line of its own.

    Without its line breaks it is the canonical JSON: within texts, line breaks are escaped.

    >>> lines({"b": [1, 2], "a": None})
    '{"a":null,\n"b":[1,\n2]}'
    """
    return json.dumps(
        values, sort_keys=True, separators=(",\n", ":"), ensure_ascii=False, allow_nan=False
    )


def located(text: str) -> tuple[str, ...]:
    """Return the check sums of a document, in hexadecimal.

    Parameters
    ----------
    text : its JSON with sorted keys, and with every leaf in a line of its own.
    """
    sums = _sums([crc32(line) for line in text.encode().split(b"\n")])
    return tuple(f"{part:08x}" for part in sums)


def _sums(codes: Sequence[int]) -> list[int]:
    parts = (compress(codes, _having(bit)) for bit in range(len(codes).bit_length()))
    return [reduce(xor, part, 0) for part in (codes, *parts)]


def _having(bit: int) -> Iterator[int]:
    """Say of every number from 0 on whether it has a bit set."""
    return cycle([0] * (1 << bit) + [1] * (1 << bit))


def changed(values: Any, locator: Sequence[str]) -> str | None:
    """Return the path of the one leaf whose change explains all check sums, if there is one.

    >>> sums = located(lines({"a": 1, "b": 2, "c": 3}))
    >>> changed({"a": 1, "b": 7, "c": 3}, sums), changed({"a": 1, "b": 2, "c": 3}, sums)
    ('b', None)
    """
    now = located(lines(values))
    if len(now) != len(locator):
        return None
    change, *spelled = [int(a, 16) ^ int(b, 16) for a, b in zip(now, locator, strict=True)]
    if not change or not set(spelled) <= {0, change}:
        return None
    number = sum(1 << bit for bit, part in enumerate(spelled) if part)
    paths = [path for path, _ in leaves(values)]
    return paths[number] if number < len(paths) else None
