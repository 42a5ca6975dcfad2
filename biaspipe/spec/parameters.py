"""Parameters of a spec: names for values that a command line may replace."""

from typing import Annotated

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe.conditions import NO_TEXT, ParameterValue
from biaspipe.spec.waivers import day

__all__ = ["ParameterDefault", "ParameterName", "is_day", "parameter_value"]

MAX_LETTERS = 1_000


def _name(value: object) -> object:
    small = isinstance(value, str) and value.isascii() and value.islower()
    if not (small and isinstance(value, str) and value.isidentifier() and value[0] != "_"):
        raise PydanticCustomError("parameter_name", "this is no name of a parameter")
    return value


def parameter_value(value: object) -> ParameterValue | None:
    """Return a value that a parameter may have; None where a run has to give it.

    Raises
    ------
    PydanticCustomError
        With what it may not be.
    """
    if value is not None and not isinstance(value, str | int | float | bool):
        words = "expected text, a number, true or false, or nothing where a run has to give it"
        raise PydanticCustomError("parameter", "{words}", {"words": words})
    if isinstance(value, str) and len(value) > MAX_LETTERS:
        words = f"this text is longer than {MAX_LETTERS:,} letters"
        raise PydanticCustomError("parameter_length", "{words}", {"words": words})
    if isinstance(value, str) and NO_TEXT.search(value):
        raise PydanticCustomError("unfit", "it holds a character that is part of no text")
    return value


ParameterName = Annotated[str, BeforeValidator(_name)]
ParameterDefault = Annotated[
    ParameterValue | None,
    PlainValidator(parameter_value),
    WithJsonSchema({"type": ["string", "number", "boolean", "null"]}),
]
"""A default; None where a run has to give the value."""


def is_day(value: object) -> bool:
    """Whether a value is a day of the calendar.

    >>> is_day("2026-07-01"), is_day("2026-07"), is_day("2026-02-30")
    (True, False, False)
    """
    try:
        day(value)
    except ValueError:
        return False
    return True
