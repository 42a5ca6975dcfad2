"""A report against the spec and the data that it was made from."""

from collections.abc import Iterator
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Any, NamedTuple

from biaspipe.errors import BiaspipeError, DataError, SpecError, UsageError
from biaspipe.loading import Loaded
from biaspipe.migration import reading_again, reload_spec
from biaspipe.pipeline import Options, read_baseline, run
from biaspipe.pipeline.baseline.change_intervals import BaselineValue
from biaspipe.pipeline.baseline.new_and_vanished import changes
from biaspipe.pipeline.baseline.worsening import BaselineInput
from biaspipe.pipeline.group_rates import listed_as_in
from biaspipe.pipeline.progress import Progress
from biaspipe.pipeline.selection import selected_checks, selector
from biaspipe.pipeline.verification.frame_reports import beside, says_where
from biaspipe.pipeline.verification.recomputation import is_compared
from biaspipe.policy import DEFAULT, Policy, real_path, refuse_file
from biaspipe.report import Finding, Report, differences, plain_values
from biaspipe.spec import Audit, EngineName, day

__all__ = ["Rerun", "against_data", "against_spec", "spec_of"]

Difference = tuple[str, str, str]
"""A place, what stands in it, and what follows."""
SPEC_HINT = "name it with --spec FILE"


def spec_of(report: Report, spec: Path | None, policy: Policy = DEFAULT) -> Loaded:
    """Load the spec that a report is to be compared with: the named one, or that of the report.

    Parameters
    ----------
    report : a report that could be read.
    spec : that of the command line.
    policy : what a spec may reach.

    Raises
    ------
    UsageError
        If none is named, and none stands where the report says, below the current folder: whoever
        made the report could name any file of this machine.
    """
    recorded = report.result.audit
    path = spec or _path_in(report.run.spec, policy)
    data = recorded.spec["data"].get("path")
    try:
        loaded = reload_spec(path, recorded.name, data if isinstance(data, str) else None, policy)
    except BiaspipeError:
        if spec:
            raise
        words = f"{path}, where the report says its spec was, is none that can be read"
        raise UsageError(words, hint=SPEC_HINT) from None  # the fault would show lines of the file
    if recorded.data is not None:
        loaded = reading_again(loaded, recorded.data, report.run.data or recorded.data)
    with suppress(SpecError):  # a spec of other parameters is another one, which its digest tells
        return loaded.filled(recorded.parameters or {})
    return loaded


def _path_in(written: str, policy: Policy) -> Path:
    path = Path(written)
    if "\0" in written or not real_path(path).is_relative_to(real_path(Path())):
        words = f"the report says its spec was at {written}, which is not below this folder"
        raise UsageError(words, hint=SPEC_HINT)
    refuse_file(policy, path, written, ())
    if not path.is_file():
        words = f"there is no spec at {path}, where the report says it was"
        raise UsageError(words, hint=SPEC_HINT)
    return path


def against_spec(report: Report, loaded: Loaded, policy: Policy = DEFAULT) -> Iterator[Finding]:
    """Yield what differs between a report and a spec.

    Parameters
    ----------
    report : a report that could be read.
    loaded : the spec.
    policy : what the spec may reach.
    """
    audit, in_values = report.result.audit, report.result.has_no_spec_file
    if audit.sha256 != loaded.sha256 and not in_values:
        words = f"the digest of {loaded.document.name} is {loaded.sha256}"
        yield Finding("result.audit.sha256", words)
    for where, stands, spec in differences(audit.spec, loaded.document.values):
        if not (in_values and says_where(where, report)):
            yield Finding(f"result.audit.spec.{where}", f"{stands} stands here, {spec} in the spec")
    lines = {
        (c.metric.id, c.facet): loaded.line(c.loc)
        for c in selected_checks(loaded.audit, report.run.select)
    }
    placed = [
        (f"result.checks[{i}].line", check.line, lines.get((check.metric, check.facet)))
        for i, check in enumerate(report.result.checks)
    ]
    placed += [
        (f"result.waivers[{i}].line", waiver.line, loaded.line(("waivers", i)))
        for i, waiver in enumerate(report.result.waivers[: len(loaded.audit.waivers)])
    ]
    for where, found, line in () if in_values else placed:
        if line is not None and line != found:
            yield Finding(where, f"{found} stands here, {line} is the line in the spec")
    yield from _against_baseline(report, loaded, policy)


def _against_baseline(report: Report, loaded: Loaded, policy: Policy) -> Iterator[Finding]:
    """Yield what a report says otherwise of its baseline, where that is still there."""
    record, named = report.result.baseline, loaded.audit.baseline
    if record is None or named is None:
        return
    try:
        baseline = read_baseline(loaded.audit, loaded.folder, policy)
    except DataError:
        return
    if baseline is None or baseline.record.result_sha256 != record.result_sha256:
        return
    for where, stands, follows in _unlike(report, baseline, loaded.audit):
        yield Finding(where, f"{stands} stands here, {follows} follows from {named.report}")


def _unlike(report: Report, baseline: BaselineInput, audit: Audit) -> Iterator[Difference]:
    """Yield what a report says otherwise of its baseline than what that comes to."""
    result, values, named = report.result, baseline.values, audit.baseline
    said: dict[str, Any] = values.sameness(result.audit, result.data)
    if values.result is not None:
        asked = selector(audit, report.run.select)
        found = changes(result, values, named.allowed if named else (), asked)
        said |= {key: list(names) for key, names in found._asdict().items()}
    told = {} if result.baseline is None else result.baseline.model_dump(mode="json")
    for key, follows in said.items():
        yield from differences(told.get(key), follows, f"result.baseline.{key}")
    for i, check in enumerate(result.checks):
        was = check.baseline and check.baseline.model_dump(include=set(WAS))
        before = values.value_of(check)
        follows = before and dict(zip(WAS, _was(before), strict=True))
        yield from differences(was, follows, f"result.checks[{i}].baseline")


WAS = ("value", "status", "sign", "interval")
"""What a report says of a check as it was in the baseline."""


def _was(before: BaselineValue) -> tuple[object, ...]:
    (status, number, sign, _), interval = before.value, before.interval
    return number, status, sign, interval and interval.model_dump()


class Rerun(NamedTuple):
    """What a new run of an audit came to, beside the report of an earlier one.

    Parameters
    ----------
    findings : what differs of all that is compared.
    is_same : whether the results are the same, byte for byte.
    """

    findings: tuple[Finding, ...]
    is_same: bool


def against_data(
    report: Report,
    loaded: Loaded,
    progress: Progress,
    engine: EngineName | None = None,
    policy: Policy = DEFAULT,
) -> Rerun:
    """Run the audit again and return what differs from the report.

    Parameters
    ----------
    report : a report that could be read.
    loaded : its spec.
    progress : is told each step in a word or two.
    engine : what reads the data, instead of what the spec says.
    policy : what the spec may reach.

    Raises
    ------
    SpecError, DataError
        As a run does.
    """
    options = _options(report, loaded, engine, policy)
    rerun = _rerun(report, loaded, options, progress)
    listed = rerun.result
    if report.run.wording is None:
        listed = listed_as_in(report.result, listed)
    old, new = plain_values(report.result), plain_values(beside(report, listed))
    findings = tuple(
        Finding(where, f"{stands} stands here, {now} comes out of a new run")
        for where, stands, now in differences(old, new, "result")
        if is_compared(where, report)
    )
    return Rerun(findings, rerun.result_sha256 == report.result_sha256)


def _rerun(report: Report, loaded: Loaded, options: Options, progress: Progress) -> Report:
    """Run an audit again; no fault shows values of a file that only the report names."""
    _refuse_moved(loaded)
    try:
        return run(loaded, options, progress=progress)
    except (SpecError, DataError):
        if _is_near(loaded):
            raise
        words = f"the data at {report.run.data}, where the report says it was, cannot be audited"
        hint = "verify it in a folder above that, which shows why"
        raise UsageError(words, hint=hint) from None


def _refuse_moved(loaded: Loaded) -> None:
    """Refuse data that `run --data` gave, and that is not there any more, by its whole path."""
    if loaded.given is None or not _is_near(loaded):
        return
    place = loaded.given.place
    path = real_path(loaded.folder / place)
    if not ("://" in place or has_magic(place) or path.exists()):
        words = f"{path}: there is no such file, and the report says that its data was there"
        raise DataError(
            words, hint="put it there again; `verify --data` reads it from no other place"
        )


def _is_near(loaded: Loaded) -> bool:
    """Whether data that a report names is below the current folder or the spec's, or is a URI."""
    if loaded.given is None or "://" in loaded.given.place:
        return True
    path = real_path(loaded.folder / loaded.given.place)
    return any(path.is_relative_to(real_path(near)) for near in (Path(), loaded.folder))


def _options(report: Report, loaded: Loaded, engine: EngineName | None, policy: Policy) -> Options:
    """Return what the run of a report was asked for beside its spec."""
    past, edition = report.run, report.result.audit.edition_of_all
    return Options(
        checks=selected_checks(loaded.audit, past.select, edition),
        edition=edition,
        select=past.select,
        as_of=day(past.as_of),
        waive=past.waivers,
        engine=engine,
        policy=policy,
    )
