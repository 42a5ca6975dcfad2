"""Faults of a condition, at its place in the spec, with hints."""

import re
from typing import Any

from biaspipe.conditions.tree import STAND_IN, WHERE
from biaspipe.conditions.vocabulary import CLOCKS, HINTS, LANGUAGE, NO_CLOCK, SQL_NAMES
from biaspipe.errors import Fault, SpecError
from biaspipe.printable_text import escape

__all__ = ["DEEPEST", "MAX_SHOWN", "too_deep", "unknown", "unusable"]

DEEPEST = 50
MAX_SHOWN = 60
PARAMETER_TOKEN = re.compile(rf"'?(?:{STAND_IN}|\\+x00)(\w+)'?")
"""The token of a parameter in the words of a parser."""


def unknown(node: Any, kind: str | None = None) -> SpecError:
    """Return the refusal of what is not part of the language, by its name.

    Parameters
    ----------
    node : what sqlglot makes of it.
    kind : what it is called instead of what sqlglot calls it.
    """
    names = [kind] if kind else [cls.__name__ for cls in type(node).__mro__]
    called = getattr(node, "sql_name", None)
    own = str(node.this) if names[0] == "Anonymous" else called() if called else names[0]
    name = next((SQL_NAMES[n] for n in names if n in SQL_NAMES), escape(own)[:MAX_SHOWN].upper())
    hint = next((HINTS[n] for n in names if n in HINTS), LANGUAGE)
    hint = NO_CLOCK if name in CLOCKS else hint
    return unusable(f"it uses {name}, which is not part of the language", hint)


def too_deep() -> SpecError:
    """Return the refusal of what takes too many calls to read."""
    return unusable(f"it is nested more than {DEEPEST} levels deep")


def unusable(words: str, hint: str | None = None) -> SpecError:
    """Return the error of a condition, at its place in the spec.

    Parameters
    ----------
    words : what is wrong, of which the condition is the subject.
    hint : what to write instead.
    """
    said, hint = (text and PARAMETER_TOKEN.sub(r"${\1}", text) for text in (words, hint))
    return SpecError([Fault(f"the condition cannot be used: {said}", WHERE, hint=hint)])
