"""Write the JSON Schemas of the audit spec, the report and the policy beside this script.

python schemas/make_schemas.py
"""

from pathlib import Path

from biaspipe.renderers.reference.schemas import SCHEMAS, schema_text

for which, name in SCHEMAS.items():
    Path(__file__).with_name(name).write_text(schema_text(which), encoding="utf-8")
