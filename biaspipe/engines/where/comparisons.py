"""Comparisons of values of one kind, exact where columns are; with a missing one it is unknown."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import ceil, floor, inf
from struct import pack, unpack

import narwhals as nw

from biaspipe.conditions import MAX_DIGITS, Call, ColumnName, unusable
from biaspipe.engines.coding import LARGEST_SHORT
from biaspipe.engines.where.terms import (
    NUMBERS,
    Make,
    Term,
    answer,
    as_datetime,
    as_day,
    as_integer,
    dated,
    in_utc,
    number,
)
from biaspipe.plan import Kind

__all__ = ["COMPARE", "compared_by", "comparison"]

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
COMPARE: dict[str, Callable[[nw.Expr, nw.Expr], nw.Expr]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
LONG = (-(2**63), 2**63 - 1)
RANGES = (
    (nw.UInt64, (0, 2**64 - 1)),
    (nw.Int128, (-(2**127), 2**127 - 1)),
    (nw.UInt128, (0, 2**128 - 1)),
    (nw.Decimal, (-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 1)),
)
"""The least and the largest number that a type holds."""
TIMES = (Kind.DATE, Kind.DATETIME, Kind.ZONED)
MAX_EXACT = 15
"""A number of more digits is no float, and so compared with decimals as one of them."""


def compared_by(sign: str) -> Make:
    """Return the function that compares two terms by a sign."""

    def compared(node: Call, terms: Sequence[Term]) -> Term:
        left, right = terms
        twice = (term.size for term in terms if term.nan)
        return answer(node, comparison(sign, left, right), *terms, more=1 + sum(twice))

    return compared


def comparison(sign: str, left: Term, right: Term) -> nw.Expr:
    """Compare two terms.

    Parameters
    ----------
    sign : how.
    left, right : the terms, which have to be of one kind.

    Raises
    ------
    SpecError
        If they are not.
    """
    if left.value is not None and right.value is None:
        left, right, sign = right, left, FLIPPED[sign]
    if left.kind in TIMES:
        right = as_day(right)
    if left.kind is Kind.ZONED:
        right = in_utc(right)
    kinds = {left.kind, right.kind}
    if Kind.MISSING in kinds:
        return nw.lit(None, nw.Boolean())
    compare = COMPARE[sign]
    if kinds <= {*NUMBERS}:
        return _numbers(sign, left, right)
    if kinds == {Kind.DATE, Kind.DATETIME}:
        return compare(as_datetime(left), as_datetime(right))
    if len(kinds) > 1:
        raise unusable(f"{left.words} is compared with {right.words}", _hint(left.kind))
    if left.kind is Kind.BOOLEAN and sign not in ("=", "<>"):
        raise unusable(f"{left.words} is compared by {sign}", "write = or <>")
    if left.kind in (Kind.DATETIME, Kind.ZONED):
        return compare(dated(left, right), dated(right, left))
    return compare(left.expr, right.expr)


def _hint(kind: Kind) -> str:
    """Say what to compare values of a kind with."""
    examples = {
        Kind.TEXT: "a text in quotes, such as 'yes'",
        Kind.BOOLEAN: "TRUE or FALSE",
        Kind.DATE: "DATE '2026-07-01'",
        Kind.DATETIME: "TIMESTAMP '2026-07-01 10:30:00'",
        Kind.ZONED: "TIMESTAMPTZ '2026-07-01 10:30:00+00:00'",
    }
    return f"compare it with {examples.get(kind, 'a number, such as 0.5')}"


def _numbers(sign: str, left: Term, right: Term) -> nw.Expr:
    compare, value = COMPARE[sign], right.value
    if left.kind is right.kind is Kind.INTEGER and value is None and not left.long | right.long:
        return compare(as_integer(left), as_integer(right))
    if value is not None and left.value is None:
        if left.kind is Kind.INTEGER:
            return _whole(sign, left, Decimal(value))
        if left.kind is Kind.DECIMAL and len(Decimal(value).as_tuple().digits) > MAX_EXACT:
            return compare(left.expr, nw.lit(Decimal(value)))
        short = isinstance(left.dtype, nw.Float32) and abs(value) <= LARGEST_SHORT
        if short and isinstance(left.node, ColumnName):
            return _short(sign, left.node.name, float(value))
    a, b = number(left), number(right)
    numbers = [expr <= inf for expr, term in ((a, left), (b, right)) if term.nan]
    found = compare(a, b)
    return nw.when(nw.all_horizontal(numbers, ignore_nulls=False)).then(found) if numbers else found


def _short(sign: str, name: str, value: float) -> nw.Expr:
    """Compare floats of 32 bits with a number as they hold it, so that 0.1 is 0.1."""
    values = nw.col(name)
    held = nw.lit(unpack("f", pack("f", value))[0], nw.Float32())
    return nw.when(values <= inf).then(COMPARE[sign](values, held))


def _whole(sign: str, term: Term, value: Decimal) -> nw.Expr:
    """Compare whole numbers with a number, which need be neither whole nor of 64 bits."""
    low, high = next((r for t, r in RANGES if isinstance(term.dtype, t)), LONG)
    if value != value.to_integral_value():
        if sign in ("=", "<>"):
            return _always(term, sign == "<>")
        down = sign in ("<", "<=")
        sign, value = "<=" if down else ">=", Decimal(floor(value) if down else ceil(value))
    if not low <= value <= high:
        return _always(term, sign == "<>" or (sign in ("<", "<=")) == (value > high))
    if isinstance(term.dtype, nw.Decimal):
        return COMPARE[sign](term.expr, nw.lit(value))
    held = nw.UInt64() if isinstance(term.dtype, nw.UInt64) else None
    return COMPARE[sign](term.expr, nw.lit(int(value), held))


def _always(term: Term, answer: bool) -> nw.Expr:
    """Return one answer wherever there is a value."""
    return nw.when(~term.expr.is_null()).then(nw.lit(answer))
