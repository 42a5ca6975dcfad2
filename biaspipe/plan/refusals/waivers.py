"""What is wrong with the waivers of a spec: unknown names, and waivers without any effect."""

from collections.abc import Iterator

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import ALIASES, FAMILIES, METRICS, find, meaning_of
from biaspipe.plan.planned_checks import planned_checks
from biaspipe.plan.refusals.checks import limits_faults
from biaspipe.plan.refusals.facets import unknown_facet
from biaspipe.plan.waiver_matches import covered_checks
from biaspipe.spec import Audit, Waiver

__all__ = ["waiver_faults"]


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
    hint = meaning_of(name) or "`biaspipe explain` lists all metrics"
    return Fault(f"there is no metric {name!r}", loc, hint=hint)


def _without_effect(audit: Audit, waiver: Waiver, loc: Loc) -> Iterator[Fault]:
    checks = covered_checks(audit, waiver)
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
        metrics = named or list(
            {c.metric.id: c.metric for c in covered_checks(audit, waiver)}.values()
        )
        faults = [fault for metric in metrics for fault in limits_faults(metric, bound, loc)]
        yield from {fault.message: fault for fault in faults}.values()
