"""The data counted once more, as smclarify reads it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from biaspipe.engines.counting import Engine
from biaspipe.engines.smclarify import SmclarifyQueries, queries_of
from biaspipe.plan import FacetTables, Plan
from biaspipe.report import CompatRecord, GroupRecord
from biaspipe.report.smclarify import GuessRecord
from biaspipe.smclarify import (
    NAME,
    VERSION,
    SmclarifyColumn,
    SmclarifyComparison,
    SmclarifyCounts,
    SmclarifyFlips,
    SmclarifyPlan,
    comparisons_of,
    everyone_of,
    guessed_columns,
    plan_of,
)
from biaspipe.spec import Audit

__all__ = ["Recount", "recount"]


class Recount(NamedTuple):
    """What smclarify counts, and what a report says of how it reads the data."""

    counts: SmclarifyCounts
    record: CompatRecord


def recount(
    engine: Engine, plan: Plan, tables: Sequence[FacetTables], spec: Mapping[str, Any]
) -> Recount:
    """Count the data as smclarify reads it.

    Parameters
    ----------
    engine : the engine that has counted it as the spec says.
    plan : the bound plan.
    tables : the comparisons that the spec asks for.
    spec : the spec as it is written.
    """
    queries = queries_of(engine)
    smclarify = plan_of(plan, queries.columns(guessed_columns(plan)), spec)
    counts = engine.count(smclarify.plan)
    found = comparisons_of(smclarify, counts)
    comparisons: dict[tuple[str, str], SmclarifyComparison] = {}
    flips: dict[tuple[str, str], SmclarifyFlips] = {}
    for facet in tables:
        if smclarify.facets[facet.facet].refused:
            continue
        keys = [(facet.facet, c.disfavored) for c in facet.comparisons]
        own = [found[name].get(group) or found[name][""] for name, group in keys]
        comparisons |= dict(zip(keys, own, strict=True))
        if facet.facet in smclarify.plan.fliptests:
            flips |= dict(zip(keys, queries.flips(smclarify, facet.facet, own), strict=True))
    smclarify_counts = SmclarifyCounts(
        everyone_of(smclarify, counts),
        comparisons,
        flips,
        {name: c.refused for name, c in smclarify.facets.items() if c.refused},
        smclarify.no_prediction,
        smclarify.no_strata,
    )
    return Recount(smclarify_counts, _record(smclarify, smclarify_counts, plan.audit, queries))


def _record(
    smclarify: SmclarifyPlan, counts: SmclarifyCounts, audit: Audit, queries: SmclarifyQueries
) -> CompatRecord:
    return CompatRecord(
        name=NAME,
        version=VERSION,
        label=_column(smclarify.label),
        prediction=_column(smclarify.prediction) if smclarify.prediction else None,
        facets={name: _facet(column, queries) for name, column in smclarify.facets.items()},
        everyone=GroupRecord.of(counts.everyone, audit, categories=False),
        no_prediction=counts.no_prediction,
        no_strata=counts.no_strata,
    )


def _facet(column: SmclarifyColumn, queries: SmclarifyQueries) -> GuessRecord:
    if column.values or column.refused:
        return _column(column)
    values = queries.values_in_order(column.name)
    texts = tuple("nan" if value is None else str(value) for value in values)
    return _column(column).model_copy(update={"values": texts})


def _column(column: SmclarifyColumn) -> GuessRecord:
    return GuessRecord(
        column=column.name,
        kind=str(column.pandas.kind),
        guess="continuous" if column.continuous else "categorical",
        distinct=column.pandas.distinct,
        missing=column.pandas.missing,
        text="" if column.refused else column.text,
        refused=column.refused,
    )
