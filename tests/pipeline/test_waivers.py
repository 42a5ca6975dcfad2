"""Waivers: what they cover, until when, how far, and that nothing is hidden by them."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import SpecError
from biaspipe.loading import Loaded
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.selection import select
from biaspipe.report import Result
from tests.engines.builders import prepare, write
from tests.pipeline.reports import report, table

Parts = dict[str, Any]
PREDICTION = {"prediction": {"column": "prediction", "positive": 1}}
ROWS = table(
    "sex,race,prediction", "m,w,1 x 8", "m,b,0 x 2", "f,w,1 x 2", "f,b,0 x 8", "x,w,1", "x,b,0"
)
"""DI on sex: f 0.25, x 0.625; on race b 0."""
SAID = {"reason": "known since May", "approved_by": "Ada", "expires": "2027-03-31"}
FACETS = {"sex": {"column": "sex", "favored": "m"}, "race": {"column": "race", "favored": "w"}}
LAST = date(2027, 3, 31)


def prepared(folder: Path, *waivers: Parts, **parts: Any) -> Loaded:
    """Return a loaded audit with these waivers."""
    write(folder / "data.csv", ROWS)
    usual: Parts = {
        "columns": PREDICTION,
        "facets": FACETS,
        "metrics": {"DI": {"min": 0.8}, "DPPL": {"max_abs": 0.1, "facets": ["sex"]}},
    }
    said = [{**SAID, **waiver} for waiver in waivers]
    return prepare(folder, data={"path": "data.csv"}, **{**usual, **parts}, waivers=said)


def audit(folder: Path, *waivers: Parts, options: Options | None = None, **parts: Any) -> Result:
    """Run an audit with these waivers, on the last day of them all."""
    loaded = prepared(folder, *waivers, **parts)
    return run(loaded, options or Options(as_of=LAST)).result


def waived(result: Result) -> list[tuple[str, str | None, str | None]]:
    """Return metric, facet and disfavored group of the checks that are waived."""
    return [(c.metric, c.facet, c.disfavored) for c in result.checks if c.verdict == "waived"]


DI_SEX = [("DI", "sex", "f"), ("DI", "sex", "x")]
DI_RACE = [("DI", "race", "b")]
DPPL = [("DPPL", "sex", "f"), ("DPPL", "sex", "x")]


@pytest.mark.parametrize(
    ("waiver", "expected"),
    [
        ({"metric": "DI"}, [*DI_SEX, *DI_RACE]),
        ({"metric": "disparate_impact"}, [*DI_SEX, *DI_RACE]),
        ({"metric": "DI", "facet": "sex"}, DI_SEX),
        ({"facet": "race"}, DI_RACE),
        ({"facet": "sex"}, [*DI_SEX, *DPPL]),
        ({"metric": "DI", "disfavored": "f"}, DI_SEX[:1]),
        ({"metric": "DI", "favored": "m"}, DI_SEX),
        ({"facet": "sex", "favored": "m", "disfavored": "x"}, [DI_SEX[1], DPPL[1]]),
    ],
)
def test_waiver_covers_what_it_names_and_nothing_else(
    waiver: Parts, expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    """A waiver covers the checks of its metric, facet and groups; what it leaves out is any."""
    result = audit(tmp_path, waiver)
    assert sorted(waived(result)) == sorted(expected)
    assert result.tally["waived"] == len(expected)
    assert result.tally["fail"] == 5 - len(expected)
    assert result.waivers[0].waived == len(expected)


@pytest.mark.parametrize(
    ("waiver", "words"),
    [
        ({"metric": "RD"}, "this waiver matches nothing: there is no check of RD"),
        ({"metric": "DPPL", "facet": "race"}, "there is no check of DPPL on race"),
        ({"metric": "DX"}, "there is no metric 'DX'"),
        ({"facet": "age"}, "age"),
        ({}, "this waiver would cover every check"),
        ({"disfavored": "f"}, "this waiver would cover every check"),
        ({"metric": "DI", "disfavored": "ff"}, "has 'ff' as its disfavored group"),
        ({"metric": "DI", "favored": "f"}, "has 'f' as its favored group"),
        ({"metric": "DI", "facet": "sex", "disfavored": "b"}, "no comparison of sex has 'b'"),
        ({"metric": "DPPL", "disfavored": "b"}, "no comparison has 'b' as its disfavored"),
        ({"metric": "DI", "favored": "w", "disfavored": "f"}, "these groups are not compared"),
    ],
)
def test_waiver_that_matches_nothing_is_refused(waiver: Parts, words: str, tmp_path: Path) -> None:
    """A waiver that covers no check is a wrong spec, also where only the groups do not fit."""
    with pytest.raises(SpecError) as caught:
        audit(tmp_path, waiver)
    assert words in str(caught.value)


def test_waiver_of_a_check_without_limit_is_refused(tmp_path: Path) -> None:
    """A waiver whose groups only occur where the check has no limit covers no failure."""
    facets = {**FACETS, "race": {"column": "race", "favored": "w", "metrics": {"DI": None}}}
    with pytest.raises(SpecError, match="no comparison has 'b' as its disfavored group"):
        audit(tmp_path, {"metric": "DI", "disfavored": "b"}, facets=facets)


def test_waivers_of_what_is_not_selected_are_left_alone(tmp_path: Path) -> None:
    """A selection does not make waivers of other facets and metrics match nothing."""
    loaded = prepared(tmp_path, {"metric": "DI", "disfavored": "b"}, {"metric": "DPPL"})
    checks = select([loaded], ["DI", "sex"])[0]
    result = run(loaded, Options(checks, ("DI", "sex"), LAST)).result
    assert waived(result) == []
    assert [waiver.waived for waiver in result.waivers] == [0, 0]


@pytest.mark.parametrize("key", ["reason", "approved_by", "expires"])
@pytest.mark.parametrize("blank", [False, True])
def test_waiver_is_answered_for(key: str, blank: bool, tmp_path: Path) -> None:
    """Reason, approver and end are required, and are no empty words."""
    waiver = {**SAID, "metric": "DI", key: " "}
    if not blank:
        del waiver[key]
    write(tmp_path / "data.csv", ROWS)
    parts: Parts = {"columns": PREDICTION, "metrics": {"DI": {"min": 0.8}}, "waivers": [waiver]}
    with pytest.raises(SpecError, match=key):
        prepare(tmp_path, data={"path": "data.csv"}, **parts)


@pytest.mark.parametrize(
    ("day", "verdict", "state"),
    [
        (date(2027, 3, 30), "waived", "active"),
        (LAST, "waived", "active"),
        (date(2027, 4, 1), "fail", "expired"),
    ],
)
def test_waiver_holds_until_its_last_day(
    day: date, verdict: str, state: str, tmp_path: Path
) -> None:
    """The last day still counts; the day after it is a failure again, and says so."""
    result = audit(tmp_path, {"metric": "DPPL", "disfavored": "f"}, options=Options(as_of=day))
    check = next(c for c in result.checks if (c.metric, c.disfavored) == ("DPPL", "f"))
    assert (check.verdict, result.waivers[0].state) == (verdict, state)
    assert check.reason == (None if verdict == "waived" else "its waiver expired on 2027-03-31")


@pytest.mark.parametrize(
    ("bound", "verdict"),
    [
        ({"min": 0.25}, "waived"),
        ({"min": 0.2}, "waived"),
        ({"min": 0.2501}, "fail"),
        ({"max": 0.2}, "fail"),
        ({"min": 0.2, "max": 0.3}, "waived"),
    ],
)
def test_bound_ends_a_waiver(bound: Parts, verdict: str, tmp_path: Path) -> None:
    """A value on the bound is waived, one beyond it is a failure again, and says so."""
    result = audit(tmp_path, {"metric": "DI", "disfavored": "f", "bound": bound})
    check = next(c for c in result.checks if (c.metric, c.disfavored) == ("DI", "f"))
    assert check.verdict == verdict
    beyond = "the value is beyond the bound of its waiver"
    assert check.reason == (None if verdict == "waived" else beyond)


def test_bound_that_says_nothing_is_refused(tmp_path: Path) -> None:
    """A bound without a limit, or that its metric cannot have, is a wrong spec."""
    for bound, words in (({}, "the bound has no limit"), ({"max_abs": 0.1}, "max_abs")):
        with pytest.raises(SpecError, match=words):
            prepared(tmp_path, {"metric": "DI", "bound": bound})


NOBODY = table("sex,race,prediction", "m,w,0 x 9", "f,b,0 x 9", "x,b,0")


@pytest.mark.parametrize(("bound", "verdict"), [(None, "waived"), ({"min": 0}, "undecided")])
def test_undefined_value_keeps_no_bound(bound: Parts | None, verdict: str, tmp_path: Path) -> None:
    """An undecided check can be waived; with a bound, no value is no value within it."""
    columns = {"prediction": {"column": "prediction", "above": 0.5, "constant": "allowed"}}
    parts: Parts = {"columns": columns, "metrics": {"DI": {"min": 0.8}}}
    waiver = {"metric": "DI", **({"bound": bound} if bound else {})}
    loaded = prepared(tmp_path, waiver, **parts)
    write(tmp_path / "data.csv", NOBODY)
    result = run(loaded, Options(as_of=LAST)).result
    assert {check.verdict for check in result.checks} == {verdict}


def test_waivers_that_are_not_applied_are_listed(tmp_path: Path) -> None:
    """Without waivers every failure fails and says that its waiver is not applied."""
    options = Options(as_of=LAST, waive=False)
    result = audit(tmp_path, {"metric": "DI"}, {"metric": "DPPL"}, options=options)
    assert (result.tally["fail"], result.tally["waived"]) == (5, 0)
    assert {w.state for w in result.waivers} == {"not applied"}
    assert {c.reason for c in result.checks} == {"its waiver is not applied"}


def test_waiver_that_holds_stands_in_for_one_that_does_not(tmp_path: Path) -> None:
    """Of several waivers the first that holds counts, wherever it stands."""
    old = {"metric": "DI", "expires": "2020-01-01"}
    tight = {"metric": "DI", "bound": {"min": 0.9}}
    result = audit(tmp_path, old, tight, {"metric": "DI"}, {"facet": "sex"})
    notes = [c.waiver for c in result.checks if c.metric == "DI" and c.waiver]
    assert [(note.number, note.state) for note in notes] == [(3, "waived")] * 3
    assert [w.waived for w in result.waivers] == [0, 0, 3, 2]


def test_waiver_leaves_passes_and_warnings_alone(tmp_path: Path) -> None:
    """What did not fail is not waived: it passes or warns as it would."""
    metrics = {"DI": {"min": 0.1, "warn": {"min": 0.5}, "facets": ["sex"]}}
    result = audit(tmp_path, {"metric": "DI"}, metrics=metrics)
    assert [c.verdict for c in result.checks] == ["warn", "pass"]
    assert result.waivers[0].waived == 0


def test_waived_failure_keeps_its_value_and_sentence(tmp_path: Path) -> None:
    """A waived check shows the value, limits and sentence that it would have failed with."""
    bare = audit(tmp_path).checks[0]
    check = audit(tmp_path, {"metric": "DI"}).checks[0]
    assert check.verdict == "waived"
    assert (check.value, check.limits, check.sentence) == (bare.value, bare.limits, bare.sentence)


def test_waived_audit_passes_but_is_not_called_a_pass(tmp_path: Path) -> None:
    """An audit whose every failure is waived has the verdict waived."""
    assert audit(tmp_path, {"metric": "DI"}, {"metric": "DPPL"}).verdict == "waived"


def test_record_holds_all_that_was_said(tmp_path: Path) -> None:
    """The report holds who waived what, why, where that was decided, until when, how far."""
    waiver = {"metric": "DI", "disfavored": "f", "ticket": "RISK-7", "bound": {"min": 0.2}}
    record = audit(tmp_path, waiver).waivers[0].model_dump(exclude={"line", "spec_key"})
    assert record == {
        "metric": "DI",
        "facet": None,
        "favored": None,
        "disfavored": "f",
        "reason": "known since May",
        "approved_by": "Ada",
        "ticket": "RISK-7",
        "expires": "2027-03-31",
        "bound": {"min": 0.2, "max": None, "max_abs": None},
        "regression": None,
        "state": "active",
        "waived": 1,
    }


@pytest.mark.parametrize("name", ["1", "true", " ", "the rest", "ä & ö", "null", "[red]", "😀"])
def test_groups_of_odd_names_can_be_waived_one_by_one(name: str, tmp_path: Path) -> None:
    """A waiver finds a group by its name, whatever that looks like, and no other group."""
    shown = {" ": "' '", "the rest": "'the rest'"}.get(name, name)
    loaded = prepared(
        tmp_path,
        {"metric": "DI", "disfavored": shown},
        facets={"sex": {"column": "sex", "favored": "m"}},
        metrics={"DI": {"min": 0.8}},
    )
    write(tmp_path / "data.csv", ROWS.replace("f,", f'"{name}",'))
    result = run(loaded, Options(as_of=LAST)).result
    assert waived(result) == [("DI", "sex", shown)]
    assert result.tally["fail"] == 1


def test_metric_without_groups_is_waived_by_its_name(tmp_path: Path) -> None:
    """GE stands in no facet: its name waives it, a facet or a group does not."""
    columns = {**PREDICTION, "label": {"column": "race", "positive": "b"}}
    parts: Parts = {"columns": columns, "metrics": {"GE": {"max": 0}, "DPPL": {"max_abs": 0.1}}}
    assert ("GE", None, None) in waived(audit(tmp_path, {"metric": "GE"}, **parts))
    assert ("GE", None, None) not in waived(audit(tmp_path, {"facet": "sex"}, **parts))
    with pytest.raises(SpecError, match="GE compares no groups"):
        audit(tmp_path, {"metric": "GE", "favored": "m"}, **parts)


@pytest.mark.parametrize(
    ("more", "limit", "verdict", "reason"),
    [
        ({}, 0.8, "fail", "also worse than in the baseline"),
        ({}, 0.1, "fail", "worse than in the baseline"),
        ({"regression": True}, 0.8, "waived", "also worse than in the baseline"),
        ({"regression": True}, 0.1, "waived", "worse than in the baseline"),
        ({"regression": True, "bound": {"min": 0.3}}, 0.8, "fail", "also worse than in"),
    ],
)
def test_waiver_of_a_limit_is_none_of_a_regression(
    more: Parts, limit: float, verdict: str, reason: str, tmp_path: Path
) -> None:
    """A value worse than in the baseline fails, unless its waiver says that it may get worse."""
    parts: Parts = {"columns": PREDICTION, "metrics": {"DI": {"min": limit, "facets": ["sex"]}}}
    before = table(
        "sex,race,prediction", "m,w,1 x 8", "m,b,0 x 2", "f,w,1 x 6", "f,b,0 x 4", "x,w,1"
    )
    path = report(tmp_path, before, "old", **parts, facets=FACETS)
    waiver = {"metric": "DI", "disfavored": "f", **more}
    loaded = prepared(tmp_path, waiver, **parts, baseline={"report": path.name})
    check = run(loaded, Options(as_of=LAST)).result.checks[0]
    assert (check.disfavored, check.verdict) == ("f", verdict)
    assert check.reason
    assert check.reason.startswith(reason)
    says = "its waiver is for the limits, not for a regression"
    assert (says in check.reason) == (not more)


def test_waiver_of_what_did_not_get_worse_holds(tmp_path: Path) -> None:
    """Beside a baseline, a failure that is no worse than it was is waived as ever."""
    parts: Parts = {"columns": PREDICTION, "facets": FACETS, "metrics": {"DI": {"min": 0.8}}}
    report(tmp_path, ROWS, "old", **parts)
    loaded = prepared(tmp_path, {"metric": "DI"}, **parts, baseline={"report": "old.json"})
    assert run(loaded, Options(as_of=LAST)).result.verdict == "waived"


def test_waiver_of_a_regression_needs_a_baseline(tmp_path: Path) -> None:
    """Without a baseline nothing can get worse, so that such a waiver is a wrong spec."""
    with pytest.raises(SpecError, match="no value can be worse than in a baseline"):
        prepared(tmp_path, {"metric": "DI", "regression": True})
