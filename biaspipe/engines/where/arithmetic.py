"""Arithmetic of conditions: of floats of 64 bits, and whole where a division leaves a rest."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import isfinite
from operator import add, mul, sub, truediv
from typing import Any

import narwhals as nw

from biaspipe.conditions import Call, Literal, unusable
from biaspipe.engines.where.terms import Make, Term, as_integer, literal, natural, number
from biaspipe.plan import Kind

__all__ = ["ARITHMETIC"]

EXACT = 2.0**52
"""From here on, floats are whole."""
MAX_DECIMALS = 15


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
    """Return the remainder of a division of whole numbers, with the sign of the first one."""
    divisor = terms[1].value
    if terms[0].kind is Kind.MISSING:
        return terms[0]
    a, b = map(as_integer, terms)
    if divisor is None:
        raise unusable("the right side of % is no number that stands there", "write id % 10 = 0")
    size = 1 + 5 * terms[0].size
    if not divisor:
        return Term(node, Kind.MISSING, b, size)
    if terms[0].long:
        return Term(node, Kind.INTEGER, a % nw.lit(abs(divisor)), size, terms[0].dtype)
    left = nw.when(a > -(2**63)).then(a).abs() % nw.lit(abs(divisor))
    return Term(node, Kind.INTEGER, nw.when(a < 0).then(-left).otherwise(left), size)


def _of_number(calculate: Callable[[nw.Expr], nw.Expr], *, times: int = 1) -> Make:
    def calculated(node: Call, terms: Sequence[Term]) -> Term:
        return _number(node, calculate(number(terms[0])), *[terms[0]] * times)

    return calculated


def _small(x: nw.Expr) -> nw.Expr:
    """Return the numbers that may have digits behind the point."""
    return nw.when(x.abs() < EXACT).then(x)


def _floored(x: nw.Expr) -> nw.Expr:
    return x.floor().cast(nw.Float64())


def _round(node: Call, terms: Sequence[Term]) -> Term:
    """Round a half away from zero."""
    decimals = natural(terms[1], MAX_DECIMALS) if len(terms) > 1 else 0
    x = number(terms[0]) * 10.0**decimals
    small = _small(x)
    halves = _floored(small.abs() * 2.0)
    near = _floored((halves + 1.0) / 2.0)
    signed = nw.coalesce(nw.when(small < 0).then(-near).otherwise(near), x)
    return _number(node, signed / 10.0**decimals, *[terms[0]] * 7)


ARITHMETIC: dict[str, Make] = {
    "+": _arithmetic(add),
    "-": _arithmetic(sub),
    "*": _arithmetic(mul),
    "/": _divide,
    "%": _remainder,
    "negative": _of_number(lambda x: -x),
    "abs": _of_number(lambda x: x.abs()),
    "floor": _of_number(lambda x: nw.coalesce(_floored(_small(x)), x), times=3),
    "ceil": _of_number(lambda x: nw.coalesce(_small(x).ceil().cast(nw.Float64()), x), times=3),
    "sqrt": _of_number(lambda x: nw.when(x >= 0).then(x).sqrt(), times=2),
    "round": _round,
}
"""What makes a number of the terms behind an operator or function, by its name."""
