"""Conditions keep the rows that meet them, and look at no other row."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from math import nan
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.report import Result
from biaspipe.spec import EngineName
from tests.engines.builders import audited, labels, ledger, prepare, write

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


@pytest.mark.parametrize("day", ["2026-07-01", "2026-07-01T10:30:00", "2026-07-01T10:30:00Z"])
def test_dates_stay_dates_where_another_column_changes_its_type(day: str, tmp_path: Path) -> None:
    """A condition on dates holds although a later value changes the type of another column."""
    rows = (f"{'mf'[i % 2]},{1 if i < 1_200 else 'none'},{day}\n" for i in range(1_204))
    text = "sex,label,day\n" + "".join(rows)
    result = audited(tmp_path, text, data={"where": "day >= DATE '2026-07-01'"})
    assert labels(result) == (1200, 4, 0)


def test_dates_in_other_orders_are_not_guessed(tmp_path: Path) -> None:
    """Whether 07/01 is in July or in January is not guessed: such a text is no date."""
    text = "sex,label,day\n" + "m,1,07/01/2026\nf,0,08/01/2026\nm,0,01/01/2026\n"
    with pytest.raises(SpecError, match="the condition cannot be used"):
        audited(tmp_path, text, data={"where": "day >= DATE '2026-01-02'"})


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
        ("18 <= age <= 65", "write 18 <= age AND age <= 65, or BETWEEN"),
        ("age = 'old'", "column 'age', which holds whole numbers, is compared with 'old'"),
        ("member = 1", "column 'member', which holds true/false, is compared with 1"),
        ("day = '2026-07-01'", "DATE '2026-07-01'"),
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
        "QUANTILE_CONT(age, 0.5) > 1",
        "CORR(age, age) > 0",
        "COVAR_SAMP(age, age) > 0",
    ],
)
def test_condition_on_other_rows_is_a_wrong_spec(where: str, tmp_path: Path) -> None:
    """A condition that looks at more than one row is a wrong spec."""
    with pytest.raises(SpecError, match="for each row"):
        kept(tmp_path, where)


SCORES = EVERYBODY.join(pl.DataFrame({"s": [0.9, 0.6, nan, None, 0.4, nan]}), how="cross")


def by_table(folder: Path, where: str) -> Result:
    """Audit the scores in a table of SQLite, which holds NaN for missing."""
    with closing(sqlite3.connect(folder / "scores.db")) as files:
        files.execute("CREATE TABLE scores (sex TEXT, label INTEGER, s REAL)")
        files.executemany("INSERT INTO scores VALUES (?, ?, ?)", SCORES.rows())
        files.commit()
    data = {"table": "scores", "connection": f"sqlite://{folder}/scores.db", "where": where}
    return run(prepare(folder, data=data)).result


def by_file(engine: EngineName) -> Callable[[Path, str], Result]:
    """Return what audits the scores in a Parquet file."""

    def audit(folder: Path, where: str) -> Result:
        write(folder / "data.parquet", SCORES)
        loaded = prepare(folder, data={"path": "data.parquet", "where": where})
        return run(loaded, Options(engine=engine)).result

    return audit


def in_hand(made: Callable[[pl.DataFrame], Any]) -> Callable[[Path, str], Result]:
    """Return what audits the scores as a frame."""

    def audit(folder: Path, where: str) -> Result:
        loaded = prepare(folder, data={"path": "nowhere.parquet", "where": where})
        return run(loaded, Options(frame=made(SCORES))).result

    return audit


WAYS: dict[str, Callable[[Path, str], Result]] = {
    "polars": by_file("polars"),
    "duckdb": by_file("duckdb"),
    "a frame of polars": in_hand(lambda rows: rows),
    "a frame of pandas": in_hand(lambda rows: rows.to_pandas()),
    "a relation of DuckDB": in_hand(lambda rows: duckdb.from_arrow(rows.to_arrow())),
    "a table of SQLite": by_table,
}


@pytest.mark.combinations
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("where", "removed"),
    [
        ("s > 0.5", 16),
        ("s <= 0.5", 20),
        ("NOT s > 0.5", 20),
        ("NOT s <= 0.5", 16),
        ("s <> 0.4", 16),
        ("s IS NULL", 12),
        ("s IS NOT NULL", 12),
        ("s > 0.5 OR s <= 0.5", 12),
        ("s > 0.5 OR label = 1", 8),
    ],
)
def test_score_that_is_no_number_is_missing(
    where: str, removed: int, way: str, tmp_path: Path
) -> None:
    """A comparison with NaN is unknown, as with a missing value, and unknown removes the row."""
    assert ledger(WAYS[way](tmp_path, where))["removed_by_where"] == removed


@pytest.mark.parametrize("way", WAYS)
def test_chain_of_comparisons_is_a_wrong_spec(way: str, tmp_path: Path) -> None:
    """A chain, of which SQL keeps every row, is refused wherever the rows are."""
    with pytest.raises(SpecError, match=r"write 0.2 <= s AND s <= 0.8, or BETWEEN"):
        WAYS[way](tmp_path, "0.2 <= s <= 0.8")


def test_condition_is_refused_before_there_are_data(tmp_path: Path) -> None:
    """A condition that is none is a fault of the spec beside its others, without any data."""
    parts: dict[str, Any] = {"facets": {"sex": {"column": "sex", "compare": "favored"}}}
    with pytest.raises(SpecError) as raised:
        prepare(tmp_path, data={"path": "nowhere.csv", "where": "now() > day"}, **parts)
    assert [fault.loc for fault in raised.value.faults] == [
        ("facets", "sex", "compare"),
        ("data", "where"),
    ]


@pytest.mark.parametrize("column", ["Rank", "Len", "Over", "Shift", "Window", "Agg", "Quantile"])
def test_condition_may_use_a_column_of_any_name(column: str, tmp_path: Path) -> None:
    """A column may be called like something that looks at other rows."""
    frame = FRAME.rename({"age": column})
    assert ledger(kept(tmp_path, f"{column} > 20", frame))["removed_by_where"] == 8


def test_condition_that_removes_everything_is_faulty_data(tmp_path: Path) -> None:
    """A condition that no row meets leaves nothing to audit."""
    with pytest.raises(DataError, match="`where` removes all 24 rows"):
        kept(tmp_path, "age > 1000")


def test_value_that_a_condition_removes_does_not_occur(tmp_path: Path) -> None:
    """A value that occurs only in removed rows is refused like one that never occurs."""
    with pytest.raises(SpecError, match="'m' does not occur in sex"):
        kept(tmp_path, "sex = 'f'")


def test_text_may_be_named_twice(tmp_path: Path) -> None:
    """A condition may name a column of texts more than once."""
    result = audited(
        tmp_path, "sex,label\nm,1\nf,0\nx,1\n", data={"where": "sex = 'm' OR sex = 'f'"}
    )
    assert ledger(result) == {"favored": 1, "disfavored": 1, "removed_by_where": 1}
