"""Paths of values in a row of JSON, such as `instance.age` or `scores[0]`."""

from typing import Any

from biaspipe.spec import steps_of

__all__ = ["is_key", "last_key", "steps", "value_at"]


def steps(path: str) -> tuple[str | int, ...]:
    """Return the keys and indices of a path; none of a text that is no path.

    >>> steps("scores[0]"), steps("max(scores)")
    (('scores', 0), ())
    """
    try:
        return steps_of(path)
    except ValueError:
        return ()


def is_key(path: str) -> bool:
    """Whether a path is a single key."""
    return len(steps(path)) == 1


def last_key(path: str) -> str:
    """Return the last key of a path.

    >>> last_key("instance.age"), last_key("scores[1]")
    ('age', 'scores[1]')
    """
    step = steps(path)[-1]
    return step if isinstance(step, str) else path


def value_at(path: str, row: Any) -> Any:
    """Return the value at a path of a row, an empty array if there is none.

    >>> value_at("scores[1]", {"scores": [0.25, 0.75]})
    0.75
    """
    for step in steps(path):
        try:
            row = row[step]
        except (KeyError, IndexError, TypeError):
            return []
    return row
