"""Parameters in a condition: `${month}` stands for one value, whatever the value is.

A parameter becomes a token of its own before anything is parsed, so that no value is ever read
as a piece of a condition.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biaspipe.conditions.faults import unusable
from biaspipe.conditions.tree import STAND_IN
from biaspipe.printable_text import did_you_mean, escape

__all__ = [
    "NO_PARAMETER",
    "NO_TEXT",
    "ONE_VALUE",
    "PARAMETER",
    "ParameterValue",
    "ParameterValues",
    "with_parameters",
]

ParameterValue = str | bool | int | float
"""The values of a parameter."""
ParameterValues = Mapping[str, ParameterValue | None]
"""The parameters of a spec; None where a value is still lacking."""

PARAMETER = re.compile(r"\$\{([^{}]*)\}")
NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that are part of no text."""
NO_PARAMETER = "declare it under parameters; only connection reads the environment"
ONE_VALUE = "a parameter is one value, such as a text, a number or a day, and nothing else"


def with_parameters(tokens: Sequence[Any], values: ParameterValues) -> Iterator[Any]:
    """Yield tokens with one in the place of each parameter.

    Parameters
    ----------
    tokens : those of sqlglot.
    values : the parameters.

    Raises
    ------
    SpecError
        If a parameter is not declared, stands in quotes, or is a piece of something else.
    """
    at = 0
    while at < len(tokens):
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if _is_quoted(token):
            _refuse_quoted(token)
        opens = following is not None and token.text.endswith("$") and following.text == "{"
        if not (opens and _is_adjacent(token, following)):
            yield token
            at += 1
            continue
        piece = tokens[at : at + 4]
        name = _name(piece)
        at += 4
        around = tokens[max(at - 5, 0) : at - 4], tokens[at : at + 1]
        _refuse_piece(name, piece, *around)
        if name not in values:
            words = f"there is no parameter {escape(name)!r}"
            raise unusable(words, did_you_mean(name, values) or NO_PARAMETER)
        yield _stand_in(name, piece)


def _is_adjacent(left: Any, right: Any) -> bool:
    return bool(left.end + 1 == right.start)


def _is_quoted(token: Any) -> bool:
    return token.token_type.name in ("STRING", "IDENTIFIER")


def _name(piece: Sequence[Any]) -> str:
    """Return the name between ${ and }."""
    whole = [token.text for token in piece][::3] == ["$", "}"]
    if not whole or not all(map(_is_adjacent, piece, piece[1:])):
        raise unusable("'${' begins no parameter", "a parameter is written ${name}; " + ONE_VALUE)
    return str(piece[2].text)


def _refuse_quoted(token: Any) -> None:
    if found := PARAMETER.search(token.text):
        name = escape(found[1])
        hint = f"write ${{{name}}} without quotes: it is one value already"
        raise unusable(f"${{{name}}} stands in quotes", hint)


def _refuse_piece(
    name: str, piece: Sequence[Any], before: Sequence[Any], after: Sequence[Any]
) -> None:
    """Refuse a parameter as a piece of a name, a number or a text, and as a function."""
    joined = any(_is_adjacent(token, piece[0]) and _is_word(token, -1) for token in before)
    if joined or any(_is_adjacent(piece[3], token) and _is_word(token, 0) for token in after):
        raise unusable(f"${{{escape(name)}}} is a piece of something else", ONE_VALUE)
    if any(token.text == "(" for token in after):
        raise unusable(f"${{{escape(name)}}} stands where a function is expected", ONE_VALUE)


def _is_word(token: Any, end: int) -> bool:
    letter = token.text[end:][:1]
    return _is_quoted(token) or letter.isalnum() or letter in ("_", ".", "$", "}")


def _stand_in(name: str, piece: Sequence[Any]) -> Any:
    from sqlglot.tokens import Token, TokenType  # noqa: PLC0415 - slow to import

    first, comments = piece[0], [comment for token in piece for comment in token.comments]
    text, end = STAND_IN + name, piece[3].end
    return Token(TokenType.STRING, text, first.line, first.col, first.start, end, comments)
