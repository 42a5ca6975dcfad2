"""From counts to the records of a report: groups, comparisons, facets, the data."""

from collections.abc import Sequence
from fractions import Fraction

from biaspipe.counts import Counts
from biaspipe.metrics import Rate, label_rate, selection_rate
from biaspipe.metrics.phrases import Phrases
from biaspipe.pipeline.column_records import column_records
from biaspipe.pipeline.evidence import Evidence
from biaspipe.pipeline.group_rates import with_rates
from biaspipe.pipeline.intervals import Estimates
from biaspipe.plan import ColumnSides, Comparison, FacetTables
from biaspipe.printable_text import escape
from biaspipe.report import (
    ComparisonRecord,
    DataRecord,
    EarlierRecord,
    FacetGroupRecord,
    FacetRecord,
    GroupRecord,
    InputRecord,
    JoinRecord,
    LedgerRecord,
    OutcomesRecord,
    PeopleRecord,
)
from biaspipe.report.counts import effective_people, people_number, sides_of, strata_of
from biaspipe.sources.files import InputFile
from biaspipe.spec import Audit
from biaspipe.verdict import percent

__all__ = ["data_record", "facet_records", "group_records"]

MAX_APART = Fraction(1, 10)
"""How far the shares lost by two sides may be apart before a report warns of it."""


def facet_records(evidence: Evidence, estimates: Estimates) -> tuple[FacetRecord, ...]:
    """Write every facet with its groups and its comparisons.

    Parameters
    ----------
    evidence : the groups and the comparisons of every facet.
    estimates : the intervals of the comparisons.
    """
    both = {f for f in evidence.comparisons if {label_rate, selection_rate} <= _rates(evidence, f)}
    return tuple(
        FacetRecord(
            facet=facet,
            groups=tuple(with_rates(g, evidence.audit) for g in evidence.groups[facet]),
            comparisons=tuple(
                _comparison(c, evidence, estimates if facet in both else None) for c in comparisons
            ),
        )
        for facet, comparisons in evidence.comparisons.items()
    )


def _rates(evidence: Evidence, facet: str) -> set[Rate | None]:
    """Return the rates that the checks of a facet compare."""
    return {check.metric.rate for check in evidence.checks if check.facet == facet}


def _comparison(
    comparison: Comparison, evidence: Evidence, estimates: Estimates | None
) -> ComparisonRecord:
    table, audit = comparison.table, evidence.audit
    return ComparisonRecord(
        favored=comparison.favored,
        disfavored=comparison.disfavored,
        counts=sides_of(table, audit),
        strata=strata_of(table, audit),
        model_bias=estimates.model_bias(comparison) if estimates else None,
        warning=_warning(comparison, evidence),
        earlier=_earlier(comparison, audit),
    )


def _earlier(comparison: Comparison, audit: Audit) -> EarlierRecord | None:
    """Write the people of a comparison by an earlier prediction, where that was counted."""
    if comparison.earlier is None:
        return None
    favorable, unfavorable = (
        PeopleRecord(
            counts=sides_of(table, audit, categories=False), strata=strata_of(table, audit)
        )
        for table in comparison.earlier
    )
    return EarlierRecord(favorable=favorable, unfavorable=unfavorable)


def _warning(comparison: Comparison, evidence: Evidence) -> str | None:
    """Warn of people who were lost unequally, and of outcomes that do not differ."""
    lost = _unequal_loss(comparison) if evidence.audit.rules.max_missing is None else None
    alike = _one_outcome(comparison, evidence.phrases)
    return "; ".join(filter(None, (lost, alike))) or None


def _one_outcome(comparison: Comparison, phrases: Phrases) -> str | None:
    """Warn where everybody who is compared has one outcome, so that parity says nothing."""
    sides = (comparison.table.favored, comparison.table.disfavored)
    people = sum(side.n for side in sides)
    names = f"{comparison.favored} and {comparison.disfavored}"
    for words, yes, no in (
        (phrases.holding, "positives", "negatives"),
        (f"who are {phrases.predicted}", "predicted_positives", "predicted_negatives"),
    ):
        for share, counted in (("100%", yes), ("0%", no)):
            if people and sum(getattr(side, counted) for side in sides) == people:
                return f"of {names}, the share {words} is {share}"
    return None


def _unequal_loss(comparison: Comparison) -> str | None:
    """Warn where one side lost a much larger share of its people than the other."""
    a, d = (g.missing_share for g in (comparison.table.favored, comparison.table.disfavored))
    if abs(a - d) <= MAX_APART:
        return None
    shares = f"{percent(a)} of {comparison.favored} and {percent(d)} of {comparison.disfavored}"
    return f"{shares} lack label or prediction, so that who is compared is not who there is"


def group_records(table: FacetTables, audit: Audit) -> tuple[FacetGroupRecord, ...]:
    """Return every group of a facet, counted: the part that it plays, and who takes no part."""
    weighted = audit.columns.weighting is not None
    return tuple(
        FacetGroupRecord(
            group=group.name,
            rows=group.rows,
            n=people_number(group.n) if weighted else None,
            label_missing=group.label_missing,
            prediction_missing=group.prediction_missing,
            missing=people_number(group.missing) if weighted else None,
            unmatched=group.unmatched or None,
            part=group.part,
            effective=effective_people(group.counts) if group.counts else None,
            counts=OutcomesRecord.counted(group.counts, audit) if group.counts else None,
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
    """Return the inputs, where every row went, and how each value was counted."""
    joins = tuple(
        JoinRecord(path=", ".join(join.places), on=join.on, unmatched=unmatched)
        for join, unmatched in zip(audit.data.join, counts.unmatched, strict=True)
    )
    return DataRecord(
        rows=counts.rows,
        inputs=tuple(
            InputRecord(path=escape(i.path), bytes=i.bytes, sha256=i.sha256) for i in inputs
        ),
        joins=joins or None,
        ledger={t.facet: LedgerRecord(**t.ledger) for t in tables},
        everyone=GroupRecord.of(tables[0].everyone, audit),
        counted_as=column_records(columns),
    )
