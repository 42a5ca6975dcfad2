"""The condition of `where` as one expression, which every engine answers alike.

Missing is null or NaN. What compares with a missing value is unknown, and so is its contrary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from math import inf
from operator import and_, or_

import narwhals as nw

from biaspipe.conditions import WHERE, Call, ColumnName, Literal, Node, unusable
from biaspipe.engines.where.arithmetic import ARITHMETIC
from biaspipe.engines.where.casts import CASTS
from biaspipe.engines.where.comparisons import COMPARE, compared_by, comparison
from biaspipe.engines.where.terms import Make, Term, answer, column, literal, merged, truth
from biaspipe.engines.where.texts import TEXTS
from biaspipe.errors import Fault, SpecError
from biaspipe.plan import Kind
from biaspipe.printable_text import did_you_mean

__all__ = ["meets"]

LARGEST = 5_000
"""How many parts an expression may have; what is needed twice counts twice."""


def meets(
    condition: Node,
    schema: Mapping[str, nw.dtypes.DType],
    kind: Callable[[str], Kind],
    table: str,
    naive_time: Callable[[datetime], nw.Expr] = nw.lit,
) -> nw.Expr:
    """Return whether rows meet a condition: true, or false where that is false or unknown.

    Parameters
    ----------
    condition : its tree.
    schema : the columns' types.
    kind : says what kind of values a column holds.
    table : what messages call the table.
    naive_time : writes a time without a zone for an engine.

    Raises
    ------
    SpecError
        If it names a column that is not there, or compares what cannot be compared.
    """
    found = _Translation(schema, kind, table, naive_time).term(condition)
    if found.kind not in (Kind.BOOLEAN, Kind.MISSING):
        raise SpecError([Fault("the condition is not true or false for each row by itself", WHERE)])
    return nw.coalesce(truth(found), nw.lit(False))


@dataclass(frozen=True)
class _Translation:
    """Turns a tree into expressions over the columns of a table."""

    schema: Mapping[str, nw.dtypes.DType]
    kind: Callable[[str], Kind]
    table: str
    naive_time: Callable[[datetime], nw.Expr]
    columns: dict[str, Term] = field(default_factory=dict)

    def term(self, node: Node) -> Term:
        """Return a part of the condition."""
        match node:
            case ColumnName(name):
                return self.columns.setdefault(name, self._column(name))
            case Literal(datetime() as value) if value.tzinfo is None:
                return Term(node, Kind.DATETIME, self.naive_time(value))
            case Literal():
                return literal(node)
            case Call(name, parts):
                found = CALLS[name](node, [self.term(part) for part in parts])
        if found.size > LARGEST:
            raise unusable("it is nested too deeply", "write it as several shorter conditions")
        return found

    def _column(self, name: str) -> Term:
        if name not in self.schema:
            words = f"{self.table} has no column {name!r}"
            raise SpecError([Fault(words, WHERE, hint=did_you_mean(name, self.schema))])
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise unusable(f"engines read the name of the column {name!r} as a pattern")
        return column(name, self.schema[name], self.kind(name))


def _joined(node: Call, terms: Sequence[Term]) -> Term:
    parts = [truth(term) for term in terms]
    joined = and_ if node.name == "and" else or_
    while len(parts) > 1:
        pairs = (parts[i : i + 2] for i in range(0, len(parts), 2))
        parts = [reduce(joined, pair) for pair in pairs]
    return answer(node, parts[0], *terms)


def _not(node: Call, terms: Sequence[Term]) -> Term:
    return answer(node, ~truth(terms[0]), *terms)


def _in(node: Call, terms: Sequence[Term]) -> Term:
    """Return whether a value is one of several; literals of its own type are looked up."""
    one, *others = terms
    values = [term.value for term in others]
    plain = one.kind is Kind.TEXT or (one.kind is Kind.INTEGER and not one.long)
    if (
        plain
        and one.value is None
        and all(t.kind is one.kind for t in others)
        and all(value is not None for value in values)
    ):
        return answer(node, one.expr.is_in(values), *terms)
    equal = [compared_by("=")(node, [one, other]) for other in others]
    return _joined(Call("or", ()), equal)


def _same(node: Call, terms: Sequence[Term]) -> Term:
    """Return whether two values are the same, or both missing."""
    left, right = terms
    equal = nw.coalesce(comparison("=", left, right), nw.lit(False))
    missing = _is_null(left) & _is_null(right)
    return answer(node, equal | missing, *terms, *terms, *terms)


def _is_null(term: Term) -> nw.Expr:
    if term.kind is Kind.MISSING:
        return nw.lit(True)
    if term.nan:
        return ~nw.coalesce(term.expr <= inf, nw.lit(False))
    return term.expr.is_null()


def _null(node: Call, terms: Sequence[Term]) -> Term:
    return answer(node, _is_null(terms[0]), *terms)


def _is_so(node: Call, terms: Sequence[Term]) -> Term:
    """Return whether something is true, or is false; what is unknown is neither."""
    said = truth(terms[0])
    asked = said if node.name == "is_true" else ~said
    return answer(node, nw.coalesce(asked, nw.lit(False)), *terms)


def _case(node: Call, terms: Sequence[Term]) -> Term:
    """Return the value behind the first condition that is true, or the last one."""
    values = [*terms[1::2], *terms[-1:]] if len(terms) % 2 else list(terms[1::2])
    kind, exprs = merged(values)
    whens = [truth(term) for term in terms[: len(terms) // 2 * 2 : 2]]
    *branches, last = (
        nw.when(condition).then(value) for condition, value in zip(whens, exprs, strict=False)
    )
    found = last.otherwise(exprs[-1]) if len(terms) % 2 else last
    for branch in reversed(branches):
        found = branch.otherwise(found)
    size = 1 + sum(term.size for term in terms)
    return Term(node, kind, found, size, nan=any(term.nan for term in values))


def _coalesce(node: Call, terms: Sequence[Term]) -> Term:
    kind, _ = merged(terms)
    cleaned = [Term(t.node, t.kind, t.clean, t.size, t.dtype) for t in terms]
    _, exprs = merged(cleaned)
    twice = sum(term.size for term in terms if term.nan)
    return Term(node, kind, nw.coalesce(*exprs), 1 + twice + sum(term.size for term in terms))


def _nullif(node: Call, terms: Sequence[Term]) -> Term:
    one, other = terms
    differ = ~nw.coalesce(comparison("=", one, other), nw.lit(False))
    kind, (expr,) = merged([one])
    size = 1 + 3 * one.size + 2 * other.size
    return Term(node, kind, nw.when(differ).then(expr), size, nan=one.nan)


CALLS: Mapping[str, Make] = {
    **{sign: compared_by(sign) for sign in COMPARE},
    **dict.fromkeys(("and", "or"), _joined),
    "not": _not,
    "in": _in,
    "same": _same,
    "is_null": _null,
    **dict.fromkeys(("is_true", "is_false"), _is_so),
    "case": _case,
    "coalesce": _coalesce,
    "nullif": _nullif,
    **ARITHMETIC,
    **TEXTS,
    **CASTS,
}
