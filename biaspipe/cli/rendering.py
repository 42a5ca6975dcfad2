"""`render`: a stored report in any format."""

import sys
from collections.abc import Sequence
from pathlib import Path

from biaspipe.cli.running import exit_of
from biaspipe.cli.writing import check_outputs, write_outputs
from biaspipe.errors import Exit
from biaspipe.renderers.console import console_for, render
from biaspipe.report import read_report

__all__ = ["render_report"]


def render_report(path: Path, outputs: Sequence[Path], chosen: str | None) -> Exit:
    """Write a stored report in other formats, or print it where no file is named.

    Parameters
    ----------
    path : the JSON artifact of a run.
    outputs : the files to write.
    chosen : their format, where their names do not tell it.

    Raises
    ------
    DataError
        If the report cannot be read, or was changed.
    """
    check_outputs(outputs, None, 1, chosen)
    report = read_report(path)
    code = exit_of(report, "fail")
    if outputs:
        write_outputs(report, code, outputs, None, chosen)
    else:
        console_for(sys.stdout).print(render(report, code), crop=False)
    return Exit.PASSED
