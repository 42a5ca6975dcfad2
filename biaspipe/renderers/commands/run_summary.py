"""The end of a run of several audits: what each came to, what is worst in it, what was written."""

from collections.abc import Iterable

from biaspipe.errors import Exit
from biaspipe.printable_text import escape, shorten
from biaspipe.renderers.commands.index_page import IndexEntry
from biaspipe.renderers.signs import audit_role
from biaspipe.renderers.story import Line, Section, Story, StoryColumn, StoryRow, StoryTable

__all__ = ["files_text", "summary", "summary_table"]

TITLES = ("verdict", "exit", "spec", "checks", "worst", "wrote")
LEAVING = ("worst", "wrote")
"""Columns that stand below their rows where there is little room, the last one first."""
MAX_REASON = 80
"""Letters of why a spec gave no report."""


def summary(entries: Iterable[IndexEntry], code: Exit) -> Story:
    """Return the summary of a run of several audits.

    Parameters
    ----------
    entries : a line for each audit, in the order of the run.
    code : the worst of their exit codes.
    """
    return Story((Section((summary_table(entries), Line.of(f"exit {int(code)}"))),))


def summary_table(entries: Iterable[IndexEntry]) -> StoryTable:
    """Return a table with a row for each audit; columns in which all are empty are left out.

    Parameters
    ----------
    entries : a line for each audit.
    """
    rows = [(entry, _cells(entry)) for entry in entries]
    kept = [i for i, name in enumerate(TITLES) if any(cells[i] for _, cells in rows)]
    names = [TITLES[i] for i in kept]
    return StoryTable(
        tuple(StoryColumn(name, "number" if name == "exit" else "text") for name in names),
        tuple(
            StoryRow(tuple(cells[i] for i in kept), audit_role(entry.verdict))
            for entry, cells in rows
        ),
        wrapping=tuple(name for name in ("checks", "spec", *LEAVING) if name in names),
        apart=tuple(1 for name in LEAVING if name in names),
    )


def _cells(entry: IndexEntry) -> tuple[str, ...]:
    worst = entry.worst if entry.name else shorten(escape(entry.reason), MAX_REASON)
    code, wrote = str(int(entry.code)), escape(files_text(entry.files))
    return entry.words, code, escape(entry.spec), entry.tally, worst, wrote


def files_text(files: Iterable[str]) -> str:
    """Write the names of files; of those that differ in their endings alone the first in full.

    >>> files_text(["out/loan.json", "out/loan.html", "rates.csv"])
    'out/loan.json, .html, rates.csv'
    """
    endings: dict[str, list[str]] = {}
    for file in files:
        stem, dot, ending = file.rpartition(".")
        endings.setdefault(stem or file, []).append(f"{dot}{ending}" if stem else "")
    return ", ".join(
        word for stem, (first, *others) in endings.items() for word in (stem + first, *others)
    )
