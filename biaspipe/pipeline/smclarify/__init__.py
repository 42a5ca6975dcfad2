"""Checks whose values are smclarify's, each with the documented value beside it."""

from collections.abc import Mapping, Sequence
from math import isclose

from biaspipe.metrics import Value
from biaspipe.pipeline.checks import sentence
from biaspipe.pipeline.evidence import Evidence, MetricInput, judged
from biaspipe.pipeline.smclarify.reasons import DifferenceReasons
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.report import CheckRecord, CompatNote, CompatRecord, LedgerRecord
from biaspipe.verdict import judge

__all__ = ["as_compat"]

ALIKE = 1e-9
"""Relative difference up to which two values are the same but for rounding."""

NOTE = "smclarify's value is not the documented one, so it has no interval and no test of parity"


def as_compat(
    evidence: Evidence,
    checks: Sequence[CheckRecord],
    record: CompatRecord | None,
    ledgers: Mapping[str, LedgerRecord],
) -> list[CheckRecord]:
    """Return the checks by another tool's arithmetic, where the spec asks for it.

    Parameters
    ----------
    evidence : what the documented values were computed from, and the second count.
    checks : the documented ones.
    record : how the other tool reads the data.
    ledgers : what became of the rows, by facet.
    """
    second = evidence.second
    if second is None or record is None:
        return list(checks)
    occurring = DifferenceReasons(evidence.audit, second, record, ledgers)
    told = []
    for check, (planned, proof, comparison) in zip(checks, judged(evidence), strict=True):
        own = second.value(planned.metric, check.facet, check.disfavored)
        if own is None:
            told.append(check)
            continue
        note = _note(check, own, occurring.ids(check, comparison.table if comparison else None))
        told.append(_check(check, own, note, evidence, (planned, proof, comparison)))
    return told


def _check(
    check: CheckRecord,
    own: Value,
    note: CompatNote,
    evidence: Evidence,
    judged_by: tuple[PlannedCheck, MetricInput, Comparison | None],
) -> CheckRecord:
    planned, proof, comparison = judged_by
    rules = evidence.audit.rules
    lacking = evidence.lacking(planned, proof, comparison)
    verdict, undecided = judge(own, planned.check, rules, lacking=lacking)
    turned = Value.of(-own.number) if check.metric == "FT" and own.number else own
    update: dict[str, object] = {
        "value": own.number,
        "status": own.status,
        "sign": own.sign,
        "reason": own.reason or undecided,
        "verdict": verdict,
        "sentence": sentence(planned, turned, comparison),
        "compat": note,
        "strata_left_out": None,
        "strata_of_one_group": None,
    }
    if note.differs:
        update |= {"interval": None, "parity": None}
        lost = NOTE if check.interval or check.parity else None
        update["note"] = "; ".join(filter(None, (check.note, lost))) or None
    return check.model_copy(update=update)


def _note(check: CheckRecord, own: Value, why: tuple[str, ...]) -> CompatNote:
    alike = own.status == check.status and own.sign == check.sign
    difference = None
    if own.number is not None and check.value is not None:
        alike = isclose(own.number, check.value, rel_tol=ALIKE, abs_tol=ALIKE)
        difference = own.number - check.value
    return CompatNote(
        value=check.value,
        status=check.status,
        sign=check.sign,
        reason=None if check.status == "ok" else check.reason,
        differs=not alike,
        difference=difference,
        why=() if alike else why,
    )
