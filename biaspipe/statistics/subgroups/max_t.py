"""The largest test statistic of all subgroups where outcomes are dealt out at random: max-T.

Westfall and Young 1993, Resampling-Based Multiple Testing, single-step maxT: under the hypothesis
that groups make no difference, every way to deal the outcomes out among the people is as likely.
People need not be dealt out one by one: how many outcomes fall to each cell is multivariate
hypergeometric, a chain of hypergeometric draws, each from what the cells before have left.

NumPy promises that the stream of a `RandomState` with a given seed never changes, and its newer
generators, which have the multivariate draw, do not promise that.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import JointCell
from biaspipe.errors import DataError
from biaspipe.statistics.subgroups.slices import FacetSet, Ints, Slices

__all__ = ["draws_for", "maxima", "statistics_of"]

Floats = NDArray[np.float64]

MAX_NUMBERS = 1_000_000
"""How many counts are held at a time, unless cells are very many."""
LEAST_WIDTH = 64
"""Draws that are made at a time at least: below that, Python takes longer than they do."""
MAX_DRAWN = 8_000_000
"""How many counts are drawn in all, which is 10,000 times 800 cells."""
MAX_PEOPLE = 10**12
"""People among whom hypergeometric draws are exact."""
FEWEST = 1_000
"""How many draws there are of however many cells."""


def draws_for(cells: int, asked: int) -> int:
    """Return how many draws there are of so many cells.

    >>> draws_for(300, 10_000), draws_for(5_000, 10_000), draws_for(100_000, 10_000)
    (10000, 1600, 1000)
    """
    return min(asked, max(FEWEST, MAX_DRAWN // max(1, cells)))


def statistics_of(slices: Slices, cells: Sequence[JointCell]) -> Floats:
    """Return the score statistic of every subgroup against its rest, that of pooled variance.

    Parameters
    ----------
    slices : the subgroups.
    cells : the people that they are made of.
    """
    wholes, parts = np.array([cell[1:] for cell in cells], dtype=np.int64).reshape(-1, 2).T
    found = [_statistics(one, wholes, parts[:, None])[:, 0] for one in slices.sets]
    return np.concatenate(found) if found else np.zeros(0)


def maxima(slices: Slices, cells: Sequence[JointCell], draws: int, seed: int) -> Floats:
    """Draw the largest absolute statistic of all subgroups, sorted.

    Parameters
    ----------
    slices : the subgroups.
    cells : the people that they are made of.
    draws, seed : how many draws, and the number that they begin with.

    Raises
    ------
    DataError
        If there are more people than can be drawn from.
    """
    people = sum(cell.whole for cell in cells)
    if people > MAX_PEOPLE:
        words = f"subgroups: {people:,} people, and at most {MAX_PEOPLE:,} are searched"
        raise DataError(words, hint="is the weight a number of people?")
    wholes, parts = np.array([cell[1:] for cell in cells], dtype=np.int64).reshape(-1, 2).T
    largest = []
    for dealt in _dealt(wholes, int(parts.sum()), draws, seed):
        most = np.zeros(dealt.shape[1])
        for one in slices.sets:
            np.maximum(most, np.abs(_statistics(one, wholes, dealt)).max(axis=0), out=most)
        largest.append(most)
    return np.sort(np.concatenate(largest))


def _dealt(wholes: Ints, parts: int, draws: int, seed: int) -> Iterator[Ints]:
    """Yield outcomes dealt out to cells: a row for each cell, a column for each draw."""
    random = np.random.RandomState(seed)
    width = max(LEAST_WIDTH, MAX_NUMBERS // len(wholes))
    for start in range(0, draws, width):
        size = min(width, draws - start)
        dealt = np.zeros((len(wholes), size), dtype=np.int64)
        people, left = int(wholes.sum()), np.full(size, parts, dtype=np.int64)
        for row, whole in zip(dealt, wholes.tolist(), strict=True):
            if 0 < whole < people:
                row[:] = random.hypergeometric(left, people - left, whole, size)
            elif whole:
                row[:] = left
            people, left = people - whole, left - row
        yield dealt


def _statistics(facets: FacetSet, wholes: Ints, parts: Ints) -> Floats:
    """Return the statistics of the subgroups of some facets: a row each, a column for each draw."""
    own = np.add.reduceat(wholes[facets.order], facets.starts).astype(np.float64)
    counted = np.add.reduceat(parts[facets.order], facets.starts, axis=0)
    everybody = float(wholes[facets.known].sum())
    rate = parts[facets.known].sum(axis=0) / everybody
    scale = np.sqrt(own * ((everybody - own) / everybody))[:, None] * np.sqrt(rate * (1 - rate))
    excess = counted - own[:, None] * rate
    statistics: Floats = np.divide(excess, scale, out=np.zeros_like(excess), where=scale > 0)
    return statistics
