"""Which checks stand first: the gravest verdict, and what lies farthest beyond its limit.

Of what is undecided that stands first which most people are behind: a value that a few people
show says little, however far from parity it is.
"""

from collections.abc import Iterable
from math import inf, log
from typing import NamedTuple

from biaspipe.metrics import METRICS
from biaspipe.report import CheckRecord, ComparisonRecord, GroupRecord, Report
from biaspipe.spec import Bounds
from biaspipe.verdict import Verdict

__all__ = ["far_first", "farthest", "held_limits", "ordered", "worst"]

DIGITS = 9
"""Places of a reach that order: a ratio and its inverse reach as far."""


def ordered(checks: Iterable[CheckRecord], report: Report) -> list[CheckRecord]:
    """Return checks in the order in which they matter, those alike in the order of the report.

    Parameters
    ----------
    checks : some checks of a report.
    report : the whole report.
    """
    behind = {pair: _people(record) for pair, record in report.result.comparisons.items()}
    everyone = _worth(report.result.data.everyone)

    def rank(check: CheckRecord) -> tuple[float, ...]:
        pair = check.facet, check.favored, check.disfavored
        undecided = check.verdict is Verdict.UNDECIDED
        people = behind.get(pair, everyone) if undecided else 0
        return check.verdict.gravity, -people, *far_first(check)

    return sorted(checks, key=rank)


def worst(report: Report) -> CheckRecord | None:
    """Return the check that matters most; None where all passed, are waived or have no limit."""
    checks = report.result.checks
    grave = [check for check in checks if check.verdict.gravity < Verdict.WAIVED.gravity]
    return next(iter(ordered(grave, report)), None)


def _people(comparison: ComparisonRecord) -> float:
    """Count the people of the smaller group of a comparison."""
    return min(map(_worth, comparison.counts.values()))


def _worth(group: GroupRecord) -> float:
    return group.n if group.effective is None else group.effective


def farthest(checks: Iterable[CheckRecord]) -> CheckRecord | None:
    """Return the check that lies farthest beyond its limit; None where none is beyond."""
    beyond = [check for check in checks if _reach(check).times > 1]
    return max(beyond, key=_reach, default=None)


def far_first(check: CheckRecord) -> tuple[float, float]:
    """Return a key that sorts what lies farthest beyond its limit first.

    Parameters
    ----------
    check : one of a report.
    """
    times, apart = (round(each, DIGITS) for each in _reach(check))
    return -times, -apart


class _Reach(NamedTuple):
    """How far from parity a value is: as many times as its limit, and by itself.

    The second tells apart those whose limit is at parity, which all are infinitely many times as
    far. What is compared with what bounds its direction; a ratio by equal ratios.
    """

    times: float
    apart: float


def _reach(check: CheckRecord) -> _Reach:
    """Return how far from parity a value is; only for the order."""
    value, ideal, limits = check.extended, METRICS[check.metric].ideal, held_limits(check)
    if value is None:
        return _Reach(0.0, 0.0)
    least, greatest = limits.band
    bound = greatest if value > ideal else least
    apart, allowed = (_distance(each, ideal) for each in (value, bound))
    if apart == 0 or allowed == inf:
        return _Reach(0.0, 0.0)
    return _Reach(inf if allowed == 0 else apart / allowed, apart)


def held_limits(check: CheckRecord) -> Bounds:
    """Return the limits that a check is held against: of a warning those that warn."""
    warn = check.limits.warn
    return warn if warn and check.verdict is Verdict.WARN else check.limits


def _distance(value: float, ideal: float) -> float:
    if ideal == 0:
        return abs(value)
    return abs(log(value / ideal)) if value > 0 else inf
