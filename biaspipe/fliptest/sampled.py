"""The sampled fliptest: two passes over the data, the first to draw members, the second to search.

Neither holds more than the members drawn and some rows at a time, wherever the data lies.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

import polars as pl

from biaspipe.counts import Drawn, Flips
from biaspipe.errors import DataError
from biaspipe.fliptest.features import unknown, written
from biaspipe.fliptest.hash_sample import allocation, drawn
from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.neighbours import counted, scales_of
from biaspipe.fliptest.passes import Gathered, key_of
from biaspipe.fliptest.search_pass import Hunt, Hunting, members_of
from biaspipe.fliptest.surveying import Drawing, Group, Key, Survey, Surveyed
from biaspipe.plan import Comparison, FacetTables, Plan, group_names, own_dimensions

__all__ = ["sampled_flips"]


def sampled_flips(
    plan: Plan, tables: Iterable[FacetTables], gathered: Gathered
) -> dict[str, tuple[Flips, ...]]:
    """Run the fliptests that ask for a sample, all of them in the same two passes.

    Parameters
    ----------
    plan : the bound plan.
    tables : its facets, counted.
    gathered : runs a pass over all rows that count.

    Returns
    -------
    dict
        For each facet whose fliptest is sampled, the evidence of its comparisons, in order.

    Raises
    ------
    DataError
        If the key of a row is missing, or that of a drawn row stands in another row too.
    SpecError
        If no row has a value in any feature.
    """
    tests = plan.fliptests
    wanted = [t for t in tables if t.facet in tests and tests[t.facet].sample is not None]
    if not wanted:
        return {}
    survey = _survey(plan, [t.facet for t in wanted])
    surveyed = gathered(survey)
    if surveyed.groups and not surveyed.is_known:
        raise unknown(plan)
    sides = {t.facet: [_Sampled(plan, t.facet, c, surveyed) for c in t.comparisons] for t in wanted}
    hunts = [side.hunt for of_facet in sides.values() for side in of_facet if side.hunt]
    hunting = Hunting(survey, surveyed.origins, tuple(hunts))
    nearest: tuple[Nearest, ...] = gathered(hunting) if hunts else ()
    found = iter(nearest)
    return {
        facet: tuple(side.flips(next(found) if side.hunt else None) for side in of_facet)
        for facet, of_facet in sides.items()
    }


def _survey(plan: Plan, facets: Sequence[str]) -> Survey:
    drawings = []
    for facet in facets:
        test = plan.fliptests[facet]
        own = tuple(key_of(plan, d) for d in own_dimensions(plan, facet))
        drawings.append(Drawing(facet, own, test.sample or 0, test.seed, test.scaling))
    known = tuple(key_of(plan, d) for d in (plan.label, plan.prediction) if d)
    return Survey(len(plan.features), known[-1], known, tuple(drawings))


class _Sampled:
    """One comparison: who was drawn for it, what is searched, and what comes of it."""

    def __init__(self, plan: Plan, facet: str, comparison: Comparison, surveyed: Surveyed) -> None:
        self.test, self.surveyed = plan.fliptests[facet], surveyed
        self.own = tuple(key_of(plan, d) for d in own_dimensions(plan, facet))
        groups = {key: group for (name, key), group in surveyed.groups.items() if name == facet}
        names = dict(zip(groups, group_names(plan, facet, groups), strict=True))
        keys = [
            tuple(key for key, name in names.items() if name in side)
            for side in (comparison.favored_groups, comparison.disfavored_groups)
        ]
        self.a, self.d = (self._side([groups[key] for key in side]) for side in keys)
        self.drawn = allocation(self.test.sample or 0, self.d.people)
        if plan.audit.columns.key and self.drawn != self.d.people:
            _refuse_twins(plan.audit.columns.key, self.d)
        self.hunt = self._hunt(keys[0])

    def _side(self, groups: Sequence[Group]) -> Group:
        number = self.test.sample or 0
        nobody = Group((0, 0), 0, (), (pl.DataFrame(), pl.DataFrame()))
        return reduce(lambda x, y: x.merged(y, number), groups) if groups else nobody

    def _hunt(self, keys: tuple[Key, ...]) -> Hunt | None:
        """Return what is to be searched; None if there are too few people on either side."""
        if sum(self.a.people) < self.test.k or not sum(self.d.people):
            return None
        origins = self.surveyed.origins
        pairs = zip(origins, self.surveyed.numeric, strict=True)
        zeros = [zero or 0 for zero, is_numeric in pairs if is_numeric]
        moments = [a + d for a, d in zip(self.a.moments, self.d.moments, strict=True)]
        scales = scales_of(moments, self.test.scaling, zeros)
        frame = _folded(self.d.drawn, self.drawn)
        known = tuple(
            tuple(written(frame[f"feature{i}"]).unique().sort())
            for i, is_numeric in enumerate(self.surveyed.numeric)
            if not is_numeric
        )
        members = scales.of(members_of(frame, origins, known))
        return Hunt(self.own, keys, scales, members, known, self.test.k)

    def flips(self, found: Nearest | None) -> Flips:
        """Return the evidence, from the nearest of all rows."""
        test, people = self.test, self.d.people
        plus, minus, distance = 0, 0, None
        if found is not None and self.hunt is not None:
            plus, minus, distance = counted(found, self.hunt.members, test.k)
        return Flips(
            plus,
            minus,
            sum(people),
            sum(self.a.people),
            self.a.left_out + self.d.left_out,
            test.k,
            test.scaling,
            test.features,
            distance,
            Drawn(test.sample or 0, test.seed, *zip(people, self.drawn, strict=True)),
        )


def _refuse_twins(key: str, group: Group) -> None:
    """Refuse a key that several rows share, since the draw takes or leaves them together."""
    keys = pl.concat([frame["id"] for frame in group.drawn])
    if twins := keys.len() - keys.n_unique():
        words = f"columns.key: {key!r} tells no rows apart: {twins:,} of the {keys.len():,} rows"
        hint = "a key has another value in each row; name such a column"
        raise DataError(f"{words} with the smallest hashes have the key of another", hint=hint)


def _folded(strata: Sequence[pl.DataFrame], numbers: Sequence[int]) -> pl.DataFrame:
    """Return the distinct rows of those drawn, with their prediction and people."""
    chosen = [
        drawn(frame, number).with_columns(favorable=pl.lit(is_favorable))
        for is_favorable, frame, number in zip((False, True), strata, numbers, strict=True)
    ]
    rows = pl.concat(chosen).drop("hash", "id")
    return rows.group_by(pl.all(), maintain_order=True).agg(n=pl.len().cast(pl.Int64))
