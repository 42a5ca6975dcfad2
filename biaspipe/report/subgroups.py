"""What a search for subgroups came to, with the counts that prove it."""

from typing import Annotated, Literal

from pydantic import Field

from biaspipe.counts import JointCell, JointCells
from biaspipe.metrics import METRICS
from biaspipe.plan import REST
from biaspipe.report.checks import CheckRecord, LimitsRecord
from biaspipe.report.counts import Record
from biaspipe.report.evidence import IntervalRecord
from biaspipe.verdict import Verdict

__all__ = ["SubgroupRecord", "SubgroupsRecord", "cell_text"]

CellText = Annotated[str, Field(pattern=r"^(-?[0-9]{1,9} ){1,64}[0-9]{1,18} [0-9]{1,18}$")]


class SubgroupRecord(Record):
    """A subgroup against the rest: who has a value of its facets and is not of it."""

    name: str
    groups: dict[str, str] = Field(description="For each facet that describes it, the group.")
    n: int = Field(ge=1, description="Its people whom the rate is a share of.")
    counted: int = Field(description="Those of them whom the rate counts.")
    rest_n: int = Field(ge=1, description="The same of the rest.")
    rest_counted: int = Field(description="Likewise.")
    gap: float = Field(description="The metric, with the rest as the favored group.")
    low: float = Field(description="Lower end of its simultaneous interval.")
    high: float = Field(description="Upper end of its simultaneous interval.")
    p_value: float = Field(description="Adjusted for all subgroups that were examined.")
    found: bool = Field(description="Whether it differs from the rest by more than chance.")
    explained_by: str | None = Field(
        None, description="The subgroup that explains it; null where it stands for itself."
    )
    verdict: Verdict
    sentence: str

    def interval(self, confidence: float) -> IntervalRecord:
        """Return its simultaneous interval."""
        method = "newcombe, max_t"
        return IntervalRecord(low=self.low, high=self.high, confidence=confidence, method=method)

    @property
    def rate(self) -> float:
        """The rate of its people."""
        return self.counted / self.n

    @property
    def rest_rate(self) -> float:
        """That of the rest."""
        return self.rest_counted / self.rest_n


class SubgroupsRecord(Record):
    """A search for the groups of several facets that fare worst."""

    metric: str
    of: tuple[str, ...] = Field(description="The facets.")
    order: int = Field(description="How many of them describe a subgroup at most.")
    min_rows: int = Field(description="People that a subgroup and the rest each had to have.")
    max_gap: float | None = Field(None, description="How large a gap may be.")
    control: Literal["max_t"]
    draws: int = Field(description="How often outcomes were dealt out at random.")
    seed: int = Field(description="The number that the draws began with.")
    groups: tuple[tuple[str, ...], ...] = Field(description="The groups of each facet.")
    cells: tuple[CellText, ...] = Field(
        description="People by the groups of all facets, as numbers: for each facet the place of "
        "the group from 0, -1 in no group and -2 without a value; then whom the rate is a share of,"
        " and those of them whom it counts."
    )
    examined: int = Field(description="Subgroups that were examined.")
    repeated: int = Field(description="Others that split the people just as one of these does.")
    small: int = Field(description="Subgroups that were not examined: one side is too small.")
    in_small: int = Field(description="People in one of these, whom the rate is a share of.")
    small_named: tuple[str, ...] = Field(
        description="Those of a single facet first, and the largest, with the people of the side "
        "that is too small."
    )
    critical: float | None = Field(
        None, description="The size of a test statistic that chance alone would rarely exceed."
    )
    smallest_gap: float | None = Field(
        None,
        description="The gap that the smallest subgroup would have to have to be found four times "
        "in five.",
    )
    found: int = Field(description="Subgroups that differ from the rest by more than chance.")
    standing: int = Field(description="Those of them that no other one explains.")
    listed: tuple[SubgroupRecord, ...] = Field(
        description="Those that were found, fail or are undecided, who fare worse than the rest "
        "first and the worst first; the one farthest from the rest, where there is none."
    )
    unlisted: int = Field(0, description="How many more there are than can be listed.")
    verdict: Verdict
    reason: str | None = Field(None, description="Why nothing could be decided.")
    sentence: str
    line: int = Field(description="Line of the spec that asks for the search.")
    spec_key: str | None = Field(
        None, description="Its key in the spec, where that was given as values."
    )

    def to_check(self, confidence: float) -> CheckRecord:
        """Return the search as one check: of the first subgroup that decides it.

        Parameters
        ----------
        confidence : of its interval.
        """
        first = min(self.listed, key=lambda one: one.verdict.gravity, default=None)
        limits = {"max_abs": self.max_gap} if self.max_gap is not None else {}
        return CheckRecord(
            metric=self.metric,
            name=METRICS[self.metric].name,
            facet=f"subgroups of {', '.join(self.of)}",
            favored=REST if first else None,
            disfavored=first.name if first else None,
            value=first.gap if first else None,
            status="ok" if first else "undefined",
            reason=self.reason,
            limits=LimitsRecord.model_validate(limits),
            interval=first.interval(confidence) if first else None,
            verdict=self.verdict,
            sentence=self.sentence,
            line=self.line,
            spec_key=self.spec_key,
        )

    def to_cells(self) -> JointCells:
        """Read the people by their groups back."""
        read = (tuple(map(int, text.split(" "))) for text in self.cells)
        return JointCells(self.groups, tuple(JointCell(codes[:-2], *codes[-2:]) for codes in read))


def cell_text(cell: JointCell) -> str:
    """Write people of the same groups as one line.

    >>> cell_text(JointCell((0, -2), 120, 57))
    '0 -2 120 57'
    """
    return " ".join(map(str, (*cell.codes, cell.whole, cell.part)))
