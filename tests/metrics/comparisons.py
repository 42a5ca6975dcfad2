"""Comparisons as people in cells, the tables made of them, and random ones for the laws."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from hypothesis import strategies as st

from biaspipe.counts import Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS, Value

__all__ = ["Cell", "Comparison", "Side", "comparisons", "confusion", "flips", "group", "table"]

FAVORABLE = frozenset({"hired", "trial"})
CATEGORIES = ("hired", "refused", "silent", "trial")
STRATA = ("day", "evening", "night")


class Cell(NamedTuple):
    """Where a person stands: stratum, category of the observed label, prediction."""

    stratum: str
    category: str
    predicted: bool

    @property
    def observed(self) -> bool:
        """Whether the observed label is favorable."""
        return self.category in FAVORABLE


Side = Mapping[Cell, int]
"""The people of one side in each cell."""


class Comparison(NamedTuple):
    """Two sides, and what a fliptest counted between them."""

    a: Side
    d: Side
    flips: Flips

    def value(self, metric: str, **parameters: float) -> Value:
        """Compute a metric from the evidence that it takes."""
        if metric == "FT":
            return METRICS[metric](self.flips, **parameters)
        if metric == "GE":
            return METRICS[metric](group(self.everyone(), ""), **parameters)
        return METRICS[metric](table(self.a, self.d), **parameters)

    def everyone(self) -> Side:
        """Return the people of both sides together."""
        return Counter(self.a) + Counter(self.d)


def confusion(tp: int, fn: int, fp: int, tn: int, name: str = "") -> Group:
    """Return a group with this confusion matrix, and its two labels counted."""
    cells = {(True, True): tp, (True, False): fn, (False, True): fp, (False, False): tn}
    return Group(cells, {"yes": tp + fn, "no": fp + tn}, tp + fn + fp + tn, name)


def group(side: Side, name: str) -> Group:
    """Count a side's people by outcome and by label category."""
    outcomes: Counter[tuple[bool | None, bool | None]] = Counter()
    labels: Counter[str] = Counter()
    for cell, n in side.items():
        outcomes[cell.observed, cell.predicted] += n
        labels[cell.category] += n
    return Group(dict(outcomes), dict(labels), sum(side.values()), name)


def table(a: Side, d: Side) -> Table:
    """Put two sides next to each other; strata and cells keep the order they come in."""
    strata = dict.fromkeys(cell.stratum for cell in (*a, *d))
    inside = (
        (s, *({c: n for c, n in side.items() if c.stratum == s} for side in (a, d))) for s in strata
    )
    pairs = tuple(Stratum(s, group(left, "a"), group(right, "d")) for s, left, right in inside)
    return Table(group(a, "a"), group(d, "d"), pairs)


def flips(favorable: int, unfavorable: int, disfavored: int, favored: int, k: int = 5) -> Flips:
    """Return the counts of a fliptest on one feature."""
    return Flips(
        favorable=favorable,
        unfavorable=unfavorable,
        disfavored=disfavored,
        favored=favored,
        left_out=0,
        k=k,
        scaling="standard",
        features=("age",),
        median_distance=None,
    )


COUNTS = st.sampled_from((0, 1, 1, 2, 3, 5, 8, 60, 999_983))
CELLS = st.builds(Cell, st.sampled_from(STRATA), st.sampled_from(CATEGORIES), st.booleans())
SIDES = st.dictionaries(CELLS, COUNTS, max_size=8)


@st.composite
def _flips(draw: st.DrawFn) -> Flips:
    favorable, unfavorable, others = draw(st.tuples(COUNTS, COUNTS, COUNTS))
    people = favorable + unfavorable + others
    return flips(favorable, unfavorable, people, draw(COUNTS), draw(st.integers(1, 9)))


def comparisons() -> st.SearchStrategy[Comparison]:
    """Draw comparisons with zeros, empty sides, several strata and several label categories."""
    return st.builds(Comparison, SIDES, SIDES, _flips())
