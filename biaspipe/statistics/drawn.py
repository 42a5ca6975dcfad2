"""The intervals that are drawn, on the evidence of a metric; the part that needs numpy."""

from math import inf
from typing import Any

from biaspipe.counts import Flips, Group, Table
from biaspipe.metrics import Metric
from biaspipe.statistics import formulas
from biaspipe.statistics.closed import may_be_equal
from biaspipe.statistics.draws import Draws, ends, rounded
from biaspipe.statistics.people import categories, effective

__all__ = ["draws_of", "interval"]

PRIOR = 1.0
"""People added to each group, shared out evenly over its cells; Jeffreys' prior for two."""

LOWERED = 3.0
"""How many times the excess of the draws the low end of a distance is lowered by."""


def draws_of(proof: Table | Group | Flips) -> Draws:
    """Prepare the draws of both groups' labels, or of everybody's benefits."""
    if isinstance(proof, Table):
        names, sides = categories(proof), (proof.favored, proof.disfavored)
        counts = [[effective(g, g.labels.get(name, 0)) for name in names] for g in sides]
    elif isinstance(proof, Group):
        benefits = (proof.FN, proof.TP + proof.TN, proof.FP)
        counts = [[effective(proof, n) for n in benefits]]
    else:
        raise TypeError("the fliptest's interval is not drawn")
    return Draws([[n + PRIOR / len(group) for n in group] for group in counts])


def interval(
    draws: Draws,
    proof: Table | Group | Flips,
    metric: Metric,
    confidence: float,
    value: float,
    **parameters: Any,
) -> tuple[float, float]:
    """Return the ends of a metric's interval from draws of the shares behind the counts.

    A distance starts at 0 where parity is not excluded.
    With more than two categories it is larger in samples than in the population, and larger
    still in draws around a sample: by how much the draws exceed the value, the low end is lowered.
    """
    if not isinstance(proof, Table):
        low, _, high = ends(draws.of(formulas.entropy, **parameters), confidence)
        return rounded(low), rounded(high)
    drawn = draws.of(formulas.DISTRIBUTION[metric.id], **parameters)
    low, middle, high = ends(drawn, confidence)
    if may_be_equal(proof, confidence):
        low = 0.0
    elif len(categories(proof)) > 2 and value < inf:
        low = max(0.0, low - LOWERED * max(0.0, middle - value))
    return rounded(low), rounded(high)
