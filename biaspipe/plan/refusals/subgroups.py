"""What is wrong with the search for subgroups of a spec: facets and metrics that it cannot have."""

from collections.abc import Iterator

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import ALIASES, METRICS, Metric, find, meaning_of
from biaspipe.plan.planned_checks import declared_needs, why_not_computable
from biaspipe.plan.refusals.facets import unknown_facet
from biaspipe.plan.subgroup_cells import subgroup_rate
from biaspipe.spec import Audit, Subgroups

__all__ = ["subgroup_faults"]

LOC: Loc = ("subgroups",)


def subgroup_faults(audit: Audit) -> Iterator[Fault]:
    """Yield every fault of the search for subgroups that lies in the spec alone."""
    search = audit.subgroups
    if search is None:
        return
    for i, name in enumerate(search.of):
        if name not in audit.facets:
            yield unknown_facet(audit, name, (*LOC, "of", i))
    if search.depth > len(search.of):
        yield Fault(
            f"{search.depth} facets cannot describe a subgroup together where `of` names "
            f"{len(search.of)}",
            (*LOC, "order"),
            expected=f"at most {len(search.of)}",
            found=str(search.order),
        )
    yield from _metric(audit, search)
    weighting = audit.columns.weighting
    if weighting is not None and weighting.kind == "sampling":
        words = "subgroups are told from chance by dealing outcomes out among people, and under"
        yield Fault(
            f"{words} sampling weights rows are not people that were seen",
            LOC,
            at_key=True,
            hint="leave it out, or compare groups by a facet with `cross`",
        )


def _metric(audit: Audit, search: Subgroups) -> Iterator[Fault]:
    loc: Loc = (*LOC, "metric")
    if search.metric not in {*METRICS, *ALIASES}:
        hint = meaning_of(search.metric)
        yield Fault(f"there is no metric {search.metric!r}", loc, hint=hint)
        return
    metric = find(search.metric)
    if subgroup_rate(metric.id) is None:
        yield Fault(
            f"{metric.id} is no difference of one rate",
            loc,
            expected="a metric such as DPPL, RD or SD",
            hint=_difference_of(metric),
        )
    elif lacking := metric.needs & ~declared_needs(audit.columns):
        yield Fault(f"{metric.id} {why_not_computable(audit.columns, lacking)}", loc)


def _difference_of(metric: Metric) -> str | None:
    """Name the difference of the rate that a ratio compares."""
    same = (m.id for m in METRICS.values() if m.rate == metric.rate and subgroup_rate(m.id))
    difference = next(same, None) if metric.rate else None
    return f"{difference} is the difference of the rate that it compares" if difference else None
