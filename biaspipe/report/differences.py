"""Where two documents of plain values differ, place by place."""

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["differences"]

MOST_SHOWN = 120


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
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
