"""What is wrong with the facets of a spec: groups and sides that no data could tell apart."""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from itertools import combinations

from biaspipe.errors import Fault, Loc
from biaspipe.plan.dimensions import MAX_GROUPS
from biaspipe.printable_text import did_you_mean
from biaspipe.spec import Audit, Facet, FacetSide, Interval, Scalar, format_value, scalars

__all__ = ["facet_faults", "spellings", "unknown_facet"]

COMPARED_WITH = {"pairs": "every group", "best": "every group", "over_rest": "with the rest"}
"""What the ways to compare that name no disfavored group take for it."""


def facet_faults(audit: Audit) -> Iterator[Fault]:
    """Yield every fault of the facets, in the order of the spec."""
    for name, facet in audit.facets.items():
        loc = ("facets", name)
        if (facet.column is None) == (facet.cross is None):
            yield Fault(f"facet {name}: give either a column or a cross of facets", loc)
        elif facet.cross:
            yield from _cross(audit, facet, loc)
        yield from _sides(facet, loc)
        if facet.others and (facet.cross or not _leaves_others(facet)):
            words = "others: error needs groups, or a favored and a disfavored side"
            yield Fault(words, (*loc, "others"), hint="every value is compared here; leave it out")
        if facet.compare in ("best", "pairs") and not (
            audit.columns.label or audit.columns.prediction
        ):
            words = f"compare: {facet.compare} needs columns.prediction or columns.label"
            yield Fault(f"{words} to tell who is favored", (*loc, "compare"))
        yield from _groups(facet, loc)


def _leaves_others(facet: Facet) -> bool:
    """Whether a value may be in no declared group."""
    return bool(facet.groups) or (facet.favored is not None and facet.disfavored is not None)


def _cross(audit: Audit, facet: Facet, loc: Loc) -> Iterator[Fault]:
    members = facet.cross or ()
    if len(members) < 2:
        yield Fault("a cross needs two facets or more", (*loc, "cross"))
    for i, member in enumerate(members):
        at = (*loc, "cross", i)
        if member not in audit.facets:
            yield unknown_facet(audit, member, at)
        elif audit.facets[member] is facet:
            yield Fault("a cross cannot contain itself", at)
        elif audit.facets[member].cross:
            yield Fault(f"{member!r} is a cross itself; name its facets instead", at)
    if facet.groups:
        yield Fault("a cross has no groups of its own; group its facets", (*loc, "groups"))


def _sides(facet: Facet, loc: Loc) -> Iterator[Fault]:
    mode = facet.mode
    if mode == "favored" and facet.favored is None:
        yield Fault("compare: favored needs a favored group", (*loc, "compare"))
    if mode not in ("favored", "over_rest") and facet.favored is not None:
        yield Fault(
            f"compare: {mode} chooses the favored group itself; leave favored out",
            (*loc, "compare"),
        )
    if mode in COMPARED_WITH and facet.disfavored is not None:
        words = f"compare: {mode} compares {COMPARED_WITH[mode]}; leave disfavored out"
        yield Fault(words, (*loc, "compare"))
    if _overlap(facet.favored, facet.disfavored):
        yield Fault("favored and disfavored name the same people", (*loc, "disfavored"))
    for key in ("favored", "disfavored"):
        yield from _group_names(facet, getattr(facet, key), (*loc, key))


def _group_names(facet: Facet, side: FacetSide | None, loc: Loc) -> Iterator[Fault]:
    if isinstance(side, Interval):
        if facet.groups or facet.cross:
            yield Fault("an interval cannot name a group here", loc, expected="a group's name")
        return
    for value in scalars(side) if facet.groups else ():
        if format_value(value) not in (facet.groups or {}):
            yield Fault(
                f"there is no group {format_value(value)!r}",
                loc,
                expected=f"one of {', '.join(facet.groups or {})}",
                hint=did_you_mean(format_value(value), facet.groups or {}),
            )


def _groups(facet: Facet, loc: Loc) -> Iterator[Fault]:
    groups, at = facet.groups or {}, (*loc, "groups")
    if facet.groups is not None and not groups:
        yield Fault("groups is empty", at, expected="at least one named group")
    if len(groups) > MAX_GROUPS:
        yield Fault(f"{len(groups):,} groups are declared; at most {MAX_GROUPS} are compared", at)
        return
    keys = {name: spellings(side) for name, side in groups.items()}
    for first, second in combinations(groups, 2):
        if keys[first] & keys[second] or _overlap(groups[first], groups[second]):
            yield Fault(f"groups {first!r} and {second!r} overlap", (*at, second))


def spellings(side: FacetSide | None) -> frozenset[Decimal | str]:
    """Return the values of a side in one spelling each: numbers as numbers, true as 1.

    >>> spellings((1, "1.0")) == spellings("1"), spellings("yes") == spellings("Yes")
    (True, False)
    """
    return frozenset(map(_key, scalars(side)))


def _key(value: Scalar) -> Decimal | str:
    text = {"true": "1", "false": "0"}.get(str(value).lower(), str(value))
    with suppress(InvalidOperation):
        number = Decimal(text)
        return number if number.is_finite() else text
    return text


def _overlap(one: FacetSide | None, other: FacetSide | None) -> bool:
    if isinstance(one, Interval) and isinstance(other, Interval):
        return one.meets(other)
    if isinstance(other, Interval):
        one, other = other, one
    if isinstance(one, Interval):
        return any(float(key) in one for key in spellings(other) if isinstance(key, Decimal))
    return bool(spellings(one) & spellings(other))


def unknown_facet(audit: Audit, name: str, loc: Loc) -> Fault:
    """Return the fault of a name that is none of the audit's facets."""
    known = f"one of {', '.join(audit.facets)}"
    return Fault(
        f"there is no facet {name!r}", loc, expected=known, hint=did_you_mean(name, audit.facets)
    )
