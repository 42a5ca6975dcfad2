"""The story of a report: what it comes to, a section for each facet, its notes, and the tally."""

from collections.abc import Iterator

from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.about import about, run_text
from biaspipe.renderers.cautions import caution_lines, cautions
from biaspipe.renderers.column_lines import column_text
from biaspipe.renderers.console.facets import facet_section, shown_and_hidden
from biaspipe.renderers.console.findings import summary_line, worst_text
from biaspipe.renderers.console.notes import notes
from biaspipe.renderers.selections import impact_rule
from biaspipe.renderers.story import Facts, Line, Section, Span, Story
from biaspipe.renderers.subgroups import subgroup_section
from biaspipe.renderers.text import counted_text, parameters_text, sample_text, verdict_counts
from biaspipe.report import CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["report_story", "verdict_line"]


def report_story(report: Report, code: Exit, *, everything: bool = False) -> Story:
    """Return the story of a report.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    everything : whether what passed, has no limit or repeats another check has a row as well.
    """
    checks: dict[str | None, list[CheckRecord]] = {f.facet: [] for f in report.result.facets}
    for check in report.result.checks:
        checks.setdefault(check.facet, []).append(check)
    checks[None] = checks.pop(None, [])  # those without a facet stand last
    facets, left = [], 0
    for facet, found in checks.items():
        shown, hidden = (found, []) if everything else shown_and_hidden(report, facet, found)
        if shown or (hidden and facet is not None):
            facets.append(facet_section(report, facet, shown, hidden, everything=everything))
        left += len(hidden)
    unlimited = report.result.verdict is Verdict.REPORTED
    subgroups = subgroup_section(report, everything=everything)
    noted = tuple(notes(report, everything=everything or unlimited))
    about = [Section(noted)] if noted else []
    header = Section((Facts(tuple(_header(report))),))
    ending = (*_left_out(left), _tally(report, code))
    searched = [subgroups] if subgroups else []
    return Story((header, *facets, *searched, *about, Section(ending)))


def verdict_line(story: Story) -> Line:
    """Return the last line of a story, which says what it comes to and the exit code."""
    line = story.sections[-1].parts[-1]
    if not isinstance(line, Line):
        raise TypeError("a story ends in a line")
    return line


def _left_out(n: int) -> Iterator[Line]:
    if n:
        words = f"{counted_text(n, 'check')} {'is' if n == 1 else 'are'} not shown; --all shows all"
        yield Line.of(words, role="aside")


def _header(report: Report) -> Iterator[Line]:
    result = report.result
    yield from caution_lines(cautions(report))
    yield summary_line(report)
    if words := worst_text(report):
        yield Line.fact("worst", words)
    everyone, rows = result.data.everyone, counted_text(result.data.rows, "row")
    if everyone.n != everyone.rows:
        all_known = everyone.rows == result.data.rows
        counted = "" if all_known or everyone.effective is not None else " counted"
        rows += f"{', ' if all_known else '; '}{sample_text(everyone)}{counted}"
    yield Line.fact("audit", Span(escape(result.audit.name), "strong"))
    for title, words in (*about(report), ("run", run_text(report))):
        yield Line.fact(title, words)
    yield Line.fact("spec", f"{escape(report.run.spec)}  sha256 {result.audit.sha256[:12]}")
    yield Line.fact("data", f"{_data(report)}  {rows}")
    if result.audit.parameters:
        yield Line.fact("with", parameters_text(result))
    yield Line.fact("result", f"sha256 {report.result_sha256[:12]}")
    if result.audit.spec.get("decision") or impact_rule(report):
        yield Line.fact("decided", _rules(report))
    for column in result.data.counted_as or ():
        if column.facet is None:
            yield Line.fact("counted", column_text(column))


def _rules(report: Report) -> str:
    """Say how values became verdicts."""
    rules = report.result.decision
    how = {
        "value": "by the values",
        "inside": "by intervals inside the limits",
        "outside": "by intervals outside the limits",
    }
    words, impact = [how[rules.decide_by]], impact_rule(report)
    words += [f"adverse impact by {impact}"] if impact else []
    words += [f"min_rows {rules.min_rows}"]
    words += [f"undecided: {rules.undecided}"] if rules.undecided != "fail" else []
    what = "p-values" if rules.decide_by == "value" else "p-values and intervals"
    words += [f"{what} corrected by {rules.correction}"] if rules.correction != "none" else []
    return ", ".join(words)


def _data(report: Report) -> str:
    """Return where the data is as the spec writes it, and how many files or tables were read."""
    audit = report.result.audit
    path, kind = audit.place, "tables" if audit.is_of_tables else "files"
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
