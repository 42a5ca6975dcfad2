"""Simpson's paradox: a disparity that changes when people are compared within strata."""

from collections.abc import Iterator

from biaspipe.counts import Stratum, Table
from biaspipe.metrics import Metric

__all__ = ["NOTABLE", "simpson"]

NOTABLE = 0.05
"""How far the disparity within strata may be from the one over all before a report says so."""


def simpson(metric: Metric, table: Table, within: float | None) -> Iterator[str]:
    """Say where a conditional disparity and the unconditional one do not tell the same.

    Parameters
    ----------
    metric : CDDL or CDDPL.
    table : a comparison with strata.
    within : the metric's value on it.
    """
    whole = Table(table.favored, table.disfavored, (Stratum("", table.favored, table.disfavored),))
    over = metric(whole).number
    if within is None or over is None:
        return
    numbers = f"the disparity is {over:+.3g} over all people and {within:+.3g} within strata"
    if within * over < 0:
        yield f"Simpson's paradox: {numbers}, so that it changes its sign"
    elif abs(within - over) > NOTABLE:
        yield f"the disparity depends on the strata: {numbers}, more than {NOTABLE:g} apart"
