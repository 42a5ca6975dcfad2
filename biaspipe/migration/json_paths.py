"""Paths of values in a row of JSON, such as `instance.age` or `scores[0]`."""

from typing import Any

from biaspipe.spec import steps_of

__all__ = ["is_key", "is_path", "last_key", "value_at"]


def is_path(text: str) -> bool:
    """Whether a text is a path.

    >>> is_path("instance.age"), is_path("max(scores)")
    (True, False)
    """
    try:
        return bool(steps_of(text))
    except ValueError:
        return False


def is_key(path: str) -> bool:
    """Whether a path is a single key."""
    return len(steps_of(path)) == 1


def last_key(path: str) -> str:
    """Return the last key of a path.

    >>> last_key("instance.age"), last_key("scores[1]")
    ('age', 'scores[1]')
    """
    step = steps_of(path)[-1]
    return step if isinstance(step, str) else path


def value_at(path: str, row: Any) -> Any:
    """Return what stands at a path of a row, an empty array if nothing does.

    >>> value_at("scores[1]", {"scores": [0.25, 0.75]})
    0.75
    """
    for step in steps_of(path):
        try:
            row = row[step]
        except (KeyError, IndexError, TypeError):
            return []
    return row
