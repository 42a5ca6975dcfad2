"""Checks: limits that a value keeps or not, and parameters of metrics."""

from math import inf
from typing import Any

import pytest

from biaspipe.metrics import find
from biaspipe.spec import Check, Limits


@pytest.mark.parametrize(
    ("value", "kept"), [(0.8, True), (1.25, True), (1.0, True), (0.7999, False), (1.2501, False)]
)
def test_value_on_a_bound_keeps_it(value: float, kept: bool) -> None:
    """A value on its limit keeps it; one beyond does not."""
    assert Limits(min=0.8, max=1.25).keeps(value) is kept


@pytest.mark.parametrize(
    ("value", "kept"), [(0.1, True), (-0.1, True), (0.0, True), (0.1001, False), (-0.1001, False)]
)
def test_distance_from_zero(value: float, kept: bool) -> None:
    """`max_abs` bounds a value on both sides of zero."""
    assert Limits(max_abs=0.1).keeps(value) is kept


def test_limit_of_zero_is_a_limit() -> None:
    """Zero limits a value like any other number."""
    assert Limits(max_abs=0).keeps(0.0)
    assert not Limits(max_abs=0).keeps(0.001)
    assert not Limits(min=0).keeps(-0.001)
    assert not Limits(max=0).keeps(0.001)
    assert Check(min=0).has_limit


def test_infinity_is_beyond_every_limit() -> None:
    """An infinite value breaks the limit on its side, and only that one."""
    assert not Limits(max=1.25).keeps(inf)
    assert not Limits(max_abs=0.1).keeps(-inf)
    assert Limits(min=0.8).keeps(inf)
    assert Limits().keeps(inf)


def test_bounds_that_are_set() -> None:
    """The bounds of a limit are those that the spec sets."""
    assert Limits(min=0.8, max_abs=0.0).bounds == {"min": 0.8, "max_abs": 0.0}
    assert Limits().bounds == {}


@pytest.mark.parametrize(
    ("check", "limited"),
    [
        (Check(), False),
        (Check(k=5), False),
        (Check(warn=Limits()), False),
        (Check(warn=Limits(min=0.9)), True),
        (Check(max=1.25), True),
    ],
)
def test_check_with_a_limit(check: Check, limited: bool) -> None:
    """A check has a limit if its value could fail or warn."""
    assert check.has_limit is limited


@pytest.mark.parametrize(
    ("check", "metric", "parameters"),
    [
        (Check(), "FT", {"k": 5, "scaling": "standard"}),
        (Check(k=3, scaling="none"), "FT", {"k": 3, "scaling": "none"}),
        (Check(), "LP", {"p": 2.0}),
        (Check(p=1), "LP", {"p": 1.0}),
        (Check(), "GE", {"alpha": 2.0}),
        (Check(alpha=0), "GE", {"alpha": 0.0}),
        (Check(k=3), "DI", {}),
    ],
)
def test_parameters(check: Check, metric: str, parameters: dict[str, Any]) -> None:
    """A metric gets the parameters that the spec sets, its defaults for the others, no more."""
    assert check.parameters(find(metric)) == parameters


def test_number_of_neighbours_is_whole() -> None:
    """A count is handed on as a whole number."""
    assert type(Check(k=3).parameters(find("FT"))["k"]) is int
