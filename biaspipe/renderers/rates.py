"""The rates of every group of a facet, as tables with a row for each group."""

from collections.abc import Iterator, Sequence

from biaspipe.metrics import GROUP_RATES, RateName
from biaspipe.metrics.digits import confidence_text
from biaspipe.printable_text import escape
from biaspipe.renderers.story import (
    Line,
    Role,
    Section,
    Span,
    Story,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import SAMPLED, people_text, rate_text
from biaspipe.report import FacetGroupRecord, FacetRecord, RateRecord, Report

__all__ = [
    "groups_by_part",
    "rate_tables",
    "rate_title",
    "rates_legend",
    "with_rates",
]

NARROW, GAP, RATE = 80, 2, 17
"""Columns of a narrow page, between the cells of a table, and of a rate with its interval."""
ORDER = ("favored", "both", "disfavored", "not compared", "in no group", "empty", "missing")
"""The parts of groups in the order in which their rates are read: the reference first."""
REMARKS = {"favored": "favored", "not compared": "not compared", "empty": "nobody"}
"""What is said beside the name of a group of some part."""
ROLES: dict[str, Role] = {
    "favored": "strong",
    "not compared": "aside",
    "in no group": "aside",
    "empty": "aside",
    "missing": "aside",
}


def with_rates(story: Story, report: Report) -> Story:
    """Put the rates of every group into the story of a report, before its last section.

    Parameters
    ----------
    story : what is said of the report without them.
    report : the whole report.
    """
    *sections, last = story.sections
    facets = [facet for facet in report.result.facets if _names(facet)]
    rates = [section for facet in facets for section in _sections(report, facet)]
    about = rates_legend(report) if rates else Line.of(_none(report), role="aside")
    return story._replace(sections=(*sections, *rates, Section((about,)), last))


def _sections(report: Report, facet: FacetRecord) -> Iterator[Section]:
    """Yield the tables of a facet, the first one with its title and what it shows."""
    first, *others = rate_tables(report, facet, _fitting(facet.groups))
    sampled = any(group.effective is not None for group in facet.groups)
    caption = f"{first.caption}; {SAMPLED}" if sampled else first.caption
    parts = (Line.of(caption, role="aside"), first)
    yield Section(parts, f"rates of {escape(facet.facet)}")
    yield from (Section((table,)) for table in others)


def _fitting(groups: Sequence[FacetGroupRecord]) -> int:
    """Return how many rates stand beside the names of groups in a narrow page, no word broken."""
    word = max(len(word) for group in groups for word in _name(group).split())
    people = max(len(people_text(group.people, group.effective)) for group in groups)
    return 3 if word + people + 3 * RATE + 4 * GAP <= NARROW else 2


def rate_tables(
    report: Report, facet: FacetRecord, rates_each: int = len(GROUP_RATES)
) -> tuple[StoryTable, ...]:
    """Return the rates of every group of a facet, the favored one first.

    Parameters
    ----------
    report : the whole report.
    facet : one of its facets; without rates, as in older reports, there is no table.
    rates_each : how many rates a table has at most.
    """
    confidence = confidence_text(report.result.decision.confidence)
    caption = f"share of each group's people, with its {confidence} interval in percent"
    groups, names = groups_by_part(facet), _names(facet)
    starts = range(0, len(names), rates_each)
    return tuple(_table(groups, names[i : i + rates_each], caption) for i in starts)


def groups_by_part(facet: FacetRecord) -> list[FacetGroupRecord]:
    """Return the groups of a facet: those compared with first, those not compared last."""
    return sorted(facet.groups, key=lambda group: ORDER.index(group.part))


def rate_title(name: RateName) -> str:
    """Return what a rate is called in a table.

    >>> rate_title("label_rate"), rate_title("TPR")
    ('label rate', 'TPR')
    """
    return name.replace("_", " ")


def rates_legend(report: Report) -> StoryTable:
    """Return what each rate of a report is the share of, with its formula.

    Parameters
    ----------
    report : the whole report.
    """
    found = {name for facet in report.result.facets for name in _names(facet)}
    titles = ("rate", "formula", "meaning")
    rows = (
        StoryRow((rate_title(name), rate.formula, rate.about))
        for name, rate in GROUP_RATES.items()
        if name in found
    )
    return StoryTable(tuple(map(StoryColumn, titles)), tuple(rows), wrapping=("meaning",))


def _names(facet: FacetRecord) -> list[RateName]:
    """Return the rates that the groups of a facet have."""
    found = {name for group in facet.groups for name in group.rates or ()}
    return [name for name in GROUP_RATES if name in found]


def _none(report: Report) -> str:
    """Say why a report has no rates."""
    columns = report.result.audit.spec.get("columns", {})
    if not {"label", "prediction"} & set(columns):
        return "no rates: the audit declares neither a label nor a prediction"
    return "no rates: the report was written before there were any; run the audit again"


def _table(
    groups: Sequence[FacetGroupRecord], names: Sequence[RateName], caption: str
) -> StoryTable:
    titles = ["people", *map(rate_title, names)]
    return StoryTable(
        (StoryColumn("group"), *(StoryColumn(title, "number") for title in titles)),
        tuple(_row(group, names) for group in groups),
        wrapping=("group",),
        caption=caption,
    )


def _row(group: FacetGroupRecord, names: Sequence[RateName]) -> StoryRow:
    rates = group.rates or {}
    cells = (_cell(rates[rate]) if rate in rates else "" for rate in names)
    people = people_text(group.people, group.effective)
    return StoryRow((_name(group), people, *cells), ROLES.get(group.part))


def _name(group: FacetGroupRecord) -> str:
    remark = REMARKS.get(group.part)
    return escape(group.group) if remark is None else f"{escape(group.group)} ({remark})"


def _cell(rate: RateRecord) -> str | StoryCell:
    """Write a rate and its interval in one line."""
    if rate.value is None or rate.low is None or rate.high is None:
        return "undefined"
    ends = f" ({100 * rate.low:.1f}-{100 * rate.high:.1f})"
    return StoryCell((Line.of(rate_text(rate.value), Span(ends, "aside")),))
