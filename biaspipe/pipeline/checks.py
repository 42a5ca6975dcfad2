"""From evidence to checks: values, intervals, tests and verdicts, before waivers and baselines."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

from biaspipe.counts import Drawn, Flips, Table
from biaspipe.metrics import Metric, Needs, Value
from biaspipe.pipeline.evidence import Evidence, MetricInput, judged
from biaspipe.pipeline.intervals import Estimates
from biaspipe.pipeline.records import people_in
from biaspipe.pipeline.simpson import simpson
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import CheckRecord, DrawnRecord, FlipsRecord, ParityRecord, StratumLeftOut
from biaspipe.statistics import parity_test
from biaspipe.verdict import judge, percent

__all__ = ["check_records", "sentence"]

ENCODING = (
    "numbers as scaled; text and booleans as categories, where a mismatch counts as a distance"
    " of 1; Euclidean; all rows tied at the k-th distance vote, a draw is no flip"
)


def check_records(evidence: Evidence, estimates: Estimates) -> Iterator[CheckRecord]:
    """Compute and judge every check of an audit, in its order."""
    for planned, proof, comparison in judged(evidence):
        yield _check(evidence, estimates, planned, proof, comparison)


def _check(
    evidence: Evidence,
    estimates: Estimates,
    planned: PlannedCheck,
    proof: MetricInput,
    comparison: Comparison | None,
) -> CheckRecord:
    metric, parameters = planned.metric, planned.check.parameters(planned.metric)
    arithmetic = {} if isinstance(proof, Flips) else parameters
    value = metric(proof, **arithmetic)
    interval = estimates.interval(metric, proof, value, arithmetic)
    verdict, undecided = judge(
        value,
        planned.check,
        evidence.audit.rules,
        ends=interval.ends if interval else None,
        lacking=evidence.lacking(planned, proof, comparison),
    )
    return CheckRecord(
        metric=metric.id,
        name=metric.name,
        facet=planned.facet,
        favored=comparison.favored if comparison else None,
        disfavored=comparison.disfavored if comparison else None,
        value=value.number,
        status=value.status,
        sign=value.sign,
        reason=value.reason or undecided,
        parameters=parameters or None,
        limits=_limits(planned),
        interval=interval,
        parity=_parity(metric, proof),
        verdict=verdict,
        sentence=sentence(planned, value, comparison),
        note=_note(planned.metric, proof, value),
        line=evidence.line(planned),
        flips=_flips(proof) if isinstance(proof, Flips) else None,
        strata_left_out=_strata(metric, proof, "left_out"),
        strata_of_one_group=_strata(metric, proof, "of_one_group") or None,
    )


def _limits(planned: PlannedCheck) -> dict[str, Any]:
    warn = planned.check.warn
    limits: dict[str, Any] = dict(planned.check.bounds)
    return {**limits, "warn": warn.bounds} if warn and warn.bounds else limits


def _parity(metric: Metric, proof: MetricInput) -> ParityRecord | None:
    test = parity_test(metric, proof) if isinstance(proof, Table) else None
    return ParityRecord(p_value=test.p_value, test=test.method) if test else None


def sentence(planned: PlannedCheck, value: Value, comparison: Comparison | None) -> str:
    """Say in words what a value means."""
    names = (comparison.favored, comparison.disfavored) if comparison else ("", "")
    number, metric, warn = value.extended, planned.metric, planned.check.warn
    if number is None:
        between = f" between {names[0]} and {names[1]}" if comparison else ""
        return f"{metric.name}{between} has no value: {value.reason}"
    bounds = [*planned.check.bounds.values(), *(warn.bounds.values() if warn else ())]
    return metric.says(number, *names, apart=bounds)


def _note(metric: Metric, proof: MetricInput, value: Value) -> str | None:
    """Return what makes a verdict worth less than it looks."""
    if Needs.STRATA not in metric.needs or not isinstance(proof, Table):
        return None
    notes = [*simpson(metric, proof, value.number), *_diluted(metric, proof, value.number)]
    return "; ".join(notes) or None


def _diluted(metric: Metric, table: Table, value: float | None) -> Iterator[str]:
    """Say what strata of one group do to a conditional disparity: they count as none."""
    strata = table.strata_by_part(predicted=Needs.PREDICTED in metric.needs)
    if value is None or not strata.of_one_group:
        return
    within = Table(table.favored, table.disfavored, strata.comparable)
    people = sum(g.n for s in strata.of_one_group for g in s.sides)
    share = percent(Fraction(people) / (table.favored.n + table.disfavored.n))
    yield (
        f"{share} of the people are in strata of one group, which count as no disparity; without"
        f" them the value is {metric(within).number:+.3g}"
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
        drawn=_drawn(flips.drawn) if flips.drawn else None,
    )


def _drawn(drawn: Drawn) -> DrawnRecord:
    (unfavorable, favorable), (few, some) = drawn.people, drawn.members
    return DrawnRecord(
        sample=drawn.sample,
        seed=drawn.seed,
        unfavorable=(unfavorable, few),
        favorable=(favorable, some),
    )


def _strata(
    metric: Metric, proof: MetricInput, part: Literal["left_out", "of_one_group"]
) -> tuple[StratumLeftOut, ...] | None:
    """Return the strata that a conditional disparity says nothing about, or nothing else."""
    if Needs.STRATA not in metric.needs or not isinstance(proof, Table):
        return None
    strata = proof.strata_by_part(predicted=Needs.PREDICTED in metric.needs)
    return tuple(
        StratumLeftOut(
            stratum=stratum.name,
            rows=sum(g.rows for g in stratum.sides),
            n=people_in(sum(g.n for g in stratum.sides)),
        )
        for stratum in getattr(strata, part)
    )
