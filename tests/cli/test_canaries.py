"""A secret that stands anywhere in a connection is seen nowhere, whatever goes wrong."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import duckdb
import psycopg
import pytest

from tests.cli.calls import USUAL, call
from tests.engines.database.attacks import CANARY, PLACES, TEMPLATES
from tests.servers.hostile import ANSWERS, hostile_server

PIECES = ("kestrel", "zq7", "wander")
"""What of the secret is looked for, in small letters."""
HOST_CANARY = "kestrel-Zq7wander"
"""The same, of letters that a host may have."""
OPEN = "version: 1\nhosts: ['*']\nconnections: {parameters: ['*']}\n"
CODED = ("the user", "the password", "another database", "PGPASSWORD")
"""Places where a secret may have any sign."""
CONNECTIONS = {
    **{p: (url, CANARY if p in CODED else HOST_CANARY) for p, url in PLACES.items()},
    **{f"{name} (whole)": ("${BIASPIPE_X}", url) for name, url in TEMPLATES.items()},
}
TOLD = (
    *("the user", "the database", "options", "application_name", "a URL with a user (whole)"),
    *("a URL with a database (whole)", "a URL with a parameter (whole)"),
)
"""What a server on this machine is told before it asks for a password."""
REACHED = (*TOLD, "the password", "PGPASSWORD", "a URL with a password (whole)")
SLOW = ("the password", "the user", "the database")
"""Places for which a server that says nothing is waited for."""


def seen(folder: Path, text: str) -> list[str]:
    """Return where a piece of the secret is seen: in what was printed, and in files and names."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    texts = [text, *(path.read_bytes().decode(errors="replace") for path in files)]
    return [piece for piece in PIECES for text in texts if piece in text.lower()]


def written_audit(data: dict[str, str]) -> Path:
    """Write an audit of a table of a database."""
    path = Path("audit.yaml")
    path.write_text(json.dumps({**USUAL, "name": "audit", "data": data}, indent=1))
    return path


def audit(folder: Path, place: str, host: str, *words: object, **more: str) -> list[str]:
    """Run and check the audit of a table, and return what is seen of the secret."""
    written, value = CONNECTIONS[place]
    url = written.replace("HOST", host)
    value = value.format(CANARY, quote(CANARY, safe="")).replace("HOST", host)
    spec = written_audit({"table": "t", "connection": url})
    for name in ("report.json", "report.txt"):
        (folder / name).write_text("older")
    secret = {"PGPASSWORD" if place == "PGPASSWORD" else "BIASPIPE_X": value, **more}
    outputs = ("-o", "report.json", "-o", "report.txt")
    ended = call("run", spec, *outputs, *words, **secret)
    assert ended.code in (2, 3)
    assert any(word in ended.err for word in ("connection", "database", "Traceback", "error: t: "))
    checked = call("check", "--data", spec, *words, **secret)
    assert checked.code in (2, 3)
    return seen(folder, ended.text + checked.text)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with a policy that lets everything through."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.yaml").write_text(OPEN)
    return tmp_path


@contextmanager
def faulty(way: str) -> Iterator[None]:
    """Let a bug be in every driver: what they raise holds all that they are given."""
    kinds = {"a bug": RuntimeError, "a bug with a key": KeyError, "an error of values": ValueError}

    def connect(*values: Any, **more: Any) -> None:
        raise kinds[way](f"it went wrong with {values!r} {more!r}")

    with (
        patch.object(psycopg, "connect", connect),
        patch.object(sqlite3, "connect", connect),
        patch.object(duckdb, "connect", connect),
    ):
        yield


@pytest.mark.combinations
@pytest.mark.parametrize("policy", ["", "policy.yaml"])
@pytest.mark.parametrize("place", CONNECTIONS)
def test_secret_is_not_seen_where_nothing_answers(place: str, policy: str, folder: Path) -> None:
    """No secret is shown by refusals of a policy, nor where nothing listens or nothing is there."""
    words = ("--policy", policy) if policy else ()
    assert audit(folder, place, "127.0.0.1:1", *words) == []


@pytest.mark.combinations
@pytest.mark.parametrize("way", ANSWERS)
@pytest.mark.parametrize("place", CONNECTIONS)
def test_secret_is_not_seen_where_a_server_refuses(place: str, way: str, folder: Path) -> None:
    """No secret is shown though a server repeats in its errors all that it is told."""
    with hostile_server(way) as server:
        host = f"127.0.0.1:{server.port}"
        assert audit(folder, place, host, "--policy", "policy.yaml") == []
    assert (server.calls > 0) is (place in REACHED)
    assert (b"kestrel" in server.told) is (place in TOLD)


@pytest.mark.combinations
@pytest.mark.parametrize("way", ["a bug", "a bug with a key", "an error of values"])
@pytest.mark.parametrize("place", CONNECTIONS)
def test_secret_is_not_seen_in_a_traceback(place: str, way: str, folder: Path) -> None:
    """The traceback of a bug holds no secret, though the error behind it does."""
    (folder / "nowhere").mkdir()
    with faulty(way):
        assert audit(folder, place, "127.0.0.1:1", "--policy", "policy.yaml") == []


@pytest.mark.parametrize("place", SLOW)
def test_secret_is_not_seen_where_a_server_is_silent(place: str, folder: Path) -> None:
    """No secret is shown where a server does not answer in time."""
    with hostile_server("waiting") as server:
        host = f"127.0.0.1:{server.port}"
        found = audit(folder, place, host, "--policy", "policy.yaml", PGCONNECT_TIMEOUT="2")
    assert found == []


@pytest.mark.parametrize("content", ["nothing", "no database", "no table", "a broken table"])
@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_secret_is_not_seen_in_the_name_of_a_file(
    scheme: str, content: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No secret is shown by a file that is named like it, whatever it holds."""
    path = tmp_path_factory.mktemp("base") / HOST_CANARY
    if content == "no database":
        path.write_text("kestrel" * 100)
    elif content != "nothing":
        base: Any = sqlite3.connect(path) if scheme == "sqlite" else duckdb.connect(str(path))
        with closing(base):
            base.execute("CREATE TABLE u (sex TEXT)")
            if content == "a broken table":
                base.execute("CREATE VIEW t AS SELECT * FROM u")
                base.execute("DROP TABLE u")
            base.commit() if scheme == "sqlite" else None
    placed = {"the path": (f"{scheme}://{path.parent}/${{BIASPIPE_X}}", HOST_CANARY)}
    with patch.dict(CONNECTIONS, placed):
        assert audit(folder, "the path", "") == []


@pytest.mark.parametrize(
    "uri",
    [
        *("https://host/a.csv?auth={}", "https://host/a.csv?jwt={}", "https://host/a.csv#token={}"),
        *("https://host/a.csv;token={}", "s3://bucket/a.csv?X-Amz-Signature={}"),
        *("https://me:{}@host/a.csv", "https://{}@host/a.csv", "https://host/a.csv?a=1&sig={}"),
    ],
)
def test_secret_of_a_spec_is_not_seen(uri: str) -> None:
    """A secret that somebody wrote into a spec is refused, and its line is shown without it."""
    for value in (HOST_CANARY, quote(CANARY, safe="")):
        for data in ({"path": uri.format(value)}, {"paht": uri.format(value)}):
            ended = call("run", written_audit(data))
            assert ended.code == (3 if "path" in data else 2)
            assert [piece for piece in PIECES if piece in ended.text.lower()] == []
            assert "host" in ended.text or "bucket" in ended.text
