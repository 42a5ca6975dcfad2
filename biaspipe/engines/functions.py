"""Arithmetic, functions and casts of conditions, each with one meaning on every engine."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from operator import add, mul, sub, truediv
from typing import Any

import narwhals as nw

from biaspipe.conditions import Call, Literal, unusable
from biaspipe.engines.terms import NUMBERS, Term, literal, number, whole
from biaspipe.plan import Kind

__all__ = ["FUNCTIONS"]

Make = Callable[[Call, Sequence[Term]], Term]

EXACT = 2.0**52
"""From here on, floats are whole."""
MOST_DECIMALS = 15
UTC = ("UTC", "Etc/UTC")
BLANK = "[ \t\n\r\v\f]+"
META = re.compile(r"[.^$*+?()\[\]{}|\\]")
END = "."
"""What stands behind a text that is matched, since `$` also matches before a last line break."""


def _number(node: Call, expr: nw.Expr, *terms: Term, more: int = 1) -> Term:
    return Term(node, Kind.FLOAT, expr, more + sum(term.size for term in terms), nan=True)


def _arithmetic(calculate: Callable[[Any, Any], Any]) -> Make:
    """Return arithmetic of floats; databases may take literals alone for decimals."""

    def calculated(node: Call, terms: Sequence[Term]) -> Term:
        a, b = map(number, terms)
        values = [term.value for term in terms]
        if None not in values:
            found = calculate(*map(float, values))
            if not isfinite(found):
                raise unusable(f"{node.name} leads beyond all numbers")
            return literal(Literal(Decimal(repr(found))))
        return _number(node, calculate(a, b), *terms)

    return calculated


def _divide(node: Call, terms: Sequence[Term]) -> Term:
    """Divide as floats: 7 / 2 is 3.5, and a division by zero is missing."""
    divisor = terms[1].value
    if divisor is None:
        a, b = map(number, terms)
        return _number(node, a / nw.when(b != 0).then(b), *terms, terms[1])
    if not divisor:
        return Term(node, Kind.MISSING, number(terms[0]))
    return _arithmetic(truediv)(node, terms)


def _remainder(node: Call, terms: Sequence[Term]) -> Term:
    """Return what a division of whole numbers leaves, with the sign of the first one."""
    divisor = terms[1].value
    if terms[0].kind is Kind.MISSING:
        return terms[0]
    a, b = map(whole, terms)
    if divisor is None:
        raise unusable("the right side of % is no number that stands there", "write id % 10 = 0")
    size = 1 + 3 * terms[0].size
    if not divisor:
        return Term(node, Kind.MISSING, b, size)
    if terms[0].long:
        return Term(node, Kind.INTEGER, a % nw.lit(abs(divisor)), size, terms[0].dtype)
    left = nw.when(a > -(2**63)).then(a).abs() % nw.lit(abs(divisor))
    return Term(node, Kind.INTEGER, nw.when(a < 0).then(-left).otherwise(left), size)


def _of_number(calculate: Callable[[nw.Expr], nw.Expr], *, times: int = 1) -> Make:
    def calculated(node: Call, terms: Sequence[Term]) -> Term:
        return _number(node, calculate(number(terms[0])), *terms * times)

    return calculated


def _small(x: nw.Expr) -> nw.Expr:
    """Return the numbers that may have digits behind the point."""
    return nw.when((x < EXACT) & (x > -EXACT)).then(x)


def _floor(x: nw.Expr) -> nw.Expr:
    return nw.coalesce(_small(x).floor().cast(nw.Float64()), x)


def _ceil(x: nw.Expr) -> nw.Expr:
    return nw.coalesce(_small(x).ceil().cast(nw.Float64()), x)


def _round(node: Call, terms: Sequence[Term]) -> Term:
    """Round a half away from zero."""
    decimals = _natural(terms[1], MOST_DECIMALS) if len(terms) > 1 else 0
    x = number(terms[0]) * 10.0**decimals
    size = x.abs()
    down = _floor(size)
    up = nw.when(size - down >= 0.5).then(down + 1.0).otherwise(down)
    signed = nw.when(x < 0).then(-up).otherwise(up) / 10.0**decimals
    return _number(node, signed, *[terms[0]] * 12)


def _sqrt(x: nw.Expr) -> nw.Expr:
    return nw.when(x >= 0).then(x).sqrt()


def _text(term: Term) -> nw.Expr:
    if term.kind is Kind.MISSING:
        return nw.lit(None, nw.String())
    if term.kind is not Kind.TEXT:
        raise unusable(f"{term.words} stands where a text is expected", "CAST(... AS TEXT)")
    return term.expr


def _written(term: Term) -> str:
    """Return a text that has to stand in the condition itself."""
    if not isinstance(term.value, str):
        raise unusable(f"{term.words} stands where a text in quotes is expected")
    return term.value


def _natural(term: Term, most: int = 2**31) -> int:
    """Return a whole number that has to stand in the condition itself."""
    value = term.value
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise unusable(f"{term.words} stands where a number from 0 to {most:,} is expected")
    return value


def _of_text(
    kind: Kind, change: Callable[[nw.Expr, Sequence[Term]], nw.Expr], *, times: int = 1
) -> Make:
    """Return a function of a text, and of what stands behind it in the condition itself."""

    def changed(node: Call, terms: Sequence[Term]) -> Term:
        size = 1 + times * terms[0].size + len(terms)
        return Term(node, kind, change(_text(terms[0]), terms[1:]), size)

    return changed


def _substring(text: nw.Expr, more: Sequence[Term]) -> nw.Expr:
    start, *length = (_natural(term) for term in more)
    if start < 1:
        raise unusable("SUBSTRING begins before the first letter, which is 1")
    return text.str.slice(start - 1, length[0] if length else None)


def _replace(text: nw.Expr, more: Sequence[Term]) -> nw.Expr:
    old, new = map(_written, more)
    return text.str.replace_all(old, new, literal=True) if old else text


def like(text: nw.Expr, pattern: str) -> nw.Expr:
    """Return whether texts are like a pattern, in which % stands for any text and _ for one sign.

    Parameters
    ----------
    text : the texts.
    pattern : what they are compared with.
    """
    if "_" not in pattern:
        match pattern.split("%"):
            case [one]:
                return text == one
            case ["", ""]:
                return text.str.len_chars() >= 0
            case [begin, ""]:
                return text.str.starts_with(begin)
            case ["", end]:
                return text.str.ends_with(end)
            case ["", part, ""]:
                return text.str.contains(part, literal=True)
    signs = (".*" if c == "%" else "." if c == "_" else META.sub(r"\\\g<0>", c) for c in pattern)
    expression = f"(?s)^{''.join(signs)}\\{END}$"
    return nw.concat_str([text, nw.lit(END)]).str.contains(expression)


def _joined(node: Call, terms: Sequence[Term]) -> Term:
    texts = [_text(term) for term in terms]
    if node.name == "concat":
        texts = [nw.coalesce(text, nw.lit("")) for text in texts]
    size = 1 + sum(term.size for term in terms)
    return Term(node, Kind.TEXT, nw.concat_str(texts), size)


def _part(node: Call, terms: Sequence[Term]) -> Term:
    """Take a part out of a date or time; of a time with a zone, as it is in UTC."""
    (term,) = terms
    known = (Kind.DATETIME, Kind.ZONED)
    if node.name in ("year", "month", "day"):
        known = (Kind.DATE, *known)
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
    return _number(node, number(terms[0]), *terms)


def _as_text(node: Call, terms: Sequence[Term]) -> Term:
    (term,) = terms
    size = 1 + 2 * term.size
    if term.kind is Kind.INTEGER:
        return Term(node, Kind.TEXT, whole(term).cast(nw.String()), size)
    if term.kind is Kind.BOOLEAN:
        words = nw.when(~term.expr).then(nw.lit("false"))
        return Term(node, Kind.TEXT, nw.when(term.expr).then(nw.lit("true")).otherwise(words), size)
    return Term(node, Kind.TEXT, _text(term), size)


FUNCTIONS: Mapping[str, Make] = {
    "+": _arithmetic(add),
    "-": _arithmetic(sub),
    "*": _arithmetic(mul),
    "/": _divide,
    "%": _remainder,
    "negative": _of_number(lambda x: -x),
    "abs": _of_number(lambda x: x.abs()),
    "floor": _of_number(_floor, times=4),
    "ceil": _of_number(_ceil, times=4),
    "sqrt": _of_number(_sqrt, times=2),
    "round": _round,
    "lower": _of_text(Kind.TEXT, lambda text, _: text.str.to_lowercase()),
    "upper": _of_text(Kind.TEXT, lambda text, _: text.str.to_uppercase()),
    "trim": _of_text(Kind.TEXT, lambda text, _: text.str.replace_all(f"^{BLANK}|{BLANK}$", "")),
    "length": _of_text(Kind.INTEGER, lambda text, _: text.str.len_chars().cast(nw.Int64())),
    "substring": _of_text(Kind.TEXT, _substring),
    "left": _of_text(Kind.TEXT, lambda text, more: text.str.slice(0, _natural(more[0]))),
    "replace": _of_text(Kind.TEXT, _replace),
    "starts_with": _of_text(
        Kind.BOOLEAN, lambda text, more: text.str.starts_with(_written(more[0]))
    ),
    "ends_with": _of_text(Kind.BOOLEAN, lambda text, more: text.str.ends_with(_written(more[0]))),
    "contains": _of_text(
        Kind.BOOLEAN, lambda text, more: text.str.contains(_written(more[0]), literal=True)
    ),
    "like": _of_text(Kind.BOOLEAN, lambda text, more: like(text, _written(more[0])), times=3),
    "ilike": _of_text(
        Kind.BOOLEAN,
        lambda text, more: like(text.str.to_lowercase(), _written(more[0]).lower()),
        times=3,
    ),
    **dict.fromkeys(("||", "concat"), _joined),
    **dict.fromkeys(("year", "month", "day", "hour", "minute", "second"), _part),
    "date": _date,
    "timestamp": _timestamp,
    "integer": _integer,
    "double": _double,
    "text": _as_text,
}
"""What makes a term of the terms behind a name, by the name."""
