"""Thresholds hold exactly at their bounds, and NaN and null are missing everywhere."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from biaspipe.errors import SpecError
from tests.engines.builders import audited, found, ledger


@pytest.mark.parametrize(
    ("bound", "expected"),
    [("above", (1, 2)), ("at_least", (2, 1)), ("below", (1, 2)), ("at_most", (2, 1))],
)
@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int64, pl.Float32, pl.Float64])
def test_bound_holds_exactly(
    dtype: type[pl.DataType], bound: str, expected: tuple[int, int], tmp_path: Path
) -> None:
    """A number exactly on a bound is inside at_least and at_most, outside above and below."""
    values = pl.Series([1, 2, 3, None], dtype=dtype)
    assert found(tmp_path, values, **{bound: 2}) == (*expected, 1)


@pytest.mark.parametrize(
    ("bound", "expected"),
    [("above", (1, 2)), ("at_least", (2, 1)), ("below", (1, 2)), ("at_most", (2, 1))],
)
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64, pl.Decimal(12, 1), pl.Decimal(38, 9)])
def test_bound_with_a_fraction_holds_exactly(
    dtype: type[pl.DataType] | pl.DataType, bound: str, expected: tuple[int, int], tmp_path: Path
) -> None:
    """A fraction exactly on a bound is on it, although no float holds 0.7."""
    values = pl.Series([Decimal("0.6"), Decimal("0.7"), Decimal("0.8"), None]).cast(dtype)
    assert found(tmp_path, values, **{bound: 0.7}) == (*expected, 1)


def test_bounds_outside_the_type_are_bounds(tmp_path: Path) -> None:
    """A bound that a column's type could not hold still bounds it."""
    values = pl.Series([0, 255, None], dtype=pl.UInt8)
    assert found(tmp_path, values, above=-1, constant="allowed") == (2, 0, 1)
    assert found(tmp_path, values, below=1e30, constant="allowed") == (2, 0, 1)
    assert found(tmp_path, values, above=254.5) == (1, 1, 1)


def test_two_bounds_hold_together(tmp_path: Path) -> None:
    """A label between two bounds is favorable."""
    assert found(tmp_path, pl.Series([1, 2, 3, 4]), at_least=2, below=4) == (2, 2, 0)


@pytest.mark.parametrize(
    "values", [pl.Series([True, False]), pl.Series(["1", "0"]), pl.Series([date(2026, 7, 1)])]
)
def test_threshold_needs_numbers(values: pl.Series, tmp_path: Path) -> None:
    """A threshold on a column without numbers is a wrong spec."""
    with pytest.raises(SpecError, match="no interval fits it"):
        found(tmp_path, values, above=0)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ({"above": 0.5}, (2, 1, 2)),
        ({"below": 0.5}, (1, 2, 2)),
        ({"positive": 1}, (1, 2, 2)),
    ],
)
def test_nan_and_null_are_missing(
    outcome: dict[str, object], expected: tuple[int, int, int], tmp_path: Path
) -> None:
    """NaN is missing like null, neither above nor below anything, and infinity is not."""
    values = pl.Series([float("nan"), None, 1.0, 0.0, float("inf")])
    assert found(tmp_path, values, **outcome) == expected


def test_nan_in_a_facet_is_missing(tmp_path: Path) -> None:
    """A facet that is NaN is missing, in intervals as in values."""
    frame = pl.DataFrame({"sex": [float("nan"), 1.0, 2.0, None], "label": [1, 0, 1, 0]})
    facets = {
        "sex": {"column": "sex", "favored": 1},
        "old": {"column": "sex", "disfavored": {"at_least": 2}},
    }
    result = audited(tmp_path, frame, facets=facets)
    expected = {"favored": 1, "disfavored": 1, "facet_missing": 2}
    assert [ledger(result, facet) for facet in facets] == [expected, expected]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([None, None], dtype=pl.Null),
        pl.Series([None, None], dtype=pl.String),
        pl.Series([None, None], dtype=pl.Float64),
        pl.Series([float("nan"), None]),
    ],
)
@pytest.mark.parametrize("metric", ["CI", "KL"])
def test_column_without_values_is_refused(values: pl.Series, metric: str, tmp_path: Path) -> None:
    """A label that is always missing is a wrong spec that says so."""
    with pytest.raises(SpecError, match="only missing values"):
        found(tmp_path, values, metric, positive=1)


@pytest.mark.parametrize("dtype", [pl.Null, pl.Float64])
def test_threshold_on_a_column_without_values_has_no_people(
    dtype: type[pl.DataType], tmp_path: Path
) -> None:
    """Under a threshold a label that is always missing leaves everybody out."""
    assert found(tmp_path, pl.Series([None, None], dtype=dtype), above=1, constant="allowed") == (
        0,
        0,
        2,
    )
