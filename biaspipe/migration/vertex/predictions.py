"""The rows of predictions of Vertex AI: where the columns stand that a configuration names."""

from collections.abc import Sequence
from typing import Any

from biaspipe.migration.json_paths import is_key, last_key, steps, value_at

__all__ = ["fields_of"]


def fields_of(first: Any, named: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the name and the path of columns that stand in a row of predictions of Vertex AI.

    Parameters
    ----------
    first : the first row.
    named : what a configuration calls them.

    >>> row = {"instance": {"state": "Ohio", "accepted": "no"}, "prediction": "yes"}
    >>> fields_of(row, ["state", "instance.accepted", "prediction"])["state"]
    ('state', 'instance.state')
    """
    found: dict[str, tuple[str, str]] = {}
    for name in named:
        quoted = name if steps(name) else f'"{name}"'
        ways = [way for way in (quoted, f"instance.{quoted}") if steps(way)]
        path = next((way for way in ways if _is_single(value_at(way, first))), None)
        if path is not None:
            found[name] = (last_key(path), path)
    names = [name for name, _ in dict.fromkeys(found.values())]
    if all(is_key(path) for _, path in found.values()):
        return {}
    if len(set(names)) < len(names):
        return {name: (path, path) for name, (_, path) in found.items()}
    return found


def _is_single(value: Any) -> bool:
    return not isinstance(value, list | dict)
