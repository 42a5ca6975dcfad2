"""Marks stand where their numbers are on a scale, and never outside of it."""

from math import inf

import pytest

from biaspipe.renderers.figures import Ends, IntervalBar, RateBar, RowBar, Scale
from biaspipe.renderers.page.marks import (
    Dot,
    frame_marks,
    rate_marks,
    round_scale,
    row_marks,
    value_marks,
)
from biaspipe.verdict import Verdict

LINEAR, RATIOS = Scale(-0.5, 0.5), Scale(0.1, 10, logarithmic=True)


def bar(value: float | None, ends: Ends | None = None, earlier: float | None = None) -> IntervalBar:
    """Return a value to place."""
    return IntervalBar("DI", "", value, ends, None, None, 0, Verdict.FAIL, earlier)


@pytest.mark.parametrize(
    ("value", "scale", "dot"),
    [
        (0.0, LINEAR, Dot(50.0)),
        (-0.5, LINEAR, Dot(0.0)),
        (0.5, LINEAR, Dot(100.0)),
        (0.6, LINEAR, Dot(100.0, "high")),
        (-inf, LINEAR, Dot(0.0, "low")),
        (inf, RATIOS, Dot(100.0, "high")),
        (1.0, RATIOS, Dot(50.0)),
        (0.31622776601683794, RATIOS, Dot(25.0)),
        (0.0, RATIOS, Dot(0.0, "low")),
        (-1.0, RATIOS, Dot(0.0, "low")),
        (2.0, Scale(1, 1), Dot(50.0, "high")),
        (None, LINEAR, None),
    ],
)
def test_value_stands_on_its_scale(value: float | None, scale: Scale, dot: Dot | None) -> None:
    """A value stands at its place; beyond an edge it stands on that, and is said to."""
    assert value_marks(bar(value), scale).value == dot


def test_equal_ratios_are_equally_long() -> None:
    """On a scale of ratios a half is as far from parity as twofold is."""
    marks = value_marks(bar(2.0, (0.5, 2.0)), RATIOS)
    assert marks.interval is not None
    assert (marks.interval.start, marks.interval.end) == (34.9, 65.1)


def test_interval_reaches_over_the_edges() -> None:
    """An interval that goes on beyond an edge ends on it, and is said to go on."""
    marks = value_marks(bar(0.0, (-inf, 0.7)), LINEAR)
    assert marks.interval is not None
    assert (marks.interval.start, marks.interval.width) == (0.0, 100.0)
    assert (marks.beyond_low, marks.beyond_high) == (True, True)


def test_interval_beyond_the_scale_is_not_drawn() -> None:
    """Of an interval that lies beyond an edge as a whole, an arrow is all that there is."""
    marks = value_marks(bar(0.9, (0.8, 1.2)), LINEAR)
    assert (marks.interval, marks.beyond_low, marks.beyond_high) == (None, False, True)


def test_change_is_what_lies_between_two_values() -> None:
    """The change goes from the earlier value to the value, whichever is less."""
    up, down = value_marks(bar(0.25, None, 0.0), LINEAR), value_marks(bar(0.0, None, 0.25), LINEAR)
    assert up.change is not None
    assert up.change == down.change
    assert (up.change.start, up.change.end, up.change.width) == (50.0, 75.0, 25.0)
    assert value_marks(bar(None, None, 0.25), LINEAR).change is None


@pytest.mark.parametrize(
    ("limit", "place"),
    [
        ((-0.1, 0.1), (40.0, 60.0, False, False)),
        ((-inf, 0.1), (0.0, 60.0, True, False)),
        ((-0.1, inf), (40.0, 100.0, False, True)),
        ((-0.5, 0.5), (0.0, 100.0, False, False)),
    ],
)
def test_limit_is_a_band(limit: Ends, place: tuple[float, float, bool, bool]) -> None:
    """A limit is a band between its ends; without a bound it goes on beyond the edge."""
    band = frame_marks(limit, None, 0, LINEAR).limit
    assert band is not None
    assert (band.start, band.end, band.open_low, band.open_high) == place


def test_parity_beyond_the_scale_is_not_drawn() -> None:
    """A scale that does not hold parity has no line of it."""
    assert frame_marks(None, None, 1, LINEAR).parity is None
    assert frame_marks(None, None, 0, LINEAR).parity == 50.0


def test_rate_of_nobody_has_no_bar() -> None:
    """A rate that nobody stands behind has neither a bar nor an interval."""
    assert rate_marks(RateBar("women", "nobody", None, None)) == (None, None)


def test_parts_of_a_bar_follow_each_other() -> None:
    """Parts stand one behind the other; one of no rows has no place."""
    marks = row_marks(RowBar("all", (("a", 2, "2"), ("b", 0, "0"), ("c", 1, "1"))), 4)
    assert [(number, part.start, part.end) for number, part in marks.parts] == [
        (0, 0.0, 50.0),
        (2, 50.0, 75.0),
    ]
    assert row_marks(RowBar("none", (("a", 0, "0"),)), 0).parts == ()


@pytest.mark.parametrize(
    ("needed", "rounded"),
    [
        (LINEAR, LINEAR),
        (RATIOS, RATIOS),
        (Scale(-0.1121, 0.1123), Scale(-0.12, 0.12)),
        (Scale(0, 1), Scale(0, 1)),
        (Scale(0.3, 0.7), Scale(0.3, 0.7)),
        (Scale(-37.2, 8.4), Scale(-38, 9)),
        (Scale(0.443, 1.64, logarithmic=True), Scale(0.4, 2, logarithmic=True)),
        (Scale(0.8, 30, logarithmic=True), Scale(0.8, 30, logarithmic=True)),
        (Scale(1, 1), Scale(1, 1)),
    ],
)
def test_scales_have_round_ends(needed: Scale, rounded: Scale) -> None:
    """The ends of a scale are round numbers, as near as there are outside of what is needed."""
    assert round_scale(needed) == rounded
