"""Headers of text tables: names that stand twice, doubled quotes, and the line that mends them."""

import gzip
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.report import Result
from biaspipe.sources.compression import ZSTD
from biaspipe.spec import EngineName
from tests.engines.builders import prepare

ENGINES: tuple[EngineName, ...] = ("polars", "duckdb")
on_every_engine = pytest.mark.parametrize("engine", ENGINES)
TWICE = 'sex,"a ""q"", b",label,sex,x,,label,x,x\nm,1,1,f,1,,0,2,3\nf,2,0,m,1,,1,2,3\n'
"""The first sex and label are meant: the man has the positive label."""


def audited(
    folder: Path, text: str | bytes, engine: EngineName, name: str = "data.csv", **data: Any
) -> Result:
    """Run an audit of a text table; facet sex, label 1."""
    content = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(content)
    loaded = prepare(folder, data={"path": name, **data})
    return run(loaded, Options(engine=engine)).result


def zstd(content: bytes) -> bytes:
    """Return less than 256 bytes as a frame of zstd with one block, which is raw."""
    block = (len(content) << 3 | 1).to_bytes(3, "little")
    return ZSTD + b"\x20" + bytes([len(content)]) + block + content


def pasted(error: DataError) -> dict[str, Any]:
    """Return what the line of an error's hint is to a spec."""
    assert error.hint
    assert error.hint.startswith("name them apart, in the spec's data or in this join: csv: {")
    found: dict[str, Any] = yaml.safe_load(error.hint.split("join: ", 1)[1])
    return found


@on_every_engine
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_line_of_the_error_mends_the_header(
    engine: EngineName, packed: str, tmp_path: Path
) -> None:
    """The error tells all that stands twice, and its line, pasted, tells the columns apart."""
    name, content = f"data.csv{packed}", TWICE.encode()
    if packed == ".gz":
        content = gzip.compress(content)
    elif packed:
        content = zstd(content)
    with pytest.raises(DataError) as caught:
        audited(tmp_path, content, engine, name)
    assert caught.value.message == (
        f"{name}: the header names the column 'label' twice, as columns 3 and 7; "
        "also more than once: 'sex' (1 and 4), 'x' (5, 8 and 9)"
    )
    line = pasted(caught.value)
    names = ["sex", 'a "q", b', "label", "sex_2", "x", "column_6", "label_2", "x_2", "x_3"]
    assert line == {"csv": {"header": True, "columns": names}}
    counts = audited(tmp_path, content, engine, name, **line).data.counted_as
    assert counts
    assert [side.rows for side in counts[0].sides] == [1, 1]


@on_every_engine
def test_line_keeps_the_options_of_the_table(engine: EngineName, tmp_path: Path) -> None:
    """What the spec says of the table already stands in the line too."""
    csv = {"separator": ";", "null_values": ["?"]}
    text = "sex;label;label_2;label\nm;1;0;0\nf;0;?;1\n"
    with pytest.raises(DataError) as caught:
        audited(tmp_path, text, engine, csv=csv)
    line = pasted(caught.value)
    assert line == {
        "csv": {**csv, "header": True, "columns": ["sex", "label", "label_2", "label_3"]}
    }
    assert audited(tmp_path, text, engine, **line).data.rows == 2


def test_names_that_yaml_reads_otherwise_are_quoted(tmp_path: Path) -> None:
    """Names that look like numbers, answers or signs of YAML are texts in the line."""
    names = [
        "1",
        "yes",
        "null",
        "a: b",
        "#",
        "2026-01-01",
        "[x]",
        "é ß",
        "{}",
        "-",
        "1e3",
        "~",
        "=",
    ]
    text = f"sex,label,label,{','.join(names)}\n" + "m,1,1" + ",0" * len(names) + "\n"
    with pytest.raises(DataError) as caught:
        audited(tmp_path, text, "polars")
    assert pasted(caught.value)["csv"]["columns"] == ["sex", "label", "label_2", *names]


def test_line_of_a_wide_table_is_whole(tmp_path: Path) -> None:
    """The line names every column of a wide table, though the message tells a dozen."""
    names = [f"c{i // 2}" for i in range(3_000)]
    text = f"sex,label,sex,{','.join(names)}\n" + "m,1,f" + ",0" * 3_000 + "\nf,0,m" + ",1" * 3_000
    with pytest.raises(DataError) as caught:
        audited(tmp_path, f"{text}\n", "polars")
    assert "'c7' (18 and 19)" not in caught.value.message
    assert caught.value.message.endswith("1,488 more")
    line = pasted(caught.value)
    assert len(set(line["csv"]["columns"])) == 3_003
    assert audited(tmp_path, f"{text}\n", "polars", **line).data.rows == 2


@on_every_engine
def test_name_of_a_library_is_no_column(engine: EngineName, tmp_path: Path) -> None:
    """What polars calls the second of two columns is no name, in a facet or in a condition."""
    facet = {"x": {"column": "sex_duplicated_0"}}
    (tmp_path / "data.csv").write_text(TWICE.replace("label,x,x", "y,x,x"), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        run(prepare(tmp_path, data={"path": "data.csv"}, facets=facet), Options(engine=engine))
    assert caught.value.faults[0].expected == 'sex, a "q", b, label, x, y'
    text = TWICE.replace("sex,x", "s,x").replace("label,x,x", "y,x,x")
    with pytest.raises(DataError, match=r"names the column 'x' 3 times, as columns 5, 8 and 9"):
        audited(tmp_path, text, engine, where="x_duplicated_1 > 0")


@on_every_engine
def test_column_may_be_called_as_a_library_calls_others(engine: EngineName, tmp_path: Path) -> None:
    """A header that names each column once is taken as it is, whatever the names are."""
    text = "sex,label,sex_duplicated_0\nm,1,a\nf,0,b\n"
    facets = {"sex": {"column": "sex"}, "x": {"column": "sex_duplicated_0"}}
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    found = run(prepare(tmp_path, data={"path": "data.csv"}, facets=facets), Options(engine=engine))
    assert [facet.facet for facet in found.result.facets] == ["sex", "x"]


@on_every_engine
def test_doubled_quotes_of_a_name_are_one(engine: EngineName, tmp_path: Path) -> None:
    """A quoted name with doubled quotes is the name that a spreadsheet shows."""
    text = '"the ""sex""",label\nm,1\nm,0\nf,0\n'
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    facet = {"sex": {"column": 'the "sex"', "favored": "m"}}
    found = run(prepare(tmp_path, data={"path": "data.csv"}, facets=facet), Options(engine=engine))
    assert found.result.data.rows == 3


def test_parquet_with_a_column_twice_is_refused_by_duckdb(tmp_path: Path) -> None:
    """DuckDB, which would number the second of two equal columns, reads none of them."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = [pa.array(["m", "f"]), pa.array([1, 0]), pa.array(["f", "m"])]
    parquet.write_table(pa.table(columns, names=["sex", "label", "sex"]), tmp_path / "d.parquet")
    loaded = prepare(tmp_path, data={"path": "d.parquet"})
    with pytest.raises(DataError, match="there are 2 columns 'sex', 1, 3"):
        run(loaded, Options(engine="duckdb"))
    with pytest.raises(DataError, match="sex"):
        run(loaded, Options(engine="polars"))


def test_first_unnamed_column_is_passed_over(tmp_path: Path) -> None:
    """The row numbers that pandas writes are no column, and shift no other."""
    frame = pl.DataFrame({"": [0, 1], "sex": ["m", "f"], "label": [1, 0]})
    found = audited(tmp_path, frame.write_csv(), "duckdb")
    assert found.data.rows == 2
