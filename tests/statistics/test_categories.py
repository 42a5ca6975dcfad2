"""Intervals of distances between labels of many categories."""

import subprocess
import sys
from collections import Counter
from math import inf

import numpy as np
import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals
from biaspipe.statistics.propimp import DIVERGENCES, entropy
from biaspipe.statistics.proportions import clopper_pearson, jeffreys
from tests.metrics.comparisons import Comparison, group, law
from tests.statistics.test_worked_examples import interval

TRIAL = Table(
    Group({(True, None): 30, (False, None): 70}, {"hired": 30, "refused": 45, "silent": 25}),
    Group({(True, None): 3, (False, None): 47}, {"hired": 3, "refused": 43, "silent": 4}),
)
PEOPLE = Group({(True, True): 30, (True, False): 6, (False, True): 9, (False, False): 55})

REPEATED = {
    "KL": (0.1116081558, 0.8651624122, "delta-divergence"),
    "JS": (0.02605093726, 0.1893120914, "delta-divergence"),
    "LP": (0.2968573027, 0.6823768238, "delta-norm"),
    "TVD": (0.2350422594, 0.5273787232, "newcombe-division"),
    "KS": (0.2100981311, 0.5273787232, "newcombe-greatest"),
}


@law
def test_propagated_entropy_is_that_of_the_metric(comparison: Comparison) -> None:
    """The entropy of two shares of errors is the metric's own value on the observed ones."""
    everyone = group(comparison.everyone(), "")
    errors = everyone.FN + everyone.FP
    for alpha in (-2.0, 0.0, 0.5, 1.0, 2.0, 7.0):
        value = METRICS["GE"](everyone, alpha=alpha).extended
        if value is not None:
            rejections = float(everyone.FN / errors) if errors else 0.0
            found = entropy(float(errors / everyone.n), rejections, alpha)
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12)


@law
def test_propagated_divergences_are_those_of_the_metrics(comparison: Comparison) -> None:
    """The divergences of two shares are the metrics' own values on labels of two categories."""
    a, d = (
        Group(g.cells, {"yes": g.positives, "no": g.negatives})
        for g in (group(comparison.a, "a"), group(comparison.d, "d"))
    )
    for metric in ("KL", "JS"):
        value = METRICS[metric](Table(a, d)).extended
        if value is not None:
            found = DIVERGENCES[str(METRICS[metric].distance)](
                float(a.positives / a.n), float(d.positives / d.n)
            )
            assert found == pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("metric", REPEATED)
def test_ends_are_the_same_on_every_machine(metric: str) -> None:
    """The ends of an interval of three categories are these ten digits."""
    found = interval(metric, TRIAL)
    low, high, method = REPEATED[metric]
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-10)
    assert found.method == method


def test_ends_of_the_entropy_are_the_same_every_time() -> None:
    """The ends of the entropy's interval are these ten digits, on every machine."""
    found = Intervals(PEOPLE, 0.95).of(METRICS["GE"], METRICS["GE"](PEOPLE))
    assert found is not None
    assert (found.low, found.high, found.method) == (0.04408513578, 0.1127110608, "propimp")


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (0, 50, 0.0, 0.071122),
        (5, 50, 0.033275, 0.218135),
        (25, 50, 0.355273, 0.644727),
        (49, 50, 0.893531, 0.999494),
        (50, 50, 0.928878, 1.0),
        (3, 2_000, 0.000309, 0.004377),
    ],
)
def test_exact_limits_are_those_of_the_beta_distribution(
    part: int, whole: int, low: float, high: float
) -> None:
    """The closed form of Clopper and Pearson's limits is near SciPy's quantiles of the beta."""
    found = clopper_pearson(part, whole, 1.95996398454)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.001)


@pytest.mark.parametrize(
    ("part", "low", "high"),
    [(1, 0.002166, 0.089680), (5, 0.039194, 0.205355), (25, 0.364686, 0.635314)],
)
def test_limits_of_jeffreys_are_those_of_the_beta_distribution(
    part: int, low: float, high: float
) -> None:
    """The closed form of Jeffreys' limits of 50 people is near SciPy's quantiles of the beta."""
    found = jeffreys(part, 50, 1.95996398454)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0005)


def labelled(counts: list[int]) -> Group:
    """Return people by category, of which the first is favorable."""
    names = {f"{i:03}": n for i, n in enumerate(counts)}
    return Group({(True, None): counts[0], (False, None): sum(counts[1:])}, names)


def test_missing_category_leaves_the_divergence_open() -> None:
    """Where the disfavored group lacks a category, KL is bounded by total variation alone."""
    compared = Table(labelled([40, 40, 20]), labelled([10, 90, 0]))
    found, gap = interval("KL", compared), interval("TVD", compared)
    assert found.low == pytest.approx(2 * gap.low**2)
    assert found.high == inf
    assert found.low > 0.05


def test_norm_of_order_1_is_twice_total_variation() -> None:
    """The intervals of both are the same but for the factor, as the values are."""
    norm, gap = METRICS["LP"], METRICS["TVD"]
    found = Intervals(TRIAL, 0.95).of(norm, norm(TRIAL, p=1.0), p=1.0)
    other = Intervals(TRIAL, 0.95).of(gap, gap(TRIAL))
    assert found is not None
    assert other is not None
    assert (found.low, found.high) == pytest.approx((2 * other.low, 2 * other.high))


@pytest.mark.parametrize("p", [1.01, 1.5, 3.0, 40.0, 1_000.0])
def test_norm_of_any_order_has_an_interval(p: float) -> None:
    """The interval of LP lies around its value, within its range, whatever the order."""
    norm = METRICS["LP"]
    value = norm(TRIAL, p=p)
    found = Intervals(TRIAL, 0.95).of(norm, value, p=p)
    assert found is not None
    assert 0 < found.low < (value.extended or 0) < found.high <= 2 ** (1 / p)


def shares_of(number: int, ratio: float) -> list[float]:
    """Return shares of so many categories, each so many times the last one's."""
    sizes = [ratio**i for i in range(number)]
    return [size / sum(sizes) for size in sizes]


RARE, SLOPE = shares_of(50, 0.8), [(i + 1) / 210 for i in range(20)]
TURNS = [(1.5 - i % 2) / 50 for i in range(50)]
POPULATIONS = {
    "50 uneven categories, alike": (RARE, RARE, 2_000, 50),
    "20 categories, reversed": (SLOPE, SLOPE[::-1], 200, 200),
    "50 categories, every other one larger": (TURNS, [0.02] * 50, 200, 200),
}
TRUTHS = {
    "50 uneven categories, alike": {"KL": 0.0, "JS": 0.0, "LP": 0.0, "TVD": 0.0, "KS": 0.0},
    "20 categories, reversed": {
        "JS": 0.1705398845,
        "LP": 0.2455961325,
        "TVD": 0.4761904762,
        "KS": 0.0904761905,
    },
    "50 categories, every other one larger": {
        "JS": 0.0338220756,
        "LP": 0.0707106781,
        "TVD": 0.25,
        "KS": 0.01,
    },
}
SAMPLES = 60


@pytest.mark.parametrize("population", POPULATIONS)
def test_intervals_of_many_categories_hold_the_truth(population: str) -> None:
    """Of labels of 20 and 50 categories at least 54 of 60 intervals hold the true distance."""
    random = np.random.default_rng(29)
    a, d, *people = POPULATIONS[population]
    held: Counter[str] = Counter()
    draws = (
        random.multinomial(n, p, SAMPLES).tolist() for n, p in zip(people, (a, d), strict=True)
    )
    for one, other in zip(*draws, strict=True):
        compared = Table(labelled(one), labelled(other))
        intervals = Intervals(compared, 0.95)
        for metric, truth in TRUTHS[population].items():
            found = intervals.of(METRICS[metric], METRICS[metric](compared))
            held[metric] += found is not None and found.low <= truth <= found.high
    assert {metric: held[metric] >= 54 for metric in TRUTHS[population]} == dict.fromkeys(
        TRUTHS[population], True
    )


def test_a_thousand_categories_have_intervals() -> None:
    """Labels of very many categories have the intervals of few, in the same way."""
    compared = Table(labelled([3] * 1_000), labelled([1, 2] * 500))
    for metric in REPEATED:
        found = interval(metric, compared)
        assert found.low == 0 < found.high


def test_closed_forms_do_without_numpy() -> None:
    """Importing the statistics, and an interval of any method, import no numpy."""
    code = (
        "import sys; from biaspipe.counts import *; from biaspipe.metrics import find; "
        "from biaspipe.statistics import *; "
        "g = Group({(True, True): 3, (False, False): 2}, {'a': 3, 'b': 1, 'c': 1}); "
        "t = Table(g, g); i = Intervals(t, .9); [i.of(find(m), find(m)(t)) for m in ('DI', 'JS')]; "
        "i.model_bias(); parity_test(find('DI'), t); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
