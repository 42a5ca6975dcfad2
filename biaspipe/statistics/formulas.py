"""The formulas of the metrics, each on many draws at a time.

Arrays have one row for each draw and one column for each cell; the columns of a row add up to 1.
"""

from collections.abc import Callable
from math import log

import numpy as np

from biaspipe.statistics.draws import Floats

__all__ = [
    "DISTRIBUTION",
    "entropy",
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


def entropy(benefits: Floats, alpha: float = 2.0) -> Floats:
    """Return the generalized entropy; the columns are the shares with benefit 0, 1 and 2.

    It is undefined for alpha <= 0 where anybody has no benefit, so there it is that of the others.
    """
    levels = np.array([0.0, 1.0, 2.0])
    if alpha <= 0:
        levels, benefits = levels[1:], benefits[:, 1:] / benefits[:, 1:].sum(axis=1, keepdims=True)
    relative = levels / (benefits @ levels)[:, None]
    if alpha == 0:
        terms = -np.log(relative)
    elif alpha == 1:
        terms = relative * np.log(np.where(relative > 0, relative, 1.0))
    else:
        terms = (relative**alpha - 1) / (alpha * (alpha - 1))
    total: Floats = np.where(benefits > 0, benefits * terms, 0.0).sum(axis=1)
    return np.maximum(total, 0.0)
