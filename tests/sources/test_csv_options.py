"""Options of text tables are heeded, or refused: none does nothing."""

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

from biaspipe.errors import Fault, SpecError
from biaspipe.pipeline import Options, run
from biaspipe.sources import scan
from biaspipe.spec import EngineName
from tests.engines.builders import audited, ledger, prepare, write
from tests.sources.test_formats import FORMATS

ROWS = pl.DataFrame({"sex": ["m", "f"] * 5, "label": [1, 0] * 5})
OPTIONS: dict[str, Any] = {
    "null_values": ["m"],
    "separator": ";",
    "header": True,
}
each_engine = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def faults_of(folder: Path, data: dict[str, Any], **options: Any) -> tuple[Fault, ...]:
    """Return what is wrong with a spec that reads such data."""
    with pytest.raises(SpecError) as caught:
        run(prepare(folder, data=data), Options(**options))
    return caught.value.faults


@each_engine
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", ["data.parquet", "data.ndjson", "data.jsonl.gz", "data.arrow"])
def test_option_without_a_text_table_is_refused(
    name: str, option: str, engine: EngineName, tmp_path: Path
) -> None:
    """An option of `csv` on a table of another format is a wrong spec, at its key."""
    write(tmp_path / name, FORMATS[name])
    data = {"path": name, "csv": {option: OPTIONS[option]}}
    (fault,) = faults_of(tmp_path, data, engine=engine)
    assert fault.loc == ("data", "csv", option)
    assert fault.message.startswith(f"this is for csv and tsv, and {name} is ")


@pytest.mark.parametrize(
    "frame", [ROWS, ROWS.lazy(), pd.DataFrame(ROWS.to_dict(as_series=False)), ROWS.to_arrow()]
)
def test_option_on_rows_in_hand_is_refused(frame: object, tmp_path: Path) -> None:
    """An option of `csv` does nothing for a frame, and is refused."""
    data = {"path": "d.csv", "csv": {"null_values": ["m"]}}
    (fault,) = faults_of(tmp_path, data, frame=frame)
    assert (fault.loc, fault.message) == (
        ("data", "csv", "null_values"),
        "this is for csv and tsv, and these rows are in hand",
    )


def test_option_on_a_relation_is_refused(tmp_path: Path) -> None:
    """An option of `csv` does nothing for a relation of DuckDB, and is refused."""
    relation = duckdb.sql("SELECT 'm' AS sex, 1 AS label")
    data = {"path": "d.csv", "csv": {"header": False}}
    (fault,) = faults_of(tmp_path, data, frame=relation)
    assert fault.loc == ("data", "csv", "header")


def test_option_of_a_joined_table_is_refused_at_its_key(tmp_path: Path) -> None:
    """An option of `csv` on a joined Parquet file is refused where the join has it."""
    write(tmp_path / "p.parquet", pl.DataFrame({"id": [1], "sex": ["m"]}))
    write(tmp_path / "d.csv", "id,label\n1,1\n")
    join = {"path": "p.parquet", "on": "id", "csv": {"null_values": ["m"]}}
    (fault,) = faults_of(tmp_path, {"path": "d.csv", "join": [join]})
    assert fault.loc == ("data", "join", 0, "csv", "null_values")


@each_engine
@pytest.mark.parametrize("probe", [50_000, 1])
def test_text_for_nothing_has_to_occur(
    probe: int, engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text of `null_values` that no value is, is a wrong spec that shows what does occur."""
    monkeypatch.setattr(scan, "PROBE", probe)
    write(tmp_path / "d.csv", "sex,label\nm,NA\nf,0\nm,1\nf,?\n")
    data = {"path": "d.csv", "csv": {"null_values": ["?", "N/A"]}}
    (fault,) = faults_of(tmp_path, data, engine=engine)
    assert fault.loc == ("data", "csv", "null_values", 1)
    assert fault.message == "no value of d.csv is 'N/A'"
    assert fault.hint == ("these do: 'NA'" if probe == 1 else "these do: '?', 'NA'")


@each_engine
@pytest.mark.parametrize("probe", [50_000, 1])
def test_text_for_nothing_may_occur_anywhere(
    probe: int, engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text of `null_values` may stand in any column and row, quoted or not."""
    monkeypatch.setattr(scan, "PROBE", probe)
    write(tmp_path / "d.csv", 'sex,label,x\nm,1,1\nf,0,-\nm,"NA",2\nf,1,3\n')
    data = {"path": "d.csv", "csv": {"null_values": ["-", "NA"]}}
    result = run(prepare(tmp_path, data=data), Options(engine=engine)).result
    assert ledger(result) == {"favored": 1, "disfavored": 2, "label_missing": 1}


@each_engine
def test_text_for_nothing_is_told_before_what_follows(engine: EngineName, tmp_path: Path) -> None:
    """Where numbers are texts for want of the right text for nothing, that is what is told."""
    write(tmp_path / "d.csv", "sex,label\nm,1\nf,na\nm,7\n")
    columns = {"label": {"column": "label", "above": 5}}
    data = {"path": "d.csv", "csv": {"null_values": ["NA"]}}
    with pytest.raises(SpecError, match=r"no value of d\.csv is 'NA'"):
        run(prepare(tmp_path, data=data, columns=columns), Options(engine=engine))


@each_engine
def test_text_for_nothing_of_a_joined_table_has_to_occur(
    engine: EngineName, tmp_path: Path
) -> None:
    """`null_values` of a joined table are looked for in that table."""
    write(tmp_path / "p.csv", "id,sex\n1,m\n2,f\n")
    write(tmp_path / "d.csv", "id,label\n1,1\n2,?\n")
    join = {"path": "p.csv", "on": "id", "csv": {"null_values": ["?"]}}
    (fault,) = faults_of(tmp_path, {"path": "d.csv", "join": [join]}, engine=engine)
    assert fault.loc == ("data", "join", 0, "csv", "null_values", 0)


def test_header_is_said_where_columns_are(tmp_path: Path) -> None:
    """Without a word on the header, names for columns could cost the first row or keep a header."""
    with pytest.raises(SpecError, match="header says what the first line is"):
        audited(tmp_path, "m,1\nf,0\n", data={"csv": {"columns": ["sex", "label"]}})
