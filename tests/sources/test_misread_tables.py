"""A row that an engine would misread is refused by every engine, wherever it stands."""

import gzip
import os
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow
import pytest

from biaspipe.cli.check import check_specs
from biaspipe.engines import open_engine
from biaspipe.engines.column_profiles import kinds_of, profile_columns
from biaspipe.errors import DataError, Exit, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.sources import digests
from biaspipe.spec import Data, EngineName
from tests.engines.builders import audited, labels, prepare, write

ROWS = 400
each_engine = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def text(bad: str, row: int, *, quoted: bool = False, last: str = "\n") -> bytes:
    """Return a table of which one row is another, and so line `row` + 1."""
    note = '"a, ""b"""' if quoted else "plain"
    rows = ["sex,label,note", *(f"{'mf'[i % 2]},{i // 2 % 2},{note}" for i in range(ROWS))]
    rows[row] = bad
    return ("\n".join(rows) + last).encode()


def packed(content: bytes, ending: str) -> bytes:
    """Return a content as a file with this ending has it; gzip in two members."""
    if ending == ".gz":
        return gzip.compress(content[:99]) + gzip.compress(content[99:])
    if ending == ".zst":
        return bytes(pyarrow.Codec("zstd").compress(content, asbytes=True))
    return content


class Place(NamedTuple):
    """Where a faulty row stands: its number, among quotes or not, and what follows the last."""

    row: int
    quoted: bool = False
    last: str = "\n"


FAULTS = {
    "m,1,a,b": "has 4 fields, and the header has 3",
    "f,1": "has 2 fields, and the header has 3",
    "": "is blank",
    'm,1,24" wide': "has a quote inside a value",
}
PLACES = [Place(1), Place(200, quoted=True), Place(ROWS, quoted=True), Place(ROWS - 1, last="")]


@pytest.fixture
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Take files of so many bytes for large ones, and read few bytes at a time."""
    monkeypatch.setattr(digests, "LARGE", request.param)
    monkeypatch.setattr(digests, "BLOCK", 1_000)
    return int(request.param)


@pytest.mark.combinations
@each_engine
@pytest.mark.parametrize("size", [0, 1 << 30], indirect=True)
@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("place", PLACES)
def test_line_is_found_wherever_it_stands(
    place: Place, ending: str, engine: EngineName, tmp_path: Path
) -> None:
    """A faulty row is named with file and line, in the first row, behind quotes, in the last."""
    for bad, words in FAULTS.items():
        content = text(bad, place.row, quoted=place.quoted, last=place.last)
        write(tmp_path / f"d.csv{ending}", packed(content, ending))
        with pytest.raises(DataError) as caught:
            run(prepare(tmp_path, data={"path": f"d.csv{ending}"}), Options(engine=engine))
        assert caught.value.message == f"d.csv{ending}: line {place.row + 1} {words}"


@each_engine
@pytest.mark.parametrize(
    "parts",
    [
        {"columns": {"label": {"column": "label", "positive": "b"}}},
        {"columns": {"label": {"column": "label", "above": 3}}},
        {"facets": {"sex": {"column": "sex", "favored": "x"}}},
        {"columns": {"label": {"column": "lable", "positive": 1}}},
    ],
)
def test_line_says_more_than_what_follows_from_it(
    parts: dict[str, Any], engine: EngineName, tmp_path: Path
) -> None:
    """A faulty row is what is told, and not the value or column that is missing beside it."""
    write(tmp_path / "d.csv", text("m,2,1,2", 300))
    loaded = prepare(tmp_path, data={"path": "d.csv"}, **parts)
    with pytest.raises(DataError, match="line 301 has 4 fields"):
        run(loaded, Options(engine=engine))


@each_engine
def test_check_finds_the_line(
    engine: EngineName, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check --data` finds a faulty row as a run does."""
    write(tmp_path / "d.csv", text("m,1,2,3", 350))
    prepare(tmp_path, data={"path": "d.csv"})
    found = check_specs([tmp_path / "audit.yaml"], data=True, engine=engine)
    assert (found, "d.csv: line 351 has 4 fields" in capsys.readouterr().err) == (
        Exit.WRONG_DATA,
        True,
    )


@each_engine
def test_line_of_a_joined_table_is_found(engine: EngineName, tmp_path: Path) -> None:
    """A faulty row of a joined table is refused under the name of its file."""
    write(tmp_path / "people.csv", "id,sex\n1,m\n2,f,x\n3,f\n")
    write(tmp_path / "d.csv", "id,label\n1,1\n2,0\n3,1\n")
    data = {"path": "d.csv", "join": [{"path": "people.csv", "on": "id"}]}
    with pytest.raises(DataError, match=r"people\.csv: line 3 has 3 fields, and the header has 2"):
        run(prepare(tmp_path, data=data), Options(engine=engine))


@each_engine
def test_file_among_others_is_named(engine: EngineName, tmp_path: Path) -> None:
    """Of several files with a header each, the one with the faulty row is named."""
    write(tmp_path / "a.csv", "sex,label\nm,1\nf,0\n")
    write(tmp_path / "b.csv", "sex,label\nm,1\nf\n")
    with pytest.raises(DataError, match=r"b\.csv: line 3 has 1 field, and the header has 2"):
        run(prepare(tmp_path, data={"path": "*.csv"}), Options(engine=engine))


@each_engine
def test_files_without_header_have_one_width(engine: EngineName, tmp_path: Path) -> None:
    """Files without a header that differ in their fields are no one table."""
    write(tmp_path / "a.csv", "m,1\nf,0\n")
    write(tmp_path / "b.csv", "m,1,2\nf,0,2\n")
    data = {"path": "*.csv", "csv": {"header": False}}
    with pytest.raises(DataError, match=r"b\.csv: a row has 3 fields, and 2 fields in a\.csv"):
        run(prepare(tmp_path, data=data), Options(engine=engine))


@each_engine
def test_headers_that_columns_replace_are_one(engine: EngineName, tmp_path: Path) -> None:
    """Files whose headers differ are not read by names that replace them by position."""
    write(tmp_path / "a.csv", "a,b\nm,1\nf,0\n")
    write(tmp_path / "b.csv", "b,a\n1,m\n0,f\n")
    csv = {"header": True, "columns": ["sex", "label"]}
    with pytest.raises(DataError, match=r"b\.csv: the header is another one than in a\.csv"):
        run(prepare(tmp_path, data={"path": "*.csv", "csv": csv}), Options(engine=engine))


@each_engine
@pytest.mark.parametrize("columns", [["sex"], ["sex", "label", "score"]])
@pytest.mark.parametrize("header", [True, False])
def test_columns_are_as_many_as_fields(
    header: bool, columns: list[str], engine: EngineName, tmp_path: Path
) -> None:
    """As many columns are declared as the file has, with a header or without."""
    write(tmp_path / "d.csv", "m,1\nf,0\n")
    data = {"path": "d.csv", "csv": {"header": header, "columns": columns}}
    words = rf"d\.csv: line 1 has 2 fields, and data\.csv\.columns names {len(columns)}"
    with pytest.raises(DataError, match=words):
        run(prepare(tmp_path, data=data), Options(engine=engine))


def test_tabs_separate_tsv(tmp_path: Path) -> None:
    """In a tsv file tabs are counted, and commas belong to values."""
    assert labels(audited(tmp_path, "sex\tlabel\nm,x\t1\nf\t0\nm\t1\n", "d.tsv")) == (2, 1, 0)
    with pytest.raises(DataError, match="line 3 has 1 field, and the header has 2"):
        audited(tmp_path, "sex\tlabel\nm\t1\nf,0\n", "d.tsv")


@each_engine
def test_rows_of_the_engine_are_the_rows_of_the_file(
    engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that finds another number of rows than the file has is not believed."""
    write(tmp_path / "d.csv", text("m,1,x", 1))
    loaded = prepare(tmp_path, data={"path": "d.csv"})
    monkeypatch.setattr(digests.Digests, "rows", [ROWS + 1])
    with pytest.raises(DataError, match=rf"d\.csv: {engine} finds 400 rows, and there are 401"):
        run(loaded, Options(engine=engine))


def test_quotes_that_polars_would_lose_a_row_to_are_refused(tmp_path: Path) -> None:
    """Quotes for inches, behind which polars by itself loses a row, end the audit."""
    write(tmp_path / "d.csv", 'sex,label,size\nm,1,24"\nf,0,25"\nm,1,2\n')
    alone = pl.scan_csv(tmp_path / "d.csv").select("sex", pl.len().alias("n"))
    assert alone.collect(engine="streaming")["n"][0] < 3
    with pytest.raises(DataError, match="line 2 has a quote inside a value"):
        audited(tmp_path, None, "d.csv")


def test_profile_of_columns_finds_the_line(tmp_path: Path) -> None:
    """A look at columns, before there is an audit, finds a faulty row too."""
    write(tmp_path / "d.csv", "sex,city\n" + "m,Ulm\n" * 4 + "f,Ulm,x,y\n")
    data = Data(path=("d.csv",))
    with pytest.raises(DataError, match="line 6 has 4 fields"):
        profile_columns(data, tmp_path, ["sex"])
    with pytest.raises(DataError, match="line 6 has 4 fields"):
        kinds_of(data, tmp_path)


@each_engine
@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le"])
def test_text_of_other_bytes_is_called_so(coding: str, engine: EngineName, tmp_path: Path) -> None:
    """A text that is no UTF-8 is refused as such, and not for its fields."""
    write(tmp_path / "d.csv", "sex,label\nm,1\nf,0\n".encode(coding))
    with pytest.raises(DataError, match=r"d\.csv: the text is not UTF-8"):
        run(prepare(tmp_path, data={"path": "d.csv"}), Options(engine=engine))


@each_engine
@pytest.mark.parametrize("first", [True, False])
def test_file_of_json_without_a_needed_key_is_named(
    first: bool, engine: EngineName, tmp_path: Path
) -> None:
    """A file no line of which has a column of the audit is refused, whichever it is."""
    good = '{"sex":"m","label":1,"x":1}\n{"sex":"f","label":0}\n'
    names = ("b", "a") if first else ("a", "b")
    write(tmp_path / f"{names[0]}.ndjson", good)
    write(tmp_path / f"{names[1]}.ndjson", good.replace("label", "pred"))
    words = rf"{names[1]}\.ndjson: no line has the key 'label', which {names[0]}\.ndjson has"
    with pytest.raises(DataError, match=words):
        run(prepare(tmp_path, data={"path": "*.ndjson"}), Options(engine=engine))


@each_engine
def test_lines_of_json_may_leave_a_key_out(engine: EngineName, tmp_path: Path) -> None:
    """A key that some lines of a file leave out, or only its late ones have, is missing there."""
    good = '{"sex":"m","label":1,"x":1}\n{"sex":"f","label":0}\n{"sex":"f"}\n'
    late = '{"sex":"m"}\n' * 1_100 + '{"sex":"f","label":1}\n'
    write(tmp_path / "a.ndjson", good)
    write(tmp_path / "b.ndjson", late)
    result = run(prepare(tmp_path, data={"path": "*.ndjson"}), Options(engine=engine)).result
    assert labels(result) == (2, 1, 1_101)


@each_engine
def test_file_that_is_overwritten_in_place_is_refused(engine: EngineName, tmp_path: Path) -> None:
    """A file that is overwritten during a run is refused, even if its size and time are kept."""
    path = tmp_path / "d.csv"
    write(path, text("m,1,x", 1))
    audit = prepare(tmp_path, data={"path": "d.csv"}).audit
    before = path.stat()
    with closing(open_engine(audit, tmp_path, engine=engine)) as opened:
        path.write_bytes(path.read_bytes().replace(b"m,1", b"m,0"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        with pytest.raises(DataError, match=r"d\.csv: the file changed while it was read"):
            opened.inputs()


def test_file_that_is_replaced_is_refused(tmp_path: Path) -> None:
    """Another file under the same name is refused, even if it looks the same."""
    for name in ("d.csv", "other.csv"):
        write(tmp_path / name, text("m,1,x", 1))
    audit = prepare(tmp_path, data={"path": "d.csv"}).audit
    with closing(open_engine(audit, tmp_path)) as opened:
        (tmp_path / "other.csv").replace(tmp_path / "d.csv")
        with pytest.raises(DataError, match="changed while it was read"):
            opened.inputs()


def test_spec_stays_wrong_where_lines_are_right(tmp_path: Path) -> None:
    """A value that does not occur is a wrong spec where every line is as it should be."""
    facets = {"sex": {"column": "sex", "favored": "x"}}
    with pytest.raises(SpecError):
        audited(tmp_path, "sex,label\nm,1\nf,0\n", facets=facets)
