"""The effective number of people: of each rate's own denominator, by how weights go with it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.counts import Favorable, Group, Headcount, Table, WeightedTotal, n_eff, share_of
from biaspipe.metrics import METRICS
from biaspipe.metrics.rates import (
    conditional_acceptance,
    error_ratio,
    label_rate,
    recall,
    selection_rate,
)
from biaspipe.metrics.sizes import sizes
from biaspipe.statistics import Intervals, parity_test
from biaspipe.statistics.effective_size import (
    category_share,
    effective_categories,
    effective_share,
    excess_people,
    overlap_people,
)
from tests.examples import examples
from tests.metrics.comparisons import UNEVEN, table

Cells = dict[tuple[Favorable, Favorable], Headcount]
OUTCOMES: list[tuple[Favorable, Favorable]] = [
    (True, True),
    (False, True),
    (True, False),
    (False, False),
]
WITH_INTERVAL = [m for m in METRICS if m not in {"FT", "GE"}]


def sampled(*kinds: tuple[float, float], name: str = "") -> Group:
    """Return a group of TP, FP, FN, TN: so many rows of a weight each."""
    people = [Fraction(n) * Fraction(w) for n, w in kinds]
    squares = [n * Fraction(w) for n, (_, w) in zip(people, kinds, strict=True)]
    every, all_squares = sum(people), sum(squares)
    return Group(
        dict(zip(OUTCOMES, people, strict=True)),
        {"yes": people[0] + people[2], "no": people[1] + people[3]},
        round(sum(n for n, _ in kinds)),
        name,
        Fraction(every**2 / all_squares) if all_squares else Fraction(0),
        squares=dict(zip(OUTCOMES, squares, strict=True)),
        label_squares={"yes": squares[0] + squares[2], "no": squares[1] + squares[3]},
    )


def weighed(group: Group, weight: Fraction) -> Group:
    """Give every person of a group the same weight."""
    return replace(
        group,
        cells={cell: n * weight for cell, n in group.cells.items()},
        labels={label: n * weight for label, n in group.labels.items()},
        effective=Fraction(group.n),
        squares={cell: n * weight * weight for cell, n in group.cells.items()},
        label_squares={label: n * weight * weight for label, n in group.labels.items()},
    )


RARE = sampled((125, 1), (50, 49), (125, 1), (200, 49), name="d")


def test_rate_counts_its_own_denominator() -> None:
    """Of 250 positives of weight 1 recall counts 250, whatever the negatives weigh."""
    assert effective_share(recall, RARE) == (125, 250)
    assert RARE.effective == pytest.approx(260.2, abs=0.01)


def test_recall_of_even_positives_is_as_sure_as_without_weights() -> None:
    """250 positives of weight 1 in both groups give RD an interval of width 0.16."""
    d = sampled((75, 1), (50, 49), (175, 1), (200, 49), name="d")
    compared = Table(replace(d, name="a"), d)
    found = Intervals(compared, 0.95).of(METRICS["RD"], METRICS["RD"](compared))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.07995, 0.07995), abs=1e-5)


def test_share_has_the_number_of_korn_and_graubard() -> None:
    """50 people of weight 4 with the outcome and 40 of 1 without it stand for p(1-p)/v of them."""
    # W = 240 and p = 5/6; r_1 = 4, and r_0 = 1 is drawn to r = 3.5 by 4 of 44 people: 1.227272...
    # 240 / (1/6 * 4 + 5/6 * 1.2272...) = 240 / 1.68939...
    number = share_of(WeightedTotal(200, 800), WeightedTotal(40, 40)).whole
    assert number == pytest.approx(142.062780269, abs=1e-9)
    # of many people the number is that of the published formula alone: 1 / (p(1-p)(1/n_1 + 1/n_0))
    many = share_of(WeightedTotal(200e9, 800e9), WeightedTotal(40e9, 40e9)).whole
    assert many / 1e9 == pytest.approx(160.0, rel=1e-6)


@pytest.mark.parametrize("weight", [1e-9, 0.01, 3.0, 1e6])
def test_one_person_makes_no_share_sure(weight: float) -> None:
    """One person of whatever weight makes a share no surer than 1.26 times Kish's number would."""
    part, whole = share_of(WeightedTotal(weight, weight**2), WeightedTotal(100, 100))
    kish = (100 + weight) ** 2 / (100 + weight**2)
    assert part < 2
    assert 0.3 * kish <= whole <= 1.26 * kish


def test_share_of_nobody_has_the_number_of_kish() -> None:
    """Where nobody has the outcome, the people without it are worth (sum w)^2 / sum w^2."""
    nobody, others = WeightedTotal(0, 0), WeightedTotal(40, 200)
    assert share_of(nobody, others) == (0, 8)
    assert share_of(others, nobody) == (8, 8)


def test_unknown_squares_leave_the_number_of_the_group() -> None:
    """Where squares are not known by outcome, weights are taken as unrelated to it."""
    group = Group({(None, True): Fraction(30), (None, False): Fraction(90)}, effective=Fraction(40))
    assert effective_share(selection_rate, group) == pytest.approx((10, 40))


def test_excess_of_predictions_has_its_own_number() -> None:
    """(FP - FN)/n of 10 FP of weight 1, 10 FN of 3, and 40 others of 1 stands for 38.7 people."""
    # W = 80, excess = -1/4, r = 140/80 = 1.75; r of FP 1 + .75*4/14, of the 40 others 1 + .75*4/44
    # equal: 10*1.25^2 + 30*.75^2 + 40/16 = 35; uneven: 15.625*1.2142857 + 16.875*3 + 2.5*1.0681818
    # 80 * 35 / 72.268723
    group = sampled((20, 1), (10, 1), (10, 3), (20, 1))
    assert sum(excess_people(group)) == pytest.approx(38.7443, abs=1e-4)


def test_overlap_has_its_own_number() -> None:
    """A ratio of two parts that overlap stands for the people behind its logarithm."""
    both, one, other = overlap_people(
        conditional_acceptance, sampled((30, 2), (20, 1), (20, 1), (5, 9))
    )
    # TP do not move a ratio of 80/80; FP and FN weigh 1, drawn to 1.6 by 4 of 24 people: 1.1
    assert both + one + other == pytest.approx(100 / 1.1)
    assert both / one == pytest.approx(3)


def test_odds_of_errors_count_the_errors() -> None:
    """FN/FP counts FN and FP alone: 40 of weight 2 each stand for 40 people."""
    group = sampled((500, 7), (20, 2), (20, 2), (500, 1))
    total = WeightedTotal.of(group, error_ratio.part), WeightedTotal.of(group, error_ratio.whole)
    assert share_of(*total) == (20, 40)


def test_categories_stand_for_the_average_of_their_design_effects() -> None:
    """Three categories of 100 people each, weighing 1, 1 and 2, have Rao and Scott's number."""
    people = {"x": Fraction(100), "y": Fraction(100), "z": Fraction(200)}
    squares = {"x": Fraction(100), "y": Fraction(100), "z": Fraction(400)}
    group = Group(
        {(True, None): Fraction(400)},
        people,
        300,
        effective=Fraction(800, 3),
        label_squares=squares,
    )
    wholes = [category_share(group, name).whole for name in "xyz"]
    expected = 2 / (0.75 / wholes[0] + 0.75 / wholes[1] + 0.5 / wholes[2])
    found = effective_categories(group, ["x", "y", "z"])
    assert sum(found) == pytest.approx(expected)
    assert 200 < sum(found) < 400


@pytest.mark.parametrize("metric", ["KL", "JS", "LP", "TVD", "KS"])
def test_distance_counts_the_people_of_its_categories(metric: str) -> None:
    """Where those with the rarer label weigh much, a distance has the people of DPL's share."""
    a, d = (sampled((7, 10), (10, 1), (3, 10), (180, 1), name=name) for name in "ad")
    found = dict(sizes(METRICS[metric], Table(a, d)))
    assert {name: float(n) for name, n in found.items()} == pytest.approx(
        {"n_d": 41.7033540387, "n_a": 41.7033540387}
    )


@pytest.mark.parametrize("metric", WITH_INTERVAL)
@given(weight=st.fractions(Fraction(1, 10**6), 10**6))
@examples(10)
def test_equal_weights_change_no_interval(metric: str, weight: Fraction) -> None:
    """Where all weights are the same, whatever they are, an interval is that of the people."""
    plain = table(UNEVEN.a, UNEVEN.d)
    equal = Table(
        weighed(plain.favored, weight),
        weighed(plain.disfavored, weight),
        tuple(
            s._replace(favored=weighed(s.favored, weight), disfavored=weighed(s.disfavored, weight))
            for s in plain.strata
        ),
    )
    one, other = (
        Intervals(t, 0.95).of(METRICS[metric], METRICS[metric](t)) for t in (plain, equal)
    )
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-5, abs=1e-9)


ROWS = st.tuples(st.integers(0, 40), st.sampled_from([0.0, 1e-20, 1e-3, 0.3, 1.0, 7.0, 1e9]))


@given(st.tuples(*[ROWS] * 4), st.tuples(*[ROWS] * 4), st.sampled_from([1e-6, 0.1, 12.0]))
@examples(40)
def test_weights_of_another_unit_change_nothing(
    a: tuple[tuple[int, float], ...], d: tuple[tuple[int, float], ...], unit: float
) -> None:
    """All weights times one number leave every interval where it is, and none raises."""
    # Weights that are a billion times as large as others leave no digits for these.
    weights = [weight for n, weight in (*a, *d) if n and weight]
    has_digits = not weights or max(weights) < 1e9 * min(weights)
    one = Table(sampled(*a, name="a"), sampled(*d, name="d"))
    other = Table(
        sampled(*((n, w * unit) for n, w in a), name="a"),
        sampled(*((n, w * unit) for n, w in d), name="d"),
    )
    for name in ("DPL", "DI", "RD", "TE", "DCAcc", "KL", "TVD", "AOD", "EOD", "CI"):
        values = [METRICS[name](t) for t in (one, other)]
        found = [
            Intervals(t, 0.95).of(METRICS[name], v)
            for t, v in zip((one, other), values, strict=True)
        ]
        if found[0] is not None and found[1] is not None:
            ends = [(f.low, f.high) for f in found if f]
            assert not has_digits or ends[0] == pytest.approx(ends[1], rel=1e-6, abs=1e-6), name
        parity_test(METRICS[name], one)


@given(st.tuples(*[ROWS] * 4))
@examples(60)
def test_people_seen_are_no_more_than_rows(kinds: tuple[tuple[int, float], ...]) -> None:
    """Of whatever weights people are, `min_rows` counts no more of them than there are rows."""
    group = sampled(*kinds, name="d")
    for name in ("DPL", "RD", "DI", "AOD"):
        seen = sizes(METRICS[name], Table(replace(group, name="a"), group))
        assert all(n <= group.rows * (1 + 1e-9) for _, n in seen)


Draw = Callable[[np.random.RandomState, int], np.ndarray]
DESIGNS: dict[str, tuple[Draw, float]] = {
    "weights of positives vary": (lambda r, n: np.exp(r.standard_normal(n) - 0.5), 1.0),
    "positives weigh ten times": (lambda _r, n: np.full(n, 10.0), 10.0),
    "positives weigh a tenth": (lambda _r, n: np.full(n, 0.1), 0.1),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_under_weights_that_go_with_the_outcome(design: str) -> None:
    """Where weights go with the outcome, 93 to 99 % of the intervals of a share hold the truth."""
    draw, mean = DESIGNS[design]
    random, drawn, people = np.random.RandomState(7), 0.1, 1_000
    truth = drawn * mean / (drawn * mean + 1 - drawn)
    held = 0
    for n in random.binomial(people, drawn, 400):
        w = draw(random, n)
        yes = WeightedTotal(float(w.sum()), float((w * w).sum()))
        part, whole = share_of(yes, WeightedTotal(float(people - n), float(people - n)))
        z, p = 1.959963984540054, part / whole
        held += abs(p - truth) <= z * (truth * (1 - truth) / whole) ** 0.5
    assert 0.92 <= held / 400 <= 0.99


def test_parity_is_rejected_as_often_as_the_level_says() -> None:
    """Where positives weigh ten times as much, a test at 5 % finds a difference in 3 to 7 %."""
    random, found = np.random.RandomState(3), 0
    for _ in range(400):
        groups = []
        for name in "ad":
            yes = int(random.binomial(1_000, 0.03))
            groups.append(sampled((yes, 10), (0, 1), (0, 1), (1_000 - yes, 1), name=name))
        test = parity_test(METRICS["DPL"], Table(groups[0], groups[1]))
        found += test is not None and test.p_value < 0.05
    assert 0.03 <= found / 400 <= 0.07


def test_influences_of_one_kind_have_the_number_of_kish() -> None:
    """An estimate that no kind of people moves has Kish's number."""
    assert n_eff([(WeightedTotal(6.0, 12.0), 0.0)]) == 3.0
    assert n_eff([]) == 0
    assert effective_share(label_rate, Group({})) == (0, 0)
