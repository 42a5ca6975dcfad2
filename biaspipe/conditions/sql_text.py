"""The text of a condition to its tree; whatever is not part of the language is refused by name."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from biaspipe.conditions.faults import DEEPEST, MAX_SHOWN, too_deep, unusable
from biaspipe.conditions.parameters import NO_TEXT, ONE_VALUE, ParameterValues, with_parameters
from biaspipe.conditions.tree import Node
from biaspipe.errors import Fault, SpecError
from biaspipe.printable_text import escape

__all__ = ["faults_in", "parse_condition"]

MAX_CHARACTERS = 10_000
OPEN = ": a quote is not closed"
OPENING, CLOSING = ("(", "[", "{", "CASE"), (")", "]", "}", "END")
PARSER_FAULTS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""The errors that sqlglot raises beside its own for texts that it did not expect."""
PREFIXES = ("NOT", "-", "+", "~")


NONE: ParameterValues = MappingProxyType({})


def parse_condition(where: str, values: ParameterValues = NONE) -> Node:
    """Return the tree of a condition.

    Parameters
    ----------
    where : the condition as the spec writes it.
    values : the parameters of the spec; of one without a value only its place is looked at.

    Raises
    ------
    SpecError
        If the text is none, uses what is not part of the language, or is too long or too deep.

    >>> parse_condition("age >= 18")
    Call(name='>=', parts=(ColumnName(name='age'), Literal(value=18, given=False)))
    """
    return _read(where, values) if values else _read_alone(where)


@lru_cache(maxsize=64)
def _read_alone(where: str) -> Node:
    return _read(where, NONE)


def _read(where: str, values: ParameterValues) -> Node:
    from biaspipe.conditions.text_length import refuse_growth  # noqa: PLC0415 - most audits have none
    from biaspipe.conditions.tree_building import Reader  # noqa: PLC0415 - as above

    if len(where) > MAX_CHARACTERS:
        raise unusable(f"it has {len(where):,} characters, and at most {MAX_CHARACTERS:,} fit")
    if NO_TEXT.search(where):
        raise unusable("it holds a character that is part of no text")
    try:
        tree = Reader(values).read(_parsed(where, values))
        refuse_growth(tree)
    except RecursionError:
        raise too_deep() from None
    return tree


def faults_in(where: str | None, values: ParameterValues = NONE) -> tuple[Fault, ...]:
    """Return the faults of a condition, if there is one, whatever the data hold."""
    try:
        _ = where and parse_condition(where, values)
    except SpecError as error:
        return error.faults
    return ()


def _parsed(where: str, values: ParameterValues) -> Any:
    """Parse a text, which has to be one expression without comments, with sqlglot."""
    from sqlglot import exp  # noqa: PLC0415 - slow to import, and needed where there is a condition
    from sqlglot.dialects.dialect import Dialect  # noqa: PLC0415 - as above
    from sqlglot.errors import SqlglotError  # noqa: PLC0415 - as above

    dialect = Dialect.get_or_raise(None)
    with _without_logging():
        try:
            tokens = dialect.tokenize(where)
            tokens = list(with_parameters(tokens, values))
            _refuse_tokens(tokens)
            found = dialect.parser().parse_into(exp.Condition, tokens, where)
        except (SqlglotError, *PARSER_FAULTS) as error:
            raise unusable(_explained(error), ONE_VALUE if values else None) from None
    if len(found) != 1 or found[0] is None:
        raise unusable("it says nothing")
    return found[0]


@contextmanager
def _without_logging() -> Iterator[None]:
    """Keep sqlglot from logging what it does not support."""
    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _explained(error: Any) -> str:
    for fault in getattr(error, "errors", ()):
        if near := str(fault.get("highlight") or ""):
            return f"it cannot be read at {escape(near)[:MAX_SHOWN]!r}"
    return f"it cannot be read{OPEN if type(error).__name__ == 'TokenError' else ''}"


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
            raise unusable(f"two texts follow each other: {escape(token.text)!r}", "write a comma")
        quoted = kind in ("STRING", "IDENTIFIER")
        open_ones += 0 if quoted else (text in OPENING) - (text in CLOSING)
        run = run + 1 if text in PREFIXES and not quoted else 0
        if max(open_ones, run) > DEEPEST:
            raise too_deep()
        before = kind
