"""`render`: a stored report in any format."""

from collections.abc import Sequence
from pathlib import Path

import click

from biaspipe.cli.messages import say
from biaspipe.cli.outputs import (
    check_outputs,
    refuse_input,
    refuse_no_baseline,
    write_outputs,
)
from biaspipe.cli.run import exit_of
from biaspipe.errors import Exit
from biaspipe.pipeline.verification import sound_report
from biaspipe.printable_text import escape
from biaspipe.renderers.console import show
from biaspipe.renderers.formats import FORMATS
from biaspipe.renderers.report import report_story

__all__ = ["render_report"]


def render_report(
    path: Path,
    outputs: Sequence[Path],
    chosen: str | None,
    *,
    everything: bool = False,
    quiet: bool = False,
) -> Exit:
    """Write a stored report in other formats, or print it where no file is named.

    Parameters
    ----------
    path : the JSON artifact of a run.
    outputs : the files to write.
    chosen : their format, where their names do not tell it.
    everything : whether every check has a row.
    quiet : whether only the verdict line is printed, or nothing where files are written.

    Raises
    ------
    DataError
        If the report cannot be read, or was changed.
    UsageError
        If it would be written over.
    """
    check_outputs(outputs, None, 1, chosen if outputs else None)
    refuse_input(outputs, [("report", path)], "this call")
    report = sound_report(path)
    refuse_no_baseline(outputs, chosen, compared=report.result.baseline is not None)
    code = exit_of(report)
    if outputs:
        written = write_outputs(report, code, outputs, None, chosen, everything=everything)
        if written and not quiet:
            say(f"wrote {', '.join(map(escape, written))}", err=True)
    elif chosen:
        click.echo(FORMATS[chosen].text(report, code, everything=everything), nl=False)
    else:
        show(report_story(report, code, everything=everything), quiet=quiet)
    return Exit.PASSED
