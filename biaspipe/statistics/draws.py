"""Seeded draws of the shares behind counts, and their quantiles; the part that needs numpy.

NumPy promises that the stream of a `RandomState` with a given seed never changes, which it does
not promise of its newer generators: an interval can be made again years later.
Last digits may still differ from one processor to another, so the ends are rounded to six
significant digits; the error that comes from the number of draws is larger than that.
"""

from collections.abc import Callable, Iterator, Sequence
from math import floor, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["DRAWS", "SEED", "Draws", "Ends", "Floats", "ends", "rounded"]

DRAWS = 10_000
SEED = 1_961
DIGITS = 6
MOST_NUMBERS = 1_000_000
"""How many shares are held at a time."""
MOST_DRAWN = 20_000_000
"""How many shares are drawn in all, which is 10,000 times a thousand categories of two groups."""
FEWEST = 1_000
"""How many draws there are of however many categories."""

Floats = NDArray[np.float64]
Formula = Callable[..., Floats]
Asked = tuple[Formula, tuple[tuple[str, Any], ...]]
"""A formula with its parameters."""


class Draws:
    """Draws of each group's shares, Dirichlet-distributed, the same ones every time.

    They are made when first asked for, and kept if they are not too many; many categories are
    drawn in blocks, so that memory stays bounded, and in fewer draws where they are very many.

    Parameters
    ----------
    counts : for each group, its people by cell with a share of the prior in each.
    together : formulas that are evaluated with the first one of them, where draws are not kept:
        drawing takes longer than all of them.
    """

    def __init__(self, counts: Sequence[Sequence[float]], together: Sequence[Formula] = ()) -> None:
        self.counts = counts
        self.together = together
        self._kept: list[Floats] = []
        self._found: dict[Asked, Floats] = {}

    def of(self, formula: Formula, **parameters: Any) -> Floats:
        """Evaluate a formula on every draw.

        Parameters
        ----------
        formula : a function of one array for each group, of shape (draws, cells).
        parameters : further arguments of the formula.

        Returns
        -------
        array
            One number for each draw; NaN where the formula is 0/0.
        """
        asked = formula, tuple(parameters.items())
        if asked not in self._found:
            others = [] if self._is_small else [(other, ()) for other in self.together]
            wanted = dict.fromkeys([asked, *others])
            self._evaluate([w for w in wanted if w not in self._found])
        return self._found[asked]

    def _evaluate(self, wanted: Sequence[Asked]) -> None:
        """Evaluate formulas on the same draws."""
        with np.errstate(all="ignore"):
            rows = [[f(*block, **dict(p)) for f, p in wanted] for block in self._blocks()]
        found = map(np.concatenate, zip(*rows, strict=True))
        self._found.update(zip(wanted, found, strict=True))

    @property
    def _cells(self) -> int:
        return sum(map(len, self.counts))

    @property
    def _is_small(self) -> bool:
        return self._cells * DRAWS <= MOST_NUMBERS

    def _blocks(self) -> Iterator[list[Floats]]:
        if self._kept:
            yield self._kept
            return
        random = np.random.RandomState(SEED)
        draws = max(FEWEST, min(DRAWS, MOST_DRAWN // self._cells))
        rows = max(1, min(DRAWS, MOST_NUMBERS // self._cells))
        for start in range(0, draws, rows):
            size = min(rows, draws - start)
            gammas = [random.standard_gamma(group, (size, len(group))) for group in self.counts]
            block = [drawn / drawn.sum(axis=1, keepdims=True) for drawn in gammas]
            if self._is_small:
                self._kept = block
            yield block


class Ends(NamedTuple):
    """The two ends of an interval, and the draw in the middle."""

    low: float
    middle: float
    high: float


def ends(values: Floats, confidence: float) -> Ends:
    """Return the ends that leave out as many draws below as above.

    Draws without a number are left out; where none has one, nothing is excluded.

    >>> ends(np.arange(1.0, 1_000.0), 0.95)
    Ends(low=25.0, middle=500.0, high=975.0)
    """
    kept = np.sort(values[~np.isnan(values)])
    number = len(kept)
    if not number:
        return Ends(-inf, 0.0, inf)
    rank = max(1, floor((1 - confidence) / 2 * (number + 1) + 1e-9))
    return Ends(float(kept[rank - 1]), float(kept[number // 2]), float(kept[number - rank]))


def rounded(number: float) -> float:
    """Round to six significant digits.

    >>> rounded(0.12345678)
    0.123457
    """
    return float(f"{number:.{DIGITS}g}")
