"""Which values a check can have, and the limits that none of them can break."""

from collections.abc import Iterator

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import FAMILIES, label_rate, selection_rate
from biaspipe.plan.check_faults import hidden_warnings, is_possible, listed
from biaspipe.plan.checks import PlannedCheck, planned_checks
from biaspipe.spec import Audit, Limits

__all__ = ["idle_faults", "reach"]

CHOOSING = ("pairs", "best")
"""The ways to compare in which the group with the higher rate is the favored one."""


def reach(audit: Audit, planned: PlannedCheck, *, intervals: bool = False) -> tuple[float, float]:
    """Return the least and the greatest value that a check can have.

    Parameters
    ----------
    audit : the spec.
    planned : a check of it, whose parameters are possible.
    intervals : whether its intervals count too, which cross parity where the value cannot.
    """
    metric = planned.metric
    low, high = metric.range_of(**planned.check.parameters(metric))
    if intervals or not _chooses(audit, planned):
        return low, high
    return (metric.ideal, high) if metric.compares == "a - d" else (low, metric.ideal)


def _chooses(audit: Audit, planned: PlannedCheck) -> bool:
    """Whether the metric compares the rate by which the favored group is chosen."""
    decisive = selection_rate if audit.columns.prediction else label_rate
    mode = audit.facets[planned.facet].mode if planned.facet else None
    return mode in CHOOSING and planned.metric.rate == decisive


def idle_faults(audit: Audit) -> Iterator[Fault]:
    """Yield the limits of checks that no value can break, so that nothing would be checked."""
    seen = set()
    for planned in planned_checks(audit):
        if planned.loc[-1] in FAMILIES or not is_possible(planned.metric, planned.check):
            continue
        low, high = reach(audit, planned, intervals=audit.rules.decide_by != "value")
        for limits, loc in _parts(planned):
            least, greatest = limits.kept
            whole = least <= low and high <= greatest
            beyond = {} if whole else _beyond(limits, planned)
            if (whole or beyond) and loc not in seen:
                seen.add(loc)
                yield _idle(audit, planned, Limits(**beyond) if beyond else limits, loc)


def _beyond(limits: Limits, planned: PlannedCheck) -> dict[str, float]:
    """Return the limits that lie beyond every value, beside others that do not."""
    low, high = planned.metric.range_of(**planned.check.parameters(planned.metric))
    far = {"min": low, "max": high, "max_abs": max(abs(low), abs(high))}
    return {
        name: bound
        for name, bound in limits.bounds.items()
        if (bound < far[name] if name == "min" else bound > far[name])
    }


def _parts(planned: PlannedCheck) -> Iterator[tuple[Limits, Loc]]:
    check, loc = planned.check, planned.loc
    if check.bounds:
        yield check, loc
    if check.warn and check.warn.bounds and not list(hidden_warnings(check, loc)):
        yield check.warn, (*loc, "warn")


def _idle(audit: Audit, planned: PlannedCheck, limits: Limits, loc: Loc) -> Fault:
    low, high = reach(audit, planned)
    why, hint = f"the range of {planned.metric.id} is {low:g} to {high:g}", None
    largest = max(map(abs, limits.bounds.values()))
    if _chooses(audit, planned):
        why += f" on {planned.facet}, where the group with the higher rate is the favored one"
        hint = "give a limit on the other side, or name the `facets` of this check"
    elif 1 < largest > max(map(abs, (low, high))):
        hint = f"{largest:g} % is written {largest / 100:g}"
    at = (*loc, next(iter(limits.bounds)))
    return Fault(f"no value can break {listed(limits)}: {why}", at, at_key=True, hint=hint)
