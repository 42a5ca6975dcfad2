"""The cost of an exact search, and the refusal of one that takes too long."""

from collections.abc import Iterable, Sequence

from biaspipe.errors import Fault, Loc, SpecError
from biaspipe.metrics import Needs
from biaspipe.plan import FacetTables, Plan

__all__ = ["PROPOSED", "may_be_too_large", "refuse_too_large"]

MAX_PAIRS = 300_000_000_000
"""Pairs of distinct rows that an exact search of one facet may take, about 3 minutes."""
PAIRS_A_MINUTE = 100_000_000_000
"""Pairs that two cores look at in a minute."""
PROPOSED = "FT: {sample: 20000, seed: 7}"
"""The sample that messages propose."""


def may_be_too_large(plan: Plan, tables: Iterable[FacetTables]) -> bool:
    """Whether a fliptest without a sample is too large, were all rows distinct.

    Parameters
    ----------
    plan : the bound plan.
    tables : its facets, counted.
    """
    return any(
        sum(c.table.favored.rows * c.table.disfavored.rows for c in t.comparisons) > MAX_PAIRS
        for t in tables
        if t.facet in plan.fliptests and plan.fliptests[t.facet].sample is None
    )


def refuse_too_large(plan: Plan, facet: str, sides: Sequence[tuple[int, int]]) -> None:
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
    if pairs > MAX_PAIRS:
        a, d = max(sides, key=lambda side: side[0] * side[1])
        raise SpecError([_fault(plan, facet, f"{d:,}", f"{a:,}", pairs)])


def _fault(plan: Plan, facet: str, d: str, a: str, pairs: int) -> Fault:
    minutes = pairs / PAIRS_A_MINUTE
    time = f"{minutes:,.0f} minutes" if minutes < 120 else f"{minutes / 60:,.0f} hours"
    return Fault(
        f"FT on {facet} compares n_d = {d} with n_a = {a} distinct rows, which takes about {time}",
        _loc(plan, facet),
        expected=f"at most {MAX_PAIRS:,} pairs, about 3 minutes on two cores",
        found=f"{pairs:,} pairs",
        hint=f"draw members of the disfavored group: {PROPOSED}",
    )


def _loc(plan: Plan, facet: str) -> Loc:
    checks = [c for c in plan.checks if c.facet == facet and Needs.FEATURES in c.metric.needs]
    return checks[-1].loc
