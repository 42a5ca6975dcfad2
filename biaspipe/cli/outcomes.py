"""What became of each spec of a run: its report, or the error that there is instead."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from biaspipe.errors import BiaspipeError, Exit
from biaspipe.printable_text import first_line, shorten
from biaspipe.renderers.commands.index_page import IndexEntry, entry_of, entry_without
from biaspipe.report import Report
from biaspipe.secrets import clean_message

__all__ = ["AuditOutcome"]

MAX_REASON = 300
"""Letters of an error that the page over all audits shows."""


class AuditOutcome(NamedTuple):
    """A spec of a run.

    Parameters
    ----------
    entry : its line in what is said of all of them.
    report : its report, if it gave one.
    error : why it gave none.
    line : the line of the spec that the error is about, where the error itself names none.
    """

    entry: IndexEntry
    report: Report | None = None
    error: BiaspipeError | None = None
    line: int = 1

    @classmethod
    def of(cls, report: Report, code: Exit, files: Iterable[Path]) -> "AuditOutcome":
        """Return that of an audit whose report was written into some files."""
        return cls(entry_of(report, code, files), report)

    @classmethod
    def failed(cls, spec: str, error: BiaspipeError, line: int = 1) -> "AuditOutcome":
        """Return that of a spec that gave no report, since it is wrong or cannot be audited."""
        words = "wrong spec" if error.exit is Exit.WRONG_SPEC else "not audited"
        reason = shorten(first_line(clean_message(error)), MAX_REASON)
        return cls(entry_without(spec, words, error.exit, reason), None, error, line)
