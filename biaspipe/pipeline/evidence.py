"""What values are computed from: the tables and flips of every comparison, counted or recovered."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from biaspipe.counts import Drawn, Flips, Group, Headcount, Outcome, Stratum, Table
from biaspipe.metrics import Needs
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import (
    ComparedRecord,
    ComparisonRecord,
    DrawnRecord,
    FacetGroupRecord,
    FlipsRecord,
    GroupRecord,
    Result,
)
from biaspipe.smclarify import SmclarifyCounts
from biaspipe.spec import Audit
from biaspipe.verdict import too_few, too_many_missing

__all__ = ["CELLS", "Evidence", "MetricInput", "group_in", "judged", "recovered", "table_in"]

CELLS: dict[str, tuple[Outcome, Outcome]] = {
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
    second : the second count, where another tool's arithmetic is asked for.
    """

    audit: Audit
    checks: Sequence[PlannedCheck]
    comparisons: Mapping[str, Sequence[Comparison]]
    flips: Mapping[str, Sequence[Flips]]
    groups: Mapping[str, Sequence[FacetGroupRecord]]
    everyone: Group
    line: Callable[[PlannedCheck], int]
    waiver_lines: Sequence[int]
    second: SmclarifyCounts | None = None

    def lacking(
        self, planned: PlannedCheck, proof: "MetricInput", comparison: Comparison | None
    ) -> str | None:
        """Say who is lacking for a decision, or was lost on the way to it; None if nobody is.

        Parameters
        ----------
        planned : the check.
        proof : what it is computed from.
        comparison : the groups; None for a metric without a facet.
        """
        rules = self.audit.rules
        if lacking := too_few(planned.metric, proof, rules.min_rows):
            return lacking
        if comparison is None or planned.facet is None:
            return too_many_missing([("all people", self.everyone)], NOBODY, rules.max_missing)
        table = comparison.table
        sides = ((comparison.favored, table.favored), (comparison.disfavored, table.disfavored))
        return too_many_missing(sides, self._unplaced[planned.facet], rules.max_missing)

    @cached_property
    def _unplaced(self) -> dict[str, Fraction]:
        """For each facet, the share of all people who have no value of it."""
        return {facet: _unplaced(groups) for facet, groups in self.groups.items()}


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
        group_in(result.data.everyone, ""),
        lambda check: lines.get((check.metric.id, check.facet), 0),
        [waiver.line for waiver in result.waivers],
    )


def _comparison(record: ComparisonRecord) -> Comparison:
    return Comparison(record.favored, record.disfavored, (), (), table_in(record))


NOBODY = Fraction(0)


def _unplaced(groups: Sequence[FacetGroupRecord]) -> Fraction:
    """Return the share of all people who have no value of a facet."""
    missing = [group for group in groups if group.part == "missing"]
    people = sum(_all_of(group) for group in groups)
    return Fraction(sum(map(_all_of, missing))) / people if people else NOBODY


def _all_of(group: FacetGroupRecord) -> Headcount:
    """Count the people of a group, those who take no part included."""
    here = group.rows if group.n is None else group.n
    return _people(here) + _people(group.lost_people)


def table_in(record: ComparisonRecord | ComparedRecord) -> Table:
    """Read the table of a comparison back from a report."""
    a, d = group_in(record.counts["favored"], "a"), group_in(record.counts["disfavored"], "d")
    strata = tuple(
        Stratum(s.stratum, group_in(s.favored, "a"), group_in(s.disfavored, "d"))
        for s in record.strata or ()
    )
    return Table(a, d, strata)


def group_in(record: GroupRecord, letter: str) -> Group:
    """Read the counts of a group back from a report."""
    counted = {name: getattr(record, name) for name in CELLS}
    cells = {CELLS[name]: _people(n) for name, n in counted.items() if n is not None}
    labels = {name: _people(n) for name, n in (record.labels or {}).items()}
    effective = None if record.effective is None else Fraction(record.effective)
    cells = cells or {(None, None): _people(record.n)}
    return Group(cells, labels, record.rows, letter, effective, _people(record.missing or 0))


def _people(n: float) -> Headcount:
    return n if isinstance(n, int) else Fraction(n)


def _flips(result: Result) -> dict[str, list[Flips]]:
    found: dict[str, list[Flips]] = {}
    for check in result.checks:
        if check.flips is not None and check.facet is not None:
            found.setdefault(check.facet, []).append(_counted(check.flips))
    return found


def _counted(record: FlipsRecord) -> Flips:
    return Flips(
        record.F_plus,
        record.F_minus,
        record.n_d,
        record.n_a,
        record.left_out,
        record.k,
        record.scaling,
        record.features,
        record.median_distance,
        _drawn(record.drawn) if record.drawn else None,
    )


def _drawn(record: DrawnRecord) -> Drawn:
    people, members = zip(record.unfavorable, record.favorable, strict=True)
    return Drawn(record.sample, record.seed, people, members)


MetricInput = Table | Group | Flips
"""What a metric is computed from."""


def judged(evidence: Evidence) -> Iterator[tuple[PlannedCheck, MetricInput, Comparison | None]]:
    """Yield every check of an audit with its evidence and its comparison, in order."""
    for planned in evidence.checks:
        if planned.facet is None:
            yield planned, evidence.everyone, None
            continue
        for i, comparison in enumerate(evidence.comparisons[planned.facet]):
            if Needs.FEATURES in planned.metric.needs:
                yield planned, evidence.flips[planned.facet][i], comparison
            else:
                yield planned, comparison.table, comparison
