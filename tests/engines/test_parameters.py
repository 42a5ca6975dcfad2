"""Values of parameters in conditions: hostile ones are only values, alike on every engine."""

import sqlite3
from contextlib import closing
from datetime import date
from typing import Any

import polars as pl
import pytest

import biaspipe

TEXTS = [
    "x' OR 1=1 --",
    "' OR '' = '",
    "x'; DROP TABLE rows; --",
    "'",
    "''",
    '"',
    '"secret"',
    "secret",
    "${other}",
    "${HOME}",
    "{text}",
    "%",
    "_",
    "\\",
    "\\'",
    "\\n",
    "a\nb",
    "\N{RIGHT SINGLE QUOTATION MARK}",
    "NULL",
    "true",
    "1",
    "0x1",
    "-- ",
    "/* */",
    "$1",
    "$$a$$",
    ":name",
    "?",
    "@x",
    "^sex$",
    "*",
    "e'\\x27'",
    "é",
    "\U0001f600",
    " ",
    "",
]
"""Each stands in one row, as a text and nothing else."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Write the texts, each in a row of its own, and say how each engine reads them."""
    folder = tmp_path_factory.mktemp("hostile")
    count = len(TEXTS)
    rows = pl.DataFrame(
        {
            "id": range(count),
            "text": TEXTS,
            "secret": [f"hidden {i}" for i in range(count)],
            "sex": ["m", "f"] * (count // 2),
            "day": [date(2026, 7, 1 + i // 2 % 2) for i in range(count)],
            "x": [(i - 18) / 10 for i in range(count)],
            "hired": ["yes"] * count,
        }
    )
    rows.write_parquet(folder / "rows.parquet")
    with closing(sqlite3.connect(folder / "rows.db")) as base:
        base.execute("CREATE TABLE rows (id INT, text TEXT, secret TEXT, sex TEXT, x REAL, hired)")
        kept = rows.drop("day").rows()
        base.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)", kept)
        base.commit()
    file = {"path": str(folder / "rows.parquet")}
    return {
        "polars": {"data": file},
        "duckdb": {"data": file, "engine": "duckdb"},
        "sqlite": {"data": {"table": "rows", "connection": f"sqlite:///{folder}/rows.db"}},
    }


def counted(place: dict[str, Any], where: str, **values: str | float | bool) -> int:
    """Return how many rows a condition with parameters keeps."""
    spec = {
        "version": 1,
        "name": "hostile",
        "parameters": dict.fromkeys(values),
        **place,
        "data": {**place["data"], "where": where},
        "columns": {
            "prediction": {"column": "hired", "positive": "yes", "constant": "allowed"},
        },
        "facets": {"sex": {"column": "sex"}},
        "metrics": {"DPPL": None},
    }
    data = biaspipe.run(spec, parameters=values).result.data
    return data.rows - data.ledger["sex"].removed_by_where


ENGINES = ["polars", "duckdb", "sqlite"]


@pytest.mark.combinations
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_hostile_text_finds_its_own_row(
    engine: str, text: str, places: dict[str, dict[str, Any]]
) -> None:
    """A text that looks like a piece of SQL finds the one row that holds it; OR keeps one more."""
    where = "text = ${hostile} OR id = ${other} AND x < 100"
    other = (TEXTS.index(text) + 1) % len(TEXTS)
    assert counted(places[engine], where, hostile=text, other=other) == 2


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("where", "value", "rows"),
    [
        ("x >= ${v}", 1, 8),
        ("x >= ${v}", 0.85, 9),
        ("x < -${v}", 1, 8),
        ("x < ${v}", -0.1, 17),
        ("${v} OR id = 3", True, 36),
        ("${v} OR id < 4", False, 4),
        ("starts_with(secret, ${v})", "hidden 1", 11),
        ("secret LIKE ${v}", "h% _", 10),
        ("text IN (${v}, 'NULL')", "' OR '' = '", 2),
        ("id % ${v} = 0", 9, 4),
    ],
)
def test_value_is_of_its_kind(
    engine: str, where: str, value: str | float | bool, rows: int, places: dict[str, dict[str, Any]]
) -> None:
    """Numbers, texts and booleans are compared as such, with the same rows on every engine."""
    assert counted(places[engine], where, v=value) == rows


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "where", ["day > ${v}", "day > DATE ${v}", "NOT day <= ${v}", "day NOT IN (${v})"]
)
def test_day_is_a_day_where_it_meets_one(
    engine: str, where: str, places: dict[str, dict[str, Any]]
) -> None:
    """A text that is a day of the calendar is compared as one with a column of dates."""
    assert counted(places[engine], where, v="2026-07-01") == 18


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_other_text_is_no_day(engine: str, places: dict[str, dict[str, Any]]) -> None:
    """A text that is no day is refused where it meets a column of dates."""
    with pytest.raises(biaspipe.SpecError, match="column 'day', which holds dates"):
        counted(places[engine], "day > ${v}", v="2026-07")
