"""Pydantic's errors in the words of the spec."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from biaspipe.errors import Fault, Loc
from biaspipe.loading.known_keys import expected_at, is_metric, known_keys
from biaspipe.metrics import meaning_of
from biaspipe.printable_text import did_you_mean, list_values, quote, shorten
from biaspipe.spec import Audit, Limits

__all__ = ["empty_fault", "empty_keys", "fault_of", "is_wrong_key", "loc_text", "meant_by"]

MAX_FOUND = 80

UNKNOWN = ("extra_forbidden", "unknown_metric")

TYPE_WORDS = {
    "string_type": "a text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "tuple_type": "a list, such as [a, b]",
}

KNOWN = {
    "literal_error": ("this value is not known", "{expected}"),
    "string_pattern_mismatch": ("this text does not fit", "letters, digits, - and _"),
    "greater_than_equal": ("this number is too small", "at least {ge:g}"),
    "greater_than": ("this number is too small", "more than {gt:g}"),
    "less_than_equal": ("this number is too large", "at most {le:g}"),
    "less_than": ("this number is too large", "less than {lt:g}"),
    "parameter_name": ("this is no name", "small letters, digits and _, such as month"),
    "list_empty": ("the list is empty", "at least one entry"),
    "no_such_day": ("there is no such day", "a day of the calendar"),
    "finite_number": ("this number is too large", "a number"),
}


def is_wrong_key(error: ErrorDetails) -> bool:
    """Whether a key is unknown or empty, rather than a value wrong."""
    return error["type"] in UNKNOWN or error["loc"][-1:] == ("[key]",)


def fault_of(error: ErrorDetails, loc: Loc, model: type[BaseModel] = Audit) -> Fault:
    """Say what pydantic found in the words of the format: the spec, or a policy."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in UNKNOWN:
        return _unknown(loc, model)
    if kind == "missing":
        return Fault(f"the key {quote(loc[-1])} is missing{_inside(loc[:-1])}", loc[:-1])
    if kind == "too_short":
        return Fault(f"{loc_text(loc)} is empty", loc, expected="at least one entry")
    if kind == "string_too_short":
        return _empty_text(loc, at_key=is_wrong_key(error))
    message, expected = _words(error, expected_at(loc, model))
    return Fault(
        f"{loc_text(loc)}: {message}",
        (*loc, context["index"]) if "index" in context else loc,
        expected=expected,
        found=_found(error["input"]) if expected and kind != "list_empty" else None,
        hint=_hint_for(error, expected_at(loc, model)),
        at_key=is_wrong_key(error),
    )


def _empty_text(loc: Loc, *, at_key: bool) -> Fault:
    whose, what = (loc[:-1], "a name") if at_key else (loc, "this text")
    return Fault(f"{loc_text(whose)}: {what} is empty", loc, at_key=at_key)


def _words(error: ErrorDetails, own: str | None) -> tuple[str, str | None]:
    kind, message, context = error["type"], error["msg"], error.get("ctx", {})
    if kind in KNOWN:
        words, expected = KNOWN[kind]
        whole = own if kind in ("greater_than", "less_than") else None
        return words, whole or expected.format(**context)
    expected = TYPE_WORDS.get(kind) or message.removeprefix("expected ")
    if kind not in TYPE_WORDS and expected == message:
        return message, None
    if kind == "string_type" and isinstance(error["input"], int | float):
        expected += "; put it in quotes"
    else:
        expected = own or expected
    return "this value is of the wrong kind", expected


def _hint_for(error: ErrorDetails, own: str | None) -> str | None:
    value = error["input"]
    if isinstance(value, str) and error["type"] == "literal_error":
        return did_you_mean(value, re.findall(r"'([^']*)'", error["ctx"]["expected"]))
    if isinstance(value, str) and own == Limits.EXPECTED and re.match(r"\s*[<>=]", value):
        return "a limit has a key of its own: {min: 0.8} for >= 0.8, {max: 1.25} for <= 1.25"
    return None


def _unknown(loc: Loc, model: type[BaseModel]) -> Fault:
    key, named_metric = str(loc[-1]), is_metric(loc)
    known = known_keys(loc, model)
    hint = "a colon needs a space behind it" if ":" in key else _hint(key, loc, known)
    if named_metric:
        hint = hint or "`biaspipe explain` lists all metrics"
    return Fault(
        f"unknown {'metric' if named_metric else 'key'} {quote(key)}{_inside(loc[:-1])}",
        loc,
        expected=None if named_metric else f"one of {', '.join(known)}",
        hint=hint,
        at_key=True,
    )


def meant_by(loc: Loc) -> str | None:
    """Return the known key that a misspelt one is read as, if one is close."""
    known = known_keys(loc)
    hint = _hint(str(loc[-1]), loc, known) or ""
    return next((key for key in known if repr(key) in hint), None)


def _hint(key: str, loc: Loc, known: tuple[str, ...]) -> str | None:
    short = shorten(key, MAX_FOUND)
    return meaning_of(short) if is_metric(loc) else did_you_mean(short, known)


def empty_keys(values: Any, loc: Loc = (), model: type[BaseModel] = Audit) -> Iterator[Loc]:
    """Find the keys of the format with nothing behind them; only metrics may be bare."""
    if isinstance(values, list):
        for i, value in enumerate(values):
            yield from empty_keys(value, (*loc, i), model)
    if not isinstance(values, dict) or loc == ("model",):
        return
    for key, value in values.items():
        inner = (*loc, key)
        if value is not None:
            yield from empty_keys(value, inner, model)
        elif key != "metrics" and not is_metric(inner) and key in known_keys(inner, model):
            yield inner


def empty_fault(loc: Loc, model: type[BaseModel] = Audit) -> Fault:
    """Say that nothing stands behind a key."""
    message = f"{loc_text(loc)}: nothing stands behind the key"
    return Fault(message, loc, expected=expected_at(loc, model) or "a value", at_key=True)


def loc_text(loc: Loc) -> str:
    """Write a path as a person would."""
    return ".".join(shorten(str(step), MAX_FOUND) for step in loc) or "the spec"


def _inside(loc: Loc) -> str:
    return f" in {loc_text(loc)}" if loc else ""


def _found(value: object) -> str:
    match value:
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case None:
            return "nothing"
        case _:
            return shorten(list_values([value]), MAX_FOUND)
