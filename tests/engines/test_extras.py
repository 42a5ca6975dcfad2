"""Engines whose libraries are not installed: each names the command that installs them."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

BARE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

ABSENT = ("duckdb", "fsspec", "ibis", "pandas", "psycopg", "pyarrow", "pyspark", "s3fs")
sys.meta_path.insert(0, Absent())
"""
"""Has a process find nothing but what biaspipe itself asks for."""
CALL = "from biaspipe.cli import main; main()"
IN_HAND = """
import polars as pl, biaspipe, json
spec = json.load(open("audit.yaml"))
print(biaspipe.run(spec, data=pl.read_parquet("rows.parquet")).result.verdict.value)
"""
SPEC = {
    "version": 1,
    "name": "bare",
    "data": {"path": "rows.parquet", "where": "sex <> 'x'"},
    "columns": {"label": {"column": "label", "positive": 1}},
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"CI": {"max_abs": 0.5}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an audit and its rows."""
    rows = pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0]})
    rows.write_parquet(tmp_path / "rows.parquet")
    (tmp_path / "audit.yaml").write_text(json.dumps(SPEC, indent=1), encoding="utf-8")
    return tmp_path


def bare(folder: Path, code: str, *words: str) -> tuple[int, str, str]:
    """Run a program where no extra is installed."""
    command = [sys.executable, "-c", BARE + code, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_files_need_no_extra(folder: Path) -> None:
    """The default engine audits files with what biaspipe itself brings."""
    code, _, said = bare(folder, CALL, "run", "audit.yaml")
    assert (code, said) == (0, "")


def test_frames_of_polars_need_no_extra(folder: Path) -> None:
    """A frame of polars in hand is audited with what biaspipe itself brings."""
    assert bare(folder, IN_HAND) == (0, "pass\n", "")


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_engine_names_its_command(folder: Path, engine: str) -> None:
    """An engine that is not installed is a wrong command line, said in two lines."""
    code, _, said = bare(folder, CALL, "run", "audit.yaml", "--engine", engine)
    assert (code, said.splitlines()[1:]) == (2, [f"  hint: pip install 'biaspipe[{engine}]'"])


def test_database_names_its_command(folder: Path) -> None:
    """A table of a database needs the extra of its driver."""
    data = {"table": "t", "connection": "postgresql://h/d"}
    (folder / "audit.yaml").write_text(json.dumps({**SPEC, "data": data}), encoding="utf-8")
    code, _, said = bare(folder, CALL, "run", "audit.yaml")
    assert (code, said.splitlines()[1:]) == (2, ["  hint: pip install 'biaspipe[postgres]'"])
