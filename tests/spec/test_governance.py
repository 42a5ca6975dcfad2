"""Decision, waivers, baseline and weights: defaults, and what is no valid value."""

from datetime import date, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from biaspipe.spec import Audit, Baseline, Columns, Decision, Limits, Waiver, Weight, day
from tests.spec.test_spec import audit

WAIVER: dict[str, Any] = {
    "metric": "DI",
    "reason": "Rebuilt in March",
    "approved_by": "Ada",
    "expires": "2027-03-31",
}


def test_audit_without_governance() -> None:
    """An audit that says nothing on it has no decision, no waivers and no baseline."""
    least = audit()
    assert (least.decision, least.waivers, least.baseline) == (None, (), None)


def test_rules_without_a_decision() -> None:
    """Where the spec does not say how values are decided, groups may have any size."""
    assert audit().rules == Decision(
        confidence=0.95, decide_by="value", min_rows=0, undecided="fail", correction="none"
    )


@pytest.mark.parametrize("given", [{}, {"confidence": 0.95}, {"decide_by": "value"}])
def test_defaults_of_a_decision(given: dict[str, Any]) -> None:
    """A decision that says little takes 30 people in each group, and decides by the value."""
    assert audit(decision=given).rules == Decision(
        confidence=0.95, decide_by="value", min_rows=30, undecided="fail", correction="none"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("confidence", 0.51),
        ("confidence", 0.999),
        ("min_rows", 0),
        ("min_rows", 1_000_000),
        ("decide_by", "outside"),
        ("undecided", "pass"),
        ("correction", "holm"),
    ],
)
def test_what_a_decision_may_say(key: str, value: object) -> None:
    """A decision keeps what the spec says."""
    assert getattr(audit(decision={key: value}).rules, key) == value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("confidence", value) for value in (0.5, 1, 95, 0, -0.95, True, "0.95", None)),
        *(("min_rows", value) for value in (-1, 30.0, 3.5, True, "30", None)),
        *(("decide_by", value) for value in ("interval", "Inside", True, None)),
        *(("undecided", value) for value in ("undecided", "never", False, None)),
        *(("correction", value) for value in ("bonferroni", "Holm", False, None)),
        ("threshold", 1),
    ],
)
def test_what_a_decision_may_not_say(key: str, value: object) -> None:
    """A decision refuses every other value, and every other key."""
    with pytest.raises(ValidationError, match=key):
        audit(decision={key: value})


def test_least_waiver() -> None:
    """A waiver says which metric or facet, why, who and until when, and nothing else."""
    (waiver,) = audit(waivers=[WAIVER]).waivers
    assert waiver == Waiver(
        metric="DI",
        facet=None,
        favored=None,
        disfavored=None,
        reason="Rebuilt in March",
        approved_by="Ada",
        ticket=None,
        expires=date(2027, 3, 31),
        bound=None,
    )


@pytest.mark.parametrize("side", [0, False, 1.5, "0", "female"])
def test_side_of_a_waiver_keeps_its_type(side: Any) -> None:
    """A group that a waiver names is the value that the spec gives it."""
    (waiver,) = audit(waivers=[{**WAIVER, "disfavored": side}]).waivers
    assert waiver.disfavored == side
    assert type(waiver.disfavored) is type(side)


def test_bound_of_a_waiver() -> None:
    """A bound is a limit like that of a check, without a warning."""
    (waiver,) = audit(waivers=[{**WAIVER, "bound": {"min": 0.6, "max": 1}}]).waivers
    assert waiver.bound == Limits(min=0.6, max=1)
    with pytest.raises(ValidationError, match="warn"):
        audit(waivers=[{**WAIVER, "bound": {"warn": {"min": 0.7}}}])


@pytest.mark.parametrize("key", ["reason", "approved_by", "expires"])
@pytest.mark.parametrize("value", [None, "", " ", "\t\n", 1])
def test_what_a_waiver_has_to_say(key: str, value: object) -> None:
    """A waiver without a reason, a name or an end, or with blank ones, is none."""
    with pytest.raises(ValidationError, match=key):
        audit(waivers=[{**WAIVER, key: value}])
    with pytest.raises(ValidationError, match=key):
        audit(waivers=[{name: part for name, part in WAIVER.items() if name != key}])


@pytest.mark.parametrize("value", ["2028-02-29", "0001-01-01", "9999-12-31", date(2028, 2, 29)])
def test_days(value: str | date) -> None:
    """A day is written as year, month and day, and may be a leap day."""
    assert day(value).isoformat() == str(value)


@pytest.mark.parametrize(
    "value",
    [
        *("soon", "20270331", "2027-3-31", "27-03-31", "31.03.2027", "2027-02-29", "2027-13-01"),
        *("2027-03-31 ", "2027-03-31T00:00", "\uff12027-03-31", "2027-03-31\n", "2027-W13-3", ""),
        *(20270331, 0, True, None, datetime(2027, 3, 31, 12), ["2027-03-31"]),
    ],
)
def test_what_is_no_day(value: object) -> None:
    """What is written otherwise, or is on no calendar, is no day."""
    with pytest.raises(ValueError, match="day"):
        day(value)


def test_defaults_of_a_baseline() -> None:
    """No value may be worse than in a baseline unless the spec says by how much."""
    assert audit(baseline={"report": "v1.json"}).baseline == Baseline(
        report="v1.json", max_worsening=0
    )


@pytest.mark.parametrize("worsening", [-0.01, True, "0.02", float("inf"), float("nan"), None])
def test_worsening_that_is_none(worsening: object) -> None:
    """How much worse a value may be is a number, and not less than 0."""
    with pytest.raises(ValidationError, match="max_worsening"):
        audit(baseline={"report": "v1.json", "max_worsening": worsening})


@pytest.mark.parametrize(
    ("weight", "full"),
    [
        (None, None),
        ("n", Weight(column="n", kind="frequency")),
        ({"column": "n"}, Weight(column="n", kind="frequency")),
        ({"column": "n", "kind": "frequency"}, Weight(column="n", kind="frequency")),
        ({"column": "w", "kind": "sampling"}, Weight(column="w", kind="sampling")),
    ],
)
def test_weights(weight: Any, full: Weight | None) -> None:
    """A bare column of weights is one of frequencies."""
    columns = Columns(weight=weight)
    assert columns.weighting == full
    assert columns.weight_column == (full.column if full else None)


@pytest.mark.parametrize(
    "weight", [3, True, "", ["n"], {}, {"kind": "sampling"}, {"column": "n", "kind": "importance"}]
)
def test_what_is_no_weight(weight: Any) -> None:
    """A weight is a column or a mapping with one, of one of two kinds."""
    with pytest.raises(ValidationError, match="weight"):
        Audit.model_validate({**audit().model_dump(), "columns": {"weight": weight}})
