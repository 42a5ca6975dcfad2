"""Files that cannot be read, or hold less than they should: each refused under its name."""

import gzip
import io
from pathlib import Path

import polars as pl
import pytest

from biaspipe.errors import DataError, SpecError
from tests.engines.builders import audited, labels, write

GOOD = "sex,label\nm,1\nf,0\n"
LATIN = "sex,label\nm,1\nfrüh,0\n".encode("latin-1")
RAGGED = "sex,label\nm,1\nf,0,1\n"


def parquet() -> bytes:
    """Return a small parquet file."""
    buffer = io.BytesIO()
    pl.DataFrame({"sex": ["m", "f"] * 50, "label": [1, 0] * 50}).write_parquet(buffer)
    return buffer.getvalue()


def arrow() -> bytes:
    """Return a small arrow file."""
    buffer = io.BytesIO()
    pl.DataFrame({"sex": ["m", "f"] * 50, "label": [1, 0] * 50}).write_ipc(buffer)
    return buffer.getvalue()


FAULTY: dict[str, tuple[str, bytes, str]] = {
    "latin-1": ("data.csv", LATIN, "not UTF-8"),
    "ragged": ("data.csv", RAGGED.encode(), "line 3 has 3 fields, and the header has 2"),
    "half a parquet": ("data.parquet", parquet()[: len(parquet()) // 2], "cannot be read"),
    "no parquet": ("data.parquet", b"sex,label\nm,1\n", "cannot be read"),
    "damaged parquet": ("data.parquet", parquet()[:8] + bytes(40) + parquet()[48:], ""),
    "half an arrow": ("data.arrow", arrow()[: len(arrow()) // 2], "cannot be read"),
    "half a gzip": ("data.csv.gz", gzip.compress(GOOD.encode() * 99)[:-30], "is cut off"),
    "no gzip": ("data.csv.gz", b"\x1f\x8bno", "is damaged"),
    "half a line": ("data.ndjson", b'{"sex":"m","label":1}\n{"sex":"f","la', "cannot be read"),
    "no json": ("data.ndjson", b"sex,label\nm,1\n", "cannot be read"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_faulty_file_is_named(fault: str, tmp_path: Path) -> None:
    """A file that cannot be read is faulty data, under its name."""
    name, content, words = FAULTY[fault]
    with pytest.raises(DataError, match=f"{name}.*{words}"):
        audited(tmp_path, content, name)


@pytest.mark.parametrize("fault", FAULTY)
def test_faulty_file_among_others_is_named(fault: str, tmp_path: Path) -> None:
    """Of several files of a table the faulty one is named."""
    name, content, _ = FAULTY[fault]
    good = {"data.csv": GOOD.encode(), "data.csv.gz": gzip.compress(GOOD.encode())}
    good |= {"data.parquet": parquet(), "data.arrow": arrow()}
    good |= {"data.ndjson": b'{"sex":"m","label":1}\n'}
    write(tmp_path / f"a-{name}", good[name])
    write(tmp_path / f"b-{name}", content)
    with pytest.raises(DataError, match=f"b-{name}"):
        audited(tmp_path, None, data={"path": [f"a-{name}", f"b-{name}"]})


@pytest.mark.parametrize(
    ("content", "words"), [(LATIN, "not UTF-8"), (RAGGED, "line 3 has 3 fields"), ("", "empty")]
)
def test_faulty_joined_file_is_named(content: bytes | str, words: str, tmp_path: Path) -> None:
    """A joined file that cannot be read is named, not the data that it is joined to."""
    write(tmp_path / "people.csv", content)
    left = pl.DataFrame({"label": [1, 0], "score": [1, 0]})
    join = [{"path": "people.csv", "on": "label"}]
    with pytest.raises(DataError, match=f"people.csv.*{words}"):
        audited(tmp_path, left, data={"join": join})


@pytest.mark.parametrize(
    "name", ["data.csv", "data.tsv", "data.ndjson", "data.parquet", "data.arrow"]
)
def test_empty_file_is_faulty_data(name: str, tmp_path: Path) -> None:
    """A file of no bytes is faulty data in every format, and called empty."""
    with pytest.raises(DataError, match=f"{name}: the file is empty"):
        audited(tmp_path, b"", name)


@pytest.mark.parametrize("label", [{"positive": 1}, {"positive": "yes"}, {"above": 0.5}])
@pytest.mark.parametrize("facet", [{"favored": "m"}, {"disfavored": {"below": 3}}, {}])
def test_header_without_rows_is_faulty_data(
    label: dict[str, object], facet: dict[str, object], tmp_path: Path
) -> None:
    """A table of a header alone has no rows, whatever the audit looks for in it."""
    with pytest.raises(DataError, match=r"data\.csv: there are no rows"):
        audited(
            tmp_path,
            "sex,label\n",
            columns={"label": {"column": "label", **label}},
            facets={"sex": {"column": "sex", **facet}},
        )


def test_parquet_without_rows_is_faulty_data(tmp_path: Path) -> None:
    """A parquet file without rows is faulty data."""
    frame = pl.DataFrame(schema={"sex": pl.String, "label": pl.Int64})
    with pytest.raises(DataError, match=r"data\.parquet: there are no rows"):
        audited(tmp_path, frame)


@pytest.mark.parametrize("path", ["gone.csv", "gone/deep.parquet", ["data.csv", "gone.csv"]])
def test_missing_file_is_faulty_data(path: str | list[str], tmp_path: Path) -> None:
    """A path to nothing is faulty data that names the path."""
    write(tmp_path / "data.csv", GOOD)
    with pytest.raises(DataError, match=r"gone.*: there is no such file"):
        audited(tmp_path, None, data={"path": path})


def test_missing_joined_file_is_faulty_data(tmp_path: Path) -> None:
    """A joined path to nothing is faulty data that names the path."""
    with pytest.raises(DataError, match=r"gone\.csv: there is no such file"):
        audited(tmp_path, GOOD, data={"join": [{"path": "gone.csv", "on": "sex"}]})


@pytest.mark.parametrize("path", ["gone*.csv", "**/*.parquet", "data.[xyz]sv"])
def test_glob_without_a_match_is_faulty_data(path: str, tmp_path: Path) -> None:
    """A glob that matches nothing is faulty data that shows the glob."""
    write(tmp_path / "data.csv", GOOD)
    with pytest.raises(DataError) as caught:
        audited(tmp_path, None, data={"path": path})
    assert caught.value.message == f"{path}: no file matches"


def test_folder_without_data_is_faulty_data(tmp_path: Path) -> None:
    """A folder of hidden and marker files holds no data."""
    for name in ("_SUCCESS", ".data.csv", "readme.txt"):
        write(tmp_path / "sub" / name, GOOD)
    with pytest.raises(DataError, match="sub: the folder holds no data file"):
        audited(tmp_path, None, data={"path": "sub"})


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("sex,label,label\nm,1,1\nf,0,0\n", "label"),
        ("label,sex,label\n1,m,1\n0,f,0\n", "label"),
        ("sex,sex,label\nm,m,1\nf,f,0\n", "sex"),
        ("\ufeffsex,sex,label\nm,m,1\nf,f,0\n", "sex"),
    ],
)
def test_header_that_names_a_needed_column_twice_is_refused(
    text: str, column: str, tmp_path: Path
) -> None:
    """A column of the audit that a header names twice is faulty data."""
    with pytest.raises(DataError, match=rf"data\.csv: .* names the column '{column}' twice"):
        audited(tmp_path, text)


def test_other_columns_may_be_named_twice(tmp_path: Path) -> None:
    """A column that the audit does not need may stand twice in a header."""
    assert labels(audited(tmp_path, "sex,label,x,x\nm,1,1,2\nf,0,3,4\n")) == (1, 1, 0)


def test_condition_needs_a_column_once(tmp_path: Path) -> None:
    """A column of the condition that a header names twice is faulty data."""
    with pytest.raises(DataError, match=r"data\.csv: the header names the column 'x' twice"):
        audited(tmp_path, "sex,label,x,x\nm,1,1,2\nf,0,3,4\n", data={"where": "x > 0"})


@pytest.mark.parametrize(
    ("text", "column"),
    [("label,label,sex\n1,2,m\n0,3,f\n", "label"), ("label,sex,sex\n1,m,f\n0,f,m\n", "sex")],
)
def test_joined_header_needs_a_column_once(text: str, column: str, tmp_path: Path) -> None:
    """A key or column that a joined header names twice is refused under the joined file's name."""
    write(tmp_path / "people.csv", text)
    join = [{"path": "people.csv", "on": "label"}]
    with pytest.raises(DataError, match=rf"people\.csv: .* names the column '{column}' twice"):
        audited(tmp_path, "label,score\n1,2\n0,3\n", data={"join": join})


def test_unknown_column_is_a_wrong_spec(tmp_path: Path) -> None:
    """A column that the data lacks is a wrong spec that names file, columns and the nearest."""
    columns = {"label": {"column": "lable", "positive": 1}}
    with pytest.raises(SpecError) as caught:
        audited(tmp_path, GOOD, columns=columns)
    (fault,) = caught.value.faults
    assert fault.message == "data.csv has no column 'lable'"
    assert (fault.expected, fault.hint) == ("sex, label", "did you mean 'label'?")
