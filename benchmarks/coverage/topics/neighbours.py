"""The fliptest: of members whose neighbours are given, and of samples of both groups."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from cases import TwoGroups, grid
from comparisons import Counts, Shares, comparison
from numpy.typing import NDArray
from scenes import BOUNDS, CONFIDENCE, Result, Scene, Target

from biaspipe.counts import Flips
from biaspipe.fliptest.search import Members, flips
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals

__all__ = ["SCENES"]

FT, K = METRICS["FT"], 5
AUDITS = 100
"""Audits whose average stands for the expected value, which no formula gives."""


def flip_shares(case: TwoGroups, _favored: bool) -> Shares:
    """Return the shares of flips to the favorable, away from it, and of none."""
    to, away = (case.base / 2 + case.ahead(side) for side in (True, False))
    return [to, away, 1 - to - away]


def given(_: Counts, d: Counts) -> Flips:
    """Return what a fliptest of members among given neighbours may have counted."""
    to, away, none = (float(n) for n in d)
    people = round(to + away + none)
    return Flips(round(to), round(away), people, 10**9, 0, K, "standard", (), None)


@dataclass(frozen=True)
class Audits:
    """Two groups with features, and predictions that follow them but for noise.

    Parameters
    ----------
    favored, disfavored : people drawn.
    features : normal numbers, of which the predictions take the sum.
    noise : the share of predictions that are the other way round.
    categories : of one more feature, by which 20 to 80 % of both groups have the favorable
        prediction, where there are no numbers.
    """

    favored: int
    disfavored: int
    features: int
    noise: float
    categories: int = 0

    @property
    def words(self) -> str:
        """The case as it is printed."""
        sizes = f"favored {self.favored:,} against {self.disfavored:,}"
        if self.categories:
            return f"{sizes}, {self.categories} categories"
        return f"{sizes}, {self.features} features, noise {self.noise}"


def draw(_: Audits, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw the seeds of audits."""
    return random.integers(2**31, size=(number, 1))


def audited(case: Audits, seed: int) -> Flips:
    """Draw both groups, and run the product's fliptest."""
    random = np.random.default_rng(seed)
    a = _members(random, case.favored, case, shift=0.0, threshold=0.0)
    d = _members(random, case.disfavored, case, shift=-0.3, threshold=0.3)
    names = tuple(f"x{i}" for i in range(case.features + (case.categories > 0)))
    return flips(a, d, k=K, scaling="standard", features=names)


def _members(
    random: np.random.Generator, people: int, case: Audits, *, shift: float, threshold: float
) -> Members:
    if case.categories:
        return _members_of_categories(random, people, case.categories)
    numbers = random.normal(shift, size=(people, case.features))
    favorable = numbers.sum(axis=1) / np.sqrt(case.features) > threshold
    favorable ^= random.random(people) < case.noise
    codes, ones = np.zeros((people, 0), dtype=np.int64), np.ones(people, dtype=np.int64)
    return Members(numbers, codes, ones, favorable)


def _members_of_categories(random: np.random.Generator, people: int, categories: int) -> Members:
    codes = random.integers(0, categories, (people, 1))
    favorable = random.random(people) < np.linspace(0.2, 0.8, categories)[codes[:, 0]]
    return Members(np.zeros((people, 0)), codes, np.ones(people, dtype=np.int64), favorable)


def results(case: Audits, row: list[int]) -> dict[str, Result]:
    """Return the interval of one audit."""
    found = audited(case, row[0])
    name = NAME_OF_CATEGORIES if case.categories else NAME
    return {name: Intervals(found, CONFIDENCE).of(FT, FT(found))}


def targets(case: Audits) -> dict[str, Target]:
    """Return the expected value."""
    people, truth = min(case.favored, case.disfavored), expected(case)
    if case.categories:
        return {NAME_OF_CATEGORIES: Target(people, truth, (BOUNDS[0], 1.0))}
    return {NAME: Target(people, truth)}


@cache
def expected(case: Audits) -> float:
    """Return the average over many audits, each with both groups drawn anew."""
    return float(np.mean([float(FT(audited(case, seed)).number or 0) for seed in range(AUDITS)]))


NAME = "FT, both groups drawn"
NAME_OF_CATEGORIES = "FT, both groups drawn, likes tied"
PEOPLE = ((100, 10_000), (1_000, 10_000), (2_000, 2_000), (10_000, 200))
CASES = [Audits(*n, features, noise) for n, features, noise in product(PEOPLE, (2,), (0, 0.1, 0.3))]
TIED = ((100, 1_000), (400, 2_000), (2_000, 2_000))
CASES += [Audits(*n, 0, 0, categories) for n, categories in product(TIED, (3, 6, 12))]
SCENES = (
    comparison(("FT",), flip_shares, given, grid(), ", neighbours as they are"),
    Scene(CASES, draw, results, targets, samples=0.1),
)
