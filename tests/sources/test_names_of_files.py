"""Files and columns whose names mean something else to a library: they are read as they stand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import DataError
from biaspipe.pipeline import Options, run
from biaspipe.report import Result
from biaspipe.spec import EngineName
from tests.engines.builders import prepare, write

ENGINES: tuple[EngineName, ...] = ("polars", "duckdb")
on_every_engine = pytest.mark.parametrize("engine", ENGINES)

MINE = pl.DataFrame({"sex": ["m", "f"] * 3, "label": [1, 0] * 3})
OTHER = pl.DataFrame({"sex": ["m", "f"] * 50, "label": [1, 1] * 50})
WRITERS: dict[str, Callable[..., Any]] = {
    "csv": pl.DataFrame.write_csv,
    "ndjson": pl.DataFrame.write_ndjson,
    "parquet": pl.DataFrame.write_parquet,
}


def audited(folder: Path, path: object, engine: EngineName, **data: Any) -> Result:
    """Run an audit of files with an engine."""
    return run(prepare(folder, data={"path": path, **data}), Options(engine=engine)).result


@pytest.mark.combinations
@on_every_engine
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize(
    ("name", "neighbour"),
    [("a[1]", "a1"), ("a*", "ab"), ("a?", "ab"), ("[!x]", "y"), ("{a,b}", "a")],
)
def test_file_is_read_and_not_those_that_its_name_would_match(
    engine: EngineName, form: str, name: str, neighbour: str, tmp_path: Path
) -> None:
    """A name with the signs of a glob is a name, also in a folder beside what it would match."""
    (tmp_path / "data").mkdir()
    for stem, rows in ((name, MINE), (neighbour, OTHER)):
        WRITERS[form](rows, tmp_path / "data" / f"{stem}.{form}")
    assert audited(tmp_path, f"data/{name}.{form}", engine).data.rows == 6
    assert audited(tmp_path, "data", engine).data.rows == 106


@on_every_engine
@pytest.mark.parametrize("form", WRITERS)
def test_tilde_is_a_letter(
    engine: EngineName, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder named ~ is no home folder."""
    home = tmp_path / "home"
    (tmp_path / "~").mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    WRITERS[form](MINE, tmp_path / "~" / f"x.{form}")
    WRITERS[form](OTHER, home / f"x.{form}")
    loaded = prepare(Path(), data={"path": f"~/x.{form}"})
    assert run(loaded, Options(engine=engine)).result.data.rows == 6


@on_every_engine
@pytest.mark.parametrize("header", [",sex,label", "sex,label,"])
def test_column_without_a_name_plays_no_part(
    engine: EngineName, header: str, tmp_path: Path
) -> None:
    """The row numbers that pandas writes have no name, and keep nobody from reading the rest."""
    first = header.startswith(",")
    rows = [f"{i},m,1" if first else f"m,1,{i}" for i in range(3)]
    rows += [f"{i},f,0" if first else f"f,0,{i}" for i in range(3)]
    write(tmp_path / "data.csv", "\n".join([header, *rows]) + "\n")
    assert audited(tmp_path, "data.csv", engine).data.everyone.rows == 6


@on_every_engine
@pytest.mark.parametrize("name", ["^l.*$", "*", "^label$"])
def test_column_that_is_a_pattern_is_refused(engine: EngineName, name: str, tmp_path: Path) -> None:
    """A column of a text table whose name stands for others is named, used or not."""
    write(tmp_path / "data.csv", f"sex,label,{name}\nm,1,2\nf,0,3\n")
    with pytest.raises(DataError, match="read the name of the column") as caught:
        audited(tmp_path, "data.csv", engine)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "other"),
    [
        ({"sex": "F[0]", "label": "F[1]"}, '{"G":["f",0]}\n'),
        ({"sex": "o.sex", "label": "o.label"}, '{"o":{"sex":"f","lable":0}}\n'),
    ],
)
def test_file_of_rows_that_lack_a_field_is_named(
    fields: dict[str, str], other: str, tmp_path: Path
) -> None:
    """A whole file of JSON in which no row has a field is no file of people without it."""
    first = '{"F":["m",1],"o":{"sex":"m","label":1}}\n' * 3
    write(tmp_path / "data" / "a.jsonl", first)
    write(tmp_path / "data" / "b.jsonl", other * 3)
    with pytest.raises(DataError, match=r"data/b\.jsonl: no row has "):
        audited(tmp_path, "data", "polars", fields=fields)


def test_document_whose_rows_lack_a_column_is_named(tmp_path: Path) -> None:
    """So is a document of JSON no row of which has a column of the audit."""
    write(tmp_path / "a.json", '[{"sex":"m","label":1},{"sex":"f","label":0}]')
    write(tmp_path / "b.json", '[{"sex":"m","lable":1}]')
    with pytest.raises(DataError, match=r"no row has 'label', which a\.json has"):
        audited(tmp_path, ["a.json", "b.json"], "polars", format="json")


@on_every_engine
def test_file_whose_name_is_no_text_is_refused(engine: EngineName, tmp_path: Path) -> None:
    """A file of a folder whose name is not UTF-8 is named, and ends no engine in a breakdown."""
    (tmp_path / "d").mkdir()
    MINE.write_csv(tmp_path / "d" / "a.csv")
    (tmp_path / "d" / "m\udce4rz.csv").write_text("sex,label\n", encoding="utf-8")
    with pytest.raises(DataError, match="the name of this file is not UTF-8"):
        audited(tmp_path, "d", engine)
