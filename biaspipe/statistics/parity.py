"""Two-sided tests of parity on counts, and corrections for a family of them.

A test is exact where counts are few, and far in the tail, where an approximation is off by orders
of magnitude that a correction for many tests would take at their word.
Probabilities are rounded to 10 significant digits, so that they are the same on every machine.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import erfc, exp, fsum, lgamma, log, sqrt
from typing import NamedTuple

from biaspipe.counts import Flips, Group, Headcount, Stratum, Table, WeightedTotal, share_of
from biaspipe.metrics import Metric, Needs, Rate
from biaspipe.metrics.record import ParityTestName
from biaspipe.statistics.effective_size import categories, effective_categories
from biaspipe.statistics.exact_tests import MOST_SPREAD, binomial, conditional, fisher, spread

__all__ = [
    "CORRECTIONS",
    "TESTS",
    "MetricTest",
    "ParityTest",
    "adjust_p_values",
    "chi_square_tail",
    "parity_test",
    "parity_test_of",
]

FEWEST_EXPECTED = 5
FAR_TAIL = 0.001
"""Below it an approximate probability is not reported where an exact one can be had."""

Rows = Sequence[tuple[float, float]]
"""For each outcome, its people in the favored and in the disfavored group."""
Compared = Table | Group | Flips

TESTS: dict[ParityTestName, str] = {
    "fisher": "Fisher's exact test",
    "score": "the score test",
    "fisher-bonferroni": "Fisher's exact test of each category, corrected for their number",
    "mcnemar": "McNemar's exact test",
    "jackknife": "McNemar's test, with the jackknife's variance of shared neighbours",
    "cmh": "the Cochran-Mantel-Haenszel test",
    "cmh-exact": "the exact conditional test of all strata",
    "two-rates": "the tests of both rates, joined by Sidak's bound",
}
"""The name of each test by its id."""


class ParityTest(NamedTuple):
    """A two-sided test of the hypothesis that two groups do not differ.

    Parameters
    ----------
    p_value : the probability, at parity, of counts at least as uneven as those found.
    method : a key of `TESTS`.
    """

    p_value: float
    method: ParityTestName


def parity_test(metric: Metric, counts: Compared, *, exact: bool = False) -> ParityTest | None:
    """Test whether two groups are alike in what a metric compares.

    Parameters
    ----------
    metric : the metric.
    counts : what it is computed from; under sampling weights effective numbers are tested.
    exact : whether a share is tested by Fisher's exact test however many people there are, as far
        as that can be computed.

    Returns
    -------
    ParityTest or None
        None where no test is known whose size holds, and where there is nobody to compare.
    """
    found = _exact_of_rate(metric, counts) if exact else None
    found = found or parity_test_of(metric).run(metric, counts)
    return found and found._replace(p_value=_rounded(found.p_value))


class MetricTest(NamedTuple):
    """How a metric is tested, or why it is not.

    Parameters
    ----------
    words : what is tested by which test.
    run : the test.
    """

    words: str
    run: Callable[[Metric, Compared], ParityTest | None]


def parity_test_of(metric: Metric) -> MetricTest:
    """Return the test of a metric.

    >>> from biaspipe.metrics import METRICS
    >>> parity_test_of(METRICS["CI"]).words
    'none: how large groups are is no hypothesis about how they are treated'
    """
    if metric.rate is not None:
        return _RATIO_OF_PARTS if metric.rate.both else _RATE
    if metric.distance is not None:
        return _LABELS
    if Needs.STRATA in metric.needs:
        return _STRATA
    if Needs.FEATURES in metric.needs:
        return _FLIPS
    if metric.rates:
        return _RATES if metric.ideal in metric.range else _AVERAGE
    return _SIZES if metric.has_facet else _ALONE


def _rounded(probability: float) -> float:
    return min(1.0, float(f"{probability:.10g}"))


def _of_rate(metric: Metric, table: Compared) -> ParityTest | None:
    """Test one share of both groups, or the shares of two parts that exclude each other."""
    return _of_one(metric.rate, table) if metric.rate and isinstance(table, Table) else None


def _exact_of_rate(metric: Metric, table: Compared) -> ParityTest | None:
    """Test one share of both groups exactly; None where that takes too long, and of a sample."""
    if not (metric.rate and metric.rate.is_share and isinstance(table, Table)):
        return None
    a, d = _parts_of_one(metric.rate, table)
    if not (sum(a) and sum(d) and _is_whole(table)):
        return None
    return _exact(list(zip(a, d, strict=True)))


def _of_one(rate: Rate, table: Table) -> ParityTest | None:
    return _of_parts(table, *_parts_of_one(rate, table))


def _parts_of_one(rate: Rate, table: Table) -> list[list[float]]:
    """Count the people of each group who are the rate's part, and those who are not."""
    counted = []
    for group in (table.favored, table.disfavored):
        rest = partial(_rest, rate) if rate.is_share else rate.whole
        part, whole = share_of(WeightedTotal.of(group, rate.part), WeightedTotal.of(group, rest))
        counted.append([part, whole - part])
    return counted


def _rest(rate: Rate, group: Group) -> Headcount:
    return rate.whole(group) - rate.part(group)


def _of_labels(_: Metric, table: Compared) -> ParityTest | None:
    """Test the distribution of the label."""
    if not isinstance(table, Table):
        return None
    names = categories(table)
    sides = (table.favored, table.disfavored)
    return _of_parts(table, *(effective_categories(group, names) for group in sides))


def _of_parts(table: Table, a: Sequence[float], d: Sequence[float]) -> ParityTest | None:
    if not (sum(a) and sum(d)):
        return None
    return _test(list(zip(a, d, strict=True)), whole_people=_is_whole(table))


def _is_whole(table: Table) -> bool:
    """Whether people are whole, as exact tests count them: not those of a weighted sample."""
    return all(group.effective is None for group in (table.favored, table.disfavored))


def _test(rows: Rows, *, whole_people: bool) -> ParityTest | None:
    """Choose the test by the least number of people expected in a cell, and by how far it is."""
    people = [fsum(side) for side in zip(*rows, strict=True)]
    least = min(sum(row) for row in rows) * min(people) / fsum(people)
    tail = chi_square_tail(_chi_square(rows, people), len(rows) - 1) if least else 1.0
    if whole_people and (least < FEWEST_EXPECTED or tail < FAR_TAIL):
        return _exact(rows) or ParityTest(tail, "score")
    if len(rows) > 2 and least < FEWEST_EXPECTED:
        return None
    return ParityTest(tail, "score")


def _exact(rows: Rows) -> ParityTest | None:
    """Return Fisher's test of each category against the others; None where it takes too long.

    Its sums are of whole numbers: those of floats may leave out a few people beside many.
    """
    cells = [(int(one), int(other)) for one, other in rows]
    a, d = (sum(side) for side in zip(*cells, strict=True))
    if any(spread(a, sum(row), a + d) > MOST_SPREAD for row in cells):
        return None
    tested = cells[:1] if len(cells) == 2 else cells
    p_values = [fisher(one, a - one, other, d - other) for one, other in tested]
    if len(rows) == 2:
        return ParityTest(p_values[0], "fisher")
    return ParityTest(min(1.0, len(rows) * min(p_values)), "fisher-bonferroni")


def _chi_square(rows: Rows, people: Sequence[float]) -> float:
    """Return Pearson's statistic, without continuity correction."""
    everyone = fsum(people)
    terms = (
        (found - sum(row) * side / everyone) ** 2 / (sum(row) * side / everyone)
        for row in rows
        for found, side in zip(row, people, strict=True)
    )
    return fsum(terms)


def _of_rates(metric: Metric, table: Compared) -> ParityTest | None:
    """Test whether each of several rates of different people is alike, by the least p-value.

    Tests of different people are independent, so that Sidak's bound is the probability that one
    of them, at parity, has as small a p-value.
    """
    if not isinstance(table, Table):
        return None
    found = [_of_one(rate, table) for rate in metric.rates]
    least = min((test.p_value for test in found if test), default=None)
    if least is None or None in found:
        return None
    at_least_one = fsum((least, least, -least * least)) if len(found) == 2 else None
    return ParityTest(at_least_one, "two-rates") if at_least_one is not None else None


class _StratumCounts(NamedTuple):
    """A stratum by its margins and its first cell: those of the favored group accepted."""

    found: float
    favored: float
    accepted: float
    people: float


def _of_strata(metric: Metric, table: Compared) -> ParityTest | None:
    """Test whether the groups are alike within every stratum, by Cochran, Mantel and Haenszel.

    Mantel and Fleiss's rule says where the approximation holds: five people at least may be
    missing, and five more than expected may be there.
    """
    if not isinstance(table, Table):
        return None
    predicted = Needs.PREDICTED in metric.needs
    parts = table.strata_by_part(predicted=predicted).comparable
    strata = [_counts(stratum, predicted=predicted) for stratum in parts]
    expected = fsum(s.favored * s.accepted / s.people for s in strata)
    found = fsum(s.found for s in strata)
    variance = fsum(spread(s.favored, s.accepted, s.people) ** 2 for s in strata)
    if not variance:
        return None
    tail = chi_square_tail((found - expected) ** 2 / variance, 1)
    least = fsum(max(0.0, s.favored + s.accepted - s.people) for s in strata)
    most = fsum(min(s.favored, s.accepted) for s in strata)
    is_near = min(expected - least, most - expected) >= FEWEST_EXPECTED
    if _is_whole(table) and (not is_near or tail < FAR_TAIL):
        margins = [(int(s.favored), int(s.accepted), int(s.people)) for s in strata]
        if (exact := conditional(int(found), margins)) is not None:
            return ParityTest(exact, "cmh-exact")
    return ParityTest(tail, "cmh")


def _counts(stratum: Stratum, *, predicted: bool) -> _StratumCounts:
    (accepted, a), (d_accepted, d) = (
        share_of(*(WeightedTotal.of(group, part) for part in _outcomes(predicted=predicted)))
        for group in stratum.sides
    )
    return _StratumCounts(accepted, a, accepted + d_accepted, a + d)


def _outcomes(*, predicted: bool) -> Iterator[Callable[[Group], Headcount]]:
    """Yield the people with the favorable and with the unfavorable outcome, of a group."""
    yield lambda group: group.outcomes(predicted=predicted)[1]
    yield lambda group: group.outcomes(predicted=predicted)[0]


def _of_flips(_: Metric, flips: Compared) -> ParityTest | None:
    """Test whether flips go either way alike often.

    Where members share no neighbours that decide, their flips are independent, and McNemar's exact
    test holds. Else its variance, at parity the number of flips, and what members owe to shared
    neighbours are added up, as in the interval; the p-value is never less than McNemar's.
    None where nothing is known of shared neighbours.
    """
    if not isinstance(flips, Flips) or not flips.n_d or flips.n_a < flips.k:
        return None
    if flips.shared is None:
        return None
    people, gap = flips.F_plus + flips.F_minus, flips.F_plus - flips.F_minus
    variance = people + flips.shared
    tail = chi_square_tail(gap * gap / variance, 1) if variance else 1.0
    if people > (2 * MOST_SPREAD) ** 2:
        return ParityTest(tail, "jackknife" if flips.shared else "score")
    exact = binomial(flips.F_plus, people)
    if not flips.shared:
        return ParityTest(exact, "mcnemar")
    return ParityTest(max(exact, tail), "jackknife")


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is above a number.

    By hand, since SciPy takes a second to import, and a whole number of degrees needs no series.

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


def _none(_: Metric, __: Compared) -> None:
    return None


_EXACT = f"where fewer than {FEWEST_EXPECTED} people are expected in a cell, or p < {FAR_TAIL:g}"
_RATE = MetricTest(f"two shares, by the score test; by Fisher's exact test {_EXACT}", _of_rate)
_LABELS = MetricTest(
    f"the shares of all categories, by Pearson's test; {_EXACT}, by Fisher's exact test of each "
    "category, corrected for their number",
    _of_labels,
)
_STRATA = MetricTest(
    "that groups are alike within every stratum, by the Cochran-Mantel-Haenszel test without "
    "correction for continuity; by the exact conditional test where people are few, or "
    f"p < {FAR_TAIL:g}",
    _of_strata,
)
_FLIPS = MetricTest(
    "F+ against F-, by McNemar's test with the jackknife's variance of shared neighbours; by his "
    "exact test where no neighbours are shared; none of a sample",
    _of_flips,
)
_RATES = MetricTest("both rates, by the smaller p-value p of their tests: p(2 - p)", _of_rates)
_AVERAGE = MetricTest(
    "none: it is 0 too where two differences cancel out; RD and FPRD have tests", _none
)
_RATIO_OF_PARTS = MetricTest(
    "none: no test of two ratios of overlapping parts is known to hold its size far in the tail",
    _none,
)
_SIZES = MetricTest("none: how large groups are is no hypothesis about how they are treated", _none)
_ALONE = MetricTest("none: it compares no groups", _none)
