"""Tables in object stores and on web servers: read where they are, refused in words."""

import gzip
import io
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

import biaspipe
from biaspipe.engines.duckdb import cloud as duckdb_stores
from biaspipe.errors import DataError, SpecError, UsageError
from biaspipe.pipeline import Options, run
from biaspipe.sources.uris import scan_options
from biaspipe.spec import EngineName
from tests.cli.calls import Ended, start
from tests.engines.builders import USUAL, audited, comparisons, labels, ledger, names, prepare
from tests.servers.s3 import SECRET, Server, serving

CSV = b"sex,label\nm,1\nm,1\nm,0\nf,0\nf,1\n"
TSV = CSV.replace(b",", b"\t")
NDJSON = (
    b'{"sex":"m","label":1}\n{"sex":"m","label":1}\n{"sex":"m","label":0}\n'
    b'{"sex":"f","label":0}\n{"sex":"f","label":1}\n'
)
ROWS = pl.DataFrame({"sex": ["m", "m", "m", "f", "f"], "label": [1, 1, 0, 0, 1]})
ONCE = {"AWS_EC2_METADATA_DISABLED": "true", "POLARS_CLOUD_MAX_RETRIES": "1"}


def parquet(frame: pl.DataFrame) -> bytes:
    """Return a frame as a parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def arrow() -> bytes:
    """Return the rows as an arrow file."""
    buffer = io.BytesIO()
    ROWS.write_ipc(buffer)
    return buffer.getvalue()


OBJECTS: dict[str, bytes] = {
    "data.csv": CSV,
    "data.tsv": TSV,
    "data.csv.gz": gzip.compress(CSV),
    "data.ndjson": NDJSON,
    "data.jsonl.gz": gzip.compress(NDJSON),
    "data.arrow": arrow(),
    "data.parquet": parquet(ROWS),
    "two words/dé cis.parquet": parquet(ROWS),
    "parts/part-0.parquet": parquet(ROWS),
    "parts/part-1.parquet": parquet(ROWS.head(3)),
    "parts/_SUCCESS": b"",
    "parts/_old.parquet": parquet(ROWS),
    "texts/a.csv": CSV,
    "texts/b.csv": CSV,
    "by/sex=m/part.parquet": parquet(pl.DataFrame({"label": [1, 1, 0]})),
    "by/sex=f/part.parquet": parquet(pl.DataFrame({"label": [0, 1]})),
    "mixed/a.parquet": parquet(ROWS),
    "mixed/b.parquet": parquet(ROWS.with_columns(pl.col("label").cast(pl.String))),
    "people.parquet": parquet(pl.DataFrame({"id": [1, 2, 3], "sex": ["m", "f", "f"]})),
    "cut.parquet": parquet(ROWS)[:60],
    "empty.csv": b"",
    "late.csv": CSV + b"f,\xff\n",
    "odd/long.csv": CSV + b"f,1,2\n",
    "odd/short.csv": CSV + b"f",
    "odd/quote.csv.gz": gzip.compress(CSV + b'f,24"\n'),
    "odd/parts/a.csv": CSV,
    "odd/parts/b.csv": CSV + b"\n",
    "odd/lines/a.jsonl": NDJSON,
    "odd/lines/b.jsonl": NDJSON.replace(b"label", b"lab"),
}


@pytest.fixture(scope="module")
def store() -> Iterator[Server]:
    """Run a store that holds the objects twice: for the key, and for everybody."""
    with serving() as server:
        for key, content in OBJECTS.items():
            server.put("private", key, content)
            server.put("public", key, content)
        yield server


@pytest.fixture
def known(store: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Have the right key in the environment."""
    for name, value in store.access.items():
        monkeypatch.setenv(name, value)
    return store


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("key", [key for key in OBJECTS if key.startswith(("data", "two"))])
def test_object_is_read_in_every_format(key: str, tmp_path: Path) -> None:
    """An object gives the same counts in every format that a file may have."""
    result = audited(tmp_path, None, data={"path": f"s3://private/{key}"})
    assert (labels(result), comparisons(result)[0].favored) == ((3, 2, 0), "m")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("s3://private/parts/part-*.parquet", None, (5, 3, 0)),
        ("s3://private/**/part-0.parquet", None, (3, 2, 0)),
        ("s3://private/parts/", "parquet", (5, 3, 0)),
        ("s3://private/texts/*.csv", None, (6, 4, 0)),
        ("s3://private/texts/", "csv", (6, 4, 0)),
        ("s3a://private/data.parquet", None, (3, 2, 0)),
        (["s3://private/data.csv", "s3://private/texts/a.csv"], None, (6, 4, 0)),
        (["s3://private/data.parquet", "s3://private/parts/part-*.parquet"], None, (8, 5, 0)),
    ],
)
def test_uris_name_files_as_paths_do(
    path: str | list[str], form: str | None, expected: tuple[int, int, int], tmp_path: Path
) -> None:
    """A glob, a folder and a list of URIs stand for all of their objects, marker files not."""
    data = {"path": path, **({"format": form} if form else {})}
    assert labels(audited(tmp_path, None, data=data)) == expected


@pytest.mark.combinations
@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("long.csv", "long.csv: line 7 has 3 fields, and the header has 2"),
        ("short.csv", "short.csv: line 7 has 1 field, and the header has 2"),
        ("quote.csv.gz", "quote.csv.gz: line 7 has a quote inside a value"),
        ("parts/*.csv", "parts/b.csv: line 7 is blank"),
        ("lines/*.jsonl", "lines/b.jsonl: no line has the key 'label', which s3://private/odd/"),
    ],
)
def test_row_of_an_object_that_could_be_misread_is_named(
    key: str, words: str, engine: EngineName, tmp_path: Path
) -> None:
    """A faulty row is found in an object as in a file, with the object and the line."""
    loaded = prepare(tmp_path, data={"path": f"s3://private/odd/{key}"})
    with pytest.raises(DataError) as caught:
        run(loaded, Options(engine=engine))
    assert caught.value.message.startswith(f"s3://private/odd/{words}")


@pytest.mark.usefixtures("known")
def test_object_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    """A URI that is listed twice would count twice."""
    path = ["s3://private/data.parquet"] * 2
    with pytest.raises(SpecError, match="is listed twice; its rows would count twice"):
        audited(tmp_path, None, data={"path": path})


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("path", ["s3://private/by/", "s3://private/by/**/*.parquet"])
def test_remote_folders_hold_columns(path: str, tmp_path: Path) -> None:
    """Remote folders named key=value become columns, however they are named."""
    result = audited(tmp_path, None, data={"path": path, "format": "parquet"})
    assert labels(result) == (3, 2, 0)
    (only,) = comparisons(result)
    assert (only.favored, only.disfavored) == ("m", "f")


@pytest.mark.usefixtures("known")
def test_remote_table_is_joined_to_a_file(tmp_path: Path) -> None:
    """A remote table is joined to a local one by key."""
    join = [{"path": "s3://private/people.parquet", "on": "id"}]
    rows = pl.DataFrame({"id": [1, 2, 3, 4], "label": [1, 0, 1, 1]})
    result = audited(tmp_path, rows, data={"join": join})
    assert (labels(result), names(result)) == ((3, 1, 0), [("m", "f")])
    assert ledger(result) == {"favored": 1, "disfavored": 2, "facet_missing": 1}


def test_file_is_read_from_a_web_server(store: Server, tmp_path: Path) -> None:
    """A file on a web server is read, a query after its name included."""
    path = f"{store.url}/public/data.csv?download=1"
    assert labels(audited(tmp_path, None, data={"path": path})) == (3, 2, 0)


@pytest.mark.usefixtures("known")
def test_report_has_neither_size_nor_digest_of_an_object(tmp_path: Path) -> None:
    """The evidence names an object as the spec does, without size and digest."""
    result = audited(tmp_path, None, data={"path": "s3://private/data.csv"})
    inputs = [(i.path, i.bytes, i.sha256) for i in result.data.inputs]
    assert inputs == [("s3://private/data.csv", None, None)]


def ended(folder: Path, path: str, environment: dict[str, str]) -> Ended:
    """Run an audit of a URI as a process of its own."""
    spec = {**USUAL, "data": {"path": path}, "metrics": {"CI": {"min": -0.9}}}
    (folder / "audit.yaml").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    return start("run", "audit.yaml", cwd=folder, **{**ONCE, **environment})


@pytest.mark.parametrize("path", ["s3://public/data.csv", "s3://public/parts/part-*.parquet"])
def test_anybody_reads_public_data(store: Server, path: str, tmp_path: Path) -> None:
    """Public data is read without a key, and nothing is said about it."""
    done = ended(tmp_path, path, store.anonymous)
    assert (done.code, done.err) == (0, "")


WRONG: dict[str, tuple[str, dict[str, str], str]] = {
    "no object": ("s3://private/gone.parquet", {}, "gone.parquet: there is no such file"),
    "no bucket": ("s3://nowhere/data.parquet", {}, "there is no such bucket"),
    "no match": ("s3://private/gone-*.parquet", {}, "no file matches"),
    "wrong secret": (
        "s3://private/data.parquet",
        {"AWS_SECRET_ACCESS_KEY": "notTheSecret"},
        "the store refuses the secret key\n  hint: polars takes",
    ),
    "unknown key": (
        "s3://private/data.parquet",
        {"AWS_ACCESS_KEY_ID": "AKIAOTHER"},
        "the store does not know the access key\n  hint: polars takes",
    ),
    "no key": (
        "s3://private/data.csv",
        {"AWS_SKIP_SIGNATURE": "true"},
        "access is denied\n  hint: polars takes",
    ),
    "refused": (
        "s3://private/data.csv",
        {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"},
        "127.0.0.1:9 refuses the connection",
    ),
    "cut": ("s3://private/cut.parquet", {}, "cut.parquet: cannot be read"),
    "empty": ("s3://private/empty.csv", {}, "empty.csv: the file is empty"),
    "late fault": ("s3://private/late.csv", {}, "late.csv: the text is not UTF-8"),
    "unknown scheme": ("gopher://private/data.csv", {}, "polars does not know such URIs"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_unreadable_object_is_faulty_data(store: Server, fault: str, tmp_path: Path) -> None:
    """An object that cannot be read ends with exit 3 and words that name it, never a secret."""
    path, environment, words = WRONG[fault]
    done = ended(tmp_path, path, {**store.access, **environment})
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"error: {path}: ")
    assert words in done.err
    assert [s for s in (SECRET, "notTheSecret", "Traceback", "Warning") if s in done.err] == []


def test_dropped_connection_is_faulty_data(store: Server, tmp_path: Path) -> None:
    """A store that closes every connection ends with exit 3 and the name of the host."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        Thread(target=drop, args=(listening,), daemon=True).start()
        place = {**store.access, "AWS_ENDPOINT_URL": f"http://{address}"}
        done = ended(tmp_path, "s3://private/data.parquet", place)
    assert done.code == 3
    assert f"s3://private/data.parquet: the connection to {address} failed" in done.err


def drop(listening: socket.socket) -> None:
    """Close every connection as soon as it is there, until there are no more."""
    try:
        while True:
            listening.accept()[0].close()
    except OSError:
        return


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.org/data.csv?X-Amz-Credential=a&X-Amz-Signature=geheim",
        "https://example.org/data.csv?sv=1&sig=geheim",
        "https://example.org/data.csv?access_token=geheim",
        "https://ada:geheim@example.org/data.csv",
        "https://geheim@example.org/data.csv",
        "s3://key:geheim@private/data.csv",
    ],
)
def test_credentials_in_a_uri_are_refused(uri: str, tmp_path: Path) -> None:
    """A URI that lets people in is refused before it is read, and its secret is not shown."""
    with pytest.raises(DataError, match="credentials do not belong in a spec") as caught:
        audited(tmp_path, None, data={"path": uri})
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "paths",
    [
        ["s3://b/part-*.parquet", "s3://b/part-0.parquet"],
        ["s3://b/x/", "s3://b/x/y/z.parquet"],
        ["s3://b/**/*.parquet", "s3://b/x/y/z.parquet"],
        ["s3://b/*.parquet", "s3://b/part-*.parquet"],
    ],
)
def test_uris_that_overlap_are_refused(paths: list[str], tmp_path: Path) -> None:
    """Two URIs of which one stands for the other too are a wrong spec."""
    with pytest.raises(SpecError, match="its rows would count twice"):
        audited(tmp_path, None, data={"path": paths, "format": "parquet"})


def test_remote_folder_needs_a_format(tmp_path: Path) -> None:
    """A remote folder whose format is not said is a wrong spec that proposes to say it."""
    with pytest.raises(SpecError, match=r"the remote folder 's3://b/x/' does not tell its format"):
        audited(tmp_path, None, data={"path": "s3://b/x/"})


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    "path",
    [
        "s3://private/data.parquet",
        "s3://private/data.csv",
        "s3://private/data.ndjson",
        "s3://private/parts/part-*.parquet",
        "s3://private/by/**/*.parquet",
        "s3://private/by/",
    ],
)
def test_duckdb_reads_objects_as_polars_does(path: str) -> None:
    """DuckDB reads what it is given from the store, with the same result."""
    folder = {"format": "parquet"} if path.endswith("/") else {}
    spec = {**USUAL, "data": {"path": path, **folder}}
    by_polars, by_duckdb = (biaspipe.run(spec, engine=name) for name in ("polars", "duckdb"))
    assert by_polars.result_sha256 == by_duckdb.result_sha256
    assert (by_duckdb.run.engine or "").startswith("duckdb")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("s3://private/gone.parquet", "s3://private/gone.parquet: cannot be read: .*"),
        ("s3://nowhere/data.parquet", ".*bucket does not exist"),
        ("s3://private/no-*.parquet", ".*[Nn]o files found.*"),
        (
            "s3://private/mixed/*.parquet",
            r"b.parquet: column 'label' holds VARCHAR, and BIGINT in .*a.parquet",
        ),
    ],
)
@pytest.mark.usefixtures("known")
def test_duckdb_names_the_object_that_cannot_be_read(path: str, words: str) -> None:
    """A missing object, bucket or match is said in one line, without a traceback."""
    with pytest.raises(DataError, match=words) as caught:
        biaspipe.run({**USUAL, "data": {"path": path}}, engine="duckdb")
    assert "\n" not in caught.value.message
    assert SECRET not in str(caught.value)


@pytest.mark.usefixtures("known")
def test_duckdb_reads_no_remote_arrow_files() -> None:
    """Arrow files in the cloud are refused with what reads them."""
    with pytest.raises(UsageError, match="reads no Arrow files"):
        biaspipe.run({**USUAL, "data": {"path": "s3://private/data.arrow"}}, engine="duckdb")


def test_duckdb_reads_public_objects(store: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key, DuckDB reads public data and is refused the private."""
    for name, value in {**store.anonymous, **ONCE}.items():
        monkeypatch.setenv(name, value)
    read = biaspipe.run({**USUAL, "data": {"path": "s3://public/data.parquet"}}, engine="duckdb")
    assert read.result.data.rows == 5
    with pytest.raises(DataError, match=r"s3://private/data\.parquet"):
        biaspipe.run({**USUAL, "data": {"path": "s3://private/data.parquet"}}, engine="duckdb")


def test_duckdb_names_the_library_that_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither the extension nor the library is installed, the command is named."""
    monkeypatch.setattr(duckdb_stores, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="pip install fsspec s3fs"):
        biaspipe.run({**USUAL, "data": {"path": "s3://public/data.parquet"}}, engine="duckdb")


@pytest.mark.parametrize(
    ("path", "is_patient"),
    [
        ("hf://datasets/me/rows/data.parquet", False),
        ("s3://bucket/data.parquet", True),
        ("https://example.org/data.parquet", True),
    ],
)
def test_polars_knows_the_options_of_every_store(path: str, is_patient: bool) -> None:
    """A store gets the options that polars has for it, which are none for Hugging Face."""
    how = scan_options([path])
    pl.scan_parquet(path, **how)
    assert how["glob"]
    assert ("storage_options" in how) is is_patient
