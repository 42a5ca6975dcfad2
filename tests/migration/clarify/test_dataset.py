"""Tables beside the data set: an inner join keeps the rows that have their partner."""

from pathlib import Path
from typing import Any

from tests.migration.configurations import converted, report

DATA = "id,y,age\n1,1,30\n2,0,50\n3,1,30\n4,0,50\n5,1,30\n6,1,50\n"
JOIN: dict[str, Any] = {"facet_dataset_uri": "people.csv", "joinsource_name_or_index": "id"}


def write(folder: Path, people: str) -> None:
    """Write the data set, and the people beside it."""
    (folder / "data.csv").write_text(DATA)
    (folder / "people.csv").write_text(people)


def test_rows_without_a_partner_are_left_out(tmp_path: Path) -> None:
    """A partial inner join is a condition, and the counts are those of the rows on both sides."""
    write(tmp_path, "id,sex\n1,f\n2,m\n3,f\n4,m\n9,f\n")
    found = report(tmp_path, **JOIN)
    assert found.result.audit.spec["data"]["where"] == '"sex" IS NOT NULL'
    assert found.result.data.everyone.rows == 4
    (check,) = (c for c in found.result.checks if c.metric == "CI")
    assert check.value == 0


def test_partner_without_a_value_is_a_partner(tmp_path: Path) -> None:
    """A row whose partner lacks a value stays: another column tells partners."""
    write(tmp_path, "id,sex,town\n1,f,a\n2,m,a\n3,,a\n4,m,a\n")
    found = report(tmp_path, **JOIN)
    assert found.result.audit.spec["data"]["where"] == '"town" IS NOT NULL'
    assert found.result.data.ledger["sex"].facet_missing == 1


def test_whole_join_needs_no_condition(tmp_path: Path) -> None:
    """Where every row has its partner, there is no condition."""
    write(tmp_path, "id,sex\n1,f\n2,m\n3,f\n4,m\n5,f\n6,m\n")
    found = report(tmp_path, **JOIN)
    assert "where" not in found.result.audit.spec["data"]


def test_join_that_no_column_tells_is_said(tmp_path: Path) -> None:
    """Where each joined column lacks values, rows without a partner stay, and the spec says so."""
    write(tmp_path, "id,sex\n1,f\n2,m\n3,\n4,m\n")
    (text,) = converted(tmp_path, **JOIN).texts.values()
    assert "Clarify drops rows without a partner, here they count as missing" in text


def test_segments_leave_them_out_too(tmp_path: Path) -> None:
    """A segment's condition stands beside that of the join."""
    write(tmp_path, "id,sex\n1,f\n2,m\n3,f\n4,m\n")
    segments = [{"name_or_index": "age", "segments": [["(0, 40]"]]}]
    conversion = converted(tmp_path, **JOIN, segment_config=segments)
    wheres = [spec.audit.data.where for spec in conversion.specs]
    assert wheres[1] == '("sex" IS NOT NULL) AND (("age" > 0 AND "age" <= 40))'
