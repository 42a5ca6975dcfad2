"""SageMaker Clarify's analysis_config.json, version "1.0", key by key; others are rejected."""

from biaspipe.migration.shapes import (
    ANY,
    NUMBER,
    TEXT,
    Either,
    Items,
    Keys,
    Scalar,
    Shape,
)

__all__ = ["ANALYSIS", "DATASET_TYPES", "UNREAD"]

DATASET_TYPES: dict[str, str | None] = {
    "text/csv": "csv",
    "application/jsonlines": "jsonl",
    "application/json": "json",
    "application/x-parquet": "parquet",
    "application/sagemakercapturejson": None,
    "application/x-image": None,
}
"""Clarify's data sets, and the format that each is read in; None where it is not read."""

UNREAD = {
    "application/sagemakercapturejson": "captured requests are not read; merge them with their"
    " labels into a table, and name that with --data PATH",
    "application/x-image": "images have no facets to compare; write a table with a row for each,"
    " its facet, label and prediction, and name that with --data PATH",
}
"""Why, and what to do."""

COLUMN: Shape = Scalar("a column's name or index", (str, int))
VALUE: Shape = Scalar("a text or a number", (str, int, float))

METHODS = Keys({"methods": Either((Scalar('"all"', (str,), ("all",)), Items(TEXT)))}, ("methods",))

PREDICTOR = dict.fromkeys(
    (
        "endpoint_name",
        "endpoint_name_prefix",
        "model_name",
        "target_model",
        "instance_type",
        "initial_instance_count",
        "accelerator_type",
        "content_type",
        "accept_type",
        "label",
        "probability",
        "label_headers",
        "content_template",
        "record_template",
        "custom_attributes",
        "time_series_predictor_config",
    ),
    ANY,
)

ANALYSIS = Keys(
    {
        "version": TEXT,
        "dataset_type": Scalar("a text", (str,), tuple(DATASET_TYPES)),
        "dataset_uri": TEXT,
        "headers": Items(TEXT),
        "label": COLUMN,
        "predicted_label": COLUMN,
        "features": TEXT,
        "label_values_or_threshold": Items(VALUE),
        "probability_threshold": NUMBER,
        "facet": Items(
            Keys(
                {"name_or_index": COLUMN, "value_or_threshold": Items(VALUE)},
                ("name_or_index",),
            )
        ),
        "facet_dataset_uri": TEXT,
        "facet_headers": Items(TEXT),
        "predicted_label_dataset_uri": TEXT,
        "predicted_label_headers": Items(TEXT),
        "joinsource_name_or_index": COLUMN,
        "excluded_columns": Items(COLUMN),
        "group_variable": COLUMN,
        "segment_config": Items(
            Keys(
                {
                    "config_name": TEXT,
                    "name_or_index": COLUMN,
                    "segments": Items(Items(Scalar("a text or a whole number", (str, int)))),
                    "display_aliases": Items(TEXT),
                },
                ("name_or_index", "segments"),
            )
        ),
        "methods": Keys(
            {
                "pre_training_bias": METHODS,
                "post_training_bias": METHODS,
                "shap": ANY,
                "pdp": ANY,
                "asymmetric_shapley_value": ANY,
                "report": Keys({"name": TEXT, "title": TEXT}, ("name",)),
            }
        ),
        "predictor": Keys(PREDICTOR),
        "time_series_data_config": ANY,
    },
    ("dataset_type", "methods"),
)
