"""From evidence to the result of a report; the same steps make it and recompute it."""

from collections.abc import Hashable
from dataclasses import dataclass

from biaspipe.metrics import METRICS, label_rate
from biaspipe.pipeline.baseline import Earlier, compared, key_of, regressed
from biaspipe.pipeline.baseline.changes import changes
from biaspipe.pipeline.checks import check_records
from biaspipe.pipeline.counted_as import noted
from biaspipe.pipeline.evidence import Evidence, judged
from biaspipe.pipeline.intervals import Estimates
from biaspipe.pipeline.records import facet_records
from biaspipe.pipeline.selection import within
from biaspipe.pipeline.smclarify import as_compat
from biaspipe.pipeline.smclarify.recount import compared_records
from biaspipe.pipeline.waivers import Waiving, waiver_records
from biaspipe.plan import not_computable
from biaspipe.report import (
    AuditRecord,
    BaselineRecord,
    CheckRecord,
    CompatRecord,
    DataRecord,
    DecisionRecord,
    ParityRecord,
    Result,
)
from biaspipe.spec import Audit
from biaspipe.statistics import adjusted
from biaspipe.verdict import overall, tally

__all__ = ["ResultInputs", "result_of"]


@dataclass(frozen=True)
class ResultInputs:
    """What a result takes as it is.

    Parameters
    ----------
    audit : the spec that was run.
    data : what was read.
    waiving : how waivers are judged.
    earlier : the baseline, if there is one.
    baseline : its record, without what is new and what vanished.
    compat : how another tool reads the data, where its arithmetic is asked for.
    select : the names that selected the checks; all of them without one.
    """

    audit: AuditRecord
    data: DataRecord
    waiving: Waiving
    earlier: Earlier | None = None
    baseline: BaselineRecord | None = None
    compat: CompatRecord | None = None
    select: tuple[str, ...] = ()


def result_of(evidence: Evidence, given: ResultInputs) -> Result:
    """Compute the values, intervals and verdicts of an audit.

    Parameters
    ----------
    evidence : tables and flips of every comparison, and the checks.
    given : what stands beside them.
    """
    audit, estimates = evidence.audit, Estimates(evidence.audit)
    documented = list(check_records(evidence, estimates))
    records = as_compat(evidence, documented, given.compat, given.data.ledger)
    checks, family = _corrected(records, audit)
    checks = _against_baseline(evidence, checks, given)
    checks = given.waiving.judged(checks, audit.waivers)
    facets = facet_records(evidence, estimates)
    if evidence.second is not None:
        facets = compared_records(facets, evidence.second, audit)
    verdicts = [check.verdict for check in checks]
    result = Result(
        audit=given.audit,
        data=given.data.model_copy(update={"counted_as": noted(given.data.counted_as, audit)}),
        facets=facets,
        checks=tuple(checks),
        decision=DecisionRecord(**audit.rules.model_dump(), family=family),
        compat=given.compat,
        waivers=waiver_records(audit.waivers, checks, given.waiving, evidence.waiver_lines),
        not_computed=not_computable(audit),
        tally=tally(verdicts),
        verdict=overall(verdicts, audit.rules.undecided),
    )
    if given.baseline is None:
        return result
    result = result.model_copy(update={"baseline": _changed(result, evidence, given)})
    return result.model_copy(update={"verdict": overall(result.verdicts, audit.rules.undecided)})


def _changed(result: Result, evidence: Evidence, given: ResultInputs) -> BaselineRecord | None:
    """Return the record of the baseline with what is new and what vanished since."""
    if given.baseline is None or given.earlier is None or given.earlier.result is None:
        return given.baseline
    named = evidence.audit.baseline
    allow = named.allowed if named else ()
    asked = within(evidence.audit, given.select)
    found = changes(result, given.earlier, allow, asked)
    return given.baseline.model_copy(update=found._asdict())


def _corrected(checks: list[CheckRecord], audit: Audit) -> tuple[list[CheckRecord], str | None]:
    """Correct the p-values for the number of tests; a test that several metrics share is one."""
    if audit.rules.correction == "none":
        return checks, None
    tests = {_test(check, check.parity): check.parity for check in checks if check.parity}
    p_values = adjusted([test.p_value for test in tests.values()], audit.rules.correction)
    known = dict(zip(tests, p_values, strict=True))
    corrected = [
        check.model_copy(
            update={
                "parity": check.parity.model_copy(
                    update={"adjusted": known[_test(check, check.parity)]}
                )
            }
        )
        if check.parity
        else check
        for check in checks
    ]
    return corrected, (
        f"the {len(tests)} tests of parity in this audit, where metrics of one rate on one"
        " comparison share a test"
    )


def _test(check: CheckRecord, parity: ParityRecord) -> Hashable:
    rate = METRICS[check.metric].rate or label_rate
    return (*key_of(check)[1:], rate, parity.test, parity.p_value)


def _against_baseline(
    evidence: Evidence, checks: list[CheckRecord], given: ResultInputs
) -> list[CheckRecord]:
    if given.earlier is None or given.baseline is None:
        return checks
    most = given.baseline.max_worsening
    told = []
    for check, (planned, proof, comparison) in zip(checks, judged(evidence), strict=True):
        was = given.earlier.was(check)
        lacking = evidence.lacking(planned, proof, comparison)
        told.append(regressed(check, compared(check, was, most), lacking) if was else check)
    return told
