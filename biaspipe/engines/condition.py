"""The condition of `where` as one expression, which every engine answers alike.

Missing is null or NaN. What compares with a missing value is unknown, and so is its contrary.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor, inf
from struct import pack, unpack

import narwhals as nw

from biaspipe.conditions import WHERE, Call, Column, Literal, Node, unusable
from biaspipe.engines.functions import FUNCTIONS
from biaspipe.engines.terms import (
    NUMBERS,
    Term,
    column,
    dated,
    in_utc,
    literal,
    merged,
    number,
    timed,
    whole,
)
from biaspipe.errors import Fault, SpecError, nearest
from biaspipe.plan import Kind

__all__ = ["met"]

LARGEST = 2_000
"""How many parts an expression may have; what is needed twice counts twice."""
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
COMPARE: dict[str, Callable[[nw.Expr, nw.Expr], nw.Expr]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
RANGES: dict[type[nw.dtypes.DType], tuple[int, int]] = {
    nw.UInt64: (0, 2**64 - 1),
    nw.Int128: (-(2**127), 2**127 - 1),
    nw.UInt128: (0, 2**128 - 1),
}
MOST_EXACT = 15
"""A number of more digits is no float, and so compared with decimals as one of them."""
LARGEST_SHORT = 3.4028234663852886e38
"""The largest float of 32 bits."""


def met(
    condition: Node,
    schema: Mapping[str, nw.dtypes.DType],
    kind: Callable[[str], Kind],
    table: str,
) -> nw.Expr:
    """Return whether rows meet a condition: true, or false where that is false or unknown.

    Parameters
    ----------
    condition : its tree.
    schema : the columns' types.
    kind : says what kind of values a column holds.
    table : what messages call the table.

    Raises
    ------
    SpecError
        If it names a column that is not there, or compares what cannot be compared.
    """
    found = _Translation(schema, kind, table).term(condition)
    if found.kind not in (Kind.BOOLEAN, Kind.MISSING):
        raise SpecError([Fault("the condition is not true or false for each row by itself", WHERE)])
    return nw.coalesce(_truth(found), nw.lit(False))


@dataclass(frozen=True)
class _Translation:
    """Turns a tree into expressions over the columns of a table."""

    schema: Mapping[str, nw.dtypes.DType]
    kind: Callable[[str], Kind]
    table: str
    columns: dict[str, Term] = field(default_factory=dict)

    def term(self, node: Node) -> Term:
        """Return a part of the condition."""
        match node:
            case Column(name):
                return self.columns.setdefault(name, self._column(name))
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
            raise SpecError([Fault(words, WHERE, hint=nearest(name, self.schema))])
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise unusable(f"engines read the name of the column {name!r} as a pattern")
        return column(name, self.schema[name], self.kind(name))


def _truth(term: Term) -> nw.Expr:
    """Return a term that is true, false or unknown."""
    if term.kind is Kind.MISSING:
        return nw.lit(None, nw.Boolean())
    if term.kind is not Kind.BOOLEAN:
        raise unusable(f"{term.words} is not true or false", "compare it with a value")
    return term.expr


def _answer(node: Node, expr: nw.Expr, *terms: Term, more: int = 1) -> Term:
    """Return a term that is true, false or unknown."""
    return Term(node, Kind.BOOLEAN, expr, more + sum(term.size for term in terms))


def _compared(sign: str) -> Callable[[Node, Sequence[Term]], Term]:
    def compared(node: Node, terms: Sequence[Term]) -> Term:
        left, right = terms
        twice = (term.size for term in terms if term.nan)
        return _answer(node, _comparison(sign, left, right), *terms, more=1 + sum(twice))

    return compared


def _comparison(sign: str, left: Term, right: Term) -> nw.Expr:
    """Compare two terms, which have to be of one kind."""
    if left.value is not None and right.value is None:
        left, right, sign = right, left, FLIPPED[sign]
    if left.kind is Kind.ZONED:
        right = in_utc(right)
    kinds = {left.kind, right.kind}
    if Kind.MISSING in kinds:
        return nw.lit(None, nw.Boolean())
    compare = COMPARE[sign]
    if kinds <= {*NUMBERS}:
        return _numbers(sign, left, right)
    if kinds == {Kind.DATE, Kind.DATETIME}:
        return compare(timed(left), timed(right))
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
        return compare(whole(left), whole(right))
    if value is not None and left.value is None:
        if left.kind is Kind.INTEGER:
            return _whole(sign, left, Decimal(value))
        if left.kind is Kind.DECIMAL and len(Decimal(value).as_tuple().digits) > MOST_EXACT:
            return compare(left.expr, nw.lit(Decimal(value)))
        if isinstance(left.dtype, nw.Float32) and abs(value) <= LARGEST_SHORT:
            return _short(sign, left, float(value))
    a, b = number(left), number(right)
    numbers = [expr <= inf for expr, term in ((a, left), (b, right)) if term.nan]
    found = compare(a, b)
    return nw.when(nw.all_horizontal(numbers, ignore_nulls=False)).then(found) if numbers else found


def _short(sign: str, term: Term, value: float) -> nw.Expr:
    """Compare floats of 32 bits with a number as they hold it, so that 0.1 is 0.1."""
    assert isinstance(term.node, Column)  # noqa: S101 - only columns have a type
    values = nw.col(term.node.name)
    held = nw.lit(unpack("f", pack("f", value))[0], nw.Float32())
    return nw.when(values <= inf).then(COMPARE[sign](values, held))


def _whole(sign: str, term: Term, value: Decimal) -> nw.Expr:
    """Compare whole numbers with a number, which need be neither whole nor of 64 bits."""
    low, high = RANGES.get(type(term.dtype), (-(2**63), 2**63 - 1))
    if value != value.to_integral_value():
        if sign in ("=", "<>"):
            return _always(term, sign == "<>")
        sign, value = ("<=", floor(value)) if sign in ("<", "<=") else (">=", ceil(value))
    if not low <= value <= high:
        return _always(term, sign == "<>" or (sign in ("<", "<=")) == (value > high))
    held = nw.UInt64() if isinstance(term.dtype, nw.UInt64) else None
    return COMPARE[sign](term.expr, nw.lit(int(value), held))


def _always(term: Term, answer: bool) -> nw.Expr:
    """Return one answer wherever there is a value."""
    return nw.when(~term.expr.is_null()).then(nw.lit(answer))


def _joined(node: Call, terms: Sequence[Term]) -> Term:
    parts = [_truth(term) for term in terms]
    every = nw.all_horizontal if node.name == "and" else nw.any_horizontal
    while len(parts) > 1:
        pairs = (parts[i : i + 2] for i in range(0, len(parts), 2))
        parts = [every(pair, ignore_nulls=False) for pair in pairs]
    return _answer(node, parts[0], *terms)


def _not(node: Call, terms: Sequence[Term]) -> Term:
    return _answer(node, ~_truth(terms[0]), *terms)


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
        return _answer(node, nw.when(~one.expr.is_null()).then(one.expr.is_in(values)), *terms, one)
    equal = [_compared("=")(node, [one, other]) for other in others]
    return _joined(Call("or", ()), equal)


def _same(node: Call, terms: Sequence[Term]) -> Term:
    """Return whether two values are the same, or both missing."""
    left, right = terms
    equal = nw.coalesce(_comparison("=", left, right), nw.lit(False))
    missing = _is_null(left) & _is_null(right)
    return _answer(node, equal | missing, *terms, *terms, *terms)


def _is_null(term: Term) -> nw.Expr:
    if term.kind is Kind.MISSING:
        return nw.lit(True)
    if term.nan:
        return ~nw.coalesce(term.expr <= inf, nw.lit(False))
    return term.expr.is_null()


def _null(node: Call, terms: Sequence[Term]) -> Term:
    return _answer(node, _is_null(terms[0]), *terms)


def _is(answer: str) -> Callable[[Call, Sequence[Term]], Term]:
    def is_so(node: Call, terms: Sequence[Term]) -> Term:
        truth = _truth(terms[0])
        asked = truth if answer == "true" else ~truth
        return _answer(node, nw.coalesce(asked, nw.lit(False)), *terms)

    return is_so


def _case(node: Call, terms: Sequence[Term]) -> Term:
    """Return the value behind the first condition that is true, or the last one."""
    values = [*terms[1::2], *terms[-1:]] if len(terms) % 2 else list(terms[1::2])
    kind, exprs = merged(values)
    whens = [_truth(term) for term in terms[: len(terms) // 2 * 2 : 2]]
    found = exprs[-1] if len(terms) % 2 else None
    for condition, value in reversed(list(zip(whens, exprs, strict=False))):
        then = nw.when(condition).then(value)
        found = then if found is None else then.otherwise(found)
    assert found is not None  # noqa: S101 - a CASE has a branch
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
    differ = ~nw.coalesce(_comparison("=", one, other), nw.lit(False))
    kind, (expr,) = merged([one])
    size = 1 + 3 * one.size + 2 * other.size
    return Term(node, kind, nw.when(differ).then(expr), size, nan=one.nan)


CALLS: Mapping[str, Callable[[Call, Sequence[Term]], Term]] = {
    **{sign: _compared(sign) for sign in COMPARE},
    **dict.fromkeys(("and", "or"), _joined),
    "not": _not,
    "in": _in,
    "same": _same,
    "is_null": _null,
    "is_true": _is("true"),
    "is_false": _is("false"),
    "case": _case,
    "coalesce": _coalesce,
    "nullif": _nullif,
    **FUNCTIONS,
}
