"""The pictures of a facet: rates by group, confusion tables, and where every row went."""

from collections.abc import Iterator, Mapping, Sequence

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
from biaspipe.renderers.omissions import LEFT_OUT
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.rates import groups_by_part
from biaspipe.renderers.text import number_text
from biaspipe.report import FacetGroupRecord, FacetRecord, RateRecord, Report

__all__ = ["group_figures"]

DRAWN: tuple[RateName, ...] = ("selection_rate", "label_rate", "TPR", "FPR")
"""The rates that are drawn."""
FATES = {
    "favored": "reference",
    "disfavored": "compared",
    **LEFT_OUT,
    "other": "not compared",
}
"""What became of a row, by its name in the report."""
LOST = "without a label or a prediction"
"""What became of people who lack an outcome, whichever it is."""


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
    groups = groups_by_part(facet)
    if any(group.n is not None for group in groups):
        yield from _people(report, facet, groups)
        return
    if ledger := report.result.data.ledger.get(facet.facet):
        counted = ledger.model_dump()
        parts = [(FATES[n], float(counted[n]), f"{counted[n]:,}") for n in FATES if counted[n]]
        yield RowBars("Where every row went", (RowBar("All rows", tuple(parts)),))
    bars = [RowBar(escape(group.group), tuple(_fates(group))) for group in groups]
    if any(group.lost_rows for group in facet.groups):
        yield RowBars(f"Where the rows of each group of {escape(facet.facet)} went", tuple(bars))


def _people(
    report: Report, facet: FacetRecord, groups: Sequence[FacetGroupRecord]
) -> Iterator[Figure]:
    """Yield where people went, of whom a row of a weighted table may be many."""
    parts: dict[str, float] = {}
    for group in groups:
        for name, people in _people_by_fate(group).items():
            parts[name] = parts.get(name, 0) + people
    everybody = RowBar("All people", tuple(_counted(parts)))
    ledger = report.result.data.ledger.get(facet.facet)
    removed = ledger is not None and ledger.removed_by_where
    title = "Where everybody went"
    title += ", but for who is in rows that the condition removed" if removed else ""
    yield RowBars(title, (everybody,))
    if any(group.lost_people for group in groups):
        bars = [RowBar(escape(g.group), tuple(_counted(_people_by_fate(g)))) for g in groups]
        yield RowBars(f"Where the people of each group of {escape(facet.facet)} went", tuple(bars))


def _people_by_fate(group: FacetGroupRecord) -> dict[str, float]:
    return {_place(group): float(group.people), LOST: float(group.lost_people)}


def _counted(parts: Mapping[str, float]) -> Iterator[tuple[str, float, str]]:
    for name in (*FATES.values(), LOST):
        if people := parts.get(name):
            yield name, people, number_text(people)


def _place(group: FacetGroupRecord) -> str:
    if group.part == "missing":
        return FATES["facet_missing"]
    side = "favored" if group.part == "favored" else "disfavored"
    return FATES[side if group.compared else "other"]


def _fates(group: FacetGroupRecord) -> Iterator[tuple[str, float, str]]:
    for name, rows in (
        (_place(group), group.rows),
        ("without a label", group.label_missing),
        ("without a prediction", group.prediction_missing),
    ):
        if rows:
            yield name, float(rows), f"{rows:,}"
