"""How values become verdicts: what decides, how many people it takes, what came before."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from biaspipe.spec.values import (
    Expects,
    Name,
    Number,
    OneOrMoreScalars,
    SpecModel,
    format_value,
    whole,
)

__all__ = [
    "WITHOUT_DECISION",
    "Baseline",
    "Correction",
    "DecideBy",
    "Decision",
    "WhenUndecided",
]

DecideBy = Literal["value", "inside", "outside"]
WhenUndecided = Literal["fail", "warn", "pass"]
Correction = Literal["none", "holm", "benjamini-hochberg"]


class Decision(SpecModel):
    """How the values of an audit are decided."""

    EXPECTED = "a mapping, such as {confidence: 0.95}"

    confidence: Annotated[
        Number, Field(gt=0.5, lt=1), Expects("more than 0.5 and less than 1, such as 0.95")
    ] = Field(0.95, description="Of every interval: how often such intervals hold the true value.")
    decide_by: DecideBy = Field(
        "value",
        description="value: the value against its limits; inside: a pass needs the whole interval "
        "within them; outside: a failure needs the whole interval beyond them. Under inside and "
        "outside, an interval that straddles a limit is undecided.",
    )
    min_rows: Annotated[int, BeforeValidator(whole), Field(ge=0)] = Field(
        30, description="People that each group, and each denominator of a rate, has to have."
    )
    max_missing: Annotated[Number, Field(ge=0, le=1)] | None = Field(
        None,
        description="The share of a group's people that may lack label, prediction or facet; "
        "beyond it nothing about the group is decided.",
    )
    undecided: WhenUndecided = Field(
        "fail",
        description="What an undecided check does to the exit code: 4, a warning, or nothing.",
    )
    correction: Correction = Field(
        "none",
        description="For the number of comparisons: of p-values, and under inside and outside of "
        "the intervals that decide. It guards against false failures, and costs passes: none is "
        "needed for exit 0 not to be by chance.",
    )


WITHOUT_DECISION = Decision(min_rows=0)
"""What holds for a spec that leaves `decision` out: values decide, in groups of any size."""


class Baseline(SpecModel):
    """An earlier report, and how much farther from parity a value may be than in it."""

    EXPECTED = "a mapping, such as {report: v1.json}"

    report: Name = Field(description="The report's file, relative to this spec.")
    max_worsening: Annotated[Number, Field(ge=0)] = Field(
        0.0, description="How much farther from parity a value may be than in the report."
    )
    allow_vanished: OneOrMoreScalars | None = Field(
        None,
        description="Metrics, facets and groups that the report has and this audit may lack.",
    )

    @property
    def allowed(self) -> tuple[str, ...]:
        """What may vanish, by name."""
        return tuple(map(format_value, self.allow_vanished or ()))
