"""All checks at one glance, and the values without a limit: groups by metrics."""

from collections.abc import Iterator, Sequence
from typing import Literal

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import (
    VERDICTS,
    everything,
    metric_name,
)
from biaspipe.renderers.story import (
    Items,
    Line,
    Section,
    StoryCell,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import counted_text, documented_text, interval_text, value_text
from biaspipe.report import CheckRecord, ComparisonRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["heat_map_section", "reported_section"]

FEW = 3
"""Pairs of groups that a table has columns for."""
IN_CELLS = {verdict: Line.of(words.one) for verdict, words in VERDICTS.items()}
"""What a cell of a map says of its check."""
Pair = tuple[str | None, str | None]


def heat_map_section(report: Report) -> Section | None:
    """Return the maps of all facets; None where no check has a limit.

    Parameters
    ----------
    report : the whole report.
    """
    lead = "Each cell is one check: what it came to, and the value."
    maps = [table for facet in _facets(report) for table in _map(report, facet)]
    return Section((Line.of(lead), *maps), "At a glance") if maps else None


def reported_section(report: Report) -> Section | None:
    """Return the values that have no limit, so that nothing is decided on them.

    Where nothing has one they are what the page is about, else a part of the appendix.

    Parameters
    ----------
    report : the whole report.
    """
    lead = "These values have no limit: they are told, and nothing is decided on them."
    tables = [table for facet in _facets(report) for table in _reported(report, facet)]
    tables += [Items.of(told)] if (told := tuple(_departures(report))) else []
    level: Literal[2, 3] = 2 if report.result.verdict is Verdict.REPORTED else 3
    return Section((Line.of(lead), *tables), "Values without a limit", level) if tables else None


def _departures(report: Report) -> Iterator[str]:
    """Yield the documented values where the ones above are another tool's."""
    for check in report.result.checks:
        if check.verdict is Verdict.REPORTED and check.compat and check.compat.differs:
            about = f"{check.metric}, {everything(check.favored, check.disfavored)}"
            yield f"{about}: documented value {documented_text(check, check.compat)}"


def _facets(report: Report) -> list[str | None]:
    return list(dict.fromkeys(check.facet for check in report.result.checks))


def _map(report: Report, facet: str | None) -> Iterator[StoryPart]:
    """Yield the map of a facet: a row for each pair, a column for each metric with a limit."""
    checks = [c for c in report.result.checks if c.facet == facet]
    metrics = list(dict.fromkeys(c.metric for c in checks if c.verdict is not Verdict.REPORTED))
    if not metrics:
        return
    pairs = _pairs(checks)
    found = {((c.favored, c.disfavored), c.metric): c for c in checks}
    references = {favored for favored, _ in pairs}
    title = "Compared" if facet is None or len(references) > 1 else "Group"
    compared = report.result.comparisons
    rows = []
    for pair in pairs:
        group = _group(pair[1], compared.get((facet, *pair)))
        name = group if title == "Group" else everything(*pair)
        rows.append(StoryRow((name, *(_cell(found.get((pair, m))) for m in metrics))))
    about = "All people" if facet is None else escape(facet)
    against = f", compared with {escape(next(iter(references)))}" if title == "Group" else ""
    columns = (StoryColumn(title), *(StoryColumn(metric) for metric in metrics))
    yield StoryTable(columns, tuple(rows), (title,), f"{about}{against}")


def _pairs(checks: Sequence[CheckRecord]) -> list[Pair]:
    return list(dict.fromkeys((check.favored, check.disfavored) for check in checks))


def _group(name: str | None, comparison: ComparisonRecord | None) -> StoryCell:
    """Return which group a row is about, with its people."""
    people = [counted_text(comparison.counts["disfavored"].n, "person")] if comparison else []
    return StoryCell.of(escape(name), *people)


def _cell(check: CheckRecord | None) -> str | StoryCell:
    if check is None:
        return ""
    lines = (IN_CELLS[check.verdict], Line.of(value_text(check)))
    return StoryCell(lines, role=check.verdict)


def _reported(report: Report, facet: str | None) -> Iterator[StoryPart]:
    """Yield a table of the values of a facet, with the fewer of pairs and metrics across."""
    checks = [
        check
        for check in report.result.checks
        if check.facet == facet and check.verdict is Verdict.REPORTED
    ]
    if not checks:
        return
    pairs, metrics = _pairs(checks), list(dict.fromkeys(check.metric for check in checks))
    found = {((c.favored, c.disfavored), c.metric): c for c in checks}
    names = {check.metric: metric_name(check) for check in checks}
    caption = "All people" if facet is None else escape(facet)
    if len(pairs) <= FEW:
        titles = ("Metric", *(everything(*pair) for pair in pairs))
        rows = [
            (names[m], *(_value(found.get((pair, m)), pairs) for pair in pairs)) for m in metrics
        ]
    else:
        titles = ("Compared", *metrics)
        rows = [
            (everything(*pair), *(_value(found.get((pair, m)), pairs) for m in metrics))
            for pair in pairs
        ]
    columns = (StoryColumn(titles[0]), *(StoryColumn(title, "number") for title in titles[1:]))
    yield StoryTable(columns, tuple(map(StoryRow, rows)), titles[:1], caption)


def _value(check: CheckRecord | None, pairs: Sequence[Pair]) -> str:
    """Write a value, with its interval where there is room for it."""
    if check is None:
        return ""
    interval = interval_text(check) if len(pairs) <= FEW else ""
    return f"{value_text(check)} ({interval})" if interval else value_text(check)
