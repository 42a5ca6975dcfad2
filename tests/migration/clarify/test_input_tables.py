"""Tables without a first line of names."""

from pathlib import Path

import pytest

from biaspipe.pipeline import run
from tests.migration.configurations import converted, report, spec_of

ROWS = "1,f,25\n0,m,36\n1,f,22\n0,m,48\n0,m,30\n"
INDEXED = [{"name_or_index": 1, "value_or_threshold": ["f"]}]
NAMED = [{"name_or_index": "column_1", "value_or_threshold": ["f"]}]
TEXTS = "yes,f\nno,m\nyes,f\nno,m\n"


@pytest.mark.parametrize(("label", "facet"), [(0, INDEXED), ("column_0", NAMED)])
def test_table_without_names_gets_clarifys(
    tmp_path: Path, label: str | int, facet: list[dict[str, object]]
) -> None:
    """A first line of values is a row, and the columns are called column_0 and so on."""
    (tmp_path / "data.csv").write_text(ROWS)
    found = report(tmp_path, label=label, facet=facet)
    assert found.result.data.rows == 5
    (facets,) = found.result.facets
    assert facets.facet == "column_1"
    assert facets.comparisons[0].counts["disfavored"].rows == 2
    assert found.result.audit.spec["data"]["csv"] == {
        "header": False,
        "columns": ["column_0", "column_1", "column_2"],
    }


def test_texts_are_values_where_a_generated_name_is_used(tmp_path: Path) -> None:
    """A configuration that says column_1 has a table without names, even one of texts."""
    (tmp_path / "data.csv").write_text(TEXTS)
    parts = {"label": "column_0", "facet": NAMED, "label_values_or_threshold": ["yes"]}
    assert run(spec_of(tmp_path, **parts)).result.data.rows == 4


@pytest.mark.parametrize("header", ["y,sex,2019\n", "0,sex,age\n"])
def test_text_above_numbers_is_a_name(tmp_path: Path, header: str) -> None:
    """A text above a column of numbers makes the first line one of names."""
    (tmp_path / "data.csv").write_text(header + ROWS)
    assert report(tmp_path, label=0, facet=INDEXED).result.data.rows == 5


def test_first_line_of_texts_has_to_be_looked_at(tmp_path: Path) -> None:
    """Where nothing tells names from values, the first line is taken for names, aloud."""
    (tmp_path / "data.csv").write_text("no,m\n" + TEXTS)
    conversion = converted(tmp_path, label=0, facet=INDEXED, label_values_or_threshold=["yes"])
    assert run(conversion.specs[0]).result.data.rows == 4
    assert any("(no, m, ...) is taken for names" in note for note in conversion.said())


def test_facets_without_names_get_clarifys(tmp_path: Path) -> None:
    """A facet data set without names is read from its first line, too."""
    (tmp_path / "data.csv").write_text("id,y\n1,1\n2,0\n3,1\n")
    (tmp_path / "facets.csv").write_text("f,40\nm,50\nf,60\n")
    facet = [{"name_or_index": 0, "value_or_threshold": ["f"]}]
    found = report(tmp_path, facet_dataset_uri="facets.csv", facet=facet)
    assert found.result.facets[0].comparisons[0].counts["disfavored"].rows == 2
