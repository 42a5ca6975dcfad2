"""The text of a condition to its tree; whatever is not part of the language is refused by name."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from biaspipe.conditions.tree import WHERE, Call, Column, Literal, Node
from biaspipe.conditions.words import (
    CASTS,
    CLOCK,
    COMPARED,
    FORMS,
    HINTS,
    JOINED,
    LANGUAGE,
    NAMES,
    PARTS,
    TRUTHS,
)
from biaspipe.errors import Fault, SpecError, first_line, shown

__all__ = ["faults_in", "parsed", "unusable"]

MOST_CHARACTERS = 10_000
MOST_NODES = 1_000
DEEPEST = 50
MOST_DIGITS = 38
MOST_SHOWN = 60

NUMBER = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d{1,3})?|\.\d+(?:[eE][+-]?\d{1,3})?")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
OPENING, CLOSING = ("(", "[", "{", "CASE"), (")", "]", "}", "END")
PREFIXES = ("NOT", "-", "+", "~")


@lru_cache(maxsize=64)
def parsed(where: str) -> Node:
    """Return the tree of a condition.

    Parameters
    ----------
    where : the condition as the spec writes it.

    Raises
    ------
    SpecError
        If the text is none, uses what is not part of the language, or is too long or too deep.

    >>> parsed("age >= 18")
    Call(name='>=', parts=(Column(name='age'), Literal(value=18)))
    """
    if len(where) > MOST_CHARACTERS:
        raise unusable(f"it has {len(where):,} characters, and at most {MOST_CHARACTERS:,} fit")
    try:
        return _Reader().read(_parsed(where), 0)
    except RecursionError:
        raise _too_deep() from None


def faults_in(where: str | None) -> tuple[Fault, ...]:
    """Return what is wrong with a condition, if there is one, whatever the data hold."""
    try:
        _ = where and parsed(where)
    except SpecError as error:
        return error.faults
    return ()


def _parsed(where: str) -> Any:
    """Return what sqlglot makes of a text, which has to be one expression without comments."""
    from sqlglot import exp  # noqa: PLC0415 - slow to import, and needed where there is a condition
    from sqlglot.dialects.dialect import Dialect  # noqa: PLC0415 - as above
    from sqlglot.errors import SqlglotError  # noqa: PLC0415 - as above

    dialect = Dialect.get_or_raise(None)
    with _silence():
        try:
            tokens = dialect.tokenize(where)
            _refuse_tokens(tokens)
            (found,) = dialect.parser().parse_into(exp.Condition, tokens, where)
        except SqlglotError as error:
            raise unusable(_in_words(error)) from None
    if found is None:
        raise unusable("it says nothing")
    return found


@contextmanager
def _silence() -> Iterator[None]:
    """Keep sqlglot from logging what it does not support."""
    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _in_words(error: Any) -> str:
    for fault in getattr(error, "errors", ()):
        if near := str(fault.get("highlight") or ""):
            return f"it cannot be read at {shown(near)[:MOST_SHOWN]!r}"
    return f"it cannot be read: {shown(first_line(error))[:MOST_SHOWN]}"


def _refuse_tokens(tokens: Sequence[Any]) -> None:
    """Refuse what parsing would pass over, or would need too many calls for."""
    if not tokens:
        raise unusable("it says nothing")
    open_ones = run = 0
    before = ""
    for token in tokens:
        text, kind = token.text.upper(), token.token_type.name
        if token.comments:
            raise unusable("it holds a comment", "say it in the spec, behind #")
        if kind == "SEMICOLON":
            raise unusable("it holds several statements", "join two conditions by AND")
        if kind == before == "STRING":
            raise unusable(f"two texts follow each other: {shown(token.text)!r}", "write a comma")
        quoted = kind in ("STRING", "IDENTIFIER")
        open_ones += 0 if quoted else (text in OPENING) - (text in CLOSING)
        run = run + 1 if text in PREFIXES and not quoted else 0
        if max(open_ones, run) > DEEPEST:
            raise _too_deep()
        before = kind


@dataclass
class _Reader:
    """Turns what sqlglot has parsed into the tree, and counts its nodes."""

    nodes: int = 0

    def read(self, node: Any, depth: int) -> Node:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise unusable(f"it has more than {MOST_NODES:,} parts")
        if depth > DEEPEST:
            raise _too_deep()
        name = type(node).__name__
        if reader := READERS.get(name):
            return reader(self, node, depth)
        if name in COMPARED:
            _refuse_chain(node)
        if name in FORMS:
            call, keys = FORMS[name]
            return Call(call, self.parts(node, keys, depth))
        raise _unknown(node)

    def parts(self, node: Any, keys: Sequence[str], depth: int) -> tuple[Node, ...]:
        """Read the parts of a node; a part that has no place in the language is refused."""
        _refuse_more(node, keys)
        found: list[Any] = []
        for key in keys:
            part = node.args.get(key)
            found += part if isinstance(part, list) else [part] if hasattr(part, "args") else []
        return tuple(self.read(part, depth + 1) for part in found)

    def paren(self, node: Any, depth: int) -> Node:
        return self.read(node.this, depth + 1)

    def column(self, node: Any, _: int) -> Node:
        if any(part for key, part in node.args.items() if key != "this"):
            raise _unknown(node, "Dot")
        if type(node.this).__name__ != "Identifier":
            raise _unknown(node.this)
        return Column(node.this.this)

    def literal(self, node: Any, _: int) -> Node:
        text = str(node.this)
        return Literal(text if node.is_string else _number(text))

    def boolean(self, node: Any, _: int) -> Node:
        return Literal(bool(node.this))

    def negative(self, node: Any, depth: int) -> Node:
        (part,) = self.parts(node, ("this",), depth)
        match part:
            case Literal(value=int() | Decimal() as value) if not isinstance(value, bool):
                return Literal(-value)
        return Call("negative", (part,))

    def joined(self, node: Any, depth: int) -> Node:
        """Read a chain of ANDs, or of ORs, as one call."""
        kind, chain = type(node), []
        while isinstance(node, kind):
            _refuse_more(node, ("this", "expression"))
            chain.append(node.expression)
            node = node.this
        parts = tuple(self.read(part, depth + 1) for part in (node, *reversed(chain)))
        return Call(JOINED[kind.__name__], parts)

    def between(self, node: Any, depth: int) -> Node:
        value, low, high = self.parts(node, ("this", "low", "high"), depth)
        return Call("and", (Call(">=", (value, low)), Call("<=", (value, high))))

    def like(self, node: Any, depth: int) -> Node:
        parts = self.parts(node, ("this", "expression", "negate"), depth)
        like = Call(type(node).__name__.lower(), parts)
        return Call("not", (like,)) if node.args.get("negate") else like

    def unequal(self, node: Any, depth: int) -> Node:
        return Call("not", (Call("same", self.parts(node, ("this", "expression"), depth)),))

    def is_(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "expression"))
        what = type(node.expression).__name__
        if what not in ("Null", "Boolean"):
            raise _unknown(node.expression)
        name = "is_null" if what == "Null" else f"is_{str(node.expression.this).lower()}"
        return Call(name, (self.read(node.this, depth + 1),))

    def within(self, node: Any, depth: int) -> Node:
        if not node.args.get("expressions"):
            raise _unknown(node.args.get("query") or node.args.get("unnest") or node)
        return Call("in", self.parts(node, ("this", "expressions"), depth))

    def case(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "ifs", "default"))
        one = node.args.get("this")
        parts: list[Node] = []
        for branch in node.args["ifs"]:
            when, then = self.parts(branch, ("this", "true"), depth)
            equal = () if one is None else (self.read(one, depth + 1), when)
            parts += [Call("=", equal) if equal else when, then]
        if (default := node.args.get("default")) is not None:
            parts.append(self.read(default, depth + 1))
        return Call("case", tuple(parts))

    def extract(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "expression"))
        return self._part(str(node.this.name), node.expression, depth)

    def anonymous(self, node: Any, depth: int) -> Node:
        parts = node.expressions
        if str(node.this).lower() == "date_part" and len(parts) == 2:
            return self._part(str(parts[0].name), parts[1], depth)
        raise _unknown(node)

    def _part(self, part: str, node: Any, depth: int) -> Node:
        if part.lower() not in PARTS:
            known = ", ".join(PARTS)
            raise unusable(f"it takes {shown(part)!r} out of a date", f"it may take {known}")
        return Call(part.lower(), (self.read(node, depth + 1),))

    def cast(self, node: Any, depth: int) -> Node:
        _refuse_more(node, ("this", "to"))
        to = node.args["to"]
        name = CASTS.get(str(getattr(to.this, "name", to.this)))
        if name is None or to.expressions:
            words = f"it casts to {shown(to.sql())}, which is not part of the language"
            raise unusable(words, "CAST knows INTEGER, DOUBLE, TEXT, DATE and TIMESTAMP")
        if getattr(node.this, "is_string", False):
            return Literal(_constant(str(node.this.this), name))
        if name == "timestamptz":
            raise unusable("it casts to a time with a zone", "compare with TIMESTAMPTZ '...'")
        return Call(name, (self.read(node.this, depth + 1),))


READERS = {
    **dict.fromkeys(JOINED, _Reader.joined),
    "Paren": _Reader.paren,
    "Column": _Reader.column,
    "Literal": _Reader.literal,
    "Boolean": _Reader.boolean,
    "Neg": _Reader.negative,
    "Between": _Reader.between,
    "NullSafeNEQ": _Reader.unequal,
    **dict.fromkeys(("Like", "ILike"), _Reader.like),
    "Is": _Reader.is_,
    "In": _Reader.within,
    "Case": _Reader.case,
    "Extract": _Reader.extract,
    "Anonymous": _Reader.anonymous,
    "Cast": _Reader.cast,
}
FLAGS = ("safe", "typed", "coalesce")
"""What sqlglot notes about a dialect, and the language settles by itself."""


def _refuse_more(node: Any, keys: Sequence[str]) -> None:
    for key, part in node.args.items():
        if part and key not in keys and key not in FLAGS:
            raise _unknown(part) if hasattr(part, "args") else _unknown(node)


def _refuse_chain(node: Any) -> None:
    """Refuse 18 <= age <= 65, which SQL reads as a comparison of true or false with 65."""
    ordered = type(node).__name__ not in ("EQ", "NEQ")
    for side in (node.this, node.expression):
        inner = side.unnest() if ordered else side
        if type(inner).__name__ in TRUTHS:
            middle = inner.args.get("expression")
            right = f"{COMPARED[type(node).__name__]} {node.expression.sql()}"
            hint = f"write {inner.sql()} AND {middle.sql()} {right}" if middle else ""
            fits = side is node.this and type(inner).__name__ in COMPARED and len(hint) < 200
            hint = f"{hint}, or BETWEEN" if fits else "join two comparisons by AND"
            raise unusable("it compares what a comparison says, which is true or false", hint)


def _number(text: str) -> int | Decimal:
    if not NUMBER.fullmatch(text):
        raise unusable(f"{shown(text)[:MOST_SHOWN]!r} is no number")
    number = Decimal(text)
    if len(number.as_tuple().digits) > MOST_DIGITS or abs(number.adjusted()) > 300:
        raise unusable(f"no engine holds a number such as {text[:MOST_SHOWN]}")
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
    raise unusable(f"{shown(text)[:MOST_SHOWN]!r} is no {to}", hint)


def _unknown(node: Any, kind: str | None = None) -> SpecError:
    """Return the refusal of what is not part of the language, by its name."""
    names = [kind] if kind else [cls.__name__ for cls in type(node).__mro__]
    called = getattr(node, "sql_name", None)
    own = str(node.this) if names[0] == "Anonymous" else called() if called else names[0]
    name = next((NAMES[n] for n in names if n in NAMES), shown(own)[:MOST_SHOWN].upper())
    hint = next((HINTS[n] for n in names if n in HINTS), LANGUAGE)
    hint = CLOCK if names[0].startswith(("Current", "Localtime", "Now", "Sys")) else hint
    return unusable(f"it uses {name}, which is not part of the language", hint)


def _too_deep() -> SpecError:
    return unusable(f"it is nested more than {DEEPEST} levels deep")


def unusable(words: str, hint: str | None = None) -> SpecError:
    """Return what is wrong with a condition, at its place in the spec.

    Parameters
    ----------
    words : what is wrong, of which the condition is the subject.
    hint : what to write instead.
    """
    return SpecError([Fault(f"the condition cannot be used: {words}", WHERE, hint=hint)])
