"""Rows of JSON as the guide's examples have them."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from tests.migration.configurations import converted, report

ROWS: list[dict[str, Any]] = [
    {"Features": [20 + i, i % 3 % 2, 1000 + 37 * i, i % 4], "Label": i * i % 7 % 2}
    for i in range(60)
]
HEADERS = ["Age", "Gender", "Income", "Occupation", "Target"]
PARTS: dict[str, Any] = {
    "headers": HEADERS,
    "label": "Label",
    "features": "Features",
    "facet": [{"name_or_index": "Gender", "value_or_threshold": [0]}],
    "dataset_type": "application/jsonlines",
    "dataset_uri": "data.jsonl",
}
DOCUMENT = {"dataset_type": "application/json", "dataset_uri": "data.json"}


def write(folder: Path) -> None:
    """Write the rows in every way that the guide has."""
    table = [",".join(map(str, [*row["Features"], row["Label"]])) for row in ROWS]
    (folder / "data.csv").write_text("\n".join([",".join(HEADERS), *table]) + "\n")
    (folder / "data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    (folder / "data.json").write_text(json.dumps(ROWS))
    (folder / "instances.json").write_text(json.dumps({"instances": ROWS}))


def values(folder: Path, **parts: Any) -> dict[str, float | None]:
    """Return the values of a configuration's metrics."""
    checks = report(folder, **(PARTS | parts)).result.checks
    return {check.metric: check.value for check in checks}


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {**DOCUMENT, "label": "[*].Label", "features": "[*].Features"},
        {**DOCUMENT, "label": "[].Label", "features": "[].Features"},
        {
            **DOCUMENT,
            "dataset_uri": "instances.json",
            "label": "instances[*].Label",
            "features": "instances[*].Features",
        },
        {"features": "[Features[0], Features[1], Features[2], Features[3]]"},
        {
            "headers": None,
            "facet": [{"name_or_index": 1, "value_or_threshold": [0]}],
        },
        {
            "headers": None,
            "facet": [{"name_or_index": "column_1", "value_or_threshold": [0]}],
        },
    ],
    ids=["lines", "document", "flattened", "instances", "listed", "index", "generated"],
)
def test_rows_of_json_are_the_table(tmp_path: Path, parts: dict[str, Any]) -> None:
    """Dense rows of JSON, in lines or one document, give the values of the same table."""
    write(tmp_path)
    table = {"dataset_type": "text/csv", "dataset_uri": "data.csv", "label": "Target"}
    expected = values(tmp_path, **table, features=None)
    assert values(tmp_path, **parts) == expected
    assert expected["DPL"] != 0


def test_headers_name_the_columns(tmp_path: Path) -> None:
    """The names of label and facets are those of the headers, as in Clarify's output."""
    write(tmp_path)
    spec = report(tmp_path, **PARTS).result.audit.spec
    assert spec["columns"]["label"]["column"] == "Target"
    assert list(spec["facets"]) == ["Gender"]
    assert spec["data"]["fields"] == {
        "Age": "Features[0]",
        "Gender": "Features[1]",
        "Income": "Features[2]",
        "Occupation": "Features[3]",
        "Target": "Label",
    }


def test_rows_that_were_not_looked_at(tmp_path: Path) -> None:
    """Where the data is elsewhere, the headers tell how many features a row has."""
    spec = converted(tmp_path, **PARTS | {"dataset_uri": "s3://bucket/data.jsonl"}).specs[0]
    assert list(spec.audit.data.fields or ()) == HEADERS


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"headers": HEADERS[1:]}, "headers: 4 names for 5 columns"),
        ({"features": "Feature"}, "leads to no array of features"),
        ({"features": "sort(Features)"}, "does more than name values of a row"),
        ({"label": "max(Label)"}, "does more than name values of a row"),
        (DOCUMENT | {"features": "[*].Features"}, "'Label' is not one value for each row"),
        (
            {"headers": None, "dataset_uri": "s3://b/a.jsonl"},
            "nothing tells how many features 'Features' holds",
        ),
    ],
)
def test_what_is_not_in_the_rows_is_refused(
    tmp_path: Path, parts: dict[str, Any], words: str
) -> None:
    """A JMESPath that leads nowhere, or does more than to lead, is a fault."""
    write(tmp_path)
    with pytest.raises(SpecError) as refusal:
        converted(tmp_path, **PARTS | parts)
    assert words in str(refusal.value)


def test_label_inside_of_something_without_features(tmp_path: Path) -> None:
    """A nested label needs no features beside it: the keys of the rows are columns too."""
    rows = [{"sex": "f", "out": {"y": 1}}, {"sex": "m", "out": {"y": 0}}] * 9
    (tmp_path / "data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    parts = {"features": None, "headers": None, "label": "out.y"}
    facet = [{"name_or_index": "sex", "value_or_threshold": ["f"]}]
    assert values(tmp_path, **parts, facet=facet)["DPL"] == -1
