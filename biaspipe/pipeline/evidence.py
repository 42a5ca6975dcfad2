"""What values are computed from: the tables and flips of every comparison, counted or read back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from biaspipe.counts import Flips, Group, Headcount, JointCells, Table
from biaspipe.errors import Loc
from biaspipe.metrics import Needs
from biaspipe.metrics.phrases import Phrases
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import ComparisonRecord, FacetGroupRecord, Result
from biaspipe.report.counts import exact
from biaspipe.report.locator import path_of
from biaspipe.spec import Audit, phrases_of
from biaspipe.verdict import too_few, too_many_missing

if TYPE_CHECKING:
    from biaspipe.smclarify import SmclarifyCounts

__all__ = ["CheckInput", "Evidence", "MetricInput", "recovered"]

NOBODY = Fraction(0)

MetricInput = Table | Group | Flips
"""What a metric is computed from."""


class CheckInput(NamedTuple):
    """A check of one comparison, and what it is computed from.

    Parameters
    ----------
    planned : the check.
    counts : what its metric takes.
    comparison : the groups; None for a metric without a facet.
    """

    planned: PlannedCheck
    counts: MetricInput
    comparison: Comparison | None

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the favored and the disfavored group; empty without a comparison."""
        pair = self.comparison
        return (pair.favored, pair.disfavored) if pair else ("", "")


@dataclass(frozen=True)
class Evidence:
    """What the checks of an audit are computed from.

    Parameters
    ----------
    audit : the spec.
    checks : its checks, or a selection of them.
    comparisons : of every facet.
    flips : for each facet with a fliptest, the evidence of its comparisons.
    groups : every group of every facet.
    everyone : all people whose outcomes are known.
    line : the line of the spec that asks for a check.
    waiver_lines : the line of each waiver.
    smclarify_counts : what smclarify counts, where its arithmetic is asked for.
    has_lines : whether somebody can look up a line of the spec.
    joint : people by the groups of several facets, where subgroups are searched for.
    search_line : the line of the spec that asks for that.
    """

    audit: Audit
    checks: Sequence[PlannedCheck]
    comparisons: Mapping[str, Sequence[Comparison]]
    flips: Mapping[str, Sequence[Flips]]
    groups: Mapping[str, Sequence[FacetGroupRecord]]
    everyone: Group
    line: Callable[[PlannedCheck], int]
    waiver_lines: Sequence[int]
    smclarify_counts: "SmclarifyCounts | None" = None
    has_lines: bool = True
    joint: JointCells | None = None
    search_line: int = 0

    def inputs(self) -> Iterator[CheckInput]:
        """Yield every check with what it is computed from, in order."""
        for planned in self.checks:
            if planned.facet is None:
                yield CheckInput(planned, self.everyone, None)
                continue
            for i, comparison in enumerate(self.comparisons[planned.facet]):
                has_flips = Needs.FEATURES in planned.metric.needs
                counts = self.flips[planned.facet][i] if has_flips else comparison.table
                yield CheckInput(planned, counts, comparison)

    def spec_key(self, loc: Loc) -> str | None:
        """Write a place of a spec of which no line can be looked up; None where one can."""
        return None if self.has_lines else path_of(loc)

    def shortage(self, check: CheckInput) -> str | None:
        """Say who is lacking for a decision, or was lost on the way to it; None if nobody is."""
        rules, facet = self.audit.rules, check.planned.facet
        metric, least = check.planned.metric, rules.min_rows
        if words := too_few(metric, check.counts, least, check.sides, self.phrases):
            return words
        if check.comparison is None or facet is None:
            return too_many_missing([("all people", self.everyone)], NOBODY, rules.max_missing)
        pair, table = check.comparison, check.comparison.table
        sides = ((pair.favored, table.favored), (pair.disfavored, table.disfavored))
        return too_many_missing(sides, self._shares_without_value[facet], rules.max_missing)

    def lost_to(self, facets: Sequence[str]) -> str | None:
        """Say which of these facets, or outcomes, too many people lack for a decision."""
        most = self.audit.rules.max_missing
        shares = [self._shares_without_value.get(facet, NOBODY) for facet in facets]
        return too_many_missing([("all people", self.everyone)], max(shares), most)

    @cached_property
    def phrases(self) -> Phrases:
        """How sentences name the outcomes of the audit."""
        return phrases_of(self.audit.columns)

    @cached_property
    def _shares_without_value(self) -> dict[str, Fraction]:
        """For each facet, the share of all people who have no value of it."""
        return {facet: _share_without_value(groups) for facet, groups in self.groups.items()}


def _share_without_value(groups: Sequence[FacetGroupRecord]) -> Fraction:
    missing = [group for group in groups if group.part == "missing"]
    people = sum(_all_of(group) for group in groups)
    return Fraction(sum(map(_all_of, missing))) / people if people else NOBODY


def _all_of(group: FacetGroupRecord) -> Headcount:
    """Count the people of a group, those who take no part included."""
    return exact(group.people) + exact(group.lost_people)


def recovered(audit: Audit, checks: Sequence[PlannedCheck], result: Result) -> Evidence:
    """Read the evidence back from a report.

    Parameters
    ----------
    audit : the spec that stands in the report.
    checks : the checks that were run.
    result : the report's result.
    """
    lines = {(check.metric, check.facet): check.line for check in result.checks}
    return Evidence(
        audit,
        checks,
        {f.facet: [_comparison(c) for c in f.comparisons] for f in result.facets},
        _flips(result),
        {f.facet: f.groups for f in result.facets},
        result.data.everyone.to_group(""),
        lambda check: lines.get((check.metric.id, check.facet), 0),
        [waiver.line for waiver in result.waivers],
        has_lines=not result.has_no_spec_file,
        joint=result.subgroups.to_cells() if result.subgroups else None,
        search_line=result.subgroups.line if result.subgroups else 0,
    )


def _comparison(record: ComparisonRecord) -> Comparison:
    earlier = record.earlier.to_tables() if record.earlier else None
    return Comparison(record.favored, record.disfavored, (), (), record.to_table(), earlier)


def _flips(result: Result) -> dict[str, list[Flips]]:
    found: dict[str, list[Flips]] = {}
    for check in result.checks:
        if check.flips is not None and check.facet is not None:
            found.setdefault(check.facet, []).append(check.flips.to_flips())
    return found
