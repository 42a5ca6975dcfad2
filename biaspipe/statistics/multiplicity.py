"""Critical values of intervals that hold for many comparisons together, and what shares errors.

Each takes the place of the normal quantile z, so that any interval is made at it.
SciPy has both distributions and takes a second to import; these integrals need a few lines. The
trapezoid rule, in steps that are fine beside the steepest part of the integrand, is exact to the
digits that critical values are rounded to, so that they are the same on every machine.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import erf, exp, floor, fsum, log, pi, sqrt
from typing import NamedTuple

from biaspipe.statistics.proportions import quantile

__all__ = [
    "PROCEDURES",
    "Procedure",
    "bonferroni",
    "correlation_with_reference",
    "dunnett",
    "false_coverage",
    "holm",
    "pointwise",
    "tukey",
]

DIGITS = 6
STEPS, TOLERANCE, LEAST = 100, 1e-9, 1e-17
"""In how many steps a critical value is found and how near, and the least error that is told."""
STEP, REACH = 0.1, 9.0
"""How far the points of an integral are apart, and how far from 0 the last ones are."""
STEEP, FINE_STEP = 0.9, 0.025
"""The correlation above which integrands fall off within a few steps, and the step there."""
MOST_ALIKE = 0.99
"""The greatest correlation that is counted on; a smaller one makes intervals wider."""
SUREST = 1 - 1e-12
"""The greatest confidence of a single interval."""


class Procedure(NamedTuple):
    """How intervals of several comparisons are made to hold together.

    Parameters
    ----------
    id, name : its key, and what it is called in print.
    words : what it does.
    source : who published it, and where.
    """

    id: str
    name: str
    words: str
    source: str


PROCEDURES: dict[str, Procedure] = {
    procedure.id: procedure
    for procedure in (
        Procedure(
            "tukey",
            "Tukey's critical value",
            "All pairs of the groups of a facet are one family, whichever of them are shown: the "
            "upper point of the studentized range of so many groups, over the square root of two, "
            "takes the place of the normal quantile. It is used where every two groups are "
            "compared, and where the best group was picked among them by the data.",
            "J. W. Tukey, The problem of multiple comparisons (1953); C. Y. Kramer, Extension of "
            "multiple range tests to group means with unequal numbers of replications, Biometrics "
            "12 (1956) 307-310; A. J. Hayter, A proof of the conjecture that the Tukey-Kramer "
            "multiple comparisons procedure is conservative, Annals of Statistics 12 (1984) 61-75",
        ),
        Procedure(
            "dunnett",
            "Dunnett's critical value",
            "The comparisons of several groups with one that was fixed beforehand are one family. "
            "They are alike by as much of their standard errors as is the reference's, by the "
            "variances of the shares.",
            "C. W. Dunnett, A multiple comparison procedure for comparing several treatments with "
            "a control, Journal of the American Statistical Association 50 (1955) 1096-1121",
        ),
        Procedure(
            "bonferroni",
            "Bonferroni's critical value",
            "Each comparison of a family has an equal part of the error, however they depend on "
            "each other.",
            "O. J. Dunn, Multiple comparisons among means, Journal of the American Statistical "
            "Association 56 (1961) 52-64",
        ),
        Procedure(
            "false-coverage-rate",
            "the false coverage rate",
            "Each interval has the error times the share of comparisons that fail at it, the "
            "largest such: of those that fail, no more than the error are expected to miss.",
            "Y. Benjamini and D. Yekutieli, False discovery rate-adjusted multiple confidence "
            "intervals for selected parameters, Journal of the American Statistical Association "
            "100 (2005) 71-81",
        ),
    )
}


def pointwise(critical: float) -> float:
    """Return the confidence of one interval at a critical value.

    >>> round(pointwise(1.95996398454), 6)
    0.95
    """
    return min(round(erf(critical / sqrt(2)), 15), SUREST)


def bonferroni(comparisons: int, confidence: float) -> float:
    """Return the critical value of so many intervals of any kind.

    O. J. Dunn, Multiple comparisons among means, Journal of the American Statistical Association
    56 (1961) 52-64.

    >>> round(bonferroni(10, 0.95), 4)
    2.807
    """
    return round(quantile(min(1 - (1 - confidence) / comparisons, SUREST)), DIGITS)


@cache
def tukey(groups: int, confidence: float) -> float:
    """Return the critical value of the comparisons of every two of so many groups.

    It is that of the studentized range with the variance known, over the square root of 2. For
    groups of unequal size it is not less than it has to be: J. W. Tukey, The problem of multiple
    comparisons (1953); C. Y. Kramer, Biometrics 12 (1956) 307-310; A. J. Hayter, Annals of
    Statistics 12 (1984) 61-75.

    >>> tukey(2, 0.95), tukey(10, 0.95)
    (1.959964, 3.163684)
    """
    pairs = groups * (groups - 1) // 2
    return _root(lambda c: _range_within(c * sqrt(2), groups), pairs, confidence)


def _range_within(width: float, groups: int) -> float:
    """Return the probability that standard normal numbers lie no farther apart than a width."""
    points = ((x, _density(x)) for x in _points(REACH + width))
    return STEP * groups * fsum(p * _between(x - width, x) ** (groups - 1) for x, p in points)


@cache
def dunnett(correlations: tuple[float, ...], confidence: float) -> float:
    """Return the critical value of comparisons of several groups with one reference.

    The correlation of two comparisons is the product of theirs: C. W. Dunnett, A multiple
    comparison procedure for comparing several treatments with a control, Journal of the American
    Statistical Association 50 (1955) 1096-1121.

    Parameters
    ----------
    correlations : for each comparison, how much of its standard error is the reference's.
    confidence : that all intervals hold together.

    >>> round(dunnett((0.7, 0.7, 0.7), 0.95), 3), dunnett((0.0, 0.0), 0.95)
    (2.351, 2.236477)
    """
    alike = Counter(correlations)
    return _root(lambda c: _all_within(c, alike), len(correlations), confidence)


def correlation_with_reference(reference: float, other: float) -> float:
    """Return how a comparison goes with its reference: the share of its error, rounded down.

    Parameters
    ----------
    reference, other : the variances of both sides.

    >>> correlation_with_reference(1.0, 1.0), correlation_with_reference(1.0, 0.0)
    (0.7, 0.99)
    """
    share = reference / (reference + other)
    return min(floor(100 * sqrt(share)) / 100, MOST_ALIKE)


def _all_within(critical: float, alike: Counter[float]) -> float:
    """Return the probability that every comparison with a reference is within a critical value."""
    total, step = [], FINE_STEP if max(alike) > STEEP else STEP
    for x in _points(REACH, step):
        product = _density(x)
        for rho, number in alike.items():
            own = sqrt(1 - rho * rho)
            product *= _between((-critical + rho * x) / own, (critical + rho * x) / own) ** number
        total.append(product)
    return step * fsum(total)


def _points(end: float, step: float = STEP) -> list[float]:
    return [step * i - REACH for i in range(round((end + REACH) / step) + 1)]


def _density(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def _between(low: float, high: float) -> float:
    """Return the probability that a standard normal number lies between two others."""
    return max(0.0, (erf(high / sqrt(2)) - erf(low / sqrt(2))) / 2)


def _root(within: Callable[[float], float], comparisons: int, confidence: float) -> float:
    """Return where a probability reaches the confidence: between one interval and Bonferroni's."""
    low, high = quantile(confidence), bonferroni(comparisons, confidence)
    if comparisons == 1:
        return high

    def excess(critical: float) -> float:
        """Return how far an error is below the one that is left, in logarithms: almost a line."""
        return log(1 - confidence) - log(max(1 - within(critical), LEAST))

    below, above, last = excess(low), excess(high), 0.0
    for _ in range(STEPS if above > 0 else 0):
        # The Illinois method: a secant, where an end that stays twice counts for half
        middle = high - above * (high - low) / (above - below)
        found = excess(middle)
        if abs(found) < TOLERANCE or high - low < TOLERANCE:
            return round(middle, DIGITS)
        stays = found * last > 0
        if found < 0:
            low, below, above = middle, found, above / 2 if stays else above
        else:
            high, above, below = middle, found, below / 2 if stays else below
        last = found
    return round(high, DIGITS)


def holm(number: int, error: float, fails_at: Callable[[int, float], bool]) -> tuple[float, ...]:
    """Share an error among families of comparisons: return the part of each.

    All begin with an equal part. A family all of whose comparisons fail at its part needs it no
    longer, and leaves it to the others, in equal parts; those may then fail too, and so on.
    S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979) 65-70, with whole families in the place of hypotheses.

    Parameters
    ----------
    number : of families.
    error : how probable it may be that anything fails that should not.
    fails_at : whether all comparisons of a family, by its place, fail at a part.

    >>> holm(3, 0.06, lambda family, part: family == 1)
    (0.03, 0.02, 0.03)
    """
    parts, left = dict.fromkeys(range(number), error / number), set(range(number))
    while left:
        part = error / len(left)
        parts |= dict.fromkeys(left, part)
        failed = {family for family in left if fails_at(family, part)}
        if not failed:
            break
        left -= failed
    return tuple(parts.values())


def false_coverage(number: int, error: float, failing_at: Callable[[float], int]) -> float:
    """Return the error of each interval at which few of those that fail miss their true values.

    It is the error times the share of comparisons that fail at it, the largest such: Y. Benjamini
    and Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289-300; for intervals Y.
    Benjamini and D. Yekutieli, False discovery rate-adjusted multiple confidence intervals for
    selected parameters, Journal of the American Statistical Association 100 (2005) 71-81.

    Parameters
    ----------
    number : of comparisons.
    error : the share of those that fail that may be expected to fail wrongly.
    failing_at : how many fail at an error of each.

    >>> false_coverage(10, 0.05, lambda error: 2 if error >= 0.01 else 0)
    0.01
    """
    least = number
    while (failing := failing_at(error * least / number)) < least and least > 1:
        least = max(failing, 1)
    return error * least / number
