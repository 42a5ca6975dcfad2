"""Cells to the tables that smclarify compares: d against everybody else, and nobody left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from biaspipe.counts import Cell, Counts, Group, Outcome, Stratum, Table
from biaspipe.plan import OTHER, group_names, is_missing
from biaspipe.smclarify.plan import Reading
from biaspipe.spec import written

__all__ = ["Compared", "everyone_of", "tabulated"]


@dataclass(frozen=True)
class Compared:
    """A comparison as smclarify makes it.

    Parameters
    ----------
    text : the values of d, or the interval, as smclarify writes them.
    table : both groups; a is everybody who is not in d.
    codes : what a row of d holds in the facet's dimension.
    """

    text: str
    table: Table
    codes: tuple[object, ...]


def tabulated(reading: Reading, counts: Counts) -> dict[str, dict[str, Compared]]:
    """Return for each facet its comparisons by the name of the disfavored group.

    Parameters
    ----------
    reading : the plan as smclarify reads it.
    counts : what was counted by it.

    Returns
    -------
    dict
        By facet, then by group; where the spec names the group, by the empty name.
    """
    found = {}
    for facet, cells in zip(reading.plan.groupings, counts.cells, strict=True):
        found[facet] = dict(_compared(reading, facet, cells)) if facet else {}
    return found


def _compared(
    reading: Reading, facet: str, cells: Sequence[Cell]
) -> Iterator[tuple[str, Compared]]:
    guess = reading.facets[facet]
    held = {cell.key[0]: None for cell in cells if not is_missing(cell.key[0])}
    if guess.values:
        codes = tuple(code for code in held if code != OTHER)
        yield "", Compared(guess.text, _table(reading, cells, codes), codes)
        return
    names = group_names(reading.plan, facet, ((value,) for value in held))
    for value, name in zip(held, names, strict=True):
        table = _table(reading, cells, (value,))
        yield str(name), Compared(str(value), table, (value,))


@dataclass
class _Side:
    """The people of one group, whole and by stratum."""

    whole: Counter[tuple[Outcome, Outcome]] = field(default_factory=Counter)
    strata: dict[object, Counter[tuple[Outcome, Outcome]]] = field(default_factory=dict)

    def add(self, stratum: tuple[object, ...], outcomes: tuple[Outcome, Outcome], n: int) -> None:
        """Count a cell; who has no stratum is in none."""
        self.whole[outcomes] += n
        if stratum and not is_missing(stratum[0]):
            self.strata.setdefault(stratum[0], Counter())[outcomes] += n


def _table(reading: Reading, cells: Iterable[Cell], codes: tuple[object, ...]) -> Table:
    a, d, strata = _Side(), _Side(), len(reading.plan.strata)
    for cell in cells:
        side = d if cell.key[0] in codes else a
        side.add(cell.key[1 : 1 + strata], _outcomes(reading, cell.key[1 + strata :]), cell.rows)
    values: list[object] = sorted({*a.strata, *d.strata}, key=_rank)
    return Table(
        _group(a.whole, "a"),
        _group(d.whole, "d"),
        tuple(
            Stratum(
                written(value),
                _group(a.strata.get(value, Counter()), "a"),
                _group(d.strata.get(value, Counter()), "d"),
            )
            for value in values
        ),
    )


def _outcomes(reading: Reading, codes: tuple[object, ...]) -> tuple[Outcome, Outcome]:
    """Return the observed and the predicted outcome; a label that is missing is negative."""
    return _is_positive(codes[0]), reading.predicts(codes[1]) if len(codes) > 1 else None


def everyone_of(reading: Reading, counts: Counts) -> Group:
    """Return all people as one group.

    Parameters
    ----------
    reading : the plan as smclarify reads it.
    counts : what was counted by it.
    """
    (facet, *_), cells = reading.plan.groupings, counts.cells[0]
    first = len(reading.plan.strata) + (1 if facet else 0)
    people: Counter[tuple[Outcome, Outcome]] = Counter()
    for cell in cells:
        people[_outcomes(reading, cell.key[first:])] += cell.rows
    return _group(people, "")


def _rank(value: object) -> tuple[float, str]:
    """Return what sorts numbers by size and texts by their letters, as numpy does."""
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))


def _is_positive(code: object) -> bool:
    return not is_missing(code) and code != OTHER


def _group(cells: Counter[tuple[Outcome, Outcome]], letter: str) -> Group:
    return Group(dict(cells), {}, cells.total(), letter)
