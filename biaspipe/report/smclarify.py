"""Another tool's arithmetic: how it reads and counts the columns, and the documented value."""

from typing import Literal

from pydantic import Field

from biaspipe.counts import Table
from biaspipe.metrics.record import Sign, Status
from biaspipe.report.counts import GroupRecord, Record, StratumRecord, table_of

__all__ = ["BallotRecord", "ComparedRecord", "CompatNote", "CompatRecord", "GuessRecord"]


class CompatNote(Record):
    """The documented value of a check whose value is that of another tool."""

    value: float | None = Field(description="Null where infinite or undefined.")
    status: Status
    sign: Sign | None = None
    reason: str | None = None
    differs: bool = Field(description="Whether the two are more than rounding apart.")
    difference: float | None = Field(
        description="The other tool's value minus the documented one, where both are numbers."
    )
    why: tuple[str, ...] = Field(description="Ids of the differences that `explain --compat` has.")


class GuessRecord(Record):
    """A column as the other tool reads it."""

    column: str
    kind: str = Field(description="What it holds.")
    guess: Literal["categorical", "continuous"]
    distinct: int | None = Field(
        description="Its values, each once; null where the guess does not depend on it."
    )
    missing: int = Field(description="Rows without a value.")
    text: str = Field(description="The values or the interval, as the other tool writes them.")
    values: tuple[str, ...] | None = Field(
        None, description="Every value as it first appears, where each is compared with the rest."
    )
    refused: str | None = Field(None, description="Why nothing is computed on it.")


class CompatRecord(Record):
    """How another tool reads the data."""

    name: Literal["smclarify"]
    version: str
    label: GuessRecord
    prediction: GuessRecord | None = None
    facets: dict[str, GuessRecord]
    everyone: GroupRecord = Field(description="All people; a missing outcome is negative.")
    no_prediction: str | None = Field(
        None, description="Why nothing is computed from the predictions."
    )
    no_strata: str | None = Field(None, description="Why nothing is computed in strata.")


class BallotRecord(Record):
    """The evidence of another tool's fliptest."""

    F_plus: int = Field(description="People of d predicted unfavorable, their neighbours not.")
    F_minus: int = Field(description="The reverse.")
    n_d: int = Field(description="People of the disfavored group.")
    n_a: int = Field(description="Everybody else.")
    k: int = Field(description="Neighbours that voted.")
    features: tuple[str, ...]
    refused: str | None = Field(None, description="Why there is no value.")


class ComparedRecord(Record):
    """A comparison as another tool counts it: d against everybody else, nobody left out."""

    text: str = Field(description="The values of d, or the interval, as the other tool has them.")
    counts: dict[Literal["favored", "disfavored"], GroupRecord]
    strata: tuple[StratumRecord, ...] | None = None
    ballot: BallotRecord | None = None

    def to_table(self) -> Table:
        """Read the table of the comparison back."""
        return table_of(self.counts, self.strata)
