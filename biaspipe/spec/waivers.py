"""Failures that somebody answers for, until a day."""

import re
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe.metrics import ALIASES, METRICS
from biaspipe.spec.checks import Limits
from biaspipe.spec.values import Expects, Name, Scalar, SpecModel, refuse_blank

__all__ = ["MetricOrAlias", "Waiver", "day", "today"]

DAY = r"^\d{4}-\d{2}-\d{2}$"


def day(value: object) -> date:
    """Read a day as a spec writes it.

    >>> day("2027-03-31")
    datetime.date(2027, 3, 31)

    Raises
    ------
    ValueError
        If it is none.
    """
    if type(value) is date:
        return value
    if not isinstance(value, str) or not re.fullmatch(DAY, value):
        raise PydanticCustomError("day", "expected a day, such as 2027-03-31")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise PydanticCustomError("no_such_day", "expected a day of the calendar") from None


def today() -> date:
    """Return the day that waivers are judged on unless another one is named: today, in UTC."""
    return datetime.now(UTC).date()


Day = Annotated[
    date,
    BeforeValidator(day),
    WithJsonSchema({"type": "string", "format": "date", "pattern": DAY}),
]
NonBlank = Annotated[
    Name, AfterValidator(refuse_blank), WithJsonSchema({"type": "string", "pattern": "\\S"})
]
MetricOrAlias = Annotated[Name, WithJsonSchema({"enum": [*METRICS, *ALIASES]})]
COVERS: list[JsonValue] = [{"required": ["metric"]}, {"required": ["facet"]}]
"""What says which checks a waiver is for; what lacks both is refused by the plan, with a hint."""


class Waiver(SpecModel, json_schema_extra={"anyOf": COVERS}):
    """A failure that is accepted: of which checks, by whom, why, until when, how far."""

    EXPECTED = "a mapping with reason, approved_by and expires"

    metric: Annotated[MetricOrAlias | None, Expects("the name of one metric")] = Field(
        None, description="Only checks of this metric."
    )
    facet: Annotated[Name | None, Expects("the name of one facet")] = Field(
        None, description="Only checks on this facet."
    )
    favored: Scalar | None = Field(None, description="Only against this favored group.")
    disfavored: Scalar | None = Field(None, description="Only for this disfavored group.")
    reason: NonBlank = Field(description="Why the failure is accepted.")
    approved_by: NonBlank = Field(description="Who accepts it.")
    ticket: NonBlank | None = Field(None, description="Where that was decided.")
    expires: Day = Field(description="The last day on which it holds.")
    bound: Limits | None = Field(
        None,
        description="Limits that the waived value has to keep all the same.",
        json_schema_extra={"minProperties": 1},
    )
    regression: bool = Field(
        default=False,
        description="Whether a value that is worse than in the baseline is accepted too.",
        strict=True,
    )
