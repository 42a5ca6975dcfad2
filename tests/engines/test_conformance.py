"""Every engine gives the results of polars, cell for cell, or the same error."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.engines import open_engine
from biaspipe.engines.counting import Engine
from biaspipe.pipeline import Options, run
from biaspipe.spec import EngineName
from tests.engines.builders import WAYS, count_as_large, prepare, write
from tests.engines.cases import CASES
from tests.engines.conditions import ALIKE, FAULTY, LINES, REFUSED
from tests.engines.conformance import Case, by_files, differs, kept, outcome, same
from tests.engines.evaluator import answers
from tests.engines.samples import COUNTS, FACETS, TYPES
from tests.examples import examples
from tests.pipeline import test_against_oracle as reference

ENGINES: list[EngineName] = ["duckdb"]
"""The engines that read files as polars does, and need no server."""

ONE_COLUMN = "DuckDB takes columns that differ in case only for one, and refuses them"
DIFFERENCES = {
    "Duration as a facet": "Parquet files have no durations; DuckDB finds the whole numbers there",
    **{f"columns that differ in case only: {name}": ONE_COLUMN for name in ("SEX", "Label", "sEx")},
}
UNCHECKED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
on_every_engine = pytest.mark.parametrize("engine", ENGINES)


@pytest.mark.combinations
@on_every_engine
@pytest.mark.parametrize("case", differs(CASES, DIFFERENCES))
def test_audit_has_the_same_result(case: Case, engine: EngineName, tmp_path: Path) -> None:
    """An audit of Parquet files has one result, or one error, on every engine."""
    loaded = by_files(case, tmp_path)
    same(case, outcome(loaded), outcome(loaded, engine))


LARGE = [c for c in CASES if c.name in ("String", "Boolean", "samples of tenths")]
"""Audits whose columns hold few values first and others later, or missing ones."""


@pytest.mark.combinations
@on_every_engine
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", LARGE, ids=lambda case: case.name)
def test_large_data_has_the_same_result(
    case: Case, way: str, engine: EngineName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that counts as it does large data comes to the same result."""
    loaded = by_files(case, tmp_path)
    expected = outcome(loaded)
    count_as_large(monkeypatch, way)
    same(case, expected, outcome(loaded, engine))


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Move the machine to another time zone."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@on_every_engine
@pytest.mark.usefixtures("tokyo")
def test_zone_of_the_machine_makes_no_difference(engine: EngineName, tmp_path: Path) -> None:
    """A condition on times with a zone means the same wherever the machine stands."""
    days = {"CAST(stamp AS DATE) = DATE '2026-06-30'": [1, 4, 7, 10]}
    hours = {"EXTRACT(HOUR FROM stamp) = 10": [0, 3, 6, 9]}
    write(tmp_path / "data.parquet", LINES)
    audit = prepare(tmp_path, data={"path": "data.parquet"}).audit
    opened: Any = open_engine(audit, tmp_path, engine=engine)
    with closing(opened):
        assert {where: kept(opened, where) for where in days | hours} == days | hours


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    """Open the lines of the conditions with every engine."""
    folder = tmp_path_factory.mktemp("lines")
    write(folder / "data.parquet", LINES)
    audit = prepare(folder, data={"path": "data.parquet"}).audit
    with ExitStack() as stack:
        opened: dict[str, Engine] = {}
        for name in ("polars", *ENGINES):
            engine: Any = open_engine(audit, folder, engine=name)
            opened[name] = stack.enter_context(closing(engine))
        yield opened


@pytest.mark.combinations
@pytest.mark.parametrize("engine", ["polars", *ENGINES])
@pytest.mark.parametrize("where", ALIKE)
def test_condition_keeps_the_same_rows(where: str, engine: str, engines: dict[str, Engine]) -> None:
    """A condition keeps the rows on every engine that plain Python keeps."""
    assert kept(engines[engine], where) == answers(where, LINES)


@pytest.mark.parametrize("engine", ["polars", *ENGINES])
@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ("small + 100 > 150", [4, 5, 10, 11]),
        ("small * 100 > 5000", [4, 5, 10, 11]),
        ("small - 127 < -128", [0, 6]),
    ],
)
def test_short_integers_do_not_wrap_around(
    where: str, rows: list[int], engine: str, engines: dict[str, Engine]
) -> None:
    """Sums and products of short integers are whole in a condition."""
    assert kept(engines[engine], where) == rows


@pytest.mark.parametrize("engine", ["polars", *ENGINES])
@pytest.mark.parametrize("where", REFUSED)
def test_condition_is_refused(where: str, engine: str, engines: dict[str, Engine]) -> None:
    """A condition that is none, or looks at other rows, is a wrong spec on every engine."""
    assert kept(engines[engine], where) == "SpecError"


@pytest.mark.parametrize("engine", ["polars", *ENGINES])
@pytest.mark.parametrize("where", FAULTY)
def test_condition_cannot_be_answered(where: str, engine: str, engines: dict[str, Engine]) -> None:
    """A condition that asks of the data what it does not hold is an error on every engine."""
    assert kept(engines[engine], where) == "DataError"


@on_every_engine
@examples(8, unchecked=UNCHECKED)
@given(people=reference.CROWDS, parameters=reference.PARAMETERS)
def test_every_value_is_that_of_the_reference(
    people: list[reference.Person],
    parameters: reference.Parameters,
    engine: EngineName,
    tmp_path: Path,
) -> None:
    """All metrics of random people have the values of a slow, independent reference."""
    write(tmp_path / "data.parquet", pl.DataFrame(people, reference.SCHEMA, orient="row"))
    metrics = {
        "all": None,
        "LP": {"p": parameters.p},
        "GE": {"alpha": parameters.alpha},
        "FT": {"k": parameters.k, "scaling": "standard"},
    }
    parts = {"columns": reference.COLUMNS, "facets": reference.FACETS, "metrics": metrics}
    loaded = prepare(tmp_path, data={"path": "data.parquet"}, **parts)
    for check in run(loaded, Options(engine=engine)).result.checks:
        answer = reference.expected(check, people, parameters)
        assert reference.agree(check, answer), f"{check.metric} {check.facet}: {check.value}"


def drawn(dtype: Any, values: list[Any]) -> st.SearchStrategy[Any]:
    """Return what random values of a type are drawn from: the usual ones, and any others."""
    others = {
        pl.String: st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        pl.Float64: st.floats(),
        pl.Float32: st.floats(width=32),
        pl.Int64: st.integers(-(2**63), 2**63 - 1),
        pl.Date: st.dates(date(1677, 9, 22), date(2262, 4, 10)),
    }
    usual = st.sampled_from(values)
    return st.one_of(usual, others[dtype], usual) if dtype in others else usual


@st.composite
def audits(draw: st.DrawFn) -> Case:
    """Draw an audit of a column of any type, some of which end in an error."""
    dtype, values, _ = TYPES[draw(st.sampled_from(sorted(TYPES)))]
    size = draw(st.integers(4, 24))
    columns = {
        "sex": pl.Series(draw(st.lists(st.sampled_from("mmffx"), min_size=size, max_size=size))),
        "label": pl.Series(
            draw(st.lists(st.sampled_from([0, 1, None]), min_size=size, max_size=size)),
            dtype=pl.Int8,
        ),
        "score": pl.Series(
            draw(st.lists(drawn(pl.Float32, [0.1, 0.5, None]), min_size=size, max_size=size)),
            dtype=pl.Float32,
        ),
        "any": pl.Series(draw(st.lists(drawn(dtype, values), min_size=size, max_size=size))).cast(
            dtype
        ),
        "w": pl.Series(
            draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=size, max_size=size))
        ),
    }
    limit = draw(st.sampled_from([0.1, 0.5, 0.0, -1e-40, 1e39]))
    bound = draw(st.sampled_from(["above", "at_least", "below", "at_most"]))
    spec: dict[str, Any] = {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "score", bound: limit, "constant": "allowed"},
        "strata": ["any"],
    }
    if draw(st.booleans()):
        spec["weight"] = {"column": "w", "kind": draw(st.sampled_from(["sampling", "frequency"]))}
    where = draw(st.sampled_from([None, '"any" IS NOT NULL', f"score > {limit}", "NOT label = 0"]))
    facets = {"any": {"column": "any"}, **FACETS, "cross": {"cross": ["any", "sex"]}}
    return Case(
        "drawn",
        pl.DataFrame(columns),
        {"columns": spec, "facets": facets, "metrics": COUNTS},
        where,
    )


@on_every_engine
@examples(15, unchecked=UNCHECKED)
@given(case=audits())
def test_random_audit_has_the_same_result(case: Case, engine: EngineName, tmp_path: Path) -> None:
    """An audit of random values of any type has one result, or one error, on every engine."""
    loaded = by_files(case, tmp_path)
    assert outcome(loaded, engine) == outcome(loaded)
