"""The appendix: counts, what was counted as what, the spec, and a glossary of the metrics."""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

import yaml

from biaspipe.metrics import METRICS, Metric
from biaspipe.printable_text import escape
from biaspipe.renderers.column_lines import column_text
from biaspipe.renderers.evidence_page.wording import everything
from biaspipe.renderers.reference.metric_facts import end_text
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Section,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
    Verbatim,
)
from biaspipe.renderers.text import number_text
from biaspipe.report import FacetRecord, GroupRecord, Report
from biaspipe.report.counts import CELLS
from biaspipe.spec import Audit

__all__ = ["appendix_sections", "spec_lines"]

CELL_TITLES = {
    "TP": "TP",
    "FP": "FP",
    "FN": "FN",
    "TN": "TN",
    "positives": "Favorable labels",
    "negatives": "Unfavorable labels",
    "predicted_positives": "Favorable predictions",
    "predicted_negatives": "Unfavorable predictions",
}
KEY = (
    "TP and FP are predicted favorable, FN and TN are not; TP and FN have the favorable label, "
    "FP and TN have not."
)


def appendix_sections(report: Report) -> Iterator[Section]:
    """Yield the sections of the appendix.

    Parameters
    ----------
    report : the whole report.
    """
    tables = [_counts(facet) for facet in report.result.facets if facet.comparisons]
    if tables:
        key = [Line.of(KEY)] if report.result.data.everyone.TP is not None else []
        yield Section((*key, *tables), "Counts of each comparison", 3)
    if columns := report.result.data.counted_as:
        yield Section((Items.of(map(column_text, columns)),), "What was counted as what", 3)
    yield Section(
        (
            Line.of(
                "The spec as it was read, its keys in the order of the documentation; the digest "
                "is that of its file, whose comments and layout are not kept."
            ),
            Facts((Line.fact("sha256", report.result.audit.sha256),)),
            Verbatim(tuple(spec_lines(report.result.audit.spec))),
        ),
        "The spec",
        3,
    )
    if used := dict.fromkeys(check.metric for check in report.result.checks):
        yield Section((_glossary([METRICS[metric] for metric in used]),), "The metrics", 3)


def spec_lines(spec: dict[str, Any]) -> list[str]:
    r"""Return a spec as YAML that says the same, in lines that can only be read.

    What shows nothing or does more than that is written as YAML escapes it, so the text stays
    faithful.

    Parameters
    ----------
    spec : the spec as it was read.

    >>> spec_lines({"name": "a" + chr(0x202E)})
    ['name: "a\\u202E"']
    """
    text = _yaml(spec, unicode=True)
    lines = text.split("\n")[:-1]
    if any(escape(line) != line for line in lines):
        lines = [escape(line) for line in _yaml(spec, unicode=False).split("\n")[:-1]]
    return lines


def _yaml(spec: dict[str, Any], *, unicode: bool) -> str:
    """Write a spec, its keys in the order of the documentation and those below by name.

    In which order a stored report has them is not that of the file.
    """
    known = [key for key in Audit.model_fields if key in spec]
    parts = [*known, *sorted((key for key in spec if key not in known), key=str)]
    return "".join(
        yaml.safe_dump({key: spec[key]}, sort_keys=True, allow_unicode=unicode, width=96)
        for key in parts
    )


def _counts(facet: FacetRecord) -> StoryTable:
    """Return the counts of both groups of every comparison of a facet."""
    first = facet.comparisons[0].counts["favored"]
    cells = [name for name in CELLS if getattr(first, name) is not None]
    rows = [
        StoryRow(
            (
                everything(comparison.favored, comparison.disfavored),
                escape(comparison.favored if side == "favored" else comparison.disfavored),
                *_numbers(comparison.counts[side], cells),
            )
        )
        for comparison in facet.comparisons
        for side in ("disfavored", "favored")
    ]
    titles = ("Comparison", "Group", "Rows", "People", *(CELL_TITLES[name] for name in cells))
    kinds = (StoryColumn(title, "text" if i < 2 else "number") for i, title in enumerate(titles))
    caption = f"People by outcome, {escape(facet.facet)}"
    return StoryTable(tuple(kinds), tuple(rows), ("Comparison", "Group"), caption)


def _numbers(group: GroupRecord, cells: Iterable[str]) -> Iterator[str]:
    yield f"{group.rows:,}"
    yield number_text(group.n)
    for name in cells:
        n = getattr(group, name)
        yield "" if n is None else number_text(n)


def _glossary(metrics: list[Metric]) -> StoryTable:
    """Return what each metric is: what it tells, formula, range, parity and who defined it."""
    rows = [
        StoryRow(
            (
                StoryCell.of(metric.name, metric.id),
                StoryCell(tuple(map(Line.of, filter(None, (metric.plainly, metric.good_for))))),
                StoryCell.of(metric.formula, _range(metric)),
                metric.source,
            )
        )
        for metric in metrics
    ]
    titles = ("Metric", "What it tells", "Formula", "Source")
    caption = "In formulas, a is the favored group (the reference) and d the other one"
    return StoryTable(tuple(map(StoryColumn, titles)), tuple(rows), titles[1:], caption)


def _range(metric: Metric) -> str:
    low, high = map(_end, metric.range)
    return f"{low} to {high}, parity {metric.ideal:g}"


def _end(end: float) -> str:
    if abs(end) == inf:
        return "infinity" if end > 0 else "-infinity"
    return end_text(end)
