"""Text tables: their options, and the types that their values have, wherever these stand."""

import json
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import DataError, SpecError
from tests.engines.builders import audited, comparisons, labels, ledger, names

LATE = 1_200
"""Rows before a column changes its type: more than polars looks at to tell it."""
ABOVE_FIVE = {"label": {"column": "label", "above": 5, "constant": "allowed"}}
TRUE = {"label": {"column": "label", "positive": True}}


def late(first: str, then: str, times: int = 4) -> str:
    """Return a text table whose labels change after many rows."""
    values = [first] * LATE + [then] * times
    return "sex,label\n" + "".join(f"{'mf'[i % 2]},{v}\n" for i, v in enumerate(values))


def late_lines(first: object, then: object) -> str:
    """Return lines of JSON whose labels change after many rows; ... leaves the key out."""
    values = [first] * LATE + [then] * 4
    rows = ({"sex": "mf"[i % 2], "label": v} for i, v in enumerate(values))
    kept = ({k: v for k, v in row.items() if v is not ...} for row in rows)
    return "".join(json.dumps(row) + "\n" for row in kept)


@pytest.mark.parametrize("separator", [";", "|", "\t", " "])
def test_separator_is_the_declared_one(separator: str, tmp_path: Path) -> None:
    """A declared separator stands between the fields."""
    text = "sex,label\nm,1\nf,0\nf,1\n".replace(",", separator)
    result = audited(tmp_path, text, data={"csv": {"separator": separator}})
    assert labels(result) == (2, 1, 0)


def test_separator_of_tsv_may_be_declared(tmp_path: Path) -> None:
    """A declared separator takes the place of the tab in a tsv file."""
    data = {"csv": {"separator": ","}}
    assert labels(audited(tmp_path, "sex,label\nm,1\nf,0\n", "d.tsv", data=data)) == (1, 1, 0)


def test_columns_name_a_table_without_header(tmp_path: Path) -> None:
    """Declared columns name the fields of a table without a header, whose first line is a row."""
    data = {"csv": {"header": False, "columns": ["sex", "label"]}}
    result = audited(tmp_path, "m,1\nf,0\nf,1\n", data=data)
    assert (result.data.rows, labels(result)) == (3, (2, 1, 0))


def test_columns_rename_a_header(tmp_path: Path) -> None:
    """Declared columns take the place of the names in a header."""
    data = {"csv": {"header": True, "columns": ["sex", "label"]}}
    assert labels(audited(tmp_path, "x,x\nm,1\nf,0\nf,1\n", data=data)) == (2, 1, 0)


@pytest.mark.parametrize("columns", [["sex"], ["sex", "label", "score"]])
def test_wrong_number_of_columns_is_refused(columns: list[str], tmp_path: Path) -> None:
    """More or fewer declared columns than fields are an error that names the file."""
    data = {"csv": {"header": False, "columns": columns}}
    with pytest.raises(DataError, match=r"data\.csv"):
        audited(tmp_path, "m,1\nf,0\n", data=data)


def test_null_values_are_missing(tmp_path: Path) -> None:
    """Each declared text for a missing value is missing in every column."""
    data = {"csv": {"null_values": ["?", "NA"]}}
    result = audited(tmp_path, "sex,label\nm,1\nf,0\nf,?\nNA,1\nm,NA\n", data=data)
    assert ledger(result) == {
        "favored": 1,
        "disfavored": 1,
        "facet_missing": 1,
        "label_missing": 2,
    }


def test_empty_field_is_missing(tmp_path: Path) -> None:
    """An empty field is missing, in text as in numbers."""
    result = audited(tmp_path, "sex,label\nm,1\nf,0\n,1\nm,\n")
    assert ledger(result) == {
        "favored": 1,
        "disfavored": 1,
        "facet_missing": 1,
        "label_missing": 1,
    }


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfsex,label\nm,1\nf,0\nf,1\n",
        b"sex,label\r\nm,1\r\nf,0\r\nf,1\r\n",
        b"label,sex\r\n1,m\r\n0,f\r\n1,f\r\n",
        b"\xef\xbb\xbf" + b'"sex","label"\r\n"m",1\r\n"f",0\r\n"f",1\r\n',
        b"sex,label\nm,1\nf,0\nf,1",
    ],
)
def test_marks_of_other_systems_do_not_matter(content: bytes, tmp_path: Path) -> None:
    """A byte order mark, line ends of Windows and a missing last line end change nothing."""
    result = audited(tmp_path, content)
    assert names(result) == [("m", "f")]
    assert labels(result) == (2, 1, 0)


@pytest.mark.parametrize(
    ("true", "false"), [("true", "false"), ("True", "False"), ("TRUE", "FALSE")]
)
@pytest.mark.parametrize("positive", [True, "true", 1])
def test_true_and_false_are_booleans(
    true: str, false: str, positive: object, tmp_path: Path
) -> None:
    """True and false are booleans however they are capitalised."""
    columns = {"label": {"column": "label", "positive": positive}}
    result = audited(tmp_path, f"sex,label\nm,{true}\nf,{false}\nf,\n", columns=columns)
    assert labels(result) == (1, 1, 1)


@pytest.mark.parametrize("nan", ["NaN", "nan"])
def test_nan_is_missing(nan: str, tmp_path: Path) -> None:
    """NaN among the numbers of a text table is missing."""
    result = audited(tmp_path, f"sex,label\nm,7.5\nf,1.5\nf,{nan}\n", columns=ABOVE_FIVE)
    assert labels(result) == (1, 1, 1)


def test_quoted_numbers_are_numbers(tmp_path: Path) -> None:
    """Numbers between quotes are compared as numbers."""
    result = audited(tmp_path, 'sex,label\n"m","7"\n"f","10"\n"f","1"\n', columns=ABOVE_FIVE)
    assert labels(result) == (2, 1, 0)


def test_quoted_field_may_hold_separators(tmp_path: Path) -> None:
    """A quoted field holds separators, line ends and doubled quotes as they are."""
    facets = {"sex": {"column": "sex", "favored": 'a,"b"\nc'}}
    result = audited(tmp_path, 'sex,label\n"a,""b""\nc",1\nf,0\n', facets=facets)
    assert names(result) == [('a,"b"\nc', "f")]


@pytest.mark.parametrize(
    ("first", "then", "columns", "expected"),
    [
        ("1", "yes", {"label": {"column": "label", "positive": 1}}, (1200, 4, 0)),
        ("1", "yes", {"label": {"column": "label", "positive": "yes"}}, (4, 1200, 0)),
        ("1", "7.5", ABOVE_FIVE, (4, 1200, 0)),
        ("1.5", "many", {"label": {"column": "label", "positive": "many"}}, (4, 1200, 0)),
        ("", "7", ABOVE_FIVE, (4, 0, 1200)),
        ("", "7.5", ABOVE_FIVE, (4, 0, 1200)),
        ("", "true", TRUE, (4, 0, 1200)),
        ("true", "maybe", {"label": {"column": "label", "positive": True}}, (1200, 4, 0)),
        ("7", "", ABOVE_FIVE, (1200, 0, 4)),
    ],
)
def test_type_is_taken_from_all_values(
    first: str, then: str, columns: Any, expected: tuple[int, int, int], tmp_path: Path
) -> None:
    """A column has the type that fits all its values, not only the first ones."""
    assert labels(audited(tmp_path, late(first, then), columns=columns)) == expected


@pytest.mark.parametrize(
    ("first", "then", "columns", "expected"),
    [
        (1, "yes", {"label": {"column": "label", "positive": 1}}, (1200, 4, 0)),
        (1, 7.5, ABOVE_FIVE, (4, 1200, 0)),
        (None, 7, ABOVE_FIVE, (4, 0, 1200)),
        (..., 7, ABOVE_FIVE, (4, 0, 1200)),
        (7, None, ABOVE_FIVE, (1200, 0, 4)),
        (True, None, TRUE, (1200, 0, 4)),
    ],
)
def test_type_of_json_is_taken_from_all_values(
    first: object, then: object, columns: Any, expected: tuple[int, int, int], tmp_path: Path
) -> None:
    """A key of JSON lines has the type that fits all its values, not only the first ones."""
    text = late_lines(first, then)
    assert labels(audited(tmp_path, text, "d.ndjson", columns=columns)) == expected


def test_facet_that_changes_its_type_keeps_its_groups(tmp_path: Path) -> None:
    """A facet of whole numbers with a text after many rows has all of them as groups."""
    rows = [f"{i % 2},{i // 2 % 2}" for i in range(LATE)] + ["unknown,1", "unknown,0"]
    facets = {"sex": {"column": "sex", "favored": 1}}
    result = audited(tmp_path, "sex,label\n" + "\n".join(rows), facets=facets)
    assert names(result) == [("1", "0"), ("1", "unknown")]
    assert [c.counts["disfavored"].rows for c in comparisons(result)] == [600, 2]


def test_second_file_may_change_a_type(tmp_path: Path) -> None:
    """A column that is whole numbers in one file and text in the next is text."""
    (tmp_path / "a.csv").write_text("sex,label\nm,1\nf,0\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("sex,label\nm,1\nf,none\n", encoding="utf-8")
    result = audited(tmp_path, None, data={"path": ["a.csv", "b.csv"]})
    assert labels(result) == (2, 2, 0)


def test_column_without_values_says_so(tmp_path: Path) -> None:
    """A text table whose label is always missing is refused in just these words."""
    columns = {"label": {"column": "label", "positive": "yes"}}
    with pytest.raises(SpecError, match="only missing values"):
        audited(tmp_path, "sex,label\nm,\nf,\n", columns=columns)


def test_unnamed_columns_may_hold_anything(tmp_path: Path) -> None:
    """A column that the audit does not name may change its type as it likes."""
    rows = "".join(f"{'mf'[i % 2]},1,{i if i < LATE else 'x'}\n" for i in range(LATE + 4))
    result = audited(tmp_path, "sex,label,noise\n" + rows)
    assert labels(result) == (1204, 0, 0)
