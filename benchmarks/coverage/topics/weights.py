"""Sampling weights: unrelated to the outcome, of one outcome alone, against it, and heavy-tailed.

The population is that of the case. People of each kind of outcome are drawn the rarer, the more
they weigh on average, so that the weights make up for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
from cases import TwoGroups, grid
from comparisons import (
    MODEL_BIAS,
    Counts,
    Shares,
    categorised,
    confusion,
    everyone,
    people_behind,
)
from numpy.typing import NDArray
from scenes import BOUNDS, CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals, parity_test
from topics.models import confusion_shares

__all__ = ["SCENES"]

Floats = NDArray[np.float64]
POINTS = 10_000
"""Weights of a kind of people, evenly likely; what they are drawn from."""
LEVEL = 0.05
FALSE_ALARMS = (0.0, 0.07)
SIZES = ((200, 200), (1_000, 1_000), (200, 3_800))
BASES = tuple(map(Fraction, ("0.1", "0.5")))
CASES = grid(SIZES, BASES, (Fraction(0), Fraction("0.1")))
METRICS_OF_RATES = ("DPL", "DPPL", "DI", "RD", "DAR", "TE", "DCAcc", "KL", "LP", "AOD", "EOD")
TESTED = ("DPL", "DPPL", "RD")


def lognormal(sigma: float) -> Floats:
    """Return weights whose logarithm is normal, by their quantiles."""
    normal = NormalDist()
    return np.exp([sigma * normal.inv_cdf((i + 0.5) / POINTS) for i in range(POINTS)])


def pareto(alpha: float) -> Floats:
    """Return weights with Pareto's tail, by their quantiles."""
    return np.array([(1 - (i + 0.5) / POINTS) ** (-1 / alpha) for i in range(POINTS)])


def two_strata(share: float) -> Floats:
    """Return the weights of people of whom a share is of the stratum that weighs eight times."""
    return np.where(np.arange(POINTS) < share * POINTS, 8.0, 1.0)


ONE = np.ones(1)
DESIGNS: Mapping[str, Sequence[Floats]] = {
    "weights unrelated": [lognormal(0.8)] * 4,
    "weights of positives": [lognormal(1.0), ONE, lognormal(1.0), ONE],
    "positives weigh little": [ONE, 49 * ONE, ONE, 49 * ONE],
    "positives weigh much": [10 * ONE, ONE, 10 * ONE, ONE],
    "two strata of weights": [two_strata(share) for share in (0.5, 0.3, 0.4, 0.2)],
    "lognormal weights 1.5": [lognormal(1.5)] * 4,
    "Pareto weights 1.5": [pareto(1.5)] * 4,
}
"""The weights of TP, FP, FN and TN."""
CATEGORIES = [lognormal(sigma) for sigma in (0.1, 0.3, 0.5, 0.7, 0.9)]


def category_shares(case: TwoGroups, favored: bool) -> Shares:
    """Return the shares of five categories, of which the first is a group's rate."""
    rate = case.rate(favored)
    return [rate, *((1 - rate) * Fraction(i, 10) for i in range(1, 5))]


@dataclass(frozen=True)
class _Weighted:
    """Two groups of weighted people, and what is computed from them.

    A sample is the sums of weights by outcome, and those of squared weights, for each group.
    """

    metrics: tuple[str, ...]
    tested: tuple[str, ...]
    shares: Callable[[TwoGroups, bool], Shares]
    evidence: Callable[[Counts, Counts], Table | Group]
    weights: Sequence[Floats]
    note: str

    def sampled(self, case: TwoGroups, favored: bool) -> Floats:
        """Return the shares of the people drawn."""
        shares = np.array([float(s) for s in self.shares(case, favored)])
        rarer = shares / [w.mean() for w in self.weights]
        return np.array(rarer / rarer.sum())

    def draw(self, case: TwoGroups, random: np.random.Generator, number: int) -> Floats:
        """Draw people by outcome, and each one's weight."""
        found = []
        for favored in (True, False):
            counts = random.multinomial(case.people(favored), self.sampled(case, favored), number)
            sums = np.zeros((number, 2, len(self.weights)))
            for kind, weights in enumerate(self.weights):
                drawn = random.choice(weights, counts[:, kind].sum())
                of = np.repeat(np.arange(number), counts[:, kind])
                sums[:, 0, kind] = np.bincount(of, drawn, number)
                sums[:, 1, kind] = np.bincount(of, drawn * drawn, number)
            found.append(sums.reshape(number, -1))
        return np.hstack(found)

    def results(self, case: TwoGroups, row: list[Any]) -> dict[str, Result]:
        """Return the product's intervals, and where there is no gap whether a test finds one."""
        evidence = self._weighted(row)
        intervals = Intervals(evidence, CONFIDENCE)
        found: dict[str, Result] = {
            name + self.note: intervals.of(METRICS[name], METRICS[name](evidence))
            for name in self.metrics
        }
        if self.tested and isinstance(evidence, Table):
            bias = intervals.model_bias()
            found[MODEL_BIAS + self.note] = bias and bias[1]
            tests = {name: parity_test(METRICS[name], evidence) for name in self.tested}
            found |= {
                f"{name} rejected{self.note}": test and test.p_value < LEVEL
                for name, test in tests.items()
            }
        return found

    def targets(self, case: TwoGroups) -> dict[str, Target]:
        """Return each metric's value in the population, and the test's level at parity."""
        row: list[float] = []
        for favored in (True, False):
            people = case.people(favored) * self.sampled(case, favored)
            row += [n * w.mean() for n, w in zip(people, self.weights, strict=True)]
            row += [n * (w * w).mean() for n, w in zip(people, self.weights, strict=True)]
        expected = self._weighted(row)
        found = {
            name + self.note: Target(people_behind(name, expected), value, BOUNDS)
            for name in self.metrics
            if (value := METRICS[name](expected).extended) is not None
        }
        if self.tested:
            bias = Intervals(expected, CONFIDENCE).model_bias()
            behind = people_behind("DPPL", expected)
            found |= {MODEL_BIAS + self.note: Target(behind, bias[0])} if bias else {}
            found |= {
                f"{name} rejected{self.note}": Target(
                    people_behind(name, expected), None, FALSE_ALARMS
                )
                for name in self.tested
                if not case.gap
            }
        return found

    def _weighted(self, row: Sequence[float]) -> Table | Group:
        """Return the evidence of sums of weights, with those of their squares."""
        a, d = np.array_split(np.array(row), 2)
        kinds = len(self.weights)
        people = self.evidence(a[:kinds].tolist(), d[:kinds].tolist())
        squares = self.evidence(a[kinds:].tolist(), d[kinds:].tolist())
        if isinstance(people, Table) and isinstance(squares, Table):
            return Table(
                _with_squares(people.favored, squares.favored),
                _with_squares(people.disfavored, squares.disfavored),
            )
        if isinstance(people, Group) and isinstance(squares, Group):
            return _with_squares(people, squares)
        raise TypeError("weights are of people by outcome")


def _with_squares(people: Group, squares: Group) -> Group:
    cells = {key: Fraction(n) for key, n in people.cells.items()}
    labels = {key: Fraction(n) for key, n in people.labels.items()}
    effective = Fraction(people.n) ** 2 / Fraction(squares.n) if squares.n else Fraction(0)
    return replace(
        people,
        cells=cells,
        labels=labels,
        effective=effective,
        squares={key: Fraction(n) for key, n in squares.cells.items()},
        label_squares={key: Fraction(n) for key, n in squares.labels.items()},
    )


def _scene(
    metrics: tuple[str, ...],
    weights: Sequence[Floats],
    note: str,
    *,
    shares: Callable[[TwoGroups, bool], Shares] = confusion_shares,
    evidence: Callable[[Counts, Counts], Table | Group] = confusion,
) -> Scene:
    tested = TESTED if evidence is confusion else ()
    drawn = _Weighted(metrics, tested, shares, evidence, weights, f", {note}")
    return Scene(CASES, drawn.draw, drawn.results, drawn.targets, 0.5)


SCENES = (
    *(_scene(METRICS_OF_RATES, weights, note) for note, weights in DESIGNS.items()),
    *(
        _scene(("GE",), DESIGNS[note], note, evidence=everyone)
        for note in ("weights unrelated", "positives weigh little")
    ),
    _scene(
        ("KL", "JS", "TVD", "KS", "DPL"),
        CATEGORIES,
        "5 categories of uneven weights",
        shares=category_shares,
        evidence=categorised,
    ),
)
