"""Too many groups, strata or cells are refused in words before any of them is an object."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines import cardinality, counting, input_checks
from biaspipe.errors import DataError
from biaspipe.pipeline import Options, run
from biaspipe.policy import Policy
from tests.engines.builders import audited, prepare, write

ROWS = pl.DataFrame(
    {
        "key": range(60),
        "town": [f"town {i % 30}" for i in range(60)],
        "sex": ["m", "f"] * 30,
        "label": [0, 1, 1] * 20,
        "many": [i % 3 for i in range(60)],
    }
)
COLUMNS = {"label": {"column": "label", "positive": 1}}
SEARCHED = "sex,race,label\nf,b,1\nf,w,0\nm,b,1\nm,w,0\n"
SEX = {"sex": {"column": "sex", "favored": "m"}}


def fault(
    folder: Path, engine: str | None, limits: dict[str, int], **parts: Any
) -> DataError | None:
    """Count with limits; return the error, if there is one."""
    policy = Policy.model_validate({"version": 1, "limits": limits})
    try:
        run(prepare(folder, **parts), Options(engine=engine, policy=policy))  # type: ignore[arg-type] # of the three
    except DataError as error:
        return error
    return None


def data_of(folder: Path, engine: str) -> dict[str, Any]:
    """Write the rows for an engine."""
    if engine != "sqlite":
        write(folder / "d.parquet", ROWS)
        return {"data": {"path": "d.parquet"}}
    with closing(sqlite3.connect(folder / "d.db")) as database, database:
        database.execute(
            "CREATE TABLE d (key INTEGER, town TEXT, sex TEXT, label INTEGER, many INTEGER)"
        )
        database.executemany("INSERT INTO d VALUES (?, ?, ?, ?, ?)", ROWS.rows())
    return {"data": {"table": "d", "connection": f"sqlite:///{folder}/d.db"}}


ENGINES = ["polars", "duckdb", "sqlite"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("joint", [True, False])
def test_too_many_groups(
    engine: str, joint: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A facet of more groups than a policy allows names its column, their number and the key."""
    if not joint:
        monkeypatch.setattr(input_checks, "SMALL_FILES", 0)
        monkeypatch.setattr(counting, "PROBE", 5)
    own = None if engine == "sqlite" else engine
    parts = {**data_of(tmp_path, engine), "columns": COLUMNS, "metrics": {"DPL": None}}
    facets = {"town": {"column": "town", "favored": "town 1"}}
    assert fault(tmp_path, own, {"groups": 30}, **parts, facets=facets) is None
    error = fault(tmp_path, own, {"groups": 29}, **parts, facets=facets)
    assert "facet town: 'town' has at least 30 groups, and at most 29 are counted" in str(error)
    assert "limits: {groups: 30}" in str(error)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_as_many_groups_as_may_be_declared(engine: Any, tmp_path: Path) -> None:
    """Two facets of 250 declared groups each are counted, each group by its own value."""
    people = pl.DataFrame({"a": [*range(250)] * 2, "b": [*range(0, 500, 2)] * 2})
    write(tmp_path / "d.parquet", people.with_columns(label=1))
    facets = {
        name: {
            "column": name,
            "groups": {f"{name} {value}": [value] for value in range(0, 250 * step, step)},
            "favored": f"{name} 0",
        }
        for name, step in (("a", 1), ("b", 2))
    }
    loaded = prepare(
        tmp_path,
        data={"path": "d.parquet"},
        columns=COLUMNS,
        metrics={"DPL": None},
        facets=facets,
        decision={"min_rows": 0},
    )
    for facet in run(loaded, Options(engine=engine)).result.facets:
        assert [group.rows for group in facet.groups] == [2] * 250


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("joint", [True, False])
def test_too_many_strata(
    engine: str, joint: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More strata than a policy allows name their columns, their number and the key."""
    if not joint:
        monkeypatch.setattr(input_checks, "SMALL_FILES", 0)
        monkeypatch.setattr(counting, "PROBE", 5)
    own = None if engine == "sqlite" else engine
    columns = {**COLUMNS, "strata": ["town", "many"]}
    parts = {**data_of(tmp_path, engine), "columns": columns, "facets": SEX}
    metrics = {"CDDL": None}
    assert fault(tmp_path, own, {"strata": 30}, **parts, metrics=metrics) is None
    error = fault(tmp_path, own, {"strata": 29}, **parts, metrics=metrics)
    words = "strata: 'town', 'many' has at least 30 strata, and at most 29 are counted"
    assert words in str(error)
    assert "limits: {strata: 30}" in str(error)


def test_rows_that_do_not_count_are_no_groups(tmp_path: Path) -> None:
    """A condition leaves out groups before they are too many."""
    write(tmp_path / "d.parquet", ROWS)
    parts = {"columns": COLUMNS, "facets": {"key": {"column": "key", "favored": 1}}}
    data = {"path": "d.parquet", "where": "key < 10"}
    for engine in ("polars", "duckdb"):
        assert fault(tmp_path, engine, {"groups": 10}, **parts, data=data) is None
        assert fault(tmp_path, engine, {"groups": 9}, **parts, data=data) is not None


@pytest.mark.parametrize("engine", ENGINES)
def test_too_many_cells(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few groups and few strata that have too many combinations are refused."""
    for module in (cardinality, counting):
        monkeypatch.setattr(module, "MAX_CELLS", 65)
    own = None if engine == "sqlite" else engine
    facets = {"town": {"column": "town", "favored": "town 1"}, **SEX}
    parts = {**data_of(tmp_path, engine), "facets": facets, "metrics": {"CDDL": None}}
    few, many = {**COLUMNS, "strata": ["many"]}, {**COLUMNS, "strata": ["key"]}
    assert fault(tmp_path, own, {}, **parts, columns=few) is None
    for module in (cardinality, counting):
        monkeypatch.setattr(module, "MAX_CELLS", 55)
    error = fault(tmp_path, own, {}, **parts, columns=many)
    assert "have more than 55 combinations of values" in str(error)


def test_too_many_combinations_of_groups_to_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search among too many combinations is refused, with how many values each column has."""
    monkeypatch.setattr(cardinality, "MOST_JOINT_CELLS", 3)
    facets = {name: {"column": name} for name in ("sex", "race")}
    search = {"of": ["sex", "race"], "metric": "DPL"}
    with pytest.raises(DataError) as caught:
        audited(tmp_path, SEARCHED, facets=facets, metrics={}, subgroups=search)
    assert str(caught.value).startswith(
        "subgroups: 'sex', 'race' have at least 4 combinations of groups, and at most 3 are"
        " searched: values of sex 2, race 2"
    )
