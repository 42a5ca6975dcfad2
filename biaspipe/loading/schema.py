"""Where a path leads in the format: which keys are known there, and which steps are no keys."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from biaspipe.errors import Loc
from biaspipe.metrics import METRICS
from biaspipe.spec import Audit

__all__ = ["is_metric", "known_keys", "loc_of", "matches"]

UNIONS = (
    ("columns", "features"),
    ("columns", "weight"),
    ("facets", "*", "favored"),
    ("facets", "*", "disfavored"),
    ("facets", "*", "groups", "*"),
)
METRIC_PLACES = (("metrics", "*"), ("facets", "*", "metrics", "*"))
FAULTS_OF_KEYS = ("unknown_metric", "string_too_short", "parameter_name")


def matches(loc: Loc, patterns: Iterable[Loc]) -> bool:
    """Whether a path fits a pattern, in which a star stands for a name that the user chooses.

    >>> matches(("facets", "sex", "favored"), UNIONS)
    True
    """
    return any(
        len(loc) == len(pattern)
        and all(wanted in ("*", step) for step, wanted in zip(loc, pattern, strict=True))
        for pattern in patterns
    )


def is_metric(loc: Loc) -> bool:
    """Whether a path leads to the name of a metric or family."""
    return matches(loc, METRIC_PLACES)


def loc_of(error: ErrorDetails) -> Loc:
    """Return the path in the document, without what the validator puts into it.

    Behind a union the validator puts the name of the alternative, whatever the keys there are
    called; behind a key that is itself at fault it puts `[key]`.
    """
    steps = list(error["loc"])
    if error["type"] in FAULTS_OF_KEYS and steps[-1:] == ["[key]"]:
        steps.pop()
    path: Loc = ()
    is_tag = False
    for step in steps:
        path = path if is_tag else (*path, step)
        is_tag = not is_tag and matches(path, UNIONS)
    return path


def known_keys(loc: Loc, model: type[BaseModel] = Audit) -> tuple[str, ...]:
    """Return the keys that a format knows beside the one at the end of a path."""
    return _known_in(loc[:-1], model)


@lru_cache(maxsize=1000)
def _known_in(loc: Loc, model: type[BaseModel]) -> tuple[str, ...]:
    schema = _schema(model)
    places = [schema]
    for i, step in enumerate(loc):
        known = next(iter(METRICS)) if is_metric(loc[: i + 1]) else step
        places = [inner for place in places for inner in _into(place, known, schema)]
    return tuple(dict.fromkeys(k for place in places for k in _flat(place, schema) if k))


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _flat(place: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    for alternative in _alternatives(place, schema):
        yield from alternative.get("properties", {})


def _into(
    place: dict[str, Any], step: str | int, schema: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    for alternative in _alternatives(place, schema):
        if step in alternative.get("properties", {}):
            yield alternative["properties"][step]
        elif isinstance(alternative.get("additionalProperties"), dict):
            yield alternative["additionalProperties"]
        elif isinstance(step, int) and "items" in alternative:
            yield alternative["items"]


def _alternatives(place: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "$ref" in place:
        yield from _alternatives(schema["$defs"][place["$ref"].rsplit("/", 1)[1]], schema)
    for branch in (*place.get("anyOf", ()), *place.get("oneOf", ())):
        yield from _alternatives(branch, schema)
    yield place
