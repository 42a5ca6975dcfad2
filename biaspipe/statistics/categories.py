"""Intervals of distances between labels of more than two categories.

A distance has no sign, so it is larger in samples than in the population: by its excess. Where
there is no difference, an estimate that varies normally shows `sqrt(2) - 1` of the excess by its
own spread, and elsewhere more; so low ends are lowered by `1 / (sqrt(2) - 1)` times what it shows.
Powers and logarithms may differ in their last digits between machines: ends are rounded.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import erfc, exp, fsum, inf, isinf, lgamma, log, pi, sqrt

from biaspipe.counts import EffectiveShare, Table
from biaspipe.metrics import Metric
from biaspipe.statistics.closed_form import absolute
from biaspipe.statistics.effective_size import (
    categories,
    category_share,
    effective_categories,
)
from biaspipe.statistics.proportions import (
    IntervalEstimate,
    clopper_pearson,
    difference_interval,
    newcombe,
    normal_quantile,
)

__all__ = ["divergence", "greatest_difference", "norm", "total_variation"]

DIGITS = 10
PSEUDO_PEOPLE = 4.0
"""People added to each group for variances, evenly over the categories: Agresti and Coull's."""
EXCESS = 1 + sqrt(2)

Side = tuple[list[float], float]
"""The people of a group by category, and all of them; effective numbers."""


def _sides(table: Table) -> tuple[Side, Side]:
    names = categories(table)
    a, d = (effective_categories(group, names) for group in (table.favored, table.disfavored))
    return (a, fsum(a)), (d, fsum(d))


def _of_each(table: Table) -> list[tuple[EffectiveShare, EffectiveShare]]:
    """Return the share of each category in both groups, by its own effective number of people."""
    sides = []
    for group in (table.favored, table.disfavored):
        names, every = categories(table), float(sum(group.labels.values()))
        sides.append(
            [EffectiveShare(float(group.labels.get(name, 0)), every) for name in names]
            if group.effective is None
            else [category_share(group, name) for name in names]
        )
    return list(zip(*sides, strict=True))


def _shares(side: Side) -> list[float]:
    people, n = side
    return [part / n for part in people]


def _smooth_shares(side: Side) -> list[float]:
    """Return shares of which none is 0, of which variances are made."""
    people, n = side
    return [(part + PSEUDO_PEOPLE / len(people)) / (n + PSEUDO_PEOPLE) for part in people]


def greatest_difference(table: Table, _metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of the largest difference of a category's shares; in [0, 1].

    It is no larger than the largest of the categories' own high ends, and no smaller than any
    difference: its low end is the largest of limits that hold all differences together.
    """
    own = [absolute(newcombe(*a, *d, z)) for a, d in _of_each(table)]
    return IntervalEstimate(
        max(absolute(gap).low for gap in _joint_differences(table, z)),
        max(gap.estimate for gap in own),
        max(gap.high for gap in own),
    )


def total_variation(table: Table, _metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of half the sum of the differences without their signs; in [0, 1].

    It is the difference of the groups' shares of those categories of which one group has more:
    of all divisions of the categories in two, that with the largest difference.
    """
    a, d = _sides(table)
    gaps = [i - j for i, j in zip(_shares(a), _shares(d), strict=True)]
    order = sorted(range(len(gaps)), key=lambda i: -gaps[i])
    parts = zip(*(accumulate([side[0][i] for i in order[:-1]]) for side in (a, d)), strict=True)
    divisions = [newcombe(min(i, a[1]), a[1], min(j, d[1]), d[1], z) for i, j in parts]
    best = max(divisions, key=lambda limits: limits.estimate)
    excess = _excess(gaps, _variances(a, d), 1.0) / 2
    low = 0.0 if _may_be_equal(table, z) else max(0.0, best.low - EXCESS * excess)
    return _rounded(low, best.estimate, max(limits.high for limits in divisions), 1.0)


def norm(table: Table, metric: Metric, z: float, p: float = 2.0) -> IntervalEstimate:
    """Return the limits of the Lp-norm of the differences; in [0, 2^(1/p)].

    The standard error is the larger one of two: along the differences as they are, and along
    these made larger by their own spread, as all differences of 0 have no direction. The norm is
    the largest difference at least, as which it behaves where p is large.
    """
    if p == 1:
        return absolute(total_variation(table, metric, z), 2.0)
    a, d = _sides(table)
    gaps = [i - j for i, j in zip(_shares(a), _shares(d), strict=True)]
    variances = _variances(a, d)
    wide = [sqrt(g * g + _spread(p) ** 2 * v) for g, v in zip(gaps, variances, strict=True)]
    error = max(
        _standard_error(_slopes(gaps, sizes, p), (a, d)) for sizes in (wide, list(map(abs, gaps)))
    )
    estimate = _length(gaps, p)
    reach = z * error
    low = estimate - EXCESS * _excess(gaps, variances, p) - reach
    least = max(0.0 if _may_be_equal(table, z) else low, greatest_difference(table, metric, z).low)
    return _rounded(least, estimate, estimate + reach, metric.range_of(p=p)[1])


def _length(vector: Sequence[float], p: float) -> float:
    """Return the Lp-norm of a vector."""
    largest = max(map(abs, vector))
    if not largest:
        return 0.0
    return float(largest * fsum((abs(x) / largest) ** p for x in vector) ** (1 / p))


@cache
def _spread(p: float) -> float:
    """Return the p-th root of the mean p-th power of a standard normal variable's size.

    >>> round(_spread(2.0), 12), round(_spread(1.0) ** 2, 12) == round(2 / pi, 12)
    (1.0, True)
    """
    return exp((p / 2 * log(2) + lgamma((p + 1) / 2) - log(pi) / 2) / p)


def _excess(gaps: Sequence[float], variances: Sequence[float], p: float) -> float:
    """Return by how much the spread of differences makes their norm larger."""
    square = _spread(p) ** 2
    wide = [sqrt(g * g + square * v) for g, v in zip(gaps, variances, strict=True)]
    return _length(wide, p) - _length(gaps, p)


def _slopes(gaps: Sequence[float], sizes: Sequence[float], p: float) -> list[tuple[float, float]]:
    """Return how fast the norm of some sizes grows with each, and the same with the gap's sign."""
    length = _length(sizes, p)
    if not length:
        return [(0.0, 0.0) for _ in sizes]
    slopes = [(size / length) ** (p - 1) for size in sizes]
    return [
        (slope, slope * gap / size if size else 0.0)
        for slope, gap, size in zip(slopes, gaps, sizes, strict=True)
    ]


def _standard_error(slopes: Sequence[tuple[float, float]], sides: tuple[Side, Side]) -> float:
    """Return the standard error of a sum of shares' differences, each times its slope."""
    variance = 0.0
    for side in sides:
        shares = _smooth_shares(side)
        square = fsum(slope * slope * p for (slope, _), p in zip(slopes, shares, strict=True))
        mean = fsum(signed * p for (_, signed), p in zip(slopes, shares, strict=True))
        variance += (square - mean * mean) / side[1]
    return sqrt(max(0.0, variance))


def _variances(a: Side, d: Side) -> list[float]:
    """Return the variance of each category's difference."""
    of_each = ([p * (1 - p) / side[1] for p in _smooth_shares(side)] for side in (a, d))
    return [i + j for i, j in zip(*of_each, strict=True)]


def divergence(table: Table, metric: Metric, z: float) -> IntervalEstimate:
    """Return the limits of KL or JS; not negative.

    The root of such a divergence is almost a norm of differences, and treated as one. Where the
    disfavored group lacks a category that the favored one has, KL is infinite and says little of
    how near the distributions may be: it is 2 TVD^2 at least (Pinsker's inequality).
    """
    a, d = _sides(table)
    shares = _shares(a), _shares(d)
    is_symmetric = metric.distance == "jensen-shannon"
    estimate = (_jensen_shannon if is_symmetric else _kullback_leibler)(*shares)
    equal = _may_be_equal(table, z)
    if isinf(estimate):
        least = 2 * total_variation(table, metric, z).low ** 2
        return _rounded(0.0 if equal else least, inf, inf, inf)
    variance, bias = (_moments_of_js if is_symmetric else _moments_of_kl)(a, d)
    root, wide = sqrt(estimate), sqrt(estimate + bias)
    # Where the distributions are equal, the root varies as each of the differences does.
    at_parity = (1 / a[1] + 1 / d[1]) / (8 if is_symmetric else 2)
    reach = z * max(sqrt(variance) / (2 * wide), sqrt(at_parity))
    low = max(0.0, root - EXCESS * (wide - root) - reach) ** 2
    return _rounded(0.0 if equal else low, estimate, (root + reach) ** 2, metric.range[1])


def _kullback_leibler(a: Sequence[float], d: Sequence[float]) -> float:
    if any(i and not j for i, j in zip(a, d, strict=True)):
        return inf
    return max(0.0, fsum(i * log(i / j) for i, j in zip(a, d, strict=True) if i))


def _jensen_shannon(a: Sequence[float], d: Sequence[float]) -> float:
    middle = [(i + j) / 2 for i, j in zip(a, d, strict=True)]
    return (_kullback_leibler(a, middle) + _kullback_leibler(d, middle)) / 2


def _moments_of_kl(a: Side, d: Side) -> tuple[float, float]:
    """Return the variance of KL, and half its curvature times the variances of the shares."""
    pairs = list(zip(_smooth_shares(a), _smooth_shares(d), strict=True))
    slopes = [(log(i / j), i / j) for i, j in pairs]
    curved = fsum((1 - i) / a[1] + i / j * (1 - j) / d[1] for i, j in pairs)
    return _variance_of(slopes, a, d), curved / 2


def _moments_of_js(a: Side, d: Side) -> tuple[float, float]:
    """Return the same of JS."""
    pairs = list(zip(_smooth_shares(a), _smooth_shares(d), strict=True))
    slopes = [(log(2 * i / (i + j)) / 2, log(2 * j / (i + j)) / 2) for i, j in pairs]
    curved = fsum(j / (i + j) * (1 - i) / a[1] + i / (i + j) * (1 - j) / d[1] for i, j in pairs)
    return _variance_of(slopes, a, d), curved / 4


def _variance_of(slopes: Sequence[tuple[float, float]], a: Side, d: Side) -> float:
    """Return the variance of a function of shares, from its slopes in both groups."""
    total = 0.0
    for side, along in zip((a, d), zip(*slopes, strict=True), strict=True):
        weighed = list(zip(_smooth_shares(side), along, strict=True))
        mean = fsum(p * slope for p, slope in weighed)
        total += fsum(p * (slope - mean) ** 2 for p, slope in weighed) / side[1]
    return total


def _joint_differences(table: Table, z: float) -> list[IntervalEstimate]:
    """Return limits that hold the differences of all categories together, by Bonferroni.

    So far from their estimates, Wilson's limits of small shares are too near them.
    """
    return _joint_limits(tuple(_of_each(table)), z)


@lru_cache(maxsize=4)
def _joint_limits(
    shares: Sequence[tuple[EffectiveShare, EffectiveShare]], z: float
) -> list[IntervalEstimate]:
    """Return the same from the shares; all distances of a label ask for them."""
    z_of_each = _quantile_of_each(z, len(shares))
    return [
        difference_interval(clopper_pearson(*a, z_of_each), clopper_pearson(*d, z_of_each))
        for a, d in shares
    ]


@cache
def _quantile_of_each(z: float, number: int) -> float:
    """Return the normal quantile at which so many intervals hold together as surely as one at z.

    >>> round(_quantile_of_each(1.959963984540, 10), 6)
    2.807034
    """
    return -normal_quantile(erfc(z / sqrt(2)) / (2 * number))


def _may_be_equal(table: Table, z: float) -> bool:
    """Whether equal distributions are not excluded, by any category."""
    return all(gap.low <= 0 <= gap.high for gap in _joint_differences(table, z))


def _rounded(low: float, estimate: float, high: float, most: float) -> IntervalEstimate:
    """Cut what may differ in the last digits between two machines' powers and logarithms.

    No end is beyond the most that the metric can be.
    """
    low, high = (min(most, float(f"{end:.{DIGITS}g}")) for end in (low, high))
    return IntervalEstimate(low, estimate, high)
