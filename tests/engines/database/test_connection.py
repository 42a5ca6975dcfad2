"""Connections that try to do harm are refused before anything is looked up or connected."""

import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import pytest
from psycopg.conninfo import conninfo_to_dict

from biaspipe.engines import open_engine
from biaspipe.engines.database import conninfo, permissions
from biaspipe.engines.database.backend import DatabaseBackend, parts_of
from biaspipe.engines.database.connection import fill_variables, permitted_connection
from biaspipe.engines.database.conninfo import libpq_settings
from biaspipe.errors import BiaspipeError, DataError, SpecError, UsageError
from biaspipe.policy import DEFAULT, Policy
from biaspipe.spec import Data
from tests.engines.builders import prepare
from tests.engines.database.attacks import REFUSED, TABLES
from tests.servers.hostile import hostile_server

OPEN = Policy(version=1, hosts=("*",))


def opened(url: str, policy: Policy = DEFAULT, table: str = "t", **more: Any) -> DatabaseBackend:
    """Open a table of a database."""
    data = Data.model_validate({"table": table, "connection": url, **more})
    return DatabaseBackend(data, policy)


@pytest.fixture
def nothing_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a driver that connects fail the test."""
    import ibis
    import psycopg

    def connect(*_: object, **__: object) -> None:
        pytest.fail("a connection was made")

    for place in (ibis, psycopg, duckdb, sqlite3):
        monkeypatch.setattr(place, "connect", connect)


@pytest.mark.parametrize("written", REFUSED)
@pytest.mark.usefixtures("nothing_is_reached")
def test_connection_is_refused(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that would take secrets away, or read elsewhere, is an error in words."""
    for name in ("X", "Y"):
        monkeypatch.setenv(f"BIASPIPE_{name}", "kestrel")
    monkeypatch.setenv("BIASPIPE_PORT", "5432")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    url = written
    for name in ("file", "link", "loop"):
        url = url.replace(name.upper(), f"{tmp_path}/{name}")
    with pytest.raises(BiaspipeError, match=REFUSED[written]) as refused:
        opened(url)
    assert type(refused.value) in (SpecError, DataError, UsageError)
    faults = getattr(refused.value, "faults", ())
    said = f"{refused.value} {faults}"
    assert "kestrel" not in said
    assert "hunter2" not in said


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.usefixtures("nothing_is_reached")
def test_table_that_is_no_name(name: str) -> None:
    """A table is a name, and nothing else is asked of a database."""
    with pytest.raises(SpecError, match="is no name of a table") as refused:
        parts_of(name)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("answer", ["cleartext", "md5"])
@pytest.mark.parametrize("given", ["PGPASSWORD", "PGPASSFILE", "BIASPIPE_X", "BIASPIPE_URL"])
def test_password_never_goes_in_clear(
    given: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that asks for a password in clear, or by md5, gets none, wherever it comes from."""
    (tmp_path / "passwords").write_text("*:*:*:*:kestrel7\n")
    (tmp_path / "passwords").chmod(0o600)
    with hostile_server(answer) as server:
        place = f"127.0.0.1:{server.port}/db"
        url = f"postgresql://me@{place}"
        if given == "BIASPIPE_X":
            url = f"postgresql://me:${{BIASPIPE_X}}@{place}"
        if given == "BIASPIPE_URL":
            url = "${BIASPIPE_URL}"
        monkeypatch.setenv("PGPASSFILE", str(tmp_path / "passwords"))
        monkeypatch.setenv(given, "kestrel7") if given != "PGPASSFILE" else None
        monkeypatch.setenv("BIASPIPE_URL", f"postgresql://me:kestrel7@{place}")
        with pytest.raises(DataError, match="asks for the password in clear, or by md5") as refused:
            opened(url, OPEN)
        assert server.calls >= 1
    assert b"kestrel7" not in server.told
    assert b"md5" not in server.told
    assert "kestrel7" not in str(refused.value)


def test_spec_cannot_ask_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment says of passwords counts only where it is as strict."""
    for said, told in {
        "password": "!password,!md5",
        "scram-sha-256,md5": "!password,!md5",
        "!md5": "!password,!md5",
        "scram-sha-256": "scram-sha-256",
        "!password,!md5,!none": "!password,!md5,!none",
    }.items():
        monkeypatch.setenv("PGREQUIREAUTH", said)
        connection = fill_variables("postgresql://host/db", {})
        assert conninfo_to_dict(libpq_settings(connection, OPEN))["require_auth"] == told


@pytest.mark.parametrize(
    ("hosts", "mode", "is_free"),
    [
        (("host",), "verify-full", True),
        (("host",), "verify-ca", True),
        (("host",), "require", False),
        (("other",), "verify-full", False),
        (None, "verify-full", False),
    ],
)
def test_verified_host_may_ask_in_clear(
    hosts: tuple[str, ...] | None, mode: str, is_free: bool
) -> None:
    """Only a host that the policy names, and whose certificate is checked, may ask in any way."""
    connection = fill_variables(f"postgresql://host/db?sslmode={mode}", {})
    told = conninfo_to_dict(libpq_settings(connection, Policy(version=1, hosts=hosts)))
    assert ("require_auth" not in told) is is_free


STRANGE = {
    "PGAPPNAME": "kestrel-app",
    "PGOPTIONS": "-c search_path=kestrel",
    "PGUSER": "kestrel-user",
    "PGDATABASE": "kestrel-base",
    "PGCLIENTENCODING": "LATIN1",
    "PGSSLCERT": "/kestrel.crt",
    "PGSSLKEY": "/kestrel.key",
    "PGGSSENCMODE": "prefer",
    "PGGSSDELEGATION": "1",
    "PGKRBSRVNAME": "kestrel",
    "PGCONNECT_TIMEOUT": "7",
}


def own_address() -> str | None:
    """Return an address of this machine that other machines may have, too."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            return None
        address: str = asking.getsockname()[0]
    return None if address.startswith(("127.", "169.254.")) else address


def test_host_of_the_spec_is_told_nothing_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What libpq takes from variables goes to no host that only the spec names."""
    for name, value in STRANGE.items():
        monkeypatch.setenv(name, value)
    written = fill_variables("postgresql://me@db.example.org/base", {})
    told = conninfo_to_dict(libpq_settings(written, DEFAULT))
    assert told["application_name"] == "biaspipe"
    assert told["client_encoding"] == "UTF8"
    assert told["options"] == ""
    assert told["sslcertmode"] == "disable"
    assert told["gssencmode"] == "disable"
    assert told["gssdelegation"] == "0"
    assert told["require_auth"] == "!password,!md5,!gss,!sspi"
    known = conninfo_to_dict(libpq_settings(written, OPEN))
    assert not {"application_name", "options", "sslcertmode", "gssencmode"} & known.keys()


def test_startup_holds_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first packet says what the URL says; a host that the policy names is told more."""
    address = own_address()
    if address is None:
        pytest.skip("this machine has no address that is not its own alone")
    monkeypatch.setattr(conninfo, "is_here", lambda _: False)
    for name, value in STRANGE.items():
        monkeypatch.setenv(name, value)
    told = {}
    for policy in (DEFAULT, OPEN):
        refusing = pytest.raises(DataError, match="cannot be reached")
        with hostile_server("silence", address) as server, refusing:
            opened(f"postgresql://me@{address}:{server.port}/base", policy)
        told[policy] = bytes(server.told)
    assert b"user\0me\0database\0base\0" in told[DEFAULT]
    assert b"kestrel" not in told[DEFAULT]
    assert b"LATIN1" not in told[DEFAULT]
    assert b"kestrel-app" in told[OPEN]
    assert b"search_path=kestrel" in told[OPEN]


@pytest.mark.parametrize(
    ("url", "variable", "words"),
    [
        ("postgresql://db.example.org/base", None, "the name of the user of the environment"),
        ("postgresql://me@db.example.org", None, "the name of the database of the environment"),
        ("postgresql://me@db.example.org/base", "PGTZ", "PGTZ of the environment"),
        ("postgresql://me@db.example.org/base", "PGDATESTYLE", "PGDATESTYLE of the environment"),
        ("postgresql://me@db.example.org/base", "PGGEQO", "PGGEQO of the environment"),
    ],
)
@pytest.mark.usefixtures("nothing_is_reached")
def test_what_libpq_would_tell_by_itself_is_refused(
    url: str, variable: str | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A URL that lets libpq fill in who asks is refused with the policy's key."""
    if variable:
        monkeypatch.setenv(variable, "kestrel")
    with pytest.raises(SpecError, match=words) as refused:
        opened(url)
    assert "hosts: [db.example.org]" in (refused.value.faults[0].hint or "")


def test_old_libpq_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A libpq that cannot keep a password to itself is not used."""
    monkeypatch.setattr("psycopg.pq.version", lambda: 150012)
    with pytest.raises(UsageError, match="libpq 15 cannot be told to send no password in clear"):
        opened("postgresql://me@host/db")


def test_nothing_reaches_a_host_of_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the host is not this machine, a variable beside the password stops the connection."""
    for module in (permissions, conninfo):
        monkeypatch.setattr(module, "is_here", lambda host: host == "localhost")
    monkeypatch.setenv("BIASPIPE_X", "kestrel7")
    with hostile_server("echo") as server:
        for url in (
            f"postgresql://127.0.0.1:{server.port}/${{BIASPIPE_X}}",
            f"postgresql://${{BIASPIPE_X}}@127.0.0.1:{server.port}/db",
            f"postgresql://localhost:{server.port}/${{BIASPIPE_X}}?hostaddr=127.0.0.1",
            f"postgresql://127.0.0.1:{server.port}/db?application_name=${{BIASPIPE_X}}",
        ):
            with pytest.raises(SpecError, match="would be sent in clear"):
                opened(url)
    assert (server.calls, bytes(server.told)) == (0, b"")


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("postgresql://DB.example.org./x", ("other",)),
        ("postgresql://db.example.org,evil.example/x", ("db.example.org",)),
        ("postgresql://db.example.org/x?host=evil.example", ("db.example.org",)),
        ("postgresql://db.example.org/x?hostaddr=192.0.2.1", ("db.example.org",)),
        ("postgresql:///x?host=/tmp", ("db.example.org",)),
        ("postgresql:///x", ("db.example.org",)),
        ("postgresql://db.example.org.evil.example/x", ("db.example.org",)),
        ("postgresql://evil.example/db.example.org", ("db.example.org",)),
        ("postgresql://db.example.org@evil.example/x", ("db.example.org",)),
        ("postgresql://[::1]/x", ("127.0.0.1",)),
        ("${BIASPIPE_URL}", ("db.example.org",)),
    ],
)
@pytest.mark.usefixtures("nothing_is_reached")
def test_policy_names_every_host(
    url: str, hosts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a policy names hosts, every host that a connection leads to has to be one of them."""
    monkeypatch.setenv("BIASPIPE_URL", "postgresql://me:word@evil.example/x")
    with pytest.raises(SpecError, match="is none of the hosts and buckets") as refused:
        opened(url, Policy(version=1, hosts=hosts))
    assert ("evil" in str(refused.value)) is ("evil" in url)


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("postgresql://DB.example.org./${BIASPIPE_X}", ("db.example.org",)),
        ("postgresql://db.example.org/${BIASPIPE_X}?hostaddr=192.0.2.1", ("db.*", "192.0.2.*")),
        ("postgresql:///${BIASPIPE_X}?host=/tmp", ("localhost",)),
        ("postgresql://${BIASPIPE_X}.example.org/x", ("*.example.org",)),
        ("postgresql://me:${BIASPIPE_X}@anywhere.example/x", None),
        ("postgresql://localhost/${BIASPIPE_X}", None),
        ("postgresql://127.1:5432/${BIASPIPE_X}", None),
        ("postgresql:///${BIASPIPE_X}?host=/tmp", None),
        ("${BIASPIPE_URL}", None),
    ],
)
def test_connection_that_may_be_made(url: str, hosts: tuple[str, ...] | None) -> None:
    """A host that the policy names, this machine, a password and a whole URL get what they need."""
    environment = {"BIASPIPE_X": "kestrel7", "BIASPIPE_URL": "postgresql://me:word@host/x?options="}
    policy = Policy(version=1, hosts=hosts)
    permissions.refuse_reach(policy, permitted_connection(url, environment, policy))


def test_two_words_for_postgres() -> None:
    """A policy that allows Postgres means it by either name."""
    for scheme in ("postgres", "postgresql"):
        policy = Policy(version=1, schemes=(scheme,))
        for written in ("postgres://me@host/db", "postgresql://me@host/db"):
            permissions.refuse_reach(policy, fill_variables(written, {}))
    with pytest.raises(SpecError, match="none of the schemes"):
        permissions.refuse_reach(
            Policy(version=1, schemes=("https",)), fill_variables("postgres://host/db", {})
        )


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_file_outside_of_the_roots(kind: str, tmp_path: Path) -> None:
    """A database that is a file lies in the folders that specs may read, links followed."""
    (tmp_path / "in").mkdir()
    (tmp_path / f"out.{kind}").write_bytes(b"")
    (tmp_path / "in" / "link").symlink_to(tmp_path / f"out.{kind}")
    policy = Policy(version=1, roots=(str(tmp_path / "in"),))
    for name in (f"out.{kind}", "in/link", f"in/../out.{kind}"):
        with pytest.raises(SpecError, match="lies outside of the folders"):
            opened(f"{kind}://{tmp_path}/{name}", policy)


VIEWS = (
    "SELECT content AS sex, 1 AS label FROM read_text('{folder}/a.csv')",
    "SELECT 'm' AS sex, size AS label FROM read_blob('{folder}/a.csv')",
    "SELECT * FROM read_csv('{folder}/a.csv', header = true)",
    "SELECT file AS sex, 1 AS label FROM glob('/etc/*')",
    "SELECT * FROM '{folder}/a.csv'",
    "SELECT * FROM query_table(['{folder}/a.csv'])",
    "SELECT * FROM read_json('{folder}/a.json')",
    "SELECT * FROM read_ndjson_objects('{folder}/a.json')",
    "SELECT * FROM parquet_metadata('{folder}/a.parquet')",
    "SELECT * FROM sniff_csv('{folder}/a.csv')",
)
"""Views of DuckDB that read a file beside the database."""


@pytest.mark.parametrize("view", VIEWS)
def test_view_of_duckdb_reads_no_file(view: str, tmp_path: Path) -> None:
    """A view in a stranger's database reads nothing but that database."""
    (tmp_path / "a.csv").write_text("sex,label\nkestrel,1\n")
    (tmp_path / "a.json").write_text('{"sex": "kestrel", "label": 1}')
    path = tmp_path / "rows.duckdb"
    with closing(duckdb.connect(str(path))) as base:
        base.execute(f"COPY (SELECT 'kestrel' AS sex) TO '{tmp_path}/a.parquet'")
        base.execute(f"CREATE VIEW t AS {view.format(folder=tmp_path)}")
        assert base.execute("SELECT count(*) FROM t").fetchall() != [(0,)]
    with (
        closing(opened(f"duckdb://{path}")) as engine,
        pytest.raises(DataError, match=r"t: cannot be read: Permission Error") as refused,
        engine.errors("t"),
    ):
        engine.run([engine.open(())[0][1].head(1)])
    assert "kestrel" not in str(refused.value)


def test_file_that_looks_like_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name with a dot is a table of a schema, though there is a file of that name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("sex,label\nm,1\n")
    with closing(duckdb.connect(str(tmp_path / "rows.duckdb"))) as base:
        base.execute("CREATE TABLE rows AS SELECT 'm' AS sex, 1 AS label")
    for table in ("p.csv", '"p.csv"', "main.p.csv"):
        with (
            closing(opened("duckdb://rows.duckdb", table=table)) as engine,
            pytest.raises(DataError, match=r"there is no such table|Permission Error"),
        ):
            engine.open(())


def test_duckdb_is_sealed(tmp_path: Path) -> None:
    """Nothing that is asked of a database of DuckDB opens what is shut."""
    with closing(duckdb.connect(str(tmp_path / "rows.duckdb"))) as base:
        base.execute("CREATE TABLE t AS SELECT 'm' AS sex")
    with closing(opened(f"duckdb://{tmp_path}/rows.duckdb")) as engine:
        ask = engine.driver.backend.raw_sql
        for statement in (
            "SET enable_external_access = true",
            "RESET enable_external_access",
            "SET lock_configuration = false",
            "INSTALL httpfs",
            "LOAD httpfs",
            "ATTACH '/tmp/other.db'",
            f"ATTACH '{tmp_path}/rows.duckdb' AS again",
            "COPY t TO '/tmp/kestrel.csv'",
            "CREATE TABLE u AS SELECT 1",
            "DELETE FROM t",
            "DROP TABLE t",
            "CREATE PERSISTENT SECRET s (TYPE s3)",
        ):
            with pytest.raises(duckdb.Error):
                ask(statement)


def test_view_of_sqlite_calls_nothing(tmp_path: Path) -> None:
    """Views and triggers of a stranger's database call no function that is not harmless."""
    path = tmp_path / "rows.sqlite"
    with closing(sqlite3.connect(path)) as base:
        base.create_function("_ibis_sha256", 1, lambda _: "x", deterministic=True)
        base.create_function("load_extension", 1, lambda _: "x")
        base.execute("CREATE TABLE rows (sex TEXT, label INTEGER)")
        base.execute("INSERT INTO rows VALUES ('m', 1)")
        base.execute("CREATE VIEW called AS SELECT load_extension('/x.so') AS sex FROM rows")
        base.execute("CREATE VIEW listed AS SELECT * FROM pragma_database_list")
        base.execute("CREATE VIEW good AS SELECT upper(sex) AS sex FROM rows")
        base.commit()
    before = path.read_bytes()
    for table, words in {
        "called": "cannot be read: unsafe use|not authorized|no such function",
        "listed": "cannot be read: unsafe use",
        "sqlite_master": "there is no such table",
        "pragma_database_list": "there is no such table",
        "temp.sqlite_master": "there is no such table",
    }.items():
        with (
            closing(opened(f"sqlite://{path}", table=table)) as engine,
            pytest.raises(DataError, match=f"{table}: ({words})"),
        ):
            engine.run([engine.open(())[0][1].select("sex")])
    with closing(opened(f"sqlite://{path}", table="good")) as engine:
        for statement in ("DELETE FROM rows", "CREATE TABLE x (y)", "DROP VIEW good"):
            with pytest.raises(sqlite3.Error):
                engine.driver.fetch(statement)
        assert engine.driver.fetch("SELECT sex FROM good") == [("M",)]
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.sqlite"]


@pytest.mark.parametrize(
    "name",
    ["main", "memory", "system", "temp", "pg_catalog", "information_schema", 'a"b', "a.b", "t"],
)
def test_duckdb_is_found_by_any_name_of_its_file(name: str, tmp_path: Path) -> None:
    """The file of a database may be called like what DuckDB has itself."""
    path = tmp_path / f"{name}.duckdb"
    with closing(duckdb.connect(str(tmp_path / "plain.db"))) as base:
        base.execute("CREATE SCHEMA hr; CREATE TABLE t AS SELECT 7 AS x")
        base.execute(
            "CREATE TABLE hr.t AS SELECT 8 AS x; CREATE VIEW v AS SELECT x + 1 AS x FROM t"
        )
    (tmp_path / "plain.db").rename(path)
    for table, value in {"t": 7, "main.t": 7, "hr.t": 8, "v": 8}.items():
        with closing(opened(f"duckdb://{path}", table=table)) as engine:
            assert engine.run([engine.open(())[0][1]])[0].rows() == [(value,)]


def test_sqlite_that_is_being_written(tmp_path: Path) -> None:
    """A database of SQLite is read while somebody else writes into it."""
    path = tmp_path / "rows.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE t (x INTEGER)")
        base.execute("INSERT INTO t VALUES (7)")
        with closing(opened(f"sqlite://{path}")) as engine:
            assert engine.run([engine.open(())[0][1]])[0].rows() == [(7,)]
    with closing(opened(f"sqlite://{path}")) as engine:
        assert engine.run([engine.open(())[0][1]])[0].rows() == [(7,)]


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
@pytest.mark.parametrize(
    "table", ["u", "hr.t", "a.b.t", "main.u", "rows.main.u", '"t "', '"t""', '"main.t"', "T T"]
)
def test_table_that_is_nowhere(table: str, scheme: str, tmp_path: Path) -> None:
    """A table that is not there, of however many parts, is an error in words."""
    path = tmp_path / "rows.db"
    base: Any = sqlite3.connect(path) if scheme == "sqlite" else duckdb.connect(str(path))
    with closing(base):
        base.execute("CREATE TABLE t (x INTEGER)")
    with (
        pytest.raises(BiaspipeError, match=r"no such table|no name of a table|cannot be read"),
        closing(opened(f"{scheme}://{path}", table=table)) as engine,
    ):
        engine.open(())


def test_a_pattern_of_sqlite_ends(tmp_path: Path) -> None:
    """A pattern that nothing meets is given up at once, however many ways there are to try."""
    path = tmp_path / "rows.sqlite"
    with closing(sqlite3.connect(path)) as base:
        base.execute("create table t (sex text, p integer)")
        texts = ["a" * 20_000, "a" * 20_000 + "b", "xaya_z.b", None]
        base.executemany("insert into t values (?, 1)", [(text,) for text in texts])
        base.commit()
    where = "sex LIKE '%a%a%a%a%a%a%a%_%b' OR sex LIKE 'x_%_.b'"
    loaded = prepare(
        tmp_path, data={"table": "t", "connection": f"sqlite://{path}", "where": where}
    )
    with closing(open_engine(loaded.audit, tmp_path)) as engine:
        assert engine.dataset.read(engine.dataset.rows.select(nw.len())).item() == 2
