"""Intervals hold the true value as often as they say, in a small seeded simulation.

`benchmarks/coverage` does the same at length.
"""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals
from tests.metrics.comparisons import confusion

SAMPLES = 800
FAVORED, DISFAVORED = (0.4, 0.1, 0.1, 0.4), (0.28, 0.12, 0.1, 0.5)
"""The shares of TP, FN, FP and TN in the two populations."""

TRUTHS = {
    "DPL": 0.1,
    "DPPL": 0.12,
    "DI": 0.76,
    "SD": 0.0333333333,
    "RD": 0.1,
    "DAR": 0.0631578947,
    "DRR": 0.0064516129,
    "AD": 0.02,
    "DCAcc": -0.0526315789,
    "DCR": -0.0322580645,
    "TE": 0.2,
    "KL": 0.0204109973,
    "JS": 0.0050593899,
    "TVD": 0.1,
    "FPRR": 0.8333333333,
    "PPVR": 0.9210526316,
    "EOD": 0.1,
    "EOR": 0.8333333333,
    "AOD": 0.0666666667,
    "AAOD": 0.0666666667,
    "AOR": 0.8541666667,
}


@cache
def coverage(confidence: float, people: int) -> dict[str, float]:
    """Return how many of the intervals hold the truth, by metric; GE's is of everybody."""
    random = np.random.default_rng(17)
    held: Counter[str] = Counter()
    draws = (random.multinomial(people, p, SAMPLES).tolist() for p in (FAVORED, DISFAVORED))
    for a, d in zip(*draws, strict=True):
        compared = Table(confusion(*a), confusion(*d))
        intervals = Intervals(compared, confidence)
        for metric, truth in TRUTHS.items():
            found = intervals.of(METRICS[metric], METRICS[metric](compared))
            held[metric] += found is None or found.low <= truth <= found.high
    return {metric: held[metric] / SAMPLES for metric in TRUTHS}


@pytest.mark.parametrize("metric", TRUTHS)
def test_intervals_hold_the_truth_as_often_as_they_say(metric: str) -> None:
    """Intervals of 80 % hold the true value in about 80 % of samples of 60 people a group."""
    # Three standard errors of 800 samples are 0.042; distances near 0 may hold it more often.
    highest = 0.93 if metric in {"KL", "JS", "TVD"} else 0.85
    if metric in {"EOD", "EOR", "AAOD", "AOR"}:  # made for both gaps together on one side
        highest = 0.97
    assert 0.75 < coverage(0.8, 60)[metric] < highest


def test_entropy_holds_the_truth_as_often_as_it_says() -> None:
    """Intervals of 80 % hold the true entropy in about 80 % of samples of 60 people."""
    random, metric, held = np.random.default_rng(18), METRICS["GE"], 0
    for tp, fn, fp, tn in random.multinomial(60, (0.34, 0.11, 0.1, 0.45), SAMPLES).tolist():
        everyone: Group = confusion(tp, fn, fp, tn)
        found = Intervals(everyone, 0.8).of(metric, metric(everyone))
        held += found is not None and found.low <= 0.1070809101 <= found.high
    assert 0.75 < held / SAMPLES < 0.85
