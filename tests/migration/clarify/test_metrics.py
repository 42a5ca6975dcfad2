"""Configurations of Clarify: their methods, their features, and what only explains."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from tests.migration.configurations import analysis, converted, report, spec_of

EMPTY = "Group variable is empty or not provided"
ROWS = "y,p,sex,age,town,income\n" + "".join(
    f"{i % 2},{i * 7 % 3 % 2},{i % 5 % 2},{20 + i % 40},{i % 3},{i * 37 % 100}\n" for i in range(80)
)
ALL: dict[str, Any] = {
    "pre_training_bias": {"methods": "all"},
    "post_training_bias": {"methods": "all"},
}
FT: dict[str, Any] = {"post_training_bias": {"methods": ["FT"]}}
FACETS = [
    {"name_or_index": "sex", "value_or_threshold": [1]},
    {"name_or_index": "age", "value_or_threshold": [40]},
]


@pytest.fixture(autouse=True)
def data(tmp_path: Path) -> None:
    """Write the data."""
    (tmp_path / "data.csv").write_text(ROWS, encoding="utf-8")


@pytest.mark.parametrize("methods", [["CI", "CDDL"], "all", ["all"]])
def test_disparity_without_a_group_variable_is_null(tmp_path: Path, methods: object) -> None:
    """CDDL that is asked for without a group_variable stays, without a value, with the error."""
    asked = {"pre_training_bias": {"methods": methods}}
    entries = analysis(tmp_path, "pre_training", methods=asked, facet=FACETS[:1])
    assert entries[0] == {
        "name": "CDDL",
        "description": "Conditional Demographic Disparity in Labels (CDDL)",
        "value": None,
        "error": EMPTY,
    }
    assert len(entries) == (2 if methods == ["CI", "CDDL"] else 8)


def test_fliptest_without_features_is_null(tmp_path: Path) -> None:
    """FT stays, without a value, where every column is one of the audit's own."""
    (tmp_path / "data.csv").write_text(
        "y,p,sex\n" + "1,1,0\n0,1,0\n1,0,1\n0,0,1\n1,0,0\n0,1,1\n1,1,1\n0,0,0\n" * 9
    )
    parts: dict[str, Any] = {"methods": ALL, "predicted_label": "p", "facet": FACETS[:1]}
    entries = analysis(tmp_path, "post_training", **parts)
    assert [entry["name"] for entry in entries if entry["value"] is None] == ["CDDPL", "FT"]
    assert len(entries) == 13


def test_disparity_that_nobody_asked_for_is_not_there(tmp_path: Path) -> None:
    """A metric that the configuration does not ask for is in no analysis."""
    names = [entry["name"] for entry in analysis(tmp_path, "pre_training", facet=FACETS)]
    assert names == ["CI", "DPL"]


def test_disparity_with_a_group_variable_has_its_value(tmp_path: Path) -> None:
    """With a group_variable CDDL is computed."""
    asked = {"pre_training_bias": {"methods": ["CDDL"]}}
    (entry,) = analysis(
        tmp_path, "pre_training", methods=asked, group_variable="town", facet=FACETS
    )
    assert isinstance(entry["value"], float)


@pytest.mark.parametrize("methods", ["all", ["all"]])
def test_all_in_a_list_is_all(tmp_path: Path, methods: object) -> None:
    """A list of "all" asks for the whole family, as "all" does."""
    asked = {"post_training_bias": {"methods": methods}}
    spec = spec_of(
        tmp_path, methods=asked, predicted_label="p", group_variable="town", facet=FACETS
    )
    assert list(spec.audit.metrics) == ["post_training"]


def features(folder: Path, **parts: Any) -> list[tuple[str, ...]]:
    """Return the features that smclarify's fliptest compares, by facet."""
    found = report(folder, compat=True, methods=FT, predicted_label="p", facet=FACETS, **parts)
    evidence = [facet.comparisons[0].compat for facet in found.result.facets]
    return [e.ballot.features for e in evidence if e and e.ballot]


def test_facet_and_group_are_features_of_the_other_facets(tmp_path: Path) -> None:
    """Under compat every column but label, prediction and the facet itself is compared."""
    assert features(tmp_path, group_variable="town") == [
        ("age", "town", "income"),
        ("sex", "town", "income"),
    ]


def test_excluded_facet_and_group_are_no_features(tmp_path: Path) -> None:
    """A facet or a group_variable among excluded_columns is compared under no other facet."""
    excluded = ["sex", "town"]
    assert features(tmp_path, group_variable="town", excluded_columns=excluded) == [
        ("age", "income"),
        ("income",),
    ]


def test_listed_features_are_those_of_smclarify(tmp_path: Path) -> None:
    """A JMESPath lists the features; facets among them are compared, excluded ones are not."""
    keys = [line.split(",") for line in ROWS.splitlines()]
    rows = [dict(zip(keys[0], map(int, row), strict=True)) for row in keys[1:]]
    (tmp_path / "data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    parts: dict[str, Any] = {
        "dataset_type": "application/jsonlines",
        "dataset_uri": "data.jsonl",
        "features": "[sex, age, income]",
    }
    assert features(tmp_path, **parts) == [("age", "income"), ("sex", "income")]
    assert features(tmp_path, **parts, excluded_columns=["sex"]) == [("age", "income"), ("income",)]
    documented = report(tmp_path, methods=FT, predicted_label="p", facet=FACETS, **parts)
    (flips, _) = (check.flips for check in documented.result.checks)
    assert flips is not None
    assert flips.features == ("income",)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"methods": {"shap": {}}}, "only explains predictions (shap)"),
        ({"methods": {"pdp": {}, "report": {"name": "r"}}}, "only explains predictions (pdp)"),
        (
            {"methods": {"shap": {"image_config": {}}}, "dataset_type": "application/x-image"},
            "only explains predictions (shap)",
        ),
        (
            {
                "methods": {"asymmetric_shapley_value": {}},
                "dataset_type": "application/json",
                "time_series_data_config": {},
            },
            "only explains predictions (asymmetric_shapley_value)",
        ),
        ({"methods": {"report": {"name": "r"}}}, "there is no bias metric in it"),
        ({"methods": {}}, "there is no bias metric in it"),
    ],
)
def test_what_only_explains_is_told_so(tmp_path: Path, parts: dict[str, Any], words: str) -> None:
    """A configuration without a bias method has that one fault, whatever else it lacks."""
    bare = {"label": None, "label_values_or_threshold": None, "facet": None, "dataset_uri": None}
    with pytest.raises(SpecError) as refusal:
        converted(tmp_path, **bare, **parts)
    assert words in str(refusal.value)
    assert len(refusal.value.faults) == 1


def test_empty_list_of_methods_is_nothing_to_convert(tmp_path: Path) -> None:
    """A configuration that lists no method is refused, and becomes no spec without metrics."""
    asked: dict[str, Any] = {"pre_training_bias": {"methods": []}}
    with pytest.raises(SpecError, match="there is no bias metric in it"):
        converted(tmp_path, methods=asked, facet=FACETS)


def test_join_column_without_a_join_is_no_feature(tmp_path: Path) -> None:
    """A column that only identifies rows is compared by no fliptest."""
    assert features(tmp_path, joinsource_name_or_index="income") == [
        ("age", "town"),
        ("sex", "town"),
    ]
