"""Pydantic's errors in the words of the spec."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic_core import ErrorDetails

from biaspipe.errors import Fault, Loc, listing, nearest
from biaspipe.spec import Audit

__all__ = ["fault_of", "is_wrong_key", "known_keys"]

PLAIN = {
    "string_type": "a text; put it in quotes",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "tuple_type": "a list",
    "literal_error": None,
}


def is_wrong_key(error: ErrorDetails) -> bool:
    """Whether a key is unknown, rather than a value wrong."""
    return error["type"] in ("extra_forbidden", "unknown_metric")


def fault_of(error: ErrorDetails) -> Fault:
    """Say what pydantic found in the words of the spec."""
    loc, kind = error["loc"], error["type"]
    if is_wrong_key(error):
        return _unknown(loc)
    if kind == "missing":
        return Fault(f"the key {str(loc[-1])!r} is missing{_inside(loc[:-1])}", loc[:-1])
    if kind == "too_short":
        return Fault(f"{_named(loc)} is empty", loc, expected="at least one entry")
    message, expected = _words(error)
    return Fault(f"{_named(loc)}: {message}", loc, expected=expected, found=_found(error["input"]))


def _words(error: ErrorDetails) -> tuple[str, str | None]:
    match error["type"]:
        case "literal_error":
            return "this value is not known", str(error["ctx"]["expected"])
        case "string_pattern_mismatch":
            return "this text does not fit", "letters, digits, - and _"
        case "greater_than_equal":
            return "this number is too small", f"at least {error['ctx']['ge']:g}"
        case kind if kind in PLAIN:
            return "this value is of the wrong kind", PLAIN[kind]
    message = error["msg"]
    if message.startswith("expected "):
        return "this value is of the wrong kind", message.removeprefix("expected ")
    return message, None


def _unknown(loc: Loc) -> Fault:
    is_metric = loc[-1] == "[key]"
    path = loc[:-1] if is_metric else loc
    key, known = str(path[-1]), known_keys(loc)
    what = "metric" if is_metric else "key"
    return Fault(
        f"unknown {what} {key!r}{_inside(path[:-1])}",
        path,
        expected=None if is_metric else f"one of {', '.join(known)}",
        hint=nearest(key, known) or ("`biaspipe explain` lists all metrics" if is_metric else None),
        at_key=True,
    )


def _named(loc: Loc) -> str:
    steps = [step for step in loc if step not in TAGS and step != "[key]"]
    return ".".join(map(str, steps)) or "the spec"


def _inside(loc: Loc) -> str:
    return f" in {_named(loc)}" if loc else ""


def _found(value: object) -> str:
    match value:
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case None:
            return "nothing"
        case _:
            return listing([value])


TAGS = ("value", "list", "interval", "mapping")


@cache
def _schema() -> dict[str, Any]:
    return Audit.model_json_schema()


def known_keys(loc: Loc) -> tuple[str, ...]:
    """Return the keys that the spec knows beside the one at the end of a path."""
    places = [_schema()]
    for step in loc[:-2] if loc[-1] == "[key]" else loc[:-1]:
        if step not in TAGS:
            places = [inner for place in places for inner in _into(place, step)]
    return tuple(dict.fromkeys(k for place in places for k in _flat(place) if k))


def _flat(place: dict[str, Any]) -> Iterator[str]:
    for alternative in _alternatives(place):
        yield from alternative.get("properties", {})


def _into(place: dict[str, Any], step: str | int) -> Iterator[dict[str, Any]]:
    for alternative in _alternatives(place):
        if step in alternative.get("properties", {}):
            yield alternative["properties"][step]
        elif isinstance(alternative.get("additionalProperties"), dict):
            yield alternative["additionalProperties"]
        elif isinstance(step, int) and "items" in alternative:
            yield alternative["items"]


def _alternatives(place: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "$ref" in place:
        yield from _alternatives(_schema()["$defs"][place["$ref"].rsplit("/", 1)[1]])
    for branch in (*place.get("anyOf", ()), *place.get("oneOf", ())):
        yield from _alternatives(branch)
    yield place
