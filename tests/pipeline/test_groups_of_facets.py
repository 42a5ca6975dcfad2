"""No group is dropped: small, empty, unknown ones stand in every facet with their rows."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.report import Result
from tests.engines.builders import audited, names
from tests.pipeline.reports import table

COLUMNS = {"label": {"column": "label", "positive": 1}}
ROWS = table(
    "sex,age,label", "m,30,1 x 5", "m,60,0 x 4", "f,30,1 x 3", "f,99,0 x 2", "x,30,1", ",60,1 x 7"
)
AGES: dict[str, Any] = {
    "column": "age",
    "groups": {"young": {"below": 40}, "old": {"at_least": 50, "below": 70}},
}


def groups(result: Result, facet: str) -> list[tuple[str, int, str]]:
    """Return every group of a facet with its rows and its part."""
    found = next(f for f in result.facets if f.facet == facet)
    return [(g.group, g.rows, g.part) for g in found.groups]


def facet(folder: Path, content: str = ROWS, /, **parts: Any) -> list[tuple[str, int, str]]:
    """Return the groups of an audit's only facet."""
    result = audited(
        folder, content, columns=COLUMNS, facets={"only": parts}, metrics={"DPL": None}
    )
    return groups(result, "only")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {"favored": "m"},
            [
                ("f", 5, "disfavored"),
                ("m", 9, "favored"),
                ("x", 1, "disfavored"),
                ("(missing)", 7, "missing"),
            ],
        ),
        (
            {"favored": "m", "disfavored": "f"},
            [
                ("f", 5, "disfavored"),
                ("m", 9, "favored"),
                ("x", 1, "not compared"),
                ("(missing)", 7, "missing"),
            ],
        ),
        (
            {"compare": "pairs"},
            [
                ("f", 5, "both"),
                ("m", 9, "disfavored"),
                ("x", 1, "favored"),
                ("(missing)", 7, "missing"),
            ],
        ),
        (
            {"compare": "best"},
            [
                ("f", 5, "disfavored"),
                ("m", 9, "disfavored"),
                ("x", 1, "favored"),
                ("(missing)", 7, "missing"),
            ],
        ),
        (
            {},
            [("f", 5, "both"), ("m", 9, "both"), ("x", 1, "both"), ("(missing)", 7, "missing")],
        ),
    ],
)
def test_every_group_has_its_part(
    parts: dict[str, Any], expected: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    """Every value that occurs is listed with its rows, whatever it is compared with."""
    assert facet(tmp_path, column="sex", **parts) == expected


def test_people_in_no_group_are_listed(tmp_path: Path) -> None:
    """People whom no declared group holds stand in the table as such."""
    assert facet(tmp_path, **AGES, favored="old") == [
        ("young", 9, "disfavored"),
        ("old", 11, "favored"),
        ("(in no group)", 2, "in no group"),
    ]


def test_intersections_that_nobody_is_in_are_listed(tmp_path: Path) -> None:
    """An intersection without anybody is listed with no rows."""
    facets = {"sex": {"column": "sex"}, "age": AGES, "both": {"cross": ["sex", "age"]}}
    result = audited(tmp_path, ROWS, columns=COLUMNS, facets=facets, metrics={"DPL": None})
    found = {name: (rows, part) for name, rows, part in groups(result, "both")}
    assert found["x & old"] == (0, "empty")
    assert found["f & young"] == (3, "both")


def test_group_whose_outcomes_are_all_missing_is_listed(tmp_path: Path) -> None:
    """A group without any label is compared, undecided and listed with no rows."""
    rows = ROWS + "z,30,\n" * 3
    result = audited(
        tmp_path,
        rows,
        columns=COLUMNS,
        metrics={"DPL": {"max_abs": 0.9}},
    )
    assert ("z", 0, "disfavored") in groups(result, "sex")
    assert ("m", "z") in names(result)
    assert {c.disfavored: c.verdict for c in result.checks}["z"] == "undecided"


def test_group_of_weight_nought_is_listed(tmp_path: Path) -> None:
    """A group whose weights are all 0 is listed with its rows, and undecided."""
    frame = pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0], "w": [1, 1, 0, 0]})
    columns = {**COLUMNS, "weight": "w"}
    result = audited(tmp_path, frame, columns=columns, metrics={"DPL": {"max_abs": 0.9}})
    assert ("f", 2, "disfavored") in groups(result, "sex")
    assert result.checks[0].verdict == "undecided"


def test_small_groups_are_compared_under_any_rule(tmp_path: Path) -> None:
    """However many people a decision takes, no comparison is left out."""
    for least in (0, 30, 10_000):
        result = audited(
            tmp_path,
            ROWS,
            columns=COLUMNS,
            metrics={"DPL": {"max_abs": 0.9}},
            decision={"min_rows": least},
        )
        assert names(result) == [("m", "f"), ("m", "x")]
        assert len(result.checks) == 2
