"""The page over all audits of a run: what each came to, and where its own page is."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import quote

from biaspipe import __version__
from biaspipe.errors import PRECEDENCE, Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import description_text, model_text, owner_text
from biaspipe.renderers.ci.alerts import worst_alert
from biaspipe.renderers.signs import audit_role
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
    words : the same in words, in small letters.
    code : the exit code of the audit.
    name : its name; empty where no report was written.
    description, model, owner : what is audited, which model, and who answers for it.
    tally : how many checks came to what.
    people : how many people were seen.
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
    description: str = ""
    model: str = ""
    owner: str = ""
    tally: str = ""
    people: str = ""
    worst: str = ""
    files: tuple[str, ...] = ()
    digest: str = ""
    reason: str = ""

    @property
    def rank(self) -> tuple[int, int]:
        """Its place among others, the worst first, as exit codes take precedence."""
        worst = Exit.worst([self.code, self.verdict.exit])
        return PRECEDENCE.index(worst), self.verdict.gravity


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
    return IndexEntry(
        report.run.spec,
        result.verdict,
        result.verdict.of_audit,
        code,
        result.audit.name,
        description=description_text(report),
        model=model_text(report),
        owner=owner_text(report),
        tally=tally_text(report),
        people=people,
        worst=worst_alert(report),
        files=tuple(map(str, files)),
        digest=report.result_sha256,
    )


def entry_without(spec: str, words: str, code: Exit, reason: str = "") -> IndexEntry:
    """Return the line of a spec that gave no report, with what became of it in words, and why."""
    return IndexEntry(spec, Verdict.FAIL, words, code, reason=reason)


def index_story(entries: Sequence[IndexEntry], day: date) -> Story:
    """Return the story of the index, the worst audit first.

    Parameters
    ----------
    entries : a line for each audit.
    day : when they were run.
    """
    ordered = sorted(entries, key=lambda one: one.rank)
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
    return Line.of(Span(worst.words.upper(), audit_role(worst.verdict)), of)


def _row(entry: IndexEntry) -> StoryRow:
    name = _link(entry.name, "html", entry.name) if entry.name else Span("no report")
    below = (entry.description, escape(entry.spec))
    asides = [Line.of(Span(words, "aside")) for words in below if words]
    audit = StoryCell((Line.of(name), *asides))
    report = StoryCell((Line.of(_link(entry.name, "json", "JSON")),)) if entry.name else ""
    checks = entry.tally if entry.name else escape(entry.reason)
    told = (audit, entry.model, checks, entry.people, entry.owner, report)
    cells = (entry.words.upper(), *told, str(int(entry.code)))
    return StoryRow(cells, audit_role(entry.verdict))


def _link(name: str, ending: str, words: str) -> Span:
    return Span(escape(words), link=quote(f"{name}.{ending}"))
