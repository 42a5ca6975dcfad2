"""`schema -o`: what it writes over, and what it leaves as it is."""

from pathlib import Path

import pytest

from tests.cli.calls import call, write_audit


@pytest.mark.parametrize("what", ["spec", "data", "report", "list", "other"])
def test_schema_is_written_over_no_other_file(what: str) -> None:
    """A spec, data, a report and whatever else is no JSON Schema stay as they are."""
    assert call("run", write_audit(), "-o", "report.json").code == 0
    Path("list.json").write_text('["$schema"]', encoding="utf-8")
    Path("other.json").write_text("[" * 200_000, encoding="utf-8")
    kept = {"spec": "audit.yaml", "data": "data.csv"}.get(what, f"{what}.json")
    before = Path(kept).read_bytes()
    ended = call("schema", "audit", "-o", kept)
    assert ended.code == 2
    assert f"{kept} is there already, is no JSON Schema, and would be written over" in ended.err
    assert Path(kept).read_bytes() == before


def test_schema_is_written_over_an_older_one() -> None:
    """The schema of another version gives way."""
    place = Path("audit-v1.schema.json")
    place.write_text(
        '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', encoding="utf-8"
    )
    assert call("schema", "audit", "-o", place).code == 0
    assert place.read_text(encoding="utf-8") == call("schema", "audit").out
    assert call("schema", "policy", "-o", "/dev/stdout").code == 0
