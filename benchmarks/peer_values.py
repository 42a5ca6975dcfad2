"""Answer what fairlearn, AIF360 or Aequitas computes of small frames, where that is installed.

    python benchmarks/peer_values.py fairlearn CASES.jsonl ANSWERS.jsonl

A case has the columns group, label, prediction and n (people that a row stands for), the reference
group and the names to compute. An answer has for each name a value by group; of all groups
together it stands under the empty name. What a tool does not have or refuses is an error in words.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

Case = dict[str, Any]
Answer = dict[str, Any]
FRAME = "MetricFrame(metrics=precision_score)."
MEAN = '(agg="mean")'
OF_LABELS = ("kl_divergence", "class_imbalance")
"""What is computed of labels alone."""


def frame_of(case: Case) -> pd.DataFrame:
    """Return the rows of a case."""
    return pd.DataFrame({key: case[key] for key in ("group", "label", "prediction", "n")})


def value_of(compute: Callable[[], Any]) -> float | str:
    """Return a number, or the error that a tool gives instead."""
    try:
        return float(compute())
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
        return f"{type(error).__name__}: {error}"[:200]


def fairlearn(case: Case) -> Answer:
    """Return what fairlearn computes of all groups."""
    frame, own = frame_of(case), import_module("fairlearn.metrics")
    rows = {
        "y_true": frame["label"],
        "y_pred": frame["prediction"],
        "sensitive_features": frame["group"],
    }
    weight = {"sample_weight": frame["n"]}

    def compute(name: str) -> Any:
        if name.startswith(FRAME):
            metrics = import_module("sklearn.metrics").precision_score
            made = own.MetricFrame(metrics=metrics, **rows, sample_params=weight)
            return getattr(made, name.removeprefix(FRAME).removesuffix("()"))()
        agg = {"agg": "mean"} if name.endswith(MEAN) else {}
        return getattr(own, name.removesuffix(MEAN))(**rows, **weight, **agg)

    return {name: {"": value_of(lambda n=name: compute(n))} for name in case["names"]}


def aif360(case: Case) -> Answer:
    """Return what AIF360 computes of each group against the reference, by either of its ways."""
    frame, reference = frame_of(case), case["reference"]
    groups = sorted(set(frame["group"]))
    codes = {group: float(code) for code, group in enumerate(groups)}
    classes, metrics = import_module("aif360.datasets"), import_module("aif360.metrics")
    observed = classes.BinaryLabelDataset(
        df=frame.assign(group=frame["group"].map(codes)),
        label_names=["label"],
        protected_attribute_names=["group"],
        instance_weights_name="n",
    )
    predicted = observed.copy()
    predicted.labels = frame[["prediction"]].to_numpy(dtype="float64")
    answer: Answer = {name: {} for name in case["names"]}
    for group in groups:
        if group == reference:
            continue
        sides = {
            "privileged_groups": [{"group": codes[reference]}],
            "unprivileged_groups": [{"group": codes[group]}],
        }
        made = metrics.ClassificationMetric(observed, predicted, **sides)
        labels = metrics.BinaryLabelDatasetMetric(predicted, **sides)
        known = {"mean_difference": labels.mean_difference}
        for name in case["names"]:
            compute = known.get(name) or getattr(made, name, None)
            compute = compute or _of_columns(name, frame, reference, group)
            answer[name][group] = value_of(compute)
    return answer


def _of_columns(name: str, frame: pd.DataFrame, reference: str, group: str) -> Callable[[], Any]:
    """Return what computes a metric as AIF360 does in the way of scikit-learn."""
    compute = getattr(import_module("aif360.sklearn.metrics"), name)
    if "entropy" in name:
        of_all = frame.set_index("group")
        return lambda: compute(of_all["label"], of_all["prediction"])
    pair = frame[frame["group"].isin((reference, group))].set_index("group")
    told = [pair["label"]] if name in OF_LABELS else [pair["label"], pair["prediction"]]
    options = {"prot_attr": "group", "priv_group": reference, "sample_weight": pair["n"].to_numpy()}
    return lambda: compute(*told, **options)


def aequitas(case: Case) -> Answer:
    """Return what Aequitas computes of each group for each unit of the reference."""
    frame, reference = frame_of(case), case["reference"]
    rows = frame.loc[frame.index.repeat(frame["n"])].reset_index(drop=True)
    rows = rows.rename(columns={"prediction": "score", "label": "label_value"})
    rows = rows[["group", "label_value", "score"]]
    counted, _ = import_module("aequitas.group").Group().get_crosstabs(rows, attr_cols=["group"])
    bias = import_module("aequitas.bias").Bias
    made = bias(input_group_metrics=[*bias.all_group_metrics, "accuracy"])
    table = made.get_disparity_predefined_groups(
        counted, original_df=rows, ref_groups_dict={"group": reference}
    ).set_index("attribute_value")
    others = [group for group in table.index if group != reference]
    return {
        name: {group: value_of(lambda n=name, g=group: table.loc[g, n]) for group in others}
        for name in case["names"]
    }


def main() -> None:
    """Answer every case."""
    tool, cases, answers = sys.argv[1:]
    answer = {"fairlearn": fairlearn, "aif360": aif360, "aequitas": aequitas}[tool]
    with Path(answers).open("w", encoding="utf-8") as file:
        for line in Path(cases).read_text(encoding="utf-8").splitlines():
            file.write(json.dumps(answer(json.loads(line))) + "\n")


if __name__ == "__main__":
    main()
