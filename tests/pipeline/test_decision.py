"""Decisions: what decides, how many people it takes, and what is left undecided."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.counts import Favorable, Flips, Group, Stratum, Table
from biaspipe.metrics import Value, find
from biaspipe.report import CheckRecord, Result
from biaspipe.spec import Check, Decision, Limits
from biaspipe.verdict import TALLIED, Verdict, exit_code, judge, overall, too_few
from tests.engines.builders import audited, by_metric
from tests.pipeline.reports import table

PREDICTION = {"prediction": {"column": "prediction", "positive": 1}}
ROWS = table("sex,prediction", "m,1 x 50", "m,0 x 50", "f,1 x 40", "f,0 x 60")
"""DI is 0.8 and DPPL 0.1; of the latter the interval is -0.0369 to 0.2332."""
IN, OUT, VALUE = (Decision.model_validate({"decide_by": w}) for w in ("inside", "outside", "value"))


def decided(
    ends: tuple[float, float], rules: Decision, warn: Limits | None = None, **limits: Any
) -> str:
    """Return the verdict on a value in the middle of an interval."""
    value = Value.of(sum(ends) / 2)
    return judge(value, Check(**limits, warn=warn), rules, ends=ends)[0].value


@pytest.mark.parametrize(
    ("ends", "value", "inside", "outside"),
    [
        ((0.81, 0.99), "pass", "pass", "pass"),
        ((0.8, 1.25), "pass", "pass", "pass"),
        ((0.7, 0.85), "fail", "undecided", "undecided"),
        ((0.79, 0.99), "pass", "undecided", "undecided"),
        ((0.6, 0.79), "fail", "fail", "fail"),
        ((0.6, 0.8), "fail", "undecided", "undecided"),
        ((1.25, 1.5), "fail", "undecided", "undecided"),
        ((1.26, 1.5), "fail", "fail", "fail"),
        ((0.5, 1.5), "pass", "undecided", "undecided"),
    ],
)
def test_limits_at_the_ends(
    ends: tuple[float, float], value: str, inside: str, outside: str
) -> None:
    """An end on the limit keeps it; an interval on both sides of a limit decides nothing."""
    found = [decided(ends, rules, min=0.8, max=1.25) for rules in (VALUE, IN, OUT)]
    assert found == [value, inside, outside]


@pytest.mark.parametrize(
    ("ends", "inside", "outside"),
    [
        ((0.91, 0.99), "pass", "pass"),
        ((0.85, 0.95), "warn", "pass"),
        ((0.82, 0.89), "warn", "warn"),
        ((0.82, 0.9), "warn", "pass"),
        ((0.7, 0.95), "undecided", "undecided"),
    ],
)
def test_limits_that_warn(ends: tuple[float, float], inside: str, outside: str) -> None:
    """Inside warns unless the whole interval keeps the limit, outside only if all of it breaks."""
    warn = Limits(min=0.9)
    assert [decided(ends, rules, warn, min=0.8) for rules in (IN, OUT)] == [inside, outside]


@pytest.mark.parametrize(
    ("ends", "inside", "outside"),
    [((0.91, 0.99), "pass", "pass"), ((0.7, 0.95), "warn", "pass"), ((0.7, 0.8), "warn", "warn")],
)
def test_limits_that_only_warn_are_always_decided(
    ends: tuple[float, float], inside: str, outside: str
) -> None:
    """A check that may only warn has no limit that an interval could straddle."""
    warn = Limits(min=0.9)
    assert [decided(ends, rules, warn) for rules in (IN, OUT)] == [inside, outside]


def test_straddled_limits_are_named() -> None:
    """The reason names the interval and those limits that it lies on both sides of."""
    _, reason = judge(Value.of(0.9), Check(min=0.8, max=1.25), IN, ends=(0.7, 1.2))
    assert reason == "the 95% interval 0.7 to 1.2 reaches across the limit of at least 0.8"


@pytest.mark.parametrize("way", ["value", "inside", "outside"])
def test_undefined_value_is_undecided_whatever_decides(way: str) -> None:
    """A value that is undefined is undecided with its reason, whatever decides."""
    rules = Decision.model_validate({"decide_by": way})
    value = Value("undefined", reason="n_d = 0")
    assert judge(value, Check(max=9), rules) == (Verdict.UNDECIDED, "n_d = 0")


def check(folder: Path, rows: str = ROWS, **parts: Any) -> CheckRecord:
    """Return the check of an audit of DPPL."""
    metrics = parts.pop("metrics", {"DPPL": {"max_abs": 0.2}})
    result = audited(folder, rows, columns=PREDICTION, metrics=metrics, **parts)
    return result.checks[0]


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        (None, "pass"),
        ({}, "pass"),
        ({"decide_by": "inside"}, "undecided"),
        ({"decide_by": "inside", "confidence": 0.8}, "pass"),
        ({"decide_by": "outside"}, "undecided"),
        ({"min_rows": 100}, "pass"),
        ({"min_rows": 101}, "undecided"),
    ],
)
def test_rules_of_the_spec_decide(
    rules: dict[str, Any] | None, verdict: str, tmp_path: Path
) -> None:
    """What the spec says under `decision` is what a check is decided by."""
    parts: dict[str, Any] = {} if rules is None else {"decision": rules}
    assert check(tmp_path, **parts).verdict == verdict


def test_confidence_is_that_of_the_spec(tmp_path: Path) -> None:
    """Intervals have the confidence that the spec asks for; 0.95 without a word."""
    usual, bold = check(tmp_path).interval, check(tmp_path, decision={"confidence": 0.8}).interval
    assert usual
    assert bold
    assert (usual.confidence, bold.confidence) == (0.95, 0.8)
    assert usual.ends[0] < bold.ends[0] < bold.ends[1] < usual.ends[1]


def test_defaults_of_the_block() -> None:
    """A block that says nothing asks for 30 people, decides by value, and corrects nothing."""
    assert Decision().model_dump() == {
        "confidence": 0.95,
        "decide_by": "value",
        "min_rows": 30,
        "max_missing": None,
        "undecided": "fail",
        "correction": "none",
    }


@pytest.mark.parametrize(("people", "verdict"), [(29, "undecided"), (30, "pass")])
def test_thirty_people_are_enough(people: int, verdict: str, tmp_path: Path) -> None:
    """Under a decision block, 30 people decide and 29 do not."""
    rows = table("sex,prediction", "m,1 x 50", "m,0 x 50", f"f,1 x {people // 2}")
    rows += "f,0\n" * (people - people // 2)
    found = check(tmp_path, rows, decision={})
    assert found.verdict == verdict
    expected = None if verdict == "pass" else "of f, only 29 people; 30 are needed"
    assert found.reason == expected


def test_small_groups_are_decided_without_a_block(tmp_path: Path) -> None:
    """Without a decision block a group of one is decided by its value."""
    rows = table("sex,prediction", "m,1 x 5", "f,0")
    assert check(tmp_path, rows).verdict == "fail"


def test_favored_group_needs_people_too(tmp_path: Path) -> None:
    """A favored group of too few people decides nothing either."""
    rows = table("sex,prediction", "m,1 x 3", "f,1 x 50", "f,0 x 50")
    assert check(tmp_path, rows, decision={}).reason == "of m, only 3 people; 30 are needed"


def whole_table(a: dict[str, int], d: dict[str, int]) -> Table:
    """Return a table from the cells of both sides."""
    names: dict[str, tuple[Favorable, Favorable]] = {
        "TP": (True, True),
        "FP": (False, True),
        "FN": (True, False),
        "TN": (False, False),
    }
    favored, disfavored = ({names[key]: n for key, n in side.items()} for side in (a, d))
    return Table(Group(favored, name="a"), Group(disfavored, name="d"))


MANY = {"TP": 50, "FP": 50, "FN": 50, "TN": 50}


@pytest.mark.parametrize(
    ("metric", "few", "words"),
    [
        ("RD", {"TP": 4, "FN": 5, "FP": 90, "TN": 90}, "people with the favorable label"),
        ("SD", {"TP": 90, "FN": 90, "FP": 4, "TN": 5}, "people with an unfavorable label"),
        ("DAR", {"TP": 4, "FP": 5, "FN": 90, "TN": 90}, "people predicted favorable"),
        ("DRR", {"TP": 90, "FP": 90, "FN": 4, "TN": 5}, "people predicted unfavorable"),
        ("DCAcc", {"TP": 4, "FP": 5, "FN": 90, "TN": 90}, "people predicted favorable"),
        ("DCR", {"TP": 90, "FP": 90, "FN": 4, "TN": 5}, "people predicted unfavorable"),
        ("TE", {"TP": 90, "FP": 9, "FN": 90, "TN": 90}, "people wrongly predicted favorable"),
    ],
)
def test_denominators_need_people(metric: str, few: dict[str, int], words: str) -> None:
    """The denominator of a rate needs as many people as a group."""
    proof = whole_table(MANY, few)
    assert too_few(find(metric), proof, 30) == f"of d, only 9 {words}; 30 are needed"
    assert too_few(find(metric), proof, 9) is None


def test_fliptest_needs_people_that_took_part() -> None:
    """A fliptest counts the people of each group that took part in it."""
    flips = Flips(1, 1, 20, 40, 90, 5, "standard", ("x",), 0.5)
    assert too_few(find("FT"), flips, 30) == "of d, only 20 people; 30 are needed"
    assert too_few(find("FT"), flips, 20) is None


def test_entropy_needs_people() -> None:
    """GE, which compares no groups, needs as many people altogether."""
    everyone = Group({(True, True): 10, (False, True): 19})
    assert too_few(find("GE"), everyone, 30) == "only 29 people; 30 are needed"


def test_conditional_disparity_needs_people_of_both_outcomes() -> None:
    """CDDL looks at the people of each outcome over both groups together."""
    a, d = Group({(True, None): 40, (False, None): 3}), Group({(True, None): 40, (False, None): 4})
    proof = Table(a, d, (Stratum("", a, d),))
    words = "only 7 people with an unfavorable label in comparable strata; 30 are needed"
    assert too_few(find("CDDL"), proof, 30) == words


def test_conditional_disparity_needs_people_who_are_compared() -> None:
    """People in strata of one group, or of one outcome, do not help CDDL to its people."""
    both = Group({(True, None): 1, (False, None): 1})
    mixed, yes = Group({(True, None): 50, (False, None): 50}), Group({(True, None): 50})
    nobody = Group({})
    strata = (Stratum("x", both, both), Stratum("y", mixed, nobody), Stratum("z", yes, yes))
    proof = Table(Group({(True, None): 101, (False, None): 51}), yes, strata)
    words = "of d, only 2 people in comparable strata, and of a, only 2; 3 are needed"
    assert too_few(find("CDDL"), proof, 3) == words


@pytest.mark.parametrize(
    ("favored", "disfavored", "reason"),
    [
        (
            (1, 49),
            (1, 49),
            (
                "of d, only 1 person predicted favorable, counted or expected at the rate of a"
                ", and of a, only 1"
            ),
        ),
        (
            (30, 1170),
            (1, 39),
            "of d, only 1 person predicted favorable, counted or expected at the rate of a",
        ),
        (
            (1, 49),
            (100, 100),
            "of a, only 25 people predicted favorable, counted or expected at the rate of d",
        ),
        ((600, 600), (0, 500), None),
        ((30, 30), (30, 30), None),
    ],
)
def test_ratio_rests_on_selected_people(
    favored: tuple[int, int], disfavored: tuple[int, int], reason: str | None
) -> None:
    """DI takes people who are selected on each side, or who would be at the other side's rate."""
    a, d = (
        Group({(None, True): yes, (None, False): no}, name=letter)
        for (yes, no), letter in ((favored, "a"), (disfavored, "d"))
    )
    expected = f"{reason}; 30 are needed" if reason else None
    assert too_few(find("DI"), Table(a, d), 30) == expected


def test_frequency_weights_count_people(tmp_path: Path) -> None:
    """A row of weight 30 stands for 30 people that were seen."""
    frame = pl.DataFrame({"sex": ["m", "m", "f", "f"], "prediction": [1, 0] * 2, "w": [15] * 4})
    for kind, verdict in (("frequency", "pass"), ("sampling", "undecided")):
        columns = {**PREDICTION, "weight": {"column": "w", "kind": kind}}
        metrics = {"DPPL": {"max_abs": 0.2}}
        result = audited(tmp_path, frame, columns=columns, metrics=metrics, decision={})
        assert result.checks[0].verdict == verdict


def test_sampling_weights_count_effective_people(tmp_path: Path) -> None:
    """Forty rows of very different weights are worth fewer than thirty people."""
    weights = [1.0, 9.0] * 40
    frame = pl.DataFrame(
        {"sex": ["m"] * 40 + ["f"] * 40, "prediction": [1, 1, 0, 0] * 20, "w": weights}
    )
    columns = {**PREDICTION, "weight": {"column": "w", "kind": "sampling"}}
    result = audited(
        tmp_path, frame, columns=columns, metrics={"DPPL": {"max_abs": 0.2}}, decision={}
    )
    assert result.checks[0].reason == (
        "of f, a sample that tells only as much as 24.4 people, and of m, a sample that tells only"
        " as much as 24.4; 30 are needed"
    )


@pytest.mark.parametrize(
    ("undecided", "fail_on", "code", "verdict"),
    [
        ("fail", "fail", 4, "undecided"),
        ("fail", "warn", 4, "undecided"),
        ("fail", "never", 0, "undecided"),
        ("warn", "fail", 0, "warn"),
        ("warn", "warn", 1, "warn"),
        ("pass", "fail", 0, "pass"),
        ("pass", "warn", 0, "pass"),
    ],
)
def test_undecided_counts_as_the_spec_says(
    undecided: Any, fail_on: Any, code: int, verdict: str
) -> None:
    """An undecided check ends with 4, or counts as a warning or a pass where the spec says so."""
    verdicts = [Verdict.PASS, Verdict.UNDECIDED]
    assert exit_code(verdicts, fail_on, undecided) == code
    assert overall(verdicts, undecided) == verdict


def test_failure_beside_undecided_is_a_failure() -> None:
    """However mildly the undecided counts, a failure ends with 1."""
    for undecided in ("fail", "warn", "pass"):
        assert exit_code([Verdict.FAIL, Verdict.UNDECIDED], "fail", undecided) == 1


def test_undecided_check_stays_undecided(tmp_path: Path) -> None:
    """A check that counts as passed is undecided all the same, with its reason and in the tally."""
    result: Result = audited(
        tmp_path,
        table("sex,prediction", "m,1 x 5", "m,0 x 5", "f,0 x 5"),
        columns=PREDICTION,
        metrics={"DI": {"min": 0.8}},
        decision={"undecided": "pass"},
    )
    assert by_metric(result)["DI"].verdict == "undecided"
    assert (result.tally["undecided"], result.tally["pass"], result.verdict) == (1, 0, "pass")


def test_reported_check_is_not_decided(tmp_path: Path) -> None:
    """A check without a limit is reported, however few people stand behind it."""
    found = check(tmp_path, decision={"min_rows": 5000}, metrics={"DPPL": None})
    assert (found.verdict, found.reason) == ("reported", None)


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [None] * 3),
        ("holm", [0.0107, 0.0633, 0.371]),
        ("benjamini-hochberg", [0.0107, 0.0474, 0.371]),
    ],
)
def test_correction_counts_the_tests_of_the_audit(
    correction: str, expected: list[float | None], tmp_path: Path
) -> None:
    """P-values are corrected for the tests of the audit; metrics of one rate share a test."""
    rows = table(
        "sex,prediction",
        "m,1 x 500",
        "m,0 x 500",
        "f,1 x 435",
        "f,0 x 565",
        "x,1 x 452",
        "x,0 x 548",
        "y,1 x 480",
        "y,0 x 520",
    )
    metrics = {"DPPL": None, "DI": None}
    rules = {"correction": correction}
    result = audited(tmp_path, rows, columns=PREDICTION, metrics=metrics, decision=rules)
    adjusted = [c.parity.adjusted for c in result.checks[:3] if c.parity]
    again = [c.parity.adjusted for c in result.checks[3:] if c.parity]
    assert adjusted == again
    assert [None if p is None else round(p, 4) for p in adjusted] == expected
    if correction == "none":
        assert result.decision.family is None
    else:
        assert "the 3 tests of parity in this audit" in (result.decision.family or "")


def test_each_verdict_carries_its_facts() -> None:
    """Each verdict says what its checks did, how a run ends and whether a waiver covers it."""
    assert [(v.value, v.past, v.exit.value, v.waivable, v.of_audit) for v in Verdict] == [
        ("fail", "failed", 1, True, "fail"),
        ("undecided", "undecided", 4, True, "undecided"),
        ("warn", "warned", 0, False, "warn"),
        ("waived", "waived", 0, False, "waived"),
        ("pass", "passed", 0, False, "pass"),
        ("reported", "reported", 5, False, "nothing checked"),
    ]
    assert [verdict.gravity for verdict in Verdict] == [0, 1, 2, 3, 4, 5]
    assert sorted(TALLIED) == sorted(Verdict)
