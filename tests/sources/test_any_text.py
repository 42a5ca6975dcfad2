"""Whatever stands in a text table, it is counted or refused in words."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biaspipe
from biaspipe.spec import EngineName
from tests.examples import examples

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "any",
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"all": None, "DPPL": {"max_abs": 0.9}},
}
LABEL = {"column": "able", "positive": "yes"}
PREDICTION = {"column": "score", "above": 0.5, "constant": "allowed"}
ROWS = [
    "sex,score,able,n",
    *("m,0.9,yes,1", "m,0.2,no,2", "m,1,yes,1", '"m",0.7,"yes",3', "m,,yes,1"),
    *("f,0.6,no,1", "f,0.1,yes,1", ",0.5,no,2", 'f,0.8,"no",1', "f,1e0,yes,4"),
]
PIECES = (
    *(",", ";", "\t", '"', '""', "'", "\n", "\r", "\r\n", "\n\n", " ", "\0", "\ufeff", "\\", "#"),
    *("é", "m", "yes", "NA", "nan", "inf", "-1", "1e309", "0x1", "9" * 40, "2026-01-02", "a" * 300),
)
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16")


class Text(NamedTuple):
    """The bytes of a text table, and the spec that asks of it."""

    content: bytes
    spec: dict[str, Any]


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """Draw a table with some damage, or no table at all."""
    text = "\n".join([ROWS[0], *draw(st.lists(st.sampled_from(ROWS[1:]), max_size=20)), ""])
    for _ in range(draw(st.sampled_from((0, 1, 1, 2, 5)))):
        start = draw(st.integers(0, len(text)))
        stop = start + draw(st.sampled_from((0, 0, 1, 5)))
        text = text[:start] + draw(st.sampled_from(PIECES)) + text[stop:]
    content = text.encode(draw(st.sampled_from(ENCODINGS)), errors="replace")
    if not draw(st.integers(0, 9)):
        content = draw(st.binary(max_size=60))
    return Text(content, draw(specs()))


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what a spec asks of the table."""
    columns: dict[str, Any] = {"prediction": PREDICTION}
    if draw(st.booleans()):
        columns["label"] = LABEL
    if not draw(st.integers(0, 4)):
        columns["weight"] = draw(st.sampled_from(("n", "score")))
    if not draw(st.integers(0, 4)):
        columns["strata"] = ["able"]
    options = {"separator": ";", "null_values": ["NA"]}
    read = {key: value for key, value in options.items() if not draw(st.integers(0, 9))}
    return {**SPEC, "columns": columns, "data": {"csv": read} if read else {}}


def is_counted_or_refused(case: Text, engine: EngineName, folder: Path) -> None:
    """Check that an audit of a text gives a report that accounts for every row, or an error."""
    path = folder / "any.csv"
    path.write_bytes(case.content)
    spec = {**case.spec, "data": {"path": str(path), **case.spec["data"]}}
    try:
        report = biaspipe.run(spec, engine=engine)
    except biaspipe.BiaspipeError:
        return
    data = report.result.data
    assert sum(data.ledger["sex"].model_dump().values()) == data.rows
    assert data.rows <= case.content.count(b"\n") + case.content.count(b"\r") + 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for one text after the other."""
    return tmp_path_factory.mktemp("texts")


@pytest.mark.parametrize(("engine", "times"), [("polars", 100), ("duckdb", 25)])
def test_any_text(engine: EngineName, times: int, folder: Path) -> None:
    """Damaged tables are counted or refused, and every row that is read is accounted for."""

    @examples(times)
    @given(texts())
    def attempt(case: Text) -> None:
        is_counted_or_refused(case, engine, folder)

    attempt()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", ["empty.csv", "empty.ndjson"])
def test_a_score_without_any_value_is_missing(
    engine: EngineName, name: str, tmp_path: Path
) -> None:
    """A threshold on a column without any value finds everybody missing, on every engine."""
    texts = {
        "empty.csv": "sex,score\nm,\nf,\n",
        "empty.ndjson": '{"sex": "m", "score": null}\n{"sex": "f", "score": null}\n',
    }
    (tmp_path / name).write_text(texts[name], encoding="utf-8")
    columns = {"prediction": PREDICTION}
    spec = {**SPEC, "columns": columns, "data": {"path": str(tmp_path / name)}}
    report = biaspipe.run(spec, engine=engine)
    assert report.result.data.ledger["sex"].prediction_missing == 2
