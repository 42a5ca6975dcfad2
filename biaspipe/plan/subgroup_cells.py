"""The people of a search for subgroups: counted by the groups of all its facets at once."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from biaspipe.counts import IN_NO_GROUP, NO_VALUE, Cell, Group, JointCell, JointCells
from biaspipe.metrics import Rate, find
from biaspipe.plan.dimensions import facet_dimensions
from biaspipe.plan.people import NO_GROUP, KeyReader
from biaspipe.plan.planning import Plan

__all__ = ["subgroup_cells", "subgroup_rate"]

Atoms = tuple[object, ...]


def subgroup_rate(metric: str) -> Rate | None:
    """Return the rate that a metric is a difference of; None for other metrics.

    Parameters
    ----------
    metric : its id or alias.

    >>> subgroup_rate("DPPL").of, subgroup_rate("DI"), subgroup_rate("DCA")
    ('n_{}', None, None)
    """
    record = find(metric)
    is_share = record.rate is not None and record.rate.is_share
    return record.rate if is_share and record.compares in ("a - d", "d - a") else None


def subgroup_cells(plan: Plan, counted: Iterable[Cell]) -> JointCells | None:
    """Read the cells of a search for subgroups; None without one.

    Whoever lacks label or prediction takes no part, as in every comparison.

    Parameters
    ----------
    plan : the bound plan that was counted.
    counted : what the engine counted by `plan.joint`.
    """
    search = plan.audit.subgroups
    rate = subgroup_rate(search.metric) if search else None
    if search is None or rate is None or not plan.joint:
        return None
    facets = [_FacetGroups(plan, name) for name in search.of]
    outcomes = KeyReader(plan._replace(strata=()), ())
    n_outcomes = sum(d is not None for d in (plan.label, plan.prediction))
    found = defaultdict[tuple[str | None, ...], list[int]](lambda: [0, 0])
    for cell in counted:
        own, rest = cell.key[: len(cell.key) - n_outcomes], cell.key[len(cell.key) - n_outcomes :]
        read = outcomes.outcomes(rest)
        if isinstance(read, str):
            continue
        people = Group({read[1:3]: cell.n})
        numbers = found[tuple(facet.name_of(own) for facet in facets)]
        numbers[0] += int(rate.whole(people))
        numbers[1] += int(rate.part(people))
    codes = [facet.codes() for facet in facets]
    cells = (
        JointCell(tuple(known[name] for known, name in zip(codes, names, strict=True)), *numbers)
        for names, numbers in found.items()
    )
    return JointCells(tuple(facet.names for facet in facets), tuple(sorted(cells)))


class _FacetGroups:
    """The groups of one facet, as they are met."""

    def __init__(self, plan: Plan, facet: str) -> None:
        dimensions = facet_dimensions(plan.audit, facet)
        self._places = [plan.joint.index(dimension) for dimension in dimensions]
        self._read = KeyReader(plan, dimensions)
        self._names: dict[Atoms, str | None] = {}
        self._met: dict[str, Atoms] = {}

    def name_of(self, key: Sequence[object]) -> str | None:
        """Return the group of a key: empty for none, None where the value is missing."""
        atoms = tuple(key[place] for place in self._places)
        if atoms not in self._names:
            self._names[atoms] = name = self._read.group(atoms)
            if name:
                self._met.setdefault(name, atoms)
        return self._names[atoms]

    @property
    def names(self) -> tuple[str, ...]:
        """The groups in the order of the spec, or of their values."""
        return tuple(sorted(self._met, key=lambda name: self._read.rank(self._met[name])))

    def codes(self) -> dict[str | None, int]:
        """Return the code of each group."""
        return {None: NO_VALUE, NO_GROUP: IN_NO_GROUP} | {
            name: i for i, name in enumerate(self.names)
        }
