"""False passes that decisions, waivers, baselines and reports could let through."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit
from tests.pipeline.reports import table

Parts = dict[str, Any]
COLUMNS: Parts = {"prediction": {"column": "prediction", "positive": 1}}
FAIR = table("sex,prediction", "m,1 x 50", "m,0 x 50", "f,1 x 50", "f,0 x 50")
SAID = {"reason": "known", "approved_by": "Ada", "expires": "2099-01-01"}


def run(*words: object, **parts: Any) -> Ended:
    """Write an audit and run it, with a report."""
    path = write_audit(**{"columns": COLUMNS, **parts})
    return call("run", path, "-o", "report.json", *words)


def test_small_unfair_group_is_undecided_not_dropped() -> None:
    """A group of twenty of whom nobody is selected ends with 4 where thirty are needed."""
    rows = FAIR + "x,0\n" * 20
    ended = run(rows=rows, metrics={"DI": {"min": 0.8}}, decision={})
    assert ended.code == 4
    assert "of x, only 20 people; 30 are needed" in " ".join(ended.out.split())
    assert re.search(r"  x +20 +0\.0%  ", ended.out)


def test_few_people_in_a_denominator_are_not_a_fair_recall() -> None:
    """A recall of two people is undecided, though their group is large."""
    rows = table("sex,prediction,label", "m,1,1 x 50", "m,0,1 x 50", "f,1,1", "f,0,1", "f,0,0 x 98")
    columns = {**COLUMNS, "label": {"column": "label", "positive": 1}}
    ended = run(rows=rows, columns=columns, metrics={"RD": {"max_abs": 0.1}}, decision={})
    assert ended.code == 4
    assert "of f, only 2 people with 'label = 1'; 30 are needed" in " ".join(ended.out.split())


def test_interval_that_straddles_is_no_pass() -> None:
    """A value that keeps its limit, but whose interval does not, is no pass under inside."""
    rows = FAIR.replace("f,1\n", "f,0\n", 5)
    limits = {"DPPL": {"max_abs": 0.1}}
    assert run(rows=rows, metrics=limits).code == 0
    assert run(rows=rows, metrics=limits, decision={"decide_by": "inside"}).code == 4


def test_interval_that_straddles_is_no_pass_under_outside() -> None:
    """Under outside, an interval that straddles is no failure, but no pass either."""
    rows = FAIR.replace("f,1\n", "f,0\n", 15)
    limits = {"DPPL": {"max_abs": 0.1}}
    assert run(rows=rows, metrics=limits).code == 1
    assert run(rows=rows, metrics=limits, decision={"decide_by": "outside"}).code == 4


def test_waiver_for_one_group_does_not_hide_another() -> None:
    """A waiver for one group leaves the failure of the next one."""
    rows = FAIR + "x,0\n" * 50 + "y,0\n" * 50
    waiver = {**SAID, "metric": "DI", "disfavored": "x"}
    ended = run(rows=rows, metrics={"DI": {"min": 0.8}}, waivers=[waiver])
    assert ended.code == 1
    assert "1 failed, 1 waived" in ended.last


def test_waiver_for_a_group_of_another_facet_matches_nothing() -> None:
    """A waiver whose group its metric never compares is an error, not a line without effect."""
    rows = table("sex,race,prediction", "m,w,1 x 5", "m,b,0 x 5", "f,w,1 x 2", "f,b,0 x 8")
    ended = run(
        rows=rows,
        facets={
            "sex": {"column": "sex", "favored": "m"},
            "race": {"column": "race", "favored": "w"},
        },
        metrics={"DI": {"min": 0.1, "facets": ["sex"]}, "DPPL": None},
        waivers=[{**SAID, "metric": "DI", "disfavored": "b"}],
    )
    assert ended.code == 2
    assert "this waiver matches nothing: no comparison has 'b' as its disfavored group" in ended.err


def test_waived_value_that_got_worse_fails_again() -> None:
    """A waiver with a bound does not waive whatever comes."""
    waiver = {**SAID, "metric": "DI", "bound": {"min": 0.6}}
    rows, worse = FAIR.replace("f,1\n", "f,0\n", 15), FAIR.replace("f,1\n", "f,0\n", 25)
    metrics = {"DI": {"min": 0.8}}
    assert run(rows=rows, metrics=metrics, waivers=[waiver]).code == 0
    assert run(rows=worse, metrics=metrics, waivers=[waiver]).code == 1


def test_expired_waiver_waives_nothing() -> None:
    """A waiver of yesterday is none today."""
    waiver = {**SAID, "metric": "DI", "expires": "2020-01-01"}
    rows = FAIR.replace("f,1\n", "f,0\n", 15)
    assert run(rows=rows, metrics={"DI": {"min": 0.8}}, waivers=[waiver]).code == 1


def earlier(rows: str, **parts: Any) -> None:
    """Write the report of these rows as a baseline."""
    run(rows=rows, **parts)
    Path("report.json").rename("old.json")


BASELINE = {"report": "old.json"}


@pytest.mark.parametrize("undecided", ["warn", "pass"])
def test_regression_is_no_pass_where_the_undecided_is(undecided: str) -> None:
    """What got worse beyond chance fails, though its value straddles and that counts mildly."""
    rules = {"decide_by": "inside", "undecided": undecided}
    parts: Parts = {"metrics": {"DPPL": {"max_abs": 0.3}}, "decision": rules}
    earlier(FAIR, **parts)
    assert run(rows=FAIR.replace("f,1\n", "f,0\n", 25), **parts).code == 0
    assert run(rows=FAIR.replace("f,1\n", "f,0\n", 25), baseline=BASELINE, **parts).code == 1


def test_regression_within_the_limits_is_no_pass() -> None:
    """A value within its limits, but worse than it was, fails."""
    metrics = {"DI": {"min": 0.8}}
    earlier(FAIR, metrics=metrics)
    worse = FAIR.replace("f,1\n", "f,0\n", 5)
    assert run(rows=worse, metrics=metrics).code == 0
    assert run(rows=worse, metrics=metrics, baseline=BASELINE).code == 1


def test_value_that_was_lost_is_no_pass() -> None:
    """A value that was there and is undefined by now ends with 4, though it has no limit."""
    parts: Parts = {
        "columns": {"prediction": {"column": "prediction", "above": 0, "constant": "allowed"}}
    }
    parts["metrics"] = {"DI": None}
    earlier(FAIR, **parts)
    gone = FAIR.replace(",1", ",0")
    assert run(rows=gone, **parts).code == 5
    assert run(rows=gone, baseline=BASELINE, **parts).code == 4


def test_baseline_of_other_groups_is_no_pass() -> None:
    """A baseline in which every group has another name is an error, not nothing to compare."""
    parts: Parts = {"metrics": {"DI": {"min": 0.1}}, "facets": {"sex": {"column": "sex"}}}
    earlier(FAIR, **parts)
    renamed = FAIR.replace("\nm", "\nmale").replace("\nf", "\nfemale")
    ended = run(rows=renamed, baseline=BASELINE, **parts)
    assert ended.code == 2
    assert "they have no groups in common" in ended.err


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "null"])
def test_baseline_that_is_not_there_is_no_pass(content: str | None) -> None:
    """A baseline that is missing or empty is an error, not the first run of many."""
    if content is not None:
        Path("old.json").write_text(content)
    ended = run(rows=FAIR, metrics={"DI": {"min": 0.1}}, baseline=BASELINE)
    assert ended.code == 3
    assert "Traceback" not in ended.err


def test_baseline_that_was_made_worse_is_no_pass() -> None:
    """A baseline whose value was changed so that nothing looks worse is refused."""
    metrics = {"DI": {"min": 0.1}}
    earlier(FAIR, metrics=metrics)
    values = json.loads(Path("old.json").read_text())
    values["result"]["checks"][0]["value"] = 0.1
    Path("old.json").write_text(json.dumps(values))
    ended = run(rows=FAIR, metrics=metrics, baseline=BASELINE)
    assert ended.code == 3
    assert "was changed since it was written" in ended.err


@pytest.mark.parametrize("most", [float("nan"), float("inf"), -0.1, "much", True])
def test_allowance_that_is_no_number_is_no_pass(most: Any) -> None:
    """A worsening that nothing exceeds is a wrong spec."""
    earlier(FAIR, metrics={"DI": None})
    baseline = {**BASELINE, "max_worsening": most}
    assert run(rows=FAIR, metrics={"DI": None}, baseline=baseline).code == 2


@pytest.mark.parametrize(
    "decision",
    [
        {"min_row": 30},
        {"min_rows": -1},
        {"min_rows": 0.5},
        {"min_rows": True},
        {"min_rows": "30"},
        {"decide_by": "insid"},
        {"decide_by": "Inside"},
        {"undecided": "ignore"},
        {"confidence": 95},
        {"confidence": 0.5},
        {"confidence": 1},
        {"correction": "bonferroni"},
    ],
)
def test_misspelt_decision_is_no_pass(decision: Parts) -> None:
    """A rule that there is not is a wrong spec with 2, also under --fail-on never."""
    for words in ((), ("--fail-on", "never")):
        ended = run(*words, rows=FAIR, metrics={"DI": {"min": 0.1}}, decision=decision)
        assert (ended.code, ended.out) == (2, "")


def test_report_of_a_run_without_waivers_is_not_that_of_one_with() -> None:
    """A report says whether waivers were applied; saying otherwise is found."""
    waiver = {**SAID, "metric": "DI"}
    rows = FAIR.replace("f,1\n", "f,0\n", 15)
    run("--no-waivers", rows=rows, metrics={"DI": {"min": 0.8}}, waivers=[waiver])
    text = Path("report.json").read_text()
    Path("report.json").write_text(text.replace('"waivers": false', '"waivers": true'))
    assert call("verify", "report.json").code == 1


def test_selected_checks_are_no_whole_audit() -> None:
    """Checks that were left out by a selection cannot be taken for an audit without them."""
    metrics = {"DI": {"min": 0.9}, "DPPL": {"max_abs": 0.9}}
    rows = FAIR.replace("f,1\n", "f,0\n", 15)
    assert run("--select", "DPPL", rows=rows, metrics=metrics).code == 0
    assert call("verify", "report.json", "--data").code == 0
    values = json.loads(Path("report.json").read_text())
    values["run"]["select"] = []
    Path("report.json").write_text(json.dumps(values))
    ended = call("verify", "report.json")
    assert ended.code == 1
    assert "WRONG result.checks: " in ended.out
