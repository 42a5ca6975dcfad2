"""Converted specs on data: they give the numbers of specs that a person writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.loading import Loaded, load
from biaspipe.migration.conversion import load_config
from biaspipe.pipeline import run
from biaspipe.report import CheckRecord

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples" / "data"
CONFIGS = Path(__file__).parent / "configs"
ALL = {"pre_training_bias": {"methods": "all"}, "post_training_bias": {"methods": "all"}}

DIABETES: dict[str, Any] = {
    "dataset_type": "text/csv",
    "label": "progression",
    "predicted_label": "predicted_progression",
    "label_values_or_threshold": [140],
    "facet": [
        {"name_or_index": "age", "value_or_threshold": [40]},
        {"name_or_index": "sex", "value_or_threshold": ["sex_2"]},
    ],
    "excluded_columns": ["patient"],
    "methods": ALL,
}
BY_HAND = """
version: 1
name: by-hand
data: {path: DATA}
columns:
  label: {column: progression, above: 140}
  prediction: {column: predicted_progression, above: 140}
  features: {exclude: [patient]}
facets:
  age: {column: age, disfavored: {above: 40}}
  sex: {column: sex, favored: sex_1, disfavored: sex_2}
metrics: {all: }
"""


def config(folder: Path, values: dict[str, Any], data: Path | None = None) -> tuple[Loaded, ...]:
    """Write a configuration and convert it for some data."""
    path = folder / "analysis_config.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return load_config(path, str(data) if data else None).specs


def values_of(loaded: Loaded) -> dict[tuple[str, str | None, str | None], float | None]:
    """Run a spec; return the values by metric, facet and disfavored side."""
    checks = run(loaded).result.checks
    return {(c.metric, c.facet, c.disfavored): c.value for c in checks}


def by_metric(loaded: Loaded, facet: str) -> dict[str, CheckRecord]:
    """Run a spec; return the checks of a facet's first comparison."""
    return {c.metric: c for c in reversed(run(loaded).result.checks) if c.facet == facet}


def test_numbers_are_those_of_a_spec_by_hand(tmp_path: Path) -> None:
    """A converted spec gives every number that the same audit written by hand gives."""
    data = EXAMPLES / "diabetes-progression.csv"
    (tmp_path / "audit.yaml").write_text(BY_HAND.replace("DATA", str(data)), encoding="utf-8")
    (converted,) = config(tmp_path, DIABETES, data)
    found = values_of(converted)
    by_hand = values_of(load(tmp_path / "audit.yaml"))
    assert len(found) == 37
    assert found == {key: value for key, value in by_hand.items() if key in found}


def test_threshold_is_not_in_its_own_side(tmp_path: Path) -> None:
    """A label, a score or a facet on its threshold is on the lower side."""
    rows = "y,score,age\n1,0.5,40\n2,2.75,41\n3,0.25,39\n2,3,60\n1.5,2,18\n"
    (tmp_path / "data.csv").write_text(rows)
    values = {
        "dataset_type": "text/csv",
        "dataset_uri": "data.csv",
        "label": "y",
        "label_values_or_threshold": [2],
        "predicted_label": "score",
        "facet": [{"name_or_index": "age", "value_or_threshold": [40]}],
        "methods": {"pre_training_bias": {"methods": ["DPL"]}},
    }
    (converted,) = config(tmp_path, values)
    (comparison,) = run(converted).result.facets[0].comparisons
    assert comparison.disfavored == "age > 40"
    assert (comparison.counts["favored"].rows, comparison.counts["disfavored"].rows) == (3, 2)
    assert comparison.counts["favored"].labels == {"negative": 2, "positive": 1}
    assert comparison.counts["disfavored"].label_rate == 0


def test_segments_hold_every_row_once() -> None:
    """The segments of a configuration are audits whose rows add up to those of the data."""
    whole, *segments = load_config(CONFIGS / "segments.json").specs
    people = [run(spec).result.data.everyone.rows for spec in segments]
    assert run(whole).result.data.everyone.rows == 12
    assert [spec.audit.name for spec in segments] == [
        "segments-by-age-young",
        "segments-by-age-others",
        "segments-by-age-rest",
        "segments-purpose-car",
        "segments-purpose-default",
    ]
    assert people == [3, 7, 2, 6, 6]


def test_segments_of_all_rows_leave_no_rest(tmp_path: Path) -> None:
    """Where the segments hold every row, there is no audit of the other ones."""
    (tmp_path / "data.csv").write_text("y,sex,age\n1,f,30\n0,f,50\n0,m,30\n1,m,50\n")
    values = {
        "dataset_type": "text/csv",
        "dataset_uri": "data.csv",
        "label": "y",
        "label_values_or_threshold": [1],
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
        "segment_config": [{"name_or_index": "age", "segments": [["(-inf, 40]"], ["(40, inf)"]]}],
        "methods": {"pre_training_bias": {"methods": ["DPL"]}},
    }
    specs = config(tmp_path, values)
    assert [run(spec).result.data.everyone.rows for spec in specs] == [4, 2, 2]


@pytest.mark.parametrize(
    ("name", "facet"), [("joined_by_key", "sex"), ("headerless", "sex"), ("jsonlines", "Sex")]
)
def test_tables_in_parts_are_the_table(name: str, facet: str) -> None:
    """Joined, headerless and JSON data give the value of the same data in one table."""
    (spec,) = load_config(CONFIGS / f"{name}.json").specs
    check = by_metric(spec, facet)["DPPL"]
    assert (check.favored, check.disfavored) == ("the rest", "f")
    assert check.value == pytest.approx(2 / 6 - 4 / 6)


def test_joined_by_position_is_the_table() -> None:
    """A file of predicted labels without a key is read beside the data, row by row."""
    (spec,) = load_config(CONFIGS / "joined_by_position.json").specs
    checks = by_metric(spec, "sex")
    assert checks["DPPL"].value == pytest.approx(3 / 6 - 4 / 6)
    assert checks["AD"].value == 0


def test_every_converted_local_spec_runs() -> None:
    """Each configuration whose data lies beside it is converted to specs that run at once."""
    local = [p for p in sorted(CONFIGS.glob("*.json")) if "bucket" not in p.read_text()]
    assert len(local) >= 9
    for path in local:
        for spec in load_config(path).specs:
            assert run(spec).result.checks


VERTEX = {
    "target_field_name": "accepted",
    "prediction_label_column": "predicted",
    "bias_configs": [
        {"bias_slices": [{"state": "California"}, {"state": "Florida"}], "labels": ["yes"]},
        {
            "bias_slices": {"configs": {"state": {"value": {"string_value": "Florida"}}}},
            "labels": ["yes"],
        },
    ],
}


def test_vertex_example(tmp_path: Path) -> None:
    """The example of Vertex AI's documentation has its documented values, signs included."""
    counts = (EXAMPLES / "college-applications.csv").read_text().splitlines()[1:]
    rows = [line.rsplit(",", 1)[0] for line in counts for _ in range(int(line.rsplit(",", 1)[1]))]
    data = tmp_path / "college.csv"
    data.write_text("state,accepted,predicted\n" + "\n".join(rows) + "\n")
    (spec,) = config(tmp_path, VERTEX, data)
    found = values_of(spec)
    expected = {
        "accuracy_difference": 0.15,
        "dpppl": -0.15,
        "recall_difference": 50 / 60 - 1,
        "specificity_difference": 120 / 140 - 50 / 80,
        "error_ratio_difference": 0.5,
        "population_size_difference": 1 / 3,
        "dpptl": 0.1,
    }
    for metric, value in expected.items():
        assert found[f"vertex.{metric}", "state", "Florida"] == pytest.approx(value)
        assert found[f"vertex.{metric}", "state_2", "the rest"] == pytest.approx(-value)
