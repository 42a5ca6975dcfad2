"""Audit a Parquet file with fairlearn, AIF360 or Aequitas, in an environment that has it.

    python benchmarks/peers.py fairlearn FILE.parquet
    python benchmarks/peers.py aif360 FILE.parquet
    python benchmarks/peers.py aequitas FILE.parquet

Each in the way that its own documentation shows, from the file to its printed result.
Columns that an audit does not need are not read.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

FAVORED = {"sex": "men", "race": "White", "age": "middle"}
MEASURES = [
    "accuracy",
    "average_abs_odds_difference",
    "average_odds_difference",
    "average_predictive_value_difference",
    "base_rate",
    "disparate_impact",
    "equal_opportunity_difference",
    "equalized_odds_difference",
    "error_rate_difference",
    "error_rate_ratio",
    "false_discovery_rate_difference",
    "false_discovery_rate_ratio",
    "false_negative_rate_difference",
    "false_negative_rate_ratio",
    "false_omission_rate_difference",
    "false_omission_rate_ratio",
    "false_positive_rate_difference",
    "false_positive_rate_ratio",
    "generalized_entropy_index",
    "statistical_parity_difference",
]


def read(path: Path) -> pd.DataFrame:
    """Read facets, and label and prediction as 0 and 1."""
    frame = pd.read_parquet(path, columns=[*FAVORED, "label", "score"])
    frame["label"] = (frame["label"] == "yes").astype("int8")
    frame["score"] = (frame["score"] > 0.5).astype("int8")
    return frame


def fairlearn(frame: pd.DataFrame) -> Any:
    """Return 7 metrics of every group, with the differences and ratios between groups."""
    own, sklearn = import_module("fairlearn.metrics"), import_module("sklearn.metrics")
    metrics = {
        "accuracy": sklearn.accuracy_score,
        "precision": sklearn.precision_score,
        "TPR": own.true_positive_rate,
        "FPR": own.false_positive_rate,
        "FNR": own.false_negative_rate,
        "selection rate": own.selection_rate,
        "count": own.count,
    }
    found = []
    for facet in FAVORED:
        made = own.MetricFrame(
            metrics=metrics,
            y_true=frame["label"],
            y_pred=frame["score"],
            sensitive_features=frame[facet],
        )
        found += [made.overall, made.by_group, made.difference(), made.ratio()]
    return found


def aif360(frame: pd.DataFrame) -> Any:
    """Return 20 metrics of the favored group against all others, for every facet."""
    datasets, metrics = import_module("aif360.datasets"), import_module("aif360.metrics")
    coded = pd.DataFrame({facet: frame[facet] == value for facet, value in FAVORED.items()})
    observed = datasets.BinaryLabelDataset(
        df=coded.assign(label=frame["label"]),
        label_names=["label"],
        protected_attribute_names=list(FAVORED),
    )
    predicted = observed.copy()
    predicted.labels = frame[["score"]].to_numpy(dtype="float64")
    found = []
    for facet in FAVORED:
        groups = {"privileged_groups": [{facet: 1}], "unprivileged_groups": [{facet: 0}]}
        metric = metrics.ClassificationMetric(observed, predicted, **groups)
        found.append({name: getattr(metric, name)() for name in MEASURES})
    return found


def aequitas(frame: pd.DataFrame) -> Any:
    """Return the metrics of every group, and its disparities to the favored group."""
    audit = import_module("aequitas").Audit(
        frame, sensitive_attribute_column=list(FAVORED), reference_groups=FAVORED
    )
    audit.audit()
    return [audit.metrics, audit.disparities]


def main() -> None:
    """Audit one file."""
    tool, file = sys.argv[1:]
    audits = {"fairlearn": fairlearn, "aif360": aif360, "aequitas": aequitas}
    print(*audits[tool](read(Path(file))), sep="\n")


if __name__ == "__main__":
    main()
