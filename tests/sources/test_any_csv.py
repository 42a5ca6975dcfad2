"""Whatever stands in a CSV file, its rows are counted as Python reads them, or it is refused."""

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import biaspipe
from biaspipe.spec import EngineName
from tests.examples import examples
from tests.sources.test_any_text import PIECES, SPEC

HEADER = "sex,word,n"
LINES = ("m,a,1", 'f,"b",2', 'm,"c,d",3', 'f,"e""f",4', 'm,"g\nh",5', "f,,6", "m,a,", '"f",a,8')
CELLS = ("m", "f", "a", '"b"', '"c,d"', '"e""f"', '"g\nh"', "", '""', "1", "é", "'", " a ", "\\")


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """Draw the bytes of a table with some damage, or with none."""
    rows = draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=12))
    if draw(st.booleans()):
        cells = st.lists(st.sampled_from(CELLS), min_size=3, max_size=3).map(",".join)
        rows += draw(st.lists(cells, max_size=6))
    end = draw(st.sampled_from(("\n", "\n", "\r\n")))
    content = end.join([HEADER, *rows, *draw(st.sampled_from(([], [""])))]).encode()
    for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2, 4)))):
        at = draw(st.integers(len(HEADER), len(content)))
        put = draw(st.sampled_from(PIECES).map(str.encode) | st.binary(min_size=1, max_size=2))
        content = content[:at] + put + content[at + draw(st.sampled_from((0, 0, 1, 3))) :]
    return content


def counted(content: bytes, engine: EngineName, folder: Path) -> dict[str, Any] | None:
    """Return what an engine counts in a table; None where it refuses it."""
    path = folder / "any.csv"
    path.write_bytes(content)
    outcome = {"column": "word", "positive": "a", "constant": "allowed"}
    spec = {
        **SPEC,
        "data": {"path": str(path)},
        "columns": {"prediction": outcome},
        "facets": {"sex": {"column": "sex"}},
        "metrics": {"DPPL": None},
    }
    try:
        report = biaspipe.run(spec, engine=engine)
    except biaspipe.BiaspipeError:
        return None
    result = report.result
    found = {"rows": result.data.rows, "ledger": result.data.ledger["sex"].model_dump()}
    columns = [column.model_dump() for column in result.data.counted_as or ()]
    return {**found, "groups": [g.model_dump() for g in result.facets[0].groups], "as": columns}


def read(content: bytes) -> int | None:
    """Return how many rows Python's csv module reads, those without any cell left out."""
    try:
        text = content.decode("utf-8-sig")
        return sum(1 for row in csv.reader(StringIO(text, newline=""), strict=True) if row) - 1
    except (UnicodeDecodeError, csv.Error):
        return None


def is_counted_alike_or_refused(content: bytes, folder: Path) -> None:
    """Check that engines which count a table count it alike, and as Python reads it."""
    engines: tuple[EngineName, ...] = ("polars", "duckdb")
    found = {name: counted(content, name, folder) for name in engines}
    counts = [count for count in found.values() if count is not None]
    assert counts == counts[:1] * len(counts)
    if counts and (rows := read(content)) is not None:
        assert counts[0]["rows"] == rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for one table after the other."""
    return tmp_path_factory.mktemp("tables")


def test_any_table(folder: Path) -> None:
    """A table with any damage is counted alike by the engines that do not refuse it."""

    @examples(60, unchecked=list(HealthCheck))
    @given(tables())
    def attempt(content: bytes) -> None:
        is_counted_alike_or_refused(content, folder)

    attempt()
