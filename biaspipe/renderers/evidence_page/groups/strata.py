"""The strata of conditional disparities: the rates of both groups in each, and who counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import pair_text, share_text
from biaspipe.renderers.figures import RateBar, StrataBars, Stratum
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import Items, Line, StoryColumn, StoryPart, StoryRow, StoryTable
from biaspipe.renderers.text import counted_text, number_text
from biaspipe.report import (
    CheckRecord,
    ComparisonRecord,
    FacetRecord,
    GroupRecord,
    Report,
    StratumLeftOut,
)
from biaspipe.report.counts import StratumRecord

__all__ = ["strata_parts"]

CONDITIONAL = {"CDDPL": "selection_rate", "CDDL": "label_rate"}
"""The metrics that look within strata, and the rate that each of them looks at."""
MAX_SHOWN = 30
"""Strata of a pair that are shown: those of most people."""
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
    phrases = phrases_of_report(report)
    words = {"selection_rate": escape(phrases.predicted), "label_rate": escape(phrases.holding)}
    pairs = dict.fromkeys((check.favored, check.disfavored) for check in ordered(checks))
    found = {(each.favored, each.disfavored): each for each in drawn}
    worst = [found[pair] for pair in pairs if pair in found][:MAX_PAIRS]
    if len(drawn) > len(worst):
        yield Line.of(f"Of {len(drawn):,} comparisons the {len(worst)} gravest stand here.")
    for comparison in worst:
        own = [CONDITIONAL[check.metric] for check in checks if _is_of(check, comparison)]
        yield from _comparison(comparison, {rate: words[rate] for rate in dict.fromkeys(own)})
    yield from _left_out(checks)


def _is_of(check: CheckRecord, comparison: ComparisonRecord) -> bool:
    return (check.favored, check.disfavored) == (comparison.favored, comparison.disfavored)


def _comparison(comparison: ComparisonRecord, rates: Mapping[str, str]) -> Iterator[StoryPart]:
    """Yield a picture of the strata of a pair for each rate that is looked at, and a table."""
    strata = sorted(comparison.strata or (), key=lambda each: -(each.favored.n + each.disfavored.n))
    shown = strata[:MAX_SHOWN]
    pair = f"{pair_text(comparison.favored, comparison.disfavored)}, within strata"
    for rate, words in rates.items():
        yield StrataBars(
            f"{pair}: {words}",
            escape(comparison.favored),
            escape(comparison.disfavored),
            tuple(_stratum(each, rate) for each in shown),
        )
    yield _table(comparison, shown, rates, pair)
    if more := len(strata[MAX_SHOWN:]):
        yield Line.of(f"{more:,} strata of fewer people stand in the report alone.")


def _rate_of(group: GroupRecord, rate: str) -> float | None:
    return group.selection_rate if rate == "selection_rate" else group.label_rate


def _stratum(stratum: StratumRecord, rate: str) -> Stratum:
    favored, disfavored = _rate_of(stratum.favored, rate), _rate_of(stratum.disfavored, rate)
    people = f"{number_text(stratum.favored.n)} and {number_text(stratum.disfavored.n)}"
    return Stratum(
        escape(stratum.stratum),
        RateBar("favored", share_text(favored), favored, None, "reference"),
        RateBar("disfavored", share_text(disfavored), disfavored, None),
        people,
    )


def _table(
    comparison: ComparisonRecord,
    strata: Sequence[StratumRecord],
    rates: Mapping[str, str],
    caption: str,
) -> StoryTable:
    """Return the people and the rates of both groups in each stratum."""
    names = (escape(comparison.disfavored), escape(comparison.favored))
    titles = [f"{name}, {what}" for name in names for what in ("people", *rates.values())]
    rows = [
        (escape(s.stratum), *_numbers(s.disfavored, rates), *_numbers(s.favored, rates))
        for s in strata
    ]
    columns = (StoryColumn("Stratum"), *(StoryColumn(title, "number") for title in titles))
    return StoryTable(columns, tuple(map(StoryRow, rows)), ("Stratum",), caption)


def _numbers(group: GroupRecord, rates: Iterable[str]) -> Iterator[str]:
    yield number_text(group.n)
    yield from (share_text(_rate_of(group, rate)) for rate in rates)


def _left_out(checks: Sequence[CheckRecord]) -> Iterator[StoryPart]:
    """Yield the strata that a disparity leaves out, or can say nothing of."""
    lines = []
    for check in checks:
        where = f"{check.metric}, {pair_text(check.favored, check.disfavored)}"
        if left := check.strata_left_out:
            words = "left out, since one outcome never occurs there"
            lines.append(f"{where}: {words}: {_listed(left)}")
        if alone := check.strata_of_one_group:
            words = "of one group alone, which count as no disparity"
            lines.append(f"{where}: {words}: {_listed(alone)}")
    if lines:
        yield Line.of("Strata that say nothing of a difference:")
        yield Items.of(lines)


def _listed(strata: Sequence[StratumLeftOut]) -> str:
    return "; ".join(f"{escape(s.stratum)} ({counted_text(s.n, 'person')})" for s in strata)
