"""The story of a report: its header, a section for each facet, its notes, and the tally."""

from collections.abc import Iterable, Iterator

from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import about, day_text
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.column_lines import column_text
from biaspipe.renderers.facets import facet_section
from biaspipe.renderers.notes import notes
from biaspipe.renderers.story import (
    Facts,
    Line,
    Section,
    Span,
    Story,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import counted_text, parameters_text, verdict_counts, verdict_text
from biaspipe.report import CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["report_story", "summary"]


def report_story(report: Report, code: Exit) -> Story:
    """Return the story of a report.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    """
    checks: dict[str | None, list[CheckRecord]] = {f.facet: [] for f in report.result.facets}
    for check in report.result.checks:
        checks.setdefault(check.facet, []).append(check)
    checks[None] = checks.pop(None, [])  # those without a facet stand last
    facets = (facet_section(report, facet, found) for facet, found in checks.items() if found)
    noted = tuple(notes(report))
    about = [Section(noted)] if noted else []
    header = Section((Facts(tuple(_header(report))),))
    return Story((header, *facets, *about, Section((_tally(report, code),))))


def summary(rows: Iterable[tuple[str, str, Exit]], code: Exit) -> Story:
    """Return the summary of a run of several audits.

    Parameters
    ----------
    rows : spec, what it came to in words, and its exit code.
    code : the worst of them.
    """
    columns = (StoryColumn("verdict"), StoryColumn("spec"), StoryColumn("exit", "number"))
    found = [
        StoryRow((words, escape(spec), str(int(each))), Verdict.FAIL if each else Verdict.PASS)
        for spec, words, each in rows
    ]
    table = StoryTable(columns, tuple(found), wrapping=("spec",))
    return Story((Section((table, Line.of(f"exit {int(code)}"))),))


def _header(report: Report) -> Iterator[Line]:
    result = report.result
    everyone, rows = result.data.everyone, counted_text(result.data.rows, "row")
    if everyone.n != everyone.rows:
        people = counted_text(everyone.n, "person")
        all_known = everyone.rows == result.data.rows
        rows += f", {people}" if all_known else f"; {people} counted"
    yield _fact("audit", Span(escape(result.audit.name), "strong"))
    for title, words in (*about(report), ("run", day_text(report))):
        yield _fact(title, words)
    yield _fact("spec", f"{escape(report.run.spec)}  sha256 {result.audit.sha256[:12]}")
    yield _fact("data", f"{_data(report)}  {rows}")
    if result.audit.parameters:
        yield _fact("with", parameters_text(result))
    yield _fact("result", f"sha256 {report.result_sha256[:12]}")
    if result.audit.spec.get("decision"):
        yield _fact("decided", _rules(report))
    for column in result.data.counted_as or ():
        if column.facet is None:
            yield _fact("counted", column_text(column))
    yield from caution_lines(cautions(report))
    yield _fact("verdict", Span(verdict_text(report), result.verdict))


def _fact(title: str, words: str | Span) -> Line:
    return Line.of(words, titles=[Span(title, "aside")])


def _rules(report: Report) -> str:
    """Say how values became verdicts."""
    rules = report.result.decision
    how = {
        "value": "by the values",
        "inside": "by intervals inside the limits",
        "outside": "by intervals outside the limits",
    }
    words = [how[rules.decide_by], f"min_rows {rules.min_rows}"]
    words += [f"undecided: {rules.undecided}"] if rules.undecided != "fail" else []
    words += [f"p-values corrected by {rules.correction}"] if rules.correction != "none" else []
    return ", ".join(words)


def _data(report: Report) -> str:
    """Return where the data is as the spec writes it, and how many files or tables were read."""
    data = report.result.audit.spec["data"]
    path, kind = (data["table"], "tables") if "table" in data else (data["path"], "files")
    inputs = len(report.result.data.inputs)
    more = f" ({inputs} {kind})" if inputs > 1 else ""
    return escape(", ".join(path) if isinstance(path, list) else path) + more


def _tally(report: Report, code: Exit) -> Line:
    result, words = report.result, list[str | Span]()
    counted = verdict_counts(report)
    for i, (kind, n) in enumerate(counted):
        words.append(Span(f"{', ' if i else ''}{n} {kind.past}", kind))
        words += [_counts_as(report)] if kind is Verdict.UNDECIDED else []
    if (baseline := result.baseline) and baseline.fails:
        vanished = f"{', ' if counted else ''}{len(baseline.vanished)} vanished"
        words.append(Span(vanished, result.verdict))
    if result.verdict is Verdict.REPORTED:
        words += ["; "] if counted else []
        words.append(Span("NOTHING CHECKED: no check has a limit", Verdict.UNDECIDED))
    return Line.of(*words, f"  ({report.run.seconds:.2f} s)  exit {int(code)}")


def _counts_as(report: Report) -> str:
    undecided = report.result.decision.undecided
    return "" if undecided == "fail" else f" (counted as {undecided}, as the spec says)"
