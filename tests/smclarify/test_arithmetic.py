"""smclarify's arithmetic by hand, case by case."""

from math import log

import pytest

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import FAMILIES
from biaspipe.plan import Kind
from biaspipe.smclarify import (
    DIFFERENCES,
    METRICS,
    PandasColumn,
    SmclarifyFlips,
    is_continuous,
    value_of,
)
from biaspipe.smclarify.column_types import matching_values, values_text
from biaspipe.spec import Scalar


def group(tp: int, fp: int, fn: int, tn: int) -> Group:
    """Return a group of these people."""
    return Group({(True, True): tp, (False, True): fp, (True, False): fn, (False, False): tn})


def number(metric: str, a: Group, d: Group) -> float | None:
    """Return what smclarify makes of two groups."""
    return value_of(metric, Table(a, d)).extended


def test_every_metric_of_clarify_is_there() -> None:
    """All 21 metrics have smclarify's arithmetic, the fliptest by its ballot."""
    assert {*METRICS, "FT"} == {metric.id for metric in FAMILIES["clarify"]}


def test_differences_name_known_metrics_once() -> None:
    """Each difference has an id of its own and concerns metrics of Clarify."""
    assert len({difference.id for difference in DIFFERENCES}) == len(DIFFERENCES)
    known = {metric.id for metric in FAMILIES["clarify"]}
    assert all(set(difference.metrics) <= known for difference in DIFFERENCES)


def test_nothing_over_nothing_is_zero() -> None:
    """A recall over no positive label is 0."""
    assert number("RD", group(3, 0, 1, 4), group(0, 2, 0, 2)) == 0.75


def test_something_over_nothing_is_infinite() -> None:
    """Labels over no positive prediction are infinitely many, with the sign of the difference."""
    assert number("DCAcc", group(1, 1, 0, 0), group(0, 0, 2, 1)) == float("-inf")
    assert number("TE", group(1, 1, 1, 0), group(1, 0, 2, 0)) == float("inf")


def test_two_infinities_differ_by_nothing() -> None:
    """Two infinite ratios of errors are at parity."""
    assert number("TE", group(1, 0, 1, 0), group(1, 0, 2, 0)) == 0


def test_impact_of_two_empty_selections_is_zero() -> None:
    """DI is 0, not undefined, where nobody in either group is predicted positive."""
    assert number("DI", group(0, 0, 1, 1), group(0, 0, 1, 1)) == 0


def test_category_that_one_group_lacks_is_dropped() -> None:
    """With d all negative only the negative share counts, and KL is negative."""
    assert number("KL", group(1, 0, 0, 1), group(0, 0, 0, 2)) == pytest.approx(0.5 * log(0.5))
    assert number("TVD", group(1, 0, 0, 1), group(0, 0, 0, 2)) == 0.25


def test_groups_without_a_common_outcome_have_no_divergence() -> None:
    """Where no outcome occurs in both groups there is no value."""
    value = value_of("KS", Table(group(1, 0, 0, 0), group(0, 0, 0, 1)))
    assert value.reason == "no outcome occurs in both groups: KS has no value in smclarify"


def test_missing_share_of_a_stratum_counts_as_zero() -> None:
    """A stratum without a positive label takes part with the share of the rejections alone."""
    mixed = Stratum("A", group(1, 0, 0, 1), group(1, 0, 0, 1))
    uniform = Stratum("B", group(0, 0, 0, 1), group(0, 0, 0, 3))
    table = Table(group(1, 0, 0, 2), group(1, 0, 0, 4), (mixed, uniform))
    assert value_of("CDDL", table).number == 0.375


@pytest.mark.parametrize("metric", ["CI", "DPL", "AD", "DI", "TE"])
def test_empty_group_has_no_value(metric: str) -> None:
    """Where nobody is in d, smclarify has no value, for CI neither."""
    assert value_of(metric, Table(group(1, 1, 1, 1), group(0, 0, 0, 0))).status == "undefined"


def test_strata_of_an_empty_group_differ_by_nothing() -> None:
    """CDDPL is 0 where nobody is in d."""
    stratum = Stratum("A", group(1, 0, 0, 1), group(0, 0, 0, 0))
    table = Table(group(1, 0, 0, 1), group(0, 0, 0, 0), (stratum,))
    assert value_of("CDDPL", table).number == 0


def test_fliptest_is_positive_in_favor_of_d() -> None:
    """Members of d whose neighbours are favorable make FT negative."""
    assert value_of("FT", SmclarifyFlips(F_plus=3, F_minus=1, n_d=8)).number == -0.25


def test_entropy_passes_the_half_of_the_guide() -> None:
    """Nine false negatives and one true positive give 4.5."""
    assert number("GE", group(1, 0, 9, 0), group(0, 0, 0, 0)) == 4.5


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        (PandasColumn(Kind.INTEGER, 100, 0, 5), [1], True),
        (PandasColumn(Kind.INTEGER, 100, 0, 4), [1], False),
        (PandasColumn(Kind.INTEGER, 100, 1, 4), [1], True),
        (PandasColumn(Kind.FLOAT, 100, 0, 2), [1], True),
        (PandasColumn(Kind.FLOAT, 100, 0, 2), [1, 2], False),
        (PandasColumn(Kind.TEXT, 100, 0, 90), ["a"], False),
        (PandasColumn(Kind.BOOLEAN, 2, 0, 2), [True], False),
    ],
    ids=["5 %", "less", "one missing", "float", "two values", "text", "true or false"],
)
def test_type_is_guessed(column: PandasColumn, values: list[Scalar], *, expected: bool) -> None:
    """Floats are continuous, whole numbers from 5 % distinct values, two named values never."""
    assert is_continuous(column, values) is expected


@pytest.mark.parametrize(
    ("values", "column", "text"),
    [
        ([40], PandasColumn(Kind.INTEGER, 9, 0, 9, 90), "(40, 90]"),
        ([40.0], PandasColumn(Kind.INTEGER, 9, 0, 9, 90), "(40.0, 90.0]"),
        ([40], PandasColumn(Kind.INTEGER, 9, 1, 8, 90), "(40.0, 90.0]"),
        (["40"], PandasColumn(Kind.FLOAT, 9, 0, 9, 68.6), "(40.0, 68.6]"),
        ([70], PandasColumn(Kind.FLOAT, 9, 0, 9, 68.6), "(68.6, 70.0]"),
        ([1], PandasColumn(Kind.INTEGER, 9, 0, 2, 1), ""),
    ],
)
def test_interval_is_written_as_smclarify_does(
    values: list[Scalar], column: PandasColumn, text: str
) -> None:
    """An interval goes from the threshold to the greatest value, as floats unless all are whole."""
    found = values_text(values, column, continuous=True)
    assert found == text


def test_values_of_the_own_type_win() -> None:
    """Among values of several types only those of the column's own are looked for."""
    assert matching_values([1, "2"], Kind.INTEGER) == (1,)
    assert matching_values(["False"], Kind.BOOLEAN) == (True,)
