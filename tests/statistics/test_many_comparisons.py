"""Many comparisons: intervals hold together where intervals of each alone do not."""

from functools import cache

import numpy as np
import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import find
from biaspipe.statistics import Intervals
from biaspipe.statistics.multiplicity import dunnett, pointwise, tukey
from biaspipe.statistics.proportions import jeffreys, wilson

LEVEL = 0.95


@cache
def excludes_parity(
    metric: str, favored: tuple[int, int], other: tuple[int, int], z: float
) -> bool:
    """Whether an interval of a metric at a critical value leaves parity out."""
    sides = (Group({(None, True): yes, (None, False): n - yes}) for yes, n in (favored, other))
    (a, d), record = sides, find(metric)
    table = Table(a, d)
    found = Intervals(table, pointwise(z)).of(record, record(table))
    return bool(found and not found.low <= record.ideal <= found.high)


def misses_of_best(metric: str, groups: int, critical: float) -> float:
    """Return how often any of the intervals beside the best of equal groups leaves parity out."""
    drawn = np.random.RandomState(groups).binomial(300, 0.3, (500, groups)).tolist()
    missed = 0
    for counts in drawn:
        best = max(counts)
        others = sorted(counts)[:-1]
        missed += any(excludes_parity(metric, (best, 300), (yes, 300), critical) for yes in others)
    return missed / len(drawn)


@pytest.mark.parametrize("metric", ["DPPL", "DI"])
@pytest.mark.parametrize(("groups", "alone"), [(5, 0.2), (10, 0.5)])
def test_best_group_is_no_finding(metric: str, groups: int, alone: float) -> None:
    """Beside the best of groups that are alike, Tukey's intervals err in 1 of 20 audits."""
    assert misses_of_best(metric, groups, 1.959964) > alone
    assert 0.02 < misses_of_best(metric, groups, tukey(groups, LEVEL)) < 0.075


def test_many_small_groups_are_no_finding() -> None:
    """A hundred groups beside a large reference err as rarely together as they may."""
    chance = np.random.RandomState(7)
    critical = dunnett((0.0,) * 100, LEVEL)
    audits = [
        (int(chance.binomial(20_000, 0.06)), chance.binomial(100, 0.06, 100).tolist())
        for _ in range(150)
    ]
    together, alone = (
        sum(
            any(excludes_parity("DPPL", (favored, 20_000), (yes, 100), z) for yes in set(others))
            for favored, others in audits
        )
        / len(audits)
        for z in (critical, 1.959964)
    )
    assert alone > 0.95
    assert together < 0.09


def test_far_tails_are_not_normal() -> None:
    """Fifteen of a hundred are nothing special beside 6 % where 250 groups are compared."""
    assert wilson(15, 100, 2.58).low == pytest.approx(0.0800, abs=1e-4)
    assert wilson(15, 100, 3.71).low == jeffreys(15, 100, 3.71).low < 0.06


BETA = {
    (0, 100, 3.7): (0.0, 0.072058),
    (1, 100, 2.7): (0.000281, 0.066005),
    (6, 100, 3.7): (0.008990, 0.188797),
    (15, 100, 5.0): (0.031837, 0.376846),
    (50, 100, 3.7): (0.321576, 0.678424),
    (1200, 20_000, 3.7): (0.053994, 0.066422),
}
"""Quantiles of Beta(part + 1/2, rest + 1/2) by scipy.stats.beta."""


@pytest.mark.parametrize(("case", "expected"), BETA.items())
def test_jeffreys_limits_are_quantiles_of_beta(
    case: tuple[int, int, float], expected: tuple[float, float]
) -> None:
    """Cube roots come near the quantiles, and err to the far side."""
    low, _, high = jeffreys(*case)
    assert 0 <= expected[0] - low + 1e-6 < 0.0015
    assert 0 <= high - expected[1] + 1e-6 < 0.0045


@pytest.mark.parametrize("whole", [1, 2, 10, 10**6, 10**12])
@pytest.mark.parametrize("z", [2.7, 4.0, 7.1])
def test_far_limits_are_shares(whole: int, z: float) -> None:
    """However few or many people there are, far limits are shares around the estimate."""
    for part in (0, 1, whole // 2, whole):
        low, estimate, high = wilson(part, whole, z)
        assert 0 <= low <= estimate <= high <= 1


def test_pass_at_the_limit_is_rare() -> None:
    """Where the true value lies on a limit, one in forty samples passes by the interval."""
    chance = np.random.RandomState(40)
    passed = failed = 0
    for favored, other in chance.binomial(2_000, (0.5, 0.4), (4_000, 2)).tolist():
        low, high = _ends(favored, other)
        passed += low >= 0.8
        failed += high < 0.8
    assert 0.018 < passed / 4_000 < 0.032
    assert 0.018 < failed / 4_000 < 0.032


@cache
def _ends(favored: int, other: int) -> tuple[float, float]:
    sides = (Group({(None, True): yes, (None, False): 2_000 - yes}) for yes in (favored, other))
    (a, d), metric = sides, find("DI")
    table = Table(a, d)
    found = Intervals(table, LEVEL).of(metric, metric(table))
    assert found
    return found.low, found.high
