"""Spark answers every audit as polars does, on a cluster."""

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines import open_engine
from tests.engines.builders import prepare, write
from tests.engines.cases import CASES
from tests.engines.conditions import ALIKE, FAULTY, LINES, REFUSED
from tests.engines.conformance import Case, by_files, differs, kept, outcome, same
from tests.engines.evaluator import answers
from tests.engines.samples import people, spec
from tests.servers.spark import Cluster
from tests.spark.sessions import session_on

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("session")]

DIFFERENCES: dict[str, str] = {
    "Datetime in ns": "Spark has no times of nanoseconds",
    "features of every type": "one of them is of times of nanoseconds",
    "joined by Datetime in ns": "Spark has no times of nanoseconds",
    "frequency: 2^62": "Spark refuses to add up the weights before one of them is shown",
}
CSV = (
    'sex,label,score,city,day\nm,1,0.5,"Ulm, old",2026-07-01\nf,0,0.25,"say ""hi""",2026-06-30\n'
    'm,0,,,2026-07-02\nf,1,1e-1,"two\nlines",2026-07-02\nm,1,.5,Ulm ,2026-07-01\n'
    'f,0, 1, Ulm,2026-07-01\n,1,0.75,"",2026-07-01\nx,,NaN,é,2026-07-03\n'
)
LINES_OF_JSON = (
    '{"sex":"m","label":1,"score":0.5,"ok":true,"more":[1]}\n'
    '{"sex":"f","label":0,"score":1,"ok":false,"more":null}\n'
    '{"label":1,"sex":"f","score":null,"ok":null}\n{"sex":"m","label":0,"score":0.25}\n'
)
CSV_LINES = CSV.splitlines(keepends=True)
FRAME = people().select("sex", "label", "score", "city")


@pytest.fixture(scope="module")
def session(lasting_cluster: Cluster) -> Iterator[Any]:
    """Return a session on the cluster, in which all audits of this module count."""
    lasting_cluster.fill()
    with session_on(lasting_cluster) as started:
        yield started


@pytest.mark.parametrize("case", differs(CASES, DIFFERENCES))
def test_audit_has_the_same_result(case: Case, tmp_path: Path) -> None:
    """An audit of Parquet files has the result on Spark that it has on polars, or its error."""
    loaded = by_files(case, tmp_path)
    same(case, outcome(loaded), outcome(loaded, "spark"))


@pytest.mark.parametrize(
    "data",
    [
        {"path": "d.csv"},
        {"path": "d.csv", "where": "day >= DATE '2026-07-01'"},
        {"path": "crlf.csv"},
        {"path": "packed.csv.gz"},
        {"path": "d.tsv", "csv": {"null_values": ["x", "0.5"]}},
        {
            "path": "bare.csv",
            "csv": {"header": False, "columns": ["sex", "label", "score", "c", "d"]},
        },
        {"path": ["d.csv", "other.csv"]},
        {"path": "d.jsonl"},
        {"path": "numbered.csv"},
    ],
    ids=str,
)
def test_text_table_has_the_same_result(data: dict[str, Any], tmp_path: Path) -> None:
    """A text table has the types and values that polars gives it."""
    files: dict[str, str | bytes] = {
        "d.csv": CSV,
        "other.csv": CSV,
        "bare.csv": CSV.partition("\n")[2],
        "crlf.csv": CSV.replace("\n", "\r\n"),
        "d.tsv": CSV.replace(",", "\t"),
        "packed.csv.gz": gzip.compress(CSV.encode()),
        "d.jsonl": LINES_OF_JSON,
        "numbered.csv": "".join(f"{i or ''},{line}" for i, line in enumerate(CSV_LINES)),
    }
    for name, content in files.items():
        write(tmp_path / name, content)
    columns = {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "score", "at_least": 0.5},
    }
    metrics = {"DPL": None, "DI": None, "RD": None}
    facets = {"sex": {"column": "sex", "favored": "m"}}
    loaded = prepare(tmp_path, data=data, columns=columns, metrics=metrics, facets=facets)
    found = outcome(loaded, "spark")
    assert found.result is not None, found.words
    assert found == outcome(loaded)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("d.csv", CSV.replace("m,0,,", "\nm,0,,"), "d.csv: line 4 is blank"),
        ("d.csv", CSV.replace("m,0,,", "m,0,,,"), "d.csv: line 4 has 6 fields"),
        ("d.csv", CSV.replace("m,0,,", "m,0,"), "d.csv: line 4 has 4 fields"),
        ("d.csv", CSV + 'm,1,1,24",2026-07-01\n', "d.csv: line 11 has a quote inside a value"),
        ("d.csv.gz", gzip.compress((CSV + "m,1").encode()), "line 11 has 2 fields"),
        ("d.csv", CSV.replace("-02\nf", "-02\r\nf"), "some lines end in CR LF and some in LF"),
        ("d.csv", gzip.compress(CSV.encode()), "Spark reads text as it is, or packed in files"),
        ("_d.parquet", FRAME, "Spark passes over files of such a name"),
        ("d.arrow", b"ARROW1", "Spark does not read arrow files"),
    ],
)
def test_file_that_spark_reads_otherwise_is_refused(
    name: str, content: Any, words: str, tmp_path: Path
) -> None:
    """A file that Spark would read otherwise than polars is an error in words."""
    write(tmp_path / name, content)
    strata = {"label": {"column": "label", "positive": 1}, "strata": ["city"]}
    strata |= {"strata": ["day"]} if name.endswith("csv") else {}
    loaded = prepare(tmp_path, data={"path": name}, columns=strata, metrics={"CDDL": None})
    found = outcome(loaded, "spark")
    assert found.error == "DataError"
    assert words in str(found.words)


def test_folders_named_by_keys_are_columns(tmp_path: Path) -> None:
    """Folders named key=value give columns of the types and values that polars gives them."""
    for number, city in enumerate(["Ulm", "Bad Ems", "a%2Fb"]):
        write(tmp_path / f"d/nr={number + 7}/town={city}/part.parquet", FRAME)
    facets = {"town": {"column": "town"}, "nr": {"column": "nr", "favored": 8}}
    loaded = prepare(tmp_path, data={"path": "d"}, facets=facets)
    found = outcome(loaded, "spark")
    assert found.result is not None, found.words
    assert found == outcome(loaded)


def test_names_with_signs_of_globs_are_files(tmp_path: Path) -> None:
    """A file whose name has the signs of a glob is read, and no other."""
    write(tmp_path / "part [1]%20{a}.parquet", FRAME)
    write(tmp_path / "part 1%20a.parquet", FRAME.head(3))
    names = ["part [1]%20{a}.parquet"]
    loaded = prepare(tmp_path, data={"path": names})
    found = outcome(loaded, "spark")
    assert found.result is not None, found.words
    assert found == outcome(loaded)


def test_files_of_other_schemas_are_refused(tmp_path: Path) -> None:
    """A file that lacks a column of the first file is an error that names both."""
    write(tmp_path / "a.parquet", FRAME)
    write(tmp_path / "b.parquet", FRAME.drop("label"))
    found = outcome(prepare(tmp_path, data={"path": ["a.parquet", "b.parquet"]}), "spark")
    words = "b.parquet: column 'label' holds None, and Int64 in a.parquet"
    assert found.words is not None
    assert found.words.startswith(words)


@pytest.fixture(scope="module")
def engines(
    session: Any,  # noqa: ARG001 - it has to be there
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Any]]:
    """Open the lines of the conditions with polars and with Spark."""
    folder = tmp_path_factory.mktemp("lines")
    write(folder / "data.parquet", LINES)
    audit = prepare(folder, data={"path": "data.parquet"}).audit
    opened: list[Any] = [open_engine(audit, folder, engine=n) for n in ("polars", "spark")]
    with closing(opened[0]), closing(opened[1]):
        yield opened


@pytest.mark.parametrize("where", ALIKE)
def test_condition_keeps_the_same_rows(where: str, engines: list[Any]) -> None:
    """A condition keeps the rows that plain Python keeps."""
    assert kept(engines[1], where) == answers(where, LINES)


@pytest.mark.parametrize("where", REFUSED)
def test_condition_is_refused(where: str, engines: list[Any]) -> None:
    """A condition that is none, or looks at other rows, is a wrong spec."""
    assert kept(engines[1], where) == "SpecError"


@pytest.mark.parametrize("where", FAULTY)
def test_condition_cannot_be_answered(where: str, engines: list[Any]) -> None:
    """A condition that asks of the data what it does not hold is an error."""
    assert kept(engines[1], where) == "DataError"


def test_zone_of_the_session_makes_no_difference(session: Any, engines: list[Any]) -> None:
    """Times without a zone are compared as they are written, wherever the session stands."""
    where = "at = TIMESTAMP '2026-07-01 10:30:00'"
    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        assert kept(engines[1], where) == answers(where, LINES)
    finally:
        session.conf.set("spark.sql.session.timeZone", "UTC")


def test_frame_in_hand_is_counted_in_its_session(session: Any, tmp_path: Path) -> None:
    """A frame of Spark has the result of the same rows in polars, and its session stays."""
    rows = people(w=pl.Series([1.5, 2.0, 0.25] * 16))
    write(tmp_path / "rows.parquet", rows)
    write(tmp_path / "cities.parquet", pl.DataFrame({"city": ["Ulm", "Bonn"], "big": [1, 0]}))
    data = {"path": "elsewhere.parquet", "join": [{"path": "cities.parquet", "on": "city"}]}
    loaded = prepare(tmp_path, data=data, **spec(facets={"big": {"column": "big"}}))
    frame = session.read.parquet(f"file://{tmp_path}/rows.parquet")
    found = outcome(loaded, frame=frame)
    assert found.result is not None, found.words
    assert found == outcome(loaded, frame=rows)
    assert frame.count() == rows.height


def test_columns_that_are_one_to_a_session_are_refused(session: Any, tmp_path: Path) -> None:
    """Columns that differ in case only are an error where the session takes them for one."""
    write(tmp_path / "d.parquet", FRAME.with_columns(Sex=pl.lit("m")))
    loaded = prepare(tmp_path, data={"path": "d.parquet"})
    assert outcome(loaded, "spark") == outcome(loaded)
    session.conf.set("spark.sql.caseSensitive", "false")
    try:
        found = outcome(loaded, "spark")
    finally:
        session.conf.set("spark.sql.caseSensitive", "true")
    assert "'sex' and 'Sex' are one column to this session" in str(found.words)
