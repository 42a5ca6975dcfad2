"""Laws that every registered metric keeps; `LAWS` says of each metric what they come to."""

from collections.abc import Callable
from dataclasses import replace
from math import copysign, inf, isfinite, log, sqrt
from operator import neg, pos
from typing import NamedTuple

import pytest

from biaspipe.metrics import METRICS
from tests.metrics import conditions as when
from tests.metrics.comparisons import NO_FLIPS, UNEVEN, Cell, Comparison, Side, group, law


def reciprocal(value: float) -> float:
    """Return 1/value on the extended half-line."""
    return 1 / value if value else inf


def close(value: float) -> object:
    """Equal any number that differs from the value by rounding alone."""
    return pytest.approx(value, rel=1e-12, abs=1e-15)


def copied(c: Comparison) -> Comparison:
    """Return the comparison of a with a copy of itself."""
    return c._replace(d=c.a)


def multiplied(c: Comparison) -> Comparison:
    """Return the comparison of a with three copies of each of its people."""
    return c._replace(d={cell: 3 * n for cell, n in c.a.items()})


def told_right(c: Comparison) -> Comparison:
    """Return the comparison with everybody predicted what is observed."""
    a, d = ({cell: n for cell, n in s.items() if cell.predicted == cell.observed} for s in c[:2])
    return c._replace(a=a, d=d)


def flipped_evenly(c: Comparison) -> Comparison:
    """Return the comparison with as many flips in one direction as in the other."""
    few = min(c.flips.F_plus, c.flips.F_minus)
    return c._replace(flips=replace(c.flips, F_plus=few, F_minus=few))


class Laws(NamedTuple):
    """What the laws say of one metric.

    `swapped` is what its value turns into as the sides change places; None says that nothing
    follows. `parity` turns any comparison into one at which the metric is at its ideal.
    """

    range: tuple[float, float]
    swapped: Callable[[float], float] | None
    undefined: when.Condition
    infinite: when.Condition = when.never
    parity: Callable[[Comparison], Comparison] = multiplied
    ideal: float = 0


UNIT = (-1, 1)
LINE = (-inf, inf)
HALF_LINE = (0, inf)
SIZE = (0, 1)


def ratio_of(part: Callable[[Cell], bool], lacking: when.Condition) -> Laws:
    """Return the laws of a ratio of shares, d to a, by who is counted and who lacks the whole."""
    undefined, infinite = when.nobody_at_all(part, lacking), when.divides_by_none(part, lacking)
    return Laws(HALF_LINE, reciprocal, undefined, infinite, ideal=1)


RENAMED = {
    "hired": "trial",
    "trial": "hired",
    "refused": "silent",
    "silent": "refused",
    "day": "night",
    "night": "evening",
    "evening": "day",
}
LAWS: dict[str, Laws] = {
    "CI": Laws(UNIT, neg, when.nobody, parity=copied),
    "DPL": Laws(UNIT, neg, when.empty_side),
    "KL": Laws((0, inf), None, when.empty_side, when.misses_a_category),
    "JS": Laws((0, log(2)), pos, when.empty_side),
    "LP": Laws((0, sqrt(2)), pos, when.empty_side),
    "TVD": Laws((0, 1), pos, when.empty_side),
    "KS": Laws((0, 1), pos, when.empty_side),
    "CDDL": Laws(UNIT, neg, when.no_label_stratum),
    "DPPL": Laws(UNIT, neg, when.empty_side),
    "DI": Laws(
        (0, inf), reciprocal, when.no_acceptance_at_all, when.divides_by_no_acceptance, ideal=1
    ),
    "DCAcc": Laws(LINE, neg, when.no_acceptance),
    "DCR": Laws(LINE, neg, when.no_rejection),
    "SD": Laws(UNIT, neg, when.no_negative_label),
    "RD": Laws(UNIT, neg, when.no_positive_label),
    "DAR": Laws(UNIT, neg, when.no_acceptance),
    "DRR": Laws(UNIT, neg, when.no_rejection),
    "AD": Laws(UNIT, neg, when.empty_side),
    "TE": Laws(LINE, neg, when.no_false_positive),
    "CDDPL": Laws(UNIT, neg, when.no_prediction_stratum),
    "FT": Laws(UNIT, neg, when.fewer_than_k, parity=flipped_evenly),
    "GE": Laws((0, inf), pos, when.only_false_negatives, parity=told_right),
    "vertex.accuracy_difference": Laws(UNIT, neg, when.empty_side),
    "vertex.dpppl": Laws(UNIT, neg, when.empty_side),
    "vertex.recall_difference": Laws(UNIT, neg, when.no_positive_label),
    "vertex.specificity_difference": Laws(UNIT, neg, when.no_negative_label),
    "vertex.error_ratio_difference": Laws(LINE, neg, when.no_false_positive),
    "vertex.population_size_difference": Laws(UNIT, neg, when.nobody, parity=copied),
    "vertex.dpptl": Laws(UNIT, neg, when.empty_side),
    "FPRD": Laws(UNIT, neg, when.no_negative_label),
    "FNRD": Laws(UNIT, neg, when.no_positive_label),
    "FDRD": Laws(UNIT, neg, when.no_acceptance),
    "FORD": Laws(UNIT, neg, when.no_rejection),
    "ERD": Laws(UNIT, neg, when.empty_side),
    "FPRR": ratio_of(when.false_acceptance, when.no_negative_label),
    "FNRR": ratio_of(when.false_refusal, when.no_positive_label),
    "FDRR": ratio_of(when.false_acceptance, when.no_acceptance),
    "FORR": ratio_of(when.false_refusal, when.no_rejection),
    "ERR": ratio_of(lambda cell: cell.predicted != cell.observed, when.empty_side),
    "TPRR": ratio_of(when.right_acceptance, when.no_positive_label),
    "TNRR": ratio_of(when.right_refusal, when.no_negative_label),
    "PPVR": ratio_of(when.right_acceptance, when.no_acceptance),
    "NPVR": ratio_of(when.right_refusal, when.no_rejection),
    "ACCR": ratio_of(lambda cell: cell.predicted == cell.observed, when.empty_side),
    "EOD": Laws(SIZE, pos, when.no_label),
    "EOR": Laws(SIZE, pos, when.no_common_odds, ideal=1),
    "AOD": Laws(UNIT, neg, when.no_label),
    "AAOD": Laws(SIZE, pos, when.no_label),
    "AOR": Laws(SIZE, pos, when.no_common_odds, ideal=1),
}


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_is_classified(metric: str) -> None:
    """Each registered metric has its line in the table of laws."""
    assert metric in LAWS, f"{metric} is missing from LAWS: say what the laws come to for it"


def test_no_law_is_left_over() -> None:
    """The table of laws names no metric that the registry does not have."""
    assert set(LAWS) - set(METRICS) == set()


@pytest.mark.parametrize("metric", METRICS)
def test_record_states_the_law(metric: str) -> None:
    """A metric's record states the range and the ideal that its law has."""
    record = METRICS[metric]
    assert (record.range, record.ideal) == (LAWS[metric].range, LAWS[metric].ideal)


@pytest.mark.parametrize("metric", METRICS)
def test_uneven_sides_have_a_value(metric: str) -> None:
    """The example on which every law is tried gives each metric a number off its ideal."""
    value = UNEVEN.value(metric)
    assert value.status == "ok"
    assert value.number != LAWS[metric].ideal


@law
def test_value_lies_within_the_range(comparison: Comparison) -> None:
    """A metric's value lies within its stated range, the ends included."""
    values = {m: comparison.value(m).extended for m in METRICS}
    ranges = {m: LAWS[m].range for m in METRICS}
    found = {m: v for m, v in values.items() if v is not None}
    assert {m: v for m, v in found.items() if not ranges[m][0] <= v <= ranges[m][1]} == {}


@law
def test_value_is_a_clean_number(comparison: Comparison) -> None:
    """A metric's number is neither NaN nor an infinity nor a negative zero."""
    values = {m: comparison.value(m).number for m in METRICS}
    numbers = {m: v for m, v in values.items() if v is not None}
    assert {m: v for m, v in numbers.items() if not isfinite(v)} == {}
    assert {m: v for m, v in numbers.items() if v == 0 and copysign(1, v) != 1} == {}


@law
def test_value_has_the_status_of_its_condition(comparison: Comparison) -> None:
    """A metric is undefined, and infinite, on exactly the comparisons that meet the condition."""
    expected = dict.fromkeys(METRICS, "ok")
    expected |= {m: "infinite" for m in METRICS if LAWS[m].infinite(comparison)}
    expected |= {m: "undefined" for m in METRICS if LAWS[m].undefined(comparison)}
    assert {m: comparison.value(m).status for m in METRICS} == expected


@law
def test_value_is_ideal_at_parity(comparison: Comparison) -> None:
    """A metric that has a value is exactly at its ideal where the sides are at parity."""
    values = {m: LAWS[m].parity(comparison).value(m) for m in METRICS}
    found = {m: v.extended for m, v in values.items() if v.status != "undefined"}
    assert found == {m: LAWS[m].ideal for m in found}


@law
def test_value_follows_a_swap_of_the_sides(comparison: Comparison) -> None:
    """A metric's value turns into its stated counterpart as the sides change places."""
    a, d, counted = comparison
    there = replace(counted, F_plus=counted.F_minus, F_minus=counted.F_plus)
    for metric in METRICS:
        value = comparison.value(metric).extended
        swapped = Comparison(d, a, there).value(metric).extended
        turns_into = LAWS[metric].swapped
        assert (metric, swapped is None) == (metric, value is None)
        if value is not None and turns_into is not None:
            assert (metric, swapped) == (metric, close(turns_into(value)))


@law
def test_value_is_the_comparison_of_the_rates(comparison: Comparison) -> None:
    """A metric that compares a rate has the value of both groups' rates, set as it says."""
    sides = group(comparison.a, "a"), group(comparison.d, "d")
    for metric, record in METRICS.items():
        value = comparison.value(metric)
        if record.rate is not None and value.number is not None:
            a, d = (record.rate(side) for side in sides)
            expected = {"a - d": a - d, "d - a": d - a, "d / a": d / a if a else inf}
            assert (metric, value.number) == (metric, close(float(expected[str(record.compares)])))


def test_kl_follows_nothing_from_a_swap() -> None:
    """KL of the sides in the other order is neither the same nor the opposite."""
    one, other = Cell("day", "hired", True), Cell("day", "refused", True)
    a, d = {one: 1, other: 1}, {one: 1, other: 3}
    assert Comparison(a, d, NO_FLIPS).value("KL").number == close(0.14384103622589045)
    assert Comparison(d, a, NO_FLIPS).value("KL").number == close(0.13081203594113697)


def times(side: Side, factor: int) -> Side:
    """Return a side with `factor` people for each one."""
    return {cell: n * factor for cell, n in side.items()}


def scaled(c: Comparison, factor: int) -> Comparison:
    """Return the comparison, its neighbours included, with `factor` people for each one."""
    parts = ("F_plus", "F_minus", "n_d", "n_a", "k")
    flips = replace(c.flips, **{part: getattr(c.flips, part) * factor for part in parts})
    return Comparison(times(c.a, factor), times(c.d, factor), flips)


@law
def test_value_depends_on_shares_alone(comparison: Comparison) -> None:
    """A metric's value does not change as everybody is counted several times."""
    for metric in METRICS:
        value = comparison.value(metric).extended
        for factor in (3, 1_000):
            many = scaled(comparison, factor).value(metric).extended
            assert (metric, many is None) == (metric, value is None)
            assert value is None or (metric, many) == (metric, close(value))


def renamed(side: Side) -> Side:
    """Return a side's cells in reverse, in strata and categories whose names sort otherwise."""
    return {
        Cell(RENAMED[c.stratum], RENAMED[c.category], c.predicted): n
        for c, n in reversed(list(side.items()))
    }


@law
def test_value_does_not_depend_on_order(comparison: Comparison) -> None:
    """A metric's value is the same whatever the order of cells, strata and categories."""
    a, d, counted = comparison
    other = Comparison(renamed(a), renamed(d), counted)
    assert {m: other.value(m) for m in METRICS} == {m: comparison.value(m) for m in METRICS}


TWINS: dict[str, tuple[str, Callable[[float], float]]] = {
    "vertex.accuracy_difference": ("AD", pos),
    "vertex.dpppl": ("DPPL", pos),
    "vertex.recall_difference": ("RD", pos),
    "vertex.specificity_difference": ("SD", neg),
    "vertex.error_ratio_difference": ("TE", neg),
    "vertex.population_size_difference": ("CI", pos),
    "vertex.dpptl": ("DPL", pos),
    "FPRD": ("SD", pos),
    "FNRD": ("RD", neg),
    "FDRD": ("DAR", neg),
    "FORD": ("DRR", pos),
    "ERD": ("AD", neg),
}


def test_every_twin_is_named_by_its_record() -> None:
    """The metrics that have another's value are those whose records say so."""
    named = {metric: record.same_as for metric, record in METRICS.items() if record.same_as}
    assert {metric: twin for metric, (twin, _) in TWINS.items()} == named


@law
def test_metric_equals_its_twin(comparison: Comparison) -> None:
    """A metric of Vertex AI or of rates has the value of its Clarify twin, with the stated sign."""
    for metric, (twin, turned) in TWINS.items():
        value, theirs = comparison.value(metric), comparison.value(twin)
        assert (metric, value.status) == (metric, theirs.status)
        assert theirs.number is None or (metric, value.number) == (metric, turned(theirs.number))


@law
def test_joined_gaps_are_those_of_their_rates(comparison: Comparison) -> None:
    """Of two gaps the largest is at least their average, and that at least the one with signs."""
    tpr, fpr = (comparison.value(metric).number for metric in ("RD", "FPRD"))
    names = ("EOD", "AAOD", "AOD")
    largest, average, signed = (comparison.value(metric).number for metric in names)
    if tpr is None or fpr is None:
        assert (largest, average, signed) == (None, None, None)
        return
    assert largest == max(abs(tpr), abs(fpr))
    assert average == close((abs(tpr) + abs(fpr)) / 2)
    assert signed == close((tpr + fpr) / 2)


@law
def test_joined_likenesses_are_those_of_their_rates(comparison: Comparison) -> None:
    """Of two ratios, each turned below 1, there is the least one and their average."""
    ratios = [comparison.value(metric).extended for metric in ("TPRR", "FPRR")]
    found = [comparison.value(metric).number for metric in ("EOR", "AOR")]
    known = [min(ratio, reciprocal(ratio)) for ratio in ratios if ratio is not None]
    if len(known) < 2:
        assert found == [None, None]
        return
    assert found == [close(min(known)), close(sum(known) / 2)]
