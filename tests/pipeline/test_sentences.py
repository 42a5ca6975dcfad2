"""What the sentences of a report say of outcomes, and what they say where nothing is decided."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.report import CheckRecord, Result
from tests.engines.builders import audited
from tests.pipeline.reports import table

COLUMNS: dict[str, Any] = {
    "label": {"column": "two_year_recid", "positive": 0, "called": "did not reoffend"},
    "prediction": {"column": "score_text", "positive": "Low", "called": "rated low risk"},
}
PEOPLE = table(
    "race,two_year_recid,score_text",
    *("White,0,Low x 60", "White,0,High x 20", "White,1,Low x 20", "White,1,High x 40"),
    *("Black,0,Low x 30", "Black,0,High x 30", "Black,1,Low x 10", "Black,1,High x 50"),
    *("Asian,0,Low x 20", "Asian,0,High x 3", "Asian,1,Low x 2", "Asian,1,High x 30"),
)
FACETS = {"race": {"column": "race", "favored": "White"}}


def result(folder: Path, **parts: Any) -> Result:
    """Return the result of an audit of these people."""
    usual: dict[str, Any] = {"columns": COLUMNS, "facets": FACETS, "decision": {}}
    return audited(folder, PEOPLE, **{**usual, **parts})


def of_group(found: Result, group: str) -> CheckRecord:
    """Return the check of a group."""
    (check,) = (check for check in found.checks if check.disfavored == group)
    return check


LABELED = "the share who did not reoffend is larger among White than among Black"
RATED = "the share who are rated low risk is larger among White than among Black"


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (
            "DI",
            "the share who are rated low risk is 0.583 times as large among Black as among White",
        ),
        ("RD", f"of those who did not reoffend, {RATED}, by 25 percentage points"),
        ("SD", f"of people who did reoffend, {RATED}, by 16.7 percentage points"),
    ],
)
def test_sentence_names_the_outcomes_of_the_spec(
    metric: str, sentence: str, tmp_path: Path
) -> None:
    """A sentence calls label and prediction what the spec calls them."""
    check = of_group(result(tmp_path, metrics={metric: None}), "Black")
    assert check.sentence == f"{sentence}, to the disadvantage of Black"


def test_difference_that_may_be_chance_says_so(tmp_path: Path) -> None:
    """Where parity lies in the interval of a value, the sentence says that it may be chance."""
    found = result(tmp_path, metrics={"DPL": {"max_abs": 0.2}, "DI": {"min": 0.1}})
    told = {check.metric: check for check in found.checks if check.disfavored == "Black"}
    assert (told["DPL"].verdict, told["DPL"].sentence) == (
        "pass",
        (
            f"{LABELED}, by 7.14 percentage points, to the disadvantage of Black,"
            " which may be chance"
        ),
    )
    assert "chance" not in told["DI"].sentence


def test_value_at_parity_is_not_said_to_be_chance(tmp_path: Path) -> None:
    """A value at parity says that the groups are alike, and no more."""
    same = table("race,two_year_recid,score_text", *("White,0,Low x 3", "Black,0,Low x 3"))
    found = audited(tmp_path, same, columns=COLUMNS, facets=FACETS, metrics={"DI": None})
    assert found.checks[0].sentence == (
        "the share who are rated low risk is as large among Black as among White"
    )


def test_both_groups_that_are_too_small_are_named(tmp_path: Path) -> None:
    """Where the reference has too few people as well, the reason names both groups."""
    rows = table("race,score_text", "White,Low x 3", "Black,Low x 12")
    columns = {"prediction": COLUMNS["prediction"]}
    metrics = {"DPPL": {"max_abs": 0.1}}
    found = audited(tmp_path, rows, columns=columns, facets=FACETS, metrics=metrics, decision={})
    assert found.checks[0].reason == "of Black, only 12 people, and of White, only 3; 30 are needed"


def test_undecided_check_says_who_is_missing(tmp_path: Path) -> None:
    """A check that too few people decide says who they are, and no finding."""
    found = result(tmp_path, metrics={"RD": {"max_abs": 0.1}})
    assert of_group(found, "Asian").sentence == (
        "nothing is decided about Asian against White: of Asian, only 23 people who did not"
        " reoffend; 30 are needed; the value seen is -0.12"
    )
    assert of_group(found, "Black").verdict == "fail"


def test_undecided_check_says_that_its_interval_is_wide(tmp_path: Path) -> None:
    """A check whose interval reaches across its limit says so, and no finding."""
    decision = {"decide_by": "inside", "min_rows": 0}
    found = result(tmp_path, metrics={"DPL": {"max_abs": 0.1}}, decision=decision)
    assert of_group(found, "Black").sentence == (
        "nothing is decided about Black against White: the 95% interval -0.04945 to 0.1897"
        " reaches across the limit of at most 0.1 in either direction; about 9,300 more people"
        " would decide it four times in five if it stays what it is: 5,000 of White and 4,300 of"
        " Black; the value seen is 0.0714"
    )


def test_undecided_check_of_everybody_names_no_group(tmp_path: Path) -> None:
    """A metric without a facet is undecided about nobody in particular."""
    (check,) = result(tmp_path, metrics={"GE": {"max": 0.5}}, decision={"min_rows": 400}).checks
    assert check.sentence == (
        "nothing is decided: only 315 people; 400 are needed; the value seen is 0.152"
    )


def test_waived_check_that_was_undecided_states_no_finding(tmp_path: Path) -> None:
    """Where somebody answers for a check that could not be decided, it is still no finding."""
    waiver = {
        "metric": "RD",
        "facet": "race",
        "disfavored": "Asian",
        "reason": "few",
        "approved_by": "Ada",
        "expires": "2099-12-31",
    }
    found = result(tmp_path, metrics={"RD": {"max_abs": 0.1}}, waivers=[waiver])
    check = of_group(found, "Asian")
    assert check.verdict == "waived"
    assert check.sentence.startswith("nothing is decided about Asian against White: ")


def test_reported_value_without_a_limit_is_a_finding(tmp_path: Path) -> None:
    """What has no limit is decided by nobody, and is told as it was seen."""
    check = of_group(result(tmp_path, metrics={"RD": None}), "Asian")
    assert check.verdict == "reported"
    assert check.sentence.startswith("of those who did not reoffend, the share who are")


def test_value_that_does_not_exist_says_whom_there_would_have_to_be(tmp_path: Path) -> None:
    """An undefined value says in words which people there are none of; its reason is a formula."""
    facets = {"race": {"column": "race", "favored": "White", "disfavored": "Asian"}}
    rows = PEOPLE.replace("Asian,1,Low", "Asian,1,High")
    (check,) = audited(
        tmp_path, rows, columns=COLUMNS, facets=facets, metrics={"TE": {"max": 1}}
    ).checks
    assert check.sentence == (
        "Treatment Equality between White and Asian has no value: of Asian, no people wrongly"
        " rated low risk"
    )


def test_groups_alike_are_warned_of_in_words(tmp_path: Path) -> None:
    """Where everybody who is compared has one outcome, the warning calls it by its name."""
    rows = table("race,score_text", "White,High x 9", "Black,High x 9", ",Low")
    columns = {"prediction": COLUMNS["prediction"]}
    found = audited(tmp_path, rows, columns=columns, facets=FACETS, metrics={"DPPL": None})
    (comparison,) = found.facets[0].comparisons
    assert comparison.warning == "of White and Black, the share who are rated low risk is 0%"
