"""Frames of odd types: each is counted by values that a person would write, or refused in words."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import biaspipe

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "odd",
    "columns": {"prediction": {"column": "p", "positive": 1}},
    "facets": {"group": {"column": "g"}},
    "metrics": {"DPPL": {"max_abs": 0.9}},
}
CHOSEN = [1, 1, 0, 1, 0, 0]
"""Of the first three people two are chosen, of the other three one."""
AGES = pd.Series([20, 21, 22, 60, 61, 62])
AGE_GROUPS = pd.cut(AGES, [18, 40, 99])


def in_pandas(group: Any) -> pd.DataFrame:
    """Return six people with a column of pandas for their groups."""
    return pd.DataFrame({"p": CHOSEN, "g": group})


def in_arrow(group: Any) -> pa.Table:
    """Return six people with a column of PyArrow for their groups."""
    return pa.table({"p": pa.array(CHOSEN), "g": group})


def disparities(frame: object) -> dict[str, float | None]:
    """Return the difference of each group from the rest."""
    checks = biaspipe.run(SPEC, data=frame).result.checks
    return {str(check.disfavored): check.value for check in checks}


COUNTED: dict[str, tuple[Callable[[], object], tuple[str, str]]] = {
    "categories of intervals": (lambda: in_pandas(AGE_GROUPS), ("(18, 40]", "(40, 99]")),
    "intervals": (
        lambda: in_pandas(pd.arrays.IntervalArray(AGE_GROUPS)),
        ("(18, 40]", "(40, 99]"),
    ),
    "periods": (
        lambda: in_pandas(pd.PeriodIndex(["2026-01"] * 3 + ["2026-02"] * 3, freq="M")),
        ("2026-01", "2026-02"),
    ),
    "sparse numbers": (
        lambda: in_pandas(pd.arrays.SparseArray([0, 0, 0, 7, 7, 7])),
        ("0", "7"),
    ),
    "times at a fixed offset": (
        lambda: in_pandas(
            pd.to_datetime(["2026-01-01T00:00+01:30"] * 3 + ["2026-01-02T00:00+01:30"] * 3)
        ),
        ("2025-12-31 22:30:00+00:00", "2026-01-01 22:30:00+00:00"),
    ),
    "categories of numbers": (
        lambda: in_pandas(pd.Series([1.5] * 3 + [2.5] * 3).astype("category")),
        ("1.5", "2.5"),
    ),
    "names that are no text": (
        lambda: in_pandas(["a"] * 3 + ["b"] * 3).assign(**{"1": 0}).rename(columns={"1": 1}),
        ("a", "b"),
    ),
    "dictionaries": (
        lambda: in_arrow(pa.array(["a"] * 3 + ["b"] * 3).dictionary_encode()),
        ("a", "b"),
    ),
    "whole numbers of 128 bits": (
        lambda: pl.DataFrame(
            {"p": CHOSEN, "g": pl.Series([2**100] * 3 + [1] * 3, dtype=pl.Int128)}
        ),
        ("1267650600228229401496703205376", "1"),
    ),
}


@pytest.mark.parametrize("case", COUNTED)
def test_odd_values_are_counted_as_they_are_written(case: str) -> None:
    """Two of three people of the first group are chosen, and one of three of the second."""
    make, (first, second) = COUNTED[case]
    assert disparities(make()) == pytest.approx({first: -1 / 3, second: 1 / 3})


def test_missing_intervals_are_missing() -> None:
    """Who is in no bin of pandas.cut is missing from the facet, and in no group of that name."""
    group = pd.cut(AGES.replace(62, 120), [18, 40, 99])
    report = biaspipe.run(SPEC, data=in_pandas(group))
    ledger = report.result.data.ledger["group"]
    assert ledger.facet_missing == 1
    assert [check.disfavored for check in report.result.checks] == ["(18, 40]", "(40, 99]"]


COMPLEX = np.array([1j, 2j, 3j, 4j, 5j, 6j])
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "complex numbers": (lambda: in_pandas(COMPLEX), "'g' holds complex128, which no engine"),
    "categories of complex numbers": (
        lambda: in_pandas(pd.Series(COMPLEX).astype("category")),
        "'g' holds complex128, which no engine",
    ),
    "floats of 80 bits": (
        lambda: in_pandas(np.arange(6, dtype=np.longdouble)),
        "'g' holds float128, which no engine",
    ),
    "whole numbers of 71 digits": (
        lambda: in_pandas(pd.Series([10**70] * 6, dtype=object)),
        "'g' cannot be read as values of one type",
    ),
    "categories of several types": (
        lambda: in_pandas(pd.Categorical(["a", 1, "a", 1, "a", 1])),
        "'g' cannot be read as values of one type",
    ),
    "names that are one as text": (
        lambda: pd.DataFrame([[1, 1]], columns=pd.Index([1, "1"], dtype=object)),
        "there are two columns '1'",
    ),
    "names that stand twice": (
        lambda: pa.table([pa.array(CHOSEN), pa.array(CHOSEN)], names=["p", "p"]),
        "there are two columns 'p'",
    ),
    "a union": (
        lambda: in_arrow(
            pa.UnionArray.from_dense(
                pa.array([0] * 6, pa.int8()), pa.array(range(6), pa.int32()), [pa.array(range(6))]
            )
        ),
        "'g' holds dense_union",
    ),
    "decimals of 256 bits": (
        lambda: in_arrow(pa.array([Decimal("1.5")] * 6, pa.decimal256(70, 2))),
        r"'g' holds decimal256\(70, 2\), which no engine",
    ),
    "a zone that does not exist": (
        lambda: in_arrow(pa.array([1] * 6, pa.timestamp("s", tz="Mars/Base"))),
        r"'g' holds timestamp\[s, tz=Mars/Base\]",
    ),
    "dates beyond the calendar": (
        lambda: in_arrow(pa.array([2**31 - 1] * 6, pa.date32())),
        r"\(frame\): a date lies before year 1 or after 9999",
    ),
    "a query that fails": (
        lambda: pl.LazyFrame({"p": CHOSEN}).with_columns(pl.col("g")),
        'unable to find column "g"',
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_counted_is_named(case: str) -> None:
    """A column that no engine can count is named with its type."""
    make, words = REFUSED[case]
    with pytest.raises(biaspipe.DataError, match=words):
        biaspipe.run(SPEC, data=make())


UNFIT: dict[str, Callable[[], object]] = {
    "lists": lambda: pl.DataFrame({"p": CHOSEN, "g": [[1]] * 6}),
    "structs": lambda: pl.DataFrame({"p": CHOSEN, "g": [{"a": 1}] * 6}),
    "bytes": lambda: pl.DataFrame({"p": CHOSEN, "g": [b"a"] * 6}),
    "objects": lambda: pl.DataFrame({"p": CHOSEN, "g": pl.Series([object()] * 6, dtype=pl.Object)}),
    "durations": lambda: pl.DataFrame(
        {"p": CHOSEN, "g": [date(2026, 1, 2) - date(2026, 1, 1)] * 6}
    ),
    "maps": lambda: in_arrow(pa.array([[("a", 1)]] * 6, pa.map_(pa.string(), pa.int64()))),
    "an extension of Arrow": lambda: in_arrow(
        pa.ExtensionArray.from_storage(pa.bool8(), pa.array(CHOSEN, pa.int8()))
    ),
}


@pytest.mark.parametrize("case", UNFIT)
def test_values_that_no_spec_can_name_are_refused(case: str) -> None:
    """A facet on nested or binary values is an error of the spec, and unused they do no harm."""
    frame = UNFIT[case]()
    with pytest.raises(biaspipe.SpecError, match="'g' holds neither text, numbers, true/false nor"):
        biaspipe.run(SPEC, data=frame)
    whole = {**SPEC, "facets": {"all": {"column": "p", "favored": 1}}}
    assert biaspipe.run(whole, data=frame).result.checks[0].value == 1.0


SHAPES: dict[str, tuple[Callable[[], object], str]] = {
    "a series of pandas": (lambda: AGES, r"no frame: Series\n.*to_frame\(\)"),
    "a series of polars": (lambda: pl.Series(CHOSEN), r"no frame: Series\n.*to_frame\(\)"),
    "an index": (lambda: pd.Index(CHOSEN), r"no frame: Index"),
    "groups": (lambda: in_pandas(AGE_GROUPS).groupby("p"), "no frame: DataFrameGroupBy"),
    "an array": (lambda: pa.array(CHOSEN), "no frame: Int64Array"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_what_is_no_frame_is_refused(case: str) -> None:
    """What has no columns is no frame, with the way to make one of it."""
    make, words = SHAPES[case]
    with pytest.raises(biaspipe.UsageError, match=words):
        biaspipe.run(SPEC, data=make())
