"""The distances between distributions of the label, each on many draws at a time.

Arrays have one row for each draw and one column for each cell; the columns of a row add up to 1.
"""

from collections.abc import Callable
from math import log

import numpy as np

from biaspipe.statistics.draws import Floats

__all__ = [
    "DISTRIBUTION",
    "jensen_shannon",
    "kullback_leibler",
    "largest_gap",
    "norm",
    "total_variation",
]


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


def largest_gap(a: Floats, d: Floats) -> Floats:
    """Return the largest difference; in [0, 1]."""
    largest: Floats = np.abs(a - d).max(axis=1)
    return largest


DISTRIBUTION: dict[str, Callable[..., Floats]] = {
    "KL": kullback_leibler,
    "JS": jensen_shannon,
    "LP": norm,
    "TVD": total_variation,
    "KS": largest_gap,
}
