"""Rows of JSON whose values stand inside of objects and arrays."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import BiaspipeError, DataError, SpecError
from biaspipe.loading import load
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.verification import verify
from biaspipe.report import Report

ROWS: list[dict[str, Any]] = [
    {"Features": [25, "f", 2850.5], "Label": 0},
    {"Features": [36, "m", 6585], "Label": 1},
    {"Features": [22, "f", 1759], "Label": 1},
    {"Features": [48, "m", 3446], "Label": 0},
    {"Features": [31, "m", 4000], "Label": 1},
]
FIELDS = {"age": "Features[0]", "sex": "Features[1]", "income": "Features[2]", "y": "Label"}
NAMED = [
    {"who": {"sex": sex, "home town": "x"}, "y": y} for sex, y in zip("fmfmm", "01101", strict=True)
]


def audit(folder: Path, data: dict[str, Any], content: str | bytes, **parts: Any) -> Report:
    """Run an audit of labels on a file of this content."""
    as_bytes = content if isinstance(content, bytes) else content.encode()
    (folder / data["path"]).write_bytes(as_bytes)
    spec = {
        "version": 1,
        "name": "nested",
        "data": data,
        "columns": {"label": {"column": "y", "positive": 1}},
        "facets": {"sex": {"column": "sex", "disfavored": "f"}},
        "metrics": {"DPL": None},
        **parts,
    }
    (folder / "audit.yaml").write_text(json.dumps(spec), encoding="utf-8")
    return run(load(folder / "audit.yaml"))


def lines(rows: list[Any]) -> str:
    """Write rows as lines of JSON."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def rates(report: Report) -> tuple[int, float | None, float | None]:
    """Return the rows, and the label rates of both sides."""
    (comparison,) = report.result.facets[0].comparisons
    sides = comparison.counts
    return (
        report.result.data.rows,
        sides["favored"].label_rate,
        sides["disfavored"].label_rate,
    )


@pytest.mark.parametrize(
    ("data", "content"),
    [
        ({"path": "a.jsonl", "fields": FIELDS}, lines(ROWS)),
        ({"path": "a.jsonl", "fields": FIELDS}, lines(ROWS).replace("\n", "\n\n").rstrip()),
        ({"path": "a.jsonl.gz", "fields": FIELDS}, gzip.compress(lines(ROWS).encode())),
        ({"path": "a.json", "format": "json", "fields": FIELDS}, json.dumps(ROWS)),
        (
            {"path": "a.json", "format": "json", "fields": FIELDS, "records": "in[0].rows"},
            json.dumps({"in": [{"rows": ROWS}]}),
        ),
        ({"path": "a.jsonl", "fields": {"sex": "who.sex", "y": '"y"'}}, lines(NAMED)),
        (
            {"path": "a.json", "format": "json"},
            json.dumps([{"sex": r["Features"][1], "y": r["Label"]} for r in ROWS]),
        ),
        (
            {"path": "a.jsonl", "fields": {"sex": "[0]", "y": "[1]"}},
            lines([[row["Features"][1], row["Label"]] for row in ROWS]),
        ),
    ],
    ids=["dense", "blank", "gzip", "document", "records", "objects", "keys", "arrays"],
)
def test_values_are_found(tmp_path: Path, data: dict[str, Any], content: str | bytes) -> None:
    """Each way to write rows gives the counts of the same table."""
    assert rates(audit(tmp_path, data, content)) == (5, 2 / 3, 1 / 2)


def test_missing_key_is_a_missing_value(tmp_path: Path) -> None:
    """A row without the key, and one with null, lack the value and are counted as such."""
    rows = [*ROWS, {"Features": [50, "f", 1]}, {"Features": [50, "f", 1], "Label": None}]
    report = audit(tmp_path, {"path": "a.jsonl", "fields": FIELDS}, lines(rows))
    assert report.result.data.rows == 7
    assert report.result.data.ledger["sex"].label_missing == 2


def test_report_is_verified(tmp_path: Path) -> None:
    """A new run of the data gives the same bytes."""
    report = audit(tmp_path, {"path": "a.jsonl", "fields": FIELDS}, lines(ROWS))
    (tmp_path / "r.json").write_text(report.to_json(), encoding="utf-8")
    assert verify(tmp_path / "r.json").findings == ()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (lines([*ROWS, {"Features": [1, "f"], "Label": 0}]), "line 6: Features holds 2 values"),
        (lines([*ROWS, {"Features": [1, "f", 2, 3], "Label": 0}]), "and 3 in the first row"),
        (lines([{"Features": [1, "f"], "Label": 0}]), r"2 values, and \[2\] is asked for"),
        (lines([*ROWS, {"Features": 5, "Label": 0}]), "Features is no array of JSON"),
        (lines([*ROWS, ["f", 0]]), "line 6: the row is no object of JSON"),
        (lines([*ROWS, {"Features": [1, ["f"], 2]}]), r"Features\[1\] holds an array"),
        (lines(ROWS) + '{"Features": [1', "line 6: not JSON"),
        ("[" * 200_000, "nested too deep"),
        (b'{"Label": "\xe9"}\n', "the text is not UTF-8"),
        (b"\x28\xb5\x2f\xfd....", "not read from zstd"),
        (b"\x1f\x8b\x08\x00", "the compressed data is cut off"),
    ],
)
def test_row_that_is_not_like_the_others_is_named(
    tmp_path: Path, rows: str | bytes, words: str
) -> None:
    """No row is lost or bent: one that cannot be read is an error that names its place."""
    with pytest.raises(DataError, match=words):
        audit(tmp_path, {"path": "a.jsonl", "fields": FIELDS}, rows)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"rows": []}, "the rows are no array of JSON"),
        ([1, 2], "row 1: the row is no object of JSON"),
    ],
)
def test_document_without_rows_is_refused(tmp_path: Path, document: Any, words: str) -> None:
    """A document of something else than objects is faulty data."""
    with pytest.raises(DataError, match=words):
        audit(tmp_path, {"path": "a.json", "format": "json"}, json.dumps(document))


@pytest.mark.parametrize(
    ("values", "positive"),
    [([1, 2.5, 1], 1), (["1", 2, "1"], "1"), ([True, False, True], True)],
)
def test_types_are_those_of_all_values(tmp_path: Path, values: list[Any], positive: Any) -> None:
    """Whole numbers beside others are numbers, and numbers beside texts are texts."""
    rows = [{"a": {"sex": sex, "y": y}} for sex, y in zip("fmf", values, strict=True)]
    columns = {"label": {"column": "y", "positive": positive}}
    data = {"path": "a.jsonl", "fields": {"sex": "a.sex", "y": "a.y"}}
    report = audit(tmp_path, data, lines(rows), columns=columns)
    assert report.result.data.everyone.labels == {"negative": 1, "positive": 2}


@pytest.mark.parametrize(
    ("data", "parts", "words"),
    [
        ({"path": "a.csv", "fields": FIELDS}, {}, "fields is about rows of JSON"),
        ({"path": "a.jsonl", "fields": FIELDS, "records": "x"}, {}, "expected: format: json"),
        ({"path": "a.jsonl", "fields": {"y": "x[y]"}}, {}, "expected: keys and indices"),
        ({"path": "a.jsonl", "fields": FIELDS}, {"engine": "duckdb"}, "read by engine: polars"),
        ({"path": "a.json", "format": "json"}, {"engine": "spark"}, "read by engine: polars"),
    ],
)
def test_what_cannot_be_read_is_a_wrong_spec(
    tmp_path: Path, data: dict[str, Any], parts: dict[str, Any], words: str
) -> None:
    """Fields are of JSON, and read by polars: anything else is said before a row is read."""
    with pytest.raises(SpecError, match=words):
        audit(tmp_path, data, "sex,y\nf,1\nm,0\n", **parts)


def test_other_engine_of_the_command_line_is_refused(tmp_path: Path) -> None:
    """An engine that cannot read fields says so, whoever has chosen it."""
    audit(tmp_path, {"path": "a.jsonl", "fields": FIELDS}, lines(ROWS))
    with pytest.raises(BiaspipeError, match="are read by engine: polars"):
        run(load(tmp_path / "audit.yaml"), Options(engine="duckdb"))
