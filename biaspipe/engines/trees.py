"""Candidate neighbours from a tree, the faster search where the features are a few numbers."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_FEATURES", "Tree"]

MOST_FEATURES = 10
"""Numeric features up to which a tree is faster than looking at every pair."""
SPARE = 8
"""Neighbours asked for beyond the k-th, so that most ties need no second look."""
SLACK = 1e-8
"""Relative distance beyond the k-th neighbour that still counts as a candidate's."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Tree:
    """Finds every row of a that may be among the nearest of a row of d.

    Parameters
    ----------
    a, d : scaled numeric features, one row each, nothing missing.
    """

    def __init__(self, a: Floats, d: Floats) -> None:
        from scipy.spatial import cKDTree  # noqa: PLC0415 - only large searches pay its import

        self.d = d
        self.rows = len(a)
        self.tree = cKDTree(a)

    def of(self, start: int, stop: int, k: int) -> tuple[Ints, Ints]:
        """Return pairs of a row in the block and a row of a."""
        block = self.d[start:stop]
        asked = min(k + SPARE, self.rows)
        distances, columns = self.tree.query(block, k=np.arange(1, asked + 1))
        radius = distances[:, min(k, self.rows) - 1] * (1 + SLACK) + np.finfo(np.float64).tiny
        rows, places = np.nonzero(distances <= radius[:, None])
        if asked == self.rows:
            return rows, columns[rows, places]
        open_ended = distances[:, -1] <= radius
        kept = ~open_ended[rows]
        more = self._within(block, radius, np.flatnonzero(open_ended))
        found = (rows[kept], columns[rows[kept], places[kept]])
        return np.concatenate([found[0], more[0]]), np.concatenate([found[1], more[1]])

    def _within(self, block: Floats, radius: Floats, rows: Ints) -> tuple[Ints, Ints]:
        """Return all pairs within the radius, for rows that have many neighbours at it."""
        if not len(rows):
            return rows, rows
        lists = self.tree.query_ball_point(block[rows], radius[rows])
        lengths = [len(found) for found in lists]
        return np.repeat(rows, lengths), np.concatenate(lists).astype(np.int64)
