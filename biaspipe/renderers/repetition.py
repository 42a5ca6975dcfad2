"""Checks that say again what another one says of the same people."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose

from biaspipe.metrics import METRICS
from biaspipe.plan import REST
from biaspipe.report import CheckRecord, ComparisonRecord, FacetRecord, Report

__all__ = ["repeated", "repetitions", "rests_of"]

Pair = tuple[str | None, str | None]


def repeated(facet: FacetRecord | None, checks: Iterable[CheckRecord]) -> list[CheckRecord]:
    """Return the checks of a facet that another one stands for, which is as grave or graver.

    Two groups that are each compared with the rest are compared twice, the other way round; and
    metrics of Vertex AI have the values of metrics of Clarify.

    Parameters
    ----------
    facet : the facet; None for what compares no groups.
    checks : its checks.
    """
    return [again for again, _ in _repetitions(facet, checks)]


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
        for found in _repetitions(facets.get(name) if name else None, each)
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


def _repetitions(
    facet: FacetRecord | None, checks: Iterable[CheckRecord]
) -> list[tuple[CheckRecord, CheckRecord]]:
    turned = _turned(facet.comparisons if facet else ())
    first: dict[tuple[Pair, str], CheckRecord] = {}
    again = []
    for check in sorted(checks, key=_rank):
        pair = (check.favored, check.disfavored)
        metric = METRICS[check.metric].same_as or check.metric
        other = first.setdefault((turned.get(pair, pair), metric), check)
        if other is not check and _says_the_same(other, check):
            again.append((check, other))
    return again


def _rank(check: CheckRecord) -> tuple[int, bool]:
    """Rank the gravest first, and a metric before those that have its value too."""
    return check.verdict.gravity, METRICS[check.metric].same_as is not None


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
