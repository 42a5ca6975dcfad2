"""The page over all audits of a run: what each came to, and where its own page is."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import quote

from biaspipe import __version__
from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import description_text, model_text, owner_text
from biaspipe.renderers.ci.alerts import worst_alert
from biaspipe.renderers.story import (
    Line,
    Section,
    Span,
    Story,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import (
    counted_text,
    number_text,
    people_seen,
    tally_text,
    verdict_text,
)
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["IndexEntry", "entry_of", "entry_without", "index_story"]


NUMBERS = ("Exit",)


class IndexEntry(NamedTuple):
    """A line of the index.

    Parameters
    ----------
    spec : the spec's path.
    verdict : what the audit came to; a failure where it came to nothing.
    words : the same in words.
    code : the exit code of the audit.
    name : its name; empty where no report was written.
    about : what is audited, which model, how many checks came to what, people, and the owner;
        without a report why.
    worst : what somebody has to look at first, in a few words; empty if there is nothing.
    files : the files that were written.
    digest : the SHA-256 of its result; empty without a report.
    reason : why there is no report.
    """

    spec: str
    verdict: Verdict
    words: str
    code: Exit
    name: str = ""
    about: tuple[str, str, str, str, str] = ("", "", "", "", "")
    worst: str = ""
    files: tuple[str, ...] = ()
    digest: str = ""
    reason: str = ""


def entry_of(report: Report, code: Exit, files: Iterable[object] = ()) -> IndexEntry:
    """Return the line of an audit whose report was written.

    Parameters
    ----------
    report : the report.
    code : its exit code.
    files : the files that were written.
    """
    result = report.result
    everyone = result.data.everyone
    people = number_text(people_seen(everyone))
    if everyone.effective is not None:
        people += f", standing for {number_text(everyone.n)}"
    counted = (tally_text(report), people)
    about = (description_text(report), model_text(report), *counted, owner_text(report))
    name = result.audit.name
    verdict = result.verdict, verdict_text(report)
    worst, written, digest = worst_alert(report), tuple(map(str, files)), report.result_sha256
    return IndexEntry(report.run.spec, *verdict, code, name, about, worst, written, digest)


def entry_without(spec: str, words: str, code: Exit, reason: str = "") -> IndexEntry:
    """Return the line of a spec that gave no report, with what became of it in words, and why."""
    about = ("", "", escape(reason), "", "")
    return IndexEntry(spec, Verdict.FAIL, words.upper(), code, about=about, reason=reason)


def index_story(entries: Sequence[IndexEntry], day: date) -> Story:
    """Return the story of the index, the worst audit first.

    Parameters
    ----------
    entries : a line for each audit.
    day : when they were run.
    """
    ordered = sorted(entries, key=lambda one: (bool(one.name), one.verdict.gravity))
    titles = ("Verdict", "Audit", "Model", "Checks", "People", "Owner", "Report", "Exit")
    table = StoryTable(
        tuple(StoryColumn(title, "number" if title in NUMBERS else "text") for title in titles),
        tuple(map(_row, ordered)),
        caption="Each audit of this run, the worst first.",
    )
    lead = Section((_conclusion(ordered), Line.of(f"Run on {day} by biaspipe {__version__}.")))
    return Story((lead, Section((table,), "The audits")), "Bias audits")


def _conclusion(entries: Sequence[IndexEntry]) -> Line:
    """Say the worst that an audit came to, and how many did."""
    if not entries:
        return Line.of("No audit was run.")
    worst = entries[0]
    alike = sum((one.words, one.name == "") == (worst.words, worst.name == "") for one in entries)
    of = f": {alike:,} of {counted_text(len(entries), 'audit')}, the worst of this run."
    return Line.of(Span(worst.words, worst.verdict), of)


def _row(entry: IndexEntry) -> StoryRow:
    described, model, *counted = entry.about
    name = _link(entry.name, "html", entry.name) if entry.name else Span("no report")
    asides = [Line.of(Span(words, "aside")) for words in (described, escape(entry.spec)) if words]
    audit = StoryCell((Line.of(name), *asides))
    report = StoryCell((Line.of(_link(entry.name, "json", "JSON")),)) if entry.name else ""
    cells = (entry.words, audit, model, *counted, report, str(int(entry.code)))
    return StoryRow(cells, entry.verdict)


def _link(name: str, ending: str, words: str) -> Span:
    return Span(escape(words), link=quote(f"{name}.{ending}"))
