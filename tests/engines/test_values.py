"""Values of a spec find the values of a column as the column's own type has them."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from biaspipe.errors import SpecError
from tests.engines.builders import audited, found, names

ONES = [1, 1, 0, 0, None]
TEXTS = ["1", "1", "0", "0", None]
NUMBERS: dict[str, pl.Series] = {
    "Int8": pl.Series(ONES, dtype=pl.Int8),
    "Int16": pl.Series(ONES, dtype=pl.Int16),
    "Int32": pl.Series(ONES, dtype=pl.Int32),
    "Int64": pl.Series(ONES, dtype=pl.Int64),
    "Int128": pl.Series(ONES, dtype=pl.Int128),
    "UInt8": pl.Series(ONES, dtype=pl.UInt8),
    "UInt64": pl.Series(ONES, dtype=pl.UInt64),
    "Float32": pl.Series(ONES, dtype=pl.Float32),
    "Float64": pl.Series(ONES, dtype=pl.Float64),
    "Decimal(10, 0)": pl.Series(ONES).cast(pl.Decimal(10, 0)),
    "Decimal(38, 2)": pl.Series(ONES).cast(pl.Decimal(38, 2)),
}
BOOLEAN = pl.Series([True, True, False, False, None])
WORDS: dict[str, pl.Series] = {
    "String": pl.Series(TEXTS),
    "Categorical": pl.Series(TEXTS).cast(pl.Categorical),
    "Enum": pl.Series(TEXTS).cast(pl.Enum(["0", "1"])),
}
DAYS = pl.Series([date(2026, 7, 1)] * 2 + [date(2026, 7, 2)] * 2 + [None])
TIMES = DAYS.cast(pl.Datetime("ms"))
ZONED = DAYS.cast(pl.Datetime("us", "UTC"))

by_outcome_or_category = pytest.mark.parametrize("metric", ["CI", "KL"])
"""With CI a label is counted as favorable or not, with KL by all its categories."""


@pytest.mark.combinations
@by_outcome_or_category
@pytest.mark.parametrize("value", [1, "1", 1.0, "1.0", True])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_number_is_found_however_it_is_written(
    dtype: str, value: object, metric: str, tmp_path: Path
) -> None:
    """A number is found in every type of numbers, with or without quotes and point."""
    assert found(tmp_path, NUMBERS[dtype], metric, positive=value) == (2, 2, 1)


@by_outcome_or_category
@pytest.mark.parametrize("value", [True, "true", "True", 1, "1", 1.0])
def test_truth_is_found_however_it_is_written(value: object, metric: str, tmp_path: Path) -> None:
    """True is found as a boolean, a word or one."""
    assert found(tmp_path, BOOLEAN, metric, positive=value) == (2, 2, 1)


@by_outcome_or_category
@pytest.mark.parametrize("value", ["1", 1, 1.0])
@pytest.mark.parametrize("dtype", WORDS)
def test_text_is_found_by_a_number(dtype: str, value: object, metric: str, tmp_path: Path) -> None:
    """A text that is a number is found by that number in every type of texts."""
    assert found(tmp_path, WORDS[dtype], metric, positive=value) == (2, 2, 1)


@by_outcome_or_category
@pytest.mark.parametrize("value", ["2026-07-01", "2026-07-01T00:00:00"])
@pytest.mark.parametrize("values", [DAYS, TIMES], ids=["Date", "Datetime"])
def test_day_is_found_by_its_date(
    values: pl.Series, value: str, metric: str, tmp_path: Path
) -> None:
    """A date and a time are found as ISO 8601 writes them."""
    assert found(tmp_path, values, metric, positive=value) == (2, 2, 1)


@by_outcome_or_category
@pytest.mark.parametrize(
    ("values", "value"),
    [
        (NUMBERS["Int64"], "yes"),
        (NUMBERS["Int64"], 0.5),
        (NUMBERS["Int8"], 300),
        (NUMBERS["UInt8"], -1),
        (NUMBERS["Float64"], "yes"),
        (NUMBERS["Decimal(38, 2)"], 0.501),
        (BOOLEAN, 2),
        (BOOLEAN, "yes"),
        (WORDS["String"], True),
        (WORDS["String"], "1.0"),
        (WORDS["Enum"], "2"),
        (DAYS, 1),
        (DAYS, True),
        (DAYS, "yesterday"),
    ],
)
def test_value_that_cannot_occur_is_refused(
    values: pl.Series, value: object, metric: str, tmp_path: Path
) -> None:
    """A value that the column does not hold is a wrong spec that names the column."""
    with pytest.raises(SpecError, match="'label'"):
        found(tmp_path, values, metric, positive=value)


@pytest.mark.parametrize("value", [10**400, "1e4000"], ids=["digits", "exponent"])
@pytest.mark.parametrize("dtype", ["Int64", "Float64", "Decimal(38, 2)", "String"])
def test_huge_number_is_refused(dtype: str, value: object, tmp_path: Path) -> None:
    """A number beyond all types is a wrong spec, and no bug."""
    with pytest.raises(SpecError):
        found(tmp_path, {**NUMBERS, **WORDS}[dtype], positive=value)


@by_outcome_or_category
def test_case_of_a_text_matters(metric: str, tmp_path: Path) -> None:
    """A text is found in its own case only."""
    assert found(tmp_path, pl.Series(["yes", "Yes", "no"]), metric, positive="yes") == (1, 2, 0)


@by_outcome_or_category
def test_words_for_truth_are_texts(metric: str, tmp_path: Path) -> None:
    """True finds the three usual spellings in a column of texts."""
    values = pl.Series(["true", "True", "TRUE", "false", "yes"])
    assert found(tmp_path, values, metric, positive=True) == (3, 2, 0)


@by_outcome_or_category
def test_list_of_values_is_favorable_together(metric: str, tmp_path: Path) -> None:
    """Every value of a list is favorable, written in any way."""
    values = pl.Series([1, 2, 3, 4, None])
    assert found(tmp_path, values, metric, positive=[1, "3", 4.0]) == (3, 1, 1)


@by_outcome_or_category
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64, pl.Decimal(10, 1)])
def test_fraction_is_found(
    dtype: type[pl.DataType] | pl.DataType, metric: str, tmp_path: Path
) -> None:
    """A number with a fraction is found in short and long floats and in decimals."""
    values = pl.Series([0.1, 0.5, 0.1, None]).cast(dtype)
    assert found(tmp_path, values, metric, positive=0.1) == (2, 1, 1)


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64, pl.Decimal(10, 1)])
def test_facet_of_fractions_is_named_as_written(
    dtype: type[pl.DataType] | pl.DataType, tmp_path: Path
) -> None:
    """A group that is a number with a fraction is found and named as a person writes it."""
    frame = pl.DataFrame({"sex": pl.Series([0.1, 0.2]).cast(dtype), "label": [1, 0]})
    result = audited(tmp_path, frame, facets={"sex": {"column": "sex", "favored": 0.1}})
    assert names(result) == [("0.1", "0.2")]


@pytest.mark.parametrize(
    ("values", "favored", "expected"),
    [
        (pl.Series([0, 1]), 0, ("0", "1")),
        (pl.Series([0, 1]), "0", ("0", "1")),
        (pl.Series([0.0, 1.0]), 0, ("0", "1")),
        (pl.Series([False, True]), False, ("false", "true")),
        (pl.Series([False, True]), "false", ("false", "true")),
        (pl.Series([False, True]), 0, ("false", "true")),
        (pl.Series(["", "a"]), "", ("''", "a")),
        (
            pl.Series([date(2026, 7, 1), date(2026, 7, 2)]),
            "2026-07-01",
            ("2026-07-01", "2026-07-02"),
        ),
    ],
)
def test_any_value_may_be_favored(
    values: pl.Series, favored: object, expected: tuple[str, str], tmp_path: Path
) -> None:
    """Zero, false, an empty text and a date are favored like any other value."""
    frame = pl.DataFrame({"sex": values, "label": [1, 0]})
    result = audited(tmp_path, frame, facets={"sex": {"column": "sex", "favored": favored}})
    assert names(result) == [expected]


@by_outcome_or_category
@pytest.mark.parametrize("positive", [1, "1", True])
def test_labels_as_floats_are_not_all_unfavorable(
    positive: object, metric: str, tmp_path: Path
) -> None:
    """Labels 0.0 and 1.0 have as many positives as they hold ones."""
    values = pl.Series([0.0, 1.0, 1.0, float("nan"), None])
    assert found(tmp_path, values, metric, positive=positive) == (2, 1, 2)


def test_time_with_a_zone_is_found(tmp_path: Path) -> None:
    """A time in a zone is found by the same moment with its offset."""
    assert found(tmp_path, ZONED, positive="2026-07-01T00:00:00+00:00") == (2, 2, 1)


def test_time_without_a_zone_does_not_blame_the_data(tmp_path: Path) -> None:
    """A time that leaves out the column's zone is a wrong spec that names the column."""
    with pytest.raises(SpecError, match="'label'"):
        found(tmp_path, ZONED, positive="2026-07-01")


@pytest.mark.parametrize("values", [pl.Series([[1], [2]]), pl.Series([b"1", b"2"])])
def test_other_types_are_refused(values: pl.Series, tmp_path: Path) -> None:
    """A column of lists or bytes cannot hold a label."""
    with pytest.raises(SpecError, match="neither text, numbers"):
        found(tmp_path, values, positive=1)
