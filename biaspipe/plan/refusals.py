"""What a spec asks for that no data could give: found before any data is read."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from itertools import combinations

from biaspipe.errors import Fault, Loc, nearest
from biaspipe.metrics import FAMILIES, Metric, Needs, Parameter, find
from biaspipe.spec import Audit, Check, Columns, Facet, Interval, Scalar, Side, written

__all__ = ["MOST_GROUPS", "declared", "refusals", "scalars"]

MOST_GROUPS = 250
"""Groups of one facet that are compared."""


def refusals(audit: Audit) -> list[Fault]:
    """Return every fault that lies in the spec alone, in no particular order."""
    faults = [*_facets(audit), *_checks(audit, audit.metrics, ("metrics",))]
    for name, facet in audit.facets.items():
        faults += _checks(audit, facet.metrics or {}, ("facets", name, "metrics"))
    return faults


def declared(columns: Columns) -> Needs:
    """Return what the audit's columns declare, as what metrics need."""
    has = Needs.FACET | Needs.CATEGORIES
    has |= Needs.OBSERVED if columns.label else Needs.FACET
    has |= Needs.PREDICTED if columns.prediction else Needs.FACET
    has |= Needs.STRATA if columns.strata else Needs.FACET
    return has | (Needs.FEATURES if columns.features else Needs.FACET)


def _facets(audit: Audit) -> Iterator[Fault]:
    for name, facet in audit.facets.items():
        loc = ("facets", name)
        if (facet.column is None) == (facet.cross is None):
            yield Fault(f"facet {name}: give either a column or a cross of facets", loc)
        elif facet.cross:
            yield from _cross(audit, facet, loc)
        yield from _sides(facet, loc)
        if facet.compare in ("best", "pairs") and not (
            audit.columns.label or audit.columns.prediction
        ):
            words = f"compare: {facet.compare} needs columns.prediction or columns.label"
            yield Fault(f"{words} to tell who is favored", (*loc, "compare"))
        yield from _groups(facet, loc)


def _cross(audit: Audit, facet: Facet, loc: Loc) -> Iterator[Fault]:
    members = facet.cross or ()
    if len(members) < 2:
        yield Fault("a cross needs two facets or more", (*loc, "cross"))
    for i, member in enumerate(members):
        at = (*loc, "cross", i)
        if member not in audit.facets:
            yield _unknown_facet(audit, member, at)
        elif audit.facets[member] is facet:
            yield Fault("a cross cannot contain itself", at)
        elif audit.facets[member].cross:
            yield Fault(f"{member!r} is a cross itself; name its facets instead", at)
    if facet.groups:
        yield Fault("a cross has no groups of its own; group its facets", (*loc, "groups"))


def _unknown_facet(audit: Audit, name: str, loc: Loc) -> Fault:
    known = f"one of {', '.join(audit.facets)}"
    return Fault(
        f"there is no facet {name!r}", loc, expected=known, hint=nearest(name, audit.facets)
    )


def _sides(facet: Facet, loc: Loc) -> Iterator[Fault]:
    mode = facet.mode
    if mode == "favored" and facet.favored is None:
        yield Fault("compare: favored needs a favored group", (*loc, "compare"))
    if mode != "favored" and facet.favored is not None:
        yield Fault(
            f"compare: {mode} chooses the favored group itself; leave favored out",
            (*loc, "compare"),
        )
    if mode in ("pairs", "best") and facet.disfavored is not None:
        yield Fault(
            f"compare: {mode} compares every group; leave disfavored out", (*loc, "compare")
        )
    if _overlap(facet.favored, facet.disfavored):
        yield Fault("favored and disfavored name the same people", (*loc, "disfavored"))
    for key in ("favored", "disfavored"):
        yield from _group_names(facet, getattr(facet, key), (*loc, key))


def _group_names(facet: Facet, side: Side | None, loc: Loc) -> Iterator[Fault]:
    if isinstance(side, Interval):
        if facet.groups or facet.cross:
            yield Fault("an interval cannot name a group here", loc, expected="a group's name")
        return
    for value in scalars(side) if facet.groups else ():
        if written(value) not in (facet.groups or {}):
            yield Fault(
                f"there is no group {written(value)!r}",
                loc,
                expected=f"one of {', '.join(facet.groups or {})}",
                hint=nearest(written(value), facet.groups or {}),
            )


def scalars(side: Side | None) -> tuple[Scalar, ...]:
    """Return the single values that a side names."""
    if side is None or isinstance(side, Interval):
        return ()
    return side if isinstance(side, tuple) else (side,)


def _groups(facet: Facet, loc: Loc) -> Iterator[Fault]:
    groups, at = facet.groups or {}, (*loc, "groups")
    if facet.groups is not None and not groups:
        yield Fault("groups is empty", at, expected="at least one named group")
    if len(groups) > MOST_GROUPS:
        yield Fault(f"{len(groups):,} groups are declared; at most {MOST_GROUPS} are compared", at)
        return
    keys = {name: _keys(side) for name, side in groups.items()}
    for first, second in combinations(groups, 2):
        if keys[first] & keys[second] or _overlap(groups[first], groups[second]):
            yield Fault(f"groups {first!r} and {second!r} overlap", (*at, second))


def _keys(side: Side | None) -> frozenset[Decimal | str]:
    """Return what the values of a side have in common with other spellings of them."""
    return frozenset(map(_key, scalars(side)))


def _key(value: Scalar) -> Decimal | str:
    text = {"true": "1", "false": "0"}.get(str(value).lower(), str(value))
    with suppress(InvalidOperation):
        number = Decimal(text)
        return number if number.is_finite() else text
    return text


def _overlap(one: Side | None, other: Side | None) -> bool:
    if isinstance(one, Interval) and isinstance(other, Interval):
        return one.meets(other)
    if isinstance(other, Interval):
        one, other = other, one
    if isinstance(one, Interval):
        return any(float(key) in one for key in _keys(other) if isinstance(key, Decimal))
    return bool(_keys(one) & _keys(other))


def _checks(audit: Audit, metrics: Mapping[str, Check], loc: Loc) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for name, check in metrics.items():
        at = (*loc, name)
        yield from _restricted(audit, check, at)
        if name in FAMILIES:
            yield from _family(audit, name, check, at)
            continue
        metric = find(name)
        if metric.id in seen:
            yield Fault(f"{name} and {seen[metric.id]} are the same metric", at, at_key=True)
        seen[metric.id] = name
        yield from _metric(audit, metric, check, at)


def _restricted(audit: Audit, check: Check, loc: Loc) -> Iterator[Fault]:
    for i, facet in enumerate(check.facets or ()):
        if facet not in audit.facets:
            yield _unknown_facet(audit, facet, (*loc, "facets", i))
    if check.facets and loc[0] == "facets":
        yield Fault("this check stands under its facet already", (*loc, "facets"), at_key=True)


def _family(audit: Audit, name: str, check: Check, loc: Loc) -> Iterator[Fault]:
    if check.has_limit or check.given or check.warn:
        yield Fault(
            f"the family {name} is reported without limits or parameters",
            loc,
            at_key=True,
            hint="write the metrics that have a limit by name beside it",
        )
    lacking = {m.id: m.needs & ~declared(audit.columns) for m in FAMILIES[name]}
    lacking = {metric: needs for metric, needs in lacking.items() if needs}
    if lacking and name != "all":
        words = dict.fromkeys(w for needs in lacking.values() for w in needs.words)
        yield Fault(
            f"the family {name} needs {' and '.join(words)}, which the spec does not declare"
            f" ({', '.join(lacking)})",
            loc,
            at_key=True,
            hint="declare it, or write `all:` for every metric that the columns allow",
        )


def _metric(audit: Audit, metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    if lacking := metric.needs & ~declared(audit.columns):
        words = " and ".join(lacking.words)
        yield Fault(f"{metric.id} needs {words}, which the spec does not declare", loc, at_key=True)
    if not metric.has_facet and (check.facets or loc[0] == "facets"):
        yield Fault(f"{metric.id} compares no groups, so it has no facets", loc, at_key=True)
    for name, value in check.given.items():
        yield from _parameter(metric, name, value, (*loc, name))
    yield from _limits(metric, check, loc)


def _parameter(metric: Metric, name: str, value: float | str, loc: Loc) -> Iterator[Fault]:
    parameter = metric.parameters.get(name)
    if parameter is None:
        names = ", ".join(metric.parameters)
        own = f"it has {names}" if names else "it has no parameters at all"
        yield Fault(f"{metric.id} has no parameter {name}", loc, at_key=True, expected=own)
    elif not _allowed(parameter, value):
        message, found = f"{metric.id}: this {name} is not possible", written(value)
        yield Fault(message, loc, expected=_bounds(parameter), found=found)


def _allowed(parameter: Parameter, value: float | str) -> bool:
    if isinstance(value, str):
        return value in parameter.choices
    return (
        (parameter.minimum is None or value >= parameter.minimum)
        and (parameter.maximum is None or value <= parameter.maximum)
        and (not parameter.whole or float(value).is_integer())
    )


def _bounds(parameter: Parameter) -> str:
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    kind = "a whole number" if parameter.whole else "a number"
    upper = "" if parameter.maximum is None else f", at most {parameter.maximum:g}"
    return f"{kind}, at least {parameter.minimum:g}{upper}"


def _limits(metric: Metric, check: Check, loc: Loc) -> Iterator[Fault]:
    for at, limits in ((loc, check), ((*loc, "warn"), check.warn)):
        if limits is None:
            continue
        if metric.is_ratio and limits.max_abs is not None:
            yield Fault(
                f"{metric.id} is a ratio with parity at 1, so max_abs does not bound it",
                (*at, "max_abs"),
                at_key=True,
                expected="min and max, such as {min: 0.8, max: 1.25}",
            )
        if limits.min is not None and limits.max is not None and limits.min > limits.max:
            yield Fault(f"no value keeps min {limits.min:g} and max {limits.max:g}", (*at, "min"))
    yield from _hidden_warnings(check, loc)


def _hidden_warnings(check: Check, loc: Loc) -> Iterator[Fault]:
    for name, bound in (check.warn.bounds if check.warn else {}).items():
        fails = check.bounds.get(name)
        if fails is not None and (bound <= fails if name == "min" else bound >= fails):
            yield Fault(
                f"warn {name} {bound:g} can never be reached before {name} {fails:g} fails",
                (*loc, "warn", name),
            )
