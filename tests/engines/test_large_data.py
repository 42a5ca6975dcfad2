"""Data is counted alike whether the engine takes it for small or for large."""

from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from biaspipe.report import Result, canonical_json
from tests.engines.builders import WAYS, audited, comparisons, count_as_large

each_way = pytest.mark.parametrize("way", [*WAYS][1:])
COLUMNS: dict[str, pl.Series] = {
    "Int64": pl.Series([3, -1, None, 3, 2**40]),
    "UInt64": pl.Series([3, 2**63, None, 3, 2**64 - 1], dtype=pl.UInt64),
    "Boolean": pl.Series([True, False, None, True, True]),
    "String": pl.Series(["b", "", None, "True", "1"]),
    "Enum": pl.Series(["b", "a", None, "b", "c"], dtype=pl.Enum(["c", "b", "a"])),
    "Categorical": pl.Series(["b", "a", None, "b", "c"], dtype=pl.Categorical),
    "Float32": pl.Series([0.1, -0.0, None, float("nan"), 0.0], dtype=pl.Float32),
    "Float64": pl.Series([0.1, -0.0, None, float("nan"), 1e300]),
    "Decimal": pl.Series([1, 2, None, 1, 3]).cast(pl.Decimal(10, 2)),
    "Date": pl.Series([date(2026, 7, 1), date(2026, 7, 2), None, date(2026, 7, 1), None]),
    "Datetime": pl.Series([datetime(2026, 7, d) for d in (1, 2, 3, 1)] + [None]),
}


def both(
    folder: Path, monkeypatch: pytest.MonkeyPatch, way: str, frame: pl.DataFrame, **parts: Any
) -> tuple[Result, Result]:
    """Audit data as small and as large."""
    usual = audited(folder, frame, **parts)
    count_as_large(monkeypatch, way)
    return usual, audited(folder, frame, **parts)


@pytest.mark.combinations
@each_way
@pytest.mark.parametrize("dtype", COLUMNS)
def test_values_of_every_type_are_counted_alike(
    dtype: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facet, stratum and label of any type have the same counts in large data."""
    held = pl.concat([COLUMNS[dtype]] * 4)
    frame = pl.DataFrame({"held": held, "label": [0, 1, 1, 0] * 5, "sex": [*"mfmmf"] * 4})
    usual, large = both(
        tmp_path,
        monkeypatch,
        way,
        frame,
        columns={"label": {"column": "label", "positive": 1}, "strata": ["held"]},
        facets={"held": {"column": "held"}, "sex": {"column": "sex"}},
        metrics={"all": None},
    )
    assert canonical_json(large) == canonical_json(usual)


@each_way
def test_conditions_and_joins_are_counted_alike(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removed rows and rows without a partner are counted in large data too."""
    frame = pl.DataFrame({"id": range(40), "label": [0, 1, 1, 0] * 10})
    people = pl.DataFrame({"id": range(30), "sex": [*"mfx"] * 10, "age": [20, 40, None] * 10})
    people.write_csv(tmp_path / "people.csv")
    usual, large = both(
        tmp_path,
        monkeypatch,
        way,
        frame,
        data={"where": "id >= 4", "join": [{"path": "people.csv", "on": "id"}]},
        facets={"sex": {"column": "sex"}, "age": {"column": "age", "disfavored": {"below": 30}}},
    )
    assert usual.data.joins is not None
    assert usual.data.joins[0].unmatched == 10
    assert usual.data.ledger["sex"].removed_by_where == 4
    assert canonical_json(large) == canonical_json(usual)


@each_way
def test_many_columns_are_counted_alike(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More combinations of values than a packed key can hold are counted right."""
    random = Random(1)
    names = [f"f{i}" for i in range(14)]
    frame = pl.DataFrame(
        {"label": [0, 1] * 30, **{name: random.choices("abcdefgh", k=60) for name in names}}
    )
    facets: dict[str, Any] = {name: {"column": name} for name in names}
    usual, large = both(tmp_path, monkeypatch, way, frame, facets=facets)
    assert canonical_json(large) == canonical_json(usual)
    for name in names:
        expected = frame.group_by(name).len().sort(name)["len"].to_list()
        assert [c.counts["disfavored"].rows for c in comparisons(large, name)] == expected
