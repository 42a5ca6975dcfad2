"""`run`: audits to reports, on the console and in files."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import click

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.github import tell_github, tells_github
from biaspipe.cli.messages import tell, tell_error, tell_written
from biaspipe.cli.older_outputs import OlderOutputs
from biaspipe.cli.outcomes import AuditOutcome
from biaspipe.cli.outputs import (
    check_names,
    check_outputs,
    in_folder,
    refuse_no_baseline,
    write_outputs,
)
from biaspipe.cli.progress import alive
from biaspipe.cli.signals import release_signals
from biaspipe.errors import BiaspipeError, Exit, FailOn, OutputError, UsageError
from biaspipe.loading import Loaded, find_specs
from biaspipe.loading.parameters import GivenTexts, read_texts, refuse_unknown
from biaspipe.migration import load_specs
from biaspipe.output_files import refuse_input, write_files
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.resource_limits import within_limits
from biaspipe.pipeline.selection import names_of, select
from biaspipe.plan import PlannedCheck
from biaspipe.policy import DEFAULT, Policy, real_path
from biaspipe.printable_text import escape
from biaspipe.renderers.commands.index_file import index_json
from biaspipe.renderers.commands.index_page import IndexEntry, index_story
from biaspipe.renderers.commands.run_summary import summary
from biaspipe.renderers.console.drawing import show
from biaspipe.renderers.console.report import report_story
from biaspipe.renderers.formats import INDEXES
from biaspipe.renderers.rates import with_rates
from biaspipe.report import Report
from biaspipe.sources.files import find_files
from biaspipe.spec import Audit, EngineName, today

__all__ = ["RunOptions", "run_specs"]


@dataclass(frozen=True)
class RunOptions:
    """The options of `run`.

    Parameters
    ----------
    outputs : files to write the report of a single spec to.
    output_dir : folder to write the artifact of every spec to.
    also : further formats to write there.
    fail_on : the mildest verdict that counts as a failure.
    select : tags, metrics and facets to select.
    as_of : the day on which waivers have to hold; today if left out.
    waive : whether waivers are applied.
    data : the data that is read, instead of what the specs name.
    format : what `outputs` are written as, where their names do not tell it; or whether GitHub
        Actions is told what was found.
    engine : what counts, instead of what the specs say.
    policy : what the specs may reach.
    policy_file : where the command line says that this stands.
    parameters : the values of parameters, as texts, instead of their defaults.
    everything : whether every check has a row.
    quiet : whether only the verdict line is printed.
    rates : whether the rates of every group are printed too.
    verbose : whether each step is told when it begins.
    """

    outputs: Sequence[Path] = ()
    output_dir: Path | None = None
    also: Sequence[str] = ()
    fail_on: FailOn = "fail"
    select: Sequence[str] = ()
    as_of: date | None = None
    waive: bool = True
    data: str | None = None
    format: str | None = None
    engine: EngineName | None = None
    policy: Policy = DEFAULT
    policy_file: Path | None = None
    parameters: GivenTexts = field(default_factory=dict)
    everything: bool = False
    quiet: bool = False
    rates: bool = False
    verbose: bool = False


def run_specs(
    paths: Sequence[Path], options: RunOptions, reach: Callable[[], Policy] | None = None
) -> Exit:
    """Run every spec, print and write its report, and return the worst code.

    Parameters
    ----------
    paths : specs or folders of them.
    options : what to select, where to write, what counts as a failure.
    reach : reads what the specs may reach, in place of the options' policy.
    """
    given = [*paths, *([options.policy_file] if options.policy_file else [])]
    older = OlderOutputs.find(
        given, options.outputs, options.output_dir, options.format, options.also
    )
    outcomes: list[AuditOutcome] = []
    try:
        release_signals()
        if reach:
            options = replace(options, policy=reach())
        code = _run_all(paths, options, older, outcomes)
    except BaseException as error:
        older.set_aside(paths)
        if isinstance(error, Exception) and tells_github(options.format):
            tell_github(outcomes, Exit.WRONG_DATA, error=error)
        raise
    older.set_aside(())
    if tells_github(options.format):
        tell_github(outcomes, code)
    return code


def _run_all(
    paths: Sequence[Path],
    options: RunOptions,
    older: OlderOutputs,
    outcomes: list[AuditOutcome],
) -> Exit:
    specs = find_specs(paths, tell)
    if options.also and not options.output_dir:
        words = f"--also {options.also[0]}: no folder is named to write into"
        raise UsageError(words, hint="add --output-dir DIR")
    check_outputs(options.outputs, options.output_dir, len(specs), options.format)
    loaded = _load_all(specs, options, older, outcomes)
    loaded = _fill_all(loaded, outcomes, options.parameters, older)
    check_outputs(options.outputs, None, len(loaded), options.format)
    compared = all(audit.audit.baseline for audit in loaded)
    refuse_no_baseline(options.outputs, options.format, compared=compared)
    _refuse_same_names(loaded)
    if options.output_dir:
        check_names(audit.audit.name for audit in loaded)
    _refuse_inputs(specs, loaded, options, older)
    several = max(len(specs), len(loaded)) > 1
    outcomes += _audits(loaded, options, older, several=several)
    entries = [outcome.entry for outcome in outcomes]
    code = Exit.worst(entry.code for entry in entries)
    if not entries and options.fail_on == "never":
        code = Exit.PASSED
    if options.output_dir:
        _write_indexes(options.output_dir, entries, code, options)
    return _ended(entries, code, several=several)


def _audits(
    loaded: Sequence[Loaded], options: RunOptions, older: OlderOutputs, *, several: bool
) -> Iterator[AuditOutcome]:
    """Run what is selected, and yield what became of each audit."""
    for name in options.select:
        if not any(select(loaded, [name])):
            click.echo(f"--select {escape(name)}: no audit here has such a check", err=True)
    selected = zip(loaded, select(loaded, options.select), strict=True)
    for number, (audit, checks) in enumerate(selected, start=1):
        if checks or not options.select:
            chosen = checks if options.select else None
            place = f"{number} of {len(loaded)}, " if several else ""
            yield _audit(audit, chosen, options, older, place)
        else:
            click.echo(f"{escape(audit.document.name)}: nothing selected", err=True)


def _write_indexes(
    folder: Path, entries: Sequence[IndexEntry], code: Exit, options: RunOptions
) -> None:
    """Write what is over all audits, for people and for programs."""
    texts = (draw_index(entries, today()), index_json(entries, code, options.also))
    written = [folder / name for name in INDEXES]
    write_files(list(zip(written, texts, strict=True)))
    if not options.quiet:
        tell_written(written)


def _ended(entries: Sequence[IndexEntry], code: Exit, *, several: bool) -> Exit:
    """Print what all audits came to, and return the code of the run."""
    if not entries:
        click.echo(f"nothing was checked: the selection is empty; exit {int(code)}", err=True)
    if several and entries:
        click.echo()
        show(summary(entries, code))
    return code


def _load_all(
    specs: Sequence[Path],
    options: RunOptions,
    older: OlderOutputs,
    outcomes: list[AuditOutcome],
) -> list[Loaded]:
    """Load the specs; note those that are wrong."""
    loaded: list[Loaded] = []
    for path in specs:
        try:
            with told_apart(path, "spec", "run"), within_limits(options.policy.limits):
                loaded += load_specs(path, options.data, tell, options.policy)
        except BiaspipeError as error:
            tell_error(error)
            older.set_aside([path], goes_on=True)
            outcomes.append(AuditOutcome.failed(str(path), error))
    _refuse_different_data(loaded)
    return loaded


def _refuse_different_data(loaded: Sequence[Loaded]) -> None:
    """Refuse to put one table in the place of several."""
    named = {}
    for spec in loaded:
        if spec.given is not None:
            said = spec.document.values["data"]
            whole = [said.get("connection"), said.get("table"), said.get("path")]
            place = said.get("table") or said["path"]
            paths = [place] if isinstance(place, str) else place
            near = [str(real_path(spec.folder / path)) for path in paths if not said.get("table")]
            named[tuple(near) or str(whole)] = f"{spec.document.name} names {', '.join(paths)}"
    if len(named) > 1:
        words = f"--data stands for one table, and these are different: {'; '.join(named.values())}"
        raise UsageError(words, hint="run them one by one")


def _fill_all(
    loaded: Sequence[Loaded],
    outcomes: list[AuditOutcome],
    texts: GivenTexts,
    older: OlderOutputs,
) -> list[Loaded]:
    """Give the specs their parameters; note those that lack one."""
    if not outcomes:  # a spec that cannot be read may declare any
        refuse_unknown(texts, (spec.audit for spec in loaded))
    filled: list[Loaded] = []
    for spec in loaded:
        try:
            filled.append(spec.filled(read_texts(spec.audit, texts)))
        except BiaspipeError as error:
            tell_error(error)
            older.set_aside([Path(spec.document.name)], [spec.audit.name], goes_on=True)
            outcomes.append(AuditOutcome.failed(spec.document.name, error))
    return filled


def _refuse_inputs(
    specs: Sequence[Path], loaded: Sequence[Loaded], options: RunOptions, older: OlderOutputs
) -> None:
    """Refuse to write over a spec, its data, its baseline or the policy."""
    folder = options.output_dir
    names = [path for one in loaded for path, _ in in_folder(folder, one.audit.name, options.also)]
    indexes = [folder / name for name in INDEXES] if folder else []
    outputs = [*options.outputs, *names, *indexes]
    policy = [("policy", Path(options.policy.name))] if options.policy.name else []
    read = [(_inputs_of(audit, options.policy), audit.document.name) for audit in loaded]
    for inputs, whose in [(policy, "this run"), ([("spec", s) for s in specs], "this run"), *read]:
        known = list(inputs)
        try:
            refuse_input(outputs, known, whose)
        except UsageError:
            for _, path in known:
                older.spare(path)
            raise


def _inputs_of(loaded: Loaded, policy: Policy) -> Iterator[tuple[str, Path]]:
    """Yield what an audit reads: what it is to the audit, and the file.

    Parameters
    ----------
    loaded : a validated spec.
    policy : what it may reach.
    """
    audit, folder = loaded.audit, loaded.folder
    yield "spec", loaded.file
    if audit.baseline is not None:
        yield "baseline", folder / audit.baseline.report
    sources = [audit.data, *audit.data.join] if audit.data.path else audit.data.join
    for source in sources:
        with suppress(BiaspipeError):  # a run says what is wrong with it
            files = find_files(source, folder, ("data",), policy)
            yield from (("data", Path(real)) for real in files.real if not files.remote)


def _refuse_same_names(loaded: Sequence[Loaded]) -> None:
    names = Counter(audit.audit.name for audit in loaded)
    for name, count in names.items():
        if count > 1:
            files = ", ".join(a.document.name for a in loaded if a.audit.name == name)
            hint = "evidence is kept by name; give each audit its own"
            raise UsageError(f"{count} audits are named {name!r}: {files}", hint=hint)


def _audit(
    audit: Loaded,
    checks: tuple[PlannedCheck, ...] | None,
    options: RunOptions,
    older: OlderOutputs,
    place: str,
) -> AuditOutcome:
    """Run an audit, print and write its report; return what became of it."""
    name = audit.document.name
    try:
        with alive(f"{place}{name}", verbose=options.verbose) as progress:
            report = run(audit, _pipeline_options(audit.audit, checks, options), progress=progress)
            code = Exit.PASSED if options.fail_on == "never" else report.exit_code
            progress("writing")
            written, unwritten = _written(report, code, options)
        code = unwritten.exit if unwritten else code
        story = report_story(report, code, everything=options.everything)
        story = with_rates(story, report) if options.rates else story
        show(story, quiet=options.quiet, about=name if place else "")
        tell_written([] if options.quiet else written)
        if unwritten:
            raise unwritten
    except BiaspipeError as error:
        tell_error(error)
        older.set_aside([Path(name)], [audit.audit.name], goes_on=True)
        line = 1 if isinstance(error, OutputError) else audit.line(("data",))
        return AuditOutcome.failed(name, error, line)
    return AuditOutcome.of(report, code, [] if options.quiet else written)


def _pipeline_options(
    audit: Audit, checks: tuple[PlannedCheck, ...] | None, options: RunOptions
) -> Options:
    as_of = options.as_of or today()
    return Options(
        checks,
        names_of(audit, options.select),
        as_of,
        options.waive,
        options.engine,
        policy=options.policy,
        fail_on=options.fail_on,
    )


def _written(
    report: Report, code: Exit, options: RunOptions
) -> tuple[list[Path], OutputError | None]:
    """Write the report; return its files, or what kept it from being written."""
    given = (options.outputs, options.output_dir, options.format)
    try:
        files = write_outputs(
            report, code, *given, also=options.also, everything=options.everything
        )
        return files, None
    except OutputError as error:
        return [], error


def draw_index(entries: Sequence[IndexEntry], day: date) -> str:
    """Return the page over all audits of a run."""
    from biaspipe.renderers.page.drawing import draw_page  # noqa: PLC0415 - loads the templates

    return draw_page(index_story(entries, day))
