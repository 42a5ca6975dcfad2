"""Where a path leads in the models of a format: the keys known there, and what they expect."""

from collections.abc import Iterator
from functools import lru_cache
from inspect import isclass
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, Discriminator
from pydantic_core import ErrorDetails

from biaspipe.errors import Loc
from biaspipe.metrics import ALIASES, FAMILIES, METRICS
from biaspipe.spec import Audit
from biaspipe.spec.values import Expects, SpecModel

__all__ = ["expected_at", "is_metric", "known_keys", "loc_of", "matches"]

FAULTS_OF_KEYS = ("unknown_metric", "string_too_short", "parameter_name")


def matches(loc: Loc, *patterns: Loc) -> bool:
    """Whether a path fits a pattern, in which a star stands for a name that the user chooses.

    >>> matches(("facets", "sex", "metrics", "DI"), ("facets", "*", "metrics", "*"))
    True
    """
    return any(
        len(loc) == len(pattern)
        and all(wanted in ("*", step) for step, wanted in zip(loc, pattern, strict=True))
        for pattern in patterns
    )


def is_metric(loc: Loc) -> bool:
    """Whether a path leads to the name of a metric or family."""
    return matches(loc, ("metrics", "*"), ("facets", "*", "metrics", "*"))


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
        is_tag = not is_tag and _is_tagged(path)
    return path


def known_keys(loc: Loc, model: type[BaseModel] = Audit) -> tuple[str, ...]:
    """Return the keys that a format knows beside the one at the end of a path.

    >>> known_keys(("columns", "weight", "kind"))
    ('column', 'kind')
    """
    if is_metric(loc):
        return (*FAMILIES, *METRICS, *ALIASES)
    kinds = [place.kind for place in _places(loc[:-1], model)]
    return tuple(dict.fromkeys(key for kind in kinds for key in _fields(kind)))


def expected_at(loc: Loc, model: type[BaseModel] = Audit) -> str | None:
    """Return the words of the model for what a key expects, if it has any.

    >>> expected_at(("columns", "strata"))
    'a list, such as [purpose]'
    """
    for kind, notes in _places(loc, model):
        own = kind.EXPECTED if isclass(kind) and issubclass(kind, SpecModel) else None
        if words := next((note.words for note in notes if isinstance(note, Expects)), own):
            return words
    return None


class _Place(NamedTuple):
    """A type that a value may have at a path, and what is noted about it there."""

    kind: Any
    notes: tuple[Any, ...] = ()


def _is_tagged(loc: Loc) -> bool:
    places = _places(loc, Audit)
    return any(isinstance(note, Discriminator) for place in places for note in place.notes)


@lru_cache(maxsize=1000)
def _places(loc: Loc, model: type[BaseModel]) -> tuple[_Place, ...]:
    if not loc:
        return (_Place(model),)
    return tuple(
        inner for place in _places(loc[:-1], model) for inner in _into(place.kind, loc[-1])
    )


def _into(kind: Any, step: str | int) -> Iterator[_Place]:
    """Yield the types of what stands at a step into a value of some type."""
    if step in (fields := _fields(kind)):
        field = fields[str(step)]
        yield from _alternatives(field.annotation, tuple(field.metadata))
    elif get_origin(kind) is dict:
        yield from _alternatives(get_args(kind)[1])
    elif get_origin(kind) is tuple and isinstance(step, int):
        yield from _alternatives(get_args(kind)[0])


def _fields(kind: Any) -> dict[str, Any]:
    return dict(kind.model_fields) if isclass(kind) and issubclass(kind, BaseModel) else {}


def _alternatives(annotation: Any, notes: tuple[Any, ...] = ()) -> Iterator[_Place]:
    if get_origin(annotation) is Annotated:
        inner, *own = get_args(annotation)
        yield from _alternatives(inner, (*notes, *own))
    elif get_origin(annotation) in (Union, UnionType):
        for alternative in get_args(annotation):
            yield from _alternatives(alternative, notes)
    else:
        yield _Place(annotation, notes)
