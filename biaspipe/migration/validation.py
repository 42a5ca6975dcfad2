"""The values of a configuration as its pydantic model, and every fault of them in plain words."""

from copy import deepcopy
from functools import reduce
from operator import getitem
from types import NoneType
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from biaspipe.errors import Fault, Loc
from biaspipe.migration.config_file import config_path
from biaspipe.printable_text import did_you_mean, list_values

__all__ = ["ConfigModel", "validate_config"]

MAX_FOUND = 80
KINDS = {dict: "an object", list: "an array", NoneType: "null"}


class ConfigModel(BaseModel):
    """An object of a configuration, with known keys.

    Each key may be None: in what is sound of a wrong configuration, which is converted to find
    what else is wrong. In the file itself null is a fault, except where any value will do.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_null(cls, value: Any, info: ValidationInfo) -> Any:
        is_any = cls.model_fields[str(info.field_name)].annotation is Any
        if value is None and not is_any and info.context is None:
            raise PydanticCustomError("null", "null")
        return value


S = TypeVar("S", bound=ConfigModel)


def validate_config(model: type[S], values: dict[str, Any]) -> tuple[S, list[Fault]]:
    """Return the sound part of a configuration as its model, and the faults of the rest.

    >>> class Loan(ConfigModel):
    ...     years: int | None
    ...     kind: str | None = None
    >>> sound, faults = validate_config(Loan, {"year": 3, "kind": "car"})
    >>> sound.kind, [fault.message for fault in faults]
    ('car', ["the key 'years' is missing", "unknown key 'year'"])
    """
    try:
        return model.model_validate(values), []
    except ValidationError as error:
        schema = model.model_json_schema()
        kinds = _by_place(error, values, schema)
    faults = [_fault(kind, loc, values, schema) for loc, kind in kinds.items()]
    return model.model_validate(_without_faults(values, kinds), context="sound"), faults


def _by_place(error: ValidationError, values: Any, schema: dict[str, Any]) -> dict[Loc, str]:
    """Return the kind of error at each place; of a list those inside of it, if there are any."""
    found = {_existing(e, values, schema): e["type"] for e in error.errors(include_url=False)}
    around = {loc[:n] for loc in found for n in range(len(loc))}
    return {loc: kind for loc, kind in found.items() if loc not in around}


def _existing(error: ErrorDetails, values: Any, schema: dict[str, Any]) -> Loc:
    """Return the path of an error without the names of types, which pydantic puts into it."""
    path: Loc = ()
    for step in error["loc"]:
        has_keys = any("properties" in option for option in _alternatives(path, schema))
        is_key = isinstance(values, dict) and has_keys and step in values
        if is_key or (isinstance(values, list) and step in range(len(values))):
            path, values = (*path, step), values[step]
    return (*path, error["loc"][-1]) if error["type"] == "missing" else path


def _without_faults(values: Any, kinds: dict[Loc, str]) -> Any:
    """Copy values with None in place of wrong ones, without unknown keys and wrong entries."""
    sound = deepcopy(values)
    lacking = {loc[:-1] for loc, kind in kinds.items() if kind == "missing" and loc[:-1]}
    for *outer, last in sorted(lacking | kinds.keys(), reverse=True):
        inside = reduce(getitem, outer, sound)
        if isinstance(inside, list) or kinds.get((*outer, last)) == "extra_forbidden":
            del inside[last]
        else:
            inside[last] = None
    return sound


def _fault(kind: str, loc: Loc, values: Any, schema: dict[str, Any]) -> Fault:
    """Say what is wrong, what is expected and what may be meant."""
    inside = f" in {config_path(loc[:-1])}" if loc[:-1] else ""
    if kind == "extra_forbidden":
        known = list(_alternatives(loc[:-1], schema)[0]["properties"])
        expected, hint = f"one of {', '.join(known)}", did_you_mean(str(loc[-1]), known)
        message = f"unknown key {loc[-1]!r}{inside}"
        return Fault(message, loc, expected=expected, hint=hint, at_key=True)
    options = _alternatives(loc, schema)
    expected = " or ".join(map(_words, options))
    if kind == "missing":
        return Fault(f"the key {loc[-1]!r} is missing{inside}", loc[:-1], expected=expected)
    value = reduce(getitem, loc, values)
    choice = next((option for option in options if _choices(option)), None)
    if choice and isinstance(value, str):
        message = f"{config_path(loc)}: {list_values([value])} is not known"
        hint = did_you_mean(value, _choices(choice))
        return Fault(message, loc, expected=_words(choice), hint=hint)
    message = f"{config_path(loc)}: this value is of the wrong kind"
    found = KINDS.get(type(value)) or list_values([value])[:MAX_FOUND]
    return Fault(message, loc, expected=expected, found=found)


def _alternatives(loc: Loc, schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the alternatives of a JSON Schema for the value at a path."""
    options = [schema]
    for step in loc:
        key = "items" if isinstance(step, int) else "properties"
        inside = next(option[key] for option in options if key in option)
        place = inside if isinstance(step, int) else inside[step]
        options = [
            schema["$defs"][option["$ref"].rpartition("/")[2]] if "$ref" in option else option
            for option in place.get("anyOf", [place])
            if option.get("type") != "null"
        ]
    return options


def _choices(option: dict[str, Any]) -> list[str]:
    return [option["const"]] if "const" in option else option.get("enum", [])


def _words(option: dict[str, Any]) -> str:
    """Write what a JSON Schema asks for."""
    match option:
        case {"const": word}:
            return f'"{word}"'
        case {"enum": words}:
            return f"one of {', '.join(words)}"
        case {"type": "array", "items": items}:
            inner = items.get("anyOf", [items])
            return f"an array, each entry {' or '.join(map(_words, inner))}"
        case {"type": "string"}:
            return "a text"
        case {"description": words, **rest} if "properties" not in rest:
            return str(words)
    return "an object"
