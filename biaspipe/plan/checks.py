"""Which metric is computed on which facet, with which limits, and where the spec says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biaspipe.errors import Loc
from biaspipe.metrics import FAMILIES, Metric, Needs, find
from biaspipe.plan.check_faults import declared, why_not
from biaspipe.spec import Audit, Check

__all__ = ["PlannedCheck", "chosen_in", "not_computable", "planned_checks"]


@dataclass(frozen=True)
class PlannedCheck:
    """One metric on one facet; `facet` is None for a metric without one."""

    metric: Metric
    facet: str | None
    check: Check
    loc: Loc


def planned_checks(audit: Audit) -> tuple[PlannedCheck, ...]:
    """Return the checks of an audit, facet by facet in the spec's order, those without one last."""
    planned = [check for name in audit.facets for check in _of_facet(audit, name)]
    general = chosen_in(audit, audit.metrics, ("metrics",), None)
    return (*planned, *(c for c in general.values() if not c.metric.has_facet))


def not_computable(audit: Audit) -> dict[str, str]:
    """Return the metrics that `all` leaves out because the spec does not declare what they need.

    So are the optional ones.
    """
    scopes = [audit.metrics, *(f.metrics or {} for f in audit.facets.values())]
    asked = [find(name) for scope in scopes for name, check in scope.items() if check.optional]
    if any("all" in scope for scope in scopes):
        asked = list(FAMILIES["all"])
    has = declared(audit.columns)
    lacking = {m.id: m.needs & ~has for m in asked}
    return {metric: why_not(audit.columns, needs) for metric, needs in lacking.items() if needs}


def _of_facet(audit: Audit, name: str) -> Iterator[PlannedCheck]:
    chosen = chosen_in(audit, audit.metrics, ("metrics",), name)
    own = audit.facets[name].metrics or {}
    for metric, check in chosen_in(audit, own, ("facets", name, "metrics"), name).items():
        if check.loc[-1] not in FAMILIES or metric not in chosen:
            chosen[metric] = check
    yield from (check for check in chosen.values() if check.metric.has_facet)


def chosen_in(
    audit: Audit, metrics: Mapping[str, Check], loc: Loc, facet: str | None
) -> dict[str, PlannedCheck]:
    """Return the checks that one mapping asks for on a facet, by metric.

    Families come first, so that a metric named by itself overrides its family's report.

    Parameters
    ----------
    audit : the spec.
    metrics : the audit's mapping, or that of a facet.
    loc : where it stands.
    facet : the facet; None for the metrics without one.
    """
    families = [name for name in metrics if name in FAMILIES]
    single = [name for name in metrics if name not in FAMILIES]
    chosen = {}
    for name in (*families, *single):
        check = metrics[name]
        if check.facets is None or facet in check.facets:
            for metric in _members(name, check, declared(audit.columns)):
                chosen[metric.id] = PlannedCheck(metric, facet, check, (*loc, name))
    return chosen


def _members(name: str, check: Check, has: Needs) -> tuple[Metric, ...]:
    if name not in FAMILIES and not check.optional:
        return (find(name),)
    members = FAMILIES.get(name) or (find(name),)
    return tuple(metric for metric in members if not metric.needs & ~has)
