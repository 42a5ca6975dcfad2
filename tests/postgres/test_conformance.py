"""Postgres answers every audit as polars does."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.engines import open_engine
from biaspipe.engines.counting import Engine
from tests.engines.builders import prepare
from tests.engines.cases import CASES
from tests.engines.conditions import ALIKE, FAULTY, LINES, REFUSED
from tests.engines.conformance import Case, by_files, kept, outcome, same, without_place
from tests.engines.evaluator import answers
from tests.postgres.tables import store
from tests.servers.postgres import Database

pytestmark = pytest.mark.postgres

OTHERWISE = {
    "frequency: too large": "Postgres compares 2^63 - 1 with 2^63 exactly",
    "frequency: far too large": "unsigned integers are decimals in Postgres, and shown as such",
    "frequency: nothing": "every column of a table has a type, though it may hold no value",
    "label of nothing but null": "every column of a table has a type, though it may hold no value",
    "prediction of nothing but null": "every column of a table has a type, likewise",
}
"""Audits whose errors are in other words in Postgres, and why."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_postgres_answers_as_polars_does(case: Case, tmp_path: Path, postgres: Database) -> None:
    """The count in Postgres gives the result that polars gives on the same rows, or its error."""
    expected = outcome(by_files(case, tmp_path))
    store(postgres, "here", case.tables)
    loaded = case.loaded(
        tmp_path, lambda name: {"table": f"here.{name}"}, connection=postgres.socket_url()
    )
    found = outcome(loaded)
    if case.name in OTHERWISE:
        assert found.result is None
        assert found.error in ("DataError", "SpecError")
        return
    files = [f"{name}.parquet" for name in case.tables]
    tables = [f"here.{name}" for name in case.tables]
    same(case, without_place(expected, *files), without_place(found, *tables))


HELD = LINES.drop("void")
"""Every column of a table has a type, though it may hold no value.

Whole numbers of more than 64 bits are decimals there, which % does not take.
"""


@pytest.fixture
def lines(postgres: Database, tmp_path: Path) -> Iterator[Engine]:
    """Open the lines of the conditions in the database."""
    store(postgres, "here", {"lines": HELD.with_columns(pl.col("kind").cast(pl.String))})
    data = {"table": "here.lines", "connection": postgres.socket_url()}
    engine: Any = open_engine(prepare(tmp_path, data=data).audit, tmp_path)
    with closing(engine):
        yield engine


def test_conditions_keep_the_same_rows(lines: Engine) -> None:
    """Conditions keep the rows in Postgres that plain Python keeps."""
    asked = [where for where in ALIKE if "void" not in where and "large %" not in where]
    found = {where: kept(lines, where) for where in asked}
    assert found == {where: answers(where, HELD) for where in asked}


def test_conditions_are_refused(lines: Engine) -> None:
    """Conditions that are none are a wrong spec, and those that the data cannot answer an error."""
    assert {kept(lines, where) for where in REFUSED} == {"SpecError"}
    assert {kept(lines, where) for where in FAULTY} == {"DataError"}
