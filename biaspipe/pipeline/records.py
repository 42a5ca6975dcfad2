"""From tables, values and verdicts to the records of a report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaspipe.counts import Counts, Flips, Group, Table
from biaspipe.engines import InputFile
from biaspipe.errors import Loc, printable
from biaspipe.metrics import Metric, Needs, Value, label_rate, selection_rate
from biaspipe.plan import Comparison, FacetTables, Plan, PlannedCheck
from biaspipe.report import (
    CheckRecord,
    ComparisonRecord,
    DataRecord,
    FacetRecord,
    FlipsRecord,
    GroupRecord,
    InputRecord,
    JoinRecord,
    LedgerRecord,
    StratumLeftOut,
    StratumRecord,
)
from biaspipe.verdict import idle, judge

__all__ = ["Evidence", "check_records", "data_record", "facet_record"]

ENCODING = (
    "numbers as scaled; text and booleans as categories, where a mismatch counts as a distance"
    " of 1; Euclidean; all rows tied at the k-th distance vote, a draw is no flip"
)


@dataclass(frozen=True)
class Evidence:
    """What values are computed from: the tables and flips of every comparison."""

    plan: Plan
    counts: Counts
    tables: Mapping[str, FacetTables]
    flips: Mapping[str, tuple[Flips, ...]]
    line: Callable[[Loc], int]

    @property
    def everyone(self) -> Group:
        """All people whose outcomes are known; every facet counts the same ones."""
        return next(iter(self.tables.values())).everyone


def group_record(group: Group, plan: Plan, *, categories: bool = True) -> GroupRecord:
    """Return a group's counts under the names that fit what the audit declares."""
    labels = dict(sorted(group.labels.items())) if categories and group.labels else None
    observed, predicted = plan.label is not None, plan.prediction is not None
    names: tuple[str, ...] = ()
    if observed and predicted:
        names = ("TP", "FP", "FN", "TN")
    elif observed:
        names = ("positives", "negatives")
    elif predicted:
        names = ("predicted_positives", "predicted_negatives")
    cells = {name: getattr(group, name) for name in names}
    return GroupRecord(
        rows=group.rows,
        n=group.n,
        labels=labels,
        label_rate=float(label_rate(group)) if observed and group.n else None,
        selection_rate=float(selection_rate(group)) if predicted and group.n else None,
        **cells,
    )


def facet_record(tables: FacetTables, plan: Plan) -> FacetRecord:
    """Return a facet's comparisons with their counts."""
    comparisons = tuple(_comparison(c, plan) for c in tables.comparisons)
    return FacetRecord(facet=tables.facet, comparisons=comparisons)


def _comparison(comparison: Comparison, plan: Plan) -> ComparisonRecord:
    table = comparison.table
    strata = tuple(
        StratumRecord(
            stratum=s.name,
            favored=group_record(s.favored, plan, categories=False),
            disfavored=group_record(s.disfavored, plan, categories=False),
        )
        for s in table.strata
    )
    return ComparisonRecord(
        favored=comparison.favored,
        disfavored=comparison.disfavored,
        counts={
            "favored": group_record(table.favored, plan),
            "disfavored": group_record(table.disfavored, plan),
        },
        strata=strata or None,
    )


def data_record(evidence: Evidence, inputs: Sequence[InputFile]) -> DataRecord:
    """Return what was read and what became of every row."""
    audit, counts, tables = evidence.plan.audit, evidence.counts, evidence.tables.values()
    joins = tuple(
        JoinRecord(path=", ".join(join.path), on=join.on, unmatched=unmatched)
        for join, unmatched in zip(audit.data.join, counts.unmatched, strict=True)
    )
    return DataRecord(
        rows=counts.rows,
        inputs=tuple(
            InputRecord(path=printable(i.path), bytes=i.bytes, sha256=i.sha256) for i in inputs
        ),
        joins=joins or None,
        ledger={t.facet: LedgerRecord(**t.ledger) for t in tables},
        everyone=group_record(evidence.everyone, evidence.plan),
    )


def check_records(evidence: Evidence) -> Iterator[CheckRecord]:
    """Compute and judge every check of a plan, in its order."""
    for planned in evidence.plan.checks:
        if planned.facet is None:
            yield _check(evidence, planned, evidence.everyone)
            continue
        tables = evidence.tables[planned.facet]
        for i, comparison in enumerate(tables.comparisons):
            proof: Table | Flips = comparison.table
            if Needs.FEATURES in planned.metric.needs:
                proof = evidence.flips[planned.facet][i]
            yield _check(evidence, planned, proof, comparison)


def _check(
    evidence: Evidence,
    planned: PlannedCheck,
    proof: Table | Group | Flips,
    comparison: Comparison | None = None,
) -> CheckRecord:
    metric, parameters = planned.metric, planned.check.parameters(planned.metric)
    flips = proof if isinstance(proof, Flips) else None
    value = metric(proof) if flips else metric(proof, **parameters)
    favored = comparison.favored if comparison else None
    disfavored = comparison.disfavored if comparison else None
    return CheckRecord(
        metric=metric.id,
        name=metric.name,
        facet=planned.facet,
        favored=favored,
        disfavored=disfavored,
        value=value.number,
        status=value.status,
        sign=value.sign,
        reason=value.reason,
        parameters=parameters or None,
        limits=_limits(planned),
        verdict=judge(value, planned.check),
        sentence=_sentence(planned, value, comparison),
        note=_note(planned),
        line=evidence.line(planned.loc),
        flips=_flips(flips) if flips else None,
        strata_left_out=_left_out(metric, proof),
    )


def _limits(planned: PlannedCheck) -> dict[str, Any]:
    warn = planned.check.warn
    limits: dict[str, Any] = dict(planned.check.bounds)
    return {**limits, "warn": warn.bounds} if warn and warn.bounds else limits


def _sentence(planned: PlannedCheck, value: Value, comparison: Comparison | None) -> str:
    names = (comparison.favored, comparison.disfavored) if comparison else ("", "")
    number, metric, warn = value.extended, planned.metric, planned.check.warn
    if number is None:
        between = f" between {names[0]} and {names[1]}" if comparison else ""
        return f"{metric.name}{between} has no value: {value.reason}"
    bounds = [*planned.check.bounds.values(), *(warn.bounds.values() if warn else ())]
    return metric.says(number, *names, apart=bounds)


def _note(planned: PlannedCheck) -> str | None:
    """Return what makes a verdict worth less than it looks."""
    if not idle(planned.metric, planned.check):
        return None
    low, high = planned.metric.range
    return (
        f"no value can break these limits: the range of {planned.metric.id} is {low:g} to {high:g}"
    )


def _flips(flips: Flips) -> FlipsRecord:
    return FlipsRecord(
        F_plus=flips.favorable,
        F_minus=flips.unfavorable,
        n_d=flips.disfavored,
        n_a=flips.favored,
        left_out=flips.left_out,
        k=flips.k,
        scaling=flips.scaling,
        encoding=ENCODING,
        features=flips.features,
        median_distance=flips.median_distance,
    )


def _left_out(metric: Metric, proof: Table | Group | Flips) -> tuple[StratumLeftOut, ...] | None:
    """Return the strata that a conditional disparity says nothing about."""
    if Needs.STRATA not in metric.needs or not isinstance(proof, Table):
        return None
    predicted = Needs.PREDICTED in metric.needs
    left = []
    for stratum in proof.strata:
        sides = (stratum.favored, stratum.disfavored)
        yes = sum(g.predicted_positives if predicted else g.positives for g in sides)
        n = sum(g.n for g in sides)
        if yes in (0, n):
            rows = sum(g.rows for g in sides)
            left.append(StratumLeftOut(stratum=stratum.name, rows=rows, n=n))
    return tuple(left)
