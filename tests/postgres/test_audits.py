"""Audits of tables in Postgres: who may read, what is asked, what goes wrong, what is shown."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from biaspipe.engines.database.postgres import PostgresDriver
from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.policy import DEFAULT, Limits, Policy
from biaspipe.report import Result
from tests.engines.builders import ledger, prepare
from tests.engines.database.attacks import NAMES
from tests.engines.database.named_tables import counted, made
from tests.servers.postgres import PASSWORD, Database

pytestmark = pytest.mark.postgres

COLUMNS = {"label": {"column": "label", "positive": 1}}
FACETS = {"sex": {"column": "sex", "favored": "m"}}
CONSOLE = "from biaspipe.cli import main; main()"


@pytest.fixture(scope="module")
def tables(postgres: Database) -> Database:
    """Return a database with tables of twelve decisions, and one that takes long to read."""
    postgres.run(
        "CREATE TABLE decisions AS SELECT i AS id, (ARRAY['m', 'f', 'x'])[1 + i % 3] AS sex,"
        " i % 2 AS label FROM generate_series(0, 11) i;"
        "CREATE SCHEMA hr; CREATE TABLE hr.decisions AS SELECT * FROM decisions LIMIT 6;"
        "CREATE TABLE nobody AS SELECT * FROM decisions WHERE false;"
        "CREATE TABLE shut AS SELECT * FROM decisions;"
        "CREATE VIEW slow AS SELECT sex, CASE WHEN pg_sleep(20) IS NULL THEN 1 ELSE 0 END AS label"
        " FROM decisions LIMIT 1;"
        "GRANT SELECT ON decisions, slow TO auditor; GRANT SELECT (id, sex) ON shut TO auditor"
    )
    return postgres


def audit(folder: Path, url: str, table: str = "decisions", **more: Any) -> Result:
    """Run the audit of a table."""
    facets, options = more.pop("facets", FACETS), Options(policy=more.pop("policy", DEFAULT))
    data = {"table": table, "connection": url, **more}
    return run(prepare(folder, data=data, columns=COLUMNS, facets=facets), options).result


def called(folder: Path, url: str, table: str = "decisions") -> "subprocess.Popen[str]":
    """Start the command line on the audit of a table."""
    data = {"table": table, "connection": url}
    prepare(folder, data=data, columns=COLUMNS, facets=FACETS)
    command = [sys.executable, "-c", CONSOLE, "run", "audit.yaml", "-o", "report.json"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)


def busy(database: Database) -> str:
    """Return the processes of the server that count for an audit now."""
    return database.run(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'biaspipe'"
        " AND state = 'active' AND query LIKE '%GROUP BY%'"
    ).strip()


def until_busy(database: Database) -> str:
    """Wait until the server counts for an audit."""
    deadline = time.monotonic() + 60
    while not (found := busy(database)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def test_table_by_the_socket(tables: Database, tmp_path: Path) -> None:
    """A table is counted by its name."""
    counted = ledger(audit(tmp_path, tables.socket_url()), "sex")
    assert (counted["favored"], counted["disfavored"]) == (4, 8)


def test_table_of_a_schema(tables: Database, tmp_path: Path) -> None:
    """A name with a schema is the table of that schema."""
    assert audit(tmp_path, tables.socket_url(), "hr.decisions").data.rows == 6


def test_password_of_the_environment(
    tables: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PGPASSWORD lets in over TCP."""
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert audit(tmp_path, tables.tcp_url()).data.rows == 12


def test_password_of_a_variable(
    tables: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable in the URL lets in over TCP, and the report keeps its name."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("BIASPIPE_WORD", PASSWORD)
    url = tables.tcp_url().replace("auditor@", "auditor:${BIASPIPE_WORD}@")
    assert audit(tmp_path, url).audit.spec["data"]["connection"] == url


@pytest.mark.parametrize("table", ["decisions", "decision", "shut"])
def test_password_is_never_shown(
    table: str, tables: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the report nor a word on the console holds the password, whatever happens."""
    monkeypatch.setenv("BIASPIPE_WORD", PASSWORD)
    url = tables.tcp_url().replace("auditor@", "auditor:${BIASPIPE_WORD}@")
    said = "".join(called(tmp_path, url, table).communicate())
    reports = [path.read_text() for path in tmp_path.iterdir()]
    assert len(reports) == (2 if table == "decisions" else 1)
    for text in (said, *reports):
        assert not [form for form in (PASSWORD, "a%25secret", "secret") if form in text]


def test_wrong_password_is_never_shown(
    tables: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused password stands in no message, and in no error behind it."""
    monkeypatch.setenv("BIASPIPE_WORD", "wrong/hunter2")
    url = tables.tcp_url().replace("auditor@", "auditor:${BIASPIPE_WORD}@")
    with pytest.raises(DataError, match="password authentication failed") as refused:
        audit(tmp_path, url)
    assert "hunter2" not in f"{refused.value} {refused.value.__context__}"


def test_policy_bounds_a_query(tables: Database, tmp_path: Path) -> None:
    """A query that takes longer than the policy lets it is an error, whichever clock is first."""
    policy = Policy(version=1, limits=Limits(seconds=1))
    words = r"the (audit takes|database took) longer than 1 second"
    started = time.monotonic()
    with pytest.raises(DataError, match=words):
        audit(tmp_path, tables.socket_url(), "slow", policy=policy)
    assert time.monotonic() - started < 15


def test_spec_cannot_take_the_bound_away(tables: Database, tmp_path: Path) -> None:
    """Settings of a session are no parameters that a spec may give."""
    with pytest.raises(SpecError, match="options is no parameter that specs may give"):
        audit(tmp_path, f"{tables.socket_url()}&options=-c%20statement_timeout%3D0")


def test_names_are_names(postgres: Database, tmp_path: Path) -> None:
    """A table and its column are found by a name with any sign, and are those of that name."""
    names = [name for name in NAMES if name.isprintable()]
    tables = [text for n, name in enumerate(names) for text in made(name, n + 1)]
    postgres.run("; ".join(tables))
    found = {name: counted(tmp_path, postgres.socket_url(), name)["favored"] for name in names}
    assert found == {name: number + 1 for number, name in enumerate(names)}


def test_name_that_the_server_would_cut(postgres: Database, tmp_path: Path) -> None:
    """A name that is longer than any is not taken for the table that it begins like."""
    postgres.run(f"CREATE TABLE {'y' * 63} AS SELECT 'm' AS sex, 1 AS label")
    with pytest.raises(DataError, match="there is no such table: names have 63 bytes at most"):
        audit(tmp_path, postgres.socket_url(), "y" * 64)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("decisionz", "decisionz: there is no such table\n  hint: did you mean 'decisions'"),
        ("hrr.decisions", "hrr.decisions: there is no such table\n  hint: did you mean 'hr.dec"),
        ("nobody", "nobody: there are no rows"),
    ],
)
def test_table_without_anything(table: str, words: str, tables: Database, tmp_path: Path) -> None:
    """A table that is missing or empty is an error, with the nearest name."""
    with pytest.raises(DataError, match=words):
        audit(tmp_path, tables.socket_url(), table)


def test_column_that_is_not_there(tables: Database, tmp_path: Path) -> None:
    """A missing column is an error with the nearest name."""
    with pytest.raises(SpecError) as missing:
        audit(tmp_path, tables.socket_url(), facets={"sex": {"column": "sexx", "favored": "m"}})
    assert "did you mean 'sex'" in str(missing.value)


@pytest.mark.parametrize(
    ("table", "words"), [("nobody", "permission"), ("hr.decisions", "schema hr")]
)
def test_table_without_rights(table: str, words: str, tables: Database, tmp_path: Path) -> None:
    """A table that the role may not read is an error."""
    with pytest.raises(DataError, match=words):
        audit(tmp_path, tables.socket_url("auditor"), table)


def test_columns_without_rights(tables: Database, tmp_path: Path) -> None:
    """A column that the role may not read is not there, and the others are."""
    with pytest.raises(SpecError, match="shut has no column 'label'"):
        audit(tmp_path, tables.socket_url("auditor"), "shut")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("/audits", "/nowhere"), 'database "nowhere" does not exist'),
        (("user=owner", "user=stranger"), 'role "stranger" does not exist'),
        (("&user", "&colour=red&user"), 'invalid URI query parameter: "colour"'),
    ],
)
def test_server_that_refuses(
    change: tuple[str, str], words: str, tables: Database, tmp_path: Path
) -> None:
    """What the server refuses is an error in its own words."""
    with pytest.raises(DataError, match=words):
        audit(tmp_path, tables.socket_url().replace(*change), "slow")


def test_connection_that_is_refused(tmp_path: Path) -> None:
    """A port where nobody listens is an error, at once."""
    with pytest.raises(DataError, match=r"the database cannot be reached: .*Connection refused"):
        audit(tmp_path, "postgresql://auditor@127.0.0.1:1/audits")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("sexx = 'm'", "no column 'sexx'"),
        ("sex > 1", "the condition cannot be used"),
        ("label = 'one'", "column 'label', which holds whole numbers, is compared with 'one'"),
        ("no_such_function(label)", "it uses NO_SUCH_FUNCTION, which is not part of the language"),
    ],
)
def test_condition_that_is_none(where: str, words: str, tables: Database, tmp_path: Path) -> None:
    """A condition that the database does not understand is a fault of the spec."""
    with pytest.raises(SpecError) as refused:
        audit(tmp_path, tables.socket_url(), where=where)
    assert words in str(refused.value)


def test_connection_that_is_dropped(tables: Database, tmp_path: Path) -> None:
    """A connection that ends in the middle of the count ends the audit with code 3."""
    process = called(tmp_path, tables.socket_url(), "slow")
    tables.run(f"SELECT pg_terminate_backend({until_busy(tables)})")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 3
    assert said.startswith("error: slow: cannot be read: ")
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "report.json").exists()


def test_interrupt_ends_the_query(tables: Database, tmp_path: Path) -> None:
    """An interrupt ends the audit with code 130, and its query on the server."""
    process = called(tmp_path, tables.socket_url(), "slow")
    until_busy(tables)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=15)
    assert (process.returncode, said.strip()) == (130, "interrupted")
    assert busy(tables) == ""


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return what audits ask of the server, and how many rows come back."""
    asked: list[tuple[str, int]] = []
    fetched = PostgresDriver.fetch

    def recorded(driver: PostgresDriver, sql: str, values: Any = None) -> Any:
        rows = fetched(driver, sql, values)
        asked.append((sql, len(rows)))
        return rows

    monkeypatch.setattr(PostgresDriver, "fetch", recorded)
    return asked


def test_only_counts_come_back(
    tables: Database, tmp_path: Path, statements: list[tuple[str, int]]
) -> None:
    """The server counts: every query about rows is grouped there, and hands back its cells."""
    tables.run("CREATE TABLE many AS SELECT * FROM decisions, generate_series(1, 1000)")
    audit(tmp_path, tables.socket_url(), "many", where="id < 9")
    rows = [(sql, n) for sql, n in statements if '"many"' in sql and "LIMIT 0" not in sql]
    assert all("GROUP BY" in sql for sql, _ in rows[1:])
    assert max(n for _, n in rows) <= 9


def test_nothing_can_be_written(tables: Database, tmp_path: Path) -> None:
    """The transaction of an audit is read-only, whatever a view does."""
    tables.run(
        "CREATE FUNCTION spoil() RETURNS boolean LANGUAGE sql VOLATILE AS"
        " 'INSERT INTO decisions DEFAULT VALUES RETURNING true';"
        "CREATE VIEW spoiling AS SELECT * FROM decisions WHERE spoil()"
    )
    with pytest.raises(DataError, match="cannot execute INSERT in a read-only transaction"):
        audit(tmp_path, tables.socket_url(), "spoiling")


def test_values_of_postgres(tables: Database, tmp_path: Path) -> None:
    """Padded and enumerated texts, decimals that are no numbers and domains are as they mean."""
    tables.run(
        "CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE DOMAIN whole AS integer;"
        "CREATE TABLE odd (sex char(5), label whole, mood mood, price numeric, day date);"
        "INSERT INTO odd VALUES ('m', 1, 'sad', 'NaN', '2026-01-01'), ('f', 0, 'glad', 1.50, NULL),"
        " ('f', 1, 'sad', 2, '2026-01-01')"
    )
    facets = {
        **FACETS,
        "mood": {"column": "mood", "favored": "sad"},
        "price": {"column": "price", "favored": 1.5},
    }
    result = audit(tmp_path, tables.socket_url(), "odd", facets=facets)
    counted = {name: ledger(result, name) for name in facets}
    assert counted["sex"]["favored"] == 1
    assert counted["mood"]["favored"] == 2
    assert (counted["price"]["facet_missing"], counted["price"]["favored"]) == (1, 1)


def test_texts_that_a_collation_takes_for_equal(tables: Database, tmp_path: Path) -> None:
    """Groups whose names differ in case only are two groups, whatever the collation says."""
    tables.run(
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2',"
        " deterministic = false);"
        "CREATE TABLE loosely (sex text COLLATE loose, label int);"
        "INSERT INTO loosely VALUES ('m', 1), ('M', 0), ('f', 1)"
    )
    counted = ledger(audit(tmp_path, tables.socket_url(), "loosely"), "sex")
    assert (counted["favored"], counted["disfavored"]) == (1, 2)


def test_one_state_of_the_table(
    tables: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All queries of an audit see the table as it was at the first."""
    tables.run("CREATE TABLE moving AS SELECT * FROM decisions")
    original = PostgresDriver.fetch

    def disturbed(driver: PostgresDriver, sql: str, values: Any = None) -> Any:
        rows = original(driver, sql, values)
        with psycopg.connect(tables.socket_url()) as other:
            other.execute("INSERT INTO moving SELECT * FROM decisions")
        return rows

    monkeypatch.setattr(PostgresDriver, "fetch", disturbed)
    assert audit(tmp_path, tables.socket_url(), "moving").data.rows == 12
