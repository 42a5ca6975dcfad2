"""The PostgreSQL server of the tests itself: who may enter, and that it ends."""

import socket

import pytest

from tests.servers.postgres import Database, postgres_server

pytestmark = pytest.mark.postgres


def test_owner_enters_by_the_socket(postgres: Database) -> None:
    """The socket asks for no password."""
    assert postgres.run("select 1, null, 'é'") == "1||é\n"


def test_auditor_enters_with_the_password(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port lets the auditor in by the password of the environment, to read what is granted."""
    postgres.run("create table granted as select 7 as n; grant select on granted to auditor")
    monkeypatch.setenv("PGPASSWORD", postgres.credentials["PGPASSWORD"])
    assert postgres.run("select n from granted", postgres.tcp_url()) == "7\n"


def test_auditor_is_refused_without_the_password(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port refuses whoever gives no password."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    with pytest.raises(RuntimeError, match="no password supplied"):
        postgres.run("select 1", postgres.tcp_url())


def test_auditor_is_refused_with_a_wrong_password(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port refuses a wrong password."""
    monkeypatch.setenv("PGPASSWORD", "wrong")
    with pytest.raises(RuntimeError, match="password authentication failed"):
        postgres.run("select 1", postgres.tcp_url())


def test_auditor_may_not_read_what_is_not_granted(postgres: Database) -> None:
    """A table without rights stays closed to the auditor."""
    postgres.run("create table closed as select 1 as n")
    with pytest.raises(RuntimeError, match="permission denied for table closed"):
        postgres.run("select n from closed", postgres.socket_url("auditor"))


def test_nothing_stays_of_a_server() -> None:
    """A server that has stopped leaves no process, no port and no folder."""
    with postgres_server() as database:
        assert database.run("select 1") == "1\n"
    assert database.server.process.poll() == 0
    assert not database.folder.exists()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", database.port)) != 0
