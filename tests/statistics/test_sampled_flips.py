"""The interval of a sampled fliptest: two strata, each known from those that were drawn."""

import numpy as np
import pytest

from biaspipe.counts import Drawn, Flips
from biaspipe.metrics import METRICS
from biaspipe.statistics import ConfidenceInterval, Intervals

SAMPLES = 1_000
FT = METRICS["FT"]


def flips(plus: int, minus: int, people: tuple[int, int], members: tuple[int, int]) -> Flips:
    """Return the evidence of a sampled fliptest."""
    drawn = Drawn(sum(members), 0, *zip(people, members, strict=True))
    return Flips(plus, minus, sum(people), 10**6, 0, 5, "standard", (), None, drawn)


def interval(found: Flips, confidence: float = 0.95) -> ConfidenceInterval:
    """Return the interval of a fliptest."""
    limits = Intervals(found, confidence).of(FT, FT(found))
    assert limits is not None
    return limits


def test_value_weighs_each_stratum_by_its_people() -> None:
    """FT of a sample is the flips of each stratum times what a drawn member stands for."""
    assert FT(flips(10, 6, (600, 400), (30, 20))).number == pytest.approx(0.08, abs=1e-15)


def test_interval_is_named_after_the_sample() -> None:
    """The interval of a sample names its own method, and holds the value."""
    found = interval(flips(10, 6, (600, 400), (30, 20)))
    assert found.method == "mover-drawn"
    assert found.low < 0.08 < found.high


def test_interval_of_everybody_is_near_the_paired_one() -> None:
    """A sample that holds everybody gives nearly the interval of the exact fliptest."""
    found = interval(flips(120, 60, (600, 400), (600, 400)))
    paired = interval(Flips(120, 60, 1000, 10**6, 0, 5, "standard", (), None))
    assert found.low == pytest.approx(paired.low, abs=0.002)
    assert found.high == pytest.approx(paired.high, abs=0.002)


@pytest.mark.parametrize(
    ("people", "members", "plus", "minus"),
    [((50, 0), (20, 0), 4, 0), ((0, 50), (0, 20), 0, 4), ((1, 1), (1, 1), 1, 0)],
)
def test_empty_and_tiny_strata_have_limits(
    people: tuple[int, int], members: tuple[int, int], plus: int, minus: int
) -> None:
    """A stratum without members leaves an interval within [-1, 1] that holds the value."""
    found = flips(plus, minus, people, members)
    limits = interval(found)
    assert -1 <= limits.low <= (FT(found).number or 0) <= limits.high <= 1
    assert limits.low < limits.high


@pytest.mark.parametrize("share", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("rates", [(0.2, 0.1), (0.05, 0.02)])
def test_interval_holds_the_truth_as_often_as_it_says(
    rates: tuple[float, float], share: float
) -> None:
    """Of 80 % intervals, about 80 % hold the value of the population, whatever the sample."""
    random = np.random.default_rng(17)
    size, truth, covered = 4_000, 0.6 * rates[0] - 0.4 * rates[1], 0
    for _ in range(SAMPLES):
        unfavorable = int(random.binomial(size, 0.6))
        people = (unfavorable, size - unfavorable)
        members = (round(people[0] * share), round(people[1] * share))
        counted = [int(random.binomial(m, p)) for m, p in zip(members, rates, strict=True)]
        limits = interval(flips(counted[0], counted[1], people, members), 0.8)
        covered += limits.low <= truth <= limits.high
    # Three standard errors of 1,000 samples are 0.038; a few members hold it more often.
    assert 0.762 <= covered / SAMPLES <= 0.86
