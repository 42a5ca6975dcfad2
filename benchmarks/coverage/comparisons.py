"""Scenes of two groups whose counts are multinomial, judged by the product's own intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from cases import TwoGroups
from numpy.typing import NDArray
from scenes import BOUNDS, CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Favorable, Flips, Group, Headcount, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.metrics.sizes import sizes
from biaspipe.statistics import Intervals

__all__ = [
    "MODEL_BIAS",
    "Counts",
    "Evidence",
    "Shares",
    "categorised",
    "comparison",
    "confused",
    "confusion",
    "everyone",
    "labelled",
    "people_behind",
    "stratified",
]

Shares = Sequence[Fraction]
Counts = Sequence[Headcount]
Evidence = Table | Group | Flips
MODEL_BIAS = "DPPL - DPL"
AT_PARITY = "at parity"


def confused(name: str, counts: Counts) -> Group:
    """Return a group of TP, FP, FN and TN, with a label of two categories."""
    tp, fp, fn, tn = counts
    cells: dict[tuple[Favorable, Favorable], Headcount] = {
        (True, True): tp,
        (False, True): fp,
        (True, False): fn,
        (False, False): tn,
    }
    return Group(cells, {"yes": tp + fn, "no": fp + tn}, name=name)


def confusion(a: Counts, d: Counts) -> Table:
    """Return a comparison with both outcomes and a label of two categories."""
    return Table(confused("a", a), confused("d", d))


def everyone(a: Counts, d: Counts) -> Group:
    """Return the people of both groups as one."""
    return confused("", [x + y for x, y in zip(a, d, strict=True)])


def categorised(a: Counts, d: Counts) -> Table:
    """Return a comparison with a label of many categories, of which the first is favorable."""
    return Table(_categories("a", a), _categories("d", d))


def _categories(name: str, counts: Counts) -> Group:
    names = {f"{i:03}": n for i, n in enumerate(counts)}
    cells: dict[tuple[Favorable, Favorable], Headcount] = {
        (True, None): counts[0],
        (False, None): sum(counts[1:]),
    }
    return Group(cells, names, name=name)


def labelled(name: str, yes: Counts, no: Counts) -> Group:
    """Return a group of which labels alone are known."""
    return Group({(True, None): sum(yes), (False, None): sum(no)}, name=name)


def stratified(a: Counts, d: Counts) -> Table:
    """Return a comparison by stratum: first the favorable labels of each, then the others."""
    half = len(a) // 2
    sides = (("a", a), ("d", d))
    parts = [[labelled(s, x[i : i + 1], x[half + i :][:1]) for i in range(half)] for s, x in sides]
    whole_a, whole_d = (labelled(s, x[:half], x[half:]) for s, x in sides)
    named = (Stratum(str(i), *pair) for i, pair in enumerate(zip(*parts, strict=True)))
    return Table(whole_a, whole_d, tuple(named))


@dataclass(frozen=True)
class _Comparison:
    """What is drawn of two groups, and the metrics that are computed from it."""

    metrics: tuple[str, ...]
    shares: Callable[[TwoGroups, bool], Shares]
    evidence: Callable[[Counts, Counts], Evidence]
    note: str
    together: bool
    bias: bool
    bounds: tuple[float, float]

    def draw(self, case: TwoGroups, random: np.random.Generator, number: int) -> NDArray[Any]:
        """Draw the counts of both groups, the favored one's first."""
        a, d = (np.array(self.shares(case, side), dtype=float) for side in (True, False))
        if self.together:
            return random.multinomial(case.favored + case.disfavored, [*a, *d], number)
        drawn = [
            random.multinomial(n, p, number) for n, p in ((case.favored, a), (case.disfavored, d))
        ]
        return np.hstack(drawn)

    def expected(self, case: TwoGroups) -> Evidence:
        """Return the evidence of the population, in expected numbers of people."""
        both = case.favored + case.disfavored
        a, d = (
            [
                share * (both if self.together else case.people(side))
                for share in self.shares(case, side)
            ]
            for side in (True, False)
        )
        return self.evidence(a, d)

    def results(self, case: TwoGroups, row: list[Any]) -> dict[str, Result]:
        """Return the product's interval of every metric."""
        half = len(row) // 2
        evidence = self.evidence(row[:half], row[half:])
        intervals = Intervals(evidence, CONFIDENCE)
        found: dict[str, Result] = {
            name + self.note: intervals.of(METRICS[name], METRICS[name](evidence))
            for name in self.metrics
        }
        if self.bias:
            bias = intervals.model_bias()
            found[MODEL_BIAS + self.note] = bias and bias[1]
        return found

    def targets(self, case: TwoGroups) -> dict[str, Target]:
        """Return each metric's value in the population, where it has one."""
        expected = self.expected(case)
        found = {
            name + self.note: Target(people_behind(name, expected), value, self.bounds)
            for name in self.metrics
            if (value := METRICS[name](expected).extended) is not None
        }
        if self.bias and isinstance(expected, Table):
            bias = Intervals(expected, CONFIDENCE).model_bias()
            people = float(min(expected.favored.n, expected.disfavored.n))
            found |= {MODEL_BIAS + self.note: Target(people, bias[0], self.bounds)} if bias else {}
        return found


def people_behind(metric: str, evidence: Evidence) -> float:
    """Return the people in the smallest denominator of a metric, its groups among them."""
    found = (n for words, n in sizes(METRICS[metric], evidence) if AT_PARITY not in words)
    return float(min(found))


def comparison(  # noqa: PLR0913 - so many parts has a scene
    metrics: Sequence[str],
    shares: Callable[[TwoGroups, bool], Shares],
    evidence: Callable[[Counts, Counts], Evidence],
    cases: Sequence[TwoGroups],
    note: str = "",
    *,
    samples: float = 1.0,
    together: bool = False,
    bias: bool = False,
    bounds: tuple[float, float] = BOUNDS,
) -> Scene:
    """Return a scene of two groups.

    Parameters
    ----------
    metrics : their ids.
    shares : the shares of the cells in the favored group where True, else in the disfavored one.
    evidence : the metrics' evidence from the counts of both groups.
    cases : its grid.
    note : what is printed behind the metrics' ids.
    samples : the share of samples that is drawn, where an interval takes long to make.
    together : whether both groups are drawn as one, so that their sizes vary too.
    bias : whether the bias added by the model is wanted too.
    bounds : of the coverage.
    """
    drawn = _Comparison(tuple(metrics), shares, evidence, note, together, bias, bounds)
    return Scene(cases, drawn.draw, drawn.results, drawn.targets, samples)
