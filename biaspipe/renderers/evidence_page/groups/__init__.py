"""The groups of each facet: their rates, how outcomes met, and where every row went."""

from collections.abc import Iterator, Mapping

from biaspipe.metrics import GROUP_RATES, RateName
from biaspipe.plan import unmistakable
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.groups.figures import group_figures
from biaspipe.renderers.evidence_page.groups.flips import flip_lines
from biaspipe.renderers.evidence_page.groups.records import part_text, rates_of, worth_of
from biaspipe.renderers.evidence_page.groups.strata import strata_parts
from biaspipe.renderers.evidence_page.wording import pair_text, rate_meanings, sentence, share_text
from biaspipe.renderers.rates import groups_by_part, rate_title
from biaspipe.renderers.story import (
    Items,
    Line,
    Section,
    Span,
    StoryCell,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import counted_text, difference_text, ends_text, number_text
from biaspipe.report import FacetGroupRecord, FacetRecord, RateRecord, Report

__all__ = ["group_sections"]

FULL: Mapping[str, str] = {
    "TPR": "true positive rate",
    "FPR": "false positive rate",
    "TNR": "true negative rate",
    "FNR": "false negative rate",
    "PPV": "positive predictive value",
    "NPV": "negative predictive value",
}
"""What the titles of rates are short for."""


def group_sections(report: Report) -> Iterator[Section]:
    """Yield the groups of every facet, those that are small, missing or not compared among them.

    Parameters
    ----------
    report : the whole report.
    """
    lead = "Everybody in the data, whether compared or not"
    if any(g.part == "favored" for facet in report.result.facets for g in facet.groups):
        lead += "; where there is a reference, it stands first"
    meanings = tuple(_meanings(report))
    yield Section((Line.of(f"{lead}."), *([Items(meanings)] if meanings else [])), "The groups")
    for facet in report.result.facets:
        yield Section(tuple(_parts(report, facet)), escape(unmistakable(facet.facet)), 3)


def _meanings(report: Report) -> Iterator[Line]:
    """Yield what stands above the columns of the rates, and what that is."""
    about = rate_meanings(report)
    for name in GROUP_RATES:
        if _has(report, name):
            full = f" ({FULL[name]})" if name in FULL else ""
            yield Line.of(Span(sentence(rate_title(name)), "strong"), f"{full}: {about[name]}.")


def _has(report: Report, name: RateName) -> bool:
    return any(name in rates_of(f, group) for f in report.result.facets for group in f.groups)


def _parts(report: Report, facet: FacetRecord) -> Iterator[StoryPart]:
    yield _table(facet)
    yield from group_figures(report, facet)
    if told := tuple(_model_bias(facet)):
        yield Line.of("What the model adds to the difference that the labels show:")
        yield Items(told)
    yield from flip_lines(report, facet)
    yield from strata_parts(report, facet)


def _table(facet: FacetRecord) -> StoryTable:
    """Return the groups of a facet with their people and rates."""
    groups = [(group, rates_of(facet, group)) for group in groups_by_part(facet)]
    names = [name for name in GROUP_RATES if any(name in rates for _, rates in groups)]
    columns = ("Group", "People", *(sentence(rate_title(name)) for name in names))
    rows = [
        StoryRow(
            (_name(facet, group), _people(facet, group), *(_rate(rates.get(n)) for n in names))
        )
        for group, rates in groups
    ]
    kinds = (StoryColumn(title, "number" if i else "text") for i, title in enumerate(columns))
    caption = f"The groups of {escape(facet.facet)}"
    caption += " and their rates, with intervals" if names else ""
    return StoryTable(tuple(kinds), tuple(rows), ("Group",), caption)


def _name(facet: FacetRecord, group: FacetGroupRecord) -> StoryCell:
    return StoryCell.of(escape(group.group), part_text(facet, group))


def _people(facet: FacetRecord, group: FacetGroupRecord) -> StoryCell:
    """Return the people that count, in how many rows; of a weighted sample whom they stand for."""
    worth = worth_of(facet, group)
    if worth is None:
        more = [counted_text(group.rows, "row")] if group.people != group.rows else []
        return StoryCell.of(number_text(group.people), *more)
    told = [f"in effect {number_text(worth)} of equal weight"] if worth != group.rows else []
    stood = f"standing for {number_text(group.people)}"
    return StoryCell.of(number_text(group.rows), stood, *told)


def _rate(rate: RateRecord | None) -> str | StoryCell:
    if rate is None:
        return ""
    if rate.low is None or rate.high is None:
        return share_text(rate.value)
    ends = f"{100 * rate.low:.1f}\N{EN DASH}{100 * rate.high:.1f}%"
    return StoryCell.of(share_text(rate.value), ends)


def _model_bias(facet: FacetRecord) -> Iterator[Line]:
    for comparison in facet.comparisons:
        if bias := comparison.model_bias:
            ends = f"{difference_text(bias.value)}, interval {ends_text(bias.interval, '+')}"
            pair = pair_text(comparison.favored, comparison.disfavored)
            yield Line.of(f"{pair}: {escape(bias.sentence)} (DPPL - DPL {ends})")
