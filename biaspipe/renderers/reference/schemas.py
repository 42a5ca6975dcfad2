"""The JSON Schemas of the audit spec and of the report, generated from their models.

The schema of the spec is read by editors: what they insert and explain is made from titles,
defaults and descriptions, so that these are those of a spec and not those of a Python class.
"""

import json
from collections.abc import Iterator
from typing import Any

from biaspipe.metrics import ALIASES, FAMILIES, METRICS, Metric, Parameter
from biaspipe.policy import Policy
from biaspipe.renderers.reference.metric_facts import default_text, elsewhere, end_text
from biaspipe.report import Report
from biaspipe.spec import Audit
from biaspipe.spec.checks import METRIC_PARAMETERS

__all__ = ["SCHEMAS", "audit_schema", "schema_text"]

Schema = dict[str, Any]

BASE = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS = {name: f"{name}-v1.schema.json" for name in ("audit", "report", "policy")}
NULL = {"type": "null"}
OBJECT = {"type": "object"}


def schema_text(which: str) -> str:
    """Return a JSON Schema as text.

    Parameters
    ----------
    which : "audit", "report" or "policy".
    """
    if which == "audit":
        schema = audit_schema()
    elif which == "policy":
        schema = _for_editors(Policy.model_json_schema())
    else:
        schema = Report.model_json_schema(mode="serialization")
    named = {"$schema": BASE, "title": f"biaspipe {which}, version 1"}
    return json.dumps({**schema, **named}, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def audit_schema(model: type[Audit] = Audit) -> Schema:
    """Return the schema of the spec as an editor can best use it."""
    schema: Schema = _for_editors(model.model_json_schema())
    definitions = schema["$defs"]
    checks = definitions["Check"]["properties"]
    definitions["Metrics"] = {
        "additionalProperties": False,
        "properties": {name: _entry(name, checks) for name in (*FAMILIES, *METRICS, *ALIASES)},
        "type": ["object", "null"],
    }
    for place in (schema["properties"], definitions["Facet"]["properties"]):
        about = _only(place["metrics"], "title", "description")
        place["metrics"] = {"$ref": "#/$defs/Metrics", **about}
    definitions["Impact"] = _inserting_nothing(definitions["Impact"])
    del definitions["Check"]
    return schema


def _inserting_nothing(schema: Schema) -> Schema:
    """Return the schema of a mapping of whose keys an editor inserts none by itself.

    It would write those that are required, and defaults, in lines, which braces do not hold.
    """
    keys = {
        name: {key: part for key, part in about.items() if key != "default"}
        for name, about in schema["properties"].items()
    }
    rest = {key: part for key, part in schema.items() if key != "required"}
    return {**rest, "properties": keys, "allOf": [{"required": schema["required"]}]}


def _only(schema: Schema, *keys: str) -> Schema:
    return {key: schema[key] for key in keys if key in schema}


KEYWORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
}
"""What JSON Schema calls the bounds that pydantic leaves in its own words."""


def _for_editors(node: Any) -> Any:
    """Rewrite a schema, its parts first."""
    if isinstance(node, list):
        return [_for_editors(part) for part in node]
    if not isinstance(node, dict):
        return node
    node = {key: _for_editors(part) for key, part in node.items()}
    if isinstance(node.get("properties"), dict):
        node["properties"] = {k: _titled(k, p) for k, p in node["properties"].items()}
    if isinstance(node.get("description"), str):
        node["description"] = node["description"].split("\n\n", 1)[0].replace("\n", " ")
    if "oneOf" in node:
        node["anyOf"] = node.pop("oneOf")
    for key, known in KEYWORDS.items():
        if key in node:
            node[known] = node.pop(key)
    return _without_null(node)


def _titled(key: str, schema: Schema) -> Schema:
    """Name a property as the key is written, and offer no default that nobody would write."""
    useless = schema.get("default") in (None, [], {}) or isinstance(schema.get("default"), dict)
    kept = {k: part for k, part in schema.items() if k != "default" or not useless}
    return {**kept, "title": key}


def _without_null(node: Schema) -> Schema:
    """Leave out the null that stands for a key that is left out."""
    branches = node.get("anyOf")
    if not branches or NULL not in branches:
        return node
    rest = [branch for branch in branches if branch != NULL]
    others = {key: part for key, part in node.items() if key != "anyOf"}
    return {**rest[0], **others} if len(rest) == 1 else {**others, "anyOf": rest}


def _entry(name: str, checks: Schema) -> Schema:
    """Return the schema of one metric, alias or family, with the keys that it takes."""
    if name in FAMILIES:
        about = f"Every metric of the family, reported: {', '.join(m.id for m in FAMILIES[name])}."
        return _object(name, about, _only(checks, "facets"))
    metric = METRICS[ALIASES.get(name, name)]
    also = f"Another name of {metric.id}. " if name in ALIASES else ""
    parts = [f"{also}{metric.name}: {_ended(metric.plainly)}"]
    parts += [f"Good for: {_ended(metric.good_for)}"] if metric.good_for else []
    parts += [f"In {tool}: {names}." for tool, names in elsewhere(metric)]
    parts += [f"{_formula(metric)}.", f"Undefined: {_ended(metric.undefined)}"]
    schema = _object(name, " ".join(parts), _keys(metric, checks))
    parts[-2] = f"`{metric.formula}`{_formula(metric).removeprefix(metric.formula)}."
    parts.append(f"More: `biaspipe explain {metric.id}`")
    markdown = {"markdownDescription": "\n\n".join(parts)}
    unwritten = {"not": OBJECT, "defaultSnippets": list(_snippets(metric))}
    return {**schema, **markdown, "oneOf": [OBJECT, unwritten]}


def _ended(words: str) -> str:
    return f"{words.rstrip('.')}."


def _formula(metric: Metric) -> str:
    """Write what a metric computes, and the values that it can have."""
    low, high = map(end_text, metric.range)
    return f"{metric.formula}, from {low} to {high}, at parity {metric.ideal:g}"


def _snippets(metric: Metric) -> Iterator[Schema]:
    """Yield limits that an editor inserts, to be changed.

    It writes them in lines of their own, which braces do not hold: they are offered where nothing
    is written yet.
    """
    fails, warns = metric.example, {"min": 0.9} if metric.is_ratio else {"max_abs": 0.05}
    words = "Fails beyond these limits, which are examples"
    body = {key: f"^${{{i}:{bound}}}" for i, (key, bound) in enumerate(fails.items(), start=1)}
    yield {"label": "limits that fail", "description": f"{words}.", "body": body}
    both = {**fails, "warn": warns}
    yield {"label": "limits that fail, and that warn", "description": f"{words}.", "body": both}


def _object(name: str, about: str, properties: Schema) -> Schema:
    return {
        "title": name,
        "description": about,
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": properties,
    }


def _keys(metric: Metric, checks: Schema) -> Schema:
    left_out = METRIC_PARAMETERS - set(metric.parameters)
    left_out |= {"max_abs"} if metric.is_ratio else set()
    left_out |= set() if metric.has_facet else {"facets"}
    left_out |= set() if metric.is_selection_ratio else {"impact"}
    keys = {key: part for key, part in checks.items() if key not in left_out}
    for key, parameter in metric.parameters.items():
        about = f"{_ended(keys[key]['description'])} It is {parameter.possible}"
        about += "" if parameter.default is None else f"; {default_text(parameter)} if left out"
        keys[key] = {**keys[key], **_values(parameter), "description": f"{about}."}
    for key, bound in metric.example.items():
        keys[key] = {**keys[key], "examples": [bound]}
    optional = {key: part for key, part in keys["optional"].items() if key != "default"}
    return {**keys, "optional": optional}  # an editor would insert the default with the metric


def _values(parameter: Parameter) -> Schema:
    if parameter.choices:
        return {"enum": list(parameter.choices), "default": parameter.default}
    bounds = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    kind = "integer" if parameter.whole else "number"
    known = {key: bound for key, bound in bounds.items() if bound is not None}
    default = {} if parameter.default is None else {"default": parameter.default}
    return {"type": kind, **default, **known}
