"""Places in a document of plain values: where two documents differ, and which place was changed.

Check sums name the one place that was changed. The leaves of a document are numbered from 1. The
first sum is over all of them, the others over those whose number has the first, second, third ...
bit set. Where one leaf changes, all sums that it is part of change by the same amount, so that they
spell its number. Where a single sum differs, no leaf can explain it: then the sum itself was
changed.
"""

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import compress, cycle
from operator import xor
from typing import Any
from zlib import crc32

from biaspipe.errors import Loc

__all__ = ["changed_place", "check_sums", "differences", "leaves", "lines", "path_of"]

MAX_SHOWN = 120
"""Characters of a value that a difference quotes."""


def path_of(loc: Loc) -> str:
    """Write a path as `verify` names places.

    >>> path_of(("result", "checks", 3, "value"))
    'result.checks[3].value'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return text.removeprefix(".")


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield where two documents differ, with what stands in each.

    >>> list(differences({"a": [1, 2]}, {"a": [1, 3], "b": None}))
    [('a[1]', '2', '3'), ('b', 'nothing', 'null')]
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            inner = f"{path}.{key}" if path else key
            if key in one and key in other:
                yield from differences(one[key], other[key], inner)
            else:
                yield inner, _shown(one, key), _shown(other, key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{path}[{i}]")
    elif type(one) is not type(other) or one != other:
        yield path, _written(one), _written(other)


def _shown(values: dict[str, Any], key: str) -> str:
    return _written(values[key]) if key in values else "nothing"


def _written(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def leaves(values: Any, path: str = "", *, by_key: bool = True) -> Iterator[tuple[str, Any]]:
    """Return every single value of a document with its path.

    Parameters
    ----------
    values : the document.
    path : of the document, where it is a part of a larger one.
    by_key : whether to follow the order of the keys, rather than the one in which they stand.

    >>> list(leaves({"b": [1, 2], "a": None}))
    [('a', None), ('b[0]', 1), ('b[1]', 2)]
    """
    if isinstance(values, dict) and values:
        for key in sorted(values) if by_key else values:
            yield from leaves(values[key], f"{path}.{key}" if path else key, by_key=by_key)
    elif isinstance(values, list) and values:
        for i, value in enumerate(values):
            yield from leaves(value, f"{path}[{i}]", by_key=by_key)
    else:
        yield path, values


def lines(values: Any, *, by_key: bool = True) -> str:
    r"""Return the JSON of a document with every leaf in a line of its own, keys sorted.

    Without its line breaks it is the canonical JSON: within texts, line breaks are escaped.

    Parameters
    ----------
    values : the document.
    by_key : whether to sort the keys.

    >>> lines({"b": [1, 2], "a": None})
    '{"a":null,\n"b":[1,\n2]}'
    """
    return json.dumps(
        values, sort_keys=by_key, separators=(",\n", ":"), ensure_ascii=False, allow_nan=False
    )


def check_sums(text: str) -> tuple[str, ...]:
    """Return the check sums of a document, in hexadecimal.

    Parameters
    ----------
    text : its JSON with sorted keys, and with every leaf in a line of its own.
    """
    sums = _sums([crc32(line) for line in text.encode(errors="surrogatepass").split(b"\n")])
    return tuple(f"{part:08x}" for part in sums)


def _sums(codes: Sequence[int]) -> list[int]:
    parts = (compress(codes, _having(bit)) for bit in range(len(codes).bit_length()))
    return [reduce(xor, part, 0) for part in (codes, *parts)]


def _having(bit: int) -> Iterator[int]:
    """Say of every number from 1 on whether it has a bit set."""
    numbers = cycle([0] * (1 << bit) + [1] * (1 << bit))
    next(numbers)
    return numbers


def changed_place(values: Any, locator: Sequence[str], own: str = "locator") -> str | None:
    """Return the path of the one place whose change explains all check sums, if there is one.

    Parameters
    ----------
    values : the document.
    locator : its check sums.
    own : the path under which these stand, should one of them have been changed.

    >>> sums = check_sums(lines({"a": 1, "b": 2, "c": 3}))
    >>> changed_place({"a": 1, "b": 7, "c": 3}, sums), changed_place({"a": 1, "b": 2, "c": 3}, sums)
    ('b', None)
    >>> changed_place({"a": 1, "b": 2, "c": 3}, [sums[0], "00000000", *sums[2:]])
    'locator[1]'
    """
    now = check_sums(lines(values))
    if len(now) != len(locator):
        return None
    odd = [i for i, pair in enumerate(zip(now, locator, strict=True)) if pair[0] != pair[1]]
    if len(odd) == 1:
        return f"{own}[{odd[0]}]"
    return _leaf(values, locator) or _leaf(values, locator, by_key=False)


def _leaf(values: Any, locator: Sequence[str], *, by_key: bool = True) -> str | None:
    """Return the leaf that changed; one whose key changed may stand elsewhere by its key."""
    sums = zip(check_sums(lines(values, by_key=by_key)), locator, strict=True)
    try:
        change, *spelled = [int(a, 16) ^ int(b, 16) for a, b in sums]
    except ValueError:
        return None
    if not change or not set(spelled) <= {0, change}:
        return None
    number = sum(1 << bit for bit, part in enumerate(spelled) if part)
    paths = [path for path, _ in leaves(values, by_key=by_key)]
    return paths[number - 1] if 0 < number <= len(paths) else None
