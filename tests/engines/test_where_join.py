"""Conditions keep the rows that meet them; joins add columns and lose no row."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.report import Result
from tests.engines.builders import audited, labels, ledger, names, write

EVERYBODY = pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0]})
CASES = pl.DataFrame(
    [
        (date(2026, 7, 1), "Bonn", 20, True),
        (date(2026, 6, 30), "Ulm", 30, None),
        (date(2026, 7, 2), None, 40, True),
        (None, "Bonn", 50, False),
        (date(2026, 7, 1), "Ulm", None, True),
        (date(2026, 8, 1), "Bonn", 60, True),
    ],
    schema=["day", "city", "age", "member"],
    orient="row",
)
FRAME = CASES.join(EVERYBODY, how="cross")
"""Six cases, each with four people: whichever a condition keeps, all groups and labels occur."""


def kept(folder: Path, where: str, frame: pl.DataFrame = FRAME) -> Result:
    """Audit the rows that meet a condition."""
    return audited(folder, frame, data={"where": where})


@pytest.mark.parametrize(
    ("where", "removed"),
    [
        ("day >= DATE '2026-07-01'", 2),
        ("day BETWEEN DATE '2026-06-30' AND DATE '2026-07-01'", 3),
        ("city = 'Bonn'", 3),
        ("city <> 'Bonn'", 4),
        ("city LIKE 'B%'", 3),
        ("city IN ('Bonn', 'Ulm')", 1),
        ("city NOT IN ('Ulm')", 3),
        ("age >= 30 AND age < 60", 3),
        ("age = 20 OR city = 'Ulm'", 3),
        ("age % 20 = 0", 3),
        ("age / 2 >= 15", 2),
        ("age IS NOT NULL", 1),
        ("city IS NULL OR age > 25", 2),
        ("NOT member", 5),
        ("member", 2),
        ("COALESCE(member, TRUE)", 1),
        ("UPPER(city) = 'BONN'", 3),
        ("CASE WHEN age > 25 THEN TRUE ELSE FALSE END", 2),
        ("1 = 1", 0),
    ],
)
def test_condition_removes_the_rows_that_do_not_meet_it(
    where: str, removed: int, tmp_path: Path
) -> None:
    """Rows for which a condition is false or unknown are removed and counted."""
    result = kept(tmp_path, where)
    assert result.data.rows == 24
    assert ledger(result).get("removed_by_where", 0) == 4 * removed


@pytest.mark.parametrize("value", ["'2026-07-01'", "DATE '2026-07-01'"])
def test_dates_of_a_text_table_are_dates(value: str, tmp_path: Path) -> None:
    """A condition compares the dates of a text table as dates."""
    text = "sex,label,day\nm,1,2026-07-01\nf,0,2026-07-02\nf,1,2026-06-30\nm,1,\n"
    result = audited(tmp_path, text, data={"where": f"day >= CAST({value} AS DATE)"})
    assert ledger(result) == {"favored": 1, "disfavored": 1, "removed_by_where": 2}


@pytest.mark.parametrize("day", ["2026-07-01", "2026-07-01T10:30:00"])
def test_dates_stay_dates_where_another_column_changes_its_type(day: str, tmp_path: Path) -> None:
    """A condition on dates holds although a later value changes the type of another column."""
    rows = (f"{'mf'[i % 2]},{1 if i < 1_200 else 'none'},{day}\n" for i in range(1_204))
    text = "sex,label,day\n" + "".join(rows)
    result = audited(tmp_path, text, data={"where": "day >= DATE '2026-07-01'"})
    assert labels(result) == (1200, 4, 0)


def test_dates_of_json_lines_are_compared(tmp_path: Path) -> None:
    """A condition compares the dates of JSON lines once it makes them dates."""
    text = '{"sex":"m","label":1,"day":"2026-07-01"}\n{"sex":"f","label":0,"day":"2026-08-01"}\n'
    where = "DATE(day) >= DATE '2026-07-01'"
    assert labels(audited(tmp_path, text, "d.ndjson", data={"where": where})) == (1, 1, 0)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("agge > 20", "data.parquet has no column 'agge'\n(.*\n)*.*did you mean 'age'"),
        ("SEX = 'm'", "did you mean 'sex'"),
        ("age", "not true or false"),
        ("age + 1", "not true or false"),
        ("'yes'", "not true or false"),
        ("age >", "the condition cannot be used"),
        ("age > 20; DROP TABLE x", "the condition cannot be used"),
        ("city > 20", "the condition cannot be used"),
        ("age IN (SELECT age FROM x)", "the condition cannot be used"),
        ("wrong(age) > 1", "the condition cannot be used"),
    ],
)
def test_condition_that_cannot_be_used_is_a_wrong_spec(
    where: str, words: str, tmp_path: Path
) -> None:
    """A condition on an unknown column, of another type or with a slip is a wrong spec."""
    with pytest.raises(SpecError, match=words):
        kept(tmp_path, where)


@pytest.mark.parametrize(
    "where",
    [
        "SUM(age) > 1",
        "COUNT(*) > 0",
        "age > AVG(age)",
        "member AND MAX(age) > 1",
        "MAX(age) OVER () > 1",
        "RANK() OVER (ORDER BY age) > 1",
        "ROW_NUMBER() OVER (ORDER BY age) > 1",
        "FIRST(age) = 20",
    ],
)
def test_condition_on_other_rows_is_a_wrong_spec(where: str, tmp_path: Path) -> None:
    """A condition that looks at more than one row is a wrong spec."""
    with pytest.raises(SpecError, match="for each row"):
        kept(tmp_path, where)


def test_condition_that_removes_everything_is_faulty_data(tmp_path: Path) -> None:
    """A condition that no row meets leaves nothing to audit."""
    with pytest.raises(DataError, match="`where` removes all 24 rows"):
        kept(tmp_path, "age > 1000")


def test_value_that_a_condition_removes_does_not_occur(tmp_path: Path) -> None:
    """A value that occurs only in removed rows is refused like one that never occurs."""
    with pytest.raises(SpecError, match="'m' does not occur in sex"):
        kept(tmp_path, "sex = 'f'")


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
