"""Which exact searches are worth their time, and the words for those that are not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from biaspipe.errors import DataError, Fault, Loc, SpecError
from biaspipe.fliptest.messages import Head, packed, refuse_other, unpacked
from biaspipe.fliptest.passes import Gathered, key_of, sized
from biaspipe.metrics import Needs
from biaspipe.plan import FacetTables, Plan

__all__ = ["MOST_PAIRS", "Folding", "affordable_rows", "refuse_unaffordable", "unaffordable"]

MOST_PAIRS = 300_000_000_000
"""Pairs of distinct rows that an exact search of one facet may take, about 3 minutes."""
PAIRS_A_MINUTE = 100_000_000_000
"""Pairs that two cores look at in a minute."""
MOST_ROWS = 10_000_000
"""Distinct rows that are folded on one machine where all of them may be too many."""
MOST_PEOPLE = 2.0**61
PROPOSED = "FT: {sample: 20000, seed: 7}"


def unaffordable(plan: Plan, tables: Iterable[FacetTables]) -> bool:
    """Whether a fliptest without a sample is too large, were all rows distinct.

    Parameters
    ----------
    plan : the bound plan.
    tables : its facets, counted.
    """
    return any(
        sum(c.table.favored.rows * c.table.disfavored.rows for c in t.comparisons) > MOST_PAIRS
        for t in tables
        if t.facet in plan.fliptests and plan.fliptests[t.facet].sample is None
    )


def affordable_rows(plan: Plan, tables: Iterable[FacetTables], gathered: Gathered) -> pl.DataFrame:
    """Fold rows that may be too many for the exact fliptests of a plan.

    Parameters
    ----------
    plan : the bound plan.
    tables : the facets whose fliptests take everybody.
    gathered : runs a pass over all rows that count.

    Returns
    -------
    DataFrame
        The distinct rows, as `Fliptests` takes them; without columns where nobody counts.

    Raises
    ------
    SpecError
        If they are so many that a search takes too long, and no sample is asked for.
    """
    features = (f"feature{i}" for i in range(len(plan.features)))
    columns = (*(key_of(plan, d) for d in plan.dimensions), *features)
    rows = gathered(Folding(MOST_ROWS, columns))
    if rows is None:
        for t in tables:
            sides = [(c.table.favored.rows, c.table.disfavored.rows) for c in t.comparisons]
            refuse_unaffordable(plan, t.facet, sides)
        raise DataError(f"the fliptest meets more than {MOST_ROWS:,} distinct rows: {PROPOSED}")
    return rows.filter(pl.col("n") > 0) if rows.width else rows


def refuse_unaffordable(plan: Plan, facet: str, sides: Sequence[tuple[int, int]]) -> None:
    """Refuse an exact fliptest that takes too long.

    Parameters
    ----------
    plan : the bound plan.
    facet : the facet's name.
    sides : of each comparison, the distinct rows of the favored and of the disfavored group.

    Raises
    ------
    SpecError
        With both numbers, the time it would take, and the sample to ask for instead.
    """
    pairs = sum(a * d for a, d in sides)
    if pairs > MOST_PAIRS:
        a, d = max(sides, key=lambda side: side[0] * side[1])
        raise SpecError([_fault(plan, facet, f"{d:,}", f"{a:,}", pairs)])


def _fault(plan: Plan, facet: str, d: str, a: str, pairs: int) -> Fault:
    minutes = pairs / PAIRS_A_MINUTE
    time = f"{minutes:,.0f} minutes" if minutes < 120 else f"{minutes / 60:,.0f} hours"
    return Fault(
        f"FT on {facet} compares n_d = {d} with n_a = {a} distinct rows, which takes about {time}",
        _loc(plan, facet),
        expected=f"at most {MOST_PAIRS:,} pairs, about 3 minutes on two cores",
        found=f"{pairs:,} pairs",
        hint=f"draw members of the disfavored group: {PROPOSED}",
    )


def _loc(plan: Plan, facet: str) -> Loc:
    checks = [c for c in plan.checks if c.facet == facet and Needs.FEATURES in c.metric.needs]
    return checks[-1].loc


class FoldingHead(Head):
    """What is sent of distinct rows."""

    too_many: bool


@dataclass(frozen=True)
class Folding:
    """A pass that folds rows that may be too many, and stops as soon as they are.

    Parameters
    ----------
    most : distinct rows that are not too many.
    columns : of a row, but for its people.
    """

    most: int
    columns: tuple[str, ...]

    def of(self, batches: Iterable[pl.DataFrame]) -> pl.DataFrame | None:
        """Return the distinct rows with their people; None if there are too many."""
        return self.merged(batch.drop("id", strict=False) for batch in sized(batches))

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

    def packed(self, summary: pl.DataFrame | None) -> bytes:
        """Return distinct rows as they are sent."""
        head = FoldingHead(too_many=summary is None)
        return packed(head, pl.DataFrame() if summary is None else summary)

    def unpacked(self, data: bytes) -> pl.DataFrame | None:
        """Return distinct rows that anybody may have sent."""
        head, frame = unpacked(FoldingHead, data)
        if head.too_many or not frame.width:
            return None if head.too_many else pl.DataFrame()
        refuse_other(frame, {**dict.fromkeys(self.columns), "n": pl.Int64})
        if frame["n"].cast(pl.Float64).sum() >= MOST_PEOPLE or (frame["n"] < 0).any():
            raise ValueError(frame["n"])
        return frame
