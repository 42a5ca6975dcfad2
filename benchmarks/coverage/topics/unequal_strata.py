"""Strata of very different sizes with gaps of both signs, and the notes on Simpson's paradox."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from comparisons import stratified
from numpy.typing import NDArray
from scenes import BOUNDS, CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals, strata_effect

__all__ = ["SCENES"]

CDDL = METRICS["CDDL"]
CERTAIN = "note on strata that matter {}"
NEVER, ALWAYS = (0.0, 0.05), (0.95, 1.0)
"""How often the note may stand where strata do not matter, and is to stand where they do."""


@dataclass(frozen=True)
class Strata:
    """A population of strata, and the number of people drawn from it.

    Parameters
    ----------
    what : what it is.
    people : drawn, of both groups and all strata together.
    weights : the strata's shares.
    disfavored : the disfavored group's share of each.
    favorable : the favored group's share of favorable labels in each.
    gaps : how far it is ahead in each.
    effect : how often a note on the strata may stand, or should; None where neither.
    """

    what: str
    people: int
    weights: Sequence[float]
    disfavored: Sequence[float]
    favorable: Sequence[float]
    gaps: Sequence[float]
    effect: tuple[float, float] | None = None

    @property
    def words(self) -> str:
        """The case as it is printed."""
        return f"{self.what}, {self.people:,} people"

    def shares(self) -> NDArray[np.float64]:
        """Return the shares of labels by stratum: of a, then of d, the favorable ones first."""
        weights, d = np.array(self.weights) / sum(self.weights), np.array(self.disfavored)
        sides = []
        for of_group, rate in (
            (weights * (1 - d), np.array(self.favorable)),
            (weights * d, np.array(self.favorable) - np.array(self.gaps)),
        ):
            sides += [of_group * rate, of_group * (1 - rate)]
        return np.concatenate(sides)


def _table(counts: Sequence[Any]) -> Table:
    half = len(counts) // 2
    return stratified(counts[:half], counts[half:])


def draw(case: Strata, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw the people of all strata as one."""
    return random.multinomial(case.people, case.shares(), number)


def results(case: Strata, row: list[Any]) -> dict[str, Result]:
    """Return the interval, and whether an effect of the strata is called certain."""
    table = _table(row)
    found: dict[str, Result] = {
        "CDDL, unequal strata": Intervals(table, CONFIDENCE).of(CDDL, CDDL(table))
    }
    if case.effect:
        found[_note(case)] = strata_effect(table, CDDL, CONFIDENCE).is_certain
    return found


@cache
def _truth(case: Strata) -> float:
    return float(CDDL(_table([round(share * 10**12) for share in case.shares()])).extended or 0)


def targets(case: Strata) -> dict[str, Target]:
    """Return the value of the population."""
    people = case.people * min(case.disfavored)
    found = {"CDDL, unequal strata": Target(people, _truth(case), BOUNDS)}
    if case.effect:
        found[_note(case)] = Target(people, None, case.effect)
    return found


def _note(case: Strata) -> str:
    return CERTAIN.format("little" if case.effect == NEVER else "much")


def _alternating(number: int, gap: float) -> tuple[float, ...]:
    return tuple(gap * (-1) ** i for i in range(number))


RARER = tuple(1 / (i + 1) for i in range(20))
EVEN = (1.0,) * 5
SCENES = (
    Scene(
        [
            *(
                Strata(f"4 strata with gaps of +-{gap}", n, (1.0,) * 4, (0.5,) * 4, rates, gaps)
                for gap in (0.6, 0.8)
                for n in (400, 2_000, 10_000)
                for rates in [tuple(0.5 + g / 2 for g in _alternating(4, gap))]
                for gaps in [_alternating(4, gap)]
            ),
            *(
                Strata(
                    "20 strata, each smaller, with gaps of +-0.3",
                    n,
                    RARER,
                    (0.3,) * 20,
                    (0.5,) * 20,
                    _alternating(20, 0.3),
                )
                for n in (400, 4_000)
            ),
            *(
                Strata(
                    "one huge stratum and nine tiny ones of another gap",
                    n,
                    (0.91, *(0.01,) * 9),
                    (0.3,) * 10,
                    (0.4,) * 10,
                    (0.2, *(-0.4,) * 9),
                )
                for n in (400, 4_000)
            ),
            *(
                Strata(f"parity, {what}", n, EVEN, d, rates, (0.0,) * 5, NEVER)
                for what, d, rates in (
                    ("strata are alike", (0.4,) * 5, (0.3,) * 5),
                    ("rates differ", (0.4,) * 5, (0.1, 0.2, 0.3, 0.4, 0.5)),
                    ("groups are spread unevenly", (0.1, 0.2, 0.4, 0.5, 0.6), (0.3,) * 5),
                )
                for n in (200, 1_000, 5_000)
            ),
            *(
                Strata(
                    "the gap over all is of the strata alone",
                    n,
                    (1.0, 1.0),
                    (0.3, 0.7),
                    (0.7, 0.3),
                    (-0.05, -0.05),
                    ALWAYS,
                )
                for n in (200, 1_000)
            ),
        ],
        draw,
        results,
        targets,
    ),
)
