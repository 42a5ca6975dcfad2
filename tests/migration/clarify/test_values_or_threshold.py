"""What the values of labels and facets, and a threshold of scores, become."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.loading import Loaded, load
from biaspipe.migration.conversion import load_config
from biaspipe.pipeline import run

ROWS = "y,score,sex\n" + "1,0.9,m\n0,0.5,m\n0,0.2,m\n1,0.9,f\n1,0.7,f\n0,0.5,f\n" * 10


def converted(folder: Path, rows: str = ROWS, **parts: Any) -> Loaded:
    """Convert a configuration of scores for some rows."""
    (folder / "data.csv").write_text(rows, encoding="utf-8")
    values: dict[str, Any] = {
        "dataset_type": "text/csv",
        "dataset_uri": "data.csv",
        "label": "y",
        "label_values_or_threshold": [1],
        "predicted_label": "score",
        "facet": [{"name_or_index": "sex", "value_or_threshold": ["f"]}],
        "methods": {"post_training_bias": {"methods": ["DI"]}},
    }
    path = folder / "analysis_config.json"
    path.write_text(json.dumps(values | parts), encoding="utf-8")
    (spec,) = load_config(path).specs
    return spec


def outcome(spec: Loaded, key: str) -> Any:
    """Return what a converted spec says of an outcome, without its column."""
    found = dict(spec.document.values["columns"][key])
    del found["column"]
    return found


@pytest.mark.parametrize(
    ("values", "threshold", "expected"),
    [
        ([1], 0.6, {"above": 0.6}),
        ([1], None, {"above": 0.5}),
        ([0], 0.6, {"at_most": 0.6}),
        ([0], None, {"at_most": 0.5}),
        (["0"], 0.6, {"at_most": 0.6}),
        ([0.5], 0.6, {"above": 0.6}),
    ],
)
def test_side_of_scores(
    tmp_path: Path, values: list[Any], threshold: float | None, expected: dict[str, float]
) -> None:
    """A score above the threshold becomes 1 and any other one 0, whichever is favorable."""
    given: dict[str, Any] = {} if threshold is None else {"probability_threshold": threshold}
    spec = converted(tmp_path, label_values_or_threshold=values, **given)
    assert outcome(spec, "prediction") == expected


@pytest.mark.parametrize("compat", ["# compat: smclarify", "compat: smclarify"])
def test_four_fifths_with_favorable_zero(tmp_path: Path, compat: str) -> None:
    """DI of a favorable 0 is that of the scores which are not above the threshold."""
    converted(tmp_path, label_values_or_threshold=[0], probability_threshold=0.5)
    (text,) = load_config(tmp_path / "analysis_config.json").texts.values()
    (tmp_path / "audit.yaml").write_text(text.replace("# compat: smclarify", compat))
    assert run(load(tmp_path / "audit.yaml")).result.checks[0].value == pytest.approx(0.5)


def test_half_is_a_threshold_of_zeros_and_ones(tmp_path: Path) -> None:
    """A number with a fraction is a threshold even where only 0 and 1 occur."""
    first, *others = ROWS.splitlines()
    rows = "\n".join([f"{first},z", *(f"{line},{line[0]}" for line in others)]) + "\n"
    spec = converted(tmp_path, rows, label_values_or_threshold=[0.5], predicted_label="z")
    assert outcome(spec, "label") == {"above": 0.5}
    assert outcome(spec, "prediction") == {"above": 0.5}
    assert run(spec).result.data.everyone.labels == {"negative": 30, "positive": 30}


def test_half_is_a_threshold_of_a_facet_of_zeros_and_ones(tmp_path: Path) -> None:
    """A facet of 0 and 1 with 0.5 compares the ones with the rest."""
    facet = [{"name_or_index": "y", "value_or_threshold": [0.5]}]
    spec = converted(tmp_path, facet=facet)
    assert spec.audit.facets["y"].model_dump()["disfavored"]["above"] == 0.5


def test_comment_says_what_the_code_took_for_a_fraction(tmp_path: Path) -> None:
    """Beside a threshold of few whole numbers stands the one value that Clarify's code took."""
    converted(tmp_path, label_values_or_threshold=[0.5])
    (text,) = load_config(tmp_path / "analysis_config.json").texts.values()
    assert "Clarify's own code guesses otherwise here, and took exactly 0." in text


def test_scores_beside_measured_labels_are_estimates(tmp_path: Path) -> None:
    """Where the label measures, its threshold is that of the predictions too."""
    rows = "y,score,sex\n" + "".join(f"0.{i:02},0.{i:02},{'mf'[i % 2]}\n" for i in range(60))
    spec = converted(tmp_path, rows, label_values_or_threshold=[0.3])
    assert outcome(spec, "prediction") == {"above": 0.3}


def test_scores_beside_other_labels_have_to_be_looked_at(tmp_path: Path) -> None:
    """Where neither 1 nor 0 is favorable, nothing says which scores are: a note asks."""
    rows = ROWS.replace("\n1,", "\n2,").replace("\n0,", "\n3,")
    converted(tmp_path, rows, label_values_or_threshold=[2])
    (note,) = load_config(tmp_path / "analysis_config.json").said()
    assert "Neither is favorable by label_values_or_threshold: say which scores are." in note


def test_scores_of_any_size_have_a_given_threshold(tmp_path: Path) -> None:
    """With probability_threshold, numbers with fractions are scores, beyond 1 too."""
    rows = ROWS.replace("0.9", "90.5").replace("0.2", "20.5")
    spec = converted(tmp_path, rows, probability_threshold=50)
    assert outcome(spec, "prediction") == {"above": 50}
