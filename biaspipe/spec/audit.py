"""The audit spec, version 1."""

import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from biaspipe.printable_text import escape
from biaspipe.spec.checks import Metrics
from biaspipe.spec.data import Data
from biaspipe.spec.decision import WITHOUT_DECISION, Baseline, Decision
from biaspipe.spec.engine import EngineName, Spark
from biaspipe.spec.parameters import ParameterDefault, ParameterName
from biaspipe.spec.subgroups import Subgroups
from biaspipe.spec.values import (
    NAME_OR_LIST,
    Expects,
    FacetSide,
    FormatVersion,
    Interval,
    Name,
    Names,
    OneOrMoreScalars,
    SpecModel,
    refuse_blank,
)
from biaspipe.spec.waivers import Waiver

__all__ = ["Audit", "Columns", "Compare", "Excluded", "Facet", "Outcome", "Weight"]

MAX_PHRASE = 80
"""Characters that a sentence has room for where it names an outcome."""

SUBJECTS = "who|that|they|those|people"
AUXILIARIES = "do|does|did|is|are|was|were|be|been|has|have|had|will|would|can|could"
CALLED_BEHIND = {
    "label": ("people who", SUBJECTS, "did, were or have, such as repaid the loan"),
    "prediction": ("people are", f"{SUBJECTS}|{AUXILIARIES}", "are, such as approved"),
}
"""What stands before a phrase, what it therefore cannot begin with, and what is meant."""

Compare = Literal["favored", "rest", "over_rest", "pairs", "best"]


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _phrase(value: str | None) -> str | None:
    if value is None:
        return None
    words = refuse_blank(value)
    if words != words.strip() or escape(words) != words:
        raise PydanticCustomError("phrase", "these words are no plain text on one line")
    if len(words) > MAX_PHRASE:
        raise PydanticCustomError("phrase", f"these words are more than {MAX_PHRASE} characters")
    return words


def _unfit(message: str) -> PydanticCustomError:
    return PydanticCustomError("phrase", "{message}", {"message": message, "index": "called"})


class Outcome(Interval):
    """A column of outcomes, and which of them are favorable."""

    EXPECTED = "a mapping, such as {column: repaid, positive: paid}"

    column: Name = Field(description="The column's name.")
    positive: Annotated[
        OneOrMoreScalars | None, Expects("a value or a list; thresholds stand beside column")
    ] = Field(None, description="The favorable value, or a list of them.")
    negative: OneOrMoreScalars | None = Field(
        None,
        description="The unfavorable value, or a list of them: any third value is an error. Every "
        "value that is not positive, if left out.",
    )
    called: Annotated[
        Name | None, AfterValidator(_phrase), Expects("a few words on one line, such as approved")
    ] = Field(
        None,
        description="The favorable outcome in words, used in every sentence: of a prediction what"
        " people are (approved), of a label what people did (repaid the loan).",
    )
    constant: Literal["allowed"] | None = Field(
        None,
        description="allowed: the outcome may be the same for everybody, as that of a constant "
        "model; an error if left out.",
    )

    @model_validator(mode="after")
    def _has_bounds(self) -> "Outcome":
        if self.positive is not None and self.bounded:
            raise PydanticCustomError(
                "outcome", "positive and a threshold both say what is favorable; keep one"
            )
        if self.positive is None and not self.bounded:
            raise PydanticCustomError(
                "outcome",
                "nothing says what is favorable: positive, above, at_least, below or at_most",
            )
        if self.positive is None and self.negative is not None:
            raise PydanticCustomError(
                "outcome", "a threshold says who is unfavorable; negative goes with positive"
            )
        return self._refuse_contradiction()


class Excluded(SpecModel):
    """Every column except the audit's own and these."""

    exclude: Annotated[tuple[Name, ...], BeforeValidator(_as_list), NAME_OR_LIST] = Field(
        description="Columns that are not features, such as identifiers."
    )


Features = Annotated[
    Annotated[Names, Tag("list")] | Annotated[Excluded, Tag("mapping")],
    Discriminator(lambda v: "mapping" if isinstance(v, dict | Excluded) else "list"),
]


class Weight(SpecModel):
    """A column of weights, and what a weight is."""

    column: Name = Field(description="The column's name.")
    kind: Literal["frequency", "sampling"] = Field(
        "frequency",
        description="frequency: a row stands for so many people that were seen; sampling: for so "
        "many of whom it is a sample, so that intervals count its effective people.",
    )


WeightOrName = Annotated[
    Annotated[Name, Tag("name")] | Annotated[Weight, Tag("mapping")],
    Discriminator(lambda v: "mapping" if isinstance(v, dict | Weight) else "name"),
]


class Columns(SpecModel):
    """What the columns of the data mean."""

    EXPECTED = "a mapping, such as {label: {column: repaid, positive: paid}}"

    label: Outcome | None = Field(None, description="The observed label.")
    prediction: Outcome | None = Field(None, description="The prediction, a label or a score.")
    strata: Annotated[Names | None, Expects("a list, such as [purpose]")] = Field(
        None, description="Columns whose values form strata."
    )
    weight: Annotated[WeightOrName | None, Expects("a column, or {column: w, kind: sampling}")] = (
        Field(None, description="Each row stands for this many people.")
    )
    features: Annotated[Features | None, Expects("a list, or {exclude: [...]}")] = Field(
        None, description="Columns that the fliptest compares."
    )
    key: Name | None = Field(
        None,
        description="A column that tells rows apart, text or whole numbers: the fliptest's sample "
        "is drawn by it; by the row's number if left out.",
    )

    @field_validator("label", "prediction")
    @classmethod
    def _fits_sentences(cls, outcome: Outcome | None, info: ValidationInfo) -> Outcome | None:
        """Refuse a phrase that repeats the words it stands behind, or ends the sentence."""
        words = outcome.called if outcome else None
        behind, beginnings, meant = CALLED_BEHIND[str(info.field_name)]
        if words and (found := re.match(rf"({beginnings})\b", words, re.IGNORECASE)):
            raise _unfit(
                f'called stands behind "{behind}", so it cannot begin with "{found[0]}"; '
                f"it says what people {meant}"
            )
        if words and words[-1] in ".,;:!?":
            raise _unfit(f'called stands amid sentences, so it cannot end in "{words[-1]}"')
        return outcome

    @property
    def weighting(self) -> Weight | None:
        """The weight in full; a bare column is one of frequencies."""
        return Weight(column=self.weight) if isinstance(self.weight, str) else self.weight

    @property
    def weight_column(self) -> str | None:
        """The name of the weight's column, if there is one."""
        return self.weighting.column if self.weighting else None


class Facet(SpecModel):
    """The groups to compare: the values or named groups of a column, or intersections."""

    EXPECTED = "a mapping, such as {column: sex}"

    column: Name | None = Field(None, description="The column that holds the groups.")
    groups: dict[Name, FacetSide] | None = Field(
        None, description="Named groups: a value, a list or an interval each."
    )
    cross: Names | None = Field(None, description="Declared facets whose intersections to compare.")
    favored: FacetSide | None = Field(
        None, description="The favored group; the rest of the data if left out."
    )
    disfavored: FacetSide | None = Field(
        None, description="The disfavored group; every other value, one by one, if left out."
    )
    compare: Compare | None = Field(
        None,
        description="favored: each group against the favored one; rest: each against the rest; "
        "over_rest: the same with the rest as the disfavored side; pairs: each pair; best: each "
        "against the group with the highest selection rate.",
    )
    others: Literal["error"] | None = Field(
        None,
        description="error: everybody belongs to a declared group, or the value is an error; "
        "others are counted and listed, if left out.",
    )
    metrics: Metrics | None = Field(None, description="Checks that override the audit's, by id.")

    @property
    def mode(self) -> Compare:
        """How the groups are compared: what `compare` says, or what the sides imply."""
        if self.compare:
            return self.compare
        return "rest" if self.favored is None else "favored"


class Audit(SpecModel):
    """An audit: the data, its columns, the facets and the metrics with their limits."""

    version: FormatVersion = Field(description="The version of this format.")
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")] = Field(
        description="Stable id: letters, digits, - and _."
    )
    description: str | None = Field(None, description="What is audited, and why.")
    owner: str | None = Field(None, description="Who answers for the audit.")
    tags: Annotated[tuple[Name, ...], BeforeValidator(_as_list), NAME_OR_LIST] = Field(
        (), description="Words to select audits by."
    )
    model: dict[str, Any] | None = Field(None, description="Evidence on the model, free-form.")
    parameters: Annotated[
        dict[ParameterName, ParameterDefault], Expects("a mapping, such as {month: 2026-10}")
    ] = Field(
        {},
        description="Names for values that `run --param NAME=VALUE` may replace; written ${NAME} "
        "in data.path, data.table, baseline.report, and in data.where as one value.",
        json_schema_extra={"propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"}},
    )
    data: Data = Field(description="Where the audited rows are, and how they are read.")
    engine: EngineName | None = Field(
        None, description="What reads and counts the files; polars if left out."
    )
    spark: Spark | None = Field(None, description="Where engine: spark runs.")
    columns: Columns = Field(Columns(), description="What the columns mean.")
    facets: Annotated[dict[Name, Facet], Expects("a mapping, such as {sex: {column: sex}}")] = (
        Field(description="The groups to compare.", min_length=1)
    )
    metrics: Metrics = Field({}, description="Metrics and families, each with its limits.")
    decision: Decision | None = Field(
        None,
        description="How values are decided; each against its limits, in groups of any size, if "
        "left out.",
    )
    subgroups: Subgroups | None = Field(
        None, description="A search for the groups of several facets that fare worst."
    )
    waivers: Annotated[
        tuple[Waiver, ...], Expects("a list of mappings with reason, approved_by and expires")
    ] = Field((), description="Failures that somebody answers for.")
    compat: Literal["smclarify"] | None = Field(
        None,
        description="Compute the metrics of Clarify with the arithmetic of smclarify 0.5 instead "
        "of the documented one.",
    )
    baseline: Baseline | None = Field(None, description="An earlier report to compare with.")

    @property
    def rules(self) -> Decision:
        """How values are decided, also where the spec leaves that out."""
        return self.decision or WITHOUT_DECISION
