"""Casts of conditions, and the parts of dates and times."""

from collections.abc import Sequence

import narwhals as nw

from biaspipe.conditions import Call, unusable
from biaspipe.engines.where.terms import NUMBERS, Make, Term, as_integer, number, text
from biaspipe.plan import Kind

__all__ = ["CASTS"]

UTC = ("UTC", "Etc/UTC")


def _part(node: Call, terms: Sequence[Term]) -> Term:
    """Take a part out of a date or time; of a time with a zone, as it is in UTC."""
    (term,) = terms
    known = {Kind.DATETIME, Kind.ZONED}
    if node.name in ("year", "month", "day"):
        known |= {Kind.DATE}
    if term.kind is Kind.MISSING:
        return Term(node, Kind.MISSING, nw.lit(None, nw.Int64()))
    if term.kind not in known:
        raise unusable(f"{node.name.upper()} is taken out of {term.words} which is no such time")
    found = getattr(_in_utc(term).dt, node.name)().cast(nw.Int64())
    return Term(node, Kind.INTEGER, found, 1 + term.size)


def _in_utc(term: Term) -> nw.Expr:
    zone = getattr(term.dtype, "time_zone", None)
    return term.expr.dt.convert_time_zone("UTC") if zone not in (None, *UTC) else term.expr


def _date(node: Call, terms: Sequence[Term]) -> Term:
    (term,) = terms
    if term.kind in (Kind.DATE, Kind.MISSING):
        return Term(node, term.kind, term.expr, term.size, term.dtype)
    if term.kind is Kind.TEXT:
        return Term(node, Kind.DATE, term.expr.str.to_date("%Y-%m-%d"), 1 + term.size)
    if term.kind not in (Kind.DATETIME, Kind.ZONED):
        raise unusable(f"{term.words} is cast to a date")
    return Term(node, Kind.DATE, _in_utc(term).dt.date(), 1 + term.size)


def _timestamp(node: Call, terms: Sequence[Term]) -> Term:
    (term,) = terms
    if term.kind not in (Kind.DATE, Kind.DATETIME, Kind.MISSING):
        hint = "compare a text with a text: at >= '2026-07-01 10:30:00'"
        raise unusable(f"{term.words} is cast to a time", hint)
    if term.kind is Kind.MISSING:
        return Term(node, term.kind, term.expr)
    return Term(node, Kind.DATETIME, term.expr.cast(nw.Datetime("us")), 1 + term.size)


def _integer(node: Call, terms: Sequence[Term]) -> Term:
    (term,) = terms
    if term.kind is Kind.BOOLEAN:
        ones = nw.when(term.expr).then(nw.lit(1)).otherwise(nw.when(~term.expr).then(nw.lit(0)))
        return Term(node, Kind.INTEGER, ones.cast(nw.Int64()), 1 + 2 * term.size)
    if term.kind in (Kind.INTEGER, Kind.MISSING):
        return Term(node, term.kind, term.expr, term.size, term.dtype)
    hint = "write FLOOR(x) or ROUND(x)" if term.kind in NUMBERS else None
    raise unusable(f"{term.words} is cast to whole numbers", hint)


def _double(node: Call, terms: Sequence[Term]) -> Term:
    return Term(node, Kind.FLOAT, number(terms[0]), 1 + terms[0].size, nan=True)


def _as_text(node: Call, terms: Sequence[Term]) -> Term:
    (term,) = terms
    size = 1 + 2 * term.size
    if term.kind is Kind.INTEGER:
        return Term(node, Kind.TEXT, as_integer(term).cast(nw.String()), size)
    if term.kind is Kind.BOOLEAN:
        words = nw.when(~term.expr).then(nw.lit("false"))
        return Term(node, Kind.TEXT, nw.when(term.expr).then(nw.lit("true")).otherwise(words), size)
    return Term(node, Kind.TEXT, text(term), size)


CASTS: dict[str, Make] = {
    **dict.fromkeys(("year", "month", "day", "hour", "minute", "second"), _part),
    "date": _date,
    "timestamp": _timestamp,
    "integer": _integer,
    "double": _double,
    "text": _as_text,
}
"""What makes a term of one of another kind, by its name."""
