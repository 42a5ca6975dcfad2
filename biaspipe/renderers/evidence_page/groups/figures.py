"""The pictures of a facet: rates by group, confusion tables, and where every row went."""

from collections.abc import Iterator

from biaspipe.metrics import RateName
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.groups.records import outcomes_of, rates_of
from biaspipe.renderers.evidence_page.wording import rate_meanings, sentence, share_text
from biaspipe.renderers.figures import (
    ConfusionTable,
    ConfusionTables,
    Figure,
    RateBar,
    RateBars,
    RowBar,
    RowBars,
)
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.rates import groups_by_part
from biaspipe.renderers.text import number_text
from biaspipe.report import FacetGroupRecord, FacetRecord, RateRecord, Report

__all__ = ["group_figures"]

DRAWN: tuple[RateName, ...] = ("selection_rate", "label_rate", "TPR", "FPR")
"""The rates that are drawn."""
FATES = {
    "favored": "in a reference group",
    "disfavored": "in a compared group",
    "other": "in a group that is not compared",
    "facet_missing": "without a value of the facet",
    "label_missing": "without a label",
    "prediction_missing": "without a prediction",
    "removed_by_where": "removed by the condition",
}
"""What became of a row, by its name in the report."""


def group_figures(report: Report, facet: FacetRecord) -> Iterator[Figure]:
    """Yield the pictures of a facet.

    Parameters
    ----------
    report : the whole report.
    facet : the facet.
    """
    yield from _rates(report, facet)
    yield from _confusion(report, facet)
    yield from _rows(report, facet)


def _rates(report: Report, facet: FacetRecord) -> Iterator[Figure]:
    meanings = rate_meanings(report)
    groups = [(group, rates_of(facet, group)) for group in groups_by_part(facet)]
    for name in DRAWN:
        bars = [_bar(group, rates[name]) for group, rates in groups if name in rates]
        if bars:
            yield RateBars(f"{sentence(meanings[name])}, by {escape(facet.facet)}", tuple(bars))


def _bar(group: FacetGroupRecord, rate: RateRecord) -> RateBar:
    ends = None if rate.low is None or rate.high is None else (rate.low, rate.high)
    name, text = escape(group.group), share_text(rate.value)
    if group.part == "favored":
        return RateBar(name, text, rate.value, ends, "reference")
    return RateBar(name, text, rate.value, ends, "compared" if group.compared else "other")


def _confusion(report: Report, facet: FacetRecord) -> Iterator[Figure]:
    """Yield how labels and predictions of each group met, where both are declared."""
    tables = []
    for group in groups_by_part(facet):
        counts = outcomes_of(facet, group)
        if counts is not None and counts.TP is not None:
            cells = (counts.TP, counts.FP or 0, counts.FN or 0, counts.TN or 0)
            first, second, third, fourth = map(number_text, cells)
            texts = (first, second, third, fourth)
            tables.append(ConfusionTable(escape(group.group), cells, texts))
    if tables:
        words = phrases_of_report(report)
        yield ConfusionTables(
            f"Labels and predictions, by {escape(facet.facet)}",
            tuple(tables),
            (escape(words.predicted), escape(words.unpredicted)),
            (escape(words.holding), escape(words.others)),
        )


def _rows(report: Report, facet: FacetRecord) -> Iterator[Figure]:
    """Yield what became of all rows, and of those of each group."""
    if ledger := report.result.data.ledger.get(facet.facet):
        counted = ledger.model_dump()
        parts = [(FATES[n], float(counted[n]), f"{counted[n]:,}") for n in FATES if counted[n]]
        yield RowBars("Where every row went", (RowBar("All rows", tuple(parts)),))
    bars = [RowBar(escape(group.group), tuple(_fates(group))) for group in groups_by_part(facet)]
    if any(group.lost_rows for group in facet.groups):
        yield RowBars(f"Where the rows of each group of {escape(facet.facet)} went", tuple(bars))


def _fates(group: FacetGroupRecord) -> Iterator[tuple[str, float, str]]:
    place = "compared" if group.compared else "not compared"
    for name, rows in (
        (place, group.rows),
        ("without a label", group.label_missing),
        ("without a prediction", group.prediction_missing),
    ):
        if rows:
            yield name, float(rows), f"{rows:,}"
