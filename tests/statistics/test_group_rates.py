"""The rates of a group and their intervals: worked examples, laws, and what they never do."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from biaspipe.counts import Group, Headcount
from biaspipe.metrics import GROUP_RATES, METRICS, Needs, RateName, selection_rate
from biaspipe.statistics import RateEstimate, estimate_rate
from biaspipe.statistics.proportions import quantile
from tests.examples import examples
from tests.statistics.test_any_counts import BOTH, CONFIDENCES, PEOPLE, WEIGHED, groups

WORKED: dict[RateName, tuple[float, float, float, int]] = {
    "label_rate": (0.3, 0.2189488529, 0.3958485463, 100),
    "selection_rate": (0.25, 0.1754521136, 0.3430446355, 100),
    "TPR": (20 / 30, 0.4878005164, 0.8076950192, 30),
    "FPR": (5 / 70, 0.0308942170, 0.1565541222, 70),
    "TNR": (65 / 70, 0.8434458778, 0.9691057830, 70),
    "FNR": (10 / 30, 0.1923049808, 0.5121994836, 30),
    "PPV": (0.8, 0.6086904963, 0.9113941531, 25),
    "NPV": (65 / 75, 0.7716683626, 0.9259341530, 75),
    "accuracy": (0.85, 0.7671644041, 0.9069401472, 100),
}
"""Of TP 20, FP 5, FN 10, TN 65; the ends by proportion_confint of statsmodels 0.14."""
MIRRORED: dict[RateName, RateName] = {
    "TPR": "TNR",
    "FPR": "FNR",
    "TNR": "TPR",
    "FNR": "FPR",
    "PPV": "NPV",
    "NPV": "PPV",
    "accuracy": "accuracy",
}
"""Which rate each becomes where favorable and unfavorable change places."""
COMPLEMENTS: tuple[tuple[RateName, RateName], ...] = (("TPR", "FNR"), ("TNR", "FPR"))
LAST_BITS = 1e-15
"""What the ends of two intervals may differ by that are both computed in floating point."""
everybody = st.sampled_from((PEOPLE, WEIGHED)).flatmap(lambda people: groups(people, BOTH, ""))


def counted(*people: Headcount) -> Group:
    """Return a group with these people: TP, FP, FN, TN."""
    outcomes = ((True, True), (False, True), (True, False), (False, False))
    return Group(dict(zip(outcomes, people, strict=True)))


def estimate(name: RateName, group: Group, confidence: float = 0.95) -> RateEstimate:
    """Return a rate by its name."""
    return estimate_rate(GROUP_RATES[name].rate, group, confidence)


def ends(found: RateEstimate) -> tuple[float, float]:
    """Return the ends of an interval that there is."""
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize("name", GROUP_RATES)
def test_rates_are_those_worked_out_by_hand(name: RateName) -> None:
    """A group of 100 people has the rates that its four counts give, with Wilson's limits."""
    value, low, high, n = WORKED[name]
    found = estimate(name, counted(20, 5, 10, 65))
    assert (found.value, found.n) == (value, n)
    assert ends(found) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_limits_are_those_of_newcombes_table(
    part: int, whole: int, low: float, high: float
) -> None:
    """The limits are those that Newcombe (1998) prints for method 3, Wilson's score."""
    found = estimate("PPV", counted(part, whole - part, 5, 7))
    assert ends(found) == pytest.approx((low, high), abs=5.01e-5)


def test_more_confidence_is_a_wider_interval_of_the_same_rate() -> None:
    """At 99 % the interval of 30 among 100 reaches from 0.1975 to 0.4274."""
    found = estimate("label_rate", counted(20, 5, 10, 65), 0.99)
    assert ends(found) == pytest.approx((0.1974606562, 0.4274276189), abs=1e-9)


def test_sampling_weights_count_effective_people() -> None:
    """A rate of 263 weighted people who are worth half of them has the limits of 131.5."""
    worth = Fraction(263, 2)
    group = Group({(None, True): Fraction(81), (None, False): Fraction(182)}, effective=worth)
    found = estimate_rate(selection_rate, group, 0.95)
    assert (found.value, found.n) == (81 / 263, 263)
    assert ends(found) == pytest.approx((0.23546642775, 0.39140326583), abs=1e-9)


def test_rate_of_nobody_has_no_value() -> None:
    """Where nobody has the favorable label, TPR and FNR are undefined and FPR is not."""
    group = counted(0, 3, 0, 4)
    assert estimate("TPR", group) == (None, None, None, 0)
    assert estimate("FNR", group) == (None, None, None, 0)
    assert estimate("FPR", group).value == 3 / 7


def test_every_rate_says_what_it_needs() -> None:
    """The shares of labels and of predictions need one column, all others need both."""
    needs = {name: one.needs for name, one in GROUP_RATES.items()}
    assert needs.pop("label_rate") == Needs.OBSERVED
    assert needs.pop("selection_rate") == Needs.PREDICTED
    assert set(needs.values()) == {Needs.OBSERVED | Needs.PREDICTED}


def test_every_share_that_a_metric_compares_is_listed() -> None:
    """No metric compares a share of a group that the group's rates leave out, or what is left."""
    compared = {rate for metric in METRICS.values() for rate in metric.compared if rate.is_share}
    listed = {one.rate for one in GROUP_RATES.values()}
    assert {rate for rate in compared - listed if rate.complements not in listed} == set()


@examples(200)
@given(everybody, st.sampled_from(list(GROUP_RATES)), CONFIDENCES)
def test_interval_holds_the_rate_within_bounds(
    group: Group, name: RateName, confidence: float
) -> None:
    """However many people there are, an interval lies within 0 and 1 and holds its rate."""
    found = estimate(name, group, confidence)
    if found.value is None:
        assert (found.low, found.high, found.n) == (None, None, 0)
    else:
        low, high = ends(found)
        assert 0 <= low <= found.value <= high <= 1


@examples(100)
@given(everybody, st.sampled_from(COMPLEMENTS))
def test_complements_add_up_to_one(group: Group, names: tuple[RateName, RateName]) -> None:
    """A rate and its complement add up to 1, and their intervals mirror each other."""
    one, other = (estimate(name, group) for name in names)
    assert one.n == other.n
    if one.value is not None and other.value is not None:
        assert one.value + other.value == pytest.approx(1)
        (low, high), (least, most) = ends(one), ends(other)
        assert (low, high) == pytest.approx((1 - most, 1 - least), abs=1e-9)


@examples(100)
@given(everybody, st.sampled_from(list(MIRRORED)))
def test_swapped_outcomes_swap_the_rates(group: Group, name: RateName) -> None:
    """Where favorable and unfavorable change places, each rate is what its mirror image was."""
    swapped = Group(
        {(not y, not p): n for (y, p), n in group.cells.items()}, effective=group.effective
    )
    assert estimate(MIRRORED[name], swapped) == estimate(name, group)


@examples(100)
@given(groups(PEOPLE, BOTH, ""), st.sampled_from(list(GROUP_RATES)), st.integers(2, 50))
def test_more_people_of_the_same_kind_narrow_the_interval(
    group: Group, name: RateName, times: int
) -> None:
    """As many times the people have the same rate, within an interval that is narrower."""
    many = Group({outcome: n * times for outcome, n in group.cells.items()})
    few, more = estimate(name, group), estimate(name, many)
    assert more.value == few.value
    assert more.n == few.n * times
    assume(few.value is not None)
    (low, high), (least, most) = ends(few), ends(more)
    assert (low, high) == (least, most) or high - low >= most - least


@examples(100)
@given(everybody, st.sampled_from(list(GROUP_RATES)))
def test_intervals_grow_with_confidence(group: Group, name: RateName) -> None:
    """An interval of more confidence holds every one of less."""
    found = [estimate(name, group, confidence) for confidence in (0.5, 0.8, 0.95, 0.999)]
    assume(found[0].value is not None)
    for (low, high), (least, most) in pairwise(map(ends, found)):
        assert least <= low + LAST_BITS
        assert high <= most + LAST_BITS


def test_quantile_is_that_of_its_confidence() -> None:
    """The quantile that is kept for a confidence is no other one's."""
    found = [quantile(confidence) for confidence in (0.9, 0.95, 0.9)]
    assert found == [1.644853626951, 1.95996398454, 1.644853626951]
