"""Joins add columns to every row and lose none; keys are unique on the right."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.report import Result
from tests.engines.builders import (
    WAYS,
    audited,
    by_metric,
    count_as_large,
    ledger,
    names,
    write,
)

LEFT = pl.DataFrame({"id": [1, 2, 3, 4, None], "label": [1, 0, 0, 1, 1]})
RIGHT = pl.DataFrame({"id": [1, 2, 3, 9], "sex": ["m", "f", "m", "f"]})


def joined(
    folder: Path,
    right: pl.DataFrame,
    left: pl.DataFrame = LEFT,
    *,
    on: str | list[str] = "id",
    **parts: Any,
) -> Result:
    """Audit a table with another one joined to it."""
    write(folder / "people.parquet", right)
    join = [{"path": "people.parquet", "on": on}]
    return audited(folder, left, data={"join": join, **parts})


def test_join_adds_columns(tmp_path: Path) -> None:
    """A join adds the columns of the right to every row, missing without a partner."""
    result = joined(tmp_path, RIGHT)
    assert names(result) == [("m", "f")]
    assert ledger(result) == {"favored": 2, "disfavored": 1, "facet_missing": 2}
    assert [file.path for file in result.data.inputs] == ["data.parquet", "people.parquet"]


def test_join_counts_rows_without_a_partner(tmp_path: Path) -> None:
    """Rows without a partner in a joined table are counted, a missing key among them."""
    (record,) = joined(tmp_path, RIGHT).data.joins or ()
    assert (record.path, record.on, record.unmatched) == ("people.parquet", ("id",), 2)


def test_missing_keys_do_not_meet(tmp_path: Path) -> None:
    """A missing key finds no partner, and may stand on the right more than once."""
    right = pl.concat([RIGHT, pl.DataFrame({"id": [None, None], "sex": ["f", "f"]})])
    result = joined(tmp_path, right)
    assert ledger(result) == {"favored": 2, "disfavored": 1, "facet_missing": 2}


def test_condition_may_use_joined_columns(tmp_path: Path) -> None:
    """A condition is applied after the joins and sees their columns."""
    right = RIGHT.with_columns(age=pl.Series([20, 30, 40, 50]))
    result = joined(tmp_path, right, where="age < 40")
    assert ledger(result) == {"favored": 1, "disfavored": 1, "removed_by_where": 3}


def test_join_on_several_columns(tmp_path: Path) -> None:
    """Several key columns are one key together."""
    left = pl.DataFrame({"id": [1, 1, 2], "year": [1, 2, 1], "label": [1, 0, 1]})
    right = pl.DataFrame({"id": [1, 1, 3], "year": [1, 2, 1], "sex": ["m", "f", "f"]})
    result = joined(tmp_path, right, left, on=["id", "year"])
    assert ledger(result) == {"favored": 1, "disfavored": 1, "facet_missing": 1}


@pytest.mark.parametrize("key", ["len", "keys", "rows", "n", "kept", "value", "key0"])
def test_key_may_have_any_name(key: str, tmp_path: Path) -> None:
    """A key column may be called like anything that counting uses itself."""
    result = joined(tmp_path, RIGHT.rename({"id": key}), LEFT.rename({"id": key}), on=key)
    assert ledger(result) == {"favored": 2, "disfavored": 1, "facet_missing": 2}


def test_joins_follow_each_other(tmp_path: Path) -> None:
    """A later join may use a column of an earlier one as its key."""
    write(tmp_path / "people.csv", "id,team\n1,a\n2,b\n3,a\n4,c\n")
    write(tmp_path / "teams.csv", "team,sex\na,m\nb,f\n")
    join = [{"path": "people.csv", "on": "id"}, {"path": "teams.csv", "on": "team"}]
    result = audited(tmp_path, LEFT, data={"join": join})
    assert [j.unmatched for j in result.data.joins or ()] == [1, 2]
    assert ledger(result) == {"favored": 2, "disfavored": 1, "facet_missing": 2}


def test_keys_that_change_their_type_still_meet(tmp_path: Path) -> None:
    """Keys of two text tables meet although one table shows its texts only after many rows."""
    keys = [str(i) for i in range(1_200)] + ["A7", "A8"]
    write(tmp_path / "data.csv", "id,label\n" + "".join(f"{k},1\n" for k in keys))
    rows = (f"{k},{'mf'[i % 2]}\n" for i, k in enumerate(reversed(keys)))
    write(tmp_path / "people.csv", "id,sex\n" + "".join(rows))
    result = audited(tmp_path, None, data={"join": [{"path": "people.csv", "on": "id"}]})
    assert ledger(result) == {"favored": 601, "disfavored": 601}


def test_repeated_keys_are_faulty_data(tmp_path: Path) -> None:
    """A key that stands twice on the right is refused with file, column, value and number."""
    right = pl.concat([RIGHT, RIGHT.filter(pl.col("id") == 2)])
    with pytest.raises(DataError, match=r"people\.parquet: 1 key.* id = 2 in 2"):
        joined(tmp_path, right)


@pytest.mark.parametrize("dtype", [pl.String, pl.Int32, pl.Float64])
def test_keys_of_two_types_are_faulty_data(dtype: type[pl.DataType], tmp_path: Path) -> None:
    """Keys of different types are refused with the key and both files."""
    with pytest.raises(DataError, match=r"'id' holds Int64 in data\.parquet.* people\.parquet"):
        joined(tmp_path, RIGHT.cast({"id": dtype}))


@pytest.mark.parametrize(
    ("right", "on", "words"),
    [
        (RIGHT.rename({"id": "idd"}), "id", r"people\.parquet has no column 'id'"),
        (RIGHT.rename({"id": "key"}), "key", r"data\.parquet has no column 'key'"),
        (RIGHT.with_columns(label=1), "id", r"'label': in data\.parquet and in people\.parquet"),
    ],
)
def test_columns_that_do_not_fit_are_a_wrong_spec(
    right: pl.DataFrame, on: str, words: str, tmp_path: Path
) -> None:
    """A key that one table lacks, or a column that both have, is a wrong spec."""
    with pytest.raises(SpecError, match=words):
        joined(tmp_path, right, on=on)


PEOPLE = pl.DataFrame({"sex": ["m", "f", "m", "f", "m"]})


def by_position(folder: Path, right: pl.DataFrame, **parts: Any) -> Result:
    """Audit a table with another one beside it, row by row."""
    write(folder / "people.parquet", right)
    join = [{"path": "people.parquet", "by": "position"}]
    return audited(folder, LEFT, data={"join": join, **parts})


def test_join_by_position(tmp_path: Path) -> None:
    """Rows that meet by position all have a partner, in the order of the files."""
    result = by_position(tmp_path, PEOPLE, where="id < 4")
    assert ledger(result) == {"favored": 2, "disfavored": 1, "removed_by_where": 2}
    (record,) = result.data.joins or ()
    assert (record.path, record.on, record.unmatched) == ("people.parquet", None, 0)


@pytest.mark.parametrize("rows", [4, 0])
def test_lengths_must_agree_by_position(rows: int, tmp_path: Path) -> None:
    """A table that is joined by position and has other rows is faulty, and both are counted."""
    with pytest.raises(
        DataError, match=rf"data\.parquet has 5 rows and people\.parquet has {rows},"
    ):
        by_position(tmp_path, PEOPLE.head(rows))


def test_no_column_twice_by_position(tmp_path: Path) -> None:
    """Tables that are joined by position share no column."""
    with pytest.raises(SpecError, match=r"'id': in data\.parquet and in people\.parquet"):
        by_position(tmp_path, PEOPLE.with_columns(id=1))


@pytest.mark.parametrize("way", WAYS)
def test_position_is_kept_beside_a_key(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions are those of the data's files, wherever a join by key stands in the list."""
    count_as_large(monkeypatch, way)
    rows = 5_000
    left = pl.DataFrame({"id": range(rows), "label": [1, 0] * (rows // 2)})
    write(tmp_path / "teams.parquet", left.select("id", team="label").sample(rows, shuffle=True))
    sexes = "".join(f"{'mf'[i % 2]}\n" for i in range(rows))
    write(tmp_path / "people.csv", "sex\n" + sexes)
    join = [{"path": "teams.parquet", "on": "id"}, {"path": "people.csv", "by": "position"}]
    metrics = {"DPL": None}
    result = audited(tmp_path, left, data={"join": join, "where": "team >= 0"}, metrics=metrics)
    assert by_metric(result)["DPL"].value == 1


def test_joined_files_in_order(tmp_path: Path) -> None:
    """Several files on each side are one table in the order of the spec."""
    for i in range(2):
        write(tmp_path / f"data{i}.csv", f"label\n{i}\n{i}\n")
    write(tmp_path / "people.csv", "sex\nm\nm\nf\nf\n")
    data = {
        "path": ["data1.csv", "data0.csv"],
        "join": [{"path": "people.csv", "by": "position"}],
    }
    result = audited(tmp_path, data=data, metrics={"DPL": None})
    assert by_metric(result)["DPL"].value == 1
