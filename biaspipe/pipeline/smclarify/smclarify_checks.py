"""Checks whose values are smclarify's, each with the documented value beside it."""

from collections.abc import Mapping, Sequence
from math import isclose, prod

from biaspipe.metrics import Value
from biaspipe.pipeline.check_records import sentence
from biaspipe.pipeline.evidence import CheckInput, Evidence
from biaspipe.pipeline.smclarify.reasons import DifferenceReasons
from biaspipe.report import CheckRecord, CompatNote, CompatRecord, LedgerRecord
from biaspipe.smclarify import differences_of
from biaspipe.verdict import judge

__all__ = ["smclarify_checks"]

ALIKE = 1e-9
"""Relative difference up to which two values are the same but for rounding."""

NOTE = "smclarify's value is not the documented one, so it has no interval and no test of parity"


def smclarify_checks(
    evidence: Evidence,
    checks: Sequence[CheckRecord],
    record: CompatRecord,
    ledgers: Mapping[str, LedgerRecord],
) -> list[CheckRecord]:
    """Put smclarify's values in the place of the documented ones, where it has the metric.

    Parameters
    ----------
    evidence : what the documented values were computed from, and what smclarify counts.
    checks : the documented ones.
    record : how smclarify reads the data.
    ledgers : what became of the rows, by facet.
    """
    counts = evidence.smclarify_counts
    if counts is None:
        return list(checks)
    reasons = DifferenceReasons(evidence.audit, counts, record, ledgers)
    computed = []
    for check, check_input in zip(checks, evidence.inputs(), strict=True):
        planned, _, comparison = check_input
        value = counts.value(planned.metric, check.facet, check.disfavored)
        if value is None:
            computed.append(check)
            continue
        why = reasons.ids(check, comparison.table if comparison else None)
        computed.append(_check(check, value, _note(check, value, why), evidence, check_input))
    return computed


def _check(
    check: CheckRecord,
    value: Value,
    note: CompatNote,
    evidence: Evidence,
    check_input: CheckInput,
) -> CheckRecord:
    planned = check_input.planned
    rules, shortage = evidence.audit.rules, evidence.shortage(check_input)
    verdict, undecided = judge(value, planned.check, rules, lacking=shortage)
    sign = prod(difference.sign for difference in differences_of(check.metric))
    turned = Value.of(-value.number) if sign < 0 and value.number else value
    interval = None if note.differs else check.deciding
    update: dict[str, object] = {
        "value": value.number,
        "status": value.status,
        "sign": value.sign,
        "reason": value.reason or undecided,
        "verdict": verdict,
        "sentence": sentence(check_input, turned, evidence.phrases, interval),
        "compat": note,
        "strata_left_out": None,
        "strata_of_one_group": None,
    }
    if note.differs:
        update |= {"interval": None, "simultaneous": None, "parity": None}
        lost = NOTE if check.interval or check.parity else None
        update["note"] = "; ".join(filter(None, (check.note, lost))) or None
    return check.model_copy(update=update)


def _note(check: CheckRecord, value: Value, why: tuple[str, ...]) -> CompatNote:
    alike = value.status == check.status and value.sign == check.sign
    difference = None
    if value.number is not None and check.value is not None:
        alike = isclose(value.number, check.value, rel_tol=ALIKE, abs_tol=ALIKE)
        difference = value.number - check.value
    return CompatNote(
        value=check.value,
        status=check.status,
        sign=check.sign,
        reason=None if check.status == "ok" else check.reason,
        differs=not alike,
        difference=difference,
        why=() if alike else why,
    )
