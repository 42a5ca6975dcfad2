"""`render`: a stored report in any format."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from biaspipe.cli.file_kinds import told_apart
from biaspipe.cli.github import report_commands
from biaspipe.cli.messages import tell_written
from biaspipe.cli.outputs import check_outputs, refuse_no_baseline, write_outputs
from biaspipe.errors import Exit, UsageError
from biaspipe.output_files import refuse_input
from biaspipe.output_files.streams import write_commands
from biaspipe.pipeline.verification import sound_report
from biaspipe.renderers.console.drawing import show
from biaspipe.renderers.console.report import report_story
from biaspipe.renderers.formats import FORMATS
from biaspipe.renderers.rates import with_rates
from biaspipe.report import Report
from biaspipe.report.report_files import files_behind

__all__ = ["render_report"]


def render_report(  # noqa: PLR0913 - each is an option
    path: Path,
    outputs: Sequence[Path],
    chosen: str | None,
    *,
    everything: bool = False,
    rates: bool = False,
    quiet: bool = False,
) -> Exit:
    """Write a stored report in other formats, or print it where no file is named.

    Parameters
    ----------
    path : the JSON artifact of a run.
    outputs, chosen : the files to write, and what `--format` says.
    everything, rates : whether every check has a row, and the rates of every group are printed.
    quiet : whether only the verdict line is printed, or nothing where files are written.

    Raises
    ------
    DataError
        If the report cannot be read, or was changed.
    UsageError
        If a file it is read from or made from is written over, or rates are asked for in files.
    """
    if rates and outputs:
        raise UsageError("--rates is about what is printed, and -o prints nothing")
    check_outputs(outputs, None, 1, chosen if outputs else None)
    code = (report := _read_beside(path, outputs)).exit_code
    refuse_no_baseline(outputs, chosen, compared=report.result.baseline is not None)
    if outputs:
        files = write_outputs(report, code, outputs, None, chosen, everything=everything)
        tell_written([] if quiet else files)
    if chosen == "github":
        write_commands(report_commands(report, code), sys.stdout)
    elif not outputs and chosen:
        click.echo(FORMATS[chosen].text(report, code, everything=everything), nl=False)
    elif not outputs:
        _print(report, code, everything=everything, rates=rates, quiet=quiet)
    return Exit.PASSED


def _read_beside(path: Path, outputs: Sequence[Path]) -> Report:
    """Read a report; refuse outputs that are that or what it was made from."""
    refuse_input(outputs, [("report", path)], "this call")
    with told_apart(path, "report", "render"):
        report = sound_report(path)
    refuse_input(outputs, files_behind(report, path.parent), "the report")
    return report


def _print(report: Report, code: Exit, *, everything: bool, rates: bool, quiet: bool) -> None:
    story = report_story(report, code, everything=everything)
    show(with_rates(story, report) if rates else story, quiet=quiet)
