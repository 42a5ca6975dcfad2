"""The strata of conditional disparities: the rates of both groups in each, and who counts."""

from collections.abc import Iterator, Sequence

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import pair_text, rate_text
from biaspipe.renderers.figures import RateBar, StrataBars, Stratum
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import Items, Line, StoryColumn, StoryPart, StoryRow, StoryTable
from biaspipe.renderers.text import counted_text, number_text
from biaspipe.report import CheckRecord, ComparisonRecord, FacetRecord, Report
from biaspipe.report.checks import StratumLeftOut
from biaspipe.report.counts import GroupRecord, StratumRecord

__all__ = ["strata_parts"]

CONDITIONAL = {"CDDPL": "selection_rate", "CDDL": "label_rate"}
"""The metrics that look within strata, and the rate that each of them looks at."""
RATES = {"selection_rate": "predicted favorable", "label_rate": "with the favorable label"}
MAX_DRAWN = 30
"""Strata of a picture; those of most people."""
MAX_PAIRS = 8
"""Comparisons of a facet whose strata are shown; of more, the gravest."""


def strata_parts(report: Report, facet: FacetRecord) -> Iterator[StoryPart]:
    """Yield the strata of each pair of a facet that a metric looks at.

    Parameters
    ----------
    report : the whole report.
    facet : the facet.
    """
    checks = [
        check
        for check in report.result.checks
        if check.facet == facet.facet and check.metric in CONDITIONAL
    ]
    drawn = [comparison for comparison in facet.comparisons if comparison.strata]
    if not checks or not drawn:
        return
    yield Line.of(
        "Conditional disparities (CDDL, CDDPL) compare the groups within strata, where people "
        "are alike in what the strata say. A stratum counts by its people."
    )
    pairs = dict.fromkeys((check.favored, check.disfavored) for check in ordered(checks))
    found = {(each.favored, each.disfavored): each for each in drawn}
    worst = [found[pair] for pair in pairs if pair in found][:MAX_PAIRS]
    if len(drawn) > len(worst):
        yield Line.of(f"Of {len(drawn):,} comparisons the {len(worst)} gravest stand here.")
    for comparison in worst:
        yield from _comparison(comparison, [c for c in checks if _is_of(c, comparison)])
    yield from _left_out(checks)


def _is_of(check: CheckRecord, comparison: ComparisonRecord) -> bool:
    return (check.favored, check.disfavored) == (comparison.favored, comparison.disfavored)


def _comparison(comparison: ComparisonRecord, checks: Sequence[CheckRecord]) -> Iterator[StoryPart]:
    """Yield the picture and the table of the strata of a pair, for each rate that is looked at."""
    strata = sorted(comparison.strata or (), key=lambda each: -(each.favored.n + each.disfavored.n))
    pair = pair_text(comparison.favored, comparison.disfavored)
    for metric in dict.fromkeys(check.metric for check in checks):
        rate = CONDITIONAL[metric]
        title = f"{pair}, within strata: {RATES[rate]} ({metric})"
        yield StrataBars(
            title,
            escape(comparison.favored),
            escape(comparison.disfavored),
            tuple(_stratum(each, rate) for each in strata[:MAX_DRAWN]),
        )
        yield _table(comparison, strata, rate, title)


def _rate_of(group: GroupRecord, rate: str) -> float | None:
    return group.selection_rate if rate == "selection_rate" else group.label_rate


def _stratum(stratum: StratumRecord, rate: str) -> Stratum:
    favored, disfavored = _rate_of(stratum.favored, rate), _rate_of(stratum.disfavored, rate)
    people = f"{number_text(stratum.favored.n)} and {number_text(stratum.disfavored.n)}"
    return Stratum(
        escape(stratum.stratum),
        RateBar("favored", rate_text(favored), favored, None, "reference"),
        RateBar("disfavored", rate_text(disfavored), disfavored, None),
        people,
    )


def _table(
    comparison: ComparisonRecord, strata: Sequence[StratumRecord], rate: str, caption: str
) -> StoryTable:
    favored, disfavored = escape(comparison.favored), escape(comparison.disfavored)
    titles = ("Stratum", f"{disfavored}, people", f"{disfavored}", f"{favored}, people", favored)
    rows = [
        StoryRow(
            (
                escape(each.stratum),
                number_text(each.disfavored.n),
                rate_text(_rate_of(each.disfavored, rate)),
                number_text(each.favored.n),
                rate_text(_rate_of(each.favored, rate)),
            )
        )
        for each in strata
    ]
    kinds = (StoryColumn(title, "number" if i else "text") for i, title in enumerate(titles))
    return StoryTable(tuple(kinds), tuple(rows), ("Stratum",), caption)


def _left_out(checks: Sequence[CheckRecord]) -> Iterator[StoryPart]:
    """Yield the strata that a disparity leaves out, or can say nothing of."""
    lines = []
    for check in checks:
        where = f"{check.metric}, {pair_text(check.favored, check.disfavored)}"
        if left := check.strata_left_out:
            words = "left out, since one outcome never occurs there"
            lines.append(Line.of(f"{where}: {words}: {_listed(left)}"))
        if alone := check.strata_of_one_group:
            words = "of one group alone, which count as no disparity"
            lines.append(Line.of(f"{where}: {words}: {_listed(alone)}"))
    if lines:
        yield Line.of("Strata that say nothing of a difference:")
        yield Items(tuple(lines))


def _listed(strata: Sequence[StratumLeftOut]) -> str:
    return "; ".join(f"{escape(s.stratum)} ({counted_text(s.n, 'person')})" for s in strata)
