"""sqlglot's tree to ours; expressions that are not in the language are refused."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from biaspipe.conditions.faults import DEEPEST, MAX_SHOWN, too_deep, unknown, unusable
from biaspipe.conditions.parameters import ONE_VALUE, ParameterValues
from biaspipe.conditions.tree import MAX_DIGITS, STAND_IN, Call, ColumnName, Literal, Node
from biaspipe.conditions.vocabulary import (
    BOOLEANS,
    CASTS,
    COMPARED,
    DATE_PARTS,
    FORMS,
    JOINED,
    LEAST,
)
from biaspipe.printable_text import escape

__all__ = ["Reader"]

MAX_NODES = 1_000

NUMBER = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d{1,3})?|\.\d+(?:[eE][+-]?\d{1,3})?")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass
class Reader:
    """Turns what sqlglot has parsed into the tree, and counts its nodes."""

    values: ParameterValues = field(default_factory=dict)
    nodes: int = 0

    def read(self, node: Any, depth: int = 0) -> Node:
        """Read a node.

        Parameters
        ----------
        node : what sqlglot has parsed.
        depth : how deep it is nested.

        Raises
        ------
        SpecError
            If it is not part of the language.
        """
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise unusable(f"it has more than {MAX_NODES:,} parts")
        if depth > DEEPEST:
            raise too_deep()
        name = type(node).__name__
        if reader := READERS.get(name):
            return reader(self, node, depth)
        if name in COMPARED:
            _refuse_chain(node)
        if name in FORMS:
            call, keys = FORMS[name]
            parts = self._parts(node, keys, depth)
            if len(parts) < LEAST.get(call, 1):
                raise unusable(f"{call.upper()} lacks what it is applied to")
            return _with_column(Call(call, parts))
        raise unknown(node)

    def _parts(self, node: Any, keys: Sequence[str], depth: int) -> tuple[Node, ...]:
        """Read the parts of a node; a part that has no place in the language is refused."""
        _refuse_more(node, keys)
        found: list[Any] = []
        for key in keys:
            part = node.args.get(key)
            found += part if isinstance(part, list) else [part] if hasattr(part, "args") else []
        return tuple(self.read(part, depth + 1) for part in found)

    def _paren(self, node: Any, depth: int) -> Node:
        return self.read(node.this, depth + 1)

    def _column(self, node: Any, _: int) -> Node:
        if any(part for key, part in node.args.items() if key != "this"):
            raise unknown(node, "Dot")
        if type(node.this).__name__ != "Identifier":
            raise unknown(node.this)
        return ColumnName(node.this.this)

    def _literal(self, node: Any, _: int) -> Node:
        text = str(node.this)
        if not node.is_string:
            return Literal(_number(text))
        return self._given(text[1:]) if text.startswith(STAND_IN) else Literal(text)

    def _given(self, name: str) -> Literal:
        """Return the value of a parameter; any day for one that has none yet."""
        match self.values[name]:
            case None:
                return Literal("2000-01-01", given=True)
            case str() | bool() as value:
                return Literal(value, given=True)
            case number:
                digits = _number(repr(abs(number)))
                return Literal(-digits if number < 0 else digits, given=True)

    def _boolean(self, node: Any, _: int) -> Node:
        return Literal(bool(node.this))

    def _negative(self, node: Any, depth: int) -> Node:
        (part,) = self._parts(node, ("this",), depth)
        match part:
            case Literal(value=int() | Decimal() as value) if not isinstance(value, bool):
                return Literal(-value)
        return Call("negative", (part,))

    def _joined(self, node: Any, depth: int) -> Node:
        """Read a chain of ANDs, or of ORs, as one call."""
        kind, chain = type(node), []
        while isinstance(node, kind):
            _refuse_more(node, ("this", "expression"))
            chain.append(node.expression)
            node = node.this
        parts = tuple(self.read(part, depth + 1) for part in (node, *reversed(chain)))
        return Call(JOINED[kind.__name__], parts)

    def _between(self, node: Any, depth: int) -> Node:
        value, low, high = self._parts(node, ("this", "low", "high"), depth)
        sides = Call(">=", (value, low)), Call("<=", (value, high))
        return Call("and", tuple(map(_with_column, sides)))

    def _like(self, node: Any, depth: int) -> Node:
        parts = self._parts(node, ("this", "expression", "negate"), depth)
        like = _with_column(Call(type(node).__name__.lower(), parts))
        return Call("not", (like,)) if node.args.get("negate") else like

    def _unequal(self, node: Any, depth: int) -> Node:
        same = Call("same", self._parts(node, ("this", "expression"), depth))
        return Call("not", (_with_column(same),))

    def _is(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "expression"))
        what = type(node.expression).__name__
        if what not in ("Null", "Boolean"):
            raise unknown(node.expression)
        name = "is_null" if what == "Null" else f"is_{str(node.expression.this).lower()}"
        return Call(name, (self.read(node.this, depth + 1),))

    def _within(self, node: Any, depth: int) -> Node:
        if not node.args.get("expressions"):
            raise unknown(node.args.get("query") or node.args.get("unnest") or node)
        return _with_column(Call("in", self._parts(node, ("this", "expressions"), depth)))

    def _case(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "ifs", "default"))
        one = node.args.get("this")
        parts: list[Node] = []
        for branch in node.args["ifs"]:
            when, then = self._parts(branch, ("this", "true"), depth)
            equal = () if one is None else (self.read(one, depth + 1), when)
            parts += [Call("=", equal) if equal else when, then]
        if (default := node.args.get("default")) is not None:
            parts.append(self.read(default, depth + 1))
        return Call("case", tuple(parts))

    def _extract(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "expression"))
        return self._part(str(node.this.name), node.expression, depth)

    def _anonymous(self, node: Any, depth: int) -> Node:
        parts = node.expressions
        if str(node.this).lower() == "date_part" and len(parts) == 2:
            return self._part(str(parts[0].name), parts[1], depth)
        raise unknown(node)

    def _part(self, part: str, node: Any, depth: int) -> Node:
        if part.lower() not in DATE_PARTS:
            known = ", ".join(DATE_PARTS)
            raise unusable(f"it takes {escape(part)!r} out of a date", f"it may take {known}")
        return Call(part.lower(), (self.read(node, depth + 1),))

    def _cast(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "to"))
        to = node.args["to"]
        name = CASTS.get(str(getattr(to.this, "name", to.this)))
        if name is None or to.expressions:
            words = f"it casts to {escape(to.sql())}, which is not part of the language"
            raise unusable(words, "CAST knows INTEGER, DOUBLE, TEXT, DATE and TIMESTAMP")
        if getattr(node.this, "is_string", False):
            held = self.read(node.this, depth + 1)
            if self._lacks(node.this):
                return held
            if isinstance(held, Literal) and isinstance(held.value, str):
                return Literal(_constant(held.value, name))
        if name == "timestamptz":
            raise unusable("it casts to a time with a zone", "compare with TIMESTAMPTZ '...'")
        return Call(name, (self.read(node.this, depth + 1),))

    def _lacks(self, node: Any) -> bool:
        """Whether a text is a parameter without a value."""
        text = str(node.this)
        return text.startswith(STAND_IN) and self.values[text[1:]] is None

    def _date(self, node: Any, depth: int) -> Node:
        match self._parts(node, ("this",), depth):
            case (Literal(value=str() as text),):
                return Literal(_constant(text, "date"))
            case (part,):
                return Call("date", (part,))
        raise unknown(node)


READERS = {
    **dict.fromkeys(JOINED, Reader._joined),
    "Paren": Reader._paren,
    "Column": Reader._column,
    "Literal": Reader._literal,
    "Boolean": Reader._boolean,
    "Neg": Reader._negative,
    "Between": Reader._between,
    "NullSafeNEQ": Reader._unequal,
    **dict.fromkeys(("Like", "ILike"), Reader._like),
    "Is": Reader._is,
    "In": Reader._within,
    "Case": Reader._case,
    "Extract": Reader._extract,
    "Anonymous": Reader._anonymous,
    "Cast": Reader._cast,
    "Date": Reader._date,
}
FLAGS = ("safe", "typed", "coalesce")
"""What sqlglot notes about a dialect, and the language settles by itself."""


COMPARING = {*COMPARED.values(), "same", "in", "like", "ilike"}


def _with_column(call: Call) -> Call:
    """Refuse a parameter that is compared with a value, as if it were the name of a column."""
    values = [part for part in call.parts if isinstance(part, Literal)]
    if call.name in COMPARING and len(values) == len(call.parts) and any(v.given for v in values):
        raise unusable("it compares a parameter with a value, and no column", ONE_VALUE)
    return call


def _refuse_more(node: Any, keys: Sequence[str]) -> None:
    for key, part in node.args.items():
        if part and key not in keys and key not in FLAGS:
            raise unknown(part) if hasattr(part, "args") else unknown(node)


def _refuse_chain(node: Any) -> None:
    """Refuse 18 <= age <= 65, which SQL reads as a comparison of true or false with 65."""
    ordered = type(node).__name__ not in ("EQ", "NEQ")
    for side in (node.this, node.expression):
        inner = side.unnest() if ordered else side
        if type(inner).__name__ in BOOLEANS:
            middle = inner.args.get("expression")
            right = f"{COMPARED[type(node).__name__]} {node.expression.sql()}"
            hint = f"write {inner.sql()} AND {middle.sql()} {right}" if middle else ""
            fits = side is node.this and type(inner).__name__ in COMPARED and len(hint) < 200
            hint = f"{hint}, or BETWEEN" if fits else "join two comparisons by AND"
            raise unusable("it compares what a comparison says, which is true or false", hint)


def _number(text: str) -> int | Decimal:
    if not NUMBER.fullmatch(text):
        raise unusable(f"{escape(text)[:MAX_SHOWN]!r} is no number")
    number = Decimal(text)
    if len(number.as_tuple().digits) > MAX_DIGITS or abs(number.adjusted()) > 300:
        raise unusable(f"no engine holds a number such as {text[:MAX_SHOWN]}")
    return int(text) if text.isdigit() else number


def _constant(text: str, to: str) -> str | date | datetime:
    """Return a text as the date or time that it is cast to."""
    if to == "text":
        return text
    with suppress(ValueError):
        if to == "date" and DAY.fullmatch(text):
            return date.fromisoformat(text)
        if to.startswith("timestamp") and DAY.match(text):
            found = datetime.fromisoformat(text)
            if found.tzinfo is not None or to == "timestamp":
                return found
    hint = "write DATE '2026-07-01', TIMESTAMP '2026-07-01 10:30:00', or the number without quotes"
    raise unusable(f"{escape(text)[:MAX_SHOWN]!r} is no {to}", hint)
