"""Comparability: two reports that measure something else say what differs."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from biaspipe.pipeline import run
from biaspipe.pipeline.baseline.comparability import incomparable
from biaspipe.report import Result
from tests.engines.builders import audited, prepare, write
from tests.pipeline.reports import report, table

Parts = dict[str, Any]
ROWS = table(
    "sex,age,prediction,label,score,w",
    "m,30,1,1,0.9,1 x 6",
    "m,50,0,0,0.2,1 x 4",
    "f,50,1,0,0.7,1 x 3",
    "f,30,0,1,0.4,1 x 7",
    "x,30,1,1,0.6,1 x 5",
)
COLUMNS: Parts = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "prediction", "positive": 1},
}
USUAL: Parts = {"columns": COLUMNS, "metrics": {"DI": None}}


def result(folder: Path, content: str = ROWS, /, **parts: Any) -> Result:
    """Run an audit of these rows."""
    return audited(folder, content, **{**USUAL, **parts})


def reasons(folder: Path, old: Parts, new: Parts) -> list[str]:
    """Return why the reports of two specs cannot be compared."""
    return list(incomparable(result(folder, **old), result(folder, **new)))


SCORE = {**COLUMNS, "prediction": {"column": "score", "above": 0.5}}
AGES = {"column": "age", "groups": {"young": {"below": 40}, "old": {"at_least": 40}}}
OLDER = {**AGES, "groups": {"young": {"below": 50}, "old": {"at_least": 50}}}
SEX = {"column": "sex", "favored": "m"}

OTHER: dict[str, tuple[Parts, Parts, list[str]]] = {
    "another positive value": (
        {},
        {"columns": {"prediction": {"column": "prediction", "positive": 0}}},
        [
            (
                "columns.prediction was {column: 'prediction', positive: [1]} and is"
                " {column: 'prediction', positive: [0]}"
            ),
        ],
    ),
    "a weight": (
        {},
        {"columns": {**COLUMNS, "weight": "w"}},
        ["columns.weight was not declared and is {column: 'w', kind: 'frequency'}"],
    ),
    "another kind of weight": (
        {"columns": {**COLUMNS, "weight": "w"}},
        {"columns": {**COLUMNS, "weight": {"column": "w", "kind": "sampling"}}},
        [
            (
                "columns.weight was {column: 'w', kind: 'frequency'} and is"
                " {column: 'w', kind: 'sampling'}"
            ),
        ],
    ),
    "another favored group": (
        {"facets": {"sex": {"column": "sex", "favored": "m"}}},
        {"facets": {"sex": {"column": "sex", "favored": "f"}}},
        ["facets.sex.favored was 'm' and is 'f'"],
    ),
    "another way to compare": (
        {"facets": {"sex": {"column": "sex", "compare": "pairs"}}},
        {"facets": {"sex": {"column": "sex", "compare": "best"}}},
        ["facets.sex.compare was 'pairs' and is 'best'"],
    ),
    "other groups": (
        {"facets": {"age": {**AGES, "favored": "old"}}},
        {"facets": {"age": {**OLDER, "favored": "old"}}},
        [
            (
                "facets.age.groups was {young: {below: 40}, old: {at_least: 40}} and is"
                " {young: {below: 50}, old: {at_least: 50}}"
            ),
        ],
    ),
    "other groups of a crossed facet": (
        {"facets": {"a": AGES, "s": SEX, "both": {"cross": ["a", "s"], "metrics": {"DPPL": None}}}},
        {
            "facets": {
                "a": OLDER,
                "s": SEX,
                "both": {"cross": ["a", "s"], "metrics": {"DPPL": None}},
            },
            "metrics": {},
        },
        [
            (
                "facets.a.groups was {young: {below: 40}, old: {at_least: 40}} and is"
                " {young: {below: 50}, old: {at_least: 50}}"
            ),
        ],
    ),
    "another parameter": (
        {"metrics": {"LP": {"p": 1}}},
        {"metrics": {"LP": {"p": 2}}},
        ["LP on sex had {p: 1.0} and has {p: 2.0}"],
    ),
    "no metric in common": (
        {"metrics": {"DI": None}},
        {"metrics": {"DPPL": None}},
        ["they have no metric on the same facet in common"],
    ),
    "no facet in common": (
        {"facets": {"sex": SEX}},
        {"facets": {"gender": SEX}},
        ["they have no metric on the same facet in common"],
    ),
}


@pytest.mark.parametrize(("old", "new", "words"), OTHER.values(), ids=list(OTHER))
def test_other_definitions_are_named(
    old: Parts, new: Parts, words: list[str], tmp_path: Path
) -> None:
    """What is defined otherwise is named, as it was and as it is, for whatever both compute."""
    found = [
        reason.replace("40.0", "40").replace("50.0", "50") for reason in reasons(tmp_path, old, new)
    ]
    assert found == words


ALIKE: dict[str, tuple[Parts, Parts]] = {
    "a weight in full": (
        {"columns": {**COLUMNS, "weight": "w"}},
        {"columns": {**COLUMNS, "weight": {"column": "w", "kind": "frequency"}}},
    ),
    "a comparison that goes without saying": (
        {"facets": {"sex": {"column": "sex", "favored": "m"}}},
        {"facets": {"sex": {"column": "sex", "favored": "m", "compare": "favored"}}},
    ),
    "one value or a list of it": (
        {},
        {"columns": {**COLUMNS, "prediction": {"column": "prediction", "positive": [1]}}},
    ),
    "what the spec refuses": (
        {},
        {
            "columns": {
                **COLUMNS,
                "prediction": {**COLUMNS["prediction"], "negative": 0, "constant": "allowed"},
            },
        },
    ),
    "a column that no shared metric needs": (
        {},
        {"columns": {**COLUMNS, "label": {"column": "score", "above": 0.5}}},
    ),
    "limits": ({"metrics": {"DI": {"min": 0.1}}}, {"metrics": {"DI": {"max": 9}}}),
    "another metric beside": ({}, {"metrics": {"DI": None, "DPPL": {"max_abs": 0.1}}}),
    "another facet beside": ({}, {"facets": {"sex": SEX, "age": AGES}}),
    "words": ({"description": "first"}, {"description": "second", "tags": ["release"]}),
}


@pytest.mark.parametrize(("old", "new"), ALIKE.values(), ids=list(ALIKE))
def test_what_means_the_same_is_comparable(old: Parts, new: Parts, tmp_path: Path) -> None:
    """Other words for the same, and what the shared metrics do not need, keep nothing apart."""
    assert reasons(tmp_path, old, new) == []


def test_groups_that_were_all_renamed_have_nothing_in_common(tmp_path: Path) -> None:
    """Two reports whose groups all have other names compare nothing, and say so."""
    rest = {"facets": {"sex": {"column": "sex"}}}
    renamed = ROWS.replace("\nm", "\nmale").replace("\nf", "\nfemale").replace("\nx", "\nother")
    old, new = result(tmp_path, **rest), result(tmp_path, renamed, **rest)
    assert list(incomparable(old, new)) == ["they have no groups in common"]
    assert list(incomparable(old, new, selected=True)) == []


def test_sides_that_changed_places_are_groups_in_common(tmp_path: Path) -> None:
    """Two groups that changed places are the same two groups."""
    pairs = {"facets": {"sex": {"column": "sex", "compare": "pairs"}}}
    old = table("sex,prediction,label", "m,1,1 x 9", "m,0,0", "f,0,1 x 9", "f,1,0")
    new = table("sex,prediction,label", "f,1,1 x 9", "f,0,0", "m,0,1 x 9", "m,1,0")
    found = incomparable(result(tmp_path, old, **pairs), result(tmp_path, new, **pairs))
    assert list(found) == []


def test_baseline_of_something_else_is_a_wrong_spec(tmp_path: Path) -> None:
    """A baseline that cannot be compared with is named at its line, with every reason."""
    report(tmp_path, ROWS, "old", **USUAL)
    parts: Parts = {**USUAL, "columns": {**SCORE, "weight": "w"}}
    write(tmp_path / "data.csv", ROWS)
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **parts)
    with pytest.raises(SpecError) as caught:
        run(loaded)
    text = str(caught.value)
    assert text.count("the baseline cannot be compared: columns.") == 2
    assert '"report": "old.json"' in text
