"""From counts to the records of a report: groups, comparisons, facets, the data."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from biaspipe.counts import Counts, Group, Headcount, Table
from biaspipe.errors import shown
from biaspipe.metrics import Rate, label_rate, selection_rate
from biaspipe.pipeline.counted_as import column_records
from biaspipe.pipeline.evidence import CELLS, Evidence
from biaspipe.pipeline.intervals import Estimates
from biaspipe.plan import ColumnSides, Comparison, FacetTables
from biaspipe.report import (
    ComparisonRecord,
    DataRecord,
    FacetGroupRecord,
    FacetRecord,
    GroupRecord,
    InputRecord,
    JoinRecord,
    LedgerRecord,
    People,
    StratumRecord,
)
from biaspipe.sources.files import InputFile
from biaspipe.spec import Audit
from biaspipe.verdict import percent

__all__ = [
    "data_record",
    "facet_records",
    "group_record",
    "group_records",
    "people_in",
    "side_records",
    "stratum_records",
]

MOST_APART = Fraction(1, 10)
"""How far the shares lost by two sides may be apart before a report warns of it."""

Sides = dict[Literal["favored", "disfavored"], GroupRecord]


def group_record(group: Group, audit: Audit, *, categories: bool = True) -> GroupRecord:
    """Return a group's counts under the names that fit what the audit declares."""
    observed, predicted = audit.columns.label, audit.columns.prediction
    labels = {name: people_in(n) for name, n in sorted(group.labels.items())} if categories else {}
    named = {
        n for n, (y, p) in CELLS.items() if (y is None, p is None) == (not observed, not predicted)
    }
    return GroupRecord(
        rows=group.rows,
        n=people_in(group.n),
        effective=None if group.effective is None else float(group.effective),
        missing=people_in(group.missing) or None,
        labels=labels or None,
        label_rate=float(group.positives / group.n) if observed and group.n else None,
        selection_rate=float(group.predicted_positives / group.n)
        if predicted and group.n
        else None,
        **{name: people_in(getattr(group, name)) for name in named},
    )


def people_in(n: Headcount) -> People:
    """Return a number of people as a report writes it."""
    return n if isinstance(n, int) else float(n)


def facet_records(evidence: Evidence, estimates: Estimates) -> tuple[FacetRecord, ...]:
    """Return every facet with its groups and its comparisons.

    Parameters
    ----------
    evidence : the groups and the comparisons of every facet.
    estimates : the intervals of the comparisons.
    """
    both = {f for f in evidence.comparisons if {label_rate, selection_rate} <= _rates(evidence, f)}
    return tuple(
        FacetRecord(
            facet=facet,
            groups=tuple(evidence.groups[facet]),
            comparisons=tuple(
                _comparison(c, evidence.audit, estimates if facet in both else None)
                for c in comparisons
            ),
        )
        for facet, comparisons in evidence.comparisons.items()
    )


def _rates(evidence: Evidence, facet: str) -> set[Rate | None]:
    """Return the rates that the checks of a facet compare."""
    return {check.metric.rate for check in evidence.checks if check.facet == facet}


def side_records(table: Table, audit: Audit, *, categories: bool = True) -> Sides:
    """Return the counts of both groups of a table."""
    return {
        "favored": group_record(table.favored, audit, categories=categories),
        "disfavored": group_record(table.disfavored, audit, categories=categories),
    }


def stratum_records(table: Table, audit: Audit) -> tuple[StratumRecord, ...] | None:
    """Return the counts of both groups in every stratum; None without strata."""
    strata = tuple(
        StratumRecord(
            stratum=s.name,
            favored=group_record(s.favored, audit, categories=False),
            disfavored=group_record(s.disfavored, audit, categories=False),
        )
        for s in table.strata
    )
    return strata or None


def _comparison(
    comparison: Comparison, audit: Audit, estimates: Estimates | None
) -> ComparisonRecord:
    table = comparison.table
    return ComparisonRecord(
        favored=comparison.favored,
        disfavored=comparison.disfavored,
        counts=side_records(table, audit),
        strata=stratum_records(table, audit),
        model_bias=estimates.model_bias(comparison) if estimates else None,
        warning=_warning(comparison, audit),
    )


def _warning(comparison: Comparison, audit: Audit) -> str | None:
    """Warn of people who were lost unequally, and of outcomes that do not differ."""
    lost = _lost(comparison) if audit.rules.max_missing is None else None
    return "; ".join(filter(None, (lost, _alike(comparison)))) or None


def _alike(comparison: Comparison) -> str | None:
    """Warn where everybody who is compared has one outcome, so that parity says nothing."""
    sides = (comparison.table.favored, comparison.table.disfavored)
    people = sum(side.n for side in sides)
    for words, yes, no in (
        ("label", "positives", "negatives"),
        ("prediction", "predicted_positives", "predicted_negatives"),
    ):
        for outcome, counted in (("positive", yes), ("negative", no)):
            if people and sum(getattr(side, counted) for side in sides) == people:
                names = f"{comparison.favored} and {comparison.disfavored}"
                return f"every {words} of {names} is {outcome}"
    return None


def _lost(comparison: Comparison) -> str | None:
    """Warn where one side lost a much larger share of its people than the other."""
    a, d = (g.missing_share for g in (comparison.table.favored, comparison.table.disfavored))
    if abs(a - d) <= MOST_APART:
        return None
    shares = f"{percent(a)} of {comparison.favored} and {percent(d)} of {comparison.disfavored}"
    return f"{shares} lack label or prediction, so that who is compared is not who there is"


def group_records(table: FacetTables, audit: Audit) -> tuple[FacetGroupRecord, ...]:
    """Return every group of a facet: the part that it plays, and who of it takes no part."""
    weighted = audit.columns.weighting is not None
    return tuple(
        FacetGroupRecord(
            group=group.name,
            rows=group.rows,
            n=people_in(group.n) if weighted else None,
            label_missing=group.label_missing,
            prediction_missing=group.prediction_missing,
            missing=people_in(group.missing) if weighted else None,
            unmatched=group.unmatched or None,
            part=group.part,
        )
        for group in table.groups
    )


def data_record(
    audit: Audit,
    counts: Counts,
    tables: Sequence[FacetTables],
    columns: Sequence[ColumnSides],
    inputs: Sequence[InputFile],
) -> DataRecord:
    """Return what was read, what became of every row, and what was counted as what."""
    joins = tuple(
        JoinRecord(path=", ".join(join.places), on=join.on, unmatched=unmatched)
        for join, unmatched in zip(audit.data.join, counts.unmatched, strict=True)
    )
    return DataRecord(
        rows=counts.rows,
        inputs=tuple(
            InputRecord(path=shown(i.path), bytes=i.bytes, sha256=i.sha256) for i in inputs
        ),
        joins=joins or None,
        ledger={t.facet: LedgerRecord(**t.ledger) for t in tables},
        everyone=group_record(tables[0].everyone, audit),
        counted_as=column_records(columns),
    )
