"""Figures as pictures: alone with their titles, labels and keys, or as marks in a cell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import sqrt
from typing import NamedTuple

from markupsafe import Markup

from biaspipe.metrics.digits import digits_text
from biaspipe.renderers.figures import (
    ConfusionTable,
    ConfusionTables,
    Ends,
    Figure,
    IntervalBar,
    IntervalBars,
    RateBar,
    RateBars,
    RowBar,
    RowBars,
    Scale,
    StrataBars,
    Stratum,
)
from biaspipe.renderers.page.marks import (
    frame_marks,
    rate_marks,
    round_scale,
    row_marks,
    value_marks,
)
from biaspipe.renderers.page.templating import draw
from biaspipe.verdict import Verdict

__all__ = ["Pictures"]

NOTHING = Markup()
HALVES = ("0", "0.5", "1")
"""What is written below a scale from 0 to 1."""
PARTS = {"reference": "reference", "other": "not compared"}
"""What is said of a group beside those that are compared."""
COLOURS = (3, 4, 5, 6)
"""The numbers of the colours that parts of bars have; 2 is that of wrong predictions."""
PART_COLOURS = {"reference": 0, "compared": 1, "not compared": 7}
"""The colours of groups by the parts that they play; those of bars of rates are the same."""
SIDE = 40
"""The side of a square that holds all people of a confusion table."""
KEY = {
    "limit": "allowed",
    "warn": "without a warning",
    "parity": "parity",
    "value": "value and its interval",
    "beyond": "beyond the scale",
    "earlier": "value in the baseline",
}


class _Row(NamedTuple):
    """A row of a figure: a label, a picture, and its number in words."""

    label: str
    picture: Markup
    text: str
    note: str = ""
    role: Verdict | None = None
    below: tuple[str, ...] = ()


class _Frame(NamedTuple):
    """What the first of several pictures draws for all of them."""

    drawn: Markup


class _Square(NamedTuple):
    """A square of a confusion table whose area is a share."""

    place: float
    side: float


class Pictures:
    """The pictures of a page, whose ids are counted up.

    Parameters
    ----------
    name : what the ids begin with where this is a part of another page; nothing is drawn by
        reference there, since that page's rules would not reach it.
    """

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._ids = (f"{name}f{number}" for number in count(1))
        self._known: set[str] = set()
        self._looks = dict(PART_COLOURS)
        self._frames: dict[tuple[Ends | None, Ends | None, float, Scale], str] = {}

    def forget_key(self) -> None:
        """Explain the marks of pictures again before the next one."""
        self._known = set()

    def cell(self, figure: Figure) -> Markup:
        """Draw a figure in a cell, whose lines are the words for it."""
        match figure:
            case IntervalBars(_, bars, needed):
                scale = round_scale(needed)
                pictures = [self._interval(bar, scale) for bar in bars]
                return draw("figures", "cell", pictures, *_ends(scale))
            case RateBars(_, bars):
                return draw("figures", "cell", [self._rate(bar) for bar in bars], "", "")
            case RowBars(_, bars):
                return draw("figures", "cell", self._all_rows(bars), "", "")
            case StrataBars():
                strata = [self._stratum(one, figure) for one in figure.strata]
                return draw("figures", "cell", strata, "", "")
            case ConfusionTables():
                return self.figure(figure)

    def figure(self, figure: Figure) -> Markup:
        """Draw a figure that stands alone."""
        match figure:
            case IntervalBars(title, bars, needed):
                scale = round_scale(needed)
                rows = [
                    _Row(bar.label, self._interval(bar, scale), bar.text, role=bar.verdict)
                    for bar in bars
                ]
                low, high = _ends(scale)
                return self._rowed(title, "intervals", rows, (low, "", high), self.key([figure]))
            case RateBars(title, bars):
                rows = [_Row(b.label, self._rate(b), b.text, _part_text(b)) for b in bars]
                return self._rowed(title, "rates", rows, HALVES)
            case RowBars():
                return self._row_bars(figure)
            case StrataBars(title, favored, disfavored, strata):
                rows = [self._stratum_row(one, figure) for one in strata]
                key = draw("figures", "key", [("favored", favored), ("disfavored", disfavored)])
                return self._rowed(title, "strata", rows, HALVES, key)
            case ConfusionTables():
                return self._confusion(figure)

    def key(self, figures: Iterable[Figure]) -> Markup:
        """Explain the marks of values against limits, those that were not before."""
        shown: set[str] = set()
        for figure in figures:
            if isinstance(figure, IntervalBars):
                shown.update(_shown(figure))
        new = shown - self._known
        self._known |= new
        entries = [(kind, words) for kind, words in KEY.items() if kind in new]
        return draw("figures", "key", entries) if entries else NOTHING

    def _interval(self, bar: IntervalBar, scale: Scale) -> Markup:
        return draw(
            "figures",
            "interval",
            self._frame(bar, scale),
            value_marks(bar, scale),
            bar.verdict,
            next(self._ids),
            f"{bar.label}: {bar.text}",
        )

    def _frame(self, bar: IntervalBar, scale: Scale) -> "str | _Frame":
        """Draw what a value is seen against, or name it where a picture before has the same."""
        seen = (bar.limit, bar.warn, bar.parity, scale)
        if seen in self._frames and not self._name:
            return self._frames[seen]
        number = next(self._ids) if self._name else f"s{len(self._frames) + 1}"
        self._frames[seen] = number
        return _Frame(draw("figures", "frame", frame_marks(*seen), number))

    def _rate(self, bar: RateBar) -> Markup:
        return draw(
            "figures",
            "rate",
            rate_marks(bar),
            bar.part,
            next(self._ids),
            f"{bar.label}: {bar.text}",
        )

    def _all_rows(self, bars: Sequence[RowBar]) -> list[Markup]:
        looks = self._looks_of(bars)
        most = max((sum(rows for _, rows, _ in bar.parts) for bar in bars), default=0)
        return [self._rows(bar, most, looks) for bar in bars]

    def _rows(self, bar: RowBar, most: float, looks: Mapping[str, int]) -> Markup:
        parts = [(looks[bar.parts[i][0]], place) for i, place in row_marks(bar, most).parts]
        words = ", ".join(f"{name} {text}" for name, _, text in bar.parts)
        return draw("figures", "rows", parts, next(self._ids), f"{bar.label}: {words}")

    def _looks_of(self, bars: Iterable[RowBar]) -> Mapping[str, int]:
        """Return the number of the colour of each part, the same in all bars of a page."""
        for bar in bars:
            for name, _, _ in bar.parts:
                others = len(self._looks) - len(PART_COLOURS)
                self._looks.setdefault(name, COLOURS[others % len(COLOURS)])
        return self._looks

    def _stratum(self, stratum: Stratum, figure: StrataBars) -> Markup:
        sides = (figure.favored, stratum.favored.text), (figure.disfavored, stratum.disfavored.text)
        words = ", ".join(f"{name} {text}" for name, text in sides)
        return draw(
            "figures",
            "stratum",
            rate_marks(stratum.favored),
            rate_marks(stratum.disfavored),
            next(self._ids),
            f"{stratum.label}: {words}",
        )

    def _stratum_row(self, stratum: Stratum, figure: StrataBars) -> _Row:
        below = (f"● {stratum.favored.text}", f"◆ {stratum.disfavored.text}")
        return _Row(stratum.label, self._stratum(stratum, figure), "", stratum.people, below=below)

    def _row_bars(self, figure: RowBars) -> Markup:
        looks = self._looks_of(figure.bars)
        bars = [
            (bar, [(looks[name], name, text) for name, rows, text in bar.parts if rows], picture)
            for bar, picture in zip(figure.bars, self._all_rows(figure.bars), strict=True)
        ]
        return draw("figures", "row_bars", figure.title, bars)

    def _confusion(self, figure: ConfusionTables) -> Markup:
        tables = [(table, _squares(table)) for table in figure.tables]
        return draw("figures", "confusion", figure, tables, SIDE)

    def _rowed(
        self,
        title: str,
        kind: str,
        rows: Sequence[_Row],
        scale: tuple[str, str, str],
        key: Markup = NOTHING,
    ) -> Markup:
        return draw("figures", "rowed", title, kind, rows, scale, key)


def _ends(scale: Scale) -> tuple[str, str]:
    return digits_text(scale.low), digits_text(scale.high)


def _part_text(bar: RateBar) -> str:
    return PARTS.get(bar.part, "")


def _shown(figure: IntervalBars) -> Iterator[str]:
    """Yield the kinds of marks that a figure has."""
    scale = round_scale(figure.scale)
    for bar in figure.bars:
        yield "value"
        yield from (kind for kind in ("limit", "warn", "earlier") if getattr(bar, kind) is not None)
        if scale.low <= bar.parity <= scale.high:
            yield "parity"
        ends = (*(bar.ends or ()), *(() if bar.value is None else (bar.value,)))
        if ends and (min(ends) < scale.low or max(ends) > scale.high):
            yield "beyond"


def _squares(table: ConfusionTable) -> list[_Square]:
    """Return a square for each cell, whose area is the cell's share of all people."""
    people = sum(table.counts)
    sides = [SIDE * sqrt(max(n, 0) / people) if people > 0 else 0 for n in table.counts]
    return [_Square(round((SIDE - side) / 2, 1), round(side, 1)) for side in sides]
