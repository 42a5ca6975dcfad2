"""Checks: the values, what speaks for and against them, and what they came to."""

from collections.abc import Iterable
from math import inf
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from biaspipe.metrics.record import ParityTestName, Sign, Status
from biaspipe.printable_text import escape, escape_commands
from biaspipe.report.counts import FlipsRecord, People, Record
from biaspipe.report.evidence import IntervalRecord
from biaspipe.report.smclarify import CompatNote
from biaspipe.spec import Bounds, Impact
from biaspipe.verdict import Verdict

__all__ = [
    "BaselineNote",
    "BoundsRecord",
    "Change",
    "ChangeRecord",
    "CheckKey",
    "CheckRecord",
    "ImpactLimits",
    "ImpactRecord",
    "LimitsRecord",
    "ParityRecord",
    "PeopleNeededRecord",
    "PowerRecord",
    "Procedure",
    "SelectionRecord",
    "SimultaneousRecord",
    "SmallestGapRecord",
    "StratumLeftOut",
    "WaiverEffect",
    "WaiverNote",
    "check_key",
    "check_text",
]

Change = Literal["better", "same", "worse", "regressed", "undecided"]
"""What became of a value since the earlier report."""
CheckKey = tuple[str, str | None, str | None, str | None]
"""Metric, facet, favored and disfavored group, which tell a check from all others."""
WaiverEffect = Literal[
    "waived", "expired", "beyond its bound", "not for a regression", "not applied"
]
"""What a waiver does to a check, or why it does nothing."""
ANY_LIMITS = {"additionalProperties": True, "title": "Limits", "type": "object"}
"""What version 1 of the schema says of limits, which is less than `LimitsRecord` does."""


class BoundsRecord(Bounds, Record):
    """The bounds that a value has to keep, as the spec writes them."""

    min: int | float | None = None
    max: int | float | None = None
    max_abs: int | float | None = None


class ImpactLimits(Record):
    """What adverse impact is, as the spec writes it."""

    min_ratio: str | int | float
    significance: float | None = None
    flip: bool | None = None

    @property
    def asked(self) -> Impact:
        """The same, to be computed with."""
        return Impact(**self.model_dump(exclude_none=True))


class LimitsRecord(BoundsRecord):
    """The bounds whose breach fails a check, and those whose breach warns."""

    warn: BoundsRecord | None = None
    impact: ImpactLimits | None = None

    @property
    def is_set(self) -> bool:
        """Whether something could fail."""
        return bool(self.bounds or self.impact)

    @property
    def band(self) -> tuple[float, float]:
        """The least and the greatest value that keep every bound, the impact's ratio included."""
        low, high = self.kept
        return (max(low, float(self.impact.asked.least)), high) if self.impact else (low, high)

    @property
    def all_bounds(self) -> list[float]:
        """All bounds, those of the warning included, on either side of 0."""
        named = [self.min, self.max, self.max_abs]
        if warn := self.warn:
            named += [warn.min, warn.max, warn.max_abs]
        if self.impact:
            named += [float(self.impact.asked.least)]
        bounds = [bound for bound in named if bound is not None]
        return bounds + [-bound for bound in bounds]


class StratumLeftOut(Record):
    """A stratum in which one outcome never occurs, so that it has no disparity."""

    stratum: str
    rows: int = Field(description="Rows in it.")
    n: People = Field(description="People in it.")


class ParityRecord(Record):
    """A two-sided test of whether both groups may be alike."""

    p_value: float = Field(description="How often chance alone would show as much or more.")
    test: ParityTestName = Field(
        description="What was computed; `explain` names the test of a metric."
    )
    adjusted: float | None = Field(
        None, description="The p-value corrected for the number of tests, where that is asked for."
    )


class SmallestGapRecord(Record):
    """The values nearest to parity that would be told from it; null where none on a side would."""

    low: float | None = Field(description="The one below parity.")
    high: float | None = Field(description="The one above parity.")


class PeopleNeededRecord(Record):
    """How many people would decide an undecided check, if its value stays what it is."""

    favored: int | None = Field(
        description="People of the favored group in all, where both groups grow alike; null for a"
        " metric that compares no groups."
    )
    disfavored: int | None = Field(description="Those of the disfavored group.")
    more: int = Field(description="How many more that is than there are, of both groups.")
    smaller_group_alone: int | None = Field(
        None, description="How many more of the smaller group alone, where they would do."
    )


class PowerRecord(Record):
    """What a check could have seen with its people."""

    power: float = Field(description="How often what is told here comes about.")
    smallest_gap: SmallestGapRecord | None = None
    approximate: bool | None = Field(
        None, description="True where the gap is read off the width of the interval found."
    )
    sentence: str | None = None
    people_needed: PeopleNeededRecord | None = None


Procedure = Literal["tukey", "dunnett", "bonferroni", "false-coverage-rate"]
"""What a critical value is of that takes the place of the normal quantile."""


class SimultaneousRecord(IntervalRecord):
    """An interval that holds together with those of other comparisons."""

    confidence: float = Field(description="How often all of them hold their true values.")
    procedure: Procedure = Field(description="What makes it as wide as that.")
    comparisons: int = Field(description="With how many it holds together, its own included.")
    families: int | None = Field(
        None, description="Among how many such families the error is shared, where there are more."
    )
    critical: float = Field(
        description="The critical value that takes the place of the normal quantile."
    )

    @property
    def words(self) -> str:
        """Over what it is simultaneous, or what it is corrected for."""
        if self.procedure == "false-coverage-rate":
            return f"corrected for {self.comparisons:,} comparisons"
        if self.comparisons == 1:
            others = (self.families or 1) - 1
            many = f"{others:,} other {'family' if others == 1 else 'families'}"
            return f"simultaneous with {many} of comparisons"
        among = f" in one of {self.families:,} families" if self.families else ""
        return f"simultaneous over {self.comparisons:,} comparisons{among}"


class SelectionRecord(Record):
    """The people of a group who were selected, and all of them."""

    selected: People
    applicants: People


class ImpactRecord(Record):
    """A selection as practice judges adverse impact; what counts persons is null of a sample."""

    verdict: Literal["pass", "fail", "undecided"] = Field(
        description="What it comes to by `limits.impact` alone."
    )
    below: bool = Field(description="Whether the ratio is less than `min_ratio`.")
    significant: bool | None = Field(
        None, description="Whether the p-value is less than `significance`, where that is asked."
    )
    p_value: float | None = Field(
        None, description="The p-value that decided: of `parity`, the corrected one if there is."
    )
    survives_flip: bool | None = Field(
        None, description="Whether it stays below 1 when one selection is moved, where asked."
    )
    favored: SelectionRecord
    disfavored: SelectionRecord
    ratio_after_flip: float | None = Field(
        description="The ratio when one selection has moved to the disfavored group; null where "
        "none can be moved, or the favored group has none left."
    )
    shortfall: float = Field(
        description="Selections that the disfavored group lacks at the rate of both together."
    )
    fisher_p_value: float | None = Field(description="Fisher's exact test, two-sided.")
    z: float | None = Field(description="The difference of the rates in pooled standard errors.")
    z_p_value: float | None = Field(description="Its two-sided p-value.")
    hypergeometric_sd: float | None = Field(
        description="The shortfall in standard deviations of a selection from this pool."
    )
    binomial_sd: float | None = Field(
        description="The same of as many selections at the group's share of the pool."
    )


class WaiverNote(Record):
    """What a waiver does to a check that did not pass."""

    number: int = Field(description="Its place in the list of waivers, from 1.")
    state: WaiverEffect


class ChangeRecord(IntervalRecord):
    """How much farther from parity the true value may be than in the earlier report."""

    method: Literal["identical", "mover", "paired"] = Field(
        description="identical: both values are of the same rows and predictions, so that there is"
        " no chance in it; paired: of the same rows, which are counted by both predictions;"
        " mover: of other people, or no person moves both, so that both intervals are joined."
    )
    correlation: float | None = Field(
        None, description="Of both values, where they are paired; from -1 to 1."
    )


class BaselineNote(Record):
    """A check as it was in the earlier report."""

    value: float | None
    status: Status
    sign: Sign | None = None
    interval: IntervalRecord | None = None
    worsening: float | None = Field(
        description="How much farther from parity the value is now; null where no number says it."
    )
    change: ChangeRecord | None = Field(
        None, description="Its interval, where both values have one."
    )
    verdict: Change
    sentence: str


class CheckRecord(Record):
    """One metric of one comparison, with its verdict."""

    metric: str
    name: str
    facet: str | None = Field(description="Null for a metric that compares no groups.")
    favored: str | None
    disfavored: str | None
    value: float | None = Field(description="Null where infinite or undefined.")
    status: Status
    sign: Sign | None = Field(None, description="Of an infinite value.")
    reason: str | None = Field(None, description="Why there is no value, or why it is undecided.")
    parameters: dict[str, int | float | str] | None = None
    limits: Annotated[LimitsRecord, WithJsonSchema(ANY_LIMITS)]
    interval: IntervalRecord | None = Field(
        None, description="Where the true value may lie; null where the value is undefined."
    )
    simultaneous: SimultaneousRecord | None = Field(
        None,
        description="The interval that decides in its place, where comparisons are many or the"
        " favored group was picked by the data.",
    )
    parity: ParityRecord | None = Field(
        None, description="A test of whether both groups may be alike, where it means something."
    )
    power: PowerRecord | None = Field(
        None, description="The smallest gap that the check could have seen, and whom it lacks."
    )
    impact: ImpactRecord | None = Field(
        None, description="Adverse impact, where the spec asks for it."
    )
    verdict: Verdict
    sentence: str
    note: str | None = Field(None, description="What a reader of the verdict should know.")
    line: int = Field(description="Line of the spec that asks for the check.")
    spec_key: str | None = Field(
        None,
        description="Key of the spec that asks for it, where that was given as values, of which"
        " nobody can look up a line.",
    )
    waiver: WaiverNote | None = Field(None, description="The waiver that covers it, if one does.")
    baseline: BaselineNote | None = Field(None, description="How it was in the earlier report.")
    compat: CompatNote | None = Field(
        None, description="The documented value, where the value is that of another tool."
    )
    flips: FlipsRecord | None = None
    strata_left_out: tuple[StratumLeftOut, ...] | None = Field(
        None, description="Strata in which one outcome never occurs."
    )
    strata_of_one_group: tuple[StratumLeftOut, ...] | None = Field(
        None, description="Strata with both outcomes but one group: they count as no disparity."
    )

    @property
    def deciding(self) -> IntervalRecord | None:
        """The interval that decides, or would: the simultaneous one, where there is one."""
        return self.simultaneous or self.interval

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Yield what is shown of it: what tells it from others, and what it came to."""
        named = zip(("metric", "facet", "favored", "disfavored"), check_key(self), strict=True)
        yield from ((key, name) for key, name in named if name is not None)
        yield "value", self.extended
        yield "verdict", self.verdict.value

    def __str__(self) -> str:
        return escape(check_text(check_key(self)))

    @property
    def statement(self) -> str:
        """Its sentence as one line, to be printed or logged whatever groups are called."""
        return escape_commands(escape(self.sentence))

    @property
    def extended(self) -> float | None:
        """The value on the extended real line, None where undefined."""
        return self.sign * inf if self.sign else self.value


def check_key(check: CheckRecord) -> CheckKey:
    """Return the key of a check, by which another report has it too."""
    return check.metric, check.facet, check.favored, check.disfavored


def check_text(key: CheckKey) -> str:
    """Write which check it is.

    >>> check_text(("DI", "sex", "male", "female")), check_text(("GE", None, None, None))
    ('DI on sex, female against male', 'GE')
    """
    metric, facet, favored, disfavored = key
    return metric if facet is None else f"{metric} on {facet}, {disfavored} against {favored}"
