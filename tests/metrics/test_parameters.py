"""The metrics that take a parameter, LP and GE, and the distances at the top of their ranges."""

from math import log, sqrt

import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from tests.metrics.comparisons import Comparison, confusion, law
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
def test_values_lie_within_the_range_of_their_parameters(comparison: Comparison) -> None:
    """No value of GE or LP is outside of the range at its parameters."""
    orders = [("alpha", alpha) for alpha in (-20, -1, -1e-9, 0, 1e-3, 0.25, 0.5, 0.999, 1, 2)]
    for name, order in [*orders, ("p", 1), ("p", 2), ("p", 400)]:
        metric = "GE" if name == "alpha" else "LP"
        low, high = METRICS[metric].range_of(**{name: order})
        value = comparison.value(metric, **{name: order}).number
        assert value is None or low <= value <= high * (1 + 1e-9)


@pytest.mark.parametrize(
    ("alpha", "people", "least"),
    [
        (-20, (0, 0, 90, 10), 85.0),
        (0, (0, 0, 44, 56), 0.0596),
        (0.5, (0, 9999, 1, 0), 3.9),
        (0.9, (0, 10**9, 1, 0), 9.7),
        (1, (0, 10**6, 1, 0), 13.8),
    ],
)
def test_range_of_ge_is_no_wider_than_its_values(
    alpha: float, people: tuple[int, int, int, int], least: float
) -> None:
    """There are people whose GE is near the end of the range, or beyond any such end."""
    value = METRICS["GE"](confusion(*people), alpha=alpha).number
    assert value is not None
    assert least < value < METRICS["GE"].range_of(alpha=alpha)[1]


@law
def test_ge_is_at_most_half_of_the_others(comparison: Comparison) -> None:
    """GE of n people is at most (n-1)/2."""
    value = comparison.value("GE").number
    people = sum(comparison.everyone().values())
    assert value is None or value <= (people - 1) / 2 + 1e-12 * people


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [(-1, 17 / 1296), (0, 0.0155590446), (1, 0.0188956398), (2, 17 / 722), (3, 1241 / 41154)],
)
def test_ge_has_the_value_of_its_order(alpha: float, expected: float) -> None:
    """GE of 85 right predictions and 5 false positives follows the weight on large benefits."""
    value = METRICS["GE"](confusion(60, 0, 5, 25), alpha=alpha)
    assert value.number == pytest.approx(expected, rel=0, abs=5e-11)


def test_ge_of_order_one_is_the_theil_index() -> None:
    """GE for alpha = 1 is the Theil index, in which a benefit of 0 adds nothing."""
    value = METRICS["GE"](confusion(60, 10, 5, 25), alpha=1)
    assert value.number == pytest.approx(0.1242561555, rel=0, abs=5e-11)


@pytest.mark.parametrize("alpha", [1e-3, 1e-9, 1e-12, 1e-16, -1e-12])
def test_ge_is_continuous_at_order_zero(alpha: float) -> None:
    """GE for a tiny alpha is as near to the mean log deviation as alpha is to 0."""
    value = METRICS["GE"](confusion(60, 0, 5, 25), alpha=alpha)
    assert value.number == pytest.approx(0.0155590445725, rel=0, abs=3e-12 + abs(alpha) / 100)


@pytest.mark.parametrize("beyond", [1e-3, 1e-9, 1e-12, -1e-12])
def test_ge_is_continuous_at_order_one(beyond: float) -> None:
    """GE for an alpha close to 1 is as near to the Theil index as alpha is to 1."""
    value = METRICS["GE"](confusion(60, 10, 5, 25), alpha=1 + beyond)
    assert value.number == pytest.approx(0.1242561554991, rel=0, abs=3e-12 + abs(beyond) / 10)


@pytest.mark.parametrize(("p", "expected"), [(1, 1.0), (2, 0.7071067812), (3, 0.6299605249)])
def test_lp_has_the_value_of_its_order(p: float, expected: float) -> None:
    """LP of two gaps of one half is the norm of its order."""
    value = METRICS["LP"](Table(labelled("a", x=3, y=1), labelled("d", x=1, y=3)), p=p)
    assert value.number == pytest.approx(expected, rel=0, abs=5e-11)


def labelled(name: str, **labels: int) -> Group:
    """Return a group with these people in each label category."""
    n = sum(labels.values())
    return Group({(True, None): n}, labels, n, name)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("KL", 0.5832859517), ("JS", 0.1395246894), ("LP", 0.5099019514), ("TVD", 0.5), ("KS", 0.3)],
)
def test_distance_uses_every_category(metric: str, expected: float) -> None:
    """A distance of label distributions counts each of four categories, favorable or not."""
    a, d = labelled("a", v=4, w=4, x=1, y=1), labelled("d", v=1, w=2, x=3, y=4)
    assert METRICS[metric](Table(a, d)).number == pytest.approx(expected, rel=0, abs=5e-11)


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
