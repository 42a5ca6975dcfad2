"""Adverse impact: what fails, what is undecided, and what a report says of it."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.report import CheckRecord
from tests.engines.builders import audited
from tests.pipeline.reports import Values, forged, found, report, table

PREDICTION = {"prediction": {"column": "prediction", "positive": 1}}
FEW = {"min_rows": 1}
RULE = {"min_ratio": "4/5", "significance": 0.05, "flip": True}


def rows(s_a: int, n_a: int, s_d: int, n_d: int) -> str:
    """Return so many selected of so many, men and women."""
    groups = (("m", s_a, n_a), ("f", s_d, n_d))
    lines = [f"{sex},{one} x {n}" for sex, s, of in groups for one, n in ((1, s), (0, of - s)) if n]
    return table("sex,prediction", *lines)


def check_of(
    folder: Path, counts: tuple[int, int, int, int], rules: Values = FEW, **check: Any
) -> CheckRecord:
    """Return the check of DI on a selection."""
    result = audited(
        folder, rows(*counts), columns=PREDICTION, metrics={"DI": check}, decision=rules
    )
    return result.checks[0]


@pytest.mark.parametrize(
    ("counts", "impact", "verdict"),
    [
        ((48, 80, 12, 40), RULE, "fail"),
        ((16, 80, 3, 20), RULE, "undecided"),
        ((16, 80, 3, 20), {"min_ratio": "4/5"}, "fail"),
        ((16, 80, 3, 20), {"min_ratio": "4/5", "flip": True}, "undecided"),
        ((16, 80, 3, 20), {"min_ratio": "4/5", "significance": 0.9}, "fail"),
        ((60, 80, 24, 40), {"min_ratio": 0.8, "significance": 0.05, "flip": True}, "pass"),
        ((60, 80, 23, 40), {"min_ratio": 0.8, "flip": True}, "fail"),
        ((600, 1000, 500, 1000), RULE, "pass"),
        ((600, 1000, 500, 1000), {"min_ratio": 1, "significance": 0.05}, "fail"),
        ((3, 20, 10, 10), RULE, "pass"),
    ],
)
def test_what_fails(
    tmp_path: Path, counts: tuple[int, int, int, int], impact: Values, verdict: str
) -> None:
    """A ratio below min_ratio fails if all that is asked holds, and is no pass if it does not."""
    assert check_of(tmp_path, counts, impact=impact).verdict == verdict


def test_what_is_said(tmp_path: Path) -> None:
    """A failure says what makes it one; what is undecided says what is lacking."""
    failed = check_of(tmp_path, (48, 80, 12, 40), impact=RULE)
    assert failed.sentence.endswith(
        "this is adverse impact: below 4/5, significant (p = 0.00341 by Fisher's exact test), and "
        "one selection moved does not turn it round"
    )
    undecided = check_of(tmp_path, (16, 80, 3, 20), impact=RULE)
    assert undecided.reason == (
        "below 4/5, but not significant (p = 0.757 by Fisher's exact test, where less than 0.05 "
        "is asked) and one selection moved turns it round; about 3,000 more people would make such"
        " a difference significant four times in five: 2,400 of m and 590 of f"
    )
    assert undecided.sentence.startswith("nothing is decided about f against m: below 4/5, but")
    smaller = check_of(tmp_path, (600, 1000, 500, 1000), impact=RULE)
    assert smaller.note is not None
    assert smaller.note.startswith("not below 4/5, but significant (p < 0.001 by ")


def test_fisher_decides_what_the_score_test_would_call_significant(tmp_path: Path) -> None:
    """Significance is that of Fisher's exact test, p = .0628, where the score test has .0411."""
    check = check_of(tmp_path, (30, 60, 19, 60), impact=RULE)
    assert (check.verdict.value, check.parity and check.parity.test) == ("undecided", "fisher")
    assert check.impact is not None
    assert check.impact.p_value == check.impact.fisher_p_value == pytest.approx(0.0628, abs=5e-5)
    assert check.impact.z_p_value == pytest.approx(0.0411, abs=5e-5)
    reported = check_of(tmp_path, (30, 60, 19, 60))
    assert reported.parity is not None
    assert reported.parity.test == "score"


def test_a_significant_loss_of_the_favored_group_is_noted(tmp_path: Path) -> None:
    """Where fewer of the favored group are selected, a pass says so if it is significant."""
    check = check_of(tmp_path, (300, 1000, 600, 1000), impact=RULE)
    assert check.verdict == "pass"
    assert check.note == (
        "not below 4/5, but significant (p < 0.001 by Fisher's exact test), to the disadvantage of"
        " m"
    )
    assert check_of(tmp_path, (500, 1000, 510, 1000), impact=RULE).note is None


def test_what_is_recorded(tmp_path: Path) -> None:
    """The record of a check has all measures, and which conditions hold."""
    check = check_of(tmp_path, (48, 80, 12, 40), impact=RULE)
    assert check.limits.model_dump(exclude_none=True) == {"impact": RULE}
    assert check.impact is not None
    assert check.impact.model_dump() == {
        "verdict": "fail",
        "below": True,
        "significant": True,
        "p_value": 0.003409221768,
        "survives_flip": True,
        "favored": {"selected": 48, "applicants": 80},
        "disfavored": {"selected": 12, "applicants": 40},
        "ratio_after_flip": 0.5531914893617021,
        "shortfall": 8.0,
        "fisher_p_value": pytest.approx(0.0034, abs=5e-5),
        "z": 3.098386677,
        "z_p_value": 0.001945773694,
        "hypergeometric_sd": 3.085449724,
        "binomial_sd": 2.19089023,
    }


@pytest.mark.parametrize(
    ("impact", "words"),
    [
        (
            {"min_ratio": "4/5", "flip": True},
            (
                "about 25 more people of the same rates would let one selection moved not turn it"
                " round: 20 of m and 5 of f"
            ),
        ),
        (
            {"min_ratio": "4/5", "significance": 0.05},
            (
                "about 3,000 more people would make such a difference significant four times in"
                " five: 2,400 of m and 590 of f"
            ),
        ),
    ],
)
def test_undecided_impact_says_how_many_people_more(
    tmp_path: Path, impact: Values, words: str
) -> None:
    """A smaller rate that is undecided says how many more people would confirm it."""
    check = check_of(tmp_path, (16, 80, 3, 20), impact=impact)
    assert check.verdict == "undecided"
    assert check.reason is not None
    assert check.reason.endswith(f"; {words}")
    assert check.power is not None
    assert check.power.people_needed is not None
    assert f"about {check.power.people_needed.more:,} more people" in words


def test_people_that_a_correction_hides_are_not_told(tmp_path: Path) -> None:
    """Where a corrected p-value is 1, nobody knows how many people would make it significant."""
    both = [("m", 16, 80), ("f", 3, 20), ("x", 16, 81)]
    lines = [f"{g},{one} x {n}" for g, s, of in both for one, n in ((1, s), (0, of - s))]
    result = audited(
        tmp_path,
        table("sex,prediction", *lines),
        columns=PREDICTION,
        facets={"sex": {"column": "sex", "favored": "m"}},
        metrics={"DI": {"impact": RULE}},
        decision={"correction": "holm", **FEW},
    )
    check = next(c for c in result.checks if c.disfavored == "f")
    assert check.reason is not None
    assert check.reason.endswith("significant after the correction is not known")


def test_too_few_people_are_undecided(tmp_path: Path) -> None:
    """What too few people stand behind fails by no impact."""
    check = check_of(tmp_path, (48, 80, 12, 40), {"min_rows": 50}, impact={"min_ratio": "4/5"})
    assert check.verdict == "undecided"
    assert check.impact is not None
    assert (check.impact.verdict, check.impact.below) == ("undecided", True)


def test_limits_beside_impact_both_hold(tmp_path: Path) -> None:
    """A check fails by its limit where impact passes, and by impact where the limit is kept."""
    by_limit = check_of(tmp_path, (600, 1000, 500, 1000), impact=RULE, min=0.9)
    by_impact = check_of(tmp_path, (48, 80, 12, 40), impact=RULE, min=0.4)
    both = check_of(tmp_path, (600, 1000, 500, 1000), impact=RULE, min=0.8)
    assert [c.verdict.value for c in (by_limit, by_impact, both)] == ["fail", "fail", "pass"]


def test_a_corrected_p_value_decides(tmp_path: Path) -> None:
    """Where the audit corrects for many tests, the corrected p-value is held to significance."""
    groups = [("m", 300, 500), ("f", 21, 50), *((f"g{i}", 30, 50) for i in range(9))]
    lines = [f"{g},{one} x {n}" for g, s, of in groups for one, n in ((1, s), (0, of - s))]
    verdicts = {}
    for correction in ("none", "holm"):
        result = audited(
            tmp_path,
            table("sex,prediction", *lines),
            columns=PREDICTION,
            facets={"sex": {"column": "sex", "favored": "m", "compare": "favored"}},
            metrics={"DI": {"impact": {"min_ratio": "4/5", "significance": 0.06}}},
            decision={"correction": correction, "min_rows": 1},
        )
        check = next(c for c in result.checks if c.disfavored == "f")
        verdicts[correction] = (check.verdict.value, "corrected" in (check.reason or ""))
    assert verdicts == {"none": ("fail", False), "holm": ("undecided", True)}


@pytest.mark.parametrize(
    ("key", "value"),
    [("verdict", "pass"), ("shortfall", 0.0), ("binomial_sd", 1.0), ("survives_flip", False)],
)
def test_changed_measures_are_found(tmp_path: Path, key: str, value: object) -> None:
    """The verification of a report finds a measure that does not follow from its counts."""
    path = report(
        tmp_path,
        rows(48, 80, 12, 40),
        columns=PREDICTION,
        metrics={"DI": {"impact": RULE}},
        decision=FEW,
    )
    assert found(path) == []

    def change(values: Values) -> None:
        values["result"]["checks"][0]["impact"][key] = value

    assert f"result.checks[0].impact.{key}" in forged(path, change)
