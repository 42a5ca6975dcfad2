"""Conditions that try to do harm are wrong specs on every engine, at once."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from biaspipe.engines import open_engine
from biaspipe.engines.counting import Engine
from tests.engines.attacks import ATTACKS
from tests.engines.builders import prepare, write
from tests.engines.conformance import kept

ROWS = pl.DataFrame({"id": [0, 1, 2, 3], "sex": ["m", "m", "f", "f"], "p": [1, 0, 1, 0]})
LONGEST = 10.0
"""Seconds, which are far more than any of these takes."""


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    """Open four rows with every engine that needs no server."""
    folder = tmp_path_factory.mktemp("rows")
    write(folder / "rows.parquet", ROWS)
    with closing(duckdb.connect(str(folder / "rows.duckdb"))) as base:
        base.register("frame", ROWS.to_arrow())
        base.execute("CREATE TABLE rows AS FROM frame")
    with closing(sqlite3.connect(folder / "rows.sqlite")) as files:
        files.execute("CREATE TABLE rows (id INTEGER, sex TEXT, p INTEGER)")
        files.executemany("INSERT INTO rows VALUES (?, ?, ?)", ROWS.rows())
        files.commit()
    by_files = prepare(folder, data={"path": "rows.parquet"}).audit
    tables = {
        f"{scheme} as a database": prepare(
            folder, data={"table": "rows", "connection": f"{scheme}://{folder}/rows.{scheme}"}
        ).audit
        for scheme in ("duckdb", "sqlite")
    }
    with ExitStack() as stack:
        opened: dict[str, Any] = {
            "polars": open_engine(by_files, folder, engine="polars"),
            "duckdb": open_engine(by_files, folder, engine="duckdb"),
            "a relation": open_engine(by_files, folder, frame=duckdb.from_arrow(ROWS.to_arrow())),
            **{name: open_engine(audit, folder) for name, audit in tables.items()},
        }
        for engine in opened.values():
            stack.enter_context(closing(engine))
        yield opened


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_a_wrong_spec(name: str, engines: dict[str, Engine]) -> None:
    """A condition that tries to do harm is refused by every engine before any row is read."""
    start = time.monotonic()
    assert {engine: kept(engines[engine], ATTACKS[name]) for engine in engines} == dict.fromkeys(
        engines, "SpecError"
    )
    assert time.monotonic() - start < LONGEST


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ("sex = 'm'' OR TRUE --'", []),
        ("sex = 'm'';DROP TABLE rows;--'", []),
        ("sex LIKE '%''; DELETE FROM rows'", []),
        ("sex <> ''' OR ''1''=''1'", [0, 1, 2, 3]),
        ("sex LIKE '%_%(a+)+$'", []),
        ("sex LIKE '_%_%_%_%_%_%_%_%'", []),
        ("REPLACE(sex, 'm', ''') OR (1=1') = 'x'", []),
        ("CONCAT(sex, '\\', '\"', '`') = 'm\\\"`'", [0, 1]),
        ("sex || '{x:y}$1%s?:a' = 'f{x:y}$1%s?:a'", [2, 3]),
    ],
)
def test_values_stay_values(where: str, rows: list[int], engines: dict[str, Engine]) -> None:
    """A text of a condition is compared, whatever it says, and never read as anything else."""
    found = {engine: kept(engines[engine], where) for engine in engines}
    assert found == dict.fromkeys(engines, rows)


@pytest.mark.parametrize("name", ['x" OR TRUE --', "x'); DROP TABLE rows; --", "^.*$", "*", "{x}"])
def test_names_stay_names(name: str, tmp_path: Path) -> None:
    """A column may be called anything; a name that engines read as a pattern is refused."""
    write(tmp_path / "rows.parquet", ROWS.rename({"p": name}))
    audit = prepare(tmp_path, data={"path": "rows.parquet"}).audit
    quoted = '"' + name.replace('"', '""') + '"'
    expected = "SpecError" if name in ("^.*$", "*") else [0, 2]
    for engine in ("polars", "duckdb"):
        opened: Any = open_engine(audit, tmp_path, engine=engine)
        with closing(opened):
            assert kept(opened, f"{quoted} = 1") == expected
