"""A report against itself: its digests, and every number recomputed from its counts alone."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from biaspipe.errors import BiaspipeError, DataError
from biaspipe.loading.parameters import fill
from biaspipe.metrics import Value
from biaspipe.pipeline.baselines import Earlier, Was, key_of
from biaspipe.pipeline.evidence import Evidence, recovered
from biaspipe.pipeline.records import group_record
from biaspipe.pipeline.results import Given, result_of
from biaspipe.pipeline.second import recovered_second
from biaspipe.pipeline.selection import selected
from biaspipe.pipeline.sums import sums
from biaspipe.pipeline.waiving import Waiving
from biaspipe.plan import refusals
from biaspipe.report import (
    CHANGED,
    BaselineRecord,
    CheckRecord,
    Finding,
    Report,
    Result,
    changed,
    faults_of,
    misspelt,
    plain,
    read_values,
    seal_of,
    text_digest,
)
from biaspipe.spec import Audit, day

__all__ = ["Verified", "differences", "earlier_of", "verify"]

SCHEMA = "biaspipe-report/"
MOST_SHOWN = 120


@dataclass(frozen=True)
class Verified:
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
    values = read_values(path)
    if not str(values["schema"]).startswith(SCHEMA):
        raise DataError(f"{path}: not a report of biaspipe: schema {values['schema']!r}")
    findings = [*_spelling(path), *_place(values)]
    try:
        report = Report.model_validate(values)
    except ValidationError as error:
        faults = [Finding(where, what) for where, what in faults_of(error)]
        return Verified(tuple(_once([*findings, *faults])))
    findings += _digests(values, report)
    try:
        day(report.run.as_of)
    except ValueError as error:
        return Verified(tuple(_once([*findings, Finding("run.as_of", str(error))])))
    return Verified(tuple(_once([*findings, *_recomputed(values, report)])), report)


def _once(findings: list[Finding]) -> Iterator[Finding]:
    """Yield the findings, each place once: the first word on it is the most telling."""
    seen = set()
    for finding in findings:
        if finding.where not in seen:
            seen.add(finding.where)
            yield finding


def _spelling(path: Path) -> Iterator[Finding]:
    """Yield the numbers that stand otherwise than the same number is written."""
    for where, found, expected in misspelt(path):
        yield Finding(where, f"the number is written {found}, not {expected}")


def _place(values: dict[str, Any]) -> Iterator[Finding]:
    """Yield the one place that was changed since the report was written, if it was one."""
    run = values.get("run")
    locator = run.get("locator") if isinstance(run, dict) else None
    if isinstance(run, dict) and isinstance(locator, list):
        kept = {key: part for key, part in run.items() if key not in ("locator", "sha256")}
        sealed = {"result": values.get("result"), "run": kept}
        place = changed(sealed, [str(part) for part in locator], "run.locator")
        if place:
            yield Finding(place, CHANGED)


def _digests(values: dict[str, Any], report: Report) -> Iterator[Finding]:
    found = text_digest(values["result"])
    if found != report.result_sha256:
        words = f"is not the digest of the result, which is {found}"
        yield Finding("result_sha256", words)
    if seal_of(values) != report.run.sha256:
        yield Finding("run.sha256", "is not the digest of the rest of `run`")


def _recomputed(values: dict[str, Any], report: Report) -> Iterator[Finding]:
    """Yield every number and word that does not follow from the counts of the report."""
    try:
        audit = Audit.model_validate(report.result.audit.spec)
    except ValidationError as error:
        yield from (Finding(f"result.audit.spec.{at}", what) for at, what in faults_of(error))
        return
    try:
        audit = fill(audit, report.result.audit.parameters or {})
        if faults := refusals(audit):
            raise ValueError("; ".join(fault.message for fault in faults))
        yield from sums(report.result, audit)
        again = plain(_again(report, audit))
    except (BiaspipeError, ValidationError, LookupError, ValueError, ArithmeticError) as error:
        yield Finding("result", f"the counts do not fit the spec that stands beside them: {error}")
        return
    for where, stands, follows in differences(values["result"], again, "result"):
        yield Finding(where, f"{stands} stands here, {follows} follows from the counts")


def _again(report: Report, audit: Audit) -> Result:
    """Compute a result again from the counts and the spec that stand in it."""
    result = report.result
    order = list(dict.fromkeys((check.metric, check.facet) for check in result.checks))
    places = {key: place for place, key in enumerate(order)}
    checks = sorted(
        selected(audit, report.run.select),
        key=lambda check: places.get((check.metric.id, check.facet), len(places)),
    )
    evidence = replace(recovered(audit, checks, result), second=recovered_second(result))
    return result_of(evidence, _given(evidence, report))


def _given(evidence: Evidence, report: Report) -> Given:
    result = report.result
    everyone = group_record(evidence.everyone, evidence.audit)
    return Given(
        audit=result.audit.model_copy(
            update={"name": evidence.audit.name, "parameters": evidence.audit.parameters or None}
        ),
        data=result.data.model_copy(update={"everyone": everyone}),
        waiving=Waiving(day(report.run.as_of), report.run.waivers),
        earlier=earlier_of(result.checks) if result.baseline else None,
        baseline=_baseline(result.baseline, evidence.audit),
        compat=result.compat,
        select=report.run.select,
    )


def _baseline(record: BaselineRecord | None, audit: Audit) -> BaselineRecord | None:
    """Return the baseline as the spec names it."""
    if record is None or audit.baseline is None:
        return None
    return record.model_copy(update=audit.baseline.model_dump(exclude={"allow_vanished"}))


def earlier_of(checks: Sequence[CheckRecord]) -> Earlier:
    """Read back what the checks of a report came to in its baseline."""
    notes = {key_of(check): check.baseline for check in checks if check.baseline}
    return Earlier(
        {
            key: Was(Value(note.status, note.value, note.sign), note.interval)
            for key, note in notes.items()
        }
    )


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield where two documents differ, with what stands in each.

    >>> list(differences({"a": [1, 2]}, {"a": [1, 3], "b": None}))
    [('a[1]', '2', '3'), ('b', 'nothing', 'null')]
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            inner = f"{path}.{key}" if path else key
            if key in one and key in other:
                yield from differences(one[key], other[key], inner)
            else:
                yield inner, _shown(one, key), _shown(other, key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{path}[{i}]")
    elif type(one) is not type(other) or one != other:
        yield path, _written(one), _written(other)


def _shown(values: dict[str, Any], key: str) -> str:
    return _written(values[key]) if key in values else "nothing"


def _written(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
