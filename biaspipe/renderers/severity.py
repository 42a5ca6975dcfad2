"""Which checks stand first: the gravest verdict, and what lies farthest beyond its limit.

Of what is undecided that stands first which most people are behind: a value that a few people
show says little, however far from parity it is.
"""

from collections.abc import Iterable
from math import inf, log

from biaspipe.metrics import METRICS
from biaspipe.report import CheckRecord, ComparisonRecord, GroupRecord, Report
from biaspipe.spec import Bounds
from biaspipe.verdict import Verdict

__all__ = ["DIGITS", "farthest", "held_limits", "ordered", "reach", "worst"]

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

    def rank(check: CheckRecord) -> tuple[int, float, float]:
        pair = check.facet, check.favored, check.disfavored
        undecided = check.verdict is Verdict.UNDECIDED
        people = behind.get(pair, everyone) if undecided else 0
        return check.verdict.gravity, -people, -round(reach(check), DIGITS)

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
    beyond = [check for check in checks if reach(check) > 1]
    return max(beyond, key=reach, default=None)


def reach(check: CheckRecord) -> float:
    """Return how far from parity a value is, where its limit is at 1; only for the order.

    What is compared with what bounds its direction; a ratio by equal ratios.

    Parameters
    ----------
    check : one of a report.
    """
    value, ideal, limits = check.extended, METRICS[check.metric].ideal, held_limits(check)
    if value is None:
        return 0.0
    least, greatest = limits.kept
    bound = greatest if value > ideal else least
    apart, allowed = (_distance(each, ideal) for each in (value, bound))
    if apart == 0 or allowed == inf:
        return 0.0
    return inf if allowed == 0 else apart / allowed


def held_limits(check: CheckRecord) -> Bounds:
    """Return the limits that a check is held against: of a warning those that warn."""
    warn = check.limits.warn
    return warn if warn and check.verdict is Verdict.WARN else check.limits


def _distance(value: float, ideal: float) -> float:
    if ideal == 0:
        return abs(value)
    return abs(log(value / ideal)) if value > 0 else inf
