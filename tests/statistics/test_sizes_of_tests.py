"""How often tests of parity reject groups that are alike: seldom enough, and often enough."""

import numpy as np
import pytest

from biaspipe.counts import Flips, Group, Table
from biaspipe.fliptest.search import Members, flips
from biaspipe.metrics import METRICS
from biaspipe.statistics import adjust_p_values, parity_test
from tests.metrics.test_worked_examples import decisions

SAMPLES = 1_500
"""At 0.05 the share of rejections is itself uncertain by 0.011."""


def rejected(metric: str, drawn: list[Table] | list[Flips]) -> float:
    """Return the share of samples that a metric's test rejects at 0.05."""
    tests = [parity_test(METRICS[metric], counts) for counts in drawn]
    return sum(test is not None and test.p_value < 0.05 for test in tests) / len(tests)


def confusion(cells: list[int]) -> Group:
    """Return a group by label and prediction."""
    tp, fn, fp, tn = cells
    return Group({(True, True): tp, (True, False): fn, (False, True): fp, (False, False): tn})


@pytest.mark.parametrize("metric", ["TE", "EOD"])
def test_two_groups(metric: str) -> None:
    """TE's and EOD's tests reject groups that are alike in 5 % of the samples."""
    random = np.random.RandomState(1)
    shares = [0.32, 0.08, 0.12, 0.48]
    sides = (random.multinomial(n, shares, SAMPLES).tolist() for n in (600, 300))
    drawn = [Table(confusion(a), confusion(d)) for a, d in zip(*sides, strict=True)]
    assert rejected(metric, drawn) == pytest.approx(0.05, abs=0.012)


def test_flips() -> None:
    """McNemar's exact test rejects flips that go either way alike often in up to 5 %."""
    random = np.random.RandomState(2)
    pairs = random.multinomial(500, [0.1, 0.1, 0.8], SAMPLES).tolist()
    drawn = [Flips(a, b, 500, 500, 0, 5, "standard", (), None, None, 0) for a, b, _ in pairs]
    assert 0.025 < rejected("FT", drawn) < 0.055


def people(random: np.random.RandomState, n: int) -> Members:
    """Return people with two features and a prediction that follows them, but for one in ten."""
    numbers = random.normal(size=(n, 2))
    favorable = (numbers.sum(axis=1) > 0) ^ (random.uniform(size=n) < 0.1)
    return Members(numbers, np.zeros((n, 0), dtype=np.int64), np.ones(n, dtype=np.int64), favorable)


def test_flips_of_members_who_share_neighbours() -> None:
    """FT's test rejects 400 members like their 50 neighbours in 5 %, McNemar's in over 30 %."""
    random, names = np.random.RandomState(4), ("x", "y")
    drawn = [
        flips(people(random, 50), people(random, 400), k=5, scaling="none", features=names)
        for _ in range(120)
    ]
    assert 0.01 < rejected("FT", drawn) < 0.12
    apart = [(f.F_plus - f.F_minus) ** 2 > 3.84 * (f.F_plus + f.F_minus) for f in drawn]
    assert sum(apart) / len(apart) > 0.3


def test_many_small_groups_against_a_large_one() -> None:
    """With 250 groups of 100 against 20,000, all alike, Holm finds something in under 5 %."""
    random, found, audits = np.random.RandomState(3), 0, 60
    for _ in range(audits):
        large, *small = (int(n) for n in random.binomial([20_000, *[100] * 250], 0.06))
        favored = decisions(large, 20_000 - large, "a")
        tests = {
            n: parity_test(METRICS["DPPL"], Table(favored, decisions(n, 100 - n, "d")))
            for n in set(small)
        }
        p_values = [test.p_value for n in small if (test := tests[n])]
        found += min(adjust_p_values(p_values, "holm")) < 0.05
    assert found <= 3
