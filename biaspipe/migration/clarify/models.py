"""SageMaker Clarify's analysis_config.json, version "1.0", key by key; others are rejected."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema

from biaspipe.migration.validation import ConfigModel

__all__ = ["BiasMethods", "ClarifyConfig", "JsonNumber", "Methods", "SegmentConfig", "lower_case"]


def lower_case(value: Any) -> Any:
    """Return a word in small letters, since Clarify and Vertex AI take it in any."""
    return value.lower() if isinstance(value, str) else value


NameOrIndex = Annotated[str | int, WithJsonSchema({"description": "a column's name or index"})]
TextOrNumber = Annotated[str | int | float, WithJsonSchema({"description": "a text or a number"})]
JsonNumber = Annotated[int | float, WithJsonSchema({"description": "a number"})]
SegmentValue = Annotated[str | int, WithJsonSchema({"description": "a text or a whole number"})]
All = Annotated[Literal["all"], BeforeValidator(lower_case)]
DatasetType = Annotated[
    Literal[
        "text/csv",
        "application/jsonlines",
        "application/json",
        "application/x-parquet",
        "application/sagemakercapturejson",
        "application/x-image",
    ],
    BeforeValidator(lower_case),
]


class FacetConfig(ConfigModel):
    """A column of groups, with the values or the threshold of the disfavored one."""

    name_or_index: NameOrIndex | None
    value_or_threshold: list[TextOrNumber] | None = None


class SegmentConfig(ConfigModel):
    """A column whose values divide the rows into parts that are audited by themselves."""

    config_name: str | None = None
    name_or_index: NameOrIndex | None
    segments: list[list[SegmentValue]] | None
    display_aliases: list[str] | None = None


class BiasMethods(ConfigModel):
    """The metrics before or after training."""

    methods: All | list[str] | None


class ReportTitle(ConfigModel):
    """What Clarify's report is called."""

    name: str | None
    title: str | None = None


class Methods(ConfigModel):
    """What is to be computed; only the bias metrics are converted."""

    pre_training_bias: BiasMethods | None = None
    post_training_bias: BiasMethods | None = None
    shap: Any = None
    pdp: Any = None
    asymmetric_shapley_value: Any = None
    report: ReportTitle | None = None


class Predictor(ConfigModel):
    """The model that Clarify asks for predictions; nothing of it is converted."""

    endpoint_name: Any = None
    endpoint_name_prefix: Any = None
    model_name: Any = None
    target_model: Any = None
    instance_type: Any = None
    initial_instance_count: Any = None
    accelerator_type: Any = None
    content_type: Any = None
    accept_type: Any = None
    label: Any = None
    probability: Any = None
    label_headers: Any = None
    content_template: Any = None
    record_template: Any = None
    custom_attributes: Any = None
    time_series_predictor_config: Any = None


class ClarifyConfig(ConfigModel):
    """A whole configuration."""

    version: str | None = None
    dataset_type: DatasetType | None
    dataset_uri: str | None = None
    headers: list[str] | None = None
    label: NameOrIndex | None = None
    predicted_label: NameOrIndex | None = None
    features: str | None = None
    label_values_or_threshold: list[TextOrNumber] | None = None
    probability_threshold: JsonNumber | None = None
    facet: list[FacetConfig] | None = None
    facet_dataset_uri: str | None = None
    facet_headers: list[str] | None = None
    predicted_label_dataset_uri: str | None = None
    predicted_label_headers: list[str] | None = None
    joinsource_name_or_index: NameOrIndex | None = None
    excluded_columns: list[NameOrIndex] | None = None
    group_variable: NameOrIndex | None = None
    segment_config: list[SegmentConfig] | None = None
    methods: Methods | None
    predictor: Predictor | None = None
    time_series_data_config: Any = None
