"""The JSON Schema of the spec as an editor uses it: what it offers, inserts and explains."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from biaspipe.metrics import ALIASES, METRICS
from biaspipe.renderers.reference.schemas import schema_text

SCHEMA: dict[str, Any] = json.loads(schema_text("audit"))
VALIDATOR = Draft202012Validator(SCHEMA)
CHECKS = SCHEMA["$defs"]["Metrics"]["properties"]
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
    """A ratio offers no max_abs, DI alone impact, FT its two parameters, a family facets alone."""
    keys = ["facets", "impact", "max", "min", "optional", "warn"]
    assert sorted(CHECKS["DI"]["properties"]) == keys
    assert "impact" not in CHECKS["TPRR"]["properties"]
    assert CHECKS["FT"]["properties"]["scaling"]["enum"] == ["standard", "range", "none"]
    assert CHECKS["FT"]["properties"]["k"]["minimum"] == 1
    assert "facets" not in CHECKS["GE"]["properties"]
    assert list(CHECKS["all"]["properties"]) == ["facets"]


@pytest.mark.parametrize(
    "metrics",
    [
        None,
        {"DPPL": None},
        {"DI": {"min": 0.8, "warn": {"min": 0.9}}},
        {"DI": {"impact": {"min_ratio": "4/5", "significance": 0.05, "flip": True}}},
        {"DI": {"impact": {"min_ratio": 0.8}}},
        {"all": {}},
        {"LP": {"p": 1}},
    ],
)
def test_valid_metrics_are_valid(metrics: Any) -> None:
    """What the spec accepts, the editor accepts."""
    assert list(VALIDATOR.iter_errors({**BASE, "metrics": metrics})) == []


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
    assert not VALIDATOR.is_valid({**BASE, "metrics": metrics})


WAIVER = {"metric": "DI", "reason": "Known", "approved_by": "Ada", "expires": "2027-03-31"}
GOVERNANCE: list[dict[str, Any]] = [
    {"decision": {}},
    {"decision": {"confidence": 0.9, "min_rows": 0, "decide_by": "inside"}},
    {"decision": {"undecided": "warn", "correction": "benjamini-hochberg"}},
    {"waivers": []},
    {"waivers": [WAIVER, {**WAIVER, "facet": "sex", "disfavored": 0, "bound": {"min": 0.6}}]},
    {"baseline": {"report": "v1.json", "max_worsening": 0.02}},
    {"columns": {"weight": "n"}},
    {"columns": {"weight": {"column": "n", "kind": "sampling"}}},
]
UNGOVERNED: list[dict[str, Any]] = [
    {"decision": {"confidence": 95}},
    {"decision": {"confidence": 0.5}},
    {"decision": {"min_rows": -1}},
    {"decision": {"min_rows": 3.5}},
    {"decision": {"decide_by": "interval"}},
    {"decision": {"decideby": "inside"}},
    {"waivers": WAIVER},
    {"waivers": [{**WAIVER, "metric": "DPLL"}]},
    {"waivers": [{**WAIVER, "reason": " "}]},
    {"waivers": [{**WAIVER, "expires": "soon"}]},
    {"waivers": [{**WAIVER, "expires": 20270331}]},
    {"waivers": [{**WAIVER, "bound": {}}]},
    {"waivers": [{**WAIVER, "bound": {"warn": {"min": 0.9}}}]},
    {"waivers": [{key: part for key, part in WAIVER.items() if key != "metric"}]},
    {"waivers": [{key: part for key, part in WAIVER.items() if key != "expires"}]},
    {"baseline": {"max_worsening": 0.02}},
    {"baseline": {"report": "v1.json", "max_worsening": -1}},
    {"columns": {"weight": {"kind": "sampling"}}},
    {"columns": {"weight": {"column": "n", "kind": "sample"}}},
]


@pytest.mark.parametrize("parts", GOVERNANCE)
def test_valid_governance_is_valid(parts: dict[str, Any]) -> None:
    """What the spec accepts of decision, waivers, baseline and weights, the editor accepts."""
    assert list(VALIDATOR.iter_errors({**BASE, **parts})) == []


@pytest.mark.parametrize("parts", UNGOVERNED)
def test_wrong_governance_is_underlined(parts: dict[str, Any]) -> None:
    """What the spec refuses of decision, waivers, baseline and weights, the editor underlines."""
    assert not VALIDATOR.is_valid({**BASE, **parts})


def test_governance_is_offered() -> None:
    """An editor offers the metrics of a waiver, knows a day, and inserts the defaults."""
    waiver = SCHEMA["$defs"]["Waiver"]["properties"]
    decision = SCHEMA["$defs"]["Decision"]["properties"]
    assert waiver["metric"]["enum"] == [*METRICS, *ALIASES]
    assert waiver["expires"]["format"] == "date"
    assert {key: part["default"] for key, part in decision.items() if "default" in part} == {
        "confidence": 0.95,
        "decide_by": "value",
        "min_rows": 30,
        "undecided": "fail",
        "correction": "none",
    }


def without_snippets(part: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping without what an editor inserts, which is no schema."""
    return {key: inner for key, inner in part.items() if key != "defaultSnippets"}


def test_every_keyword_is_one() -> None:
    """No part has a keyword that neither JSON Schema nor the YAML language server knows."""
    known = {
        *("markdownDescription", "examples"),
        *("$defs", "$ref", "$schema", "additionalProperties", "allOf", "anyOf", "const"),
        *("default", "description", "enum", "exclusiveMaximum", "exclusiveMinimum"),
        *("format", "items"),
        *("maximum", "minItems", "minLength", "minProperties", "minimum", "pattern"),
        *("not", "oneOf", "properties", "propertyNames", "required", "title", "type"),
    }
    bare = json.loads(json.dumps(SCHEMA), object_hook=without_snippets)
    named = [part[key] for part in parts(bare) for key in ("properties", "$defs") if key in part]
    found = {key for part in parts(bare) if part not in named for key in part}
    assert found - known == set()


def test_every_metric_is_explained_plainly() -> None:
    """A metric's words begin with its name and sentence for everybody, and end with a command."""
    for name, schema in CHECKS.items():
        if name in METRICS:
            metric = METRICS[name]
            begins = f"{metric.name}: {metric.plainly.rstrip('.')}."
            assert schema["description"].startswith(begins)
            assert schema["markdownDescription"].startswith(begins)
            assert schema["markdownDescription"].endswith(f"`biaspipe explain {name}`")


def test_offered_limits_are_valid() -> None:
    """The limits that an editor inserts are limits of the metric, once their places are filled."""
    for name, schema in CHECKS.items():
        branches = schema.get("oneOf", ())
        snippets = [each for branch in branches for each in branch.get("defaultSnippets", ())]
        assert len(snippets) == (2 if branches else 0)
        for snippet in snippets:
            text = json.dumps(snippet["body"])
            filled = re.sub(r'"\^\$\{\d:([\d.]+)\}"', r"\1", text)
            assert VALIDATOR.is_valid({**BASE, "metrics": {name: json.loads(filled)}}), snippet


def test_inserted_metric_brings_no_default() -> None:
    """No key of a metric has a default that editors would insert, but for its parameters."""
    keys = {
        key
        for name in METRICS
        for key, part in CHECKS[name]["properties"].items()
        if "default" in part
    }
    assert keys == {"alpha", "k", "p", "scaling"}
