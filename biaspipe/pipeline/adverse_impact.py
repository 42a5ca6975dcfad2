"""Adverse impact: a ratio of selection rates, its significance, and the move of one selection."""

from collections.abc import Iterator, Sequence
from typing import Literal

from biaspipe.counts import Group, Headcount, Table
from biaspipe.metrics import selection_rate
from biaspipe.metrics.digits import LEAST_P, SIGNIFICANT, digits_text
from biaspipe.pipeline.evidence import CheckInput, Evidence
from biaspipe.pipeline.power_records import people_needed
from biaspipe.report import CheckRecord
from biaspipe.report.checks import ImpactRecord, SelectionRecord
from biaspipe.report.counts import people_number
from biaspipe.spec import Impact
from biaspipe.statistics import adverse_impact
from biaspipe.statistics.adverse_impact import multiple_for_flip, multiple_for_significance
from biaspipe.statistics.effective_size import effective_share
from biaspipe.statistics.parity import TESTS
from biaspipe.verdict import Verdict

__all__ = ["judged_by_impact"]

DIGITS = 10
SIGNIFICANT_THEN = "would make such a difference significant four times in five"
ROBUST_THEN = "of the same rates would let one selection moved not turn it round"
UNTOLD = "how many more people would make it significant after the correction is not known"
Ruled = Literal["pass", "fail", "undecided"]


def judged_by_impact(evidence: Evidence, checks: Sequence[CheckRecord]) -> list[CheckRecord]:
    """Judge checks, which are judged by their other limits, by their adverse impact too.

    Parameters
    ----------
    evidence : what they are computed from.
    checks : all checks of the evidence, in its order, with their tests of parity.
    """
    judged = []
    for check, check_input in zip(checks, evidence.inputs(), strict=True):
        impact, counts = check_input.planned.check.impact, check_input.counts
        if impact is None or not isinstance(counts, Table) or check.extended is None:
            judged.append(check)
            continue
        shortage = evidence.shortage(check_input)
        found = _judged(check, impact, counts, shortage)
        judged.append(found if shortage else _with_people(found, impact, counts, check_input))
    return judged


def _judged(check: CheckRecord, impact: Impact, table: Table, shortage: str | None) -> CheckRecord:
    record = _record(check, impact, table)
    if shortage:
        return check.model_copy(
            update={"impact": record.model_copy(update={"verdict": "undecided"})}
        )
    verdict = min(check.verdict, Verdict(record.verdict), key=lambda v: v.gravity)
    update: dict[str, object] = {"impact": record, "verdict": verdict}
    if record.verdict == "fail":
        found = ", ".join(_found(check, impact, record))
        update["sentence"] = f"{check.sentence}; this is adverse impact: {found}"
    elif record.verdict == "undecided":
        words = f"below {impact.min_ratio}, but {' and '.join(_lacking(check, impact, record))}"
        update["reason"] = f"{check.reason}; {words}" if check.reason else words
    elif record.significant and record.shortfall:
        words = f"not below {impact.min_ratio}, but {_p_text(check, impact, record)}"
        if record.shortfall < 0:
            words += f", to the disadvantage of {check.favored}"
        update["note"] = f"{check.note}; {words}" if check.note else words
    return check.model_copy(update=update)


def _with_people(
    check: CheckRecord, impact: Impact, table: Table, check_input: CheckInput
) -> CheckRecord:
    """Say how many people more would confirm a smaller rate that is undecided."""
    if check.impact is None or check.impact.verdict != "undecided":
        return check
    times = _times(check, impact, table)
    if times is None:
        return check.model_copy(update={"reason": f"{check.reason}; {UNTOLD}"})
    does = SIGNIFICANT_THEN if check.impact.significant is False else ROBUST_THEN
    people, words = people_needed(check_input, times, does=does)
    if people is None:
        return check
    update: dict[str, object] = {"reason": f"{check.reason}; {words}"}
    if check.power and check.power.people_needed is None:
        update["power"] = check.power.model_copy(update={"people_needed": people})
    return check.model_copy(update=update)


def _times(check: CheckRecord, impact: Impact, table: Table) -> float | None:
    """Return how many times as many people of the same rates it takes; None where untold."""
    shares = [effective_share(selection_rate, g) for g in (table.favored, table.disfavored)]
    a, d = shares
    rates, people = (a.part / a.whole, d.part / d.whole), (a.whole, d.whole)
    record, parity, times = check.impact, check.parity, [1.0]
    if record and record.survives_flip is False:
        times.append(multiple_for_flip(rates, people))
    if record and record.significant is False:
        asked = impact.significance or 0.0
        if parity and parity.adjusted is not None:
            if parity.adjusted >= 1:
                return None
            asked *= parity.p_value / parity.adjusted
        times.append(multiple_for_significance(rates, people, asked))
    return max(times)


def _record(check: CheckRecord, impact: Impact, table: Table) -> ImpactRecord:
    a, d = table.favored, table.disfavored
    (s_a, n_a), (s_d, n_d) = _selection(a), _selection(d)
    below = s_d * n_a < impact.least * s_a * n_d
    found, p_value = adverse_impact(table), _p_value(check)
    tested = impact.significance is not None
    significant = p_value is not None and p_value < (impact.significance or 0)
    survives = not (found.flip and found.flip.reverses)
    confirmed = (significant or not tested) and (survives or not impact.flip)
    ruled: Ruled = "pass" if not below else ("fail" if confirmed else "undecided")
    return ImpactRecord(
        verdict=ruled,
        below=below,
        significant=significant if tested else None,
        p_value=p_value if tested else None,
        survives_flip=survives if impact.flip else None,
        favored=_selected(a),
        disfavored=_selected(d),
        ratio_after_flip=found.flip.ratio if found.flip else None,
        shortfall=found.shortfall,
        fisher_p_value=_rounded(found.fisher),
        z=_rounded(found.z),
        z_p_value=_rounded(found.z_p_value),
        hypergeometric_sd=_rounded(found.hypergeometric),
        binomial_sd=_rounded(found.binomial),
    )


def _selection(group: Group) -> tuple[Headcount, Headcount]:
    return selection_rate.part(group), selection_rate.whole(group)


def _selected(group: Group) -> SelectionRecord:
    selected, applicants = map(people_number, _selection(group))
    return SelectionRecord(selected=selected, applicants=applicants)


def _p_value(check: CheckRecord) -> float | None:
    """Return the p-value that decides: the corrected one, where the audit corrects."""
    if check.parity is None:
        return None
    return check.parity.p_value if check.parity.adjusted is None else check.parity.adjusted


def _rounded(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.{DIGITS}g}")


def _found(check: CheckRecord, impact: Impact, record: ImpactRecord) -> Iterator[str]:
    """Yield what makes a smaller rate adverse impact."""
    yield f"below {impact.min_ratio}"
    if record.significant:
        yield _p_text(check, impact, record)
    if record.survives_flip:
        yield "and one selection moved does not turn it round"


def _lacking(check: CheckRecord, impact: Impact, record: ImpactRecord) -> Iterator[str]:
    """Yield what keeps a smaller rate from being adverse impact."""
    if record.significant is False:
        yield _p_text(check, impact, record)
    if record.survives_flip is False:
        yield "one selection moved turns it round"


def _p_text(check: CheckRecord, impact: Impact, record: ImpactRecord) -> str:
    """Say whether a difference is significant, by which p-value of which test."""
    word = "significant" if record.significant else "not significant"
    if record.p_value is None or check.parity is None:
        return f"{word} (no test)"
    least = impact.significance or 0.0
    number = digits_text(record.p_value, SIGNIFICANT, (least,))
    p = f"p < {LEAST_P}" if record.p_value < min(LEAST_P, least) else f"p = {number}"
    corrected = ", corrected" if check.parity.adjusted is not None else ""
    asked = "" if record.significant else f", where less than {least:g} is asked"
    return f"{word} ({p} by {TESTS[check.parity.test]}{corrected}{asked})"
