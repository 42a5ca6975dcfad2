"""Which metric is computed on which facet, with which limits, and where the spec says so."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from biaspipe.errors import Loc
from biaspipe.metrics import (
    EDITION,
    EDITIONS,
    FAMILIES,
    Metric,
    Needs,
    Parameter,
    find,
    label_rate,
    selection_rate,
)
from biaspipe.spec import Audit, Check, Columns

__all__ = [
    "PlannedCheck",
    "allows",
    "asks_for_all",
    "chooses_by",
    "chosen_in",
    "declared_needs",
    "is_possible",
    "not_computable",
    "planned_checks",
    "value_range",
    "why_not_computable",
]


class PlannedCheck(NamedTuple):
    """One metric on one facet; `facet` is None for a metric without one."""

    metric: Metric
    facet: str | None
    check: Check
    loc: Loc


def planned_checks(audit: Audit, edition: int = EDITION) -> tuple[PlannedCheck, ...]:
    """Return the checks of an audit, facet by facet in the spec's order, those without one last.

    Parameters
    ----------
    audit : the spec.
    edition : that of the family `all`.
    """
    planned = [check for name in audit.facets for check in _of_facet(audit, name)]
    general = chosen_in(audit, audit.metrics, ("metrics",), None)
    checks = (*planned, *(c for c in general.values() if not c.metric.has_facet))
    return tuple(c for c in checks if c.loc[-1] != "all" or _is_of(c.metric, edition))


def _is_of(metric: Metric, edition: int) -> bool:
    """Whether the family `all` has a metric in an edition."""
    return EDITIONS.get(metric.id, 1) <= edition


def asks_for_all(audit: Audit) -> bool:
    """Whether a spec has the family `all` anywhere."""
    return any("all" in scope for scope in _scopes(audit))


def _scopes(audit: Audit) -> list[Mapping[str, Check]]:
    """Return every mapping of metrics in a spec."""
    return [audit.metrics, *(f.metrics or {} for f in audit.facets.values())]


def not_computable(audit: Audit, edition: int = EDITION) -> dict[str, str]:
    """Return the metrics that `all` leaves out because the spec does not declare what they need.

    So are the optional ones.

    Parameters
    ----------
    audit : the spec.
    edition : that of the family `all`.
    """
    named = (item for scope in _scopes(audit) for item in scope.items())
    asked = [find(name) for name, check in named if check.optional]
    if asks_for_all(audit):
        asked = [metric for metric in FAMILIES["all"] if _is_of(metric, edition)]
    has = declared_needs(audit.columns)
    lacking = {m.id: m.needs & ~has for m in asked}
    return {
        metric: why_not_computable(audit.columns, needs)
        for metric, needs in lacking.items()
        if needs
    }


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
            for metric in _members(name, check, declared_needs(audit.columns)):
                chosen[metric.id] = PlannedCheck(metric, facet, check, (*loc, name))
    return chosen


def _members(name: str, check: Check, has: Needs) -> tuple[Metric, ...]:
    if name not in FAMILIES and not check.optional:
        return (find(name),)
    members = FAMILIES.get(name) or (find(name),)
    return tuple(metric for metric in members if not metric.needs & ~has)


def declared_needs(columns: Columns) -> Needs:
    """Return the needs of metrics that the audit's columns meet."""
    has = Needs.FACET | Needs.CATEGORIES
    has |= Needs.OBSERVED if columns.label else Needs.FACET
    has |= Needs.PREDICTED if columns.prediction else Needs.FACET
    has |= Needs.STRATA if columns.strata else Needs.FACET
    return has | (Needs.FEATURES if columns.features and not _samples(columns) else Needs.FACET)


def _samples(columns: Columns) -> bool:
    return columns.weighting is not None and columns.weighting.kind == "sampling"


def why_not_computable(columns: Columns, lacking: Needs) -> str:
    """Say why metrics that need what is lacking cannot be computed."""
    if Needs.FEATURES in lacking and columns.features:
        return "looks for whole people as neighbours, so it takes no sampling weights"
    return f"needs {' and '.join(lacking.words)}, which the spec does not declare"


def is_possible(metric: Metric, check: Check) -> bool:
    """Whether the metric takes the parameters of a check."""
    known = metric.parameters
    return all(name in known and allows(known[name], v) for name, v in check.given.items())


def allows(parameter: Parameter, value: float | str) -> bool:
    """Whether a parameter may have this value."""
    if isinstance(value, str):
        return value in parameter.choices
    return (
        (parameter.minimum is None or value >= parameter.minimum)
        and (parameter.maximum is None or value <= parameter.maximum)
        and (not parameter.whole or float(value).is_integer())
    )


CHOOSING = ("pairs", "best")
"""The ways to compare in which the group with the higher rate is the favored one."""


def value_range(
    audit: Audit, planned: PlannedCheck, *, intervals: bool = False
) -> tuple[float, float]:
    """Return the least and the greatest value that a check can have.

    Parameters
    ----------
    audit : the spec.
    planned : a check of it, whose parameters are possible.
    intervals : whether its intervals count too, which cross parity where the value cannot.
    """
    metric = planned.metric
    low, high = metric.range_of(**planned.check.parameters(metric))
    if intervals or not chooses_by(audit, planned):
        return low, high
    return (metric.ideal, high) if metric.compares == "a - d" else (low, metric.ideal)


def chooses_by(audit: Audit, planned: PlannedCheck) -> bool:
    """Whether the metric compares the rate by which the favored group is chosen."""
    decisive = selection_rate if audit.columns.prediction else label_rate
    mode = audit.facets[planned.facet].mode if planned.facet else None
    return mode in CHOOSING and planned.metric.rate == decisive
