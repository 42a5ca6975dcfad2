"""Checks that say again what another one says of the same people, and against the same side."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose

from biaspipe.metrics import METRICS
from biaspipe.plan import REST
from biaspipe.renderers.severity import far_first
from biaspipe.report import CheckRecord, ComparisonRecord, FacetRecord, Report

__all__ = ["has_other_sign", "repeated", "repetitions", "rests_of"]

Pair = tuple[str | None, str | None]


def repeated(
    facet: FacetRecord | None, checks: Iterable[CheckRecord]
) -> list[tuple[CheckRecord, CheckRecord]]:
    """Return the checks of a facet that another one stands for, each with that one.

    Two groups that are each compared with the rest are compared twice, the other way round; and
    a metric has the values of another one. What is against another side says something else.
    The one that stands for others is the gravest, and of these the farthest beyond its limit.

    Parameters
    ----------
    facet : the facet; None for what compares no groups.
    checks : its checks.
    """
    turned = _turned(facet.comparisons if facet else ())
    first: dict[tuple[Pair, str, str | None], CheckRecord] = {}
    again = []
    for check in sorted(checks, key=_rank):
        pair = (check.favored, check.disfavored)
        metric = METRICS[check.metric].same_as or check.metric
        key = (turned.get(pair, pair), metric, _harmed(check, is_turned=pair in turned))
        other = first.setdefault(key, check)
        if other is not check and _says_the_same(other, check):
            again.append((check, other))
    return again


def repetitions(report: Report) -> list[tuple[CheckRecord, CheckRecord]]:
    """Return the checks of a report that say again what another one says, each with that one.

    Parameters
    ----------
    report : the whole report.
    """
    checks: dict[str | None, list[CheckRecord]] = {}
    for check in report.result.checks:
        checks.setdefault(check.facet, []).append(check)
    facets = {record.facet: record for record in report.result.facets}
    return [
        found
        for name, each in checks.items()
        for found in repeated(facets.get(name) if name else None, each)
    ]


def rests_of(report: Report) -> dict[tuple[str | None, str | None, str | None], str]:
    """Return who the rest is where that is one group, by facet and pair.

    Parameters
    ----------
    report : the whole report.
    """
    return {
        (facet.facet, one[0], one[1]): f"{one[0]} ({other[1]})"
        for facet in report.result.facets
        for pair in _turned(facet.comparisons).items()
        for one, other in (pair, pair[::-1])
        if one[0] == REST
    }


def has_other_sign(check: CheckRecord, first: CheckRecord) -> bool:
    """Whether two checks of the same pair that say the same have values of opposite signs."""
    a, b = check.extended, first.extended
    same_pair = (check.favored, check.disfavored) == (first.favored, first.disfavored)
    return same_pair and a is not None and b is not None and a * b < 0


def _rank(check: CheckRecord) -> tuple[int, float, float, bool]:
    """Rank the gravest first, then the farthest beyond its limit, then what others are named by."""
    return (
        check.verdict.gravity,
        *far_first(check),
        METRICS[check.metric].same_as is not None,
    )


def _harmed(check: CheckRecord, *, is_turned: bool) -> str | None:
    """Return the side that a value is against, as the comparison that is not turned names it."""
    metric, value = METRICS[check.metric], check.extended
    if metric.harms is None or value is None or value == metric.ideal:
        return None
    sides = ("favored", "disfavored")
    turns = (value < metric.ideal) + is_turned
    return sides[(sides.index(metric.harms) + turns) % 2]


def _turned(comparisons: Sequence[ComparisonRecord]) -> Mapping[Pair, Pair]:
    """Return the comparison that is another one the other way round, with that one."""
    if len(comparisons) != 2:
        return {}
    one, other = comparisons
    sides = (other.counts["disfavored"], other.counts["favored"])
    if (one.counts["favored"], one.counts["disfavored"]) != sides:
        return {}
    return {(other.favored, other.disfavored): (one.favored, one.disfavored)}


def _says_the_same(one: CheckRecord, other: CheckRecord) -> bool:
    """Whether two values are the same, or the same the other way round; those of FT never are."""
    a, b = one.extended, other.extended
    if one.flips or other.flips:
        return False
    if a is None or b is None:
        return a is b and one.reason == other.reason
    metric = METRICS[one.metric]
    if metric.is_ratio:
        return a == b or isclose(a * b, 1)
    return isclose(abs(a), abs(b))
