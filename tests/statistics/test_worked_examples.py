"""Intervals against the worked examples of those who published the methods."""

from math import inf

import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import ConfidenceInterval, Intervals
from biaspipe.statistics.proportions import (
    newcombe,
    odds,
    paired,
    paired_ratio,
    quantile,
    ratio_interval,
    wilson,
)
from tests.metrics.test_worked_examples import ADULT, BERKELEY, BERKELEY_UNCONDITIONAL, decisions

Z = 1.95996398454
Four = tuple[float, float, float, float]


def interval(metric: str, table: Table, confidence: float = 0.95) -> ConfidenceInterval:
    """Return a metric's interval on a table on which it has one."""
    value = METRICS[metric](table)
    found = Intervals(table, confidence).of(METRICS[metric], value)
    assert found is not None
    return found


def ends(low: float, high: float) -> object:
    """Equal two ends that round to these four decimals."""
    return pytest.approx((low, high), abs=5.01e-5)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_share_has_wilsons_limits(part: int, whole: int, low: float, high: float) -> None:
    """The limits of a share are those of Newcombe's table of single proportions, method 3."""
    found = wilson(part, whole, Z)
    assert (found.low, found.high) == ends(low, high)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((10, 10, 0, 10), 0.6075, 1.0000),
    ],
)
def test_difference_has_newcombes_limits(counts: Four, low: float, high: float) -> None:
    """The limits of a difference are those of Newcombe's table of differences, method 10."""
    found = newcombe(*counts, Z)
    assert (found.low, found.high) == ends(low, high)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((59, 6, 16, 80), -0.1186, -0.0046),
    ],
)
def test_paired_difference_has_newcombes_limits(counts: Four, low: float, high: float) -> None:
    """The limits of a paired difference are the published ones of method 10."""
    found = paired(*counts, Z)
    assert (found.low, found.high) == ends(low, high)


def test_paired_ratio_has_bonett_and_prices_limits() -> None:
    """The limits of a paired ratio are the published ones for consolidation therapy."""
    found = paired_ratio(59, 6, 16, Z)
    assert (found.low, found.high) == ends(0.7579, 0.9910)
    assert found.estimate == pytest.approx(65 / 75)


def test_ratio_is_where_the_difference_touches_zero() -> None:
    """A limit of a ratio is the multiple at which the difference from it just may be 0."""
    one, other = wilson(24, 73, Z), wilson(53, 65, Z)
    low, _, high = ratio_interval(one, other)
    assert (low, high) == ends(0.2816, 0.5625)
    for factor, near, far in ((low, one.below, other.above), (high, one.above, other.below)):
        gap = one.estimate - factor * other.estimate
        assert gap**2 == pytest.approx(near**2 + (factor * far) ** 2)


def test_odds_have_the_limits_of_their_share() -> None:
    """The limits of an odds are the odds of Wilson's limits, infinite where nobody is against."""
    assert odds(81, 182, Z) == pytest.approx((0.3428, 81 / 182, 0.5778), abs=5e-5)
    assert odds(5, 0, Z)[1:] == (inf, inf)


@pytest.mark.parametrize(
    ("confidence", "z"), [(0.8, 1.281551565545), (0.95, 1.959963984540), (0.999, 3.290526731492)]
)
def test_quantile_is_rounded(confidence: float, z: float) -> None:
    """The normal quantile is given to twelve decimals, the same on every machine."""
    assert quantile(confidence) == z


ADULT_INTERVALS = {
    "CI": (0.340759, 0.361890, "wilson"),
    "DPL": (0.191123, 0.209031, "newcombe"),
    "KL": (0.128553, 0.158292, "propimp"),
    "JS": (0.027920, 0.033684, "propimp"),
    "LP": (0.270289, 0.295615, "newcombe-folded"),
    "TVD": (0.191123, 0.209031, "newcombe-folded"),
    "KS": (0.191123, 0.209031, "newcombe-folded"),
    "DPPL": (0.085859, 0.098411, "newcombe"),
    "DI": (0.298862, 0.363014, "mover-ratio"),
    "DCAcc": (-0.428802, -0.038315, "bonett-price"),
    "DCR": (0.124731, 0.140904, "bonett-price"),
    "SD": (0.003348, 0.006371, "newcombe"),
    "RD": (0.004161, 0.066302, "newcombe"),
    "DAR": (-0.019823, 0.011929, "newcombe"),
    "DRR": (0.128469, 0.144461, "newcombe"),
    "AD": (-0.121441, -0.106727, "newcombe"),
    "TE": (-8.798724, 82.382025, "wilson-odds"),
    "vertex.error_ratio_difference": (-82.382025, 8.798724, "wilson-odds"),
    "vertex.specificity_difference": (-0.006371, -0.003348, "newcombe"),
}


@pytest.mark.parametrize("metric", ADULT_INTERVALS)
def test_adult_has_these_intervals(metric: str) -> None:
    """The 95 % intervals of the census data set are these, by these methods."""
    found = interval(metric, ADULT)
    low, high, method = ADULT_INTERVALS[metric]
    assert (found.low, found.high) == pytest.approx((low, high), abs=5.01e-7)
    assert found.method == method


def test_berkeleys_disparity_vanishes_within_departments() -> None:
    """The interval of Berkeley's disparity holds 0 by department and excludes it without."""
    by_department = interval("CDDL", BERKELEY)
    assert (by_department.low, by_department.high) == ends(-0.0528, 0.0138)
    without = interval("CDDL", BERKELEY_UNCONDITIONAL)
    assert (without.low, without.high) == ends(0.1150, 0.1721)


def test_one_stratum_has_newcombes_limits() -> None:
    """A disparity over one stratum is a difference of two shares, with Newcombe's limits."""
    low, _, high = newcombe(1278, 2771, 557, 1755, Z)
    found = interval("CDDL", BERKELEY_UNCONDITIONAL)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_nobody_selected_leaves_the_ratio_open() -> None:
    """An impact of 0 has a low end of 0, an infinite one an infinite high end and a finite low."""
    none, some = decisions(0, 20, "d"), decisions(30, 10, "a")
    zero = interval("DI", Table(some, none))
    assert zero.low == 0
    assert 0.2 < zero.high < 0.3
    infinite = interval("DI", Table(none, some))
    assert infinite.high == inf
    assert 3 < infinite.low < 5


def test_missing_category_leaves_the_divergence_open() -> None:
    """A divergence that is infinite has a finite low end, however many categories there are."""
    a = Group({(True, None): 40, (False, None): 60}, {"yes": 40, "no": 60})
    d = Group({(False, None): 50}, {"no": 50})
    assert interval("KL", Table(a, d)).high == inf
    assert 0.2 < interval("KL", Table(a, d)).low < 0.6
    three = Group({(True, None): 40, (False, None): 60}, {"yes": 40, "no": 30, "perhaps": 30})
    other = Group({(True, None): 20, (False, None): 30}, {"yes": 20, "no": 30})
    found = interval("KL", Table(three, other))
    assert found.high == inf
    assert 0 < found.low < 0.2
