"""Checks and limits that a spec lacks: nothing is wrong, but values pass that few would accept."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from biaspipe.errors import Fault, Loc
from biaspipe.metrics import FAMILIES, Metric, find
from biaspipe.plan.planned_checks import PlannedCheck, chosen_in, planned_checks, value_range
from biaspipe.plan.waiver_matches import covered_checks
from biaspipe.spec import Audit, Check, Limits

__all__ = ["missing_limits"]


def missing_limits(audit: Audit) -> list[Fault]:
    """Return a note on each check or limit that a valid spec lacks, with a hint to add it."""
    found = [*_uncovered(audit), *_replaced(audit), *_one_sided(audit), *_bounds(audit)]
    return list({(note.message, note.loc): note for note in found}.values())


def _uncovered(audit: Audit) -> Iterator[Fault]:
    """Yield the facets that are compared with nothing."""
    checked = {planned.facet for planned in planned_checks(audit)}
    checked |= {part for facet in audit.facets.values() for part in facet.cross or ()}
    checked |= set(audit.subgroups.of if audit.subgroups else ())
    for name in audit.facets:
        if name not in checked:
            words = f"facet {name}: compared with nothing, no check covers it"
            hint = "add a metric for it, or take the facet out"
            yield Fault(words, ("facets", name), hint=hint)


def _replaced(audit: Audit) -> Iterator[Fault]:
    """Yield the checks of a facet that take the limit of the audit's own check away."""
    for name, facet in audit.facets.items():
        wide = chosen_in(audit, audit.metrics, ("metrics",), name)
        for key, check in (facet.metrics or {}).items():
            over = None if key in FAMILIES else wide.get(find(key).id)
            if over and over.check.can_fail and not check.can_fail:
                limits = over.check.text or "the impact"
                words = f"{key} cannot fail on {name}: this takes the place of {limits} in metrics"
                hint = "repeat the limits here, or leave the metric out here"
                yield Fault(words, ("facets", name, "metrics", key), hint=hint)


class OpenSide(NamedTuple):
    """A side of parity on which values are not held back.

    Parameters
    ----------
    name : which one.
    end : the value farthest from parity on it.
    """

    name: Literal["below", "above"]
    end: float

    @property
    def words(self) -> str:
        """How far values may go, as a sentence says it."""
        if abs(self.end) == float("inf"):
            return "however low" if self.name == "below" else "however high"
        return f"{'down' if self.name == 'below' else 'up'} to {self.end:g}"


def _open(limits: Limits, ends: tuple[float, float], metric: Metric) -> Iterator[OpenSide]:
    """Yield the sides of parity on which limits hold nothing back."""
    (least, greatest), (low, high) = limits.kept, ends
    if least <= low < metric.ideal:
        yield OpenSide("below", low)
    if greatest >= high > metric.ideal:
        yield OpenSide("above", high)


def _one_sided(audit: Audit) -> Iterator[Fault]:
    for planned in planned_checks(audit):
        check, metric = planned.check, planned.metric
        limits, given = _holding(check)
        if limits is None or not limits.bounds:
            continue
        for side in _open(limits, value_range(audit, planned), metric):
            words = f"{metric.id} is not guarded {side.name} {metric.ideal:g}: with {given} any"
            words += f" value passes, {side.words}{_harmed(metric, side)}"
            loc = planned.loc if check.can_fail else (*planned.loc, "warn")
            yield Fault(words, loc, hint=_guard(metric, limits, side))


def _holding(check: Check) -> tuple[Limits | None, str]:
    """Return the limits that hold values back, those of adverse impact too, and their words."""
    if check.impact:
        least = max(float(check.impact.least), check.kept[0])
        given = " and ".join(filter(None, [check.impact.words, check.text]))
        return Limits(min=least, max=check.max, max_abs=check.max_abs), given
    if check.bounds or check.warn is None:
        return check, check.text
    return check.warn, f"warn {check.warn.text}"


def _harmed(metric: Metric, side: OpenSide) -> str:
    """Say whom the values on a side of parity disadvantage."""
    if metric.harms is None:
        return ""
    other = "favored" if metric.harms == "disfavored" else "disfavored"
    harmed = metric.harms if side.name == "above" else other
    return f", {metric.harm.format(harmed=f'the {harmed} group')}"


def _guard(metric: Metric, limits: Limits, side: OpenSide) -> str:
    """Say what guards the open side as the other one is guarded."""
    bound = limits.kept[1] if side.name == "below" else limits.kept[0]
    key = "min" if side.name == "below" else "max"
    past = bound > metric.ideal if side.name == "below" else bound < metric.ideal
    if not past or bound in (0, float("inf"), -float("inf")):
        return f"add a {key} if that is not meant"
    if metric.is_ratio:
        return f"add {key}: {1 / bound:.4g} if that is not meant"
    return f"write max_abs: {abs(bound):g} instead if that is not meant"


def _bounds(audit: Audit) -> Iterator[Fault]:
    """Yield the bounds of waivers that let pass what the limits of their checks would not."""
    for i, waiver in enumerate(audit.waivers):
        for planned in covered_checks(audit, waiver):
            if waiver.bound and planned.check.bounds:
                yield from _wider(audit, planned, waiver.bound, ("waivers", i, "bound"))


def _wider(audit: Audit, planned: PlannedCheck, bound: Limits, loc: Loc) -> Iterator[Fault]:
    metric, ends = planned.metric, value_range(audit, planned)
    unguarded = [side.name for side in _open(planned.check, ends, metric)]
    for side in _open(bound, ends, metric):
        if side.name not in unguarded:
            words = f"with {bound.text} this waiver covers any {metric.id}, {side.words}"
            yield Fault(words, loc, hint=_guard(metric, bound, side))
