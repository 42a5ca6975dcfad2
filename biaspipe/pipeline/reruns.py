"""A report against the spec and the data that it was made from."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from biaspipe.errors import DataError, SpecError, UsageError
from biaspipe.loading import Loaded
from biaspipe.migration import reload_spec
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.changes import changes
from biaspipe.pipeline.comparability import baseline_of
from biaspipe.pipeline.selection import selected, within
from biaspipe.policy import DEFAULT, Policy, refuse_file
from biaspipe.report import Finding, Report, differences, plain
from biaspipe.spec import EngineName, day

__all__ = ["against_data", "against_spec", "spec_of"]


def spec_of(report: Report, given: Path | None) -> Loaded:
    """Return the spec that a report is to be compared with: the given one, or where it was.

    Raises
    ------
    UsageError
        If none is given, and none stands where the report says.
    SpecError
        If that is a file of the system, or of credentials; or as loading a spec does.
    """
    path = given or Path(report.run.spec)
    if not given and not path.is_file():
        hint = "name it with --spec FILE"
        raise UsageError(f"there is no spec at {path}, where the report says it was", hint=hint)
    if not given:  # the report says where, and that is a stranger's word
        refuse_file(DEFAULT, path, report.run.spec, ())
    recorded = report.result.audit
    loaded = reload_spec(path, recorded.name, recorded.spec["data"].get("path"))
    with suppress(SpecError):  # a spec of other parameters is another one, which its digest tells
        return loaded.filled(recorded.parameters or {})
    return loaded


def against_spec(report: Report, loaded: Loaded, policy: Policy = DEFAULT) -> Iterator[Finding]:
    """Yield what differs between a report and a spec.

    Parameters
    ----------
    report : a report that could be read.
    loaded : the spec.
    policy : what the spec may reach.
    """
    audit = report.result.audit
    if audit.sha256 != loaded.sha256:
        words = f"the digest of {loaded.document.name} is {loaded.sha256}"
        yield Finding("result.audit.sha256", words)
    for where, stands, spec in differences(audit.spec, loaded.document.values):
        yield Finding(f"result.audit.spec.{where}", f"{stands} stands here, {spec} in the spec")
    lines = {
        (c.metric.id, c.facet): loaded.line(c.loc)
        for c in selected(loaded.audit, report.run.select)
    }
    placed = [
        (f"result.checks[{i}].line", check.line, lines.get((check.metric, check.facet)))
        for i, check in enumerate(report.result.checks)
    ]
    placed += [
        (f"result.waivers[{i}].line", waiver.line, loaded.line(("waivers", i)))
        for i, waiver in enumerate(report.result.waivers[: len(loaded.audit.waivers)])
    ]
    for where, found, line in placed:
        if line is not None and line != found:
            yield Finding(where, f"{found} stands here, {line} is the line in the spec")
    yield from _against_baseline(report, loaded, policy)


def _against_baseline(report: Report, loaded: Loaded, policy: Policy) -> Iterator[Finding]:
    """Yield what a report says otherwise of its baseline, where that is still there."""
    record, named = report.result.baseline, loaded.audit.baseline
    if record is None or record.allowed is None or named is None:
        return
    try:
        earlier, now = baseline_of(loaded.audit, loaded.folder, policy)
    except DataError:
        return
    if not (earlier and earlier.result and now and now.result_sha256 == record.result_sha256):
        return
    again = changes(report.result, earlier, named.allowed, within(loaded.audit, report.run.select))
    for key, names in again._asdict().items():
        for where, stands, follows in differences(list(getattr(record, key)), list(names)):
            place = f"result.baseline.{key}{where}"
            yield Finding(place, f"{stands} stands here, {follows} follows from {named.report}")


def against_data(
    report: Report,
    loaded: Loaded,
    progress: Callable[[str], None],
    engine: EngineName | None = None,
    policy: Policy = DEFAULT,
) -> Iterator[Finding]:
    """Run the audit again and yield what differs from the report.

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
    past = report.run
    options = Options(
        checks=selected(loaded.audit, past.select) if past.select else None,
        select=past.select,
        as_of=day(past.as_of),
        waive=past.waivers,
        engine=engine,
        policy=policy,
    )
    again = run(loaded, options, progress=progress)
    old, new = plain(report.result), plain(again.result)
    for where, stands, now in differences(old, new, "result"):
        yield Finding(where, f"{stands} stands here, {now} comes out of a new run")
