"""The JSON Schema of the spec as an editor uses it: what it offers, inserts and explains."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from biaspipe.renderers.schemas import schema_text

SCHEMA: dict[str, Any] = json.loads(schema_text("audit"))
METRICS = SCHEMA["$defs"]["Metrics"]["properties"]
BASE = {"version": 1, "name": "x", "data": {"path": "a.csv"}, "facets": {"s": {"column": "s"}}}


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Return every mapping in a schema."""
    if isinstance(node, dict):
        yield node
        for part in node.values():
            yield from parts(part)
    elif isinstance(node, list):
        for part in node:
            yield from parts(part)


def test_null_is_never_offered() -> None:
    """No key offers null, which the spec refuses; only a metric may stand alone."""
    assert [part for part in parts(SCHEMA) if part.get("type") == "null"] == []


def test_properties_are_titled_as_they_are_written() -> None:
    """What an editor shows above an explanation is the key itself."""
    wrong = [
        key
        for part in parts(SCHEMA)
        if isinstance(part.get("properties"), dict)
        for key, inner in part["properties"].items()
        if inner.get("title") != key
    ]
    assert wrong == []


def test_every_key_is_explained() -> None:
    """Every key of the spec has a description."""
    bare = [
        key
        for part in parts(SCHEMA)
        if isinstance(part.get("properties"), dict)
        for key, inner in part["properties"].items()
        if not inner.get("description")
    ]
    assert bare == []


def test_metric_takes_its_own_keys() -> None:
    """A ratio offers no max_abs, FT its two parameters, a family nothing but facets."""
    assert sorted(METRICS["DI"]["properties"]) == ["facets", "max", "min", "warn"]
    assert METRICS["FT"]["properties"]["scaling"]["enum"] == ["standard", "range", "none"]
    assert METRICS["FT"]["properties"]["k"]["minimum"] == 1
    assert "facets" not in METRICS["GE"]["properties"]
    assert list(METRICS["all"]["properties"]) == ["facets"]


@pytest.mark.parametrize(
    "metrics",
    [
        None,
        {"DPPL": None},
        {"DI": {"min": 0.8, "warn": {"min": 0.9}}},
        {"all": {}},
        {"LP": {"p": 1}},
    ],
)
def test_valid_metrics_are_valid(metrics: Any) -> None:
    """What the spec accepts, the editor accepts."""
    assert list(Draft202012Validator(SCHEMA).iter_errors({**BASE, "metrics": metrics})) == []


@pytest.mark.parametrize(
    "metrics",
    [
        {"DI": {"max_abs": 1}},
        {"DPPLL": {}},
        {"FT": {"k": 0}},
        {"all": {"min": 1}},
        {"DI": {"mni": 1}},
    ],
)
def test_wrong_metrics_are_underlined(metrics: Any) -> None:
    """What the spec refuses, the editor underlines."""
    assert not Draft202012Validator(SCHEMA).is_valid({**BASE, "metrics": metrics})
