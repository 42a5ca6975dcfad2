"""How long a condition could make a text: what it builds may not take all memory there is."""

from typing import NamedTuple

from biaspipe.conditions.faults import unusable
from biaspipe.conditions.tree import Call, ColumnName, Literal, Node

__all__ = ["refuse_growth"]

MAX_TIMES = 100
"""How many times as long as the texts of a table one that is built from them may be."""
MAX_BYTES = 100_000
"""How many bytes may be added to those."""
DIGITS = 400
"""More than any number, date or time has as a text."""
CASES = ("lower", "upper")
MAX_LETTERS = 3
"""One letter in the other case is up to three, and those have no longer ones."""

HINT = "write fewer of replace, concat, ||, upper and lower inside of each other"


class _Length(NamedTuple):
    """At most so many times the longest text of a row, and so many bytes more."""

    times: int = 0
    more: int = 0


def refuse_growth(condition: Node) -> None:
    """Refuse a condition that could make texts many times as long as they are.

    Parameters
    ----------
    condition : its tree.

    Raises
    ------
    SpecError
        With how many times as long that would be.
    """
    _length(condition)


def _length(node: Node) -> _Length:
    """Return the greatest length of the text that a node makes; refuse it if that is too long."""
    match node:
        case ColumnName():
            return _Length(1, DIGITS)
        case Literal(value=str() as text):
            return _Length(0, _size(text))
        case Literal():
            return _Length(0, DIGITS)
        case Call(name, parts):
            found = _result_length(name, parts, [_length(part) for part in parts])
    if found.times > MAX_TIMES:
        words = f"it could make a text {found.times:,} times as long, and {MAX_TIMES} is the most"
        raise unusable(words, HINT)
    if found.more > MAX_BYTES:
        words = f"it could make a text of {found.more:,} bytes, and {MAX_BYTES:,} is the most"
        raise unusable(words, HINT)
    return found


def _result_length(name: str, parts: tuple[Node, ...], lengths: list[_Length]) -> _Length:
    first = lengths[0]
    match name:
        case "replace":
            return _scaled(first, _factor(parts[1:]))
        case "concat" | "||":
            return _Length(sum(part.times for part in lengths), sum(part.more for part in lengths))
        case "lower" | "upper":
            (part,) = parts
            is_cased = isinstance(part, Call) and part.name in CASES
            return first if is_cased else _scaled(first, MAX_LETTERS)
        case "trim" | "substring" | "left" | "nullif" | "text":
            return first
        case "case" | "coalesce":
            return _Length(max(p.times for p in lengths), max(p.more for p in lengths))
    return _Length(0, DIGITS)  # a truth, a number, a date or a time


def _scaled(length: _Length, factor: int) -> _Length:
    return _Length(length.times * factor, length.more * factor)


def _factor(parts: tuple[Node, ...]) -> int:
    """Return the factor by which a text grows in which each old piece is a new one."""
    match parts:
        case (Literal(value=str(old)), Literal(value=str(new))) if old:
            return max(1, -(-_size(new) // _size(old)))
    return 1  # nothing is replaced, or it is refused


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
