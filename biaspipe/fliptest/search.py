"""The neighbour search: exact nearest neighbours with every tie, in blocks of bounded memory.

A numeric feature is scaled; a category that differs adds 1 to the squared distance, as much as one
standard deviation. A search finds candidates by a fast, slightly inexact distance with a bound on
its error; the candidates' distances are then computed feature by feature, so that the result does
not depend on the order of the rows, nor on which search found them.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Event

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.counts import Flips
from biaspipe.fliptest.brute_force import MEMBERS, BruteForce
from biaspipe.fliptest.exact_moments import Moments
from biaspipe.fliptest.features import category_codes, is_number, numbers
from biaspipe.fliptest.influence import Influence
from biaspipe.fliptest.kd_tree import MAX_DIMENSIONS, KdTree, effective_dimensions
from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.tally import SearchTally
from biaspipe.sources.interrupts import interruptible

__all__ = [
    "Members",
    "Scales",
    "count_flips",
    "flips",
    "members_of",
    "scales_of",
    "search",
]

SMALL_SEARCH = 20_000_000
"""Pairs up to which one thread looks at every pair, since more would cost more to set up."""

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
    whole : the numeric features that are whole numbers, by their position, without rounding.
    """

    numbers: Floats
    categories: Ints
    people: Ints
    favorable: Bools
    whole: Mapping[int, NDArray[np.uint64]] = field(default_factory=dict)

    def only(self, chosen: Bools) -> "Members":
        """Return some of the rows."""
        return Members(
            self.numbers[chosen],
            self.categories[chosen],
            self.people[chosen],
            self.favorable[chosen],
            {j: column[chosen] for j, column in self.whole.items()},
        )

    @property
    def complete(self) -> Bools:
        """Which rows have every numeric feature."""
        return np.asarray(np.isfinite(self.numbers).all(axis=1))

    @property
    def total(self) -> int:
        """How many people there are."""
        return int(self.people.sum())


def members_of(
    frame: pl.DataFrame, origins: Sequence[int | None], categories: Sequence[Sequence[str]]
) -> Members:
    """Return rows as the search takes them, numbers not yet scaled.

    Parameters
    ----------
    frame : `feature0`..., `favorable` and `n`.
    origins : the least of each feature of whole numbers.
    categories : those of each feature that is no number.
    """
    columns, codes, known = [], [], iter(categories)
    for i, zero in enumerate(origins):
        series = frame[f"feature{i}"]
        if is_number(series.dtype):
            columns.append(numbers(series, zero))
        else:
            codes.append(category_codes(series, next(known)))
    rows = frame.height
    return Members(
        np.column_stack([np.empty((rows, 0)), *columns]),
        np.column_stack([np.empty((rows, 0), dtype=np.int64), *codes]),
        frame["n"].cast(pl.Int64).to_numpy(),
        frame["favorable"].to_numpy(),
    )


@dataclass(frozen=True)
class Scales:
    """The shift and the divisor of each numeric feature; infinity if it is constant."""

    low: Floats
    span: Floats

    def of(self, members: Members) -> Members:
        """Return rows with their numbers scaled."""
        numbers = (members.numbers - self.low) / self.span
        return Members(numbers, members.categories, members.people, members.favorable)


def flips(  # noqa: PLR0913 - what a fliptest is of
    favored: Members,
    disfavored: Members,
    *,
    k: int,
    scaling: str,
    features: tuple[str, ...],
    tally: SearchTally | None = None,
) -> Flips:
    """Run the fliptest of one comparison.

    Parameters
    ----------
    favored, disfavored : the rows of either group.
    k : nearest favored people that vote, ties at the k-th distance included.
    scaling : "standard", "range" or "none".
    features : names of the columns, for the evidence.
    tally : is told how far the search is.

    Returns
    -------
    Flips
        F+, F-, the people on each side, those left out, the median distance, and what members
        owe to neighbours that they share.
    """
    a, d = favored.only(favored.complete), disfavored.only(disfavored.complete)
    left_out = favored.total + disfavored.total - a.total - d.total
    plus = minus = 0
    distance = shared = None
    if a.total >= k and d.total:
        scales = interruptible(partial(_scales_of_both, a, d, scaling))
        a, d = scales.of(a), scales.of(d)
        influence = Influence(a.people, d.people, d.favorable, k)
        found = _watched_search(a, d, influence, tally)
        plus, minus, distance = count_flips(found, d, k)
        shared = influence.shared
    return Flips(
        plus, minus, d.total, a.total, left_out, k, scaling, features, distance, shared=shared
    )


def _scales_of_both(a: Members, d: Members, scaling: str) -> Scales:
    sides = zip(_moments_of(a, scaling), _moments_of(d, scaling), strict=True)
    return scales_of([one + other for one, other in sides], scaling)


def _moments_of(members: Members, scaling: str) -> list[Moments]:
    """Return the sums of each numeric feature, of which only `standard` takes more than ends."""
    columns = [members.whole.get(j, column) for j, column in enumerate(members.numbers.T)]
    people = members.people
    return [Moments.of(column, people, sums=scaling == "standard") for column in columns]


def scales_of(moments: Iterable[Moments], scaling: str, origins: Iterable[int] = ()) -> Scales:
    """Return the scales of features from their sums over both sides.

    Parameters
    ----------
    moments : of each numeric feature.
    scaling : "standard", "range" or "none".
    origins : for each feature, the number that takes the place of 0; all 0 if left out.
    """
    sums = list(moments)
    zeros = [*origins] or [0] * len(sums)
    ends = [
        (float((m.low or 0) - zero), float((m.high or 0) - zero))
        for m, zero in zip(sums, zeros, strict=True)
    ]
    low = np.array([least for least, _ in ends], dtype=np.float64)
    spans = [
        _span(m, greatest - least, scaling) for m, (least, greatest) in zip(sums, ends, strict=True)
    ]
    return Scales(low, np.array(spans, dtype=np.float64))


def _span(moments: Moments, reach: float, scaling: str) -> float:
    if not reach:
        return float("inf")
    if scaling == "none":
        return 1.0
    return reach if scaling == "range" else moments.deviation


def count_flips(found: Nearest, d: Members, k: int) -> tuple[int, int, float | None]:
    """Count the flips by the votes of the nearest.

    Returns
    -------
    tuple
        F+, F- and the median distance to the k-th neighbour; None without members.
    """
    margin = found.margin()
    plus = int(d.people[(margin > 0) & ~d.favorable].sum())
    minus = int(d.people[(margin < 0) & d.favorable].sum())
    return plus, minus, _median(np.sqrt(found.radius(k)), d.people) if len(d.people) else None


def search(before: Nearest, a: Members, d: Members, k: int) -> Nearest:
    """Return the nearest of what members have seen before, and of some rows of a.

    Workers of other machines are sent this function, and so what it calls: no wait for a thread.

    Parameters
    ----------
    before : what the members have seen, in their order.
    a, d : scaled rows and members, nothing missing.
    k : the people wanted.
    """
    return _search(before, a, d, k, (Event(), None))


def _watched_search(
    a: Members, d: Members, influence: Influence, tally: SearchTally | None
) -> Nearest:
    """Search as a call that an interrupt ends, and add up what members owe to neighbours."""
    is_over = Event()
    nobody, k = Nearest.nobody(len(d.people)), influence.k
    try:
        return interruptible(
            lambda: _search(nobody, a, d, k + 1, (is_over, tally), influence)
        ).kept(k)
    finally:
        is_over.set()


def _search(  # noqa: PLR0913, PLR0917 - both sides of a search, and those who look on
    before: Nearest,
    a: Members,
    d: Members,
    k: int,
    watched: tuple[Event, SearchTally | None],
    influence: Influence | None = None,
) -> Nearest:
    """Search until it is over, since nobody waits for the rest."""
    is_over, tally = watched
    if not len(a.people) or not len(d.people):
        return before
    squared = _SquaredDistances(a, d)
    people = np.where(a.favorable, a.people, 0), np.where(a.favorable, 0, a.people)
    if len(a.people) * len(d.people) > SMALL_SEARCH and _is_flat(a):
        for rows, columns in KdTree(a.numbers, d.numbers, workers=_cores()).pairs(k):
            _check(is_over)
            yes, no = (side[columns] for side in people)
            new = Nearest(before.size, rows, squared(rows, columns), yes, no, columns)
            before = before.merged([_untold(new.merged([], k), influence)], k)
        return before
    told = influence is not None
    every = BruteForce(a.numbers, d.numbers, a.categories, d.categories, people, told=told)

    def block(start: int) -> Nearest:
        _check(is_over)
        stop = min(start + MEMBERS, before.size)
        nearest = every.search(start, stop, before.part(start, stop), k, squared)
        if tally:
            tally.found.append(stop - start)
        return _untold(nearest, influence, start)

    if tally:
        tally.begin(before.size)

    is_small = len(a.people) * len(d.people) <= SMALL_SEARCH
    return Nearest.stacked(
        _mapped(block, range(0, before.size, MEMBERS), 1 if is_small else _cores())
    )


def _untold(found: Nearest, influence: Influence | None, start: int = 0) -> Nearest:
    """Add what members owe to their neighbours, who need not be told apart any more."""
    if influence:
        influence.add(found, np.arange(start, start + found.size))
    return found.untold()


def _check(is_over: Event) -> None:
    if is_over.is_set():
        raise InterruptedError


def _is_flat(a: Members) -> bool:
    """Whether rows are a few numbers, or many that are spread in a few directions only."""
    if a.categories.shape[1] or not a.numbers.shape[1]:
        return False
    return effective_dimensions(a.numbers) <= MAX_DIMENSIONS


def _mapped(block: Callable[[int], Nearest], starts: Iterable[int], threads: int) -> list[Nearest]:
    """Search the blocks, each of them on one core."""
    if threads == 1:
        return [block(start) for start in starts]
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - only large searches need it

    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(block, starts))


class _SquaredDistances:
    """Computes squared distances of pairs, feature by feature in a fixed order."""

    def __init__(self, a: Members, d: Members) -> None:
        pairs = zip(a.numbers.T, d.numbers.T, strict=True)
        self.numbers = [(np.ascontiguousarray(x), np.ascontiguousarray(y)) for x, y in pairs]
        self.codes = list(zip(a.categories.T, d.categories.T, strict=True))

    def __call__(self, rows: Ints, columns: Ints) -> Floats:
        total = np.zeros(len(rows))
        for a, d in self.numbers:
            total += (d[rows] - a[columns]) ** 2
        for theirs, mine in self.codes:
            total += mine[rows] != theirs[columns]
        return total


def _cores() -> int:
    """Return the cores of this process, or fewer where OMP_NUM_THREADS says so."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _median(values: Floats, people: Ints) -> float:
    """Return the weighted lower median."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(people[order])
    return float(values[order][np.searchsorted(reached, (reached[-1] + 1) // 2)])
