"""A condition answered row by row in plain Python: slow, and independent of every engine."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from math import ceil, floor, inf, isnan, sqrt
from typing import Any

import polars as pl

from biaspipe.conditions import Call, ColumnName, Literal, Node, parse_condition

__all__ = ["answers"]

Values = Sequence[Any]
BLANK = " \t\n\r\v\f"


def answers(where: str, rows: pl.DataFrame) -> list[int]:
    """Return the `id` of every row that meets a condition.

    Parameters
    ----------
    where : the condition.
    rows : the rows, with a column `id`.
    """
    shorts = [
        pl.col(n).cast(pl.String).cast(pl.Float64) for n in rows.select(pl.col(pl.Float32)).columns
    ]
    people = rows.with_columns(shorts).to_dicts()
    tree = parse_condition(where)
    return sorted(row["id"] for row in people if value(tree, row) is True)


def value(node: Node, row: Mapping[str, Any]) -> Any:
    """Return what a part of a condition says of a row; None where it is missing or unknown."""
    match node:
        case ColumnName(name):
            return present(row[name])
        case Literal(held):
            return float(held) if isinstance(held, Decimal) else held
        case Call("case", parts):
            return chosen(parts, row)
    return present(CALLS[node.name](*(value(part, row) for part in node.parts)))


def present(held: Any) -> Any:
    """Return a value, or None where it is no number."""
    return None if isinstance(held, float) and isnan(held) else held


def chosen(parts: Sequence[Node], row: Mapping[str, Any]) -> Any:
    """Return the value of the first branch whose condition is true."""
    for condition, held in zip(parts[0:-1:2], parts[1::2], strict=True):
        if value(condition, row) is True:
            return value(held, row)
    return value(parts[-1], row) if len(parts) % 2 else None


def strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is missing where one of its values is."""
    return lambda *held: None if None in [h if h is None else 0 for h in held] else function(*held)


def alike(held: Any) -> Any:
    """Return a value that compares with others of its kind."""
    if isinstance(held, date) and not isinstance(held, datetime):
        return datetime(held.year, held.month, held.day)
    if isinstance(held, datetime):
        return in_utc(held).replace(tzinfo=None)
    return float(held) if isinstance(held, Decimal) else held


def conjunction(*held: Any) -> bool | None:
    """Say false if one is false, else unknown if one is unknown."""
    return False if False in held else None if None in held else True


def disjunction(*held: Any) -> bool | None:
    """Say true if one is true, else unknown if one is unknown."""
    return True if True in held else None if None in held else False


def quotient(a: float, b: float) -> float | None:
    """Divide; by zero it is missing."""
    return None if b == 0 else float(a) / float(b)


def remainder(a: int, b: int) -> int | None:
    """Return what a division leaves, with the sign of the first number."""
    return None if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def rounded(x: float, decimals: int = 0) -> float:
    """Round a half away from zero."""
    x = float(x) * 10.0**decimals
    if abs(x) == inf:
        return x
    whole = floor(abs(x)) + (abs(x) - floor(abs(x)) >= 0.5)
    return (-whole if x < 0 else whole) / 10.0**decimals


def like(text: str, pattern: str) -> bool:
    """Match a pattern in which % stands for any text and _ for one sign."""
    signs = {"%": ".*", "_": "."}
    expression = "".join(signs.get(sign, re.escape(sign)) for sign in pattern)
    return re.fullmatch(expression, text, flags=re.DOTALL) is not None


def in_utc(moment: datetime) -> datetime:
    """Return a time with a zone in UTC."""
    return moment.astimezone(UTC) if getattr(moment, "tzinfo", None) else moment


def part(name: str) -> Callable[..., Any]:
    """Return what takes a part out of a date or time."""
    return strict(lambda moment: getattr(in_utc(moment), name))


def whole(function: Callable[[float], int]) -> Callable[..., Any]:
    """Return a function to whole numbers, which infinite numbers are for themselves."""
    return strict(lambda x: x if abs(x) == inf else float(function(x)))


def equal(a: Any, b: Any) -> bool | None:
    """Compare two values; one that is missing is equal to nothing."""
    return None if a is None or b is None else alike(a) == alike(b)


def numbers(function: Callable[[float, float], float]) -> Callable[..., Any]:
    """Return arithmetic of floats."""
    return strict(lambda a, b: function(float(a), float(b)))


CALLS: dict[str, Callable[..., Any]] = {
    "and": conjunction,
    "or": disjunction,
    "not": strict(lambda a: not a),
    "=": equal,
    "<>": strict(lambda a, b: alike(a) != alike(b)),
    "<": strict(lambda a, b: alike(a) < alike(b)),
    "<=": strict(lambda a, b: alike(a) <= alike(b)),
    ">": strict(lambda a, b: alike(a) > alike(b)),
    ">=": strict(lambda a, b: alike(a) >= alike(b)),
    "same": lambda a, b: (a is None and b is None) or equal(a, b) is True,
    "in": lambda a, *others: disjunction(*(equal(a, other) for other in others)),
    "is_null": lambda a: a is None,
    "is_true": lambda a: a is True,
    "is_false": lambda a: a is False,
    "+": numbers(lambda a, b: a + b),
    "-": numbers(lambda a, b: a - b),
    "*": numbers(lambda a, b: a * b),
    "/": strict(quotient),
    "%": strict(remainder),
    "negative": strict(lambda a: -a),
    "abs": strict(abs),
    "floor": whole(floor),
    "ceil": whole(ceil),
    "round": strict(rounded),
    "sqrt": strict(lambda a: None if a < 0 else sqrt(a)),
    "lower": strict(str.lower),
    "upper": strict(str.upper),
    "trim": strict(lambda a: a.strip(BLANK)),
    "length": strict(len),
    "left": strict(lambda a, n: a[:n]),
    "substring": strict(lambda a, i, n=None: a[i - 1 :] if n is None else a[i - 1 : i - 1 + n]),
    "replace": strict(lambda a, old, new: a.replace(old, new) if old else a),
    "starts_with": strict(str.startswith),
    "ends_with": strict(str.endswith),
    "contains": strict(lambda a, b: b in a),
    "like": strict(like),
    "ilike": strict(lambda a, b: like(a.lower(), b.lower())),
    "||": strict(lambda a, b: a + b),
    "concat": lambda *held: "".join(h or "" for h in held),
    "coalesce": lambda *held: next((h for h in held if h is not None), None),
    "nullif": lambda a, b: None if equal(a, b) is True else a,
    **{name: part(name) for name in ("year", "month", "day", "hour", "minute", "second")},
    "date": strict(lambda a: in_utc(a).date() if isinstance(a, datetime) else a),
    "timestamp": strict(alike),
    "integer": strict(int),
    "double": strict(float),
    "text": strict(lambda a: str(a).lower() if isinstance(a, bool) else str(a)),
}
