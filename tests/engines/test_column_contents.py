"""What a table holds is the same on every engine, for text tables in parts, and for any types."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from biaspipe.engines import column_contents, open_engine
from biaspipe.engines.column_contents import TableContents, contents_of
from biaspipe.errors import DataError
from biaspipe.plan import Kind
from biaspipe.spec import Audit

FRAME = pl.DataFrame(
    {
        "sex": ["m", "f", "m", None, "f", "m"],
        "age": [20, 30, 40, 50, 60, None],
        "score": [0.25, 0.5, 0.25, 1.0, None, 0.5],
        "hired": [True, False, True, False, True, True],
        "day": ["2026-11-02"] * 6,
    }
)
MAKERS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "pyarrow": lambda frame: frame.to_arrow(),
    "duckdb": lambda frame: duckdb.connect().from_arrow(frame.to_arrow()),
}


def contents(frame: object = None, path: str = "-") -> TableContents:
    """Return what a frame or a file holds."""
    audit = Audit.model_validate(
        {"version": 1, "name": "a", "data": {"path": path}, "facets": {"a": {"column": "a"}}}
    )
    with closing(open_engine(audit, Path(), frame=frame)) as engine:
        return contents_of(engine)


def expect(table: TableContents) -> None:
    """Compare what a table holds with what stands in the frame."""
    assert table.rows == 6
    sex, age, score, hired, day = table.columns
    assert (sex.values, sex.missing) == ((("m", 3), ("f", 2)), 1)
    assert (age.kind.is_number, age.missing, age.ends) == (True, 1, (20.0, 60.0))
    assert (age.thirds, age.middle, age.differs) == ((30.0, 40.0), 40.0, True)
    assert (score.values, score.missing) == (((0.25, 2), (0.5, 2), (1, 1)), 1)
    assert (hired.kind, hired.values) == (Kind.BOOLEAN, ((True, 4), (False, 2)))
    assert (day.dated, day.values) == (True, (("2026-11-02", 6),))


@pytest.mark.parametrize("kind", MAKERS)
def test_frames_of_every_kind_hold_the_same(kind: str) -> None:
    """A frame of any library is told as what it holds."""
    expect(contents(MAKERS[kind](FRAME)))


@pytest.mark.parametrize("ending", ["csv", "parquet", "ndjson"])
def test_files_hold_the_same(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of any format is told as what it holds."""
    monkeypatch.chdir(tmp_path)
    getattr(FRAME, f"write_{ending}")(f"a.{ending}")
    expect(contents(path=f"a.{ending}"))


def test_parts_of_a_text_table_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of a text table are counted part by part, and all of them are in the sum."""
    monkeypatch.setattr(column_contents, "BATCH", 100)
    path = tmp_path / "a.csv"
    frame = pl.DataFrame({"sex": ["m", "f", "f"] * 20_000, "x": list(range(60_000))})
    frame.write_csv(path)
    table = contents(path=str(path))
    assert table.by_name["sex"].values == (("f", 40_000), ("m", 20_000))
    assert (table.rows, table.by_name["x"].values) == (60_000, None)


def test_types_are_those_of_all_rows(tmp_path: Path) -> None:
    """A number in the first rows that turns out to be a text makes texts of the column."""
    path = tmp_path / "a.csv"
    path.write_text("x\n" + "1\n" * 30_000 + "none\n", encoding="utf-8")
    (x,) = contents(path=str(path)).columns
    assert (x.kind, x.values) == (Kind.TEXT, (("1", 30_000), ("none", 1)))


def test_copies_are_told_by_their_pairs() -> None:
    """A column tells an outcome where each of its values goes with one of them, and both vary."""
    table = contents(
        pl.DataFrame({"a": list("xxyy"), "b": [1, 1, 0, 0], "c": list("xyxy"), "d": ["k"] * 4})
    )
    assert table.tells("a", "b")
    assert not table.tells("c", "b")
    assert not table.tells("d", "b")
    assert table.differs(["a", "c"])
    assert not table.differs(["a", "b"])


def test_no_row_is_an_error() -> None:
    """A table without a row is an error before anything is said of its columns."""
    with pytest.raises(DataError, match="there are no rows"):
        contents(FRAME.clear())
