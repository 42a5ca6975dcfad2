"""The result is the same bytes on any run and any number of threads."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from tests.engines.builders import prepare
from tests.examples import some

FACETS = {
    "team": {"column": "team", "groups": {"g": ["p", "q"], "h": ["r", "s"]}},
    "site": {"column": "site", "groups": {"i": ["u", "v", "w"], "j": ["x", "y", "z"]}},
    "both": {"cross": ["team", "site"], "compare": "pairs"},
    "age": {"column": "age", "favored": {"at_least": 40}},
}
COLUMNS = {
    "label": {"column": "label", "positive": ["yes", "late"]},
    "prediction": {"column": "score", "above": 0.5},
    "strata": ["shift"],
    "weight": "people",
    "features": ["size", "site"],
}


def people(rows: int) -> pl.DataFrame:
    """Return random people, the same ones every time."""
    random = Random(7)
    columns: dict[str, list[Any]] = {
        "team": [*"pqrs"],
        "site": [*"uvwxyz"],
        "age": [20, 39, 40, 61, None],
        "label": ["yes", "late", "no", None],
        "score": [0.1, 0.7, 1 / 3, float("nan")],
        "shift": ["day", "night", "both"],
        "people": [1, 2, 3],
        "size": [0.1, 0.2, 0.3, 1e6 / 7, 2.5],
    }
    return pl.DataFrame({name: random.choices(held, k=rows) for name, held in columns.items()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a spec and data in many pieces."""
    made = tmp_path_factory.mktemp("determinism")
    people(3_000).write_parquet(made / "data.parquet", row_group_size=100)
    metrics = {"all": None, "FT": {"k": 3, "facets": ["team"]}}
    prepare(made, data={"path": "data.parquet"}, columns=COLUMNS, facets=FACETS, metrics=metrics)
    return made


@cache
def artifact(folder: Path, threads: int, turn: int) -> dict[str, Any]:
    """Return the report of a run of the command line with this many threads."""
    output = folder / f"report-{threads}-{turn}.json"
    spec = str(folder / "audit.yaml")
    command = [sys.executable, "-m", "biaspipe", "run", spec, "-o", str(output), "--fail-on=never"]
    environment = {**os.environ, "POLARS_MAX_THREADS": str(threads)}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("threads", "turn"), some([(2, 0), (1, 1), (2, 1), (4, 0)]))
def test_result_is_the_same(threads: int, turn: int, folder: Path) -> None:
    """Every run gives the result of the first, on one thread and on several."""
    first, again = artifact(folder, 1, 0), artifact(folder, threads, turn)
    assert again["result"] == first["result"]
    assert again["result_sha256"] == first["result_sha256"]


def test_what_varies_stands_beside_the_result(folder: Path) -> None:
    """The time, the versions and the path of the spec stand in `run`."""
    found = artifact(folder, 1, 0)
    assert set(found) == {"schema", "result", "result_sha256", "run"}
    assert found["schema"] == "biaspipe-report/1"
    assert {"started_at", "seconds", "biaspipe", "python", "polars", "git"} <= set(found["run"])
