"""Intervals of distances between labels of many categories, from draws; the part with numpy.

The shares behind the counts are drawn, Dirichlet-distributed.
NumPy promises that the stream of a `RandomState` with a given seed never changes, which it does
not promise of its newer generators: an interval can be made again years later.
Last digits may still differ from one processor to another, so the ends are rounded to six
significant digits; the error that comes from the number of draws is larger than that.
"""

from collections.abc import Callable, Iterator, Sequence
from math import floor, inf, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from biaspipe.counts import Table
from biaspipe.metrics import Metric, find
from biaspipe.statistics.closed_form import may_be_equal
from biaspipe.statistics.effective_size import categories, n_eff

__all__ = [
    "DISTANCES",
    "Draws",
    "Floats",
    "draws_of",
    "interval",
    "quantiles",
]

DRAWS = 10_000
SEED = 1_961
DIGITS = 6
MAX_NUMBERS = 1_000_000
"""How many shares are held at a time."""
MAX_DRAWN = 20_000_000
"""How many shares are drawn in all, which is 10,000 times a thousand categories of two groups."""
FEWEST = 1_000
"""How many draws there are of however many categories."""
PRIOR = 1.0
"""People added to each group, shared out evenly over its cells; Jeffreys' prior for two."""

Floats = NDArray[np.float64]
Formula = Callable[..., Floats]
"""A function of one array for each group: a row for each draw, a column for each cell."""
Evaluation = tuple[Formula, tuple[tuple[str, Any], ...]]
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
        self._shares: list[Floats] = []
        self._values: dict[Evaluation, Floats] = {}

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
        wanted = formula, tuple(parameters.items())
        if wanted not in self._values:
            others = [] if self._is_small else [(other, ()) for other in self.together]
            every = dict.fromkeys([wanted, *others])
            self._evaluate([e for e in every if e not in self._values])
        return self._values[wanted]

    def _evaluate(self, wanted: Sequence[Evaluation]) -> None:
        """Evaluate formulas on the same draws."""
        with np.errstate(all="ignore"):
            rows = [[f(*block, **dict(p)) for f, p in wanted] for block in self._blocks()]
        values = map(np.concatenate, zip(*rows, strict=True))
        self._values.update(zip(wanted, values, strict=True))

    @property
    def _cells(self) -> int:
        return sum(map(len, self.counts))

    @property
    def _is_small(self) -> bool:
        return self._cells * DRAWS <= MAX_NUMBERS

    def _blocks(self) -> Iterator[list[Floats]]:
        if self._shares:
            yield self._shares
            return
        random = np.random.RandomState(SEED)
        draws = max(FEWEST, min(DRAWS, MAX_DRAWN // self._cells))
        rows = max(1, min(DRAWS, MAX_NUMBERS // self._cells))
        for start in range(0, draws, rows):
            size = min(rows, draws - start)
            gammas = [random.standard_gamma(group, (size, len(group))) for group in self.counts]
            block = [drawn / drawn.sum(axis=1, keepdims=True) for drawn in gammas]
            if self._is_small:
                self._shares = block
            yield block


class Quantiles(NamedTuple):
    """The two ends of an interval, and the draw in the middle."""

    low: float
    median: float
    high: float


def quantiles(values: Floats, confidence: float) -> Quantiles:
    """Return the ends that leave out as many draws below as above, and the middle.

    Draws without a number are left out; where none has one, nothing is excluded.

    >>> quantiles(np.arange(1.0, 1_000.0), 0.95)
    Quantiles(low=25.0, median=500.0, high=975.0)
    """
    ordered = np.sort(values[~np.isnan(values)])
    number = len(ordered)
    if not number:
        return Quantiles(-inf, 0.0, inf)
    rank = max(1, floor((1 - confidence) / 2 * (number + 1) + 1e-9))
    low, high = float(ordered[rank - 1]), float(ordered[number - rank])
    return Quantiles(low, float(ordered[number // 2]), high)


def kullback_leibler(a: Floats, d: Floats) -> Floats:
    """Return the divergence of a from d, in nats; infinite where d has 0 and a has not."""
    total: Floats = np.where(a > 0, a * np.log(a / d), 0.0).sum(axis=1)
    return np.maximum(total, 0.0)


def jensen_shannon(a: Floats, d: Floats) -> Floats:
    """Return the mean divergence of both from their middle; in [0, ln 2]."""
    middle = (a + d) / 2
    mean = (kullback_leibler(a, middle) + kullback_leibler(d, middle)) / 2
    return np.minimum(mean, log(2))


def norm(a: Floats, d: Floats, p: float = 2.0) -> Floats:
    """Return the Lp-norm of the difference; in [0, 2^(1/p)]."""
    gaps = np.abs(a - d)
    largest = gaps.max(axis=1, keepdims=True)
    relative = np.divide(gaps, largest, out=np.zeros_like(gaps), where=largest > 0)
    lengths: Floats = largest[:, 0] * (relative**p).sum(axis=1) ** (1 / p)
    return lengths


def total_variation(a: Floats, d: Floats) -> Floats:
    """Return half the sum of the differences; in [0, 1]."""
    halves: Floats = np.abs(a - d).sum(axis=1) / 2
    return halves


def largest_difference(a: Floats, d: Floats) -> Floats:
    """Return the largest difference; in [0, 1]."""
    largest: Floats = np.abs(a - d).max(axis=1)
    return largest


class Distance(NamedTuple):
    """A distance between distributions of the label, and how its draws become an interval.

    Parameters
    ----------
    formula : the distance, on many draws at a time.
    correction : how many times the excess of the draws the low end is lowered by, for many
        categories. The excess of KL and JS, almost sums of squares, is the same whatever the
        distance; that of the others is larger the smaller the distance is. The numbers keep the
        coverage that is measured by `benchmarks/coverage`.
    pinsker : the multiple of TVD^2 that no such divergence is below. Where a group lacks a
        category, a divergence says little of how near the distributions may be, so the low end
        of its interval is taken from that of TVD.
    """

    formula: Formula
    correction: float
    pinsker: float | None = None


DISTANCES: dict[str, Distance] = {
    "kullback-leibler": Distance(kullback_leibler, 1.5, pinsker=2.0),
    "jensen-shannon": Distance(jensen_shannon, 1.5, pinsker=0.5),
    "norm": Distance(norm, 3.0),
    "total-variation": Distance(total_variation, 3.0),
    "largest-difference": Distance(largest_difference, 3.0),
}
"""By the name that a metric's record has for it."""

TVD = find("TVD")


def draws_of(table: Table) -> Draws:
    """Prepare the draws of both groups' labels."""
    names, sides = categories(table), (table.favored, table.disfavored)
    counts = [[n_eff(g, g.labels.get(name, 0)) for name in names] for g in sides]
    together = tuple(distance.formula for distance in DISTANCES.values())
    return Draws([[n + PRIOR / len(group) for n in group] for group in counts], together)


def interval(
    draws: Draws,
    table: Table,
    metric: Metric,
    confidence: float,
    value: float,
    **parameters: Any,
) -> tuple[float, float]:
    """Return the ends of a metric's interval from draws of the shares behind the counts."""
    distance = DISTANCES[str(metric.distance)]
    chosen = {k: v for k, v in parameters.items() if v != metric.parameters[k].default}
    drawn = quantiles(draws.of(distance.formula, **chosen), confidence)
    if may_be_equal(table, confidence):
        low = 0.0
    elif distance.pinsker is not None and _is_missing_a_category(table):
        of_tvd = DISTANCES[str(TVD.distance)]
        gaps = quantiles(draws.of(of_tvd.formula), confidence)
        low = distance.pinsker * _corrected(of_tvd, gaps, float(TVD.compute(table))) ** 2
    else:
        low = _corrected(distance, drawn, value)
    return _rounded(low), _rounded(drawn.high)


def _corrected(distance: Distance, drawn: Quantiles, value: float) -> float:
    """Lower the low end of a distance between distributions over many categories.

    It is larger in samples than in the population, and larger still in draws around a sample:
    by how much, the middle of the draws shows.
    """
    return max(0.0, drawn.low - distance.correction * max(0.0, drawn.median - value))


def _is_missing_a_category(table: Table) -> bool:
    groups = (table.favored, table.disfavored)
    return not all(g.labels.get(name) for g in groups for name in categories(table))


def _rounded(number: float) -> float:
    """Round to six significant digits.

    >>> _rounded(0.12345678)
    0.123457
    """
    return float(f"{number:.{DIGITS}g}")
