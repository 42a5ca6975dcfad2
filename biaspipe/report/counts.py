"""Counts as a report writes them, and the counts that are read back from it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from biaspipe.counts import Drawn, Favorable, Flips, Group, Headcount, Stratum, Table
from biaspipe.spec import Audit

__all__ = [
    "CELLS",
    "DrawnRecord",
    "FlipsRecord",
    "GroupRecord",
    "OutcomesRecord",
    "People",
    "Record",
    "Sha256",
    "Sides",
    "StratumRecord",
    "effective_people",
    "exact",
    "people_number",
    "sides_of",
    "strata_of",
    "table_of",
]

CellName = Literal[
    "TP",
    "FP",
    "FN",
    "TN",
    "positives",
    "negatives",
    "predicted_positives",
    "predicted_negatives",
    "n",
]
"""What people by outcome are called; `n` is all of them, where no outcome is declared."""

CELLS: dict[CellName, tuple[Favorable, Favorable]] = {
    "TP": (True, True),
    "FP": (False, True),
    "FN": (True, False),
    "TN": (False, False),
    "positives": (True, None),
    "negatives": (False, None),
    "predicted_positives": (None, True),
    "predicted_negatives": (None, False),
}
"""The names of cells in a report, by observed and predicted outcome."""

ENCODING = (
    "numbers as scaled; text and booleans as categories, where a mismatch counts as a distance"
    " of 1; Euclidean; all rows tied at the k-th distance vote, a draw is no flip"
)

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

People = int | float
"""A number of people; only sampling weights make one that is not whole."""


def people_number(n: Headcount) -> People:
    """Write a number of people as a report does."""
    return n if isinstance(n, int) else float(n)


def exact(n: People) -> Headcount:
    """Read a number of people back."""
    return n if isinstance(n, int) else Fraction(n)


def effective_people(group: Group) -> float | None:
    """Write what the people of a group are worth; None where each of them was seen."""
    return None if group.effective is None else float(group.effective)


class Record(BaseModel):
    """A part of the report: frozen, and nothing in it is unknown."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        serialize_by_alias=True,
        defer_build=True,
    )


class OutcomesRecord(Record):
    """People by label and prediction, under the names that fit what the audit declares."""

    TP: People | None = Field(None, description="Label and prediction favorable.")
    FP: People | None = Field(None, description="Label unfavorable, prediction favorable.")
    FN: People | None = Field(None, description="Label favorable, prediction unfavorable.")
    TN: People | None = Field(None, description="Label and prediction unfavorable.")
    positives: People | None = Field(None, description="Favorable labels, without a prediction.")
    negatives: People | None = Field(None, description="Unfavorable labels, without a prediction.")
    predicted_positives: People | None = Field(None, description="Favorable, without a label.")
    predicted_negatives: People | None = Field(None, description="Unfavorable, without a label.")
    squares: dict[CellName, Annotated[float, Field(ge=0)]] | None = Field(
        None,
        description="Under sampling weights, the sums of squared weights by the same names; `n` "
        "without label and prediction.",
    )

    @staticmethod
    def counted(group: Group, audit: Audit) -> "OutcomesRecord | None":
        """Write the outcomes of a group; None where the audit declares none.

        Parameters
        ----------
        group : the group.
        audit : the spec, which declares a label, a prediction or both.
        """
        cells = _cells(group, audit)
        return OutcomesRecord(**cells, squares=_squares(group, audit)) if cells else None

    def to_cells(self) -> dict[tuple[Favorable, Favorable], Headcount]:
        """Read the people by outcome back."""
        written = {outcomes: getattr(self, name) for name, outcomes in CELLS.items()}
        return {outcomes: exact(n) for outcomes, n in written.items() if n is not None}

    def to_squares(self) -> dict[tuple[Favorable, Favorable], Headcount]:
        """Read the sums of squared weights by outcome back."""
        written = self.squares or {}
        return {CELLS.get(name, (None, None)): Fraction(n) for name, n in written.items()}


def _cells(group: Group, audit: Audit) -> dict[CellName, People]:
    """Return the people of a group by the names of their outcomes."""
    observed, predicted = audit.columns.label, audit.columns.prediction
    return {
        name: people_number(getattr(group, name))
        for name, (y, p) in CELLS.items()
        if (y is None, p is None) == (not observed, not predicted)
    }


def _squares(group: Group, audit: Audit) -> dict[CellName, float] | None:
    """Return the sums of squared weights of a group by the names of their outcomes."""
    if not group.squares:
        return None
    names: Iterable[CellName] = _cells(group, audit) or ("n",)
    return {name: float(getattr(group.squared, name)) for name in names}


class GroupRecord(OutcomesRecord):
    """A group, counted. People are rows, or summed weights where a weight is declared."""

    rows: int = Field(description="Rows of the data.")
    n: People = Field(description="People.")
    effective: float | None = Field(
        None, description="Kish's effective number of people, under sampling weights."
    )
    missing: People | None = Field(
        None, description="People of the group who lack label or prediction; not among `n`."
    )
    labels: dict[str, People] | None = Field(None, description="People by category of the label.")
    label_squares: dict[str, Annotated[float, Field(ge=0)]] | None = Field(
        None, description="Under sampling weights, the sums of squared weights by category."
    )
    label_rate: float | None = Field(None, description="Share of favorable labels.")
    selection_rate: float | None = Field(None, description="Share of favorable predictions.")

    @classmethod
    def of(cls, group: Group, audit: Audit, *, categories: bool = True) -> "GroupRecord":
        """Write a group under the names that fit what the audit declares.

        Parameters
        ----------
        group : the group.
        audit : the spec, which declares a label, a prediction or both.
        categories : whether the categories of the label are written too.
        """
        observed, predicted = audit.columns.label, audit.columns.prediction
        labels = sorted(group.labels.items()) if categories else ()
        squares = group.label_squares
        return cls(
            rows=group.rows,
            n=people_number(group.n),
            effective=effective_people(group),
            missing=people_number(group.missing) or None,
            labels={name: people_number(n) for name, n in labels} or None,
            label_squares={name: float(squares.get(name, 0)) for name, _ in labels if squares}
            or None,
            label_rate=float(group.positives / group.n) if observed and group.n else None,
            selection_rate=float(group.predicted_positives / group.n)
            if predicted and group.n
            else None,
            **_cells(group, audit),
            squares=_squares(group, audit),
        )

    def to_group(self, letter: str) -> Group:
        """Read the group back.

        Parameters
        ----------
        letter : what formulas call it: `a`, `d` or nothing.
        """
        return Group(
            self.to_cells() or {(None, None): exact(self.n)},
            {name: exact(n) for name, n in (self.labels or {}).items()},
            self.rows,
            letter,
            None if self.effective is None else Fraction(self.effective),
            exact(self.missing or 0),
            self.to_squares(),
            {name: Fraction(n) for name, n in (self.label_squares or {}).items()},
        )


Sides = dict[Literal["favored", "disfavored"], GroupRecord]
"""Both groups of a comparison."""


class StratumRecord(Record):
    """One stratum of a comparison."""

    stratum: str
    favored: GroupRecord
    disfavored: GroupRecord


def sides_of(table: Table, audit: Audit, *, categories: bool = True) -> Sides:
    """Write both groups of a table."""
    return {
        "favored": GroupRecord.of(table.favored, audit, categories=categories),
        "disfavored": GroupRecord.of(table.disfavored, audit, categories=categories),
    }


def strata_of(table: Table, audit: Audit) -> tuple[StratumRecord, ...] | None:
    """Write both groups of a table in every stratum; None without strata."""
    strata = tuple(
        StratumRecord(
            stratum=s.name,
            favored=GroupRecord.of(s.favored, audit, categories=False),
            disfavored=GroupRecord.of(s.disfavored, audit, categories=False),
        )
        for s in table.strata
    )
    return strata or None


def table_of(sides: Sides, strata: Sequence[StratumRecord] | None) -> Table:
    """Read a table back from both of its groups and its strata."""
    return Table(
        sides["favored"].to_group("a"),
        sides["disfavored"].to_group("d"),
        tuple(
            Stratum(s.stratum, s.favored.to_group("a"), s.disfavored.to_group("d"))
            for s in strata or ()
        ),
    )


class DrawnRecord(Record):
    """The members of d that a sampled fliptest drew, by their own prediction."""

    sample: int = Field(description="Members asked for.")
    seed: int = Field(description="The number that the draw began with.")
    unfavorable: tuple[int, int] = Field(
        description="Members predicted unfavorable, and how many of them were drawn."
    )
    favorable: tuple[int, int] = Field(
        description="Members predicted favorable, and how many of them were drawn."
    )

    @property
    def members(self) -> int:
        """Members that were drawn."""
        return self.unfavorable[1] + self.favorable[1]


class FlipsRecord(Record):
    """The evidence of a fliptest."""

    F_plus: int = Field(description="People of d predicted unfavorable, their neighbours not.")
    F_minus: int = Field(description="The reverse.")
    n_d: int = Field(description="People of the disfavored group that took part.")
    n_a: int = Field(description="People of the favored group that took part.")
    left_out: int = Field(description="People of both groups that lack a numeric feature.")
    k: int = Field(description="Neighbours asked for.")
    scaling: str = Field(description="How numeric features were scaled.")
    encoding: str = Field(description="How features became distances.")
    features: tuple[str, ...]
    median_distance: float | None = Field(description="To the k-th neighbour, over people of d.")
    drawn: DrawnRecord | None = Field(
        None, description="The sample that F_plus and F_minus are of, where one was drawn."
    )
    shared: int | None = Field(
        None,
        ge=0,
        description="What pairs of members of d owe to neighbours that they share, by the "
        "jackknife over members of a, and as their vote varies where they are tied: the part of "
        "the variance of F_plus - F_minus that is chance in the neighbours. None of a sample.",
    )

    @classmethod
    def of(cls, flips: Flips) -> "FlipsRecord":
        """Write what a fliptest counted."""
        return cls(**asdict(flips), encoding=ENCODING)

    def to_flips(self) -> Flips:
        """Read back what the fliptest counted."""
        drawn = Drawn(**dict(self.drawn)) if self.drawn else None
        return Flips(**self.model_dump(exclude={"encoding", "drawn"}), drawn=drawn)
