"""The smallest gap that is seen, and the people that limits and undecided checks take."""

from itertools import product
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from biaspipe.counts import Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS, find
from biaspipe.statistics import Intervals
from biaspipe.statistics.limit_power import Standard, limit_power
from biaspipe.statistics.power import Gap, detectable, smallest_gap
from biaspipe.statistics.sample_size import Undecided, decisive_factors, multiplied

Z = 1.95996398454
Floats = NDArray[np.float64]


def limits(part: Floats, n: int) -> tuple[Floats, Floats]:
    """Return Wilson's limits of many samples."""
    spread = Z * np.sqrt(Z * Z + 4 * part * (n - part) / n)
    return (2 * part + Z * Z - spread) / (2 * (n + Z * Z)), (2 * part + Z * Z + spread) / (
        2 * (n + Z * Z)
    )


def sampled(rates: tuple[float, float], people: tuple[int, int], draws: int = 20_000) -> Floats:
    """Return the shares of samples of two groups, each with Wilson's limits: p, low, high."""
    random = np.random.RandomState(7)
    found = []
    for rate, n in zip(rates, people, strict=True):
        part = random.binomial(n, rate, draws).astype(float)
        found.append((part / n, *limits(part, n)))
    return np.array(found)


def seen(rates: tuple[float, float], people: tuple[int, int]) -> float:
    """Return how often Newcombe's interval of the difference excludes 0."""
    (a, a_low, a_high), (d, d_low, d_high) = sampled(rates, people)
    apart = d - a
    up = apart > np.sqrt((d - d_low) ** 2 + (a_high - a) ** 2)
    down = apart < -np.sqrt((d_high - d) ** 2 + (a - a_low) ** 2)
    return float(np.mean(up | down))


SIZES = [(50, 50), (950, 50), (50, 950), (200, 200), (2_000, 2_000), (2_000, 38_000)]


@pytest.mark.parametrize(("people", "rate"), [*product(SIZES, (0.5, 0.1, 0.02))])
def test_gap_is_seen_four_times_in_five(people: tuple[int, int], rate: float) -> None:
    """A gap of the size that is told is seen in 77 to 85 of 100 samples, on whichever side."""
    found = detectable(rate, *people, Z)
    ends = [end for end in (found.low, found.high) if end is not None]
    assert ends
    for end in ends:
        assert 0.77 <= seen((rate, end), people) <= 0.85


def test_gap_beyond_what_shares_can_be_is_not_told() -> None:
    """Where not even a rate of 0 or of 1 would be seen, no gap is told on that side."""
    assert detectable(0.1, 50, 50, Z).low is None
    assert detectable(0.9, 50, 50, Z).high is None
    assert detectable(0.5, 3, 3, Z) == (0.5, None, None)


def group(positive: int, n: int, name: str = "") -> Group:
    """Return a group by its predictions."""
    return Group({(None, True): positive, (None, False): n - positive}, name=name, rows=n)


HALVES = Table(group(100, 200, "a"), group(100, 200, "d"))


@pytest.mark.parametrize(
    ("metric", "low", "high"), [("DPPL", -0.1382, 0.1382), ("DI", 0.7235, 1.276)]
)
def test_difference_and_ratio_see_the_same_rates(metric: str, low: float, high: float) -> None:
    """A difference and a ratio are told from parity at the same rates of d: .3618 and .6382."""
    found = smallest_gap(HALVES, find(metric), 0.5, (0.0, 1.0), Z)
    assert found == Gap(low, high)


def test_wider_critical_value_sees_less() -> None:
    """Under a correction the critical value that decides is the one that gaps are seen by."""
    plain, wide = (smallest_gap(HALVES, find("DPPL"), 0.0, (0.0, 0.0), z) for z in (Z, 2.8))
    assert plain is not None
    assert wide is not None
    assert (plain.high, wide.high) == (0.1382, 0.1789)


def test_normal_approximation_holds_for_many_people() -> None:
    """With many people the gap is (1.96 + 0.8416) times the standard error: .006264 here."""
    found = smallest_gap(
        Table(group(50_000, 100_000), group(50_000, 100_000)), find("DPPL"), 0.0, (0.0, 0.0), Z
    )
    assert found is not None
    assert found.high == pytest.approx(2.80158521811 * (0.5 / 100_000) ** 0.5, rel=2e-3)


def judged(positives: int, found: int, negatives: int, wrong: int, name: str) -> Group:
    """Return a group by labels and predictions."""
    cells: dict[tuple[bool | None, bool | None], int] = {
        (True, True): found,
        (True, False): positives - found,
        (False, True): wrong,
        (False, False): negatives - wrong,
    }
    return Group(cells, name=name)


def test_greatest_of_two_gaps_is_seen_in_either_rate() -> None:
    """A gap of EOD is seen as often as is told in the rate that shows it worst, at parity else."""
    random = np.random.RandomState(11)
    table = Table(judged(150, 120, 250, 50, "a"), judged(100, 80, 200, 40, "d"))
    found = smallest_gap(table, find("EOD"), 0.0, (0.0, 0.0), Z)
    assert found is not None
    assert found.high is not None
    assert found.low is None
    hits = 0
    for _ in range(600):
        a = judged(150, random.binomial(150, 0.8), 250, random.binomial(250, 0.2), "a")
        d_found = random.binomial(100, 0.8 - found.high)
        d = judged(100, d_found, 200, random.binomial(200, 0.2), "d")
        sample = Table(a, d)
        interval = Intervals(sample, 0.95).of(find("EOD"), find("EOD")(sample))
        hits += interval is not None and interval.low > 0
    assert 0.77 <= hits / 600 <= 0.87


def test_gap_within_strata_is_seen() -> None:
    """A gap of CDDPL, read off the width of the interval, is seen in 76 to 88 of 100 samples."""
    random = np.random.RandomState(5)
    metric = find("CDDPL")

    def sample(rates: tuple[tuple[float, float], ...]) -> Table:
        strata = []
        for i, (rate, other) in enumerate(rates):
            a = group(random.binomial(300, rate), 300, "a")
            strata.append(Stratum(str(i), a, group(random.binomial(200, other), 200, "d")))
        wholes = [
            group(int(sum(s.sides[k].predicted_positives for s in strata)), 2 * n, "ad"[k])
            for k, n in ((0, 300), (1, 200))
        ]
        return Table(wholes[0], wholes[1], tuple(strata))

    def interval(table: Table) -> tuple[float, float, float]:
        value = metric(table)
        found = Intervals(table, 0.95).of(metric, value)
        assert found is not None
        assert value.number is not None
        return found.low, value.number, found.high

    low, value, high = interval(sample(((0.3, 0.3), (0.6, 0.6))))
    gap = smallest_gap(sample(((0.3, 0.3), (0.6, 0.6))), metric, value, (low, high), Z)
    assert gap is not None
    assert gap.high is not None
    assert gap.approximate
    moved = next(
        step / 1_000
        for step in range(1_000)
        if np.mean([interval(_expected(step / 1_000))[1]]) >= gap.high
    )
    hits = [interval(sample(((0.3, 0.3 - moved), (0.6, 0.6 - moved))))[0] > 0 for _ in range(500)]
    assert 0.76 <= np.mean(hits) <= 0.88


def _expected(moved: float) -> Table:
    """Return the strata of the sample above without chance, a thousand times as many."""
    strata = []
    for i, rate in enumerate((0.3, 0.6)):
        a = group(round(300_000 * rate), 300_000, "a")
        strata.append(Stratum(str(i), a, group(round(200_000 * (rate - moved)), 200_000, "d")))
    wholes = [
        group(int(sum(s.sides[k].predicted_positives for s in strata)), n, "ad"[k])
        for k, n in ((0, 600_000), (1, 400_000))
    ]
    return Table(wholes[0], wholes[1], tuple(strata))


def test_metrics_without_parity_tell_no_gap() -> None:
    """GE compares no groups, and many categories have no one gap."""
    person = Group({(True, True): 40, (True, False): 5, (False, True): 5})
    assert smallest_gap(person, find("GE"), 0.1, (0.0, 0.2), Z) is None
    a, d = (Group({(True, None): 30}, dict.fromkeys("xyz", 10), name=n) for n in "ad")
    many = Table(a, d)
    assert smallest_gap(many, find("TVD"), 0.0, (0.0, 0.2), Z) is None


@pytest.mark.parametrize("name", [m for m in METRICS if m not in ("GE", "FT")])
@pytest.mark.parametrize("n", [0, 1, 40, 10**12])
def test_gap_is_told_or_not_whatever_the_counts(name: str, n: int) -> None:
    """No count makes a gap raise, and one that is told lies within the metric's range."""
    metric = find(name)
    for a, d in product((judged(n, n, n, 0, "a"), judged(n, 0, 2 * n, n, "a")), repeat=2):
        labels = {"y": n, "n": n}
        sides = [Group(g.cells, labels, name=s) for g, s in ((a, "a"), (d, "d"))]
        table = Table(sides[0], sides[1], (Stratum("", sides[0], sides[1]),))
        value = metric(table)
        interval = Intervals(table, 0.95).of(metric, value) if value.number is not None else None
        if interval is None or value.number is None:
            continue
        found = smallest_gap(table, metric, value.number, (interval.low, interval.high), Z)
        for end in found[:2] if found else ():
            assert end is None or metric.range[0] <= end <= metric.range[1]


@pytest.mark.parametrize(
    ("part", "whole", "people"), [(1, 2, 422), (1, 10, 3_798), (1, 50, 20_680)]
)
def test_people_that_a_ratio_needs(part: int, whole: int, people: int) -> None:
    """DI = 1 passes 0.8 to 1.25 four times in five with 422, 3,798 and 20,680 people a group."""
    table = Table(group(part, whole), group(part, whole))
    found = limit_power(table, find("DI"), (0.8, 1.25), Standard(Z, 0.8))
    assert found is not None
    assert found.each is not None
    assert round(found.each) == people


@pytest.mark.parametrize(("rate", "people"), [(0.5, 422), (0.1, 3_798), (0.02, 20_680)])
def test_people_that_a_ratio_needs_are_those_that_pass(rate: float, people: int) -> None:
    """With as many people the interval of DI lies within 0.8 to 1.25 in 78 to 82 of 100 samples."""
    (a, a_low, a_high), (d, d_low, d_high) = sampled((rate, rate), (people, people))
    low = np.sqrt((d - 0.8 * a) ** 2) > np.sqrt((d - d_low) ** 2 + (0.8 * (a_high - a)) ** 2)
    high = np.sqrt((1.25 * a - d) ** 2) > np.sqrt((d_high - d) ** 2 + (1.25 * (a - a_low)) ** 2)
    assert 0.78 <= np.mean(low & high & (d > 0.8 * a) & (d < 1.25 * a)) <= 0.82


def test_limit_that_the_value_decides_takes_fewer_people() -> None:
    """With 155 people a group of rate 1/2 a value at parity breaks 0.8 to 1.25 1 time in 20."""
    table = Table(group(1, 2), group(1, 2))
    found = limit_power(table, find("DI"), (0.8, 1.25), Standard(0.0, 0.95))
    assert found is not None
    assert found.each is not None
    assert round(found.each) == 154
    (a, *_), (d, *_) = sampled((0.5, 0.5), (155, 155))
    assert 0.94 <= np.mean((d >= 0.8 * a) & (d <= 1.25 * a)) <= 0.96


def decided(table: Table, name: str, kept: tuple[float, float]) -> float | None:
    """Return how many times the people decide a check."""
    metric = find(name)
    value = metric(table)
    assert value.number is not None

    def ends(evidence: Table | Group | Flips) -> tuple[float, float]:
        found = Intervals(evidence, 0.95).of(metric, value)
        assert found is not None
        return found.low, found.high

    factors = decisive_factors(table, Undecided(metric, value.number, kept, Z), ends)
    for factor in (f for f in factors if f is not None):
        a, d = (factor, factor) if factor == factors.both else (1.0, factor)
        low, high = ends(multiplied(table, 1.01 * a, 1.01 * d))
        assert (kept[0] <= low and high <= kept[1]) or high < kept[0] or low > kept[1]
    return factors.both


def test_people_that_decide_a_check_decide_it() -> None:
    """Of as many people more the interval lies on one side, in 77 to 83 of 100 samples."""
    table = Table(group(150, 300, "a"), group(84, 200, "d"))
    factor = decided(table, "DPPL", (-0.1, 0.1))
    assert factor is not None
    assert factor == pytest.approx(40.25, abs=0.3)
    people = (round(300 * factor), round(200 * factor))
    (a, _, a_high), (d, d_low, _) = sampled((0.5, 0.42), people)
    high = a - d + np.sqrt((a_high - a) ** 2 + (d - d_low) ** 2)
    assert 0.77 <= np.mean(high <= 0.1) <= 0.83


def test_people_that_decide_a_ratio_decide_it() -> None:
    """A ratio beyond its limit is found so by as many people more in 77 to 85 of 100 samples."""
    table = Table(group(100, 200, "a"), group(36, 100, "d"))
    factor = decided(table, "DI", (0.8, inf))
    assert factor is not None
    people = (round(200 * factor), round(100 * factor))
    (a, a_low, _), (d, _, d_high) = sampled((0.5, 0.36), people)
    below = 0.8 * a - d > np.sqrt((d_high - d) ** 2 + (0.8 * (a - a_low)) ** 2)
    assert 0.77 <= np.mean(below) <= 0.85


@pytest.mark.parametrize("name", ["AD", "EOD", "EOR", "AOD", "AAOD", "AOR", "DCAcc", "TE", "FNRR"])
def test_every_method_is_decided_by_more_people(name: str) -> None:
    """Whatever makes the interval, as many people more make it lie on one side of the limits."""
    metric = find(name)
    table = Table(judged(360, 300, 340, 50, "a"), judged(130, 100, 170, 20, "d"))
    value = metric(table).number
    assert value is not None
    kept = (0.9 * value, inf) if metric.is_ratio else (-inf, value + 0.03)
    assert decided(table, name, kept) is not None


def test_shared_neighbours_are_multiplied_with_the_members() -> None:
    """What members owe to shared neighbours grows as they do, so that it does not vanish."""
    flips = Flips(30, 10, 200, 400, 0, 5, "standard", (), None, shared=900)
    metric = find("FT")
    one, four = (
        Intervals(evidence, 0.95).of(metric, metric(evidence))
        for evidence in (flips, multiplied(flips, 4.0, 4.0))
    )
    assert one is not None
    assert four is not None
    assert (one.high - one.low) / (four.high - four.low) == pytest.approx(2, abs=0.05)
