"""Which checks a waiver covers, and the refusal of waivers for groups that are not compared."""

from collections.abc import Iterable, Iterator

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.metrics import ALIASES
from biaspipe.plan.comparisons import FacetTables
from biaspipe.plan.planned_checks import PlannedCheck, planned_checks
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.spec import Audit, Waiver, format_value

__all__ = ["covered_checks", "covers", "covers_groups", "refuse_unmatched"]

Groups = tuple[str | None, str | None]


def covers(waiver: Waiver, metric: str, facet: str | None) -> bool:
    """Whether a waiver is for this metric on this facet."""
    wanted = waiver.metric and ALIASES.get(waiver.metric, waiver.metric)
    return wanted in (None, metric) and waiver.facet in (None, facet)


def covers_groups(waiver: Waiver, favored: str | None, disfavored: str | None) -> bool:
    """Whether a waiver is for this comparison."""
    return all(
        wanted is None or format_value(wanted) == name
        for wanted, name in ((waiver.favored, favored), (waiver.disfavored, disfavored))
    )


def covered_checks(audit: Audit, waiver: Waiver) -> list[PlannedCheck]:
    """Return the checks that a waiver is for, whatever their groups."""
    checks = planned_checks(audit)
    return [check for check in checks if covers(waiver, check.metric.id, check.facet)]


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
        checks = [c for c in covered_checks(audit, waiver) if c.check.has_limit or audit.baseline]
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
        if wanted is not None and format_value(wanted) not in names:
            yield Fault(
                f"this waiver matches nothing: no comparison{facet} has {format_value(wanted)!r}"
                f" as its {key} group",
                (*loc, key),
                expected=f"one of {list_values(names)}",
                hint=did_you_mean(format_value(wanted), names),
            )
            return
    yield Fault(f"this waiver matches nothing: these groups{facet} are not compared", loc)
