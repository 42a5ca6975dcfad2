"""Files of web servers: fetched once, from where the policy allows, and gone at the end."""

import gzip
import hashlib
import io
import tempfile
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.policy import DEFAULT, Limits, Policy
from biaspipe.report import Result
from biaspipe.sources import downloads
from biaspipe.spec import EngineName
from tests.engines.builders import labels, prepare
from tests.servers.web import Web, serving

CSV = b"sex,label\nm,1\nm,1\nm,0\nf,0\nf,1\n"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """Run a server; what is fetched from it goes to a folder of the test, and through no proxy."""
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(kept))
    monkeypatch.setattr(downloads, "getproxies_environment", dict)
    with serving() as server:
        yield server
    assert list(kept.iterdir()) == []


def audited(
    folder: Path, path: str, policy: Policy = DEFAULT, engine: EngineName = "polars"
) -> Result:
    """Run an audit of a URI."""
    return run(prepare(folder, data={"path": path}), Options(policy=policy, engine=engine)).result


def parquet() -> bytes:
    """Return the rows as Parquet."""
    buffer = io.BytesIO()
    pl.read_csv(CSV).write_parquet(buffer)
    return buffer.getvalue()


FILES = {"a.csv": CSV, "a.csv.gz": gzip.compress(CSV), "a.parquet": parquet()}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", FILES)
def test_file_is_read_with_size_and_digest(
    name: str, engine: EngineName, web: Web, tmp_path: Path
) -> None:
    """Every engine counts a file of a web server, and the report has its size and digest."""
    uri = web.put(f"/{name}?download=1", FILES[name])
    result = audited(tmp_path, uri, engine=engine)
    (found,) = result.data.inputs
    digest = hashlib.sha256(FILES[name]).hexdigest()
    assert labels(result) == (3, 2, 0)
    assert (found.path, found.bytes, found.sha256) == (uri, len(FILES[name]), digest)
    assert [path for path, _ in web.asked] == [f"/{name}?download=1"]


def test_folders_named_key_value_are_columns(web: Web, tmp_path: Path) -> None:
    """A folder of a URI that is named key=value becomes a column, as on this machine."""
    buffer = io.BytesIO()
    pl.DataFrame({"label": [1, 0]}).write_parquet(buffer)
    paths = [web.put(f"/sex={sex}/a.parquet", buffer.getvalue()) for sex in "mf"]
    result = run(prepare(tmp_path, data={"path": paths})).result
    assert labels(result) == (2, 2, 0)


def test_nothing_of_the_environment_is_sent(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No credentials are sent, though .netrc has some."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ada password geheim\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    audited(tmp_path, web.put("/a.csv", CSV))
    assert set(web.asked[0][1]) == {"host", "user-agent", "accept-encoding", "connection"}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_on_the_same_server_is_followed(status: int, web: Web, tmp_path: Path) -> None:
    """A server may lead on to another file of its own."""
    web.put("/b.csv", CSV)
    assert labels(audited(tmp_path, web.lead("/a.csv", "b.csv", status))) == (3, 2, 0)


LEADS = {
    "other host": ("http://localhost:{port}/b.csv", "another server"),
    "other port": ("http://127.0.0.1:9/b.csv", "another server"),
    "credentials of a machine": ("http://169.254.169.254/b.csv", "hands out credentials"),
    "the same as a number": ("http://2852039166/b.csv", "hands out credentials"),
    "the same by IPv6": ("http://[::ffff:a9fe:a9fe]/b.csv", "hands out credentials"),
    "file": ("file:///etc/passwd", "is not fetched"),
    "ftp": ("ftp://127.0.0.1/b.csv", "is not fetched"),
    "data": ("data:text/csv,sex", "is not fetched"),
    "store": ("s3://bucket/b.csv", "is not fetched"),
    "user": ("http://ada@127.0.0.1:{port}/b.csv", "is not fetched"),
    "itself": ("/a.csv", "leads on more than 10 times"),
    "nowhere": ("/gone.csv", "there is no such file"),
}


@pytest.mark.parametrize("lead", LEADS)
def test_redirect_elsewhere_is_refused(lead: str, web: Web, tmp_path: Path) -> None:
    """A server does not lead to where the spec itself may not go, or does not say it goes."""
    target, words = LEADS[lead]
    web.put("/b.csv", CSV)
    uri = web.lead("/a.csv", target.format(port=web.url.rpartition(":")[2]))
    with pytest.raises((DataError, SpecError)) as caught:
        audited(tmp_path, uri)
    assert words in str(caught.value)
    assert "/b.csv" not in [path for path, _ in web.asked]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"hosts": ("127.0.0.1",)}, "localhost is none of the hosts"),
        ({"roots": ("{url}/a",)}, "localhost is none of the hosts"),
        ({"hosts": ("127.0.0.1", "localhost")}, None),
        ({"roots": ("{url}", "{other}/b")}, None),
        ({"hosts": ("*",), "schemes": ("https",)}, "http:// is none of the schemes"),
        ({"hosts": ("example.org",)}, "127.0.0.1 is none of the hosts"),
    ],
)
def test_policy_is_asked_about_each_hop(
    rules: dict[str, tuple[str, ...]], words: str | None, web: Web, tmp_path: Path
) -> None:
    """A redirect is followed to hosts and roots of the policy, and to no others."""
    other = web.url.replace("127.0.0.1", "localhost")
    web.put("/b/b.csv", CSV)
    uri = web.lead("/a/a.csv", f"{other}/b/b.csv")
    placed = {k: tuple(v.format(url=web.url, other=other) for v in vs) for k, vs in rules.items()}
    policy = Policy(version=1, **placed)
    if words is None:
        assert labels(audited(tmp_path, uri, policy)) == (3, 2, 0)
        return
    with pytest.raises(SpecError, match=words):
        audited(tmp_path, uri, policy)


def test_redirect_to_an_open_line_is_refused() -> None:
    """What begins with TLS does not go on without it."""
    uris = ("https://example.org/a.csv", "http://example.org/a.csv")
    policy = Policy(version=1, hosts=("*",))
    with pytest.raises(SpecError, match="where anybody on the way may change it"):
        downloads._refuse_hop(uris[0], *uris, policy, ())


@pytest.mark.parametrize("says", [True, False])
def test_large_file_is_not_fetched(says: bool, web: Web, tmp_path: Path) -> None:
    """A file beyond the policy's limit ends the audit, whether the server says its size or not."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if says:
            handler.send_header("Content-Length", "1000000000000")
        handler.end_headers()
        while True:
            handler.wfile.write(b"m,1\n" * 100_000)

    web.answers["/a.csv"] = answer
    policy = Policy(version=1, limits=Limits.model_validate({"download": 1_000_000}))
    with pytest.raises(DataError, match=r"the file is larger than 1\.0MB"):
        audited(tmp_path, web.url + "/a.csv", policy)


def test_file_that_breaks_off_is_faulty(web: Web, tmp_path: Path) -> None:
    """A file that is shorter than its server says is not counted."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(CSV)

    web.answers["/a.csv"] = answer
    with pytest.raises(DataError, match="the server breaks off after 30 of 100 bytes"):
        audited(tmp_path, web.url + "/a.csv")


def test_silent_server_is_given_up(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that falls silent in the middle of a file is waited for so long and no longer."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(CSV)
        handler.wfile.flush()
        time.sleep(5)

    monkeypatch.setattr(downloads, "TIMEOUT", 0.3)
    web.answers["/a.csv"] = answer
    with pytest.raises(DataError, match="does not answer"):
        audited(tmp_path, web.url + "/a.csv")


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("http://127.0.0.1:9/a.csv", "127.0.0.1:9 refuses the connection"),
        ("http://no-such-host.invalid/a.csv", "the host no-such-host.invalid is not known"),
    ],
)
def test_server_that_is_not_there_is_named(uri: str, words: str, web: Web, tmp_path: Path) -> None:
    """A server that cannot be reached ends with exit 3 and its name."""
    assert web.url
    with pytest.raises(DataError, match=words):
        audited(tmp_path, uri)


def test_text_of_a_server_is_named_by_its_uri(web: Web, tmp_path: Path) -> None:
    """A faulty line is found in what was fetched, and named by the URI."""
    uri = web.put("/a.csv", CSV + b"f,1,2\n")
    with pytest.raises(DataError) as caught:
        audited(tmp_path, uri)
    assert caught.value.message == f"{uri}: line 7 has 3 fields, and the header has 2"
