"""Parts of a condition as expressions, each with the kind of values that it has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from math import inf
from typing import Any
from zoneinfo import ZoneInfo

import narwhals as nw

from biaspipe.conditions import Call, ColumnName, Literal, Node, unusable
from biaspipe.engines.coding import as_written
from biaspipe.plan import Kind, kind_of
from biaspipe.printable_text import escape, list_values
from biaspipe.spec import day, is_day

__all__ = [
    "NUMBERS",
    "Make",
    "Term",
    "answer",
    "as_datetime",
    "as_day",
    "as_integer",
    "column",
    "dated",
    "in_utc",
    "literal",
    "merged",
    "natural",
    "number",
    "text",
    "truth",
]

NUMBERS = (Kind.INTEGER, Kind.FLOAT, Kind.DECIMAL)
WHOLE = 2**63
EMPTY = {
    Kind.TEXT: nw.String(),
    Kind.BOOLEAN: nw.Boolean(),
    Kind.DATE: nw.Date(),
    Kind.DATETIME: nw.Datetime("us"),
}
"""What a column without any value is held for, beside values of a kind."""


@dataclass(frozen=True)
class Term:
    """A part of a condition.

    Parameters
    ----------
    node : the part.
    kind : the kind of its values.
    expr : its values; categories as texts, short floats as the numbers that one would write.
    size : how many parts the expression has, those that it needs twice counted twice.
    dtype : the type of the column that it is; None if it is none.
    nan : whether values may be no number, which is missing.
    """

    node: Node
    kind: Kind
    expr: nw.Expr
    size: int = 1
    dtype: nw.dtypes.DType | None = None
    nan: bool = False

    @property
    def value(self) -> Any:
        """The value of a literal; None if this is none."""
        return self.node.value if isinstance(self.node, Literal) else None

    @property
    def long(self) -> bool:
        """Whether whole numbers are held by something else than 64 bits with a sign."""
        return isinstance(self.dtype, nw.UInt64 | nw.UInt128 | nw.Int128 | nw.Decimal)

    @property
    def clean(self) -> nw.Expr:
        """The values, with those that are no numbers missing."""
        return nw.when(self.expr <= inf).then(self.expr) if self.nan else self.expr

    @property
    def words(self) -> str:
        """What messages call it."""
        match self.node:
            case ColumnName(name):
                return f"column {escape(name)!r}, which holds {self.kind},"
            case Literal(value):
                return f"{list_values([value])}"
            case Call(name):
                return f"the result of {name.upper()}, which is {self.kind},"


Make = Callable[[Call, Sequence[Term]], Term]
"""Makes a term of a call and the terms that it is applied to."""


def column(name: str, dtype: nw.dtypes.DType, kind: Kind) -> Term:
    """Return a column.

    Parameters
    ----------
    name : what it is called.
    dtype : its type.
    kind : what kind of values it holds.

    Raises
    ------
    SpecError
        If it holds values that no condition can compare.
    """
    if kind is Kind.OTHER:
        raise unusable(f"column {escape(name)!r} holds {kind}")
    if isinstance(dtype, nw.Float64):
        return Term(ColumnName(name), kind, nw.col(name), dtype=dtype, nan=True)
    return Term(ColumnName(name), kind, as_written(name, dtype), dtype=dtype)


def literal(node: Literal) -> Term:
    """Return a value that stands in the condition itself."""
    value, kind = node.value, kind_of(node.value)
    far = isinstance(value, int) and not -WHOLE <= value < WHOLE
    if isinstance(value, Decimal | int) and (far or isinstance(value, Decimal)):
        return Term(node, Kind.FLOAT, nw.lit(float(value), nw.Float64()))
    return Term(node, kind, nw.lit(value))


def number(term: Term) -> nw.Expr:
    """Return a term as floats of 64 bits.

    Raises
    ------
    SpecError
        If it is no number.
    """
    if term.kind is Kind.MISSING:
        return nw.lit(None, nw.Float64())
    if term.kind not in NUMBERS:
        raise unusable(f"{term.words} stands where a number is expected")
    if term.value is not None:
        return nw.lit(float(term.value), nw.Float64())
    return term.expr if term.kind is Kind.FLOAT else term.expr.cast(nw.Float64())


def as_integer(term: Term) -> nw.Expr:
    """Return a term as whole numbers of 64 bits.

    Raises
    ------
    SpecError
        If it is none.
    """
    if term.kind is not Kind.INTEGER:
        raise unusable(f"{term.words} stands where a whole number is expected")
    return term.expr if term.long or term.value is not None else term.expr.cast(nw.Int64())


def as_datetime(term: Term) -> nw.Expr:
    """Return dates and times as times without a zone."""
    return term.expr if isinstance(term.value, datetime) else term.expr.cast(nw.Datetime("us"))


def as_day(term: Term) -> Term:
    """Return a parameter that is written as a day as that day; everything else as it is."""
    given = isinstance(term.node, Literal) and term.node.given and isinstance(term.value, str)
    return literal(Literal(day(term.value))) if given and is_day(term.value) else term


def in_utc(term: Term) -> Term:
    """Return a date or time that stands in the condition without a zone as one in UTC."""
    if not isinstance(term.value, date) or term.kind is Kind.ZONED:
        return term
    moment = datetime(*term.value.timetuple()[:6], tzinfo=UTC)
    micro = getattr(term.value, "microsecond", 0)
    return literal(Literal(moment.replace(microsecond=micro)))


def dated(term: Term, other: Term) -> nw.Expr:
    """Return dates or times as another term of their kind holds them, so that both compare."""
    held = other.dtype
    value = term.value
    if not isinstance(value, datetime):
        far = isinstance(other.value, date) and not 1678 <= other.value.year <= 2261
        return as_datetime(term) if far and term.kind is Kind.DATETIME else term.expr
    if isinstance(held, nw.Datetime) and held.time_zone:
        return nw.lit(value.astimezone(ZoneInfo(held.time_zone)))
    return term.expr


def merged(terms: Sequence[Term]) -> tuple[Kind, list[nw.Expr]]:
    """Return the one kind of several terms that are values of one column, and each as such.

    Raises
    ------
    SpecError
        If they have no kind in common.
    """
    held = [term for term in terms if term.kind is not Kind.MISSING]
    kinds = {term.kind for term in held}
    if not kinds:
        return Kind.MISSING, [term.expr for term in terms]
    if kinds <= {Kind.INTEGER} and not any(term.long for term in held):
        return Kind.INTEGER, [_or_empty(t, nw.Int64(), as_integer) for t in terms]
    if kinds <= {*NUMBERS}:
        return Kind.FLOAT, [number(term) for term in terms]
    if kinds == {Kind.DATE, Kind.DATETIME}:
        return Kind.DATETIME, [_or_empty(t, nw.Datetime("us"), as_datetime) for t in terms]
    if len(kinds) > 1 or held[0].kind is Kind.ZONED:
        raise unusable(f"{held[0].words} and {held[-1].words} are values of one result")
    return held[0].kind, [_or_empty(t, EMPTY[held[0].kind], lambda t: t.expr) for t in terms]


def _or_empty(term: Term, dtype: nw.dtypes.DType, held: Callable[[Term], nw.Expr]) -> nw.Expr:
    return nw.lit(None, dtype) if term.kind is Kind.MISSING else held(term)


def truth(term: Term) -> nw.Expr:
    """Return a term that is true, false or unknown.

    Raises
    ------
    SpecError
        If it is something else.
    """
    if term.kind is Kind.MISSING:
        return nw.lit(None, nw.Boolean())
    if term.kind is not Kind.BOOLEAN:
        raise unusable(f"{term.words} is not true or false", "compare it with a value")
    return term.expr


def answer(node: Node, expr: nw.Expr, *terms: Term, more: int = 1) -> Term:
    """Return a term that is true, false or unknown, made of other terms."""
    return Term(node, Kind.BOOLEAN, expr, more + sum(term.size for term in terms))


def text(term: Term) -> nw.Expr:
    """Return a term as texts.

    Raises
    ------
    SpecError
        If it is none.
    """
    if term.kind is Kind.MISSING:
        return nw.lit(None, nw.String())
    if term.kind is not Kind.TEXT:
        raise unusable(f"{term.words} stands where a text is expected", "CAST(... AS TEXT)")
    return term.expr


def natural(term: Term, most: int = 2**31) -> int:
    """Return a whole number that has to stand in the condition itself."""
    value = term.value
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise unusable(f"{term.words} stands where a number from 0 to {most:,} is expected")
    return value
