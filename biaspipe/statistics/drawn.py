"""The intervals of distances between labels of many categories: drawn, which needs numpy."""

from typing import Any

from biaspipe.counts import Table
from biaspipe.metrics import METRICS, Metric
from biaspipe.statistics import formulas
from biaspipe.statistics.closed import may_be_equal
from biaspipe.statistics.draws import Draws, Ends, ends, rounded
from biaspipe.statistics.people import categories, effective

__all__ = ["draws_of", "interval"]

PRIOR = 1.0
"""People added to each group, shared out evenly over its cells; Jeffreys' prior for two."""

LOWERED = {"KL": 1.5, "JS": 1.5, "LP": 3.0, "TVD": 3.0, "KS": 3.0}
"""How many times the excess of the draws the low end is lowered by, for many categories.

The excess of KL and JS, almost sums of squares, is the same whatever the distance; that of the
others is larger the smaller the distance is. The numbers keep the coverage that is measured by
`benchmarks/coverage.py`.
"""

PINSKER = {"KL": 2.0, "JS": 0.5}
"""No divergence is below this multiple of TVD^2.

Where a group lacks a category, a divergence says little of how near the distributions may be,
so the low end of its interval is taken from that of TVD.
"""

TVD = METRICS["TVD"]


def draws_of(table: Table) -> Draws:
    """Prepare the draws of both groups' labels."""
    names, sides = categories(table), (table.favored, table.disfavored)
    counts = [[effective(g, g.labels.get(name, 0)) for name in names] for g in sides]
    together = tuple(formulas.DISTRIBUTION.values())
    return Draws([[n + PRIOR / len(group) for n in group] for group in counts], together)


def interval(
    draws: Draws,
    table: Table,
    metric: Metric,
    confidence: float,
    value: float,
    **parameters: Any,
) -> tuple[float, float]:
    """Return the ends of a metric's interval from draws of the shares behind the counts."""
    chosen = {k: v for k, v in parameters.items() if v != metric.parameters[k].default}
    drawn = ends(draws.of(formulas.DISTRIBUTION[metric.id], **chosen), confidence)
    if may_be_equal(table, confidence):
        low = 0.0
    elif metric.id in PINSKER and _is_missing_a_category(table):
        gaps = ends(draws.of(formulas.total_variation), confidence)
        low = PINSKER[metric.id] * _lowered("TVD", gaps, float(TVD.compute(table))) ** 2
    else:
        low = _lowered(metric.id, drawn, value)
    return rounded(low), rounded(drawn.high)


def _lowered(metric: str, drawn: Ends, value: float) -> float:
    """Lower the low end of a distance between distributions over many categories.

    It is larger in samples than in the population, and larger still in draws around a sample:
    by how much, the middle of the draws shows.
    """
    return max(0.0, drawn.low - LOWERED[metric] * max(0.0, drawn.middle - value))


def _is_missing_a_category(table: Table) -> bool:
    groups = (table.favored, table.disfavored)
    return not all(g.labels.get(name) for g in groups for name in categories(table))
