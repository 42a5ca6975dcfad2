"""Two-sided tests of parity on the count table, and corrections for a family of them.

Probabilities are rounded to 12 significant digits, so that they are the same on every machine.
"""

from collections.abc import Callable, Iterator, Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt
from typing import NamedTuple

from biaspipe.counts import Table
from biaspipe.metrics import Metric
from biaspipe.statistics.effective_size import categories, effective_categories, effective_share

__all__ = [
    "CORRECTIONS",
    "ParityTest",
    "adjust_p_values",
    "chi_square_tail",
    "fisher",
    "parity_test",
]

FEWEST_EXPECTED = 5
TIE = 1e-7
NEGLIGIBLE = 1e-17

Rows = Sequence[tuple[float, float]]
"""For each outcome, its people in the favored and in the disfavored group."""


class ParityTest(NamedTuple):
    """A two-sided test of the hypothesis that two groups do not differ.

    Parameters
    ----------
    p_value : the probability, at parity, of a table at least as uneven as the one found.
    method : `fisher` or `score`.
    """

    p_value: float
    method: str


def parity_test(metric: Metric, table: Table) -> ParityTest | None:
    """Test whether two groups have the same share, or the same distribution of labels.

    Parameters
    ----------
    metric : one that compares a share or the label's distribution.
    table : the counts; under sampling weights their effective numbers are tested.

    Returns
    -------
    ParityTest or None
        None where the metric compares something else, where a denominator is 0, and where a
        label of more than two categories has too few people for the approximation.
    """
    sides = (table.favored, table.disfavored)
    if metric.rate is not None and metric.rate.is_share:
        shares = (effective_share(metric.rate, group) for group in sides)
        a, d = ([part, whole - part] for part, whole in shares)
    elif metric.distance is not None:
        a, d = (effective_categories(group, categories(table)) for group in sides)
    else:
        return None
    if not (sum(a) and sum(d)):
        return None
    whole_people = all(group.effective is None for group in sides)
    return _test(list(zip(a, d, strict=True)), whole_people=whole_people)


def _test(rows: Rows, *, whole_people: bool) -> ParityTest | None:
    """Choose the test by the least number of people expected in a cell."""
    people = [fsum(side) for side in zip(*rows, strict=True)]
    least = min(sum(row) for row in rows) * min(people) / fsum(people)
    if len(rows) == 2 and whole_people and least < FEWEST_EXPECTED:
        (a, d), (b, c) = rows
        return ParityTest(_rounded(fisher(int(a), int(b), int(d), int(c))), "fisher")
    if len(rows) > 2 and least < FEWEST_EXPECTED:
        return None
    tail = chi_square_tail(_chi_square(rows, people), len(rows) - 1) if least else 1.0
    return ParityTest(_rounded(tail), "score")


def _rounded(probability: float) -> float:
    return min(1.0, float(f"{probability:.12g}"))


def _chi_square(rows: Rows, people: Sequence[float]) -> float:
    """Return Pearson's statistic, without continuity correction."""
    everyone = fsum(people)
    terms = (
        (found - sum(row) * side / everyone) ** 2 / (sum(row) * side / everyone)
        for row in rows
        for found, side in zip(row, people, strict=True)
    )
    return fsum(terms)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is above a number.

    >>> round(chi_square_tail(3.841458820694124, 1), 12), round(chi_square_tail(6.0, 2), 6)
    (0.05, 0.049787)
    """
    half = statistic / 2
    if not half:
        return 1.0
    first = 0.5 * (degrees % 2)
    steps = (first + i for i in range(degrees // 2))
    tail = fsum(exp(step * log(half) - half - lgamma(step + 1)) for step in steps)
    return tail + (erfc(sqrt(half)) if degrees % 2 else 0.0)


def fisher(a: int, b: int, c: int, d: int) -> float:
    """Return the two-sided probability of Fisher's exact test for the rows `a b` and `c d`.

    Tables that are at most as probable as the one found are added up; their probabilities come
    from products of whole numbers, outwards from the likeliest table until they are negligible.

    >>> round(fisher(3, 1, 1, 3), 4)
    0.4857
    """
    row, column, rest = a + b, a + c, d - a
    mode = (row + 1) * (column + 1) // (a + b + c + d + 2)

    def up(k: int) -> float:
        return (row - k) * (column - k) / ((k + 1) * (rest + k + 1))

    def weights(downwards: bool) -> Iterator[tuple[int, float]]:
        k, weight = mode, 1.0
        while weight > 0:
            yield k, weight
            step = (k * (rest + k)) / ((row - k + 1) * (column - k + 1)) if downwards else up(k)
            k, weight = (k - 1 if downwards else k + 1), weight * step

    found = next((weight for k, weight in weights(a < mode) if k == a), 0.0)
    total = extreme = 0.0
    for downwards in (True, False):
        for k, weight in weights(downwards):
            if weight < found * NEGLIGIBLE:
                break
            if not (downwards and k == mode):
                total += weight
                extreme += weight if weight <= found * (1 + TIE) else 0.0
    return extreme / total if found else 0.0


def _holm(p_values: Sequence[float]) -> list[float]:
    """Multiply the smallest by their number, the next by one less, and never go down."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    found, least = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p_values[i]))
        found[i] = least
    return found


def _benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Multiply the greatest by 1, the next by n/(n - 1), and never go up."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i], reverse=True)
    found, most = [0.0] * len(p_values), 1.0
    for rank, i in enumerate(order):
        most = min(most, p_values[i] * len(order) / (len(order) - rank))
        found[i] = most
    return found


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "none": list,
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}


def adjust_p_values(p_values: Sequence[float], correction: str) -> tuple[float, ...]:
    """Adjust the p-values of a family for their number, in the same order.

    Raises
    ------
    LookupError
        If there is no such correction.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03], "holm")
    (0.03, 0.06, 0.06)
    >>> adjust_p_values([0.01, 0.04], "benjamini-hochberg")
    (0.02, 0.04)
    """
    if correction not in CORRECTIONS:
        names = ", ".join(CORRECTIONS)
        raise LookupError(f"there is no correction {correction!r}; the corrections are {names}")
    return tuple(CORRECTIONS[correction](p_values))
