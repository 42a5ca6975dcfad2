"""From evidence to the result of a report; the same steps make it and recompute it."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from biaspipe.metrics import METRICS, label_rate
from biaspipe.pipeline.adverse_impact import judged_by_impact
from biaspipe.pipeline.check_records import check_records, undecided
from biaspipe.pipeline.column_records import with_notes
from biaspipe.pipeline.evidence import Evidence
from biaspipe.pipeline.families import pairs_looked_at
from biaspipe.pipeline.intervals import Estimates
from biaspipe.pipeline.power_records import with_power
from biaspipe.pipeline.records import facet_records
from biaspipe.pipeline.selection import selector
from biaspipe.pipeline.waiver_records import WaiverRules, waiver_records
from biaspipe.plan import not_computable
from biaspipe.report import (
    AuditRecord,
    BaselineRecord,
    CheckRecord,
    CompatRecord,
    DataRecord,
    DecisionRecord,
    FacetRecord,
    ParityRecord,
    Result,
    SubgroupsRecord,
)
from biaspipe.statistics import EDITION, adjust_p_values
from biaspipe.verdict import overall, tally

if TYPE_CHECKING:
    from biaspipe.pipeline.baseline.worsening import BaselineInput

__all__ = ["ResultInputs", "result_of"]


class ResultInputs(NamedTuple):
    """What a result takes as it is.

    Parameters
    ----------
    audit : the spec that was run.
    data : what was read.
    waiver_rules : how waivers are judged.
    baseline : the baseline, if there is one.
    compat : how another tool reads the data, where its arithmetic is asked for.
    select : the names that selected the checks; all of them without one.
    """

    audit: AuditRecord
    data: DataRecord
    waiver_rules: WaiverRules
    baseline: "BaselineInput | None" = None
    compat: CompatRecord | None = None
    select: tuple[str, ...] = ()


def result_of(evidence: Evidence, inputs: ResultInputs) -> Result:
    """Compute the values, intervals and verdicts of an audit.

    Parameters
    ----------
    evidence : tables and flips of every comparison, and the checks.
    inputs : what stands beside them.
    """
    audit, estimates, inputs = evidence.audit, Estimates(evidence.audit), _with_rows(inputs)
    checks = list(check_records(evidence, estimates))
    facets = facet_records(evidence, estimates)
    checks, facets = _with_compat(evidence, checks, facets, inputs)
    checks, family = _corrected(checks, evidence)
    checks = with_power(evidence, checks)
    checks = judged_by_impact(evidence, checks)
    checks = [undecided(check) for check in _judged_by_baseline(evidence, checks, inputs)]
    checks = inputs.waiver_rules.apply(checks, audit.waivers)
    counted_as = with_notes(inputs.data.counted_as, audit)
    subgroups = _subgroups(evidence)
    verdicts = [check.verdict for check in checks]
    verdicts += [subgroups.verdict] if subgroups else []
    result = Result(
        audit=inputs.audit,
        data=inputs.data.model_copy(update={"counted_as": counted_as}),
        facets=facets,
        checks=tuple(checks),
        decision=DecisionRecord(**audit.rules.model_dump(), family=family),
        subgroups=subgroups,
        compat=inputs.compat,
        statistics=EDITION,
        waivers=waiver_records(evidence, checks, inputs.waiver_rules),
        not_computed=not_computable(audit, inputs.audit.edition_of_all),
        tally=tally(verdicts),
        verdict=overall(verdicts, audit.rules.undecided),
    )
    if inputs.baseline is None:
        return result
    record = _with_changes(inputs.baseline, result, evidence, inputs.select)
    result = result.model_copy(update={"baseline": record})
    return result.model_copy(update={"verdict": overall(result.verdicts, audit.rules.undecided)})


def _subgroups(evidence: Evidence) -> SubgroupsRecord | None:
    if evidence.joint is None:
        return None
    from biaspipe.pipeline.subgroups import subgroups_record  # noqa: PLC0415 - loads numpy

    return subgroups_record(evidence)


def _with_compat(
    evidence: Evidence,
    checks: list[CheckRecord],
    facets: tuple[FacetRecord, ...],
    inputs: ResultInputs,
) -> tuple[list[CheckRecord], tuple[FacetRecord, ...]]:
    """Put another tool's values and counts in their places, where the spec asks for them."""
    if evidence.smclarify_counts is None or inputs.compat is None:
        return checks, facets
    from biaspipe.pipeline.smclarify.records import with_counts  # noqa: PLC0415 - as above
    from biaspipe.pipeline.smclarify.smclarify_checks import smclarify_checks  # noqa: PLC0415 - under compat

    checks = smclarify_checks(evidence, checks, inputs.compat, inputs.data.ledger)
    return checks, with_counts(facets, evidence.smclarify_counts, evidence.audit)


def _with_changes(
    baseline: "BaselineInput", result: Result, evidence: Evidence, select: Sequence[str]
) -> BaselineRecord:
    """Write what is new and what vanished since the baseline, where it has a result to tell."""
    from biaspipe.pipeline.baseline.new_and_vanished import changes  # noqa: PLC0415 - fast start

    values, record = baseline.values, baseline.record
    if values.result is None:
        return record
    named = evidence.audit.baseline
    found = changes(
        result, values, named.allowed if named else (), selector(evidence.audit, select)
    )
    return record.model_copy(update=found._asdict())


Test = tuple[str | None, Hashable, tuple[object, ...]]
"""A test of parity: its facet, what is tested (a rate, several, or a metric), and what tells it
from others of these."""


def _corrected(
    checks: list[CheckRecord], evidence: Evidence
) -> tuple[list[CheckRecord], str | None]:
    """Correct the p-values for the number of tests; a test that several metrics share is one.

    Where the best group of a facet was picked, all of its pairs were looked at, and are counted;
    that correction needs no asking for.
    """
    correction = evidence.audit.rules.correction
    tests = {_test(check, check.parity): check.parity for check in checks if check.parity}
    families: dict[tuple[str | None, Hashable], list[Test]] = {}
    for test in tests:
        families.setdefault(test[:2], []).append(test)
    looked_at = {key: pairs_looked_at(evidence, key[0]) for key in families}
    unseen = {key: max(0, looked_at[key] - len(family)) for key, family in families.items()}
    many = len(tests) + sum(unseen.values())
    words = "where metrics of one rate on one comparison share a test"
    also = "every two groups of a facet that is compared with its best one"
    if correction != "none":
        known = _adjusted(tests, sum(unseen.values()), correction)
        words += f", and {also} count" if any(unseen.values()) else ""
        family = f"the {many} tests of parity in this audit, {words}"
    elif picked := [key for key in families if looked_at[key] > 1]:
        known = {}
        for key in picked:
            known |= _adjusted({test: tests[test] for test in families[key]}, unseen[key], "holm")
        family = f"{also}, by Holm"
    else:
        return checks, None
    return [_with_p_value(check, known) for check in checks], family


def _adjusted(
    tests: Mapping[Test, ParityRecord], unseen: int, correction: str
) -> dict[Test, float]:
    """Adjust p-values for their number and that of others, which may all be greater."""
    p_values = [*(test.p_value for test in tests.values()), *[1.0] * unseen]
    return dict(zip(tests, adjust_p_values(p_values, correction), strict=False))


def _with_p_value(check: CheckRecord, known: Mapping[Test, float]) -> CheckRecord:
    if check.parity is None or (test := _test(check, check.parity)) not in known:
        return check
    update = {"adjusted": known[test]}
    return check.model_copy(update={"parity": check.parity.model_copy(update=update)})


def _test(check: CheckRecord, parity: ParityRecord) -> Test:
    metric = METRICS[check.metric]
    rate = metric.rate or (label_rate if metric.distance else None)
    tested = (rate.complements or rate) if rate else (metric.rates or metric.id)
    return check.facet, tested, (check.favored, check.disfavored, parity.test, parity.p_value)


def _with_rows(inputs: ResultInputs) -> ResultInputs:
    """Say whether the baseline is of the same rows, where it is at hand."""
    if inputs.baseline is None or inputs.baseline.is_read_back:
        return inputs
    said = inputs.baseline.values.sameness(inputs.audit, inputs.data)
    record = inputs.baseline.record.model_copy(update=said)
    return inputs._replace(baseline=inputs.baseline._replace(record=record))


def _judged_by_baseline(
    evidence: Evidence, checks: Sequence[CheckRecord], inputs: ResultInputs
) -> list[CheckRecord]:
    if inputs.baseline is None:
        return list(checks)
    from biaspipe.pipeline.baseline.worsening import (  # noqa: PLC0415 - as above
        ChangeRules,
        compare,
        judge_by_baseline,
    )

    record, judged = inputs.baseline.record, []
    rules = ChangeRules(
        record.max_worsening,
        evidence.audit.rules.decide_by,
        record.rows or "unknown",
        record.other_prediction,
    )
    for check, check_input in zip(checks, evidence.inputs(), strict=True):
        if before := inputs.baseline.values.value_of(check):
            pair = check_input.comparison
            before = before._replace(people=pair.earlier if pair else None)
            note = compare(check, before, rules)
            judged.append(judge_by_baseline(check, note, shortage=evidence.shortage(check_input)))
        else:
            judged.append(check)
    return judged
