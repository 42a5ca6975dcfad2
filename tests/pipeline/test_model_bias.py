"""The bias that a model adds to that of the labels: DPPL - DPL, with an interval."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.report import ModelBiasRecord
from tests.engines.builders import audited, comparisons
from tests.pipeline.reports import table

BOTH = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
}
ADDED = table(
    "sex,label,prediction",
    "m,1,1 x 40",
    "m,0,1 x 20",
    "m,0,0 x 40",
    "f,1,1 x 20",
    "f,1,0 x 20",
    "f,0,0 x 60",
)
"""Labels favor nobody, 0.4 each; predictions favor m by 0.6 - 0.2."""
RATES: dict[str, Any] = {"DPPL": None, "DPL": None}


def added(folder: Path, rows: str, **parts: Any) -> ModelBiasRecord | None:
    """Return what the model adds in the first comparison."""
    result = audited(folder, rows, **{"columns": BOTH, "metrics": RATES, **parts})
    return comparisons(result)[0].model_bias


def test_difference_has_an_interval(tmp_path: Path) -> None:
    """What is added is DPPL minus DPL, between the ends of an interval that holds it."""
    found = added(tmp_path, ADDED)
    assert found
    assert found.value == pytest.approx(0.4)
    low, high = found.interval.ends
    assert 0.25 < low < 0.4 < high < 0.55
    assert found.interval.confidence == 0.95
    assert found.sentence == (
        "the predictions (predicted 'prediction = 1') favor m by 40 percentage points more than "
        "the labels (have 'label = 1') do"
    )


def test_confidence_is_that_of_the_spec(tmp_path: Path) -> None:
    """The interval has the confidence that the spec asks for."""
    found = added(tmp_path, ADDED, decision={"confidence": 0.8})
    assert found
    assert found.interval.confidence == 0.8


def test_other_side_is_named(tmp_path: Path) -> None:
    """Predictions that favor the disfavored group more than the labels do say so."""
    turned = ADDED.replace("\nm", "\nx").replace("\nf", "\nm").replace("\nx", "\nf")
    found = added(tmp_path, turned)
    assert found
    assert found.sentence == (
        "the predictions (predicted 'prediction = 1') favor f by 40 percentage points more than "
        "the labels (have 'label = 1') do"
    )


STRONGER = table(
    "sex,label,prediction", "m,1,1 x 60", "m,0,0 x 40", "f,1,1 x 20", "f,1,0 x 20", "f,0,0 x 60"
)
"""m are ahead by 0.6 - 0.4 in the labels, and by 0.6 - 0.2 in the predictions."""
WEAKER = table(
    "sex,label,prediction",
    "m,1,1 x 600",
    "m,0,0 x 400",
    "f,1,1 x 400",
    "f,0,1 x 100",
    "f,0,0 x 500",
)
"""m are ahead by 0.6 - 0.4 in the labels, and by 0.6 - 0.5 in the predictions."""
LABELS, PREDICTIONS = (
    "the labels (have 'label = 1')",
    "the predictions (predicted 'prediction = 1')",
)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            STRONGER,
            (
                f"m are ahead by 20 percentage points in {LABELS} and by 40 percentage points in"
                f" {PREDICTIONS}: 20 percentage points more"
            ),
        ),
        (
            WEAKER,
            (
                f"m are ahead by 20 percentage points in {LABELS} and by 10 percentage points in"
                f" {PREDICTIONS}: 10 percentage points less"
            ),
        ),
    ],
)
def test_model_that_keeps_the_order_favors_nobody_else(
    rows: str, sentence: str, tmp_path: Path
) -> None:
    """Who is ahead in the labels and in the predictions is said to be, by how much in each."""
    found = added(tmp_path, rows)
    assert found
    assert found.sentence == sentence


def test_chance_is_named(tmp_path: Path) -> None:
    """What so few people cannot tell from chance is called so."""
    rows = table(
        "sex,label,prediction", "m,1,1 x 5", "m,0,1", "m,0,0 x 4", "f,1,1 x 5", "f,0,0 x 5"
    )
    found = added(tmp_path, rows)
    assert found
    assert found.sentence.endswith("which may be chance")


def test_nothing_is_added_by_a_model_that_is_the_label(tmp_path: Path) -> None:
    """Predictions that are the labels add nothing."""
    rows = table("sex,label,prediction", "m,1,1 x 40", "m,0,0 x 60", "f,1,1 x 40", "f,0,0 x 60")
    found = added(tmp_path, rows)
    assert found
    assert found.value == 0
    assert found.interval.ends[0] < 0 < found.interval.ends[1]
    assert found.sentence == (
        "the predictions (predicted 'prediction = 1') differ between the groups just as "
        "the labels (have 'label = 1') do"
    )


@pytest.mark.parametrize("metrics", [{"DPPL": None}, {"DPL": None}, {"RD": None}])
def test_both_rates_have_to_be_asked_for(metrics: dict[str, Any], tmp_path: Path) -> None:
    """Where not both differences are computed, there is nothing to subtract."""
    assert added(tmp_path, ADDED, metrics=metrics) is None


def test_it_stands_for_every_comparison(tmp_path: Path) -> None:
    """Each comparison has its own."""
    rows = ADDED + "x,1,1\nx,0,0\n"
    result = audited(tmp_path, rows, columns=BOTH, metrics=RATES)
    assert [c.model_bias is not None for c in comparisons(result)] == [True, True]
