"""From evidence to checks: values, intervals, tests and verdicts, before waivers and baselines."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from biaspipe.counts import Flips, Stratum, Table
from biaspipe.metrics import Metric, Needs, Value
from biaspipe.metrics.digits import digits_text
from biaspipe.pipeline.evidence import CheckInput, Evidence, MetricInput
from biaspipe.pipeline.intervals import Estimates
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import CheckRecord, FlipsRecord, LimitsRecord, ParityRecord, StratumLeftOut
from biaspipe.report.counts import people_number
from biaspipe.statistics import parity_test
from biaspipe.verdict import judge, percent

__all__ = ["check_records", "sentence"]

NOTABLE = 0.05
"""How far the disparity within strata may be from the one over all before a report says so."""


def check_records(evidence: Evidence, estimates: Estimates) -> Iterator[CheckRecord]:
    """Compute and judge every check of an audit, in its order.

    Parameters
    ----------
    evidence : what the checks are computed from.
    estimates : the intervals of the audit.
    """
    return (_check(evidence, estimates, check) for check in evidence.inputs())


def _check(evidence: Evidence, estimates: Estimates, check: CheckInput) -> CheckRecord:
    planned, counts, comparison = check
    metric, parameters = planned.metric, planned.check.parameters(planned.metric)
    arithmetic = {} if isinstance(counts, Flips) else parameters
    value = metric(counts, **arithmetic)
    interval = estimates.interval(metric, counts, value, arithmetic)
    verdict, undecided = judge(
        value,
        planned.check,
        evidence.audit.rules,
        ends=interval.ends if interval else None,
        lacking=evidence.shortage(check),
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
        parity=_parity(metric, counts),
        verdict=verdict,
        sentence=sentence(planned, value, comparison),
        note=_note(metric, counts, value),
        line=evidence.line(planned),
        flips=FlipsRecord.of(counts) if isinstance(counts, Flips) else None,
        strata_left_out=_strata(metric, counts, "left_out"),
        strata_of_one_group=_strata(metric, counts, "of_one_group") or None,
    )


def _limits(planned: PlannedCheck) -> LimitsRecord:
    warn = planned.check.warn
    warned = {"warn": warn.bounds} if warn and warn.bounds else {}
    return LimitsRecord.model_validate({**planned.check.bounds, **warned})


def _parity(metric: Metric, counts: MetricInput) -> ParityRecord | None:
    test = parity_test(metric, counts) if isinstance(counts, Table) else None
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


def _note(metric: Metric, counts: MetricInput, value: Value) -> str | None:
    """Return the reasons for which a verdict is worth less than it looks."""
    if Needs.STRATA not in metric.needs or not isinstance(counts, Table):
        return None
    notes = [*_simpson(metric, counts, value.number)]
    notes += _strata_of_one_group(metric, counts)
    return "; ".join(notes) or None


def _simpson(metric: Metric, table: Table, within: float | None) -> Iterator[str]:
    """Say where a conditional disparity and the unconditional one do not tell the same."""
    whole = Table(table.favored, table.disfavored, (Stratum("", table.favored, table.disfavored),))
    over = metric(whole).number
    if within is None or over is None:
        return
    texts = digits_text(over, sign="+"), digits_text(within, sign="+")
    numbers = "the disparity is {} over all people and {} within strata".format(*texts)
    if within * over < 0:
        yield f"Simpson's paradox: {numbers}, so that it changes its sign"
    elif abs(within - over) > NOTABLE:
        yield f"the disparity depends on the strata: {numbers}, more than {NOTABLE:g} apart"


def _strata_of_one_group(metric: Metric, table: Table) -> Iterator[str]:
    """Say what strata of one group do to a conditional disparity: they count as none."""
    strata = table.strata_by_part(predicted=Needs.PREDICTED in metric.needs)
    if not strata.of_one_group:
        return
    within = metric(Table(table.favored, table.disfavored, strata.comparable)).number
    if within is None:
        return
    people = sum(g.n for s in strata.of_one_group for g in s.sides)
    share = percent(Fraction(people) / (table.favored.n + table.disfavored.n))
    yield (
        f"{share} of the people are in strata of one group, which count as no disparity; without"
        f" them the value is {digits_text(within, sign='+')}"
    )


def _strata(
    metric: Metric, counts: MetricInput, part: Literal["left_out", "of_one_group"]
) -> tuple[StratumLeftOut, ...] | None:
    """Return the strata that a conditional disparity says nothing about, or nothing else."""
    if Needs.STRATA not in metric.needs or not isinstance(counts, Table):
        return None
    strata = counts.strata_by_part(predicted=Needs.PREDICTED in metric.needs)
    return tuple(
        StratumLeftOut(
            stratum=stratum.name,
            rows=sum(g.rows for g in stratum.sides),
            n=people_number(sum(g.n for g in stratum.sides)),
        )
        for stratum in getattr(strata, part)
    )
