"""The text of a condition to its tree; whatever is not part of the language is refused by name."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from biaspipe.conditions.faults import DEEPEST, MOST_SHOWN, too_deep, unusable
from biaspipe.conditions.reading import Reader
from biaspipe.conditions.tree import Node
from biaspipe.errors import Fault, SpecError, shown

__all__ = ["faults_in", "parsed"]

MOST_CHARACTERS = 10_000
OPEN = ": a quote is not closed"
OPENING, CLOSING = ("(", "[", "{", "CASE"), (")", "]", "}", "END")
STUMBLES = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What sqlglot raises for texts that it did not expect."""
UNFIT = re.compile("[\0\ud800-\udfff]")
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
    if UNFIT.search(where):
        raise unusable("it holds a character that is part of no text")
    try:
        return Reader().read(_parsed(where))
    except RecursionError:
        raise too_deep() from None


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
            found = dialect.parser().parse_into(exp.Condition, tokens, where)
        except (SqlglotError, *STUMBLES) as error:
            raise unusable(_in_words(error)) from None
    if len(found) != 1 or found[0] is None:
        raise unusable("it says nothing")
    return found[0]


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
            raise unusable(f"two texts follow each other: {shown(token.text)!r}", "write a comma")
        quoted = kind in ("STRING", "IDENTIFIER")
        open_ones += 0 if quoted else (text in OPENING) - (text in CLOSING)
        run = run + 1 if text in PREFIXES and not quoted else 0
        if max(open_ones, run) > DEEPEST:
            raise too_deep()
        before = kind
