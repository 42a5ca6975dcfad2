"""Comparisons as people in cells, the tables made of them, and random ones for the laws."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from biaspipe.counts import Favorable, Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS, Value
from tests.examples import examples

__all__ = [
    "NO_FLIPS",
    "UNEVEN",
    "Cell",
    "Comparison",
    "Side",
    "confusion",
    "flips",
    "law",
]

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
    cells: dict[tuple[Favorable, Favorable], int]
    cells = {(True, True): tp, (True, False): fn, (False, True): fp, (False, False): tn}
    return Group(cells, {"yes": tp + fn, "no": fp + tn}, tp + fn + fp + tn, name)


def group(side: Side, name: str) -> Group:
    """Count a side's people by outcome and by label category."""
    outcomes: Counter[tuple[Favorable, Favorable]] = Counter()
    labels: Counter[str] = Counter()
    for cell, n in side.items():
        outcomes[cell.observed, cell.predicted] += n
        labels[cell.category] += n
    return Group(dict(outcomes), dict(labels), sum(side.values()), name)


def table(a: Side, d: Side) -> Table:
    """Put two sides next to each other; strata and cells keep the order they come in."""
    names = dict.fromkeys(cell.stratum for cell in (*a, *d))
    strata = (
        Stratum(name, group(within(a, name), "a"), group(within(d, name), "d")) for name in names
    )
    return Table(group(a, "a"), group(d, "d"), tuple(strata))


def within(side: Side, stratum: str) -> Side:
    """Return the cells of a side that are in one stratum."""
    return {cell: n for cell, n in side.items() if cell.stratum == stratum}


def flips(favorable: int, unfavorable: int, disfavored: int, favored: int, k: int = 5) -> Flips:
    """Return the counts of a fliptest on one feature."""
    return Flips(
        F_plus=favorable,
        F_minus=unfavorable,
        n_d=disfavored,
        n_a=favored,
        left_out=0,
        k=k,
        scaling="standard",
        features=("age",),
        median_distance=None,
    )


NO_FLIPS = flips(0, 0, disfavored=0, favored=0)

UNEVEN = Comparison(
    a={
        Cell("day", "hired", True): 9,
        Cell("day", "trial", False): 2,
        Cell("day", "refused", True): 3,
        Cell("night", "silent", False): 5,
        Cell("night", "hired", True): 1,
    },
    d={
        Cell("day", "hired", True): 2,
        Cell("day", "hired", False): 3,
        Cell("day", "trial", False): 1,
        Cell("night", "refused", True): 2,
        Cell("night", "silent", False): 4,
    },
    flips=flips(3, 1, disfavored=8, favored=20),
)
"""Two sides that differ in every respect."""

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


def law(test: Callable[[Comparison], None]) -> Callable[[], None]:
    """Try a law on many random comparisons, and on one where every metric has a value."""
    tried = given(comparison=comparisons())(example(comparison=UNEVEN)(test))
    return examples(200)(tried)
