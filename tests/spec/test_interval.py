"""Intervals: which numbers lie in them, which of them meet, how they are written."""

from math import inf
from typing import Any

import pytest
from pydantic import ValidationError

from biaspipe.spec import Interval

BOTH_IN = Interval(at_least=25, at_most=60)
BOTH_OUT = Interval(above=25, below=60)
LOWER_IN = Interval(at_least=25, below=60)
UPPER_IN = Interval(above=25, at_most=60)


@pytest.mark.parametrize(
    ("interval", "lower", "upper"),
    [
        (BOTH_IN, True, True),
        (BOTH_OUT, False, False),
        (LOWER_IN, True, False),
        (UPPER_IN, False, True),
    ],
)
def test_bounds_of_an_interval(interval: Interval, lower: bool, upper: bool) -> None:
    """A bound lies in the interval with at_least and at_most, not with above and below."""
    assert (25 in interval) is lower
    assert (60 in interval) is upper
    assert 40 in interval
    assert 24.999 not in interval
    assert 60.001 not in interval


def test_open_ended_interval() -> None:
    """An interval with one bound goes on without end on the other side."""
    assert inf in Interval(at_least=25)
    assert -inf in Interval(below=25)
    assert 25 not in Interval(below=25)
    assert 24.9 not in Interval(at_least=25)


def test_bound_of_zero_is_a_bound() -> None:
    """Zero bounds an interval like any other number."""
    assert 0 not in Interval(above=0)
    assert -1 not in Interval(at_least=0)
    assert 0 in Interval(at_most=0)
    assert 1 not in Interval(at_most=0)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (Interval(below=25), Interval(at_least=25), False),
        (Interval(at_most=25), Interval(above=25), False),
        (Interval(below=25), Interval(above=25), False),
        (Interval(at_most=25), Interval(at_least=25), True),
        (Interval(below=25), Interval(above=24), True),
        (Interval(below=25), Interval(below=3), True),
        (Interval(above=25), Interval(at_least=90), True),
        (BOTH_OUT, Interval(at_least=30, below=31), True),
        (BOTH_OUT, Interval(at_least=60), False),
        (BOTH_IN, Interval(at_least=60), True),
        (BOTH_IN, Interval(at_most=24), False),
    ],
)
def test_intervals_that_meet(one: Interval, other: Interval, meet: bool) -> None:
    """Two intervals meet where some number lies in both, whichever is asked."""
    assert one.meets(other) is meet
    assert other.meets(one) is meet


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(above=25), "age > 25"),
        (Interval(at_least=25), "age >= 25"),
        (Interval(below=0.5), "age < 0.5"),
        (Interval(at_most=-1), "age <= -1"),
        (BOTH_IN, "25 <= age <= 60"),
        (BOTH_OUT, "25 < age < 60"),
        (LOWER_IN, "25 <= age < 60"),
        (UPPER_IN, "25 < age <= 60"),
    ],
)
def test_text_of_an_interval(interval: Interval, text: str) -> None:
    """An interval is written as the condition that it is."""
    assert interval.text("age") == text


def test_interval_of_one_number() -> None:
    """Two closed bounds may be the same number."""
    assert 25 in Interval(at_least=25, at_most=25)


@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"above": 25, "at_least": 30},
        {"below": 25, "at_most": 30},
        {"above": 60, "below": 25},
        {"above": 25, "below": 25},
        {"at_least": 25, "below": 25},
        {"above": 25, "at_most": 25},
        {"above": inf},
        {"above": True},
        {"above": "25"},
    ],
)
def test_no_interval(bounds: dict[str, Any]) -> None:
    """Bounds that no number could keep, or that are no finite numbers, make no interval."""
    with pytest.raises(ValidationError):
        Interval(**bounds)
