"""Rows in hand give the results of the same rows in a file, whatever library holds them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from tests.engines.cases import CASES
from tests.engines.conformance import Case, Outcome, by_files, outcome, same, without_place

CHOSEN = {
    *("Int64", "UInt64", "Float32", "Float64", "zeros", "Decimal", "Boolean", "String", "Enum"),
    *("Categorical", "Date", "Datetime in ms", "Datetime in ns", "Datetime with a zone"),
    *("Decimal without the value", "List as a facet", "Struct that nobody asks for"),
    *("no rows", "no column for a facet", "no such group", "features of every type"),
    *("strata of nothing but null", "label of nothing but NaN", "facet of nothing but Int32"),
    *("intervals and intersections", "ways to compare", "limits of Float32", "limits of Decimal"),
    *("frequencies in UInt64", "samples of tenths", "frequency: negative", "sampling: tiny"),
    *("where city = 'it''s' OR NOT member", "where age > 1000", "where agge > 1"),
}
WAYS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda rows: rows,
    "pandas": lambda rows: rows.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": lambda rows: rows.to_arrow(),
    "duckdb": lambda rows: duckdb.from_arrow(rows.to_arrow()),
}


def test_chosen_audits_exist() -> None:
    """Every audit that is chosen by its name is there."""
    assert not CHOSEN - {case.name for case in CASES}


@pytest.fixture(scope="module")
def of_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Outcome]:
    """Return what gives the outcome of Parquet files, which is found once for each case."""
    found: dict[str, Outcome] = {}

    def outcome_of(case: Case) -> Outcome:
        if case.name not in found:
            of_case = outcome(by_files(case, tmp_path_factory.mktemp("files")))
            found[case.name] = without_place(of_case, "data.parquet")
        return found[case.name]

    return outcome_of


@pytest.mark.combinations
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", [c for c in CASES if c.name in CHOSEN], ids=lambda c: c.name)
def test_rows_in_hand_have_the_same_result(
    case: Case, way: str, of_files: Callable[[Case], Outcome], tmp_path: Path
) -> None:
    """An audit of a frame has the result, or the error, of an audit of a Parquet file."""
    loaded = case.loaded(tmp_path, lambda name: {"path": f"{name}.parquet"})
    found = outcome(loaded, frame=WAYS[way](case.rows))
    same(case, of_files(case), without_place(found, "(frame)"))
