"""Weights are whole numbers of people; anything else is faulty data with an example."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.report import Result
from tests.engines.builders import Content, audited, comparisons

COLUMNS = {"label": {"column": "label", "positive": 1}, "weight": "people"}


def table(weights: pl.Series) -> pl.DataFrame:
    """Return two men with the label 1 and 0, then two women, with these weights."""
    return pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0], "people": weights})


def weighed(folder: Path, content: Content, **data: Any) -> Result:
    """Audit rows with a weight."""
    return audited(folder, content, columns=COLUMNS, data=data)


def people(result: Result) -> list[tuple[int, float, float | None]]:
    """Return rows, people and favorable labels of either side."""
    (comparison,) = comparisons(result)
    return [(g.rows, g.n, g.positives) for g in comparison.counts.values()]


@pytest.mark.parametrize(
    "weights",
    [
        pl.Series([3, 2, 0, 4]),
        pl.Series([3, 2, 0, 4], dtype=pl.Int8),
        pl.Series([3, 2, 0, 4], dtype=pl.UInt64),
        pl.Series([3.0, 2.0, 0.0, 4.0]),
        pl.Series([3.0, 2.0, -0.0, 4.0], dtype=pl.Float32),
        pl.Series([Decimal("3.00"), Decimal(2), Decimal(0), Decimal(4)]),
    ],
)
def test_weight_is_a_number_of_people(weights: pl.Series, tmp_path: Path) -> None:
    """A weight of any type of number counts its people, beside the rows."""
    assert people(weighed(tmp_path, table(weights))) == [(2, 5, 3), (2, 4, 0)]


def test_weights_add_up_beyond_their_type(tmp_path: Path) -> None:
    """The sum of weights may be larger than any of them can be."""
    weights = pl.Series([127, 127, 100, 100], dtype=pl.Int8)
    assert people(weighed(tmp_path, table(weights))) == [(2, 254, 127), (2, 200, 100)]


def test_large_weights_are_exact(tmp_path: Path) -> None:
    """Numbers of people are exact where floats are not."""
    weights = pl.Series([2**53 + 1, 2, 1, 1])
    assert people(weighed(tmp_path, table(weights)))[0] == (2, 2**53 + 3, 2**53 + 1)


def test_group_of_weight_zero_is_there(tmp_path: Path) -> None:
    """A group whose rows stand for nobody is compared, with no people."""
    result = weighed(tmp_path, table(pl.Series([3, 2, 0, 0])))
    assert people(result) == [(2, 5, 3), (2, 0, 0)]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (pl.Series([3, -2, 1, -4]), r"data\.parquet: column 'people': 2 rows .* such as -2"),
        (pl.Series([3, None, 1, 4]), r"data\.parquet: column 'people': 1 row .* such as missing"),
        (pl.Series([3.0, float("nan"), 1.0, 4.0]), "'people': 1 row .* such as missing"),
        (pl.Series([3.0, 2.5, 0.5, 4.0]), r"'people': 2 rows .* such as 2\.5"),
        (pl.Series([3.0, float("inf"), 1.0, 4.0]), "'people': 1 row .* such as inf"),
        (pl.Series([3.0, 1e19, 1.0, 4.0]), r"'people': 1 row .* such as 1e\+19"),
        (pl.Series([Decimal("2.50")] * 4), r"'people': 4 rows .* such as .*2\.50"),
        (pl.Series([2**63] * 4, dtype=pl.UInt64), "'people'.* 9223372036854775808"),
        (pl.Series([2**62] * 4), "'people': the weight 4611686018427387904 is too large"),
    ],
)
def test_faulty_weight_is_faulty_data(weights: pl.Series, words: str, tmp_path: Path) -> None:
    """A weight that is no number of people is refused with column, value and number of rows."""
    with pytest.raises(DataError, match=words):
        weighed(tmp_path, table(weights))


def test_hint_says_what_a_weight_is(tmp_path: Path) -> None:
    """The refusal of a weight says what a weight is, and how to declare one of another kind."""
    with pytest.raises(DataError) as caught:
        weighed(tmp_path, table(pl.Series([1.0, 0.5, 1.0, 1.0])))
    assert caught.value.hint == (
        "a weight is the whole number of people that a row stands for, 0 or more;"
        " for any other number: weight: {column: people, kind: sampling}"
    )


def test_whole_people_have_no_effective_number(tmp_path: Path) -> None:
    """Under weights that are numbers of people, everyone counts in full."""
    (comparison,) = comparisons(weighed(tmp_path, table(pl.Series([3, 2, 0, 4]))))
    assert [g.effective for g in comparison.counts.values()] == [None, None]


def test_empty_weight_of_a_text_table_is_missing(tmp_path: Path) -> None:
    """An empty weight is missing, which no weight may be."""
    with pytest.raises(DataError, match=r"data\.csv: column 'people': 1 row .* such as missing"):
        weighed(tmp_path, "sex,label,people\nm,1,3\nf,0,\n")


def test_weights_of_removed_rows_do_not_matter(tmp_path: Path) -> None:
    """A faulty weight in a row that the condition removes is no fault."""
    frame = pl.concat([table(pl.Series([3, 2, 1, 4])), table(pl.Series([-1, -1, -1, -1]))])
    assert people(weighed(tmp_path, frame, where="people >= 0")) == [(2, 5, 3), (2, 5, 1)]


@pytest.mark.parametrize("weights", [pl.Series(["3", "2", "1", "4"]), pl.Series([True] * 4)])
def test_weight_has_to_be_a_number(weights: pl.Series, tmp_path: Path) -> None:
    """A weight in a column of texts or booleans is a wrong spec."""
    with pytest.raises(SpecError, match="the weight is not a number"):
        weighed(tmp_path, table(weights))


def test_count_table_equals_its_rows(tmp_path: Path) -> None:
    """A count table has the counts of the rows that it stands for."""
    whole = pl.DataFrame({"sex": ["m"] * 5 + ["f"] * 4, "label": [1, 1, 1, 0, 0, 1, 0, 0, 0]})
    table_of_counts = whole.group_by("sex", "label").len("people")
    (one,) = comparisons(weighed(tmp_path, table_of_counts))
    (other,) = comparisons(audited(tmp_path, whole))
    for side in ("favored", "disfavored"):
        counted = {"n", "positives", "negatives", "labels", "label_rate"}
        assert one.counts[side].model_dump(include=counted) == (
            other.counts[side].model_dump(include=counted)
        )
