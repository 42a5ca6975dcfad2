"""Sampling weights: an interval is as wide as that of the effective number of people."""

from dataclasses import replace
from fractions import Fraction

import pytest

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import ConfidenceInterval, Intervals, parity_test
from tests.metrics.comparisons import UNEVEN, Comparison, confusion, table
from tests.metrics.test_laws import scaled

COMPARED = [m for m in METRICS if m not in {"FT", "GE"}]


def weighted(compared: Table, effective: float) -> Table:
    """Give every group this share of its people as their effective number."""

    def weighed(group: Group) -> Group:
        return replace(group, effective=Fraction(effective) * group.n)

    strata = (Stratum(s.name, weighed(s.favored), weighed(s.disfavored)) for s in compared.strata)
    return Table(weighed(compared.favored), weighed(compared.disfavored), tuple(strata))


def interval(metric: str, compared: Table) -> ConfidenceInterval:
    """Return a metric's 95 % interval."""
    found = Intervals(compared, 0.95).of(METRICS[metric], METRICS[metric](compared))
    assert found is not None
    return found


def uneven(c: Comparison) -> Table:
    """Return the table of a comparison."""
    return table(c.a, c.d)


@pytest.mark.parametrize("metric", COMPARED)
def test_weighted_people_count_as_their_effective_number(metric: str) -> None:
    """Twice the people at half their number have the interval of the effective number."""
    few, many = uneven(UNEVEN), weighted(uneven(scaled(UNEVEN, 2)), 0.5)
    one, other = interval(metric, few), interval(metric, many)
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_weighted_entropy_counts_the_effective_number() -> None:
    """The entropy of weighted people has the interval of their effective number."""
    half, whole = confusion(20, 4, 6, 30), confusion(40, 8, 12, 60)
    whole = replace(whole, effective=Fraction(60))
    one, other = (Intervals(g, 0.95).of(METRICS["GE"], METRICS["GE"](g)) for g in (half, whole))
    assert one == other


def test_only_one_group_may_be_weighted() -> None:
    """Weights in one group widen an interval, and leave the value within it."""
    plain = uneven(UNEVEN)
    favored = replace(plain.favored, effective=plain.favored.n * Fraction(1, 4))
    partly = Table(favored, plain.disfavored, plain.strata)
    for metric in COMPARED:
        one, other = interval(metric, plain), interval(metric, partly)
        assert (metric, other.high - other.low >= one.high - one.low - 1e-9) == (metric, True)


def test_broken_numbers_of_people_have_intervals() -> None:
    """Counts that are fractions, as sums of sampling weights are, have intervals too."""
    a = Group({(True, True): Fraction(7, 2), (False, False): Fraction(9, 4)})
    d = Group({(True, True): Fraction(1, 3), (True, False): Fraction(5, 3)})
    compared = weighted(Table(a, d), 0.8)
    found = interval("DPPL", compared)
    assert found.low < float(Fraction(14, 23) - Fraction(1, 6)) < found.high


def test_weighted_people_are_tested_by_the_score() -> None:
    """Under sampling weights parity is tested by the score test on effective numbers."""
    a, d = (Group({(None, True): n, (None, False): 4}) for n in (2, 6))
    plain, half = (
        parity_test(METRICS["DPPL"], compared)
        for compared in (Table(a, d), weighted(Table(a, d), 0.5))
    )
    assert plain is not None
    assert plain.method == "fisher"
    assert half is not None
    assert half.method == "score"
    assert half.p_value == pytest.approx(0.465208818452, rel=1e-9)


def test_strata_of_very_unequal_weight_have_an_interval() -> None:
    """Where all but a thousand-millionth stand in one stratum, its people alone count."""
    few, many, none = Fraction(1, 10**9), Fraction(10**9), Fraction(0)
    mixed = Group({(True, None): few, (False, None): few})
    refused = Group({(True, None): none, (False, None): many})
    taken = Group({(True, None): many, (False, None): none})
    favored = Group({(True, None): few, (False, None): few + many})
    disfavored = Group({(True, None): few + many, (False, None): few})
    strata = (Stratum("x", mixed, mixed), Stratum("y", refused, taken))
    found = interval("CDDL", Table(favored, disfavored, strata))
    assert found.low == -1.0
    assert found.high == pytest.approx(-1 + 3.84e-9, abs=1e-11)
