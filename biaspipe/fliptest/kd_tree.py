"""Candidate neighbours from a tree, the faster search where the features are a few numbers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["MAX_DIMENSIONS", "KdTree", "effective_dimensions"]

MAX_DIMENSIONS = 7.5
"""Dimensions up to which a tree is faster than looking at every pair."""
EXTRA_NEIGHBORS = 8
"""Neighbours asked for beyond the k-th, so that most ties need no second look."""
TOLERANCE = 1e-8
"""Relative distance beyond the k-th neighbour that still counts as a candidate's."""
PAIRS = 2_000_000
"""Candidates held at once."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def effective_dimensions(numbers: Floats) -> float:
    """Return in how many directions rows are spread, from 1 to the number of features.

    It is 1 where one feature outweighs the others, or all go together, and the number of features
    where they are alike and independent: the squared sum of the variances in all directions over
    the sum of their squares.

    >>> effective_dimensions(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
    2.0
    """
    apart = numbers - numbers.mean(axis=0)
    size = np.abs(apart).max(initial=0.0)
    if not size:
        return 1.0
    variances = (apart / size).T @ (apart / size)
    return float(np.trace(variances) ** 2 / (variances**2).sum())


class KdTree:
    """Finds every row of a that may be among the nearest of a row of d.

    Parameters
    ----------
    a, d : scaled numeric features, one row each, nothing missing.
    workers : how many cores it may take.
    """

    def __init__(self, a: Floats, d: Floats, workers: int) -> None:
        from scipy.spatial import cKDTree  # noqa: PLC0415 - only large searches pay its import

        self.d, self.rows, self.workers = d, len(a), workers
        self.tree = cKDTree(a)

    def pairs(self, k: int) -> Iterator[tuple[Ints, Ints]]:
        """Yield pairs of a row of d and a row of a, a bounded number at a time."""
        asked = min(k + EXTRA_NEIGHBORS, self.rows)
        size = max(1, PAIRS // asked)
        for start in range(0, len(self.d), size):
            yield from self._near(start, self.d[start : start + size], k, asked)

    def _near(self, start: int, block: Floats, k: int, asked: int) -> Iterator[tuple[Ints, Ints]]:
        places = np.arange(1, asked + 1)
        distances, columns = self.tree.query(block, k=places, workers=self.workers)
        radius = distances[:, min(k, self.rows) - 1] * (1 + TOLERANCE) + np.finfo(np.float64).tiny
        near = distances <= radius[:, None]
        open_ended = np.zeros(len(block), dtype=np.bool_)
        if asked < self.rows:
            open_ended = near[:, -1]
        rows, found = np.nonzero(near & ~open_ended[:, None])
        yield rows + start, columns[rows, found]
        for rows, more in self._within(block, radius, np.flatnonzero(open_ended)):
            yield rows + start, more

    def _within(self, block: Floats, radius: Floats, rows: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Yield all pairs within the radius, for rows that have many neighbours at it."""
        if not len(rows):
            return
        near = {"workers": self.workers, "return_sorted": False}
        lengths = self.tree.query_ball_point(block[rows], radius[rows], return_length=True, **near)
        part = np.cumsum(lengths) // PAIRS
        for number in np.unique(part):
            chosen = rows[part == number]
            lists = self.tree.query_ball_point(block[chosen], radius[chosen], **near)
            many = np.repeat(chosen, [len(found) for found in lists])
            yield many, np.concatenate(lists).astype(np.int64)
