"""A slow, row-wise reference for every metric, against which the real arithmetic is tested.

The package computes its metrics from a small table of counts. This module answers the same
questions a second time in another way: it walks over the rows one by one, keeps every ratio
exact as a fraction and turns it into a float only at the very end. It knows nothing of the
package, so a mistake in one is unlikely to be repeated in the other. Clarity comes before speed.

``answer`` is the only entry point; ``METRICS`` lists every id that it knows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

Feature = float | str | bool | None


class Row(NamedTuple):
    """One row of the data, which may stand for several people."""

    group: str | None
    label: str | None
    prediction: bool | None
    stratum: str | None = None
    weight: int = 1
    features: tuple[Feature, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a metric comes to: a number, an infinity with its sign, or nothing."""

    kind: Literal["ok", "infinite", "undefined"]
    value: float | None
    sign: int | None


class UndefinedError(Exception):
    """Raised where a metric has no value."""


class Case(NamedTuple):
    """A row that takes part, with nothing missing but perhaps its stratum and features."""

    disfavored: bool
    label: str
    actual: bool
    predicted: bool
    stratum: str | None
    weight: int
    features: tuple[Feature, ...]


class Comparison(NamedTuple):
    """The two sides of a comparison and the parameters that its metrics take."""

    a: list[Case]
    d: list[Case]
    numeric: list[bool]
    p: float
    k: int


Test = Callable[[Case], bool]
Number = float | Fraction
Scales = Sequence[Fraction | None]


def case_of(row: Row, disfavored: bool, positive: Collection[str]) -> Case | None:
    """Return the row as a case, or None where its label, prediction or weight is missing."""
    if row.label is None or row.prediction is None or row.weight == 0:
        return None
    actual = row.label in positive
    features = tuple(present(value) for value in row.features)
    return Case(disfavored, row.label, actual, row.prediction, row.stratum, row.weight, features)


def side(
    rows: Sequence[Row], groups: Collection[str], disfavored: bool, positive: Collection[str]
) -> list[Case]:
    """Return the cases whose group is one of the given ones."""
    members = [row for row in rows if row.group is not None and row.group in groups]
    cases = [case_of(row, disfavored, positive) for row in members]
    return [case for case in cases if case is not None]


def present(value: Feature) -> Feature:
    """Return the value, with None in place of NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value


def numeric_columns(rows: Sequence[Row]) -> list[bool]:
    """Tell for each feature whether all its values that are present are numbers."""
    columns = zip(*(row.features for row in rows), strict=True)
    return [all(type(v) in (int, float, type(None)) for v in column) for column in columns]


def people(cases: Iterable[Case]) -> int:
    """Count the people that the cases stand for."""
    return sum(case.weight for case in cases)


def per(cases: Sequence[Case], above: Test, below: Test) -> Fraction:
    """Return how many people pass the one test for each who passes the other."""
    numerator = denominator = 0
    for case in cases:
        if above(case):
            numerator += case.weight
        if below(case):
            denominator += case.weight
    if denominator == 0:
        raise UndefinedError
    return Fraction(numerator, denominator)


def share(cases: Sequence[Case], hit: Test, among: Test) -> Fraction:
    """Return which share of the people who pass one test pass another too."""
    return per(cases, lambda case: among(case) and hit(case), among)


def cell(case: Case) -> str:
    """Name the cell of the confusion matrix into which a case falls."""
    sign = "P" if case.predicted else "N"
    return ("T" if case.predicted == case.actual else "F") + sign


def within(*cells: str) -> Test:
    """Build the test whether a case falls into one of these cells."""
    return lambda case: cell(case) in cells


ANYONE = within("TP", "FN", "FP", "TN")
ACTUAL, NOT_ACTUAL = within("TP", "FN"), within("FP", "TN")
PREDICTED, NOT_PREDICTED = within("TP", "FP"), within("FN", "TN")
CORRECT, MISSED, FALSE_ALARM = within("TP", "TN"), within("FN"), within("FP")
WRONG = within("FP", "FN")


def share_gap(hit: Test, among: Test) -> Callable[[Comparison], Fraction]:
    """Build the metric 'share in a minus share in d'."""
    return lambda c: share(c.a, hit, among) - share(c.d, hit, among)


def ratio_gap(above: Test, below: Test) -> Callable[[Comparison], Fraction]:
    """Build the metric 'ratio in a minus ratio in d' for ratios that have no upper bound."""
    return lambda c: per(c.a, above, below) - per(c.d, above, below)


def negated(metric: Callable[[Comparison], Fraction]) -> Callable[[Comparison], Fraction]:
    """Build the same metric read as d minus a."""
    return lambda c: -metric(c)


def class_imbalance(c: Comparison) -> Fraction:
    """Return CI: each person of a pulls towards +1, each of d towards -1."""
    pull = sum(-case.weight if case.disfavored else case.weight for case in c.a + c.d)
    everyone = people(c.a + c.d)
    if everyone == 0:
        raise UndefinedError
    return Fraction(pull, everyone)


def disparate_impact(c: Comparison) -> Number:
    """Return DI: the acceptance rate of d for each unit of the acceptance rate of a."""
    rate_a = share(c.a, PREDICTED, ANYONE)
    rate_d = share(c.d, PREDICTED, ANYONE)
    if rate_a == rate_d == 0:
        raise UndefinedError
    return rate_d / rate_a if rate_a > 0 else math.inf


def share_ratio(hit: Test, among: Test) -> Callable[[Comparison], Number]:
    """Build the metric 'share in d for each unit of the share in a'."""

    def times(c: Comparison) -> Number:
        in_a, in_d = share(c.a, hit, among), share(c.d, hit, among)
        if in_a == in_d == 0:
            raise UndefinedError
        return in_d / in_a if in_a > 0 else math.inf

    return times


def odds_gaps(c: Comparison) -> list[Fraction]:
    """Return a's share of the predicted less d's, of the actual cases and of the others."""
    return [share_gap(PREDICTED, among)(c) for among in (ACTUAL, NOT_ACTUAL)]


def odds_likenesses(c: Comparison) -> list[Fraction]:
    """Return the smaller share of the predicted for each unit of the larger one, likewise."""
    pairs = [[share(s, PREDICTED, among) for s in (c.a, c.d)] for among in (ACTUAL, NOT_ACTUAL)]
    if any(max(pair) == 0 for pair in pairs):
        raise UndefinedError
    return [min(pair) / max(pair) for pair in pairs]


def distribution(cases: Sequence[Case], categories: Iterable[str]) -> list[Fraction]:
    """Return the share of each category among the cases."""
    weights = [sum(case.weight for case in cases if case.label == y) for y in categories]
    return [Fraction(weight, people(cases)) for weight in weights]


def distributions(c: Comparison) -> tuple[list[Fraction], list[Fraction]]:
    """Return the label distributions of a and of d over the categories of both."""
    if not c.a or not c.d:
        raise UndefinedError
    categories = sorted({case.label for case in c.a + c.d})
    return distribution(c.a, categories), distribution(c.d, categories)


def divergence(ours: Sequence[Fraction], theirs: Sequence[Fraction]) -> float:
    """Return the Kullback-Leibler divergence of two distributions in nats."""
    terms = []
    for mine, other in zip(ours, theirs, strict=True):
        if mine > 0 and other == 0:
            return math.inf
        if mine > 0:
            terms.append(float(mine) * math.log(mine / other))
    return math.fsum(terms)


def jensen_shannon(c: Comparison) -> float:
    """Return JS: how far both sides are on average from the mixture of the two."""
    in_a, in_d = distributions(c)
    middle = [(one + other) / 2 for one, other in zip(in_a, in_d, strict=True)]
    return (divergence(in_a, middle) + divergence(in_d, middle)) / 2


def label_gaps(c: Comparison) -> list[Fraction]:
    """Return the absolute difference of the two distributions in each category."""
    return [abs(one - other) for one, other in zip(*distributions(c), strict=True)]


def lp_norm(c: Comparison) -> float:
    """Return LP, with the largest gap factored out so that no power underflows."""
    gaps = label_gaps(c)
    largest = max(gaps)
    if largest == 0:
        return 0.0
    powers = math.fsum(math.pow(gap / largest, c.p) for gap in gaps)
    return float(largest) * math.pow(powers, 1 / c.p)


def stratum_disparity(members: Sequence[Case], accepted: Test) -> Fraction:
    """Return d's share of a stratum's rejections minus d's share of its acceptances."""
    rejected = [case for case in members if not accepted(case)]
    admitted = [case for case in members if accepted(case)]
    if not rejected or not admitted:
        raise UndefinedError
    d_rejected = sum(case.weight for case in rejected if case.disfavored)
    d_admitted = sum(case.weight for case in admitted if case.disfavored)
    return Fraction(d_rejected, people(rejected)) - Fraction(d_admitted, people(admitted))


def conditional_disparity(c: Comparison, accepted: Test) -> Fraction:
    """Return the average over people of the disparity in the stratum of each."""
    everyone = c.a + c.d
    total, counted, met = Fraction(0), 0, False
    for stratum in {case.stratum for case in everyone}:
        members = [case for case in everyone if case.stratum == stratum]
        try:
            disparity = stratum_disparity(members, accepted)
        except UndefinedError:
            continue
        met = met or len({case.disfavored for case in members}) == 2
        for case in members:
            total += case.weight * disparity
            counted += case.weight
    if not met:
        raise UndefinedError
    return total / counted


def exact(value: Feature) -> Fraction:
    """Return a numeric feature as an exact fraction."""
    assert isinstance(value, int | float)
    return Fraction(value)


def variance(cases: Sequence[Case], column: int) -> Fraction:
    """Return the population variance of a numeric feature, person by person."""
    n = people(cases)
    mean = sum((case.weight * exact(case.features[column]) for case in cases), Fraction(0)) / n
    squares = (case.weight * (exact(case.features[column]) - mean) ** 2 for case in cases)
    return sum(squares, Fraction(0)) / n


def squared_distance(one: Case, other: Case, scales: Scales) -> Fraction:
    """Return the squared distance of two cases, given each feature's variance or None."""
    total = Fraction(0)
    for mine, theirs, scale in zip(one.features, other.features, scales, strict=True):
        if scale is None:
            total += 0 if mine == theirs else 1
        elif scale > 0:
            total += (exact(mine) - exact(theirs)) ** 2 / scale
    return total


def lean(member: Case, others: Sequence[Case], scales: Scales, k: int) -> int:
    """Return by how many votes the nearest k people, ties included, are for acceptance."""
    ranked = [(squared_distance(member, other, scales), other) for other in others]
    ranked.sort(key=lambda pair: pair[0])
    nearest = [distance for distance, other in ranked for _ in range(min(other.weight, k))]
    reach = nearest[k - 1] * (1 + Fraction(1, 10**9))
    voters = [other for distance, other in ranked if distance <= reach]
    return sum(other.weight if other.predicted else -other.weight for other in voters)


def complete(case: Case, numeric: Sequence[bool]) -> bool:
    """Tell whether a case lacks no numeric feature."""
    pairs = zip(case.features, numeric, strict=True)
    return all(value is not None for value, number in pairs if number)


def fliptest(c: Comparison) -> Fraction:
    """Return FT: flips of d towards acceptance minus flips towards rejection, per person."""
    a = [case for case in c.a if complete(case, c.numeric)]
    d = [case for case in c.d if complete(case, c.numeric)]
    if not d or people(a) < c.k:
        raise UndefinedError
    scales = [variance(a + d, i) if number else None for i, number in enumerate(c.numeric)]
    flips = 0
    for member in d:
        votes = lean(member, a, scales, c.k)
        if votes > 0 and not member.predicted:
            flips += member.weight
        if votes < 0 and member.predicted:
            flips -= member.weight
    return Fraction(flips, people(d))


def entropy_term(ratio: Fraction, alpha: float) -> Fraction:
    """Return what one person with this benefit, relative to the mean, adds to GE."""
    if alpha == 0:
        return Fraction(-math.log(ratio))
    if alpha == 1:
        return ratio * Fraction(math.log(ratio)) if ratio else Fraction(0)
    order = Fraction(alpha)
    power = ratio**order.numerator if order.denominator == 1 else math.pow(ratio, alpha)
    return (Fraction(power) - 1) / (order * (order - 1))


def generalized_entropy(cases: Sequence[Case], alpha: float) -> Fraction:
    """Return GE over all people, whatever group they belong to."""
    benefits = [(int(case.predicted) - int(case.actual) + 1, case.weight) for case in cases]
    total = sum(benefit * weight for benefit, weight in benefits)
    if total == 0 or (alpha <= 0 and any(benefit == 0 for benefit, _ in benefits)):
        raise UndefinedError
    n = people(cases)
    mean = Fraction(total, n)
    terms = (weight * entropy_term(benefit / mean, alpha) for benefit, weight in benefits)
    return sum(terms, Fraction(0)) / n


COMPARISONS: dict[str, Callable[[Comparison], Number]] = {
    "CI": class_imbalance,
    "DPL": share_gap(ACTUAL, ANYONE),
    "KL": lambda c: divergence(*distributions(c)),
    "JS": jensen_shannon,
    "LP": lp_norm,
    "TVD": lambda c: sum(label_gaps(c), Fraction(0)) / 2,
    "KS": lambda c: max(label_gaps(c)),
    "CDDL": lambda c: conditional_disparity(c, ACTUAL),
    "DPPL": share_gap(PREDICTED, ANYONE),
    "DI": disparate_impact,
    "DCAcc": ratio_gap(ACTUAL, PREDICTED),
    "DCR": negated(ratio_gap(NOT_ACTUAL, NOT_PREDICTED)),
    "SD": negated(share_gap(NOT_PREDICTED, NOT_ACTUAL)),
    "RD": share_gap(PREDICTED, ACTUAL),
    "DAR": share_gap(ACTUAL, PREDICTED),
    "DRR": negated(share_gap(NOT_ACTUAL, NOT_PREDICTED)),
    "AD": share_gap(CORRECT, ANYONE),
    "TE": negated(ratio_gap(MISSED, FALSE_ALARM)),
    "CDDPL": lambda c: conditional_disparity(c, PREDICTED),
    "FT": fliptest,
    "vertex.accuracy_difference": share_gap(CORRECT, ANYONE),
    "vertex.dpppl": share_gap(PREDICTED, ANYONE),
    "vertex.recall_difference": share_gap(PREDICTED, ACTUAL),
    "vertex.specificity_difference": share_gap(NOT_PREDICTED, NOT_ACTUAL),
    "vertex.error_ratio_difference": ratio_gap(MISSED, FALSE_ALARM),
    "vertex.population_size_difference": class_imbalance,
    "vertex.dpptl": share_gap(ACTUAL, ANYONE),
    "FPRD": share_gap(PREDICTED, NOT_ACTUAL),
    "FNRD": share_gap(NOT_PREDICTED, ACTUAL),
    "FDRD": share_gap(NOT_ACTUAL, PREDICTED),
    "FORD": share_gap(ACTUAL, NOT_PREDICTED),
    "ERD": share_gap(WRONG, ANYONE),
    "FPRR": share_ratio(PREDICTED, NOT_ACTUAL),
    "FNRR": share_ratio(NOT_PREDICTED, ACTUAL),
    "FDRR": share_ratio(NOT_ACTUAL, PREDICTED),
    "FORR": share_ratio(ACTUAL, NOT_PREDICTED),
    "ERR": share_ratio(WRONG, ANYONE),
    "TPRR": share_ratio(PREDICTED, ACTUAL),
    "TNRR": share_ratio(NOT_PREDICTED, NOT_ACTUAL),
    "PPVR": share_ratio(ACTUAL, PREDICTED),
    "NPVR": share_ratio(NOT_ACTUAL, NOT_PREDICTED),
    "ACCR": share_ratio(CORRECT, ANYONE),
    "EOD": lambda c: max(abs(gap) for gap in odds_gaps(c)),
    "EOR": lambda c: min(odds_likenesses(c)),
    "AOD": lambda c: sum(odds_gaps(c), Fraction(0)) / 2,
    "AAOD": lambda c: sum((abs(gap) for gap in odds_gaps(c)), Fraction(0)) / 2,
    "AOR": lambda c: sum(odds_likenesses(c), Fraction(0)) / 2,
}

METRICS: tuple[str, ...] = (*COMPARISONS, "GE")


def answer(  # noqa: PLR0913 - one keyword for each parameter that a metric takes
    metric: str,
    rows: Sequence[Row],
    favored: Collection[str],
    disfavored: Collection[str],
    positive: Collection[str],
    *,
    p: float = 2,
    alpha: float = 2,
    k: int = 5,
) -> Answer:
    """Return what one metric comes to on these rows."""
    if any(isinstance(groups, str) for groups in (favored, disfavored, positive)):
        raise TypeError("favored, disfavored and positive are collections of values, not text")
    if set(favored) & set(disfavored):
        raise ValueError("a group cannot be on both sides of a comparison")
    value: Number
    try:
        if metric == "GE":
            cases = [case_of(row, False, positive) for row in rows]
            value = generalized_entropy([case for case in cases if case], alpha)
        else:
            a, d = side(rows, favored, False, positive), side(rows, disfavored, True, positive)
            value = COMPARISONS[metric](Comparison(a, d, numeric_columns(rows), p, k))
    except UndefinedError:
        return Answer("undefined", None, None)
    if math.isinf(value):
        return Answer("infinite", None, 1)
    return Answer("ok", float(value), None)
