"""Run smclarify's bias_report on a CSV or Parquet file, in an environment that has smclarify.

    python benchmarks/bias_report.py CASES.jsonl ANSWERS.jsonl

Every line of CASES is an audit: data, label, prediction, facets, group, and what to leave out.
Every line of ANSWERS is an `analysis.json`, or for a section that smclarify refuses the reason.
"""

import json
import logging
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from smclarify.bias import report
from smclarify.bias.report import FacetColumn, LabelColumn, StageType

logging.disable(logging.CRITICAL)

STAGES = {
    "post_training_bias_metrics": StageType.POST_TRAINING,
    "pre_training_bias_metrics": StageType.PRE_TRAINING,
}


def read(path: Path) -> pd.DataFrame:
    """Read a file as Clarify does."""
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)


def scored(frame: pd.DataFrame, case: dict[str, Any]) -> pd.Series:
    """Return the predictions: of scores 1 above the threshold and else 0, or the label's values."""
    score, label = frame[case["prediction"]], frame[case["label"]]
    if case.get("probability_threshold") is None:
        return score
    above = score > case["probability_threshold"]
    if all(isinstance(value, bool) for value in label.dropna()):
        return above
    if label.dtype != object:
        return above.astype(int)
    yes = case["label_values"][0]
    others = [v for v in frame[case["label"]].dropna().unique() if v not in case["label_values"]]
    no = others[0] if others else (False if yes is True else "none")
    return pd.Series(np.where(above, yes, no))


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Return what smclarify makes of a case."""
    frame = read(Path(case["data"]))
    values: dict[str, Any] = {"version": "1.0"}
    for section, stage in STAGES.items():
        if case.get("prediction") or stage is StageType.PRE_TRAINING:
            try:
                values[section] = _section(case, frame, stage)
            except Exception as error:  # noqa: BLE001 - what it refuses is an answer too
                values[section] = {"error": f"{type(error).__name__}: {error}"}
    return values


def _section(case: dict[str, Any], frame: pd.DataFrame, stage: StageType) -> dict[str, Any]:
    values = list(case["label_values"])
    return {
        "label": case["label"],
        "facets": {f["column"]: _facet(case, frame, stage, f) for f in case["facets"]},
        "label_value_or_threshold": report.label_value_or_threshold(frame[case["label"]], values),
    }


def _facet(
    case: dict[str, Any], frame: pd.DataFrame, stage: StageType, facet: dict[str, Any]
) -> Any:
    """Return the report on one facet; where smclarify guesses that it lacks a threshold, that."""
    left_out = [c for c in case.get("exclude", []) if c != facet["column"]]
    predicted = None
    if case.get("prediction"):
        left_out.append(case["prediction"])
        predicted = LabelColumn(case["prediction"], scored(frame, case))
    try:
        return report.bias_report(
            frame.drop(columns=left_out),
            FacetColumn(facet["column"], list(facet["values"]) or None),
            LabelColumn(case["label"], frame[case["label"]], list(case["label_values"])),
            stage,
            predicted,
            case.get("metrics", {}).get(stage.value, ["all"]),
            frame[case["group"]] if case.get("group") else None,
        )
    except ValueError as error:
        if "Threshold values" in str(error):
            return {"error": str(error)}
        raise


def main() -> None:
    """Answer every case."""
    cases, answers = map(Path, sys.argv[1:])
    with answers.open("w", encoding="utf-8") as file:
        for line in cases.read_text(encoding="utf-8").splitlines():
            file.write(json.dumps(answer(json.loads(line))) + "\n")


if __name__ == "__main__":
    main()
