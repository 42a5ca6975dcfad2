"""The fliptests of a plan, run on the rows of an engine."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import narwhals as nw
import polars as pl

from biaspipe.counts import Flips
from biaspipe.fliptest.cost import may_be_too_large
from biaspipe.fliptest.exact import ExactFliptests, bounded_distinct_rows
from biaspipe.fliptest.passes import Pass, S
from biaspipe.fliptest.sampled import sampled_flips
from biaspipe.fliptest.tally import SearchTally
from biaspipe.plan import FacetTables, Plan
from biaspipe.sources.interrupts import interruptible

__all__ = ["FliptestEngine", "run_fliptests"]


class FliptestEngine(Protocol):
    """The queries that the fliptest runs on an engine, and what is told how far it is."""

    tally: SearchTally

    def distinct_rows(self, plan: Plan) -> pl.DataFrame:
        """Return the distinct rows that the fliptest compares, and how many people each is."""

    def members(self, plan: Plan, *, sampled: bool) -> nw.LazyFrame[Any]:
        """Return the rows that count as a `Pass` takes them; with `id` where some are drawn."""

    def run_pass(self, rows: nw.LazyFrame[Any], a_pass: Pass[S]) -> S:
        """Run a pass over rows where they lie."""


def run_fliptests(
    engine: FliptestEngine, plan: Plan, tables: Sequence[FacetTables]
) -> Mapping[str, tuple[Flips, ...]]:
    """Run the fliptests of a plan; for each facet, the evidence of every comparison.

    Parameters
    ----------
    engine : where the rows are.
    plan : the bound plan.
    tables : its facets, counted.

    Raises
    ------
    SpecError
        If an exact search would take too long, the engine cannot tell rows apart, or no row has a
        value in any feature.
    """
    tests = plan.fliptests
    exact = [t for t in tables if t.facet in tests and tests[t.facet].sample is None]
    sampled = any(test.sample is not None for test in tests.values())
    found: dict[str, tuple[Flips, ...]] = {}
    if sampled:
        rows = engine.members(plan, sampled=True)
        found |= sampled_flips(plan, tables, lambda a_pass: engine.run_pass(rows, a_pass))
    if exact:
        distinct = _distinct_rows(engine, plan, exact)
        fliptests = interruptible(lambda: ExactFliptests(plan, distinct))
        found |= {t.facet: fliptests.run(t.facet, t.comparisons, engine.tally) for t in exact}
    return found


def _distinct_rows(
    engine: FliptestEngine, plan: Plan, tables: Sequence[FacetTables]
) -> pl.DataFrame:
    """Return the distinct rows; where they may be too many, a pass counts them as they come."""
    if not may_be_too_large(plan, tables):
        return engine.distinct_rows(plan)
    rows = engine.members(plan, sampled=False)
    found = bounded_distinct_rows(plan, tables, lambda a_pass: engine.run_pass(rows, a_pass))
    return found if found.width else engine.distinct_rows(plan)
