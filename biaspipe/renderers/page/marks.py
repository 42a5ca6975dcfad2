"""Where the marks of a picture stand: figures to places in percent of its width.

What lies beyond a scale stands on its edge and is said to, so that nothing is drawn outside.
"""

from math import inf, log
from typing import Literal, NamedTuple

from biaspipe.renderers.figures import Ends, IntervalBar, RateBar, RowBar, Scale

__all__ = [
    "SHARES",
    "Dot",
    "FrameMarks",
    "RateMarks",
    "RowMarks",
    "Stretch",
    "ValueMarks",
    "frame_marks",
    "rate_marks",
    "row_marks",
    "value_marks",
]

SHARES = Scale(0, 1)
"""What rates stand on."""
FULL = 100.0
Edge = Literal["", "low", "high"]


class Stretch(NamedTuple):
    """Something from one place to another, which may go on beyond the edges.

    Parameters
    ----------
    start, end, width : in percent of the picture.
    open_low, open_high : whether it goes on beyond the left, beyond the right.
    """

    start: float
    end: float
    width: float
    open_low: bool = False
    open_high: bool = False


class Dot(NamedTuple):
    """A value; on an edge where it lies beyond that."""

    place: float
    beyond: Edge = ""


class FrameMarks(NamedTuple):
    """What a value is seen against; None for what there is not."""

    limit: Stretch | None
    warn: Stretch | None
    parity: float | None


class ValueMarks(NamedTuple):
    """A value and its interval; None for what there is not."""

    interval: Stretch | None
    value: Dot | None
    earlier: Dot | None
    change: Stretch | None
    """From the earlier value to the value."""
    beyond_low: bool
    beyond_high: bool
    """Whether the value or its interval goes on beyond an edge."""


class RateMarks(NamedTuple):
    """The rate of a group and its interval; None for what there is not."""

    value: float | None
    interval: Stretch | None


class RowMarks(NamedTuple):
    """The parts of a bar that have any rows: the number of each part in the bar, and its place."""

    parts: tuple[tuple[int, Stretch], ...]


def frame_marks(limit: Ends | None, warn: Ends | None, parity: float, scale: Scale) -> FrameMarks:
    """Place what values of a metric are seen against.

    Parameters
    ----------
    limit : what is allowed.
    warn : what does not warn.
    parity : the value that means parity.
    scale : what the edges of the picture stand for.

    >>> frame_marks((0.5, inf), None, 1, Scale(0, 2)).limit
    Stretch(start=25.0, end=100.0, width=75.0, open_low=False, open_high=True)
    """
    seen = scale.low <= parity <= scale.high
    return FrameMarks(
        _stretch(limit, scale), _stretch(warn, scale), _place(parity, scale) if seen else None
    )


def value_marks(bar: IntervalBar, scale: Scale) -> ValueMarks:
    """Place a value, its interval and what was before.

    Parameters
    ----------
    bar : the value.
    scale : what the edges of the picture stand for.

    >>> from biaspipe.verdict import Verdict
    >>> bar = IntervalBar("DI", "3", 3, (0.5, 4), (0.8, 1.25), None, 1, Verdict.FAIL)
    >>> marks = value_marks(bar, Scale(0, 2))
    >>> marks.value, marks.beyond_high
    (Dot(place=100.0, beyond='high'), True)
    >>> marks.interval.start
    25.0
    """
    value, earlier = _dot(bar.value, scale), _dot(bar.earlier, scale)
    interval = _stretch(bar.ends, scale)
    change = None
    if value and earlier:
        start, end = sorted((value.place, earlier.place))
        change = Stretch(start, end, _rounded(end - start))
    low = bool(interval and interval.open_low) or bool(value and value.beyond == "low")
    high = bool(interval and interval.open_high) or bool(value and value.beyond == "high")
    return ValueMarks(interval, value, earlier, change, low, high)


def rate_marks(bar: RateBar) -> RateMarks:
    """Place a rate and its interval.

    >>> rate_marks(RateBar("women", "25 %", 0.25, (0.2, 0.3)))
    RateMarks(value=25.0, interval=Stretch(start=20.0, end=30.0, width=10.0, ...))
    """
    return RateMarks(
        None if bar.value is None else _place(bar.value, SHARES), _stretch(bar.ends, SHARES)
    )


def row_marks(bar: RowBar, most: float) -> RowMarks:
    """Place the parts of a bar, one behind the other.

    Parameters
    ----------
    bar : the bar.
    most : the rows that a bar of the full width has.

    >>> row_marks(RowBar("all", (("kept", 3, "3"), ("lost", 1, "1"))), 8).parts[1]
    (1, Stretch(start=37.5, end=50.0, width=12.5, open_low=False, open_high=False))
    """
    parts, before = [], 0.0
    for i, (_, number, _) in enumerate(bar.parts):
        if number > 0 and most > 0:
            start, end = FULL * before / most, FULL * (before + number) / most
            parts.append((i, Stretch(_rounded(start), _rounded(end), _rounded(end - start))))
        before += number
    return RowMarks(tuple(parts))


def _dot(value: float | None, scale: Scale) -> Dot | None:
    if value is None:
        return None
    beyond: Edge = "low" if value < scale.low else "high" if value > scale.high else ""
    return Dot(_place(value, scale), beyond)


def _stretch(ends: Ends | None, scale: Scale) -> Stretch | None:
    """Place what lies between two ends; None where it lies beyond an edge as a whole."""
    if ends is None or ends[0] > scale.high or ends[1] < scale.low:
        return None
    start, end = (_place(number, scale) for number in ends)
    return Stretch(start, end, _rounded(end - start), ends[0] < scale.low, ends[1] > scale.high)


def _place(number: float, scale: Scale) -> float:
    low, high = _length(scale.low, scale), _length(scale.high, scale)
    if low == high:
        return FULL / 2
    share = (_length(min(max(number, scale.low), scale.high), scale) - low) / (high - low)
    return _rounded(FULL * share)


def _length(number: float, scale: Scale) -> float:
    if not scale.logarithmic:
        return number
    return log(number) if number > 0 else -inf


def _rounded(place: float) -> float:
    return round(place, 1)
