"""The fliptest's search: exact nearest neighbours with every tie, in blocks of bounded memory.

A numeric feature is scaled; a category that differs adds 1 to the squared distance, as much as one
standard deviation. A first pass finds candidates by the fast, slightly inexact expansion of the
squared distance, with a bound on its error; the candidates' distances are then computed feature by
feature, so that the result does not depend on the order of the rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import Flips
from biaspipe.engines.trees import MOST_FEATURES, Tree

__all__ = ["Members", "flips"]

BLOCK = 2_000_000
"""Distances held at once."""
ONE_HOT = 64
"""Categories of a feature up to which it takes part in the matrix product."""
SMALL_SEARCH = 20_000_000
"""Pairs up to which looking at every one takes less time than importing the tree."""
TIE = 1e-9
"""Relative difference of squared distances below which two neighbours are equally near."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Members:
    """Distinct rows of one or two groups.

    Parameters
    ----------
    numbers : numeric features, one row each; NaN where missing.
    categories : codes of the other features; a missing value has a code of its own.
    people : how many people each row stands for, at least 1.
    favorable : whether the prediction is favorable.
    """

    numbers: Floats
    categories: Ints
    people: Ints
    favorable: Bools

    def only(self, chosen: Bools) -> "Members":
        """Return some of the rows."""
        return Members(
            self.numbers[chosen],
            self.categories[chosen],
            self.people[chosen],
            self.favorable[chosen],
        )

    @property
    def complete(self) -> Bools:
        """Which rows have every numeric feature."""
        return np.asarray(np.isfinite(self.numbers).all(axis=1))

    @property
    def total(self) -> int:
        """How many people there are."""
        return int(self.people.sum())


def flips(
    favored: Members, disfavored: Members, *, k: int, scaling: str, features: tuple[str, ...]
) -> Flips:
    """Run the fliptest of one comparison.

    Parameters
    ----------
    favored, disfavored : the rows of either group.
    k : nearest favored people that vote, ties at the k-th distance included.
    scaling : "standard", "range" or "none".
    features : names of the columns, for the evidence.

    Returns
    -------
    Flips
        F+, F-, the people on each side, those left out, and the median distance.
    """
    a, d = favored.only(favored.complete), disfavored.only(disfavored.complete)
    left_out = favored.total + disfavored.total - a.total - d.total
    plus = minus = 0
    radii: list[Floats] = []
    if a.total >= k and d.total:
        scales = _scales(a, d, scaling)
        a, d = (_scaled(side, *scales) for side in (a, d))
        for start, stop, radius, margin in _votes(a, d, k):
            people, own = d.people[start:stop], d.favorable[start:stop]
            plus += int(people[(margin > 0) & ~own].sum())
            minus += int(people[(margin < 0) & own].sum())
            radii.append(radius)
    median = _median(np.concatenate(radii), d.people) if radii else None
    return Flips(plus, minus, d.total, a.total, left_out, k, scaling, features, median)


def _scales(a: Members, d: Members, scaling: str) -> tuple[Floats, Floats]:
    """Return what each numeric feature is shifted and divided by; infinity if constant."""
    people = np.concatenate([a.people, d.people])
    numbers = np.concatenate([a.numbers, d.numbers])
    spans = [_scale(column, people, scaling) for column in numbers.T]
    return numbers.min(axis=0), np.array(spans, dtype=np.float64)


def _scale(column: Floats, people: Ints, scaling: str) -> float:
    low, span = float(column.min()), float(column.max() - column.min())
    if not span:
        return float("inf")
    if scaling == "none":
        return 1.0
    return span if scaling == "range" else span * _deviation((column - low) / span, people)


def _deviation(column: Floats, people: Ints) -> float:
    """Return the standard deviation of numbers between 0 and 1, whatever the order of the rows."""
    values, where = np.unique(column, return_inverse=True)
    weights = np.bincount(where, weights=people)
    total = int(people.sum())
    mean = fsum(weights * values) / total
    return sqrt(fsum(weights * (values - mean) ** 2) / total)


def _scaled(members: Members, low: Floats, scale: Floats) -> Members:
    numbers = (members.numbers - low) / scale
    return Members(numbers, members.categories, members.people, members.favorable)


def _votes(a: Members, d: Members, k: int) -> Iterator[tuple[int, int, Floats, Ints]]:
    """For blocks of d: the distance to the k-th neighbour and the margin of favorable votes."""
    search = _search(a, d)
    size = max(1, BLOCK // len(a.people))
    for start in range(0, len(d.people), size):
        stop = min(start + size, len(d.people))
        rows, columns = search.of(start, stop, k)
        squared = _squared(d, rows + start, a, columns)
        order = np.lexsort((squared, rows))
        rows, columns, squared = rows[order], columns[order], squared[order]
        radius = _kth(rows, a.people[columns], squared, k)
        near = squared <= radius[rows] * (1 + TIE)
        ballots = np.where(a.favorable[columns], a.people[columns], -a.people[columns])
        margin = np.zeros(stop - start, dtype=np.int64)
        np.add.at(margin, rows[near], ballots[near])
        yield start, stop, np.sqrt(radius), margin


def _search(a: Members, d: Members) -> "_Candidates | Tree":
    """Return the faster search: a tree for many rows of a few numbers, else every pair."""
    features = a.numbers.shape[1]
    is_large = len(a.people) * len(d.people) > SMALL_SEARCH
    if is_large and not a.categories.shape[1] and 0 < features <= MOST_FEATURES:
        return Tree(a.numbers, d.numbers)
    return _Candidates(a, d)


def _kth(rows: Ints, people: Ints, squared: Floats, k: int) -> Floats:
    """Squared distance to the k-th person of each row; the pairs are sorted by row, distance."""
    reached = np.cumsum(people)
    first = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
    before = np.r_[0, reached[first[1:] - 1]]
    return np.asarray(squared[np.searchsorted(reached, before + k)])


def _squared(d: Members, rows: Ints, a: Members, columns: Ints) -> Floats:
    """Exact squared distances of pairs, summed feature by feature in a fixed order."""
    total = np.zeros(len(rows))
    for j in range(a.numbers.shape[1]):
        total += (d.numbers[rows, j] - a.numbers[columns, j]) ** 2
    for j in range(a.categories.shape[1]):
        total += d.categories[rows, j] != a.categories[columns, j]
    return total


class _Candidates:
    """Finds, block by block, every row of a that may be among the nearest of a row of d."""

    def __init__(self, a: Members, d: Members) -> None:
        codes = np.concatenate([a.categories, d.categories])
        width = codes.max(axis=0) + 1 if codes.size else np.array([], dtype=np.int64)
        few = width <= ONE_HOT
        center = a.numbers.mean(axis=0)
        self.a = _matrix(a, center, few, width)
        self.d = _matrix(d, center, few, width)
        self.many = (a.categories[:, ~few], d.categories[:, ~few])
        self.turned = np.ascontiguousarray(-2 * self.a.T)
        self.norms = tuple((m**2).sum(axis=1) for m in (self.a, self.d))
        self.error = 4 * (self.a.shape[1] + 4) * np.finfo(np.float64).eps

    def of(self, start: int, stop: int, k: int) -> tuple[Ints, Ints]:
        """Return pairs of a row in the block and a row of a."""
        distances = self.d[start:stop] @ self.turned
        distances += self.norms[1][start:stop, None]
        distances += self.norms[0]
        np.maximum(distances, 0, out=distances)
        for mine, theirs in zip(self.many[1].T, self.many[0].T, strict=True):
            distances += mine[start:stop, None] != theirs[None, :]
        kth = min(k, distances.shape[1]) - 1
        radius = np.partition(distances, kth, axis=1)[:, kth]
        slack = self.error * (self.norms[1][start:stop] + self.norms[0].max())
        near = distances <= (radius * (1 + 2 * TIE) + 2 * slack)[:, None]
        rows, columns = np.nonzero(near)
        return rows, columns


def _matrix(members: Members, center: Floats, few: Bools, width: Ints) -> Floats:
    codes = members.categories
    one_hot = [np.eye(width[j])[codes[:, j]] / sqrt(2) for j in np.flatnonzero(few)]
    return np.ascontiguousarray(np.hstack([members.numbers - center, *one_hot]))


def _median(values: Floats, people: Ints) -> float:
    """Weighted lower median."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(people[order])
    return float(values[order][np.searchsorted(reached, (reached[-1] + 1) // 2)])
