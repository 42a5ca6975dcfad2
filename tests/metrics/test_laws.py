"""Laws that every registered metric keeps; `LAWS` says of each one which."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import copysign, inf, isfinite, log, sqrt
from operator import neg, pos
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS, Metric
from tests.metrics.comparisons import Cell, Comparison, comparisons, flips, group, table

each_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
law = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much],
)

Test = Callable[[Cell], bool]
Condition = Callable[[Comparison], bool]


def some(cells: dict[Cell, int] | Counter[Cell], test: Test) -> bool:
    """Tell whether anybody stands in a cell that passes the test."""
    return any(n > 0 and test(cell) for cell, n in cells.items())


def anyone(_: Cell) -> bool:
    """Pass every cell."""
    return True


def lacks(test: Test) -> Condition:
    """Build the condition that one of the sides has nobody who passes the test."""
    return lambda c: not (some(dict(c.a), test) and some(dict(c.d), test))


empty_side = lacks(anyone)
no_label = lacks(lambda cell: cell.observed)
no_negative_label = lacks(lambda cell: not cell.observed)
no_acceptance = lacks(lambda cell: cell.predicted)
no_rejection = lacks(lambda cell: not cell.predicted)
no_false_positive = lacks(lambda cell: cell.predicted and not cell.observed)


def nobody(c: Comparison) -> bool:
    """Tell whether both sides are empty."""
    return sum(c.a.values()) + sum(c.d.values()) == 0


def no_acceptance_at_all(c: Comparison) -> bool:
    """Tell whether a side is empty, or nobody on either one is predicted positive."""
    accepted = [n for side in (c.a, c.d) for cell, n in side.items() if cell.predicted]
    return empty_side(c) or sum(accepted) == 0
