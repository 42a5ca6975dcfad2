"""The exact fliptest: everybody's distinct rows, split into the sides of each comparison."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.counts import Flips
from biaspipe.errors import DataError
from biaspipe.fliptest.cost import PROPOSED, refuse_too_large
from biaspipe.fliptest.features import (
    category_texts,
    has_values,
    is_number,
    no_feature_values,
    offsets,
    origin,
)
from biaspipe.fliptest.nearest import MAX_PEOPLE
from biaspipe.fliptest.passes import (
    Header,
    RunPass,
    check_columns,
    code_column,
    pack,
    rebatch,
    unpack,
)
from biaspipe.fliptest.search import Members, flips, members_of
from biaspipe.fliptest.tally import SearchTally
from biaspipe.plan import OTHER, Comparison, FacetTables, Plan, group_names, own_dimensions
from biaspipe.sources.interrupts import interruptible

__all__ = ["DistinctPass", "ExactFliptests", "bounded_distinct_rows"]

Bools = NDArray[np.bool_]
MAX_ROWS = 10_000_000
"""Distinct rows that are brought to one machine where all of them may be too many."""


class ExactFliptests:
    """Runs the exact fliptests of a plan on its distinct rows.

    Parameters
    ----------
    plan : the bound plan.
    frame : distinct rows: `key0`... codes of the plan's dimensions, `feature0`... the features,
        `n` the people that each stands for.
    """

    def __init__(self, plan: Plan, frame: pl.DataFrame) -> None:
        self.plan = plan
        known = [code_column(plan, d) for d in (plan.label, plan.prediction) if d]
        self.frame = frame.drop_nulls(known)
        self.members = self._members()

    def _members(self) -> Members:
        features = [self.frame[f"feature{i}"] for i in range(len(self.plan.features))]
        if self.frame.height and not any(map(has_values, features)):
            raise no_feature_values(self.plan)
        numbers = [series for series in features if is_number(series.dtype)]
        origins = [origin(s) if is_number(s.dtype) else None for s in features]
        known = [category_texts(s).unique().sort() for s in features if not is_number(s.dtype)]
        zeros = {i: zero for i, zero in enumerate(map(origin, numbers)) if zero is not None}
        prediction = self.plan.prediction
        favorable = (
            self.frame[code_column(self.plan, prediction)] != OTHER
            if prediction
            else pl.repeat(True, self.frame.height, eager=True)
        )
        found = members_of(
            self.frame.with_columns(favorable=favorable), origins, [k.to_list() for k in known]
        )
        whole = {i: offsets(numbers[i], zero) for i, zero in zeros.items()}
        return Members(found.numbers, found.categories, found.people, found.favorable, whole)

    def groups(self, facet: str) -> NDArray[np.str_]:
        """Return the group of a facet that each row is in."""
        own = [code_column(self.plan, d) for d in own_dimensions(self.plan, facet)]
        keys = self.frame.select(own).rows()
        names = dict(zip(set(keys), group_names(self.plan, facet, set(keys)), strict=True))
        return np.array(["\0missing" if names[k] is None else names[k] for k in keys], dtype=str)

    def run(
        self, facet: str, comparisons: Iterable[Comparison], tally: SearchTally | None = None
    ) -> tuple[Flips, ...]:
        """Run the fliptest on every comparison of a facet.

        Parameters
        ----------
        facet : its name.
        comparisons : its comparisons.
        tally : is told how far the search is.

        Raises
        ------
        SpecError
            If so many pairs take too long, and no sample is asked for.
        """
        wanted = self.plan.fliptests[facet]
        sides = interruptible(lambda: self._sides(facet, comparisons))
        whole = self.members.complete
        sizes = [(int((a & whole).sum()), int((d & whole).sum())) for a, d in sides]
        refuse_too_large(self.plan, facet, sizes)
        return tuple(
            flips(
                self.members.only(a),
                self.members.only(d),
                k=wanted.k,
                scaling=wanted.scaling,
                features=wanted.features,
                tally=tally,
            )
            for a, d in sides
        )

    def _sides(self, facet: str, comparisons: Iterable[Comparison]) -> list[tuple[Bools, Bools]]:
        """Return which rows are on which side of each comparison."""
        groups = self.groups(facet)
        return [
            (np.isin(groups, c.favored_groups), np.isin(groups, c.disfavored_groups))
            for c in comparisons
        ]


def bounded_distinct_rows(
    plan: Plan, tables: Iterable[FacetTables], run_pass: RunPass
) -> pl.DataFrame:
    """Return the distinct rows for the exact fliptests of a plan, if they are not too many.

    Parameters
    ----------
    plan : the bound plan.
    tables : the facets whose fliptests take everybody.
    run_pass : runs a pass over all rows that count.

    Returns
    -------
    DataFrame
        The distinct rows, as `ExactFliptests` takes them; without columns where nobody counts.

    Raises
    ------
    SpecError
        If they are so many that a search takes too long, and no sample is asked for.
    """
    features = (f"feature{i}" for i in range(len(plan.features)))
    columns = (*(code_column(plan, d) for d in plan.dimensions), *features)
    rows = run_pass(DistinctPass(MAX_ROWS, columns))
    if rows is None:
        for t in tables:
            sides = [(c.table.favored.rows, c.table.disfavored.rows) for c in t.comparisons]
            refuse_too_large(plan, t.facet, sides)
        raise DataError(f"the fliptest meets more than {MAX_ROWS:,} distinct rows: {PROPOSED}")
    return rows.filter(pl.col("n") > 0) if rows.width else rows


class DistinctHeader(Header):
    """The header of distinct rows."""

    too_many: bool


@dataclass(frozen=True)
class DistinctPass:
    """A pass that collects distinct rows, and stops as soon as they are too many.

    Parameters
    ----------
    most : distinct rows that are not too many.
    columns : of a row, but for its people.
    """

    most: int
    columns: tuple[str, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> pl.DataFrame | None:
        """Return the distinct rows with their people; None if there are too many."""
        return self.merged(batch.drop("id", strict=False) for batch in rebatch(batches))

    def merged(self, parts: Iterable[pl.DataFrame | None]) -> pl.DataFrame | None:
        """Put the distinct rows of several parts together; a part without rows has no columns."""
        found = pl.DataFrame()
        for part in parts:
            if part is None:
                return None
            if part.width:
                rows = pl.concat([found, part]) if found.width else part
                found = rows.group_by(pl.exclude("n")).agg(pl.col("n").sum())
            if found.height > self.most:
                return None
        return found

    def pack(self, summary: pl.DataFrame | None) -> bytes:
        """Return distinct rows as bytes."""
        header = DistinctHeader(too_many=summary is None)
        return pack(header, pl.DataFrame() if summary is None else summary)

    def unpack(self, data: bytes) -> pl.DataFrame | None:
        """Return the distinct rows that bytes hold; an error if they were not asked for."""
        header, frame = unpack(DistinctHeader, data)
        if header.too_many or not frame.width:
            return None if header.too_many else pl.DataFrame()
        check_columns(frame, {**dict.fromkeys(self.columns), "n": pl.Int64})
        if frame["n"].cast(pl.Float64).sum() >= MAX_PEOPLE or (frame["n"] < 0).any():
            raise ValueError(frame["n"])
        return frame
