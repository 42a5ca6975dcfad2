"""The keys of Clarify that no audit has a use for, each with what to do instead."""

from collections.abc import Iterator
from typing import Any

from biaspipe.migration.drafts import Note

__all__ = ["METHODS", "unconverted"]

KEYS = {
    "predictor": "no endpoint is called here; write its predictions as a column of the data and"
    " name it with predicted_label, or as a file with predicted_label_dataset_uri",
    "time_series_data_config": "time series are not audited; audit a table with a row for each"
    " forecast, its facet, outcome and prediction",
}
METHODS = {
    "shap": "explains predictions, which is no bias metric; use the shap package on the model",
    "pdp": "explains predictions, which is no bias metric; use scikit-learn's"
    " PartialDependenceDisplay",
    "asymmetric_shapley_value": "explains forecasts, which is no bias metric",
}
REPORT = "the report has its own title and name; run -o report.json writes it"


def unconverted(values: dict[str, Any]) -> Iterator[Note]:
    """Yield a note for each key that is left behind."""
    for key, words in KEYS.items():
        if key in values:
            yield Note((key,), words)
    for key, words in METHODS.items():
        if key in values.get("methods", {}):
            yield Note(("methods", key), words)
    if "report" in values.get("methods", {}):
        yield Note(("methods", "report"), REPORT)
