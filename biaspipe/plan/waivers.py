"""Which checks a waiver covers, and what is wrong with waivers that cover none."""

from collections.abc import Iterable, Iterator

from biaspipe.errors import Fault, Loc, SpecError, listing, nearest
from biaspipe.metrics import ALIASES, FAMILIES, METRICS, find
from biaspipe.plan.check_faults import limits_faults
from biaspipe.plan.checks import PlannedCheck, planned_checks
from biaspipe.plan.comparisons import FacetTables
from biaspipe.plan.facet_faults import unknown_facet
from biaspipe.spec import Audit, Waiver, written

__all__ = ["covered", "covers", "covers_groups", "refuse_unmatched", "waiver_faults"]

Groups = tuple[str | None, str | None]


def covers(waiver: Waiver, metric: str, facet: str | None) -> bool:
    """Whether a waiver is for this metric on this facet."""
    wanted = waiver.metric and ALIASES.get(waiver.metric, waiver.metric)
    return wanted in (None, metric) and waiver.facet in (None, facet)


def covers_groups(waiver: Waiver, favored: str | None, disfavored: str | None) -> bool:
    """Whether a waiver is for this comparison."""
    return all(
        wanted is None or written(wanted) == name
        for wanted, name in ((waiver.favored, favored), (waiver.disfavored, disfavored))
    )


def waiver_faults(audit: Audit) -> Iterator[Fault]:
    """Yield every fault of the waivers that lies in the spec alone."""
    for i, waiver in enumerate(audit.waivers):
        loc: Loc = ("waivers", i)
        if faults := list(_unknown(audit, waiver, loc)):
            yield from faults
        elif waiver.metric is None and waiver.facet is None:
            hint = "name a metric, a facet, or both"
            yield Fault("this waiver would cover every check", loc, hint=hint)
        else:
            yield from _without_effect(audit, waiver, loc)
        if waiver.regression and not audit.baseline:
            words = "no value can be worse than in a baseline, since none is named"
            yield Fault(words, (*loc, "regression"), at_key=True)
        if waiver.bound is not None:
            yield from _bound(audit, waiver, (*loc, "bound"))


def _unknown(audit: Audit, waiver: Waiver, loc: Loc) -> Iterator[Fault]:
    if waiver.metric is not None and waiver.metric not in {*METRICS, *ALIASES}:
        yield _unknown_metric(waiver.metric, (*loc, "metric"))
    if waiver.facet is not None and waiver.facet not in audit.facets:
        yield unknown_facet(audit, waiver.facet, (*loc, "facet"))


def _unknown_metric(name: str, loc: Loc) -> Fault:
    if name in FAMILIES:
        hint = "a waiver is for one metric, or for all that is checked on one facet"
        return Fault(f"{name} is a family of metrics", loc, hint=hint)
    hint = nearest(name, [*METRICS, *ALIASES]) or "`biaspipe explain` lists all metrics"
    return Fault(f"there is no metric {name!r}", loc, hint=hint)


def covered(audit: Audit, waiver: Waiver) -> list[PlannedCheck]:
    """Return the checks that a waiver is for, whatever their groups."""
    checks = planned_checks(audit)
    return [check for check in checks if covers(waiver, check.metric.id, check.facet)]


def _without_effect(audit: Audit, waiver: Waiver, loc: Loc) -> Iterator[Fault]:
    checks = covered(audit, waiver)
    words = " on ".join(word for word in (waiver.metric, waiver.facet) if word)
    at = (*loc, "metric" if waiver.metric else "facet")
    if not checks:
        message = f"this waiver matches nothing: there is no check of {words}"
        checked = [c.metric.id for c in planned_checks(audit) if waiver.facet in (None, c.facet)]
        known = f"one of {', '.join(dict.fromkeys(checked))}" if checked else None
        yield Fault(message, at, at_key=True, expected=known)
    elif not audit.baseline and not any(check.check.has_limit for check in checks):
        message = f"this waiver matches nothing: no check of {words} has a limit"
        yield Fault(message, at, at_key=True)
    elif not any(check.facet for check in checks):
        for key in ("favored", "disfavored"):
            if getattr(waiver, key) is not None:
                yield Fault(f"{words} compares no groups", (*loc, key), at_key=True)


def _bound(audit: Audit, waiver: Waiver, loc: Loc) -> Iterator[Fault]:
    bound = waiver.bound
    if bound is not None and not bound.bounds:
        yield Fault("the bound has no limit", loc, expected="min, max or max_abs")
    elif bound is not None:
        named = [find(waiver.metric)] if waiver.metric in {*METRICS, *ALIASES} else []
        metrics = named or list({c.metric.id: c.metric for c in covered(audit, waiver)}.values())
        faults = [fault for metric in metrics for fault in limits_faults(metric, bound, loc)]
        yield from {fault.message: fault for fault in faults}.values()


def refuse_unmatched(audit: Audit, tables: Iterable[FacetTables]) -> None:
    """Refuse waivers whose groups are in no comparison of the facets that were counted.

    Raises
    ------
    SpecError
        With every group that is not compared, and the nearest one that is.
    """
    compared: list[tuple[str, Groups]] = [
        (t.facet, (c.favored, c.disfavored)) for t in tables for c in t.comparisons
    ]
    counted = {facet for facet, _ in compared}
    faults: list[Fault] = []
    for i, waiver in enumerate(audit.waivers):
        checks = [c for c in covered(audit, waiver) if c.check.has_limit or audit.baseline]
        facets = {check.facet for check in checks if check.facet}
        inside = [groups for facet, groups in compared if facet in facets]
        if facets and facets <= counted and not any(covers_groups(waiver, *g) for g in inside):
            faults += _no_such_group(waiver, inside, ("waivers", i))
    if faults:
        raise SpecError(faults)


def _no_such_group(waiver: Waiver, inside: list[Groups], loc: Loc) -> Iterator[Fault]:
    facet = f" of {waiver.facet}" if waiver.facet else ""
    for place, key in enumerate(("favored", "disfavored")):
        wanted = getattr(waiver, key)
        names = list(dict.fromkeys(str(groups[place]) for groups in inside))
        if wanted is not None and written(wanted) not in names:
            yield Fault(
                f"this waiver matches nothing: no comparison{facet} has {written(wanted)!r}"
                f" as its {key} group",
                (*loc, key),
                expected=f"one of {listing(names)}",
                hint=nearest(written(wanted), names),
            )
            return
    yield Fault(f"this waiver matches nothing: these groups{facet} are not compared", loc)
