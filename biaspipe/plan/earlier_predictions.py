"""The predictions of an earlier audit of the same rows, counted beside those of this one."""

from collections.abc import Iterator, Mapping, Sequence

from biaspipe.counts import Cell, Counts
from biaspipe.plan.comparisons import EarlierTables, FacetTables
from biaspipe.plan.dimensions import OTHER, outcome_of
from biaspipe.plan.kinds import Kind, is_missing
from biaspipe.plan.people import people_of
from biaspipe.plan.planning import Plan, fits
from biaspipe.spec import Outcome

__all__ = ["with_earlier_predictions", "with_earlier_tables"]


def with_earlier_predictions(plan: Plan, outcome: Outcome, kinds: Mapping[str, Kind]) -> Plan:
    """Count by an earlier prediction too; the same plan where the data cannot have it.

    Parameters
    ----------
    plan : the plan.
    outcome : the earlier prediction.
    kinds : the columns that the data has, by name.
    """
    dimension = outcome_of(outcome, categories=False)
    kind = kinds.get(dimension.column)
    if kind is None or dimension in plan.dimensions or plan.audit.compat is not None:
        return plan
    if not all(fits(test, kind) for _, test in dimension.bins or ()):
        return plan
    return plan._replace(
        dimensions=(*plan.dimensions, dimension),
        groupings={facet: (*key, dimension) for facet, key in plan.groupings.items()},
        earlier=dimension,
    )


def with_earlier_tables(
    plan: Plan, counts: Counts, tables: Sequence[FacetTables]
) -> tuple[FacetTables, ...]:
    """Put beside each comparison its people by the earlier prediction, where all have both.

    Parameters
    ----------
    plan, counts : what was asked for, and what was counted.
    tables : the comparisons of every facet.
    """
    if plan.earlier is None:
        return tuple(tables)
    return tuple(
        _paired(plan, facet, cells) for facet, cells in zip(tables, counts.cells, strict=True)
    )


def _paired(plan: Plan, facet: FacetTables, cells: Sequence[Cell]) -> FacetTables:
    """Put the people of a facet beside its comparisons, by the earlier prediction."""
    if any(_lacks_one(plan, cell) for cell in cells):
        return facet
    favorable = people_of(plan, facet.facet, _predicted(cells, favorable=True))
    unfavorable = people_of(plan, facet.facet, _predicted(cells, favorable=False))
    comparisons = tuple(
        c._replace(
            earlier=EarlierTables(
                favorable.table(c.favored_groups, c.disfavored_groups),
                unfavorable.table(c.favored_groups, c.disfavored_groups),
            )
        )
        for c in facet.comparisons
    )
    return facet._replace(comparisons=comparisons)


def _lacks_one(plan: Plan, cell: Cell) -> bool:
    """Whether people have one of both predictions alone."""
    *_, prediction, earlier = cell.key
    return plan.prediction is not None and is_missing(prediction) != is_missing(earlier)


def _predicted(cells: Sequence[Cell], *, favorable: bool) -> Iterator[Cell]:
    """Yield the cells of people with an earlier prediction, a favorable or an unfavorable one."""
    known = (cell for cell in cells if not is_missing(cell.key[-1]))
    return (cell for cell in known if (cell.key[-1] != OTHER) == favorable)
