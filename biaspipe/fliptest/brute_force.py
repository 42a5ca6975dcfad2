"""Candidate neighbours by looking at every pair, in blocks of matrix products.

A row of d and a row of a are stretched by a few columns, so that their product is the squared
distance less the square of the radius, less all that rounding may have added: a pair is a
candidate if the product is not positive.
Products have single precision, since the candidates' distances are computed again.
"""

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from biaspipe.fliptest.influence import MOST_TIED, MOST_TOLD
from biaspipe.fliptest.nearest import ANYBODY, TIE_TOLERANCE, Nearest

__all__ = ["MEMBERS", "BruteForce"]

MEMBERS, TILE = 256, 1024
"""Rows of d and of a in one product; its result stays in a core's own memory."""
ONE_HOT = 64
"""Categories of a feature up to which it takes part in the matrix product."""
PAIRS = 1_000_000
"""Candidates held at once."""
UNDERFLOW = 1e-35
"""The error of single precision by underflow, where the greatest norm is 1."""

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Squared = Callable[[Ints, Ints], Floats]


class BruteForce:
    """Finds, for blocks of d, every row of a that may be among the nearest.

    Parameters
    ----------
    a, d : scaled numeric features, one row each, nothing missing.
    codes_a, codes_d : codes of the other features.
    people : favorable and unfavorable people of each row of a.
    told : whether neighbours are told apart.
    """

    def __init__(  # noqa: PLR0913 - both sides of a comparison
        self,
        a: Floats,
        d: Floats,
        codes_a: Ints,
        codes_d: Ints,
        people: tuple[Ints, Ints],
        *,
        told: bool = False,
    ) -> None:
        width = np.maximum(codes_a.max(axis=0, initial=0), codes_d.max(axis=0, initial=0)) + 1
        few = width <= ONE_HOT
        wide_a, wide_d = (
            _one_hot(numbers - a.mean(axis=0), codes, few, width)
            for numbers, codes in ((a, codes_a), (d, codes_d))
        )
        self.unit = sqrt(max(_norms(wide_a).max(), _norms(wide_d).max())) or 1.0
        self.error = 4 * (wide_a.shape[1] + 4) * float(np.finfo(np.float32).eps)
        self.tiles = list(_tiles(wide_a / self.unit, self.error))
        self.d, self.codes = wide_d / self.unit, (codes_a[:, ~few], codes_d[:, ~few])
        self.people, self.rows, self.told = people, len(a), told

    def search(self, start: int, stop: int, before: Nearest, k: int, squared: Squared) -> Nearest:
        """Return the nearest of what a block of d has seen before, and of all rows of a.

        Parameters
        ----------
        start, stop : the block.
        before : what it has seen.
        k : the people wanted.
        squared : computes the exact squared distances of pairs.
        """
        found, low = before, 0
        while low < self.rows:
            radius = found.radius(k)
            if not low and not np.isfinite(radius).all():
                radius = np.minimum(radius, self._bound(start, stop, k))
            most = TILE * max(1, low // TILE)
            low, rows, columns = self._candidates(start, stop, radius, low, low + most)
            new = Nearest(
                stop - start,
                rows,
                squared(rows + start, columns),
                self.people[0][columns],
                self.people[1][columns],
                columns if self.told else np.full(len(columns), ANYBODY),
            )
            found = found.merged([new], k)
            if len(found.rows) > MOST_TOLD:
                found = found.untold_where_more(MOST_TIED)
        return found

    def _with_radius(self, start: int, stop: int, radius: Floats) -> Singles:
        """Return the rows of a block with the columns that subtract the radius."""
        d = self.d[start:stop]
        near = radius / self.unit**2 * (1 + 2 * TIE_TOLERANCE + self.error)
        known = np.isfinite(near)
        offset = np.where(known, _norms(d) * (1 - self.error) - near - UNDERFLOW, -16.0)
        return np.column_stack([-2 * d, np.ones(len(d)), offset]).astype(np.float32)

    def _bound(self, start: int, stop: int, k: int) -> Floats:
        """Return an upper bound of the squared distance to the k-th neighbour."""
        tile, d = self.tiles[0], self._with_radius(start, stop, np.zeros(stop - start))
        if tile.shape[1] < k or any(codes.shape[1] for codes in self.codes):
            return np.full(stop - start, np.inf)
        norms = tile[-2].astype(np.float64)[None, :] + _norms(self.d[start:stop])[:, None]
        bounds = d @ tile + 3 * self.error * norms + 3 * UNDERFLOW
        nearest: Floats = np.partition(bounds, k - 1, axis=1)[:, k - 1]
        return np.maximum(nearest, 0) * self.unit**2

    def _candidates(
        self, start: int, stop: int, radius: Floats, low: int, high: int
    ) -> tuple[int, Ints, Ints]:
        """Return the pairs within the radius, from `low` on, and how far the search has come."""
        d, pairs, held = self._with_radius(start, stop, radius), [], 0
        product = np.empty((stop - start, TILE), dtype=np.float32)
        within = np.empty(product.shape, dtype=np.bool_)
        while low < min(high, self.rows) and held < PAIRS:
            tile = self.tiles[low // TILE]
            if tile.shape[1] < TILE:
                product, within = product[:, : tile.shape[1]], within[:, : tile.shape[1]]
            np.matmul(d, tile, out=product)
            self._add_categories(product, start, low)
            np.less_equal(product, 0, out=within)
            places = np.flatnonzero(within)
            pairs.append((places // tile.shape[1], places % tile.shape[1] + low))
            low, held = low + tile.shape[1], held + len(places)
        rows, columns = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        return low, rows, columns

    def _add_categories(self, product: Singles, start: int, low: int) -> None:
        """Add what features of many categories contribute to the distance."""
        if not self.codes[0].shape[1]:
            return
        step = np.float32(1 / self.unit**2)
        rows, columns = product.shape
        for a, d in zip(self.codes[0].T, self.codes[1].T, strict=True):
            apart = d[start : start + rows, None] != a[None, low : low + columns]
            product += step * apart


def _one_hot(numbers: Floats, codes: Ints, few: NDArray[np.bool_], width: Ints) -> Floats:
    hot = [np.eye(width[j])[codes[:, j]] / sqrt(2) for j in np.flatnonzero(few)]
    return np.hstack([numbers, *hot])


def _norms(rows: Floats) -> Floats:
    return np.asarray(np.square(rows).sum(axis=1))


def _tiles(a: Floats, error: float) -> Iterator[Singles]:
    """Yield the rows of a as columns, with their norms and ones below."""
    for start in range(0, len(a), TILE):
        rows = a[start : start + TILE]
        below = (_norms(rows) * (1 - error), np.ones(len(rows)))
        yield np.ascontiguousarray(np.column_stack([rows, *below]).T, dtype=np.float32)
