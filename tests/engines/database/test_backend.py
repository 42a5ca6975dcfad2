"""Tables of databases that are files: DuckDB and SQLite, through Ibis."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from biaspipe.conditions import columns_of, parse_condition
from biaspipe.engines import open_engine
from biaspipe.engines.database.backend import DatabaseBackend
from biaspipe.engines.database.connection import fill_variables
from biaspipe.errors import BiaspipeError, DataError, SpecError, UsageError
from biaspipe.pipeline import run
from biaspipe.report import canonical_json
from biaspipe.spec import Data
from tests.engines.builders import prepare, write
from tests.engines.conditions import ALIKE, LINES
from tests.engines.conformance import kept
from tests.engines.evaluator import answers
from tests.examples import some

ROWS = pl.DataFrame(
    {
        "id": list(range(12)),
        "sex": ["m", "f", None, "m", "f", "x"] * 2,
        "label": [1, 0, 1, 0, 1, 1, 0, 0, None, 1, 1, 0],
        "score": [0.1, 0.9, None, 0.5, 0.4, 0.7] * 2,
        "w": [1.5, 0.25, 3.0, 0.1] * 3,
        "city": ["Köln", "Ulm", "it's"] * 4,
    }
)
PEOPLE = pl.DataFrame(
    {"id": [*range(10), 40], "age": [20, 30, 40, 50, 60, None] * 1 + [25, 35, 45, 55, 65]}
)
SPEC: dict[str, Any] = {
    "columns": {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "score", "at_least": 0.5},
        "strata": ["city"],
        "weight": {"column": "w", "kind": "sampling"},
    },
    "facets": {
        "sex": {"column": "sex", "favored": "m"},
        "city": {"column": "city"},
        "age": {
            "column": "age",
            "groups": {"young": {"below": 40}, "old": {"at_least": 40}},
            "favored": "old",
        },
        "both": {"cross": ["sex", "age"]},
    },
    "metrics": {"DPL": None, "DI": None, "RD": None, "CDDL": None, "GE": None, "KL": None},
}
PLAIN = LINES.select("id", "city", "age", "small", "x", "price", "order", "two words", "nothing")
"""What SQLite has types for; decimals are floats there, and NaN is missing."""
JOIN = [{"table": "people", "on": "id"}]
WHERE = "score IS NOT NULL OR label = 1"


@pytest.fixture(params=["duckdb", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a file with two tables."""
    path = tmp_path / f"rows.{request.param}"
    tables = {"decisions": ROWS, "people": PEOPLE}
    if request.param == "duckdb":
        with closing(duckdb.connect(str(path))) as base:
            for name, frame in tables.items():
                base.register("frame", frame.to_arrow())
                base.execute(f"CREATE TABLE {name} AS FROM frame")
    else:
        with closing(sqlite3.connect(path)) as files:
            for name, frame in tables.items():
                kinds = {"Int64": "INTEGER", "Float64": "REAL", "String": "TEXT"}
                columns = ", ".join(f"{n} {kinds[str(t)]}" for n, t in frame.schema.items())
                files.execute(f"CREATE TABLE {name} ({columns})")
                marks = ", ".join("?" * frame.width)
                files.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())  # noqa: S608 - names of this test
            files.commit()
    return f"{request.param}://{path}"


def by_table(folder: Path, url: str, table: str = "decisions", **more: Any) -> dict[str, Any]:
    """Run the audit of a table and return its result."""
    data = {"table": table, "connection": url, **more}
    result: dict[str, Any] = json.loads(
        canonical_json(run(prepare(folder, data=data, **SPEC)).result)
    )
    return result


def test_database_counts_as_polars_does(url: str, tmp_path: Path) -> None:
    """Tables joined in a database give the result that files give; only the inputs differ."""
    write(tmp_path / "decisions.parquet", ROWS)
    write(tmp_path / "people.parquet", PEOPLE)
    join = [{"path": "people.parquet", "on": "id"}]
    files = {"path": "decisions.parquet", "where": WHERE, "join": join}
    expected = json.loads(canonical_json(run(prepare(tmp_path, data=files, **SPEC)).result))
    found = by_table(tmp_path, url, where=WHERE, join=JOIN)
    for result in (expected, found):
        del result["audit"], result["data"]["inputs"]
    assert json.dumps(found).replace('"people"', '"people.parquet"') == json.dumps(expected)


def test_report_names_the_tables(url: str, tmp_path: Path) -> None:
    """The report holds the tables as inputs, without size or digest."""
    found = by_table(tmp_path, url, join=JOIN)
    assert found["data"]["inputs"] == [
        {"path": "decisions", "bytes": None, "sha256": None},
        {"path": "people", "bytes": None, "sha256": None},
    ]


def test_table_that_is_not_there(url: str, tmp_path: Path) -> None:
    """A missing table is an error that proposes the nearest one."""
    with pytest.raises(DataError, match=r"decision: there is no such table\n.*'decisions'"):
        by_table(tmp_path, url, "decision")


def test_condition_of_an_unknown_column(url: str, tmp_path: Path) -> None:
    """A condition on a column that the table lacks is refused with the nearest one."""
    with pytest.raises(SpecError, match="decisions has no column 'scores'"):
        by_table(tmp_path, url, where="scores > 1", join=JOIN)


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_conditions_keep_the_same_rows(scheme: str, tmp_path: Path) -> None:
    """Conditions keep the rows in a database that plain Python keeps."""
    path = tmp_path / "lines.db"
    floats = pl.col(pl.Decimal).cast(pl.Float64)
    rows = PLAIN.with_columns(floats) if scheme == "sqlite" else LINES.drop("void", "kind")
    if scheme == "duckdb":
        with closing(duckdb.connect(str(path))) as base:
            base.register("frame", rows.to_arrow())
            base.execute("CREATE TABLE lines AS FROM frame")
    else:
        with closing(sqlite3.connect(path)) as base:
            base.execute(
                "CREATE TABLE lines (id INTEGER, city TEXT, age INTEGER, small INTEGER, x REAL,"
                ' price REAL, "order" INTEGER, "two words" INTEGER, "nothing" INTEGER)'
            )
            base.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows.rows())
            base.commit()
    loaded = prepare(tmp_path, data={"table": "lines", "connection": f"{scheme}://{path}"})
    engine = open_engine(loaded.audit, tmp_path)
    asked = some(w for w in ALIKE if set(columns_of(parse_condition(w))) <= set(rows.columns))
    with closing(engine):
        found = {where: kept(engine, where) for where in asked}
    assert found == {where: answers(where, rows) for where in asked}


def test_nothing_is_written(url: str, tmp_path: Path) -> None:
    """The file of a database stays as it is, byte by byte."""
    path = Path(url.partition("://")[2])
    before = path.read_bytes()
    by_table(tmp_path, url, join=JOIN)
    assert path.read_bytes() == before


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_file_that_is_not_there(scheme: str, tmp_path: Path) -> None:
    """A database file that is missing is an error, and is not made."""
    path = tmp_path / "missing.db"
    with pytest.raises(DataError, match="there is no file"):
        DatabaseBackend(Data.model_validate({"table": "t", "connection": f"{scheme}://{path}"}))
    assert not path.exists()


def test_floats_that_are_no_numbers(tmp_path: Path) -> None:
    """NaN in a table of DuckDB is a missing value, whatever the statistics of the table say."""
    path = tmp_path / "nan.duckdb"
    with closing(duckdb.connect(str(path))) as base:
        base.execute(
            "CREATE TABLE t AS SELECT 'm' AS sex, 1 AS label, 'NaN'::DOUBLE AS score FROM range(3)"
        )
        base.execute("INSERT INTO t VALUES ('f', 0, 0.5), ('f', 1, 0.0)")
    facets = {"score": {"column": "score", "groups": {"high": {"above": 0.1}}}}
    loaded = prepare(tmp_path, data={"table": "t", "connection": f"duckdb://{path}"}, facets=facets)
    groups = run(loaded).result.data.ledger["score"]
    assert groups.facet_missing == 3


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("mssql://me@host/db", r"pip install 'ibis-framework\[mssql\]'"),
        ("postgress://host/db", "did you mean 'postgres"),
        ("mongodb://host/db", "is no known database, such as .*'postgresql'"),
    ],
)
def test_database_that_cannot_be_reached(url: str, hint: str) -> None:
    """A driver that is missing is named with its command, an unknown database with the known."""
    with pytest.raises(UsageError, match=hint):
        DatabaseBackend(Data.model_validate({"table": "t", "connection": url}))


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("${DATABASE_URL}", "postgres://me:a%40b@host:5432/db"),
        ("postgresql://${WHO}:${WORD}@host/db", "postgresql://me%20too:a%40b%2F%25%3Ac@host/db"),
        ("postgresql://${PLACE}/db", "postgresql://host:5432/db"),
        ("duckdb://file.duckdb", "duckdb://file.duckdb"),
    ],
)
def test_connection_is_filled_in(written: str, url: str) -> None:
    """Variables stand for a whole URL, for parts of it, or for a name and password as they are."""
    environment = {
        "DATABASE_URL": "postgres://me:a%40b@host:5432/db",
        "WHO": "me too",
        "WORD": "a@b/%:c",
        "PLACE": "host:5432",
    }
    assert fill_variables(written, environment).url == url


@pytest.mark.parametrize(
    "written",
    [
        "postgresql://me:hunter2@host/db",
        "postgresql://me:hunter2${MORE}@host/db",
        "postgresql://host/db?password=hunter2",
        "duckdb://md?motherduck_token=hunter2",
        "postgresql://me:hunt@er2@host/db",
        "postgresql://me:hunter2/x@host/db",
        "postgresql://me:hunter2",
        "host=db password=hunter2",
    ],
)
def test_password_in_a_spec_is_refused(written: str) -> None:
    """A password that is written in a spec is refused, and no message repeats it."""
    with pytest.raises(DataError) as refused:
        fill_variables(written, {"MORE": "x"})
    assert "hunt" not in str(refused.value)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("${NOWHERE}", "the environment variable NOWHERE is not set"),
        ("postgresql://${EMPTY}@host/db", "the environment variable EMPTY is not set"),
        ("postgresql://${WHO@host/db", "begins no variable"),
    ],
)
def test_variables_that_cannot_be_filled_in(written: str, words: str) -> None:
    """A variable that is not set, or none, is an error that names it."""
    with pytest.raises(BiaspipeError, match=words):
        fill_variables(written, {"EMPTY": ""})


def test_secrets_are_scrubbed() -> None:
    """No form of a secret stays in what a driver says."""
    connection = fill_variables(
        "${URL}", {"URL": "mysql://me:a%40b%2Fc@host/db", "PGPASSWORD": "other"}
    )
    said = "no a@b/c, a%40b%2Fc, a%40b/c or other at mysql://me:a%40b%2Fc@host/db"
    assert connection.scrubbed(said) == "no ***, ***, *** or *** at ${URL}"


def test_numbers_of_a_numeric_column_of_sqlite_are_counted(tmp_path: Path) -> None:
    """A column that SQLite calls NUMERIC holds whole numbers and floats, each as it is."""
    with closing(sqlite3.connect(tmp_path / "d.db")) as base:
        base.execute("CREATE TABLE t (height NUMERIC, repaid INTEGER)")
        base.executemany("INSERT INTO t VALUES (?, ?)", [(1.5, 1), (2, 0), (2, 1), (None, 1)])
        base.commit()
    loaded = prepare(
        tmp_path,
        data={"table": "t", "connection": f"sqlite://{tmp_path / 'd.db'}"},
        columns={"label": {"column": "repaid", "positive": 1}},
        facets={"height": {"column": "height", "favored": 1.5}},
        metrics={"DPL": None},
    )
    (facet,) = run(loaded).result.facets
    assert {group.group: group.rows for group in facet.groups} == {
        "1.5": 1,
        "2.0": 2,
        "(missing)": 1,
    }
