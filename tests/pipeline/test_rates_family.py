"""The family `rates` in a whole audit: its tests, its people, and what `all` stood for before."""

from typing import Any

import polars as pl

import biaspipe
from biaspipe.metrics import FAMILIES
from biaspipe.plan import not_computable, planned_checks
from biaspipe.report import Report
from biaspipe.spec import Audit

CELLS = {"a": (50, 10, 20, 120), "d": (20, 0, 30, 50)}
OUTCOMES = ((True, True), (True, False), (False, True), (False, False))


def spec(**changed: Any) -> dict[str, Any]:
    """Return a spec of two groups, with other keys."""
    return {
        "version": 1,
        "name": "rates",
        "columns": {
            "label": {"column": "label", "positive": True},
            "prediction": {"column": "prediction", "positive": True},
        },
        "facets": {"group": {"column": "group", "favored": "a", "disfavored": "d"}},
        **changed,
    }


def audited(**changed: Any) -> Report:
    """Return the report of the college applications of Vertex AI's documentation."""
    rows = [
        (group, *outcome)
        for group, counts in CELLS.items()
        for outcome, n in zip(OUTCOMES, counts, strict=True)
        for _ in range(n)
    ]
    frame = pl.DataFrame(rows, schema=["group", "label", "prediction"], orient="row")
    return biaspipe.run(spec(**changed), frame)


def test_what_is_left_of_a_rate_has_the_same_test() -> None:
    """Rates that add up to 1 share a test of parity in the family that is corrected for."""
    metrics = {"SD": None, "FPRD": None, "FPRR": None, "TNRR": None, "RD": None, "FNRR": None}
    result = audited(metrics=metrics, decision={"correction": "holm"}).result
    assert str(result.decision.family).startswith("the 2 tests of parity")


def test_numbers_of_two_rates_are_tested_by_both() -> None:
    """What joins two rates is tested by both, but for AOD, which may be 0 where both differ."""
    result = audited(metrics=dict.fromkeys(("EOD", "EOR", "AOD", "AAOD", "AOR"))).result
    tests = {check.metric: check.parity and check.parity.test for check in result.checks}
    assert tests == {**dict.fromkeys(("EOD", "EOR", "AAOD", "AOR"), "two-rates"), "AOD": None}
    assert all(check.interval for check in result.checks)


def test_people_of_both_rates_are_asked_for() -> None:
    """A number of two rates is decided only where people stand behind both of them."""
    metrics = {"EOD": {"max": 0.5}, "FPRD": {"max_abs": 0.5}}
    checks = audited(metrics=metrics, decision={"min_rows": 30}).result.checks
    assert {check.metric: check.verdict.value for check in checks} == {
        "EOD": "undecided",
        "FPRD": "pass",
    }
    assert checks[0].reason == "of d, only 20 people with 'label = true'; 30 are needed"


def test_report_says_which_edition_of_all_it_has() -> None:
    """A spec that says `all` has its edition in the report, and one that names metrics none."""
    assert audited(metrics={"all": None}).result.audit.edition == 2
    assert audited(metrics={"rates": None}).result.audit.edition is None


def test_first_edition_of_all_has_no_rates() -> None:
    """In its first edition `all` stands for 28 metrics; those named by themselves are there."""
    metrics = {"all": None, "EOD": {"max": 0.1}}
    audit = Audit.model_validate(spec(metrics=metrics, data={"path": "data.csv"}))
    first = {check.metric.id for check in planned_checks(audit, 1)} | set(not_computable(audit, 1))
    assert len(first) == 29
    assert first & {metric.id for metric in FAMILIES["rates"]} == {"EOD"}
