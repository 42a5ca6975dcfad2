"""Tables whose names, and whose columns' names, have any sign."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biaspipe.pipeline import run
from biaspipe.sources.quoting import identifier
from tests.engines.builders import ledger, prepare

__all__ = ["counted", "made"]


def made(name: str, number: int) -> Iterator[str]:
    """Yield what makes a table with one column of a name, and one beside it that is not asked for.

    Parameters
    ----------
    name : of the table and of its column.
    number : of rows, which are those of no other table.
    """
    quoted = identifier(name)
    yield f"CREATE TABLE {quoted} ({quoted} VARCHAR(9), seen INTEGER)"
    rows = ", ".join(["('m', 1)"] * number + ["('f', 0)"])
    yield f"INSERT INTO {quoted} VALUES {rows}"  # noqa: S608 - all is quoted


def counted(folder: Path, url: str, name: str) -> dict[str, Any]:
    """Count a table by its column."""
    facets = {"sex": {"column": name, "favored": "m"}}
    columns = {"label": {"column": "seen", "positive": 1}}
    data = {"table": identifier(name), "connection": url, "where": f"{identifier(name)} <> 'x'"}
    return ledger(run(prepare(folder, data=data, columns=columns, facets=facets)).result, "sex")
