"""The sampled fliptest: two passes over the data, the first to draw members, the second to search.

Neither holds more than the members drawn and some rows at a time, wherever the data lies.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

import polars as pl

from biaspipe.counts import Drawn, Flips
from biaspipe.errors import DataError
from biaspipe.fliptest.features import category_texts, no_feature_values
from biaspipe.fliptest.hash_sample import allocation, smallest_hashes
from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.passes import GroupKey, RunPass, code_column
from biaspipe.fliptest.sample_pass import GroupSample, SamplePass, SampleRequest, SampleSummary
from biaspipe.fliptest.search import count_flips, members_of, scales_of
from biaspipe.fliptest.search_pass import MemberSearch, SearchPass
from biaspipe.plan import Comparison, FacetTables, Plan, group_names, own_dimensions

__all__ = ["sampled_flips"]


def sampled_flips(
    plan: Plan, tables: Iterable[FacetTables], run_pass: RunPass
) -> dict[str, tuple[Flips, ...]]:
    """Run the fliptests that ask for a sample, all in the same two passes; the evidence by facet.

    Parameters
    ----------
    plan : the bound plan.
    tables : its facets, counted.
    run_pass : runs a pass over all rows that count.

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
    first = _sample_pass(plan, [t.facet for t in wanted])
    summary = run_pass(first)
    if summary.groups and not summary.has_values:
        raise no_feature_values(plan)
    sampled = {
        t.facet: [_SampledComparison(plan, t.facet, c, summary) for c in t.comparisons]
        for t in wanted
    }
    searches = [one.search for of_facet in sampled.values() for one in of_facet if one.search]
    second = SearchPass(first, summary.origins, tuple(searches))
    nearest: tuple[Nearest, ...] = run_pass(second) if searches else ()
    found = iter(nearest)
    return {
        facet: tuple(one.flips(next(found) if one.search else None) for one in of_facet)
        for facet, of_facet in sampled.items()
    }


def _sample_pass(plan: Plan, facets: Sequence[str]) -> SamplePass:
    requests = []
    for facet in facets:
        test = plan.fliptests[facet]
        columns = tuple(code_column(plan, d) for d in own_dimensions(plan, facet))
        requests.append(SampleRequest(facet, columns, test.sample or 0, test.seed, test.scaling))
    required = tuple(code_column(plan, d) for d in (plan.label, plan.prediction) if d)
    return SamplePass(len(plan.features), required[-1], required, tuple(requests))


class _SampledComparison:
    """One comparison: who was drawn for it, what is searched, and its evidence."""

    def __init__(
        self, plan: Plan, facet: str, comparison: Comparison, summary: SampleSummary
    ) -> None:
        self.test, self.summary = plan.fliptests[facet], summary
        self.columns = tuple(code_column(plan, d) for d in own_dimensions(plan, facet))
        groups = {key: group for (name, key), group in summary.groups.items() if name == facet}
        names = dict(zip(groups, group_names(plan, facet, groups), strict=True))
        keys = [
            tuple(key for key, name in names.items() if name in side)
            for side in (comparison.favored_groups, comparison.disfavored_groups)
        ]
        self.a, self.d = (self._side([groups[key] for key in side]) for side in keys)
        self.drawn = allocation(self.test.sample or 0, self.d.people)
        if plan.audit.columns.key and self.drawn != self.d.people:
            _refuse_duplicate_keys(plan.audit.columns.key, self.d)
        self.search = self._search(keys[0])

    def _side(self, groups: Sequence[GroupSample]) -> GroupSample:
        number = self.test.sample or 0
        nobody = GroupSample((0, 0), 0, (), (pl.DataFrame(), pl.DataFrame()))
        return reduce(lambda x, y: x.merged(y, number), groups) if groups else nobody

    def _search(self, keys: tuple[GroupKey, ...]) -> MemberSearch | None:
        """Return the search of the comparison; None if there are too few people on either side."""
        if sum(self.a.people) < self.test.k or not sum(self.d.people):
            return None
        origins = self.summary.origins
        pairs = zip(origins, self.summary.numeric, strict=True)
        zeros = [zero or 0 for zero, is_numeric in pairs if is_numeric]
        moments = [a + d for a, d in zip(self.a.moments, self.d.moments, strict=True)]
        scales = scales_of(moments, self.test.scaling, zeros)
        frame = _distinct(self.d.drawn, self.drawn)
        categories = tuple(
            tuple(category_texts(frame[f"feature{i}"]).unique().sort())
            for i, is_numeric in enumerate(self.summary.numeric)
            if not is_numeric
        )
        members = scales.of(members_of(frame, origins, categories))
        return MemberSearch(self.columns, keys, scales, members, categories, self.test.k)

    def flips(self, found: Nearest | None) -> Flips:
        """Return the evidence, from the nearest of all rows."""
        test, people = self.test, self.d.people
        plus, minus, distance = 0, 0, None
        if found is not None and self.search is not None:
            plus, minus, distance = count_flips(found, self.search.members, test.k)
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


def _refuse_duplicate_keys(key: str, group: GroupSample) -> None:
    """Refuse a key that several rows share, since the draw takes or leaves them together."""
    keys = pl.concat([frame["id"] for frame in group.drawn])
    if duplicates := keys.len() - keys.n_unique():
        words = f"columns.key: {key!r} tells no rows apart: {duplicates:,} of the {keys.len():,}"
        hint = "a key has another value in each row; name such a column"
        raise DataError(f"{words} rows with the smallest hashes have the key of another", hint=hint)


def _distinct(strata: Sequence[pl.DataFrame], numbers: Sequence[int]) -> pl.DataFrame:
    """Return the distinct rows of those drawn, with their prediction and people."""
    chosen = [
        smallest_hashes(frame, number).with_columns(favorable=pl.lit(is_favorable))
        for is_favorable, frame, number in zip((False, True), strata, numbers, strict=True)
    ]
    rows = pl.concat(chosen).drop("hash", "id")
    return rows.group_by(pl.all(), maintain_order=True).agg(n=pl.len().cast(pl.Int64))
