"""What was read and counted: the records that every value of a report is computed from."""

from fractions import Fraction
from math import inf
from typing import Annotated, Any, Literal

from pydantic import Field

from biaspipe.counts import Group, Table
from biaspipe.metrics import RateName
from biaspipe.plan.comparisons import EarlierTables, GroupPart
from biaspipe.report.counts import (
    GroupRecord,
    OutcomesRecord,
    People,
    Record,
    Sha256,
    Sides,
    StratumRecord,
    table_of,
)
from biaspipe.report.smclarify import ComparedRecord
from biaspipe.spec import IN_HAND

__all__ = [
    "AuditRecord",
    "ComparisonRecord",
    "CountedAsRecord",
    "DataRecord",
    "EarlierRecord",
    "FacetGroupRecord",
    "FacetRecord",
    "InputRecord",
    "IntervalRecord",
    "JoinRecord",
    "LedgerRecord",
    "ModelBiasRecord",
    "PeopleRecord",
    "RateRecord",
    "SideRecord",
    "ValueRecord",
]


class AuditRecord(Record):
    """The spec that was run."""

    name: str = Field(description="The audit's stable id.")
    sha256: Sha256 = Field(description="Digest of the spec file's bytes.")
    spec: dict[str, Any] = Field(description="The spec as it was read.")
    parameters: dict[str, str | bool | int | float] | None = Field(
        None, description="The values of its parameters, where it has any."
    )
    data: str | None = Field(
        None,
        description="The data that was read in place of the spec's, where the command line gave "
        "it, by its last name alone; a URI as it was given.",
    )
    edition: Annotated[int, Field(ge=2)] | None = Field(
        None,
        description="Which edition of the family `all` the spec's `all` stands for; null where it"
        " has none, and for the first edition.",
    )

    @property
    def place(self) -> str | list[str]:
        """The data that was read: a path, several, or a table."""
        return self.data or self.named_place

    @property
    def named_place(self) -> str | list[str]:
        """The data that the spec names."""
        found: str | list[str] = self.entry("data", "table") or self.entry("data", "path")
        return found

    @property
    def is_of_tables(self) -> bool:
        """Whether that is a table of a database."""
        return self.data is None and bool(self.entry("data", "table"))

    @property
    def edition_of_all(self) -> int:
        """The edition of the family `all`."""
        return self.edition or 1

    def entry(self, *keys: str) -> Any:
        """Return what the spec says below some keys; None where there is no such thing."""
        value: Any = self.spec
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value


class InputRecord(Record):
    """A file that was read."""

    path: str = Field(description="The path as the spec writes it.")
    bytes: int | None = Field(description="Size; null for a remote file.")
    sha256: Sha256 | None = Field(description="Digest; null for a remote file.")

    @property
    def is_frame(self) -> bool:
        """Whether the rows were in hand, and no file was read."""
        return self.path == IN_HAND and self.bytes is None and self.sha256 is None


class JoinRecord(Record):
    """A joined table and how it met the data."""

    path: str = Field(description="The path as the spec writes it.")
    on: tuple[str, ...] | None = Field(
        description="The key columns; null where rows meet by their position."
    )
    unmatched: int = Field(description="Rows that count and have no partner in it.")


class LedgerRecord(Record):
    """What became of every row read, for one facet; the numbers add up to the rows read."""

    favored: int = Field(description="Rows in a favored group.")
    disfavored: int = Field(description="Rows in a disfavored group.")
    other: int = Field(description="Rows in a group that is not compared.")
    facet_missing: int = Field(description="Rows without a value of the facet.")
    label_missing: int = Field(description="Rows with a group but without a label.")
    prediction_missing: int = Field(description="Rows with group and label, without a prediction.")
    removed_by_where: int = Field(description="Rows that `where` removed.")

    @property
    def compared(self) -> int:
        """The rows that take part in a comparison."""
        return self.favored + self.disfavored


class IntervalRecord(Record):
    """Between which values the true one lies, as far as so few people can tell."""

    low: float | None = Field(description="Its lower end; null where infinite.")
    high: float | None = Field(description="Its upper end; null where infinite.")
    low_sign: Literal[-1] | None = Field(None, description="-1 where the lower end is infinite.")
    high_sign: Literal[1] | None = Field(None, description="1 where the upper end is infinite.")
    confidence: float = Field(description="How often such intervals hold the true value.")
    method: str = Field(description="How it was made; `biaspipe explain` describes it.")
    clamped: Literal[True] | None = Field(
        None, description="Where the method's own ends did not hold the value: one was moved to it."
    )

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends, on the extended real line."""
        low = -inf if self.low is None else self.low
        return low, inf if self.high is None else self.high


class ModelBiasRecord(Record):
    """DPPL minus DPL: what the model adds to the difference that the labels show."""

    value: float
    interval: IntervalRecord
    sentence: str


class RateRecord(Record):
    """A rate of a group, with its interval."""

    value: float | None = Field(description="From 0 to 1; null where it is a rate of nobody.")
    low: float | None = Field(description="Lower end of its interval; null where there is none.")
    high: float | None = Field(description="Upper end of its interval; null where there is none.")
    n: People = Field(description="People whom it is a rate of.")


class FacetGroupRecord(Record):
    """A group of a facet, the part that it plays, and who of it takes no part."""

    group: str
    rows: int = Field(description="Rows that take part.")
    n: People | None = Field(
        None, description="People that take part, where a weight is declared; else the rows."
    )
    label_missing: int | None = Field(None, description="Its rows without a label.")
    prediction_missing: int | None = Field(
        None, description="Its rows with a label, without a prediction."
    )
    missing: People | None = Field(
        None,
        description="Its people without label or prediction, where a weight is declared; else the "
        "rows.",
    )
    unmatched: tuple[int, ...] | None = Field(
        None, description="For each join, all its rows without a partner."
    )
    part: GroupPart
    effective: float | None = Field(
        None, description="Kish's effective number of people, under sampling weights."
    )
    counts: OutcomesRecord | None = Field(
        None,
        description="Its people that take part, by what their outcomes are; null for who has no "
        "value, and where nobody is.",
    )
    rates: dict[RateName, RateRecord] | None = Field(
        None, description="Its rates, those that the declared columns allow, where it is counted."
    )

    @property
    def people(self) -> People:
        """Its people that take part."""
        return self.rows if self.n is None else self.n

    @property
    def compared(self) -> bool:
        """Whether a comparison uses it."""
        return self.part in ("favored", "disfavored", "both")

    @property
    def lost_rows(self) -> int:
        """Its rows without label or prediction."""
        return (self.label_missing or 0) + (self.prediction_missing or 0)

    @property
    def lost_people(self) -> People:
        """Its people without label or prediction."""
        return self.lost_rows if self.missing is None else self.missing

    def to_group(self) -> Group | None:
        """Read back its people that take part; None where they are not counted by outcome."""
        if self.counts is None:
            return None
        effective = None if self.effective is None else Fraction(self.effective)
        cells, squares = self.counts.to_cells(), self.counts.to_squares()
        return Group(cells, {}, self.rows, effective=effective, squares=squares)


class PeopleRecord(Record):
    """Both groups of a comparison, or those people of them who have something in common."""

    counts: Sides
    strata: tuple[StratumRecord, ...] | None = None

    def to_table(self) -> Table:
        """Read their table back."""
        return table_of(self.counts, self.strata)


class EarlierRecord(Record):
    """The people of a comparison by the prediction of the baseline; their outcomes are today's."""

    favorable: PeopleRecord = Field(description="Those whom it predicts favorable.")
    unfavorable: PeopleRecord = Field(description="The others.")

    def to_tables(self) -> EarlierTables:
        """Read their tables back."""
        return EarlierTables(self.favorable.to_table(), self.unfavorable.to_table())


class ComparisonRecord(Record):
    """Two groups side by side: the evidence for every value computed from counts."""

    favored: str = Field(description="Name of the favored group.")
    disfavored: str = Field(description="Name of the disfavored group.")
    counts: dict[Literal["favored", "disfavored"], GroupRecord]
    strata: tuple[StratumRecord, ...] | None = None
    model_bias: ModelBiasRecord | None = Field(
        None, description="What the model adds to the bias of the labels."
    )
    warning: str | None = Field(
        None,
        description="That one side lost a much larger share of its people than the other, or that "
        "an outcome is the same for everybody who is compared.",
    )
    compat: ComparedRecord | None = Field(
        None, description="The same as another tool counts it, where its arithmetic is asked for."
    )

    earlier: EarlierRecord | None = Field(
        None,
        description="The same people by the prediction of a baseline that is of the same rows.",
    )

    def to_table(self) -> Table:
        """Read the table of the comparison back."""
        return table_of(self.counts, self.strata)


class FacetRecord(Record):
    """A facet and its comparisons."""

    facet: str
    groups: tuple[FacetGroupRecord, ...] = Field(
        description="Every group of the facet, whether it is compared or not."
    )
    comparisons: tuple[ComparisonRecord, ...]


class ValueRecord(Record):
    """A value of a column and its rows."""

    value: str
    rows: int


class SideRecord(Record):
    """The values that were counted as one thing."""

    side: str = Field(
        description="positive, negative, the name of a group, or what part the values play."
    )
    rows: int = Field(description="Rows that count, also those that lack something else.")
    values: tuple[ValueRecord, ...] | None = Field(
        None, description="The commonest of them; null where an interval tells who is on the side."
    )
    others: int | None = Field(None, description="Different values beyond those that are listed.")
    least: str | None = Field(None, description="The least number, where an interval divides.")
    greatest: str | None = Field(None, description="The greatest number, likewise.")


class CountedAsRecord(Record):
    """What a label, a prediction or a facet was counted as, by the values of its column."""

    role: Literal["label", "prediction", "facet"]
    facet: str | None = Field(description="The facet's name; null for label and prediction.")
    column: str
    sides: tuple[SideRecord, ...] = Field(description="They add up to the rows that count.")
    notes: tuple[str, ...] = Field(
        description="Values that are spelled almost as one that the spec names, and an outcome "
        "that is the same for everybody."
    )
    warnings: tuple[str, ...] = Field(
        description="Values that look like missing ones and were counted as an outcome or a group."
    )


class DataRecord(Record):
    """What was read."""

    rows: int = Field(description="Rows read.")
    inputs: tuple[InputRecord, ...]
    joins: tuple[JoinRecord, ...] | None = None
    ledger: dict[str, LedgerRecord] = Field(description="By facet.")
    everyone: GroupRecord = Field(description="All people whose outcomes are known.")
    counted_as: tuple[CountedAsRecord, ...] | None = Field(
        None, description="Which values stood on which side of label, prediction and facets."
    )

    @property
    def least_compared(self) -> int:
        """The rows that are compared by the facet that compares the fewest."""
        return min((ledger.compared for ledger in self.ledger.values()), default=self.everyone.rows)

    @property
    def is_of_frame(self) -> bool:
        """Whether the rows were in hand, so that no file tells which they were."""
        return any(record.is_frame for record in self.inputs)
