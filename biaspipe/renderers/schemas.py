"""The JSON Schemas of the audit spec and of the report, generated from their models."""

import json
from typing import Any

from biaspipe.report import Report
from biaspipe.spec import Audit

__all__ = ["SCHEMAS", "schema_text"]

BASE = "https://json-schema.org/draft/2020-12/schema"
SCHEMAS = {"audit": "audit-v1.schema.json", "report": "report-v1.schema.json"}


def schema_text(which: str) -> str:
    """Return a JSON Schema as text.

    Parameters
    ----------
    which : "audit" or "report".
    """
    schema: dict[str, Any]
    if which == "audit":
        schema = Audit.model_json_schema()
    else:
        schema = Report.model_json_schema(mode="serialization")
    named = {"$schema": BASE, "title": f"biaspipe {which}, version 1"}
    return json.dumps({**schema, **named}, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
