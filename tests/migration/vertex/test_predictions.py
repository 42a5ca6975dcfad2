"""Predictions of Vertex AI, whose columns stand inside of their lines."""

import json
from pathlib import Path

import pytest

from biaspipe.migration.conversion import load_config
from biaspipe.pipeline import run

COLLEGE = [
    ("California", "yes", "yes"),
    ("California", "yes", "no"),
    ("California", "no", "yes"),
    ("California", "no", "no"),
    ("California", "no", "no"),
    ("Florida", "yes", "yes"),
    ("Florida", "no", "yes"),
    ("Florida", "no", "no"),
]


@pytest.mark.parametrize(
    "columns",
    [
        {"target_field_name": "accepted", "prediction_label_column": "prediction.label"},
        {"target_field_name": "instance.accepted", "prediction_label_column": "prediction.label"},
        {"target_field_name": "accepted", "prediction_score_column": "prediction.scores[0]"},
    ],
)
def test_batch_predictions_of_vertex(tmp_path: Path, columns: dict[str, str]) -> None:
    """The lines of a batch prediction are read: the instance, and the prediction beside it."""
    lines = [
        {
            "instance": {"state": state, "accepted": accepted},
            "prediction": {"label": label, "scores": [0.9 if label == "yes" else 0.2, 0.0]},
        }
        for state, accepted, label in COLLEGE
    ]
    (tmp_path / "data.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    slices = {"configs": {"state": {"value": {"string_value": "California"}}}}
    config = {
        "predictions_format": "jsonl",
        "predictions_gcs_source": "data.jsonl",
        "bias_configs": [{"bias_slices": slices, "labels": ["yes"]}],
    }
    path = tmp_path / "bias.json"
    path.write_text(json.dumps(config | columns))
    (spec,) = load_config(path).specs
    found = {check.metric: check.value for check in run(spec).result.checks}
    assert found["vertex.dpppl"] == pytest.approx(2 / 5 - 2 / 3)
    assert found["vertex.recall_difference"] == -0.5
    assert found["vertex.specificity_difference"] == pytest.approx(2 / 3 - 1 / 2)
