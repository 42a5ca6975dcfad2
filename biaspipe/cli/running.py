"""`run`: audits to reports, on the console and in files."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Timer
from typing import Literal, cast

import click
from rich.console import Console

from biaspipe.cli.converting import tell
from biaspipe.cli.stale import Older
from biaspipe.cli.writing import check_outputs, is_regular, refuse_no_baseline, write_outputs
from biaspipe.errors import BiaspipeError, Exit, OutputError, UsageError, printable
from biaspipe.loading import Loaded, find_specs
from biaspipe.migration import load_specs
from biaspipe.pipeline import Options, Progress, run
from biaspipe.pipeline.inputs import inputs_of
from biaspipe.pipeline.selection import select
from biaspipe.plan import PlannedCheck
from biaspipe.policy import DEFAULT, Policy
from biaspipe.renderers.console import console_for, render, summary
from biaspipe.report import Report
from biaspipe.spec import EngineName, today
from biaspipe.verdict import Verdict, exit_code

__all__ = ["RunOptions", "alive", "exit_of", "run_specs"]

PATIENCE = 1.0
"""Seconds after which a run on a terminal shows that it is alive."""

Row = tuple[str, str, Exit]


@dataclass(frozen=True)
class RunOptions:
    """The options of `run`.

    Parameters
    ----------
    outputs : files to write the report of a single spec to.
    output_dir : folder to write the artifact of every spec to.
    fail_on : the mildest verdict that counts as a failure.
    select : tags, metrics and facets to select.
    as_of : the day on which waivers have to hold; today if left out.
    waive : whether waivers are applied.
    data : the data of a configuration of another tool, instead of its own.
    format : what `outputs` are written as, where their names do not tell it.
    engine : what counts, instead of what the specs say.
    policy : what the specs may reach.
    """

    outputs: Sequence[Path] = ()
    output_dir: Path | None = None
    fail_on: str = "fail"
    select: Sequence[str] = ()
    as_of: date | None = None
    waive: bool = True
    data: str | None = None
    format: str | None = None
    engine: EngineName | None = None
    policy: Policy = DEFAULT


def run_specs(paths: Sequence[Path], options: RunOptions) -> Exit:
    """Run every spec, print and write its report, and return the worst code.

    Parameters
    ----------
    paths : specs or folders of them.
    options : what to select, where to write, what counts as a failure.
    """
    older = Older.standing(paths, options.outputs, options.output_dir, options.format)
    try:
        code = _run_all(paths, options, older)
    except BaseException:
        older.set_aside(paths)
        raise
    older.set_aside(())
    return code


def _run_all(paths: Sequence[Path], options: RunOptions, older: Older) -> Exit:
    specs = find_specs(paths, tell)
    check_outputs(options.outputs, options.output_dir, len(specs), options.format)
    loaded, rows = _load_all(specs, options, older)
    check_outputs(options.outputs, None, len(loaded), options.format)
    compared = all(audit.audit.baseline for audit in loaded)
    refuse_no_baseline(options.outputs, options.format, compared=compared)
    _refuse_twins(loaded)
    _refuse_inputs(loaded, options, older)
    console = console_for(sys.stdout)
    for name in options.select:
        if not any(select(loaded, [name])):
            click.echo(f"--select {name}: no audit here has such a check", err=True)
    for audit, checks in zip(loaded, select(loaded, options.select), strict=True):
        if checks or not options.select:
            chosen = checks if options.select else None
            rows.append(_audit(console, audit, chosen, options, older))
        else:
            click.echo(f"{audit.document.name}: nothing selected", err=True)
    code = Exit.worst(code for *_, code in rows)
    if not rows:
        code = Exit.PASSED if options.fail_on == "never" else Exit.NOTHING_CHECKED
        click.echo(f"nothing was checked: the selection is empty; exit {int(code)}", err=True)
    if max(len(specs), len(loaded)) > 1 and rows:
        console.print(summary(rows, code), crop=False)
    return code


def _load_all(
    specs: Sequence[Path], options: RunOptions, older: Older
) -> tuple[list[Loaded], list[Row]]:
    loaded: list[Loaded] = []
    rows: list[Row] = []
    for path in specs:
        try:
            loaded += load_specs(path, options.data, tell, options.policy)
        except BiaspipeError as error:
            click.echo(f"error: {printable(error)}", err=True)
            older.set_aside([path])
            rows.append((str(path), "wrong spec", error.exit))
    return loaded, rows


def _refuse_inputs(loaded: Sequence[Loaded], options: RunOptions, older: Older) -> None:
    """Refuse to write over a spec, its data or its baseline."""
    folder = options.output_dir
    names = [folder / f"{audit.audit.name}.json" for audit in loaded] if folder else []
    standing = [path for path in (*options.outputs, *names) if is_regular(path)]
    for audit in loaded if standing else ():
        for what, path in inputs_of(audit, options.policy):
            if any(path.exists() and path.samefile(output) for output in standing):
                older.spare(path)
                words = f"{path} is the {what} of {audit.document.name}, and would be written over"
                raise UsageError(words, hint="write the report to another file")


def _refuse_twins(loaded: Sequence[Loaded]) -> None:
    names = Counter(audit.audit.name for audit in loaded)
    for name, count in names.items():
        if count > 1:
            files = ", ".join(a.document.name for a in loaded if a.audit.name == name)
            hint = "evidence is kept by name; give each audit its own"
            raise UsageError(f"{count} audits are named {name!r}: {files}", hint=hint)


def _audit(
    console: Console,
    audit: Loaded,
    checks: tuple[PlannedCheck, ...] | None,
    options: RunOptions,
    older: Older,
) -> Row:
    name = audit.document.name
    try:
        with alive() as progress:
            report = run(audit, _pipeline_options(checks, options), progress=progress)
        code = exit_of(report, options.fail_on)
        unwritten = _unwritten(report, code, options)
        code = unwritten.exit if unwritten else code
        console.print(render(report, code), crop=False)
        if unwritten:
            raise unwritten
    except BiaspipeError as error:
        click.echo(f"error: {printable(error)}", err=True)
        older.set_aside([Path(name)], [audit.audit.name])
        return name, "not audited", error.exit
    verdict = report.result.verdict
    words = "nothing checked" if verdict is Verdict.REPORTED else verdict.value
    return name, words, code


def _pipeline_options(checks: tuple[PlannedCheck, ...] | None, options: RunOptions) -> Options:
    as_of = options.as_of or today()
    return Options(
        checks,
        tuple(options.select),
        as_of,
        options.waive,
        options.engine,
        policy=options.policy,
    )


def _unwritten(report: Report, code: Exit, options: RunOptions) -> OutputError | None:
    """Write the report; return what kept it from being written."""
    try:
        write_outputs(report, code, options.outputs, options.output_dir, options.format)
    except OutputError as error:
        return error
    return None


def exit_of(report: Report, fail_on: str) -> Exit:
    """Return what a process ends with that has come to this report."""
    chosen = cast("Literal['fail', 'warn', 'never']", fail_on)
    return exit_code(report.result.verdicts, chosen, report.result.decision.undecided)


@contextmanager
def alive() -> Iterator[Progress]:
    """Show on a terminal what a run is at, once it takes longer than a second."""
    console = Console(stderr=True, highlight=False, markup=False)
    status = console.status("reading")
    timer = Timer(PATIENCE, status.start)
    timer.daemon = True
    if console.is_terminal:
        timer.start()
    try:
        yield status.update
    finally:
        timer.cancel()
        status.stop()
