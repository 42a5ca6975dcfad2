"""Postgres answers every audit as polars does."""

from pathlib import Path

import pytest

from tests.engines.conformance import Case, by_files, outcome, same, without_place
from tests.engines.conforming import CASES
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
