"""`waivers` and the options of `run` that judge them."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Ended, call, write_audit

Parts = dict[str, Any]
SAID: Parts = {
    "metric": "DI",
    "reason": "model v2 is on its way",
    "approved_by": "Ada Lovelace",
    "expires": "2027-03-31",
}


def spec(name: str = "audit", **waiver: Any) -> Path:
    """Write an audit whose only check fails, with a waiver."""
    return write_audit(name, metrics={"DI": {"min": 0.9}}, waivers=[{**SAID, **waiver}])


def run(*words: object, **waiver: Any) -> Ended:
    """Run an audit with a waiver."""
    return call("run", spec(**waiver), *words)


def test_waived_failure_stays_visible() -> None:
    """A waived failure ends with 0, has its own tally, and says who answers for it."""
    ended = run("--as-of", "2027-01-01", ticket="RISK-7")
    assert ended.code == 0
    assert ended.last.startswith("1 waived  (")
    assert "WAIVED   DI" in ended.out
    text = " ".join(ended.out.split())
    assert "waived by Ada Lovelace until 2027-03-31, RISK-7: model v2 is on its way" in text


@pytest.mark.parametrize(
    ("day", "code"), [("2027-03-30", 0), ("2027-03-31", 0), ("2027-04-01", 1), ("9999-12-31", 1)]
)
def test_waiver_ends_behind_its_last_day(day: str, code: int) -> None:
    """The last day still counts; the next one fails again and says so."""
    ended = run("--as-of", day)
    assert ended.code == code
    assert ("its waiver expired on 2027-03-31" in " ".join(ended.out.split())) is bool(code)


def test_value_beyond_the_bound_fails_again() -> None:
    """A value beyond its waiver's bound fails again and says so."""
    assert run("--as-of", "2027-01-01", bound={"min": 0.6}).code == 0
    ended = run("--as-of", "2027-01-01", bound={"min": 0.7})
    assert ended.code == 1
    assert "the value is beyond the bound of its waiver" in " ".join(ended.out.split())


def test_waivers_can_be_left_aside() -> None:
    """With --no-waivers the failure is one, and says that it would be waived."""
    ended = run("--no-waivers", "--as-of", "2027-01-01")
    assert ended.code == 1
    assert "its waiver is not applied" in " ".join(ended.out.split())


def test_waiver_does_not_waive_warnings() -> None:
    """Under --fail-on warn a warning beside a waived failure still fails."""
    metrics = {"DI": {"min": 0.9}, "DPPL": {"warn": {"max_abs": 0.1}}}
    path = write_audit(metrics=metrics, waivers=[{**SAID, "expires": "2099-01-01"}])
    assert call("run", path).code == 0
    assert call("run", path, "--fail-on", "warn").code == 1


@pytest.mark.parametrize(
    ("day", "listed"),
    [("2027-02-28", False), ("2027-03-01", True), ("2027-03-31", True)],
)
def test_waivers_that_end_soon_are_listed(day: str, listed: bool) -> None:
    """A run lists the waivers that end within thirty days."""
    assert ("ends on 2027-03-31" in run("--as-of", day).out) is listed


ODD = [
    "today",
    "2026-1-1",
    "20270101",
    "2026-02-30",
    "0000-01-01",
    "2026-W01-1",
    "",
    " ",
    "\u0662\u0660\u0662\u0666-\u0660\u0661-\u0660\u0661",
]


@pytest.mark.parametrize("day", ODD)
@pytest.mark.parametrize("command", ["run", "waivers"])
def test_day_has_to_be_one(day: str, command: str) -> None:
    """A day in other words, or one that there is not, ends with 2."""
    ended = call(command, spec(), "--as-of", day)
    assert (ended.code, ended.out) == (2, "")
    assert "Invalid value for '--as-of'" in ended.err


@pytest.mark.parametrize("wrong", [{"expires": None}, {"disfavored": None}, {"bound": None}])
def test_key_without_a_value_is_no_key_left_out(wrong: Parts) -> None:
    """A key with nothing behind it is wrong: left out, it would cover more."""
    ended = run(**wrong)
    assert ended.code == 2
    assert "nothing stands behind the key" in ended.err


@pytest.mark.parametrize(
    "wrong",
    [
        {"metric": "DX"},
        {"metric": "DPPL"},
        {"facet": "gender"},
        {"disfavored": "m"},
        {"disfavored": "F"},
        {"until": "2027-01-01"},
        {"expires": "soon"},
        {"reason": ""},
        {"approved_by": "\t"},
    ],
)
@pytest.mark.parametrize("options", [(), ("--no-waivers",)])
def test_wrong_waiver_is_a_wrong_spec(wrong: Parts, options: tuple[str, ...]) -> None:
    """A waiver that matches nothing, or is not whole, ends with 2 at its line."""
    ended = run(*options, **wrong)
    assert ended.code == 2
    assert ended.err.startswith("error: audit.yaml:")


def test_list_shows_every_waiver_with_its_state() -> None:
    """Waivers are listed with state, end, scope, approver, ticket, reason and place."""
    Path("audits").mkdir()
    for name, expires in (("a", "2027-03-31"), ("b", "2026-12-31"), ("c", "2027-01-20")):
        spec(name, expires=expires, disfavored="f", ticket="RISK-7").rename(f"audits/{name}.yaml")
    ended = call("waivers", "audits", "--as-of", "2027-01-01", COLUMNS="200")
    assert ended.code == 0
    rows = [line for line in ended.out.splitlines() if "RISK-7" in line]
    assert [row.split()[0] for row in rows] == ["expired", "19", "active"]
    assert "2027-03-31" in rows[2]
    assert "DI, disfavored f" in rows[2]
    assert "Ada Lovelace" in rows[2]
    assert "audits/a.yaml:" in rows[2]
    assert ended.last == "3 waivers as of 2027-01-01, 1 expired"


def test_list_of_nothing_says_so() -> None:
    """Specs without waivers say so and end with 0."""
    ended = call("waivers", write_audit())
    assert (ended.code, ended.out) == (0, "no waivers\n")


def test_list_of_a_wrong_spec_ends_with_2() -> None:
    """A wrong spec among others ends with 2, and the others are listed."""
    Path("audits").mkdir()
    spec("a").rename("audits/a.yaml")
    spec("b", metric="DX").rename("audits/b.yaml")
    ended = call("waivers", "audits")
    assert ended.code == 2
    assert "Ada Lovelace" in ended.out
    assert "there is no metric 'DX'" in ended.err


def test_waiver_of_limits_does_not_cover_what_only_the_baseline_decides() -> None:
    """A value without a limit that was lost since the baseline is no failure of a limit."""
    rows = "sex,prediction,label\n" + "m,1,1\nm,0,0\nf,1,1\nf,0,0\n" * 5
    metrics = {"RD": None, "CI": {"max_abs": 0.9}}
    assert call("run", write_audit(rows=rows, metrics=metrics), "-o", "old.json").code == 0
    accepted: dict[str, Any] = {"metric": "RD", "reason": "r", "approved_by": "Ada"}
    accepted["expires"] = "2099-12-31"
    parts: dict[str, Any] = {"metrics": metrics, "baseline": {"report": "old.json"}}
    assert call("run", write_audit(**parts, waivers=[accepted])).code == 4
    accepted["regression"] = True
    assert call("run", write_audit(**parts, waivers=[accepted])).code == 0
