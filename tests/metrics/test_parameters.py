"""The metrics that take a parameter, LP and GE, and the distances at the top of their ranges."""

from math import log, sqrt

import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from tests.metrics.comparisons import Comparison, law
from tests.metrics.conditions import only_false_negatives


@law
def test_lp_lies_within_the_range_of_its_order(comparison: Comparison) -> None:
    """LP of any order p is at most 2^(1/p)."""
    for p in (1, 1.5, 2, 3, 10, 400):
        value = comparison.value("LP", p=p).number
        assert value is None or 0 <= value <= 2 ** (1 / p)


@law
def test_ge_is_undefined_as_stated(comparison: Comparison) -> None:
    """GE is undefined without any benefit, and for alpha <= 0 if anybody has none."""
    missed = [n for c, n in comparison.everyone().items() if c.observed and not c.predicted]
    for alpha in (-3, -1, 0, 0.5, 1, 2, 3):
        undefined = only_false_negatives(comparison) or (alpha <= 0 and sum(missed) > 0)
        value = comparison.value("GE", alpha=alpha)
        assert (alpha, value.number is None) == (alpha, undefined)
        assert value.number is None or value.number >= 0


@law
def test_ge_is_at_most_half_of_the_others(comparison: Comparison) -> None:
    """GE of n people is at most (n-1)/2."""
    value = comparison.value("GE").number
    people = sum(comparison.everyone().values())
    assert value is None or value <= (people - 1) / 2 + 1e-12 * people


def labelled(name: str, **labels: int) -> Group:
    """Return a group with these people in each label category."""
    n = sum(labels.values())
    return Group({(True, None): n}, labels, n, name)


DISJOINT = {
    "few": Table(labelled("a", v=1), labelled("d", x=1, y=2, z=8)),
    "many": Table(labelled("a", v=49, w=5), labelled("d", q=17, r=8, x=32, y=49, z=29)),
}


@pytest.mark.parametrize("table", DISJOINT.values(), ids=DISJOINT)
def test_disjoint_labels_stay_within_the_range(table: Table) -> None:
    """Sides without a common label stay within the range of a distance to the last digit."""
    jensen_shannon, variation = METRICS["JS"](table).number, METRICS["TVD"](table).number
    sum_of_gaps, euclidean = METRICS["LP"](table, p=1).number, METRICS["LP"](table).number
    assert jensen_shannon is not None
    assert jensen_shannon <= log(2)
    assert variation == 1
    assert sum_of_gaps is not None
    assert sum_of_gaps <= 2
    assert euclidean is not None
    assert euclidean <= sqrt(2)
