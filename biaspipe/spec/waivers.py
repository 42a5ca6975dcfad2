"""Failures that somebody answers for, until a day."""

import re
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe.spec.checks import Limits
from biaspipe.spec.values import Name, Scalar, SpecModel

__all__ = ["Day", "Waiver", "day", "today"]


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
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise PydanticCustomError("day", "expected a day, such as 2027-03-31")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise PydanticCustomError("no_such_day", "expected a day of the calendar") from None


def today() -> date:
    """Return the day that waivers are judged on unless another one is named: today, in UTC."""
    return datetime.now(UTC).date()


def _said(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("blank", "this text is empty")
    return value


Day = Annotated[date, BeforeValidator(day), WithJsonSchema({"type": "string", "format": "date"})]
Text = Annotated[Name, AfterValidator(_said)]


class Waiver(SpecModel):
    """A failure that is accepted: of which checks, by whom, why, until when, how far."""

    metric: Name | None = Field(None, description="Only checks of this metric.")
    facet: Name | None = Field(None, description="Only checks on this facet.")
    favored: Scalar | None = Field(None, description="Only against this favored group.")
    disfavored: Scalar | None = Field(None, description="Only for this disfavored group.")
    reason: Text = Field(description="Why the failure is accepted.")
    approved_by: Text = Field(description="Who accepts it.")
    ticket: Text | None = Field(None, description="Where that was decided.")
    expires: Day = Field(description="The last day on which it holds.")
    bound: Limits | None = Field(
        None, description="Limits that the waived value has to keep all the same."
    )
    regression: bool = Field(
        default=False,
        description="Whether a value that is worse than in the baseline is accepted too.",
        strict=True,
    )
