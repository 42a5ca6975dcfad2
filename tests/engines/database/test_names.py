"""Names of tables and columns are names, whatever signs they have, and nothing else is read."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.engines.database.attacks import NAMES
from tests.engines.database.named_tables import counted, made
from tests.examples import some


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_names_are_names(scheme: str, tmp_path: Path) -> None:
    """A table and its column are found by a name with any sign, and are those of that name."""
    names = some(name for name in NAMES if name.isprintable())
    path = tmp_path / f"rows.{scheme}"
    base: Any = sqlite3.connect(path) if scheme == "sqlite" else duckdb.connect(str(path))
    with closing(base):
        for number, name in enumerate(names):
            for statement in made(name, number + 1):
                base.execute(statement)
        base.commit() if scheme == "sqlite" else None
    found = {name: counted(tmp_path, f"{scheme}://{path}", name)["favored"] for name in names}
    assert found == {name: number + 1 for number, name in enumerate(names)}
