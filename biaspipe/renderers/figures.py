"""What figures show, as plain data: values against limits, rates, people, changes, strata.

A figure says which numbers stand where and what they are called, and nothing of how it looks.
Its numbers may be infinite, and None where there is none; texts are as people read them.
"""

from typing import Literal, NamedTuple

from biaspipe.verdict import Verdict

__all__ = [
    "ConfusionTable",
    "ConfusionTables",
    "Ends",
    "Figure",
    "IntervalBar",
    "IntervalBars",
    "RateBar",
    "RateBars",
    "RowBar",
    "RowBars",
    "Scale",
    "StrataBars",
    "Stratum",
]

Ends = tuple[float, float]
"""A lower and an upper end, on the extended real line."""


class Scale(NamedTuple):
    """What the left and the right of a drawing stand for; one for all drawings of a metric.

    Parameters
    ----------
    low, high : finite numbers; what lies beyond is drawn as reaching over the edge.
    logarithmic : whether equal ratios are equally long, as for a ratio of rates.
    """

    low: float
    high: float
    logarithmic: bool = False


class IntervalBar(NamedTuple):
    """A value and its interval, against the limit band and the line of parity.

    Parameters
    ----------
    label : what it is, such as "DI, Black compared with White".
    text : the value as people read it.
    value : the value; None if undefined.
    ends : its interval, if it has one.
    limit : what is allowed, an end infinite where there is no bound; None without a limit.
    warn : what does not warn, likewise.
    parity : the value that means parity.
    verdict : what it came to.
    earlier : the value in the baseline, if there is one.
    """

    label: str
    text: str
    value: float | None
    ends: Ends | None
    limit: Ends | None
    warn: Ends | None
    parity: float
    verdict: Verdict
    earlier: float | None = None


class IntervalBars(NamedTuple):
    """Values with their intervals on one scale: one in a cell, several below each other.

    With `earlier` in its bars it is the figure of the change against a baseline.
    """

    title: str
    bars: tuple[IntervalBar, ...]
    scale: Scale


class RateBar(NamedTuple):
    """The rate of a group with its interval.

    Parameters
    ----------
    label : the group.
    text : the rate as people read it.
    value : the rate, 0 to 1; None where nobody is.
    ends : its interval.
    part : the part that the group plays.
    """

    label: str
    text: str
    value: float | None
    ends: Ends | None
    part: Literal["reference", "compared", "other"] = "compared"


class RateBars(NamedTuple):
    """One rate of several groups, on a scale from 0 to 1."""

    title: str
    bars: tuple[RateBar, ...]


class ConfusionTable(NamedTuple):
    """How labels and predictions of a group met; numbers of people, and texts for them."""

    label: str
    counts: tuple[float, float, float, float]
    """TP, FP, FN, TN."""
    texts: tuple[str, str, str, str]


class ConfusionTables(NamedTuple):
    """Confusion tables of several groups as small multiples.

    Parameters
    ----------
    title : what they show.
    tables : one for each group.
    rows : what a favorable and an unfavorable prediction are called.
    columns : what a favorable and an unfavorable label are called.
    """

    title: str
    tables: tuple[ConfusionTable, ...]
    rows: tuple[str, str]
    columns: tuple[str, str]


class RowBar(NamedTuple):
    """How many rows of a group went where: the name, the number and the text of each part."""

    label: str
    parts: tuple[tuple[str, float, str], ...]


class RowBars(NamedTuple):
    """Where every row went, a bar for each group or fate; the names of parts are its legend."""

    title: str
    bars: tuple[RowBar, ...]


class Stratum(NamedTuple):
    """A stratum: the people of both sides and the rate of each."""

    label: str
    favored: RateBar
    disfavored: RateBar
    people: str


class StrataBars(NamedTuple):
    """The rates of two groups within each stratum, on a scale from 0 to 1."""

    title: str
    favored: str
    disfavored: str
    strata: tuple[Stratum, ...]


Figure = IntervalBars | RateBars | ConfusionTables | RowBars | StrataBars
