"""Which checks stand first: the gravest verdict, and what lies farthest beyond its limit."""

from collections.abc import Iterable
from math import inf, log

from biaspipe.metrics import METRICS
from biaspipe.report import CheckRecord
from biaspipe.spec import Bounds
from biaspipe.verdict import Verdict

__all__ = ["farthest", "ordered", "worst"]


def ordered(checks: Iterable[CheckRecord]) -> list[CheckRecord]:
    """Return checks in the order in which they matter, those alike in the order of the report."""
    return sorted(checks, key=lambda check: (check.verdict.gravity, -_reach(check)))


def worst(checks: Iterable[CheckRecord]) -> CheckRecord | None:
    """Return the check that matters most; None where all passed, are waived or have no limit."""
    grave = [check for check in checks if check.verdict.gravity < Verdict.WAIVED.gravity]
    return min(grave, key=lambda check: (check.verdict.gravity, -_reach(check)), default=None)


def farthest(checks: Iterable[CheckRecord]) -> CheckRecord | None:
    """Return the check that lies farthest beyond its limit; None where none is beyond."""
    beyond = [check for check in checks if _reach(check) > 1]
    return max(beyond, key=_reach, default=None)


def _reach(check: CheckRecord) -> float:
    """Return how far from parity a value is, where its limit is at 1; only for the order.

    What is compared with what bounds its direction; a ratio by equal ratios.
    """
    value, ideal, limits = check.extended, METRICS[check.metric].ideal, _limits(check)
    if value is None:
        return 0.0
    least, greatest = limits.kept
    bound = greatest if value > ideal else least
    apart, allowed = (_distance(each, ideal) for each in (value, bound))
    if apart == 0 or allowed == inf:
        return 0.0
    return inf if allowed == 0 else apart / allowed


def _limits(check: CheckRecord) -> Bounds:
    """Return the limits that a check is held against: of a warning those that warn."""
    warn = check.limits.warn
    return warn if warn and check.verdict is Verdict.WARN else check.limits


def _distance(value: float, ideal: float) -> float:
    if ideal == 0:
        return abs(value)
    return abs(log(value / ideal)) if value > 0 else inf
