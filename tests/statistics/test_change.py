"""The interval of a change: MOVER of other people, paired of the same ones, around parity too."""

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from biaspipe.counts import Group, Table
from biaspipe.metrics import find
from biaspipe.statistics import (
    IntervalEstimate,
    Intervals,
    change_interval,
    correlation,
    swapped_tables,
)
from biaspipe.statistics.proportions import paired

Z = 1.95996398454
NUMBERS = st.floats(-1, 1, allow_nan=False)
WIDTHS = st.floats(0, 1, allow_nan=False)
ESTIMATES = st.builds(
    lambda x, below, above: IntervalEstimate(x - below, x, x + above), NUMBERS, WIDTHS, WIDTHS
)


Cells = dict[tuple[bool | None, bool | None], int]


def around(estimate: float, below: float, above: float) -> IntervalEstimate:
    """Return an estimate with its limits."""
    return IntervalEstimate(estimate - below, estimate, estimate + above)


def test_change_of_other_people_is_joined_by_adding_squares() -> None:
    """From 0.2 -0.03 +0.04 to 0.3 -0.04 +0.03 it is 0.1, less and more a hypotenuse of 3, 4, 5."""
    found = change_interval(around(0.3, 0.03, 0.04), around(0.2, 0.03, 0.04))
    assert found == pytest.approx((0.1 - 0.05, 0.1, 0.1 + 0.05))


def test_sides_of_parity_do_not_matter() -> None:
    """A number below its best is as far from it as one above."""
    found = change_interval(around(-0.3, 0.04, 0.03), around(0.2, 0.03, 0.04))
    assert found == pytest.approx((0.05, 0.1, 0.15))


def test_correlation_narrows_the_interval() -> None:
    """Of limits of 0.1 with a correlation of 0.68 the change has limits of 0.08."""
    found = change_interval(around(0.5, 0.1, 0.1), around(0.4, 0.1, 0.1), 0.68)
    assert found == pytest.approx((0.02, 0.1, 0.18))


def test_what_may_have_been_at_parity_may_have_changed_by_all_that_is_seen() -> None:
    """Where the old number is half its limit from 0 the ellipse of both has the new one's ends."""
    found = change_interval(around(0.3, 0.1, 0.1), around(0.05, 0.1, 0.1))
    assert found.high == pytest.approx(0.3 + 0.1 * sqrt(5.9915 / 3.8415 - 0.25), abs=1e-4)
    assert found.low == pytest.approx(0.25 - sqrt(0.02))


def test_infinite_ends_say_what_they_leave_open() -> None:
    """An end that is infinite makes one end of the change infinite, and no more."""
    before = around(0.5, 0.1, 0.1)
    upper = change_interval(IntervalEstimate(0.2, 0.6, inf), before)
    assert (round(upper.low, 4), upper.high) == (-0.3123, inf)
    lower = change_interval(before, IntervalEstimate(0.2, 0.6, inf))
    assert (lower.low, round(lower.high, 4)) == (-inf, 0.3123)
    infinite = change_interval(IntervalEstimate(0.9, inf, inf), before)
    assert (round(infinite.low, 4), infinite.estimate, infinite.high) == (0.3, inf, inf)
    both = IntervalEstimate(0.9, inf, inf)
    assert change_interval(both, both) == (-inf, 0.0, inf)


@given(ESTIMATES, ESTIMATES, st.floats(-1, 1))
def test_swapping_then_and_now_negates_the_change(
    now: IntervalEstimate, before: IntervalEstimate, r: float
) -> None:
    """The change from one number to another is the negative of that back."""
    low, change, high = change_interval(now, before, r)
    back = change_interval(before, now, r)
    assert (-high, -change, -low) == pytest.approx(tuple(back), abs=1e-12)
    assert low <= change <= high


def table(a: tuple[int, int], d: tuple[int, int]) -> Table:
    """Return two groups with so many people predicted favorable and unfavorable."""
    one, other = (Group({(None, True): yes, (None, False): no}) for yes, no in (a, d))
    return Table(one, other)


def limits(metric: str, evidence: Table, confidence: float = 0.95) -> IntervalEstimate:
    """Return a metric of a table with its limits, as distances from its best value."""
    record = find(metric)
    value = record(evidence)
    found = Intervals(evidence, confidence).of(record, value)
    assert found is not None
    assert value.extended is not None
    best = record.ideal
    return IntervalEstimate(found.low - best, value.extended - best, found.high - best)


def test_two_tables_are_compared_by_their_own_intervals() -> None:
    """Newcombe's 0.2 (0.0524 to 0.3339) after -0.1 (-0.2421 to 0.0434) are joined by MOVER."""
    now, before = table((56, 14), (48, 32)), table((40, 10), (45, 5))
    found = change_interval(limits("DPPL", now), limits("DPPL", before))
    assert [round(end, 4) for end in limits("DPPL", before)] == [-0.2421, -0.1, 0.0434]
    below = sqrt((0.2 - 0.0524) ** 2 + (0.2421 - 0.1) ** 2)
    from_zero = 0.1 / (0.1 + 0.0434)
    above = (0.3339 - 0.2) * sqrt(5.9915 / 3.8415 - from_zero**2)
    assert found == pytest.approx((0.1 - below, 0.1, 0.2 + above), abs=2e-4)


def test_paired_change_is_nearly_newcombes() -> None:
    """Of one pair of groups the limits are those of two paired differences, joined by MOVER."""
    yes = Table(Group({(None, True): 250, (None, False): 30}), Group(dict(EARLIER[0])))
    no = Table(Group({(None, True): 20, (None, False): 200}), Group(dict(EARLIER[1])))
    r = correlation(find("DPPL"), yes, no)
    assert r is not None
    now, before = table((270, 230), (160, 340)), table((280, 220), (200, 300))
    found = change_interval(limits("DPPL", now), limits("DPPL", before), r)
    a, d = paired(250, 20, 30, 200, Z), paired(140, 20, 60, 280, Z)
    expected = a.estimate - d.estimate
    low = expected - sqrt(a.below**2 + d.above**2)
    high = expected + sqrt(a.above**2 + d.below**2)
    assert found.estimate == pytest.approx(expected) == pytest.approx(0.06)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.002)
    assert (
        found.high - found.low
        < 0.6
        * (change_interval(limits("DPPL", now), limits("DPPL", before)).high - found.estimate)
        * 2
    )


EARLIER: tuple[Cells, Cells] = (
    {(None, True): 140, (None, False): 60},
    {(None, True): 20, (None, False): 280},
)


Counts = NDArray[np.int64]
SHARES = np.array([0.30, 0.02, 0.03, 0.10, 0.08, 0.02, 0.03, 0.42])
OTHERS = np.array([0.22, 0.03, 0.02, 0.16, 0.12, 0.03, 0.02, 0.40])
CELLS = [(y, now, then) for y in (True, False) for now in (True, False) for then in (True, False)]


def by_one(counts: Counts, *, earlier: bool) -> Group:
    """Return people by label and one of two predictions."""
    cells: Cells = {}
    for (label, now, then), n in zip(CELLS, counts.tolist(), strict=True):
        key = label, then if earlier else now
        cells[key] = cells.get(key, 0) + n
    return Group(dict(cells))


def by_both(counts: Counts, *, earlier: bool) -> Group:
    """Return the people with this earlier prediction by label and today's prediction."""
    pairs = zip(CELLS, counts.tolist(), strict=True)
    return Group({(label, now): n for (label, now, then), n in pairs if then is earlier})


@pytest.mark.parametrize("metric", ["DPPL", "DI", "RD", "SD", "EOD", "ACCR", "TE", "AOD"])
def test_correlation_is_that_of_simulated_values(metric: str) -> None:
    """The infinitesimal jackknife comes to what samples of both predictions have."""
    rng, record = np.random.RandomState(7), find(metric)
    samples = [rng.multinomial(1000, shares, 600) for shares in (SHARES, OTHERS)]
    values = [
        [
            record(Table(by_one(a, earlier=earlier), by_one(d, earlier=earlier))).extended
            for a, d in zip(*samples, strict=True)
        ]
        for earlier in (False, True)
    ]
    expected = float(np.corrcoef(np.array(values, dtype=float))[0, 1])
    a, d = ((1000 * shares).round().astype(np.int64) for shares in (SHARES, OTHERS))
    tables = [
        Table(by_both(a, earlier=earlier), by_both(d, earlier=earlier)) for earlier in (True, False)
    ]
    assert correlation(record, *tables) == pytest.approx(expected, abs=0.06)


def test_predictions_that_change_places_are_of_the_same_people() -> None:
    """As if today's prediction were the earlier one, weights and correlation stay what they are."""
    groups = [
        Group(
            {(None, True): 60, (None, False): 9},
            effective=Fraction(40),
            squares={(None, True): 100, (None, False): 19},
        ),
        Group(
            {(None, True): 6, (None, False): 30},
            effective=Fraction(20),
            squares={(None, True): 8, (None, False): 57},
        ),
    ]
    tables = Table(groups[0], groups[1]), Table(groups[1], groups[0])
    yes, no = swapped_tables(*tables)
    assert (dict(yes.favored.cells), dict(yes.favored.squares)) == (
        {(None, True): 60, (None, False): 6},
        {(None, True): 100, (None, False): 8},
    )
    assert dict(no.disfavored.cells) == {(None, True): 30, (None, False): 9}
    expected = correlation(find("DPPL"), *tables)
    assert correlation(find("DPPL"), yes, no) == pytest.approx(expected, abs=0.005)


def test_predictions_that_never_differ_are_not_the_same_for_sure() -> None:
    """Of 100 people predicted alike both times, the correlation is below 1, as method 10 has it."""
    yes, no = table((50, 0), (40, 0)), table((0, 50), (0, 60))
    r = correlation(find("DPPL"), yes, no)
    assert r is not None
    assert 0.95 < r < 0.99


def test_changes_near_parity_are_covered() -> None:
    """Of 4,000 pairs of samples at the same distance of 0 to 3 errors, most intervals hold 0."""
    rng = np.random.RandomState(11)
    for distance in (0.0, 1.0, 3.0):
        draws = rng.normal(distance, 1, (500, 2))
        held = [
            low <= 0 <= high
            for now, before in draws
            for low, _, high in [change_interval(around(now, Z, Z), around(before, Z, Z))]
        ]
        assert float(np.mean(held)) >= 0.93


def test_worsening_from_parity_is_covered() -> None:
    """A change of 3 errors from parity is within most intervals, and above few of them."""
    draws = np.random.RandomState(12).normal((3, 0), 1, (1_000, 2))
    ends = [change_interval(around(now, Z, Z), around(before, Z, Z)) for now, before in draws]
    assert float(np.mean([low <= 3 <= high for low, _, high in ends])) >= 0.94
    assert float(np.mean([high < 3 for _, _, high in ends])) <= 0.045


def simulated(now: float, before: float, r: float, people: int = 4_000) -> NDArray[np.float64]:
    """Return how often the low end of a change is too high, and the high end too low."""
    draws = np.random.RandomState(13).multivariate_normal((now, before), [[1, r], [r, 1]], people)
    ends = [change_interval(around(x, Z, Z), around(y, Z, Z), r) for x, y in draws]
    true = abs(now) - abs(before)
    missed = np.array([(low > true, high < true) for low, _, high in ends], dtype=float)
    return np.array(missed.mean(axis=0))


@pytest.mark.parametrize("r", [0.0, 0.5, 0.8, 0.95])
def test_neither_end_is_missed_too_often_where_one_number_is_at_parity(r: float) -> None:
    """Of a change of 4 errors from or to parity, no end is missed by more than 3 % of samples."""
    assert simulated(4, 0, r).max() <= 0.03
    assert simulated(0, 4, r).max() <= 0.03


@pytest.mark.parametrize("r", [0.5, 0.8, 0.95])
def test_numbers_on_two_sides_of_parity_are_covered(r: float) -> None:
    """Of numbers moved to one side together the limits hold the change of both as well."""
    for now, before in ((2, -2), (4, -1.5), (-1, 2)):
        assert simulated(now, before, r).sum() <= 0.06


def test_limits_of_numbers_on_two_sides_are_not_all_of_their_distance() -> None:
    """From -0.0088 to 0.0434 the change is not as likely to the better as to the worse."""
    found = change_interval(around(0.0434, 0.0438, 0.0438), around(-0.0088, 0.0438, 0.0438), 0.87)
    assert found.high >= 0.0522 + 0.0438 * sqrt(2 * 0.13)
    assert found.low > -0.065


def test_change_that_is_sure_stays_so_where_the_new_number_is_near_parity() -> None:
    """A worsening whose difference and sum are above 0 is above 0, however near the ellipse is."""
    found = change_interval(around(1.24, 1, 1), around(0.75, 1, 1), 0.9)
    assert found.low == pytest.approx(1.99 - sqrt(3.8))


def test_limits_without_width_have_an_interval() -> None:
    """Numbers without chance in them change by what they are apart, at parity or not."""
    for now, before in ((0.0, 0.0), (0.3, 0.0), (0.0, 0.3), (0.3, 0.1)):
        found = change_interval(around(now, 0, 0), around(before, 0, 0))
        assert found == pytest.approx((now - before,) * 3)
