"""The cells of one facet in the words of the spec: groups by name, outcomes as favorable or not."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from biaspipe.counts import Cell, Group, Outcome, Stratum, Table
from biaspipe.plan.dimensions import OTHER, Dimension
from biaspipe.plan.matching import is_missing, same
from biaspipe.plan.planning import Plan
from biaspipe.spec import Scalar, written

__all__ = ["MISSING", "NO_GROUP", "People", "group_names", "own_dimensions", "people_of"]

NO_GROUP = ""
"""The name of the people that are in none of a facet's groups."""
MISSING = "(missing)"
"""The name of a stratum, or a part of it, whose value is missing."""

Key = tuple[str, Outcome, Outcome, str | None]


@dataclass
class People:
    """The people of a facet: by group, stratum, observed and predicted outcome.

    Parameters
    ----------
    values : the groups that occur, by name, each with its value where that is a single one.
    people : number of people by group and (stratum, observed, predicted, label category).
    rows : number of rows by group and stratum.
    lost : rows that take no part, by the reason.
    everyone : people of the whole data, by (stratum, observed, predicted, label category).
    """

    values: dict[str, object] = field(default_factory=dict)
    people: dict[str, Counter[Key]] = field(default_factory=dict)
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    everyone: Counter[Key] = field(default_factory=Counter)
    everyone_rows: int = 0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The groups that occur, in their order."""
        return tuple(self.values)

    def rest(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return all groups except these, the people in no group included."""
        return tuple(name for name in (*self.names, NO_GROUP) if name not in set(names))

    def group(self, names: Iterable[str], letter: str) -> Group:
        """Count the people of some groups together."""
        chosen = set(names)
        keys = (self.people.get(name, Counter()) for name in chosen)
        return _group(keys, letter, self.rows_in(chosen))

    def rows_in(self, names: Collection[str], stratum: str | None = None) -> int:
        """Count the rows of some groups, in one stratum or in all."""
        return sum(
            rows
            for (name, where), rows in self.rows.items()
            if name in names and stratum in (None, where)
        )

    def table(self, favored: Iterable[str], disfavored: Iterable[str]) -> Table:
        """Put two sides next to each other, whole and by stratum."""
        a, d = tuple(favored), tuple(disfavored)
        strata = sorted({key[0] for n in (*a, *d) for key in self.people.get(n, ())} - {""})
        return Table(
            self.group(a, "a"), self.group(d, "d"), tuple(self._stratum(s, a, d) for s in strata)
        )

    def _stratum(self, stratum: str, a: tuple[str, ...], d: tuple[str, ...]) -> Stratum:
        sides = []
        for names, letter in ((a, "a"), (d, "d")):
            inside = (
                Counter(
                    {k: n for k, n in self.people.get(name, Counter()).items() if k[0] == stratum}
                )
                for name in names
            )
            sides.append(_group(inside, letter, self.rows_in(names, stratum)))
        return Stratum(stratum, *sides)

    def all(self) -> Group:
        """Count everybody whose outcomes are known, whatever their group."""
        return _group([self.everyone], "", self.everyone_rows)


def _group(counters: Iterable[Counter[Key]], letter: str, rows: int) -> Group:
    cells: Counter[tuple[Outcome, Outcome]] = Counter()
    labels: Counter[str] = Counter()
    for counter in counters:
        for (_, observed, predicted, category), n in counter.items():
            cells[observed, predicted] += n
            if category is not None:
                labels[category] += n
    return Group(dict(cells), dict(labels), rows, letter)


def people_of(plan: Plan, facet: str, cells: Iterable[Cell]) -> People:
    """Read the cells of one facet.

    Parameters
    ----------
    plan : the plan that the cells were counted by.
    facet : the facet's name.
    cells : its cells; their keys are codes or values, in the order of the plan's grouping.
    """
    own = own_dimensions(plan, facet)
    people, values = People(), {}
    read = _Reader(plan, own)
    for cell in cells:
        atoms = cell.key[: len(own)]
        name = read.group(atoms)
        if name:
            values[name] = (tuple(map(_rank, atoms)), atoms[0] if len(atoms) == 1 else None)
        _add(people, name, read.outcomes(cell.key[len(own) :]), cell)
    people.values = {n: value for n, (_, value) in sorted(values.items(), key=lambda v: v[1][0])}
    return people


def _rank(value: object) -> tuple[str, object]:
    return (type(value).__name__, value)


def _add(people: People, name: str | None, outcomes: "Key | str", cell: Cell) -> None:
    if isinstance(outcomes, tuple):
        people.everyone[outcomes] += cell.n
        people.everyone_rows += cell.rows
    if name is None:
        people.lost["facet_missing"] += cell.rows
    elif isinstance(outcomes, str):
        people.lost[outcomes] += cell.rows
    else:
        people.people.setdefault(name, Counter())[outcomes] += cell.n
        people.rows[name, outcomes[0]] += cell.rows


@dataclass
class _Reader:
    """Turns the codes and values of a key into names and outcomes, each distinct one once."""

    plan: Plan
    own: tuple[Dimension, ...]
    favorable: dict[tuple[int, object], bool] = field(default_factory=dict)

    def group(self, atoms: tuple[object, ...]) -> str | None:
        """Return the group's name, empty for no group, None where a value is missing."""
        if any(is_missing(atom) for atom in atoms):
            return None
        names = [_part(d, atom) for d, atom in zip(self.own, atoms, strict=True)]
        return NO_GROUP if NO_GROUP in names else " & ".join(names)

    def outcomes(self, key: tuple[object, ...]) -> Key | str:
        """Return stratum, observed, predicted and label category, or the reason why not."""
        stratum = " & ".join(
            MISSING if is_missing(value) else written(value)
            for value in key[: len(self.plan.strata)]
        )
        rest: Iterator[object] = iter(key[len(self.plan.strata) :])
        label = next(rest) if self.plan.label else None
        prediction = next(rest) if self.plan.prediction else None
        if self.plan.label and is_missing(label):
            return "label_missing"
        if self.plan.prediction and is_missing(prediction):
            return "prediction_missing"
        observed = self._outcome(self.plan.label, label, self._positive)
        predicted = self._outcome(self.plan.prediction, prediction, lambda: ())
        return stratum, observed, predicted, self._category(label, observed)

    def _positive(self) -> tuple[Scalar, ...]:
        label = self.plan.audit.columns.label
        return (label.positive or ()) if label else ()

    def _outcome(
        self, dimension: Dimension | None, value: object, positive: Callable[[], tuple[Scalar, ...]]
    ) -> Outcome:
        if dimension is None:
            return None
        if dimension.bins is not None:
            return value != OTHER
        key = (id(dimension), value)
        if key not in self.favorable:
            self.favorable[key] = any(same(scalar, value) for scalar in positive())
        return self.favorable[key]

    def _category(self, label: object, observed: Outcome) -> str | None:
        if self.plan.label is None or observed is None:
            return None
        if self.plan.label.bins is None:
            return written(label)
        return "positive" if observed else "negative"


def _part(dimension: Dimension, atom: object) -> str:
    if dimension.bins is None:
        return written(atom) or "''"
    return NO_GROUP if atom == OTHER else dimension.bins[int(str(atom))].group


def group_names(plan: Plan, facet: str, keys: Iterable[tuple[object, ...]]) -> Iterator[str | None]:
    """Return the group that each key of codes or values is in, None where one is missing.

    Parameters
    ----------
    plan : the plan whose dimensions the keys follow.
    facet : the facet's name.
    keys : values of the facet's own dimensions, `own_dimensions(plan, facet)`.
    """
    read = _Reader(plan, own_dimensions(plan, facet))
    return (read.group(key) for key in keys)


def own_dimensions(plan: Plan, facet: str) -> tuple[Dimension, ...]:
    """Return the dimensions of a facet's groups, without strata, label and prediction."""
    dimensions = plan.groupings[facet]
    shared = len(plan.strata) + sum(d is not None for d in (plan.label, plan.prediction))
    return dimensions[: len(dimensions) - shared]
