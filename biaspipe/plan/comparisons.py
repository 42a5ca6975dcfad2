"""Which groups are compared, once the counts show which ones occur."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple

from biaspipe.counts import Counts, Group, Headcount, Table, Undefined
from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.metrics import label_rate, selection_rate
from biaspipe.plan.dimensions import MAX_GROUPS, side_name, sides_as_groups, tests_of
from biaspipe.plan.kinds import is_missing, same
from biaspipe.plan.people import (
    MISSING,
    NO_GROUP,
    OUTSIDE,
    REST,
    FacetPeople,
    people_of,
    unmistakable,
)
from biaspipe.plan.planning import Plan
from biaspipe.plan.unseen_values import unseen_values
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.spec import Facet, FacetSide, Interval, Scalar, format_value

__all__ = ["Comparison", "EarlierTables", "FacetTables", "GroupCount", "GroupPart", "tabulate"]

MAX_COMPARISONS = 2_000


GroupPart = Literal[
    "favored", "disfavored", "both", "not compared", "empty", "in no group", "missing"
]
"""The part that a group plays in the comparisons of its facet."""


class EarlierTables(NamedTuple):
    """The people of a comparison whose earlier prediction was favorable, and the others."""

    favorable: Table
    unfavorable: Table


class Comparison(NamedTuple):
    """A favored and a disfavored side by name, the groups that make them up, and their table.

    `earlier` holds the same people by another prediction, where that was counted too.
    """

    favored: str
    disfavored: str
    favored_groups: tuple[str, ...]
    disfavored_groups: tuple[str, ...]
    table: Table
    earlier: EarlierTables | None = None


class GroupCount(NamedTuple):
    """A group of a facet, counted: whether it is compared, and who of it takes no part.

    `rows` and `n` are the rows and people that take part, and `counts` these by outcome, None
    where nobody is or who has no value; `unmatched` are, for each join, all its rows without a
    partner.
    """

    name: str
    rows: int
    part: GroupPart
    n: Headcount = 0
    label_missing: int = 0
    prediction_missing: int = 0
    missing: Headcount = 0
    unmatched: tuple[int, ...] = ()
    counts: Group | None = None


class FacetTables(NamedTuple):
    """A facet counted: its comparisons and where each of its rows went.

    Parameters
    ----------
    facet : the facet's name.
    comparisons : in the order of the groups.
    groups : every group, whether it is compared or not.
    names : the groups that single values are, by value.
    ledger : rows by what became of them; the numbers add up to the rows read.
    everyone : all people whose outcomes are known, whatever their group.
    """

    facet: str
    comparisons: tuple[Comparison, ...]
    groups: tuple[GroupCount, ...]
    names: Mapping[object, str]
    ledger: dict[str, int]
    everyone: Group


def tabulate(
    plan: Plan, counts: Counts, values_of: Callable[[str], Sequence[object]]
) -> tuple[FacetTables, ...]:
    """Turn the counts of an audit into the tables of its comparisons.

    Parameters
    ----------
    plan : the bound plan that was counted.
    counts : what the engine counted.
    values_of : gives the values of a column, the commonest first; asked only for messages.

    Raises
    ------
    SpecError
        If the spec names a value that does not occur, or a facet has too many values.
    """
    faults = list(unseen_values(plan, counts, values_of))
    tables = []
    for name, cells in zip(plan.groupings, counts.cells, strict=True):
        facet = plan.audit.facets[name]
        people = people_of(plan, name, cells)
        loc = ("facets", name)
        found = list(_too_many(name, facet, people, loc)) or list(_not_there(facet, people, loc))
        faults += found
        if not found and not faults:
            alone = plan.audit.compat is not None
            tables.append(_tables(name, facet, people, counts, alone=alone))
    if faults:
        raise SpecError(faults)
    return tuple(tables)


def _too_many(name: str, facet: Facet, people: FacetPeople, loc: Loc) -> Iterator[Fault]:
    """Yield the fault of more groups than are compared; any number can stand in the rest."""
    with_rest = facet.mode == "over_rest" and facet.favored is not None
    is_one = facet.disfavored is not None or with_rest
    if len(people.names) > MAX_GROUPS and not is_one:
        yield Fault(
            f"facet {name} has {len(people.names):,} distinct values; at most {MAX_GROUPS}"
            " can be compared",
            loc,
            hint="declare groups: intervals for numbers, lists for values",
        )


def _not_there(facet: Facet, people: FacetPeople, loc: Loc) -> Iterator[Fault]:
    if sides_as_groups(facet) or facet.groups:
        sides: dict[str, FacetSide | None] = {}
    else:
        sides = {"favored": facet.favored, "disfavored": facet.disfavored}
    for key, side in sides.items():
        for test in tests_of(side):
            if not any(_holds(facet, test, name, people) for name in people.names):
                text = test.text(str(facet.column)) if isinstance(test, Interval) else repr(test)
                yield Fault(
                    f"{text} does not occur in {facet.column or 'the cross'}",
                    (*loc, key),
                    expected=f"one of {list_values(people.names)}",
                    hint=None
                    if isinstance(test, Interval)
                    else did_you_mean(str(test), people.names),
                )


def _holds(facet: Facet, test: Scalar | Interval, name: str, people: FacetPeople) -> bool:
    """Whether a single value or interval of the spec names this group."""
    if facet.cross or facet.groups or sides_as_groups(facet):
        written = format_value(test)
        return name in (written, unmistakable(written))
    value = people.values[name]
    if isinstance(test, Interval):
        return not is_missing(value) and float(str(value)) in test
    return same(test, value)


def _members(
    facet: Facet, side: FacetSide | None, people: FacetPeople
) -> tuple[str, tuple[str, ...]]:
    """Return a side's name and the groups in it."""
    if side is None:
        return REST, ()
    if sides_as_groups(facet):
        name = unmistakable(side_name(side, str(facet.column)))
        return name, (name,)
    names = tuple(
        name
        for name in people.names
        if any(_holds(facet, test, name, people) for test in tests_of(side))
    )
    if isinstance(side, Interval):
        return side.text(str(facet.column)), names
    return ", ".join(names), names


ComparedGroups = tuple[str, tuple[str, ...], str, tuple[str, ...]]


def _pairs(facet: Facet, people: FacetPeople) -> Iterator[ComparedGroups]:
    """Favored name and groups, disfavored name and groups, of every comparison."""
    names = people.names
    if facet.mode == "pairs":
        rates = {name: _rate(people, name) for name in names}
        for one, other in combinations(names, 2):
            favored, disfavored = (other, one) if rates[other] > rates[one] else (one, other)
            yield favored, (favored,), disfavored, (disfavored,)
        return
    single: list[tuple[str, tuple[str, ...]]] = [(name, (name,)) for name in names]
    if facet.disfavored is not None:
        single = [_members(facet, facet.disfavored, people)]
    if facet.mode in ("rest", "over_rest"):
        if facet.mode == "over_rest" and facet.favored is not None:
            single = [_members(facet, facet.favored, people)]
        for name, groups in single:
            rest = REST, people.rest(groups)
            yield (*rest, name, groups) if facet.mode == "rest" else (name, groups, *rest)
        return
    best = max(people.names, key=lambda name: _rate(people, name)) if facet.mode == "best" else None
    side = (best, (best,)) if best else _members(facet, facet.favored, people)
    for name, groups in single:
        if not set(groups) & set(side[1]):
            yield *side, name, groups


def _rate(people: FacetPeople, name: str) -> Fraction:
    group = people.group([name], "")
    try:
        predicted = any(p is not None for _, p in group.cells)
        return selection_rate(group) if predicted else label_rate(group)
    except Undefined:
        return Fraction(-1)


def _tables(
    name: str, facet: Facet, people: FacetPeople, counts: Counts, *, alone: bool
) -> FacetTables:
    """Compare the groups of a facet; one that nobody stands against only where that is asked."""
    pairs = [p for p in _pairs(facet, people) if p[1] or alone] if people.names else []
    if not pairs:
        raise SpecError([_nothing(name, people)])
    if len(pairs) > MAX_COMPARISONS:
        message = f"facet {name} has {len(pairs):,} comparisons; at most {MAX_COMPARISONS} are made"
        raise SpecError([Fault(message, ("facets", name), hint="compare fewer groups")])
    comparisons = tuple(
        Comparison(favored, disfavored, a, d, people.table(a, d))
        for favored, a, disfavored, d in pairs
    )
    return FacetTables(
        name,
        comparisons,
        tuple(_groups(people, pairs)),
        {value: group for group, value in people.values.items()},
        _ledger(people, pairs, counts),
        people.whole,
    )


def _nothing(name: str, people: FacetPeople) -> Fault:
    found = f"only {list_values(people.names)}" if people.names else "no value at all"
    return Fault(
        f"facet {name} has nothing to compare: {found} occurs", ("facets", name), at_key=True
    )


def _groups(people: FacetPeople, pairs: Sequence[ComparedGroups]) -> Iterator[GroupCount]:
    """Yield every group with its rows: compared or not, small, empty, none and unknown."""
    against = {name for pair in pairs for name in pair[3]}
    beside = {name for pair in pairs for name in pair[1]}
    parts: dict[tuple[bool, bool], GroupPart] = {
        (True, True): "both",
        (True, False): "favored",
        (False, True): "disfavored",
        (False, False): "not compared",
    }
    for name in people.names:
        yield _group(people, name, name, parts[name in beside, name in against])
    yield from (GroupCount(name, 0, "empty") for name in people.empty)
    if NO_GROUP in people.members or NO_GROUP in people.missing:
        compared = NO_GROUP in beside or NO_GROUP in against
        part = parts[NO_GROUP in beside, NO_GROUP in against] if compared else "in no group"
        yield _group(people, NO_GROUP, OUTSIDE, part)
    if unplaced := people.missing_rows("facet_missing"):
        n, unmatched = people.people(people.missing_in(None).n), people.unmatched[None]
        yield GroupCount(MISSING, unplaced, "missing", n, unmatched=unmatched)


def _group(people: FacetPeople, key: str, name: str, part: GroupPart) -> GroupCount:
    missing, counts = people.missing_in(key), people.group([key], "")
    return GroupCount(
        name,
        counts.rows,
        part,
        counts.n,
        missing.rows["label_missing"],
        missing.rows["prediction_missing"],
        people.people(missing.n),
        people.unmatched[key],
        counts,
    )


def _ledger(people: FacetPeople, pairs: Sequence[ComparedGroups], counts: Counts) -> dict[str, int]:
    """Say of every row read what became of it; a group that plays both parts is disfavored."""
    against = {name for pair in pairs for name in pair[3]}
    beside = {name for pair in pairs for name in pair[1]} - against
    ledger = {
        "favored": people.rows(beside),
        "disfavored": people.rows(against),
        "other": people.rows(set(people.members) - against - beside),
    }
    for reason in ("facet_missing", "label_missing", "prediction_missing"):
        ledger[reason] = people.missing_rows(reason)
    return {**ledger, "removed_by_where": counts.removed}
