"""Adverse impact: when fewer people of a group are selected than practice lets go."""

import re
from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from biaspipe.spec.values import Expects, Number, SpecModel

__all__ = ["Impact"]

RATIO = "a ratio above 0 and at most 1, such as 4/5 or 0.8"
PATTERN = "^[0-9]+(/[0-9]+|[.][0-9]+)?$"
LONGEST = 40
"""The letters that a ratio may have."""


def _fraction(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str) and (len(value) > LONGEST or not re.fullmatch(PATTERN, value)):
        return None
    try:
        return Fraction(value if isinstance(value, str) else repr(value))
    except (ValueError, ZeroDivisionError):
        return None


def _ratio(value: object) -> object:
    ratio = _fraction(value)
    if ratio is None or not 0 < ratio <= 1:
        raise PydanticCustomError("ratio", "expected {words}", {"words": RATIO})
    return value


Ratio = Annotated[
    str | int | float,
    PlainValidator(_ratio),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                {"type": "string", "pattern": PATTERN},
            ]
        }
    ),
    Expects(RATIO),
]
"""A ratio as text, such as 4/5, or as a decimal; exact either way."""


class Impact(SpecModel):
    """When a smaller selection rate of the disfavored group is adverse impact."""

    EXPECTED = "a mapping, such as {min_ratio: 4/5, significance: 0.05, flip: true}"

    min_ratio: Ratio = Field(
        description="The ratio of the selection rates, d to a, must not be less; 4/5 and 0.8 are "
        "the same."
    )
    significance: (
        Annotated[Number, Field(gt=0, lt=1), Expects("more than 0 and less than 1, such as 0.05")]
        | None
    ) = Field(
        None,
        description="A ratio below min_ratio fails only if the p-value of its test is less; else "
        "it is undecided.",
    )
    flip: bool = Field(
        False,
        strict=True,
        description="A ratio below min_ratio fails only if it stays below 1 when one selection is "
        "moved from the favored to the disfavored group; else it is undecided.",
    )

    @property
    def least(self) -> Fraction:
        """The least ratio that passes, exactly.

        >>> Impact(min_ratio="4/5").least, Impact(min_ratio=0.8).least
        (Fraction(4, 5), Fraction(4, 5))
        """
        return _fraction(self.min_ratio) or Fraction(0)

    @property
    def words(self) -> str:
        """What it asks for.

        >>> Impact(min_ratio="4/5", significance=0.05, flip=True).words
        'impact 4/5, p < 0.05, flip'
        """
        tested = [f"p < {self.significance:g}"] if self.significance is not None else []
        return ", ".join([f"impact {self.min_ratio}", *tested, *(["flip"] if self.flip else [])])
