"""Postgres answers every audit as polars does."""

from pathlib import Path

import pytest

from tests.engines.conformance import Case, by_files, outcome, same, without_place
from tests.engines.conforming import CASES
from tests.postgres.tables import store
from tests.servers.postgres import Database

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_postgres_answers_as_polars_does(case: Case, tmp_path: Path, postgres: Database) -> None:
    """The count in Postgres gives the result that polars gives on the same rows, or its error."""
    expected = outcome(by_files(case, tmp_path))
    store(postgres, "here", case.tables)
    loaded = case.loaded(
        tmp_path, lambda name: {"table": f"here.{name}"}, connection=postgres.socket_url()
    )
    found = outcome(loaded)
    files = [f"{name}.parquet" for name in case.tables]
    tables = [f"here.{name}" for name in case.tables]
    same(case, without_place(expected, *files), without_place(found, *tables))
