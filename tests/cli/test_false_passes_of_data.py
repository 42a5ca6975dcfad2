"""Data that was read and not meant: what each such audit ends with, on every engine of files."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import call, write_audit
from tests.cli.test_false_passes import table

on_every_engine = pytest.mark.parametrize("engine", ["polars", "duckdb"])

Parts = dict[str, Any]
FAIR = ("m,1 x 50", "m,0 x 50", "f,1 x 48", "f,0 x 52")
P: Parts = {"prediction": {"column": "p", "positive": 1}}
SCORE: Parts = {"prediction": {"column": "p", "above": 50}}
DPPL: Parts = {"DPPL": {"max_abs": 0.1}}


def ended(engine: str, rows: str, **parts: Any) -> tuple[int, str]:
    """Run an audit with an engine; return its exit code and all that it printed, in one line."""
    parts = {"columns": P, "metrics": DPPL, **parts}
    found = call("run", write_audit(rows=rows, **parts), "--engine", engine)
    return found.code, " ".join(found.text.split())


@on_every_engine
def test_fair_rows_pass(engine: str) -> None:
    """The rows that the others depart from pass."""
    code, text = ended(engine, table("sex,p", *FAIR))
    assert code == 0
    assert "counted prediction p: positive 1 (98 rows); negative 0 (102 rows)" in text


@on_every_engine
def test_threshold_of_another_scale_ends_with_2(engine: str) -> None:
    """Scores from 0 to 1 against a threshold of 50 are no pass."""
    code, text = ended(engine, table("sex,p", "m,0.9 x 50", "f,0.1 x 50"), columns=SCORE)
    assert code == 2
    assert "no row meets p > 50" in text
    assert "values from 0.1 to 0.9" in text


@on_every_engine
def test_constant_model_is_audited_where_that_is_said(engine: str) -> None:
    """A model that decides alike for everybody is audited if the spec allows for it."""
    constant = {"prediction": {**SCORE["prediction"], "constant": "allowed"}}
    code, text = ended(engine, table("sex,p", "m,0.9 x 50", "f,0.1 x 50"), columns=constant)
    assert code == 0
    assert "prediction p: note: the share who are predicted 'p above 50' is 0%" in text


@on_every_engine
def test_strata_of_nothing_end_with_2(engine: str) -> None:
    """Strata whose every value is missing are no strata."""
    rows = table("sex,p,city", "m,1, x 50", "m,0, x 50", "f,1, x 50", "f,0, x 50")
    columns = {**P, "strata": "city"}
    code, text = ended(engine, rows, columns=columns, metrics={"CDDPL": {"max_abs": 0.1}})
    assert code == 2
    assert "column 'city' holds only missing values" in text


@on_every_engine
def test_third_value_ends_with_2(engine: str) -> None:
    """Where the spec names both outcomes, a third one is an error; else it is shown."""
    rows = table("sex,p", *FAIR, "f,NA x 5", "f,1. x 3")
    code, text = ended(engine, rows)
    assert code == 0
    assert "warning: 'NA' (5 rows) looks like a missing value and was counted as negative" in text
    assert "note: '1.' (3 rows, negative) differs from '1' only by case, blanks," in text
    columns = {"prediction": {"column": "p", "positive": 1, "negative": 0}}
    code, text = ended(engine, rows, columns=columns)
    assert code == 2
    assert "8 rows of column 'p' are neither positive nor negative: 'NA', '1.'" in text


@on_every_engine
def test_missing_outcomes_can_be_limited(engine: str) -> None:
    """A group most of whose predictions are missing passes with a warning, or not at all."""
    rows = table("sex,p", *FAIR, "f, x 900")
    code, text = ended(engine, rows)
    assert code == 0
    assert "sex: warning: 0% of m and 90% of f lack label or prediction" in text
    assert "missing: f 900 without prediction, of 1,000 rows" in text
    code, text = ended(engine, rows, decision={"max_missing": 0.05})
    assert code == 4
    assert "90% of f lack label or prediction, where at most 5% may" in text


@on_every_engine
def test_people_between_groups_are_listed_or_refused(engine: str) -> None:
    """Who is in no declared group is listed with values and rows, or ends with 2."""
    rows = table("age,p", "20,1 x 50", "20,0 x 50", "30,1 x 50", "30,0 x 50", "25,0 x 40")
    groups = {"column": "age", "groups": {"young": {"below": 25}, "old": {"above": 25}}}
    facet = {**groups, "favored": "old"}
    code, text = ended(engine, rows, facets={"age": facet})
    assert code == 0
    assert "in no group 25 (40 rows)" in text
    code, text = ended(engine, rows, facets={"age": {**facet, "others": "error"}})
    assert code == 2
    assert "40 rows of column 'age' belong to no declared group: 25" in text


@on_every_engine
def test_one_selected_person_a_side_decides_nothing(engine: str) -> None:
    """A ratio that rests on one selected person on each side is undecided."""
    rows = table("sex,p", "m,1", "m,0 x 49", "f,1", "f,0 x 49")
    parts: Parts = {"metrics": {"DI": {"min": 0.8, "max": 1.25}}, "decision": {"min_rows": 30}}
    code, text = ended(engine, rows, **parts)
    assert code == 4
    words = "of f, only 1 person predicted 'p = 1', counted or expected at the rate of m, and of m,"
    words += " only 1; 30 are needed"
    assert words in " ".join(text.split())


@on_every_engine
@pytest.mark.parametrize("metrics", [DPPL, {"DPPL": {"max_abs": 0.1}, "KS": {"max": 0.1}}])
def test_list_that_leaves_no_other_value_ends_with_2(engine: str, metrics: Parts) -> None:
    """A list of positive values that holds every value of its column is hardly meant."""
    both = {"column": "p", "positive": [0, 1]}
    parts: Parts = {"columns": {"label": both}, "metrics": {"DPL": metrics["DPPL"]}}
    parts["metrics"] |= {name: part for name, part in metrics.items() if name != "DPPL"}
    code, text = ended(engine, table("sex,p", *FAIR), **parts)
    assert code == 2
    assert "every value of column 'p' is positive" in text
    allowed = {"label": {**both, "constant": "allowed"}}
    assert ended(engine, table("sex,p", *FAIR), **parts | {"columns": allowed})[0] == 0


@on_every_engine
def test_constant_is_no_licence_for_a_typo(engine: str) -> None:
    """Where several values occur and none is the positive one, that is a typo."""
    columns = {"prediction": {"column": "p", "positive": "Yes", "constant": "allowed"}}
    rows = table("sex,p", "m,yes x 50", "m,no x 50", "f,yes x 48", "f,no x 52")
    code, text = ended(engine, rows, columns=columns)
    assert code == 2
    assert "'Yes' does not occur in column 'p'" in text
    assert ended(engine, table("sex,p", "m,no x 50", "f,no x 50"), columns=columns)[0] == 0


@on_every_engine
def test_everybody_compared_alike_is_warned_of(engine: str) -> None:
    """Where only people who are not compared have the other outcome, a warning says so."""
    code, text = ended(engine, table("sex,p", "m,0 x 50", "f,0 x 50", ",1 x 3"))
    assert code == 0
    assert "sex: warning: of m and f, the share who are predicted 'p = 1' is 0%" in text


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"min": -10, "max": 0.1}, "no value can break min -10"),
        ({"min": -0.1, "max_abs": 10}, "no value can break max_abs 10"),
    ],
)
def test_each_limit_has_to_be_within_reach(limits: Parts, words: str) -> None:
    """A limit beyond every value is an error beside a good one too."""
    found = call(
        "check", write_audit(rows=table("sex,p", *FAIR), columns=P, metrics={"DPPL": limits})
    )
    assert found.code == 2
    assert words in found.err


def test_weight_that_is_the_outcome_ends_with_2() -> None:
    """A column that weighs people cannot be their outcome."""
    columns = {**P, "weight": "p"}
    found = call("check", write_audit(rows=table("sex,p", *FAIR), columns=columns, metrics=DPPL))
    assert found.code == 2
    assert "weight and prediction are the same column 'p'" in found.err


def test_check_shows_what_counts_as_what() -> None:
    """`check --data` lists the values of each column on their sides, with notes and warnings."""
    rows = table("sex,p", *FAIR, "F,? x 2", " ,1")
    parts: Parts = {"columns": P, "metrics": {"DI": {"min": 0.5, "max": 2}}}
    parts["facets"] = {"sex": {"column": "sex", "favored": "m"}}
    found = call("check", write_audit(rows=rows, **parts), "--data")
    assert found.code == 0
    marker = "looks like a missing value and was counted as"
    needs = "sex: DI min 0.5 and max 2 needs about"
    only = "only by case, blanks, punctuation or the spelling of a number"
    assert found.out.splitlines()[1:] == [
        "  prediction p: positive 1 (99 rows); negative 0 102, ? 2",
        "  facet sex: favored m (100 rows); disfavored f 100, F 2, ' ' 1",
        f"  prediction p: warning: '?' (2 rows) {marker} negative",
        f"  facet sex: warning: ' ' (1 row) {marker} a value of sex",
        f"  facet sex: note: 'F' (2 rows, disfavored) differs from 'f' {only}",
        "  people needed so that groups that are alike keep a limit 19 times in 20:",
        (
            f"    {needs} 16 people in each group; there are 100 m and 1 ' ': too few, of audits of"
            " groups that are alike 51% would keep it; as they are split, 800 m and 8 ' ' would do;"
            " too few in 1 comparison more"
        ),
        f"    {needs} 17 people in each group; there are 100 m and 100 f: enough",
    ]


def test_scalar_stands_for_a_list() -> None:
    """Where a list of names stands, a single name needs no brackets."""
    rows = table("sex,p,city", "m,1,a x 30", "m,0,a x 30", "f,1,a x 30", "f,0,a x 30")
    single: Parts = {
        "columns": {**P, "strata": "city"},
        "metrics": {"CDDPL": {"max_abs": 0.1, "facets": "sex"}},
        "tags": "release",
    }
    listed: Parts = {
        "columns": {**P, "strata": ["city"]},
        "metrics": {"CDDPL": {"max_abs": 0.1, "facets": ["sex"]}},
        "tags": ["release"],
    }
    results = []
    for parts in (single, listed):
        spec = write_audit(rows=rows, **parts)
        assert call("run", spec, "-o", "report.json", "--select", "release").code == 0
        result = json.loads(Path("report.json").read_text(encoding="utf-8"))["result"]
        results.append((result["facets"], result["tally"], len(result["checks"])))
    assert results[0] == results[1]
    assert results[0][2] == 1
