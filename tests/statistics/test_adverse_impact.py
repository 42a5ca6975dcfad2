"""The measures of adverse impact, against worked tables."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from biaspipe.counts import Table
from biaspipe.statistics import adverse_impact
from biaspipe.statistics.adverse_impact import multiple_for_significance
from biaspipe.statistics.exact_tests import fisher
from tests.metrics.test_worked_examples import decisions


def selection(s_a: int, n_a: int, s_d: int, n_d: int) -> Table:
    """Return two groups with so many selected of so many."""
    return Table(decisions(s_a, n_a - s_a, "a"), decisions(s_d, n_d - s_d, "d"))


@pytest.mark.parametrize(
    ("counts", "z", "z_p_value", "fisher", "hypergeometric", "binomial", "shortfall", "flipped"),
    [
        ((16, 80, 3, 20), 0.5098, 0.6102, 0.7571, 0.5073, 0.4588, 0.80, 1.0667),
        ((3, 20, 1, 10), 0.3798, 0.7041, 1.0, 0.3734, 0.3536, 0.33, 2.0),
        ((48, 80, 12, 40), 3.0984, 0.0019, 0.0034, 3.0854, 2.1909, 8.0, 0.5532),
    ],
)
def test_worked_table(  # noqa: PLR0913, PLR0917 - one row of the table
    counts: tuple[int, int, int, int],
    z: float,
    z_p_value: float,
    fisher: float,
    hypergeometric: float,
    binomial: float,
    shortfall: float,
    flipped: float,
) -> None:
    """Three selections have the measures that were worked out for them, by each model its own."""
    found = adverse_impact(selection(*counts))
    assert found.flip is not None
    measures = (found.z, found.z_p_value, found.fisher, found.hypergeometric, found.binomial)
    expected = (z, z_p_value, fisher, hypergeometric, binomial)
    assert measures == pytest.approx(expected, abs=5e-5)
    assert (found.shortfall, found.flip.ratio) == pytest.approx((shortfall, flipped), abs=4e-3)
    assert found.flip.reverses == (flipped > 1)


def test_nothing_to_move_is_no_flip() -> None:
    """Where nobody is selected there, or everybody here, no selection can be moved."""
    assert adverse_impact(selection(0, 80, 3, 20)).flip is None
    assert adverse_impact(selection(16, 80, 20, 20)).flip is None
    last = adverse_impact(selection(1, 80, 0, 20)).flip
    assert last is not None
    assert (last.ratio, last.reverses) == (None, True)


def test_equal_rates_after_the_flip_do_not_reverse() -> None:
    """The order reverses where the disfavored group has the higher rate, not where both have it."""
    equal = adverse_impact(selection(5, 20, 3, 20)).flip
    assert equal is not None
    assert (equal.ratio, equal.reverses) == (1.0, False)


def test_everybody_selected_is_no_shortfall() -> None:
    """Where everybody, or all but one group, is selected nothing divides by 0."""
    found = adverse_impact(selection(80, 80, 20, 20))
    assert (found.shortfall, found.z, found.hypergeometric, found.fisher) == (0.0, 0.0, 0.0, 1.0)


def test_a_weighted_sample_has_a_shortfall_only() -> None:
    """Under sampling weights people are stood for, so that nothing counts them one by one."""
    table = selection(48, 80, 12, 40)
    weighted = Table(replace(table.favored, effective=Fraction(50)), table.disfavored)
    found = adverse_impact(weighted)
    assert found.shortfall == 8.0
    assert {found.fisher, found.z, found.hypergeometric, found.binomial, found.flip} == {None}


@pytest.mark.parametrize(
    ("rates", "people"),
    [((0.5, 0.3), (100, 100)), ((0.2, 0.15), (80, 20)), ((0.05, 0.02), (200, 400))],
)
def test_people_told_make_a_difference_significant_four_times_in_five(
    rates: tuple[float, float], people: tuple[int, int]
) -> None:
    """Of samples as large as is told, Fisher's exact test finds about 80 percent significant."""
    times = multiple_for_significance(rates, people, 0.05)
    a, d = (round(times * number) for number in people)
    random = np.random.RandomState(7)
    drawn = zip(random.binomial(a, rates[0], 400), random.binomial(d, rates[1], 400), strict=True)
    found = [fisher(int(s), a - int(s), int(t), d - int(t)) < 0.05 for s, t in drawn]
    assert 0.74 < sum(found) / len(found) < 0.87
