"""The report for a person at a terminal or in a CI log; it shows and computes nothing."""

import os
from collections.abc import Iterable, Iterator
from typing import IO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from biaspipe.errors import Exit, shown, unlike_commands
from biaspipe.renderers.asked import caution_lines, cautions
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.counted_as import sides_text
from biaspipe.renderers.facets import STYLES, facet_parts
from biaspipe.renderers.findings import findings, governance, not_computed, uncovered
from biaspipe.renderers.wording import counted_text, parameters_text, verdict_counts, verdict_text
from biaspipe.report import CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["console_for", "plain_text", "render", "summary"]

LOG_WIDTH = 120
INDENT = "  "


class Page(Console):
    """A console on which only lines of ours begin at the margin.

    A name of a spec may be long, and what stands where it is wrapped may read like a verdict.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render something, text with what is wrapped of a line set in."""
        width = (options or self.options).max_width
        if isinstance(renderable, Text) and not renderable.no_wrap:
            renderable = self._set_in(renderable, width)
        return super().render(renderable, options)

    def _set_in(self, text: Text, width: int) -> Text:
        if all(cell_len(line) <= width for line in text.plain.split("\n")):
            return text
        lines: list[Text] = []
        for line in text.split(allow_blank=True):
            first, *rest = line.wrap(self, max(1, width - len(INDENT))) or [line]
            lines += [first, *(Text(INDENT).append_text(one) for one in rest)]
        joined = Text("\n", end=text.end).join(lines)
        joined.end = text.end
        return joined


def console_for(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console for a stream: as wide as its terminal or COLUMNS says, else 120.

    Parameters
    ----------
    file : where to write.
    width : columns, where it is not the stream's own business.
    """
    if width is None and not file.isatty() and "COLUMNS" not in os.environ:
        width = LOG_WIDTH
    return Page(file=file, width=width, highlight=False, markup=False, emoji=False)


def render(report: Report, code: Exit) -> RenderableType:
    """Return a report as a header, a table for each facet, the failures and the tally.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    """
    parts: list[RenderableType] = [*_header(report)]
    checks: dict[str | None, list[CheckRecord]] = {f.facet: [] for f in report.result.facets}
    for check in report.result.checks:
        checks.setdefault(check.facet, []).append(check)
    checks[None] = checks.pop(None, [])  # those without a facet stand last
    for facet, found in checks.items():
        parts += facet_parts(report, facet, found) if found else ()
    notes = [*not_computed(report), *uncovered(report), *_departures(report)]
    notes += [*findings(report), *governance(report)]
    parts += [Text(), *notes, *([Text()] if notes else []), _tally(report, code)]
    return Group(*parts)


def _departures(report: Report) -> Iterable[RenderableType]:
    if report.result.compat is None:
        return ()
    from biaspipe.renderers.smclarify import departures  # noqa: PLC0415 - under compat only

    return departures(report)


def _header(report: Report) -> Iterator[RenderableType]:
    result = report.result
    everyone, rows = result.data.everyone, counted_text(result.data.rows, "row")
    if everyone.n != everyone.rows:
        people = counted_text(everyone.n, "person")
        all_known = everyone.rows == result.data.rows
        rows += f", {people}" if all_known else f"; {people} counted"
    lines = {
        "audit": shown(result.audit.name),
        "spec": f"{shown(report.run.spec)}  sha256 {result.audit.sha256[:12]}",
        "data": f"{_data(report)}  {rows}",
        **({"with": parameters_text(result)} if result.audit.parameters else {}),
        "result": f"sha256 {report.result_sha256[:12]}",
        **({"decided": _rules(report)} if result.audit.spec.get("decision") else {}),
    }
    text = Text()
    for title, line in lines.items():
        text.append(f"{title:<8}", "dim").append(f"{line}\n", "bold" if title == "audit" else "")
    for column in result.data.counted_as or ():
        if column.facet is None:
            text.append("counted ", "dim").append(f"{sides_text(column)}\n")
    verdict = Text("verdict ", "dim").append(verdict_text(report), STYLES[result.verdict])
    text.rstrip()
    yield text
    yield from caution_lines(cautions(report))
    yield verdict


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
    return shown(", ".join(path) if isinstance(path, list) else path) + more


def _tally(report: Report, code: Exit) -> RenderableType:
    verdict = report.result.verdict
    line = Text()
    counted = verdict_counts(report)
    for i, (kind, n) in enumerate(counted):
        line.append(f"{', ' if i else ''}{n} {kind.past}", STYLES[kind])
        line.append(_counts_as(report) if kind is Verdict.UNDECIDED else "")
    if (baseline := report.result.baseline) and baseline.fails:
        line.append(f"{', ' if counted else ''}{len(baseline.vanished)} vanished", STYLES[verdict])
    if verdict is Verdict.REPORTED:
        line.append("; " if counted else "")
        line.append("NOTHING CHECKED: no check has a limit", STYLES[Verdict.UNDECIDED])
    line.append(f"  ({report.run.seconds:.2f} s)  exit {int(code)}")
    return line


def _counts_as(report: Report) -> str:
    undecided = report.result.decision.undecided
    return "" if undecided == "fail" else f" (counted as {undecided}, as the spec says)"


def summary(rows: Iterable[tuple[str, str, Exit]], code: Exit) -> RenderableType:
    """Return the table that ends a run of several audits.

    Parameters
    ----------
    rows : spec, what it came to in words, and its exit code.
    code : the worst of them.
    """
    table = Columns(("verdict", "spec", "exit"), right=("exit",), folded=("spec",))
    for spec, words, each in rows:
        style = "green" if each is Exit.PASSED else "bold red"
        table.add(words, shown(spec), str(int(each)), style=style)
    return Group(Text(), table, Text(f"exit {int(code)}"))


def plain_text(report: Report, code: Exit) -> str:
    """Return the console report as text without colour, 120 columns wide."""
    console = Page(width=LOG_WIDTH, color_system=None, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(render(report, code), crop=False)
    lines = "\n".join(line.rstrip() for line in captured.get().splitlines())
    return unlike_commands(lines) + "\n"
