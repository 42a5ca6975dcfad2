"""A condition as a tree of columns, literals and calls; operators are calls too."""

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from biaspipe.errors import Loc

__all__ = [
    "MAX_DIGITS",
    "STAND_IN",
    "WHERE",
    "Call",
    "ColumnName",
    "Constant",
    "Literal",
    "Node",
    "columns_of",
]

MAX_DIGITS = 38
"""The digits of the largest decimals that columns hold; longer numbers would only cost time."""

WHERE: Loc = ("data", "where")
"""Where in a spec the condition stands."""

STAND_IN = "\0"
"""What the text of a parameter's token begins with, which no condition may hold itself."""

Constant = str | bool | int | Decimal | date | datetime
"""A value that a condition names."""


class ColumnName(NamedTuple):
    """The value of a column."""

    name: str


class Literal(NamedTuple):
    """A value that stands in the condition itself, or is given by a parameter."""

    value: Constant
    given: bool = False


class Call(NamedTuple):
    """An operator, a function or a cast, and what it is applied to."""

    name: str
    parts: "tuple[Node, ...]"


Node = ColumnName | Literal | Call


def columns_of(node: Node) -> tuple[str, ...]:
    """Return the columns that a condition names, each once.

    >>> columns_of(Call("=", (ColumnName("a"), Call("+", (ColumnName("b"), ColumnName("a"))))))
    ('a', 'b')
    """
    return tuple(dict.fromkeys(_names(node)))


def _names(node: Node) -> Iterator[str]:
    match node:
        case ColumnName():
            yield node.name
        case Call():
            for part in node.parts:
                yield from _names(part)
