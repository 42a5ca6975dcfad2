"""A bias configuration of Vertex AI, key by key: the parameters of its two pipeline components."""

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema

from biaspipe.errors import Loc
from biaspipe.migration.clarify.models import JsonNumber, lower_case
from biaspipe.migration.validation import ConfigModel
from biaspipe.report.untrusted_json import parse_json

__all__ = ["BiasConfig", "VertexConfig", "in_snake_case"]

DataFormat = Annotated[Literal["jsonl", "csv", "bigquery"], BeforeValidator(lower_case)]
Slices = Annotated[
    Any,
    WithJsonSchema({"description": 'an object or a list, such as {"configs": {"sex": ...}}'}),
]


class BiasConfig(ConfigModel):
    """Slices to compare, and which labels are positive."""

    bias_slices: Slices
    labels: list[str] | None = None


class VertexConfig(ConfigModel):
    """The parameters of DetectDataBiasOp and DetectModelBiasOp, and the columns of predictions."""

    target_field_name: str | None
    bias_configs: list[BiasConfig] | None
    predictions_format: DataFormat | None = None
    predictions_gcs_source: str | None = None
    dataset_format: DataFormat | None = None
    dataset_storage_source_uris: str | list[str] | None = None
    prediction_label_column: str | None = None
    prediction_score_column: str | None = None
    thresholds: list[JsonNumber] | None = None
    predictions_bigquery_source: Any = None
    dataset: Any = None
    columns: Any = None
    project: Any = None
    location: Any = None
    encryption_spec_key_name: Any = None


def in_snake_case(values: dict[str, Any], renamed: dict[Loc, str]) -> dict[str, Any]:
    """Return a configuration with its keys in snake case and its messages unpacked.

    Parameters
    ----------
    values : the configuration.
    renamed : takes, for each path, the key that stands in the file.
    """
    found = {_snake(key, (), renamed): value for key, value in values.items()}
    configs = found.get("bias_configs")
    if isinstance(configs, list):
        at = renamed.get(("bias_configs",), "bias_configs")
        found["bias_configs"] = [_config(c, (at, i), renamed) for i, c in enumerate(configs)]
    return found


def _config(value: Any, at: Loc, renamed: dict[Loc, str]) -> Any:
    """Return one message, which may be packed into a text as MessageToJson does it."""
    if isinstance(value, str):
        try:
            value = parse_json(value.encode(errors="surrogatepass"))
        except ValueError:
            return value
    if not isinstance(value, dict):
        return value
    return {_snake(key, at, renamed): inner for key, inner in value.items()}


def _snake(key: str, at: Loc, renamed: dict[Loc, str]) -> str:
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).lower()
    if snake != key:
        renamed[(*at, snake)] = key
    return snake
