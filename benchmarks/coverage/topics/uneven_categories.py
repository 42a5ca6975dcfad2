"""Labels of many categories of other shapes: even, rare, geometric, and moved in other ways."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from comparisons import categorised
from numpy.typing import NDArray
from scenes import CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals

__all__ = ["SCENES"]

DISTANCES = ("KL", "JS", "LP", "TVD", "KS")
Shares = NDArray[Any]

SHAPES: dict[str, Callable[[int], Shares]] = {
    "even": np.ones,
    "each rarer": lambda k: 1 / np.arange(1.0, k + 1),
    "geometric": lambda k: np.power(0.8, np.arange(float(k))),
    "one of nine tenths": lambda k: np.array([0.9, *[0.1 / (k - 1)] * (k - 1)]),
}
MOVES: dict[str, Callable[[Shares], Shares]] = {
    "alike": lambda p: p,
    "every other one larger": lambda p: p * (1 + 0.3 * (-1.0) ** np.arange(len(p))),
    "the last one larger": lambda p: np.array([*p[:-1], p[-1] + 0.1]),
    "reversed": lambda p: p[::-1],
}


@dataclass(frozen=True)
class Categories:
    """A label in two groups, and the numbers of people drawn."""

    number: int
    shape: str
    move: str
    favored: int
    disfavored: int

    @property
    def words(self) -> str:
        """The case as it is printed."""
        people = f"{self.disfavored:,} against {self.favored:,}"
        return f"{self.number} categories, {self.shape}, {self.move}, {people}"

    def shares(self) -> tuple[Shares, Shares]:
        """Return the shares of both groups."""
        shape = SHAPES[self.shape](self.number)
        a = shape / shape.sum()
        d = MOVES[self.move](a)
        return a, d / d.sum()


def draw(case: Categories, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw the counts of both groups, the favored one's first."""
    people = (case.favored, case.disfavored)
    sides = zip(people, case.shares(), strict=True)
    return np.hstack([random.multinomial(n, p, number) for n, p in sides])


def results(_: Categories, row: list[Any]) -> dict[str, Result]:
    """Return the interval of every distance."""
    half = len(row) // 2
    table = categorised(row[:half], row[half:])
    intervals = Intervals(table, CONFIDENCE)
    return {_name(m): intervals.of(METRICS[m], METRICS[m](table)) for m in DISTANCES}


def _name(metric: str) -> str:
    return f"{metric}, other shapes"


@cache
def _population(case: Categories) -> Table:
    return categorised(*([round(share * 10**13) for share in side] for side in case.shares()))


def targets(case: Categories) -> dict[str, Target]:
    """Return the distances of the population."""
    people = float(min(case.favored, case.disfavored))
    values = ((m, METRICS[m](_population(case)).extended) for m in DISTANCES)
    return {
        _name(m): Target(people, 0.0 if case.move == "alike" else value)
        for m, value in values
        if value is not None
    }


SCENES = (
    Scene(
        [
            Categories(number, shape, move, a, d)
            for number in (3, 10, 20, 50)
            for shape in SHAPES
            for move in MOVES
            for a, d in ((50, 50), (950, 50), (400, 400), (5_000, 5_000))
            if (shape, move) != ("even", "reversed")
        ],
        draw,
        results,
        targets,
        samples=0.2,
    ),
)
