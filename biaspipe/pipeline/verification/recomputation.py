"""A report against itself: its digests, and every number recomputed from its counts alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from biaspipe import statistics
from biaspipe.errors import BiaspipeError, DataError
from biaspipe.loading.given_data import result_name
from biaspipe.loading.parameters import fill
from biaspipe.metrics import EDITION, Value
from biaspipe.pipeline.baseline.change_intervals import BaselineValue
from biaspipe.pipeline.baseline.worsening import BaselineInput, BaselineValues
from biaspipe.pipeline.evidence import Evidence, recovered
from biaspipe.pipeline.results import ResultInputs, result_of
from biaspipe.pipeline.selection import names_of, searches, selected_checks
from biaspipe.pipeline.verification.consistency import inconsistencies
from biaspipe.pipeline.waiver_records import WaiverRules
from biaspipe.plan import asks_for_all, refusals
from biaspipe.printable_text import escape, shorten
from biaspipe.report import SCHEMAS, Finding, GroupRecord, Report, Result, differences, plain_values
from biaspipe.report.checks import check_key
from biaspipe.report.locator import changed_place
from biaspipe.report.report_files import (
    CHANGED,
    faults_of,
    misspelt,
    mistyped,
    read_content,
    summed_parts,
    unsealed,
)
from biaspipe.report.untrusted_json import excerpt
from biaspipe.spec import Audit, day

__all__ = ["Verified", "is_compared", "is_of_other_methods", "sound_report", "verify"]

MAX_TOLD, MAX_WORDS = 10, 300
DIGESTS = {"result_sha256", "run.sha256"}
METHODS = "result.statistics"
"""Where a report says by which edition of the methods it was made."""
WORDS = re.compile(
    r"result\.(checks\[\d+\]\.((baseline|compat|power)\.)?(sentence|reason|note)"
    r"|facets\[\d+\]\.comparisons\[\d+\]\.(model_bias\.sentence|warning)"
    r"|data\.counted_as\[\d+\]\.(notes|warnings)(\[\d+\])?"
    r"|subgroups\.(sentence|reason|listed\[\d+\]\.sentence)"
    r"|not_computed\..*)"
)
"""Where a report holds sentences, which each version writes in its own words."""


class Verified(NamedTuple):
    """What a verification came to.

    Parameters
    ----------
    findings : everything that is wrong; nothing where the report is sound.
    report : the report, where it could be read as one.
    """

    findings: tuple[Finding, ...]
    report: Report | None = None


def verify(path: Path) -> Verified:
    """Verify a report from its file alone.

    Parameters
    ----------
    path : the JSON artifact of a run.

    Raises
    ------
    DataError
        If the file cannot be read, or is no report.
    """
    values, content = read_content(path)
    if not str(values["schema"]).startswith(SCHEMAS):
        raise DataError(f"{path}: not a report of biaspipe: schema {excerpt(values['schema'])}")
    findings = [*misspelt(content), *_changed_place(values)]
    other = list(_other_methods(values))
    try:
        report = Report.model_validate(values)
    except ValidationError as error:
        faults = other or [Finding(*fault) for fault in faults_of(error)]
        return Verified(_once([*findings, *faults]))
    findings += [*unsealed(values), *mistyped(values, report), *other]
    try:
        audit = Audit.model_validate(report.result.audit.spec)
    except ValidationError as error:
        faults = [Finding(f"result.audit.spec.{at}", what) for at, what in faults_of(error)]
        return Verified(_once([*findings, *faults]))
    return Verified(_once([*findings, *_differences(values, report, audit)]), report)


def sound_report(path: Path) -> Report:
    """Read a report that holds against itself, so that it may be shown and compared.

    Parameters
    ----------
    path : the JSON artifact of a run.

    Raises
    ------
    DataError
        If the file cannot be read, is no report, was changed, or does not follow from its counts.
    """
    verified = verify(path)
    report, findings = verified.report, verified.findings
    if report is not None and not findings:
        return report
    places, whose = {where for where, _ in findings}, f"`biaspipe verify {path}` names"
    if report is not None and places & DIGESTS:
        raise DataError(f"{path}: was changed since it was written", hint=f"{whose} the place")
    if METHODS in places:
        words = next(what for where, what in findings if where == METHODS)
        hint = "run the audit again, or use the biaspipe that wrote the report"
        raise DataError(f"{path}: {words}", hint=hint)
    if places == {"schema"}:
        raise DataError(f"{path}: a report of another version of biaspipe: {_told(findings)}")
    if report is None or not any(place.startswith("result") for place in places):
        raise DataError(f"{path}: not a whole report: {_told(findings)}")
    many, them = (f"{len(places):,} places", "them") if len(places) > 1 else ("1 place", "it")
    raise DataError(f"{path}: does not follow from its own counts: {many}", hint=f"{whose} {them}")


def _told(findings: Sequence[Finding]) -> str:
    told = [
        f"{escape(where)[:MAX_WORDS]}: {escape(what)[:MAX_WORDS]}"
        for where, what in findings[:MAX_TOLD]
    ]
    told += [f"and {len(findings) - MAX_TOLD:,} more"] if len(findings) > MAX_TOLD else []
    return "; ".join(told)


def is_of_other_methods(report: Report) -> bool:
    """Whether other methods made the numbers of a report than those of this version."""
    return (report.result.statistics or 1) != statistics.EDITION


def _other_methods(values: dict[str, Any]) -> Iterator[Finding]:
    """Yield that other methods made a report: none of its intervals can be recomputed."""
    result = values.get("result")
    edition = result.get("statistics", 1) if isinstance(result, dict) else statistics.EDITION
    if type(edition) is int and 1 <= edition != statistics.EDITION:
        made = f"made by edition {shorten(str(edition), 20)} of the methods"
        own = f"this version has edition {statistics.EDITION} and cannot recompute them"
        yield Finding(METHODS, f"its intervals, tests and verdicts were {made}; {own}")


def _once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings, each place once: the first word on it is the most telling."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.where, finding)
    return tuple(first.values())


def _changed_place(values: dict[str, Any]) -> Iterator[Finding]:
    """Yield the one place that was changed since the report was written, if it was one."""
    run = values.get("run")
    locator = run.get("locator") if isinstance(run, dict) else None
    if isinstance(run, dict) and isinstance(locator, list):
        sums = [str(part) for part in locator]
        if place := changed_place(summed_parts(values), sums, "run.locator"):
            yield Finding(place, CHANGED)


def _differences(values: dict[str, Any], report: Report, audit: Audit) -> Iterator[Finding]:
    """Yield every number and word that does not follow from the counts of the report."""
    try:
        audit = fill(audit, report.result.audit.parameters or {})
        if faults := refusals(audit):
            raise ValueError("; ".join(fault.message for fault in faults))
        yield from _foreign(report.run.select, audit)
        yield from _misnamed(report)
        if is_of_other_methods(report):
            return
        if report.run.is_of_no_wording:
            words = f"claims the wording {report.run.wording}, which this version never had"
            yield Finding("run.wording", words)
        is_listed = report.run.wording is not None  # rates came before wordings
        yield from inconsistencies(report.result, audit, is_listed=is_listed)
        expected = plain_values(_recomputed(report, audit))
    except (BiaspipeError, ValidationError, LookupError, ValueError, ArithmeticError) as error:
        yield Finding("result", f"the counts do not fit the spec that stands beside them: {error}")
        return
    for where, stands, follows in differences(values["result"], expected, "result"):
        if is_compared(where, report):
            yield Finding(where, f"{stands} stands here, {follows} follows from the counts")


def _misnamed(report: Report) -> Iterator[Finding]:
    """Yield data in place of the spec's that is not called as it was."""
    place, name = report.run.data, report.result.audit.data
    if name != (result_name(place) if place else None):
        yield Finding("run.data", "this is not the data that the result names")


def is_compared(where: str, report: Report) -> bool:
    """Whether what stands in a place of a report has to be as this version writes it."""
    return report.run.is_of_own_wording or not WORDS.fullmatch(where)


def _foreign(names: Sequence[str], audit: Audit) -> Iterator[Finding]:
    """Yield what is said to select checks, and selects none of this spec."""
    own = names_of(audit, names)
    for i, name in enumerate(names):
        if name not in own:
            yield Finding(f"run.select[{i}]", "no tag or facet of the spec, and no metric")
    if names and not selected_checks(audit, names):
        yield Finding("run.select", "selects no check of the spec")


def _recomputed(report: Report, audit: Audit) -> Result:
    """Compute a result again from the counts and the spec that stand in it."""
    result = report.result
    order = list(dict.fromkeys((check.metric, check.facet) for check in result.checks))
    places = {key: place for place, key in enumerate(order)}
    checks = sorted(
        selected_checks(audit, report.run.select, result.audit.edition_of_all),
        key=lambda check: places.get((check.metric.id, check.facet), len(places)),
    )
    evidence = recovered(audit, checks, result)
    if not searches(audit, report.run.select):
        evidence = replace(evidence, joint=None)
    elif evidence.joint is None:
        raise ValueError("the spec searches for subgroups, and no cells stand here")
    if result.compat is not None:
        from biaspipe.pipeline.smclarify.records import recovered_counts  # noqa: PLC0415 - with compat

        evidence = replace(evidence, smclarify_counts=recovered_counts(result))
    return result_of(evidence, _inputs(evidence, report))


def _edition(result: Result, audit: Audit) -> int | None:
    """Return the edition of the family `all` that a report may speak of."""
    edition = result.audit.edition
    return min(edition, EDITION) if edition and asks_for_all(audit) else None


def _inputs(evidence: Evidence, report: Report) -> ResultInputs:
    result = report.result
    everyone = GroupRecord.of(evidence.everyone, evidence.audit)
    return ResultInputs(
        audit=result.audit.model_copy(
            update={
                "name": evidence.audit.name,
                "parameters": evidence.audit.parameters or None,
                "edition": _edition(result, evidence.audit),
            }
        ),
        data=result.data.model_copy(update={"everyone": everyone}),
        waiver_rules=WaiverRules(day(report.run.as_of), report.run.waivers),
        baseline=_baseline(result, evidence.audit),
        compat=result.compat,
        select=report.run.select,
    )


def _baseline(result: Result, audit: Audit) -> BaselineInput | None:
    """Read back the baseline, as the spec names it, and what the checks came to in it."""
    if result.baseline is None or audit.baseline is None:
        return None
    notes = {check_key(check): check.baseline for check in result.checks if check.baseline}
    values = {
        key: BaselineValue(Value(note.status, note.value, note.sign), note.interval)
        for key, note in notes.items()
    }
    told = result.baseline
    known = {"rows": told.rows or "unknown", "allowed": told.allowed or ()}
    named = audit.baseline.model_dump(exclude={"allow_vanished"})
    record = told.model_copy(update=named | known)
    return BaselineInput(BaselineValues(values), record, is_read_back=True)
