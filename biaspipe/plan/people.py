"""The people of one facet, by the names of the spec: groups, strata, outcomes favorable or not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod

from biaspipe.counts import Cell, Favorable, Group, Headcount, Stratum, Table
from biaspipe.errors import DataError
from biaspipe.plan.dimensions import MAX_GROUPS, OTHER, Dimension
from biaspipe.plan.kinds import is_missing, same
from biaspipe.plan.members import GroupMembers, MissingPeople, group_of, to_headcount
from biaspipe.plan.planning import Plan
from biaspipe.printable_text import list_values
from biaspipe.spec import format_value

__all__ = [
    "AND",
    "MISSING",
    "NO_GROUP",
    "OUTSIDE",
    "REST",
    "FacetPeople",
    "KeyReader",
    "group_names",
    "own_dimensions",
    "people_of",
    "unmistakable",
]

NO_GROUP = ""
"""The name of the people that are in none of a facet's groups."""
MISSING = "(missing)"
"""The name of a stratum, or a part of it, whose value is missing."""

MAX_SHOWN = 60
REST = "the rest"
"""The name of all people that are in none of some groups."""
OUTSIDE = "(in no group)"
"""What the people in no group are called beside the groups."""
RESERVED = (REST, MISSING, OUTSIDE)
"""Names of people that are not the group of one value."""
AND = " & "
"""What stands between the groups of an intersection, and the values of a stratum."""


@dataclass
class FacetPeople:
    """The people of a facet, by group and stratum.

    Parameters
    ----------
    values : the groups that occur, by name, each with its value where that is a single one.
    members : the people of each group, by stratum; the stratum is empty without strata.
    missing : who takes no part, by group; who has no group, under None.
    unmatched : for each join, the rows of each group without a partner.
    everyone : people of the whole data whose outcomes are known.
    unknown : people of the whole data whose outcomes are not known.
    sampled : whether sampling weights say how many people each row stands for.
    empty : the intersections of groups that have members each, but none together.
    """

    values: dict[str, object] = field(default_factory=dict)
    members: dict[str, dict[str, GroupMembers]] = field(default_factory=dict)
    missing: dict[str | None, MissingPeople] = field(default_factory=dict)
    unmatched: dict[str | None, tuple[int, ...]] = field(default_factory=dict)
    everyone: GroupMembers = field(default_factory=GroupMembers)
    unknown: MissingPeople = field(default_factory=MissingPeople)
    sampled: bool = False
    empty: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The groups that occur, in their order."""
        return tuple(self.values)

    def rest(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return all groups except these, the people in no group included."""
        everybody = dict.fromkeys([*self.names, *self.members])
        return tuple(name for name in everybody if name not in set(names))

    def rows(self, names: Iterable[str]) -> int:
        """Count the rows of some groups."""
        return sum(members.rows for members in self._of(names))

    def missing_rows(self, reason: str) -> int:
        """Count the rows that take no part for a reason."""
        return sum(people.rows[reason] for people in self.missing.values())

    def missing_in(self, name: str | None) -> MissingPeople:
        """Return the people of a group who take no part."""
        return self.missing.get(name, MissingPeople())

    def people(self, n: int) -> Headcount:
        """Return counted people as a report can hold them."""
        return to_headcount(n, sampled=self.sampled)

    def group(self, names: Iterable[str], letter: str) -> Group:
        """Count the people of some groups together."""
        chosen = tuple(names)
        missing = sum(self.missing_in(name).n for name in chosen)
        return self._together(self._of(chosen), letter, missing)

    def table(self, favored: Iterable[str], disfavored: Iterable[str]) -> Table:
        """Put two sides next to each other, whole and by stratum."""
        sides = (tuple(favored), "a"), (tuple(disfavored), "d")
        present = {s for names, _ in sides for name in names for s in self.members.get(name, ())}
        strata = tuple(
            Stratum(s, *(self._together(self._of(side, s), letter) for side, letter in sides))
            for s in sorted(present - {""})
        )
        return Table(self.group(*sides[0]), self.group(*sides[1]), strata)

    @property
    def whole(self) -> Group:
        """Everyone, as one group."""
        return self._together([self.everyone], "", self.unknown.n)

    def _together(self, members: Iterable[GroupMembers], letter: str, missing: int = 0) -> Group:
        return group_of(members, letter, missing=missing, sampled=self.sampled)

    def _of(self, names: Iterable[str], stratum: str | None = None) -> Iterator[GroupMembers]:
        for name in names:
            inside = self.members.get(name, {})
            if stratum is None:
                yield from inside.values()
            elif stratum in inside:
                yield inside[stratum]


def people_of(plan: Plan, facet: str, cells: Iterable[Cell]) -> FacetPeople:
    """Read the cells of one facet.

    Parameters
    ----------
    plan : the plan that the cells were counted by.
    facet : the facet's name.
    cells : its cells; their keys are codes or values, in the order of the plan's grouping.
    """
    own = own_dimensions(plan, facet)
    weighting = plan.audit.columns.weighting
    sampled = weighting is not None and weighting.kind == "sampling"
    people, values = FacetPeople(sampled=sampled), {}
    read, kept = KeyReader(plan, own), dict[tuple[object, ...], None]()
    for cell in cells:
        atoms = cell.key[: len(own)]
        name = read.group(atoms)
        if name:
            kept[atoms] = None
            values[name] = (read.rank(atoms), atoms[0] if len(atoms) == 1 else None)
        _add(people, name, read.outcomes(cell.key[len(own) :]), cell)
    people.values = {n: value for n, (_, value) in sorted(values.items(), key=lambda v: v[1][0])}
    people.empty = tuple(_empty(read, list(kept)))
    return people


def _empty(read: "KeyReader", kept: list[tuple[object, ...]]) -> Iterator[str]:
    """Yield the intersections of groups that have members each, but none together."""
    parts = [list(dict.fromkeys(atoms)) for atoms in zip(*kept, strict=True)]
    if len(parts) > 1 and prod(map(len, parts)) <= MAX_GROUPS:
        names = {read.group(atoms) for atoms in kept}
        possible = sorted(product(*parts), key=read.rank)
        yield from (n for n in map(read.group, possible) if n and n not in names)


def _add(people: FacetPeople, name: str | None, outcomes: "KeyMeaning | str", cell: Cell) -> None:
    unmatched = people.unmatched.get(name) or (0,) * len(cell.unmatched)
    people.unmatched[name] = tuple(map(sum, zip(unmatched, cell.unmatched, strict=True)))
    if isinstance(outcomes, str):
        people.unknown.add(outcomes, cell)
    else:
        people.everyone.add(outcomes[1:], cell)
    if name is None or isinstance(outcomes, str):
        reason = "facet_missing" if name is None else str(outcomes)
        people.missing.setdefault(name, MissingPeople()).add(reason, cell)
        return
    strata = people.members.setdefault(name, {})
    strata.setdefault(outcomes[0], GroupMembers()).add(outcomes[1:], cell)


KeyMeaning = tuple[str, Favorable, Favorable, str | None]
"""Stratum, observed outcome, predicted outcome and label category of a cell."""


@dataclass
class KeyReader:
    """Turns the codes and values of a key into names and outcomes, each distinct one once."""

    plan: Plan
    own: tuple[Dimension, ...]
    favorable: dict[object, bool] = field(default_factory=dict)

    def group(self, atoms: tuple[object, ...]) -> str | None:
        """Return the group's name, empty for no group, None where a value is missing."""
        if any(is_missing(atom) for atom in atoms):
            return None
        if any(d.bins is not None and a == OTHER for d, a in zip(self.own, atoms, strict=True)):
            return NO_GROUP
        names = (_name(d, atom) for d, atom in zip(self.own, atoms, strict=True))
        return AND.join(unmistakable(name, within=len(atoms) > 1) for name in names)

    def rank(self, atoms: tuple[object, ...]) -> tuple[tuple[str, object], ...]:
        """Return the key by which groups are sorted: declared order, or that of the values."""
        return tuple(
            (type(a).__name__, a if d.bins is None else d.first_of(a))
            for d, a in zip(self.own, atoms, strict=True)
        )

    def outcomes(self, key: tuple[object, ...]) -> KeyMeaning | str:
        """Return stratum, observed, predicted and label category, or the reason why not."""
        strata = key[: len(self.plan.strata)]
        stratum = AND.join(_stratum(value, within=len(strata) > 1) for value in strata)
        rest: Iterator[object] = iter(key[len(self.plan.strata) :])
        label = next(rest) if self.plan.label else None
        prediction = next(rest) if self.plan.prediction else None
        if self.plan.label and is_missing(label):
            return "label_missing"
        if self.plan.prediction and is_missing(prediction):
            return "prediction_missing"
        observed = self._outcome(self.plan.label, label)
        predicted = self._outcome(self.plan.prediction, prediction)
        return stratum, observed, predicted, self._category(label, observed)

    def _outcome(self, dimension: Dimension | None, value: object) -> Favorable:
        if dimension is None:
            return None
        return value != OTHER if dimension.bins is not None else self._is_positive(value)

    def _is_positive(self, value: object) -> bool:
        """Whether a label that is counted by its categories is a favorable one."""
        if value not in self.favorable:
            label = self.plan.audit.columns.label
            positive = (label.positive or ()) if label else ()
            self.favorable[value] = any(same(scalar, value) for scalar in positive)
        return self.favorable[value]

    def _category(self, label: object, observed: Favorable) -> str | None:
        if self.plan.label is None or observed is None:
            return None
        if self.plan.label.bins is None:
            return format_value(label)
        return "positive" if observed else "negative"


def _name(dimension: Dimension, atom: object) -> str:
    if dimension.bins is None:
        return format_value(atom)
    try:
        return dimension.bins[int(str(atom))].group
    except (ValueError, IndexError):
        words = f"{dimension.column}: what counts hands back {list_values([atom])[:MAX_SHOWN]}"
        raise DataError(f"{words}, which is the place of no group") from None


def _stratum(value: object, *, within: bool) -> str:
    if is_missing(value):
        return MISSING
    name = format_value(value)
    return unmistakable(name, within=within)


def unmistakable(name: str, *, within: bool = False) -> str:
    """Quote a name that is blank, or could be taken for a quoted one or what is no such group.

    Parameters
    ----------
    name : a value, or what a spec calls a group.
    within : whether it is a part of an intersection.

    >>> unmistakable("the rest"), unmistakable(" "), unmistakable("A & B")
    ("'the rest'", "' '", 'A & B')
    """
    quoted = not name.strip() or name[0] in "'\"" or name in RESERVED
    return repr(name) if quoted or (within and AND in name) else name


def group_names(plan: Plan, facet: str, keys: Iterable[tuple[object, ...]]) -> Iterator[str | None]:
    """Return the group that each key of codes or values is in, None where one is missing.

    Parameters
    ----------
    plan : the plan whose dimensions the keys follow.
    facet : the facet's name.
    keys : values of the facet's own dimensions, `own_dimensions(plan, facet)`.
    """
    read = KeyReader(plan, own_dimensions(plan, facet))
    return (read.group(key) for key in keys)


def own_dimensions(plan: Plan, facet: str) -> tuple[Dimension, ...]:
    """Return the dimensions of a facet's groups, without strata, label and predictions."""
    dimensions = plan.groupings[facet]
    outcomes = (plan.label, plan.prediction, plan.earlier)
    shared = len(plan.strata) + sum(d is not None for d in outcomes)
    return dimensions[: len(dimensions) - shared]
