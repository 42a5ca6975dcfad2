"""From evidence to checks: values, intervals, tests and verdicts, before waivers and baselines."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from biaspipe.counts import Flips, Table
from biaspipe.metrics import Metric, Needs, Value
from biaspipe.metrics.digits import SIGNIFICANT, digits_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.metrics.sizes import size_names, size_text
from biaspipe.pipeline.evidence import CheckInput, Evidence, MetricInput
from biaspipe.pipeline.families import Estimated, simultaneous_intervals
from biaspipe.pipeline.intervals import Estimates
from biaspipe.plan import PlannedCheck
from biaspipe.report import (
    CheckRecord,
    FlipsRecord,
    IntervalRecord,
    LimitsRecord,
    ParityRecord,
    SimultaneousRecord,
    StratumLeftOut,
)
from biaspipe.report.counts import people_number
from biaspipe.statistics import parity_test, strata_effect, unstratified
from biaspipe.verdict import Verdict, judge, percent

__all__ = ["check_records", "sentence", "undecided"]

NOTABLE = 0.05
"""How far the disparity within strata may be from the one over all before a report says so."""

MOVED = (
    "the interval's method failed on these counts: its ends did not hold the value, and the nearer"
    " one was moved to it"
)


def check_records(evidence: Evidence, estimates: Estimates) -> Iterator[CheckRecord]:
    """Compute and judge every check of an audit, in its order.

    Parameters
    ----------
    evidence : what the checks are computed from.
    estimates : the intervals of the audit.
    """
    found = [_estimated(evidence, estimates, check) for check in evidence.inputs()]
    decisive = simultaneous_intervals(evidence, estimates, found)
    return (_check(evidence, *pair) for pair in zip(found, decisive, strict=True))


def _estimated(evidence: Evidence, estimates: Estimates, check: CheckInput) -> Estimated:
    metric, counts = check.planned.metric, check.counts
    arithmetic = {} if isinstance(counts, Flips) else check.planned.check.parameters(metric)
    value = metric(counts, **arithmetic)
    interval = estimates.interval(metric, counts, value, arithmetic)
    return Estimated(check, value, arithmetic, interval, evidence.shortage(check))


def _check(
    evidence: Evidence, found: Estimated, simultaneous: SimultaneousRecord | None
) -> CheckRecord:
    check, value, _, interval, lacking = found
    planned, counts, comparison = check
    metric, parameters = planned.metric, planned.check.parameters(planned.metric)
    deciding = simultaneous or interval
    verdict, reason = judge(
        value,
        planned.check,
        evidence.audit.rules,
        ends=deciding.ends if deciding else None,
        over=simultaneous.words if simultaneous else None,
        lacking=lacking,
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
        reason=value.reason or reason,
        parameters=parameters or None,
        limits=_limits(planned),
        interval=interval,
        simultaneous=simultaneous,
        parity=_parity(planned, counts),
        verdict=verdict,
        sentence=sentence(check, value, evidence.phrases, deciding),
        note=_note(metric, counts, value, interval, evidence.audit.rules.confidence),
        line=evidence.line(planned),
        spec_key=evidence.spec_key(planned.loc),
        flips=FlipsRecord.of(counts) if isinstance(counts, Flips) else None,
        strata_left_out=_strata(metric, counts, "left_out"),
        strata_of_one_group=_strata(metric, counts, "of_one_group") or None,
    )


def _limits(planned: PlannedCheck) -> LimitsRecord:
    warn = planned.check.warn
    warned = {"warn": warn.bounds} if warn and warn.bounds else {}
    impact = planned.check.impact
    asked = {"impact": impact.model_dump(exclude_defaults=True)} if impact else {}
    return LimitsRecord.model_validate({**planned.check.bounds, **warned, **asked})


def _parity(planned: PlannedCheck, counts: MetricInput) -> ParityRecord | None:
    """Test parity; where adverse impact is judged exactly, since significance may decide that."""
    test = parity_test(planned.metric, counts, exact=planned.check.impact is not None)
    return ParityRecord(p_value=test.p_value, test=test.method) if test else None


def sentence(
    check: CheckInput, value: Value, phrases: Phrases, interval: IntervalRecord | None
) -> str:
    """Say in words what a value means, or why there is none.

    Parameters
    ----------
    check : the check, with the names of its groups.
    value : its value.
    phrases : how the outcomes are named.
    interval : the one that decides; where parity lies in it, the value may be chance.
    """
    metric, rules = check.planned.metric, check.planned.check
    if value.extended is None:
        between = " between {} and {}".format(*check.sides) if check.comparison else ""
        return f"{metric.name}{between} has no value: {_lacking(check, value, phrases)}"
    bounds = [*rules.bounds.values(), *(rules.warn.bounds.values() if rules.warn else ())]
    words = metric.says(value.extended, *check.sides, apart=bounds, phrases=phrases)
    if interval is None or value.extended == metric.ideal:
        return words
    low, high = interval.ends
    return f"{words}, which may be chance" if low <= metric.ideal <= high else words


def _lacking(check: CheckInput, value: Value, phrases: Phrases) -> str:
    """Say why there is no value: whom there would have to be, where that is the reason."""
    name = str(value.reason).partition(" = 0: ")[0]
    if name not in size_names(check.planned.metric):
        return str(value.reason)
    return size_text(name, "no", check.sides, phrases)


def undecided(check: CheckRecord) -> CheckRecord:
    """Return a check with a sentence that states no finding, where nothing could be decided.

    Parameters
    ----------
    check : a check that was judged by its limits and by its baseline.
    """
    if check.verdict is not Verdict.UNDECIDED or check.extended is None:
        return check
    about = f" about {check.disfavored} against {check.favored}" if check.facet else ""
    seen = digits_text(check.extended, SIGNIFICANT, check.limits.all_bounds)
    words = f"nothing is decided{about}: {check.reason}; the value seen is {seen}"
    return check.model_copy(update={"sentence": words})


def _note(
    metric: Metric,
    counts: MetricInput,
    value: Value,
    interval: IntervalRecord | None,
    confidence: float,
) -> str | None:
    """Return the reasons for which a verdict is worth less than it looks."""
    notes = [MOVED] if interval and interval.clamped else []
    if Needs.STRATA in metric.needs and isinstance(counts, Table):
        notes += _simpson(metric, counts, value.number, confidence)
        notes += _strata_of_one_group(metric, counts)
    return "; ".join(notes) or None


def _simpson(
    metric: Metric, table: Table, within: float | None, confidence: float
) -> Iterator[str]:
    """Say where a conditional disparity and the unconditional one do not tell the same."""
    over = metric(unstratified(table)).number
    if within is None or over is None:
        return
    effect = strata_effect(table, metric, confidence)
    if not effect.is_certain:
        return
    texts = digits_text(over, sign="+"), digits_text(within, sign="+")
    numbers = "the disparity is {} over all people and {} within strata".format(*texts)
    if effect.is_reversed:
        yield f"Simpson's paradox: {numbers}, so that it changes its sign"
    elif within * over < 0:
        yield f"near Simpson's paradox: {numbers}, where there may be none"
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
