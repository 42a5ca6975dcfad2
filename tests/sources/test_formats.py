"""The same data gives the same counts in every format and however its files are named."""

import io
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest

from biaspipe.errors import SpecError
from biaspipe.report import Result
from tests.engines.builders import audited, comparisons, confusion, ledger, names, write

ROWS = pl.DataFrame(
    [
        ("m", "yes", 0.9, "car"),
        ("m", "yes", 0.8, "home"),
        ("m", "no", 0.7, "car"),
        ("m", "no", 0.2, "home"),
        ("m", "yes", 0.3, "car"),
        ("f", "yes", 0.6, "car"),
        ("f", "no", 0.4, "home"),
        ("f", "no", 0.1, "car"),
        ("f", "yes", 0.2, "home"),
        (None, "yes", 0.9, "car"),
        ("m", None, 0.9, "home"),
        ("f", "no", None, "car"),
    ],
    schema=["sex", "repaid", "score", "purpose"],
    orient="row",
)
COLUMNS = {
    "label": {"column": "repaid", "positive": "yes"},
    "prediction": {"column": "score", "above": 0.5},
}
Compression = Literal["uncompressed", "gzip", "zstd"]
Writer = Callable[[io.BytesIO], object]


def in_memory(writer: Writer) -> bytes:
    """Return what a writer of polars writes."""
    buffer = io.BytesIO()
    writer(buffer)
    return buffer.getvalue()


def csv(separator: str = ",", compression: Compression = "uncompressed") -> bytes:
    """Return the rows as a text table."""
    return in_memory(lambda b: ROWS.write_csv(b, separator=separator, compression=compression))


def ndjson(compression: Compression = "uncompressed") -> bytes:
    """Return the rows as lines of JSON."""
    return in_memory(lambda b: ROWS.write_ndjson(b, compression=compression))


FORMATS: dict[str, bytes] = {
    "data.csv": csv(),
    "data.tsv": csv("\t"),
    "data.csv.gz": csv(compression="gzip"),
    "data.tsv.gz": csv("\t", "gzip"),
    "data.csv.zst": csv(compression="zstd"),
    "data.tsv.zst": csv("\t", "zstd"),
    "data.ndjson": ndjson(),
    "data.jsonl": ndjson(),
    "data.ndjson.gz": ndjson("gzip"),
    "data.jsonl.gz": ndjson("gzip"),
    "data.ndjson.zst": ndjson("zstd"),
    "data.jsonl.zst": ndjson("zstd"),
    "data.parquet": in_memory(ROWS.write_parquet),
    "data.pq": in_memory(ROWS.write_parquet),
    "data.arrow": in_memory(ROWS.write_ipc),
    "data.feather": in_memory(ROWS.write_ipc),
    "data.ipc": in_memory(ROWS.write_ipc),
    "DATA.CSV": csv(),
}
each_format = pytest.mark.parametrize("name", FORMATS)


def audit(folder: Path, path: str | list[str], **data: Any) -> Result:
    """Audit files that stand in a folder."""
    return audited(folder, None, data={"path": path, **data}, columns=COLUMNS)


def assert_counted(result: Result, times: int = 1) -> None:
    """Check the counts of the rows, read this many times."""
    (comparison,) = comparisons(result)
    assert result.data.rows == 12 * times
    assert confusion(comparison.counts["favored"]) == (2 * times, times, times, times)
    assert confusion(comparison.counts["disfavored"]) == (times, times, 0, 2 * times)
    assert ledger(result) == {
        "favored": 5 * times,
        "disfavored": 4 * times,
        "facet_missing": times,
        "label_missing": times,
        "prediction_missing": times,
    }


def paths(result: Result) -> list[str]:
    """Return the paths of the inputs."""
    return [file.path for file in result.data.inputs]


@each_format
def test_format_gives_the_counts(name: str, tmp_path: Path) -> None:
    """The data gives the same counts in every format, told by the ending."""
    write(tmp_path / name, FORMATS[name])
    assert_counted(audit(tmp_path, name))


@each_format
def test_input_is_listed_with_its_digest(name: str, tmp_path: Path) -> None:
    """Each file read is listed under its path with its size and its SHA-256."""
    content = FORMATS[name]
    write(tmp_path / "sub" / name, content)
    (file,) = audit(tmp_path, f"./sub/{name}").data.inputs
    assert (file.path, file.bytes) == (f"./sub/{name}", len(content))
    assert file.sha256 == sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("data.parquet", "parquet"),
        ("data.csv", "csv"),
        ("data.tsv", "tsv"),
        ("data.ndjson", "ndjson"),
        ("data.jsonl", "jsonl"),
        ("data.arrow", "arrow"),
        ("data.ipc", "ipc"),
    ],
)
def test_format_is_said_where_the_ending_does_not_tell(
    written: str, said: str, tmp_path: Path
) -> None:
    """A declared format reads a file whose ending says nothing."""
    write(tmp_path / "decisions.data", FORMATS[written])
    assert_counted(audit(tmp_path, "decisions.data", format=said))


@pytest.mark.parametrize(
    ("name", "word"), [("data.xlsx", "data.xlsx"), ("a.parquet.gz", "parquet")]
)
def test_unknown_ending_is_a_wrong_spec(name: str, word: str, tmp_path: Path) -> None:
    """A file whose format is not to be told, or not to be read compressed, is a wrong spec."""
    write(tmp_path / name, b"PK")
    with pytest.raises(SpecError, match=word):
        audit(tmp_path, name)


def test_mixed_formats_are_a_wrong_spec(tmp_path: Path) -> None:
    """Files of two formats in one table are a wrong spec that names both."""
    for name in ("a.csv", "b.parquet"):
        write(tmp_path / name, FORMATS[f"data.{name[2:]}"])
    with pytest.raises(SpecError, match="csv, parquet"):
        audit(tmp_path, ["a.csv", "b.parquet"])


@pytest.mark.parametrize(
    ("path", "times"),
    [
        ("*.csv", 2),
        ("**/*.csv", 3),
        ("sub/deep/*.csv", 1),
        ("[ab].csv", 2),
        (["b.csv", "a.csv"], 2),
        (["a.csv", "sub"], 2),
    ],
)
def test_files_are_read_as_one_table(path: str | list[str], times: int, tmp_path: Path) -> None:
    """A glob, a folder or a list is read as one table."""
    for name in ("a.csv", "b.csv", "sub/deep/c.csv"):
        write(tmp_path / name, csv())
    assert_counted(audit(tmp_path, path), times)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (["a.csv", "a.csv"], "a.csv is listed twice"),
        (["a.csv", "./a.csv"], "a.csv and ./a.csv are one file"),
        (["a.csv", "*.csv"], "'a.csv' and '*.csv' both lead to a.csv"),
        ([".", "a.csv"], "./a.csv and a.csv are one file"),
        (["*.csv", "*.csv"], "a.csv is listed twice"),
    ],
)
def test_file_found_in_two_ways_is_refused(path: list[str], words: str, tmp_path: Path) -> None:
    """Paths that lead to one file are a wrong spec: its rows would count twice."""
    write(tmp_path / "a.csv", csv())
    with pytest.raises(SpecError, match=re.escape(f"{words}; its rows would count twice")):
        audit(tmp_path, path)


def test_path_with_special_characters_is_a_path(tmp_path: Path) -> None:
    """A file whose name looks like a glob or a URI fragment is read as it is named."""
    write(tmp_path / "part [1] é#%20?.csv", csv())
    assert_counted(audit(tmp_path, "part [1] é#%20?.csv"))


@pytest.mark.parametrize("path", ["sub", "sub/", "./sub"])
def test_folder_is_read_to_its_depth(path: str, tmp_path: Path) -> None:
    """A folder stands for its data files at any depth, without hidden and marker files."""
    for name in ("a.csv", "deep/er/b.csv"):
        write(tmp_path / "sub" / name, csv())
    for name in ("_SUCCESS", ".a.csv.crc", ".hidden/c.csv", "_temporary/d.csv", "_e.csv", "notes"):
        write(tmp_path / "sub" / name, b"not data")
    result = audit(tmp_path, path)
    assert_counted(result, 2)
    assert paths(result) == [f"{path.rstrip('/')}/a.csv", f"{path.rstrip('/')}/deep/er/b.csv"]


def test_inputs_are_listed_in_order(tmp_path: Path) -> None:
    """Inputs stand under the paths that the spec leads to, sorted."""
    for name in ("b.csv", "sub/a.csv", "sub/c.csv"):
        write(tmp_path / name, csv())
    assert paths(audit(tmp_path, ["sub/*.csv", "b.csv"])) == ["b.csv", "sub/a.csv", "sub/c.csv"]


@pytest.mark.parametrize("name", ["data.parquet", "data.arrow"])
@pytest.mark.parametrize("path", ["days", "days/*/*", "days/**/*"])
def test_folders_named_key_value_are_a_column(name: str, path: str, tmp_path: Path) -> None:
    """Folders named key=value hold a column of their own in parquet and arrow data."""
    for day in ("monday", "tuesday"):
        write(tmp_path / "days" / f"day={day}" / name, FORMATS[name])
    result = audited(
        tmp_path, None, data={"path": path}, columns=COLUMNS, facets={"day": {"column": "day"}}
    )
    assert names(result, "day") == [("the rest", "monday"), ("the rest", "tuesday")]
    assert [c.counts["disfavored"].rows for c in comparisons(result, "day")] == [10, 10]


def test_folder_named_key_value_may_be_hidden_alike(tmp_path: Path) -> None:
    """A folder whose key begins with an underscore is a column, not a hidden folder."""
    for day in (1, 2):
        write(tmp_path / "days" / f"_day={day}" / "x.parquet", FORMATS["data.parquet"])
    facets = {"day": {"column": "_day", "favored": 1}}
    result = audited(tmp_path, None, data={"path": "days"}, columns=COLUMNS, facets=facets)
    assert names(result, "day") == [("1", "2")]


def test_columns_in_another_order_are_not_mixed_up(tmp_path: Path) -> None:
    """Parquet files with the same columns in another order are read by name."""
    write(tmp_path / "a.parquet", ROWS)
    write(tmp_path / "b.parquet", ROWS.select(reversed(ROWS.columns)))
    assert_counted(audit(tmp_path, ["a.parquet", "b.parquet"]), 2)


def test_local_uri_is_a_file(tmp_path: Path) -> None:
    """A file:// URI is read and listed with its digest."""
    write(tmp_path / "a b.csv", csv())
    result = audit(tmp_path, f"file://{tmp_path}/a%20b.csv")
    assert_counted(result)
    assert result.data.inputs[0].sha256 == sha256(csv()).hexdigest()
