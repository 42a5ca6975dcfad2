"""From evidence to checks: values, intervals, tests and verdicts, before waivers and baselines."""

from collections.abc import Iterator
from typing import Any

from biaspipe.counts import Drawn, Flips, Table
from biaspipe.metrics import Metric, Needs, Value
from biaspipe.pipeline.evidence import Evidence, Proof, judged
from biaspipe.pipeline.intervals import Estimates
from biaspipe.pipeline.records import people_in
from biaspipe.pipeline.simpson import simpson
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import CheckRecord, DrawnRecord, FlipsRecord, ParityRecord, StratumLeftOut
from biaspipe.statistics import parity_test
from biaspipe.verdict import judge, too_few

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
    proof: Proof,
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
        lacking=too_few(metric, proof, evidence.audit.rules.min_rows),
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
        strata_left_out=_left_out(metric, proof),
    )


def _limits(planned: PlannedCheck) -> dict[str, Any]:
    warn = planned.check.warn
    limits: dict[str, Any] = dict(planned.check.bounds)
    return {**limits, "warn": warn.bounds} if warn and warn.bounds else limits


def _parity(metric: Metric, proof: Proof) -> ParityRecord | None:
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


def _note(metric: Metric, proof: Proof, value: Value) -> str | None:
    """Return what makes a verdict worth less than it looks."""
    if Needs.STRATA in metric.needs and isinstance(proof, Table):
        return "; ".join(simpson(metric, proof, value.number)) or None
    return None


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


def _left_out(metric: Metric, proof: Proof) -> tuple[StratumLeftOut, ...] | None:
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
            left.append(StratumLeftOut(stratum=stratum.name, rows=rows, n=people_in(n)))
    return tuple(left)
