"""The tables that smclarify compares, with nobody left out, and the values of its metrics."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biaspipe.counts import Cell, Counts, Favorable, Group, Stratum, Table
from biaspipe.metrics import FAMILIES, Metric, Needs, Value
from biaspipe.plan import OTHER, group_names, is_missing
from biaspipe.smclarify.arithmetic import SmclarifyFlips, value_of
from biaspipe.smclarify.plan import SmclarifyPlan
from biaspipe.spec import format_value

__all__ = ["SmclarifyComparison", "SmclarifyCounts", "comparisons_of", "everyone_of"]


@dataclass(frozen=True)
class SmclarifyComparison:
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


def comparisons_of(
    smclarify: SmclarifyPlan, counts: Counts
) -> dict[str, dict[str, SmclarifyComparison]]:
    """Return for each facet its comparisons by the name of the disfavored group.

    Parameters
    ----------
    smclarify : what smclarify counts.
    counts : what was counted by it.

    Returns
    -------
    dict
        By facet, then by group; where the spec names the group, by the empty name.
    """
    found = {}
    for facet, cells in zip(smclarify.plan.groupings, counts.cells, strict=True):
        found[facet] = dict(_comparisons(smclarify, facet, cells)) if facet else {}
    return found


def _comparisons(
    smclarify: SmclarifyPlan, facet: str, cells: Sequence[Cell]
) -> Iterator[tuple[str, SmclarifyComparison]]:
    column = smclarify.facets[facet]
    held = {cell.key[0]: None for cell in cells if not is_missing(cell.key[0])}
    if column.values:
        codes = tuple(code for code in held if code != OTHER)
        yield "", SmclarifyComparison(column.text, _table(smclarify, cells, codes), codes)
        return
    names = group_names(smclarify.plan, facet, ((value,) for value in held))
    for value, name in zip(held, names, strict=True):
        table = _table(smclarify, cells, (value,))
        yield str(name), SmclarifyComparison(str(value), table, (value,))


@dataclass
class _Side:
    """The people of one group, whole and by stratum."""

    whole: Counter[tuple[Favorable, Favorable]] = field(default_factory=Counter)
    strata: dict[object, Counter[tuple[Favorable, Favorable]]] = field(default_factory=dict)

    def add(
        self, stratum: tuple[object, ...], outcomes: tuple[Favorable, Favorable], n: int
    ) -> None:
        """Count a cell; who has no stratum is in none."""
        self.whole[outcomes] += n
        if stratum and not is_missing(stratum[0]):
            self.strata.setdefault(stratum[0], Counter())[outcomes] += n


def _table(smclarify: SmclarifyPlan, cells: Iterable[Cell], codes: tuple[object, ...]) -> Table:
    a, d, strata = _Side(), _Side(), len(smclarify.plan.strata)
    for cell in cells:
        side = d if cell.key[0] in codes else a
        side.add(cell.key[1 : 1 + strata], _outcomes(smclarify, cell.key[1 + strata :]), cell.rows)
    values: list[object] = sorted({*a.strata, *d.strata}, key=_rank)
    return Table(
        _group(a.whole, "a"),
        _group(d.whole, "d"),
        tuple(
            Stratum(
                format_value(value),
                _group(a.strata.get(value, Counter()), "a"),
                _group(d.strata.get(value, Counter()), "d"),
            )
            for value in values
        ),
    )


def _outcomes(smclarify: SmclarifyPlan, codes: tuple[object, ...]) -> tuple[Favorable, Favorable]:
    """Return the observed and the predicted outcome; a label that is missing is negative."""
    return _is_positive(codes[0]), smclarify.predicts(codes[1]) if len(codes) > 1 else None


def everyone_of(smclarify: SmclarifyPlan, counts: Counts) -> Group:
    """Return all people as one group.

    Parameters
    ----------
    smclarify : what smclarify counts.
    counts : what was counted by it.
    """
    (facet, *_), cells = smclarify.plan.groupings, counts.cells[0]
    first = len(smclarify.plan.strata) + (1 if facet else 0)
    people: Counter[tuple[Favorable, Favorable]] = Counter()
    for cell in cells:
        people[_outcomes(smclarify, cell.key[first:])] += cell.rows
    return _group(people, "")


def _rank(value: object) -> tuple[float, str]:
    """Return a sort key: numbers by size and texts by their letters, as numpy sorts them."""
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))


def _is_positive(code: object) -> bool:
    return not is_missing(code) and code != OTHER


def _group(cells: Counter[tuple[Favorable, Favorable]], letter: str) -> Group:
    return Group(dict(cells), {}, cells.total(), letter)


FacetAndGroup = tuple[str, str]
"""A facet and its disfavored group."""


@dataclass(frozen=True)
class SmclarifyCounts:
    """Everything that smclarify's values are computed from, and what it gives up on.

    Parameters
    ----------
    everyone : all people, those without a label or prediction among the negative ones.
    comparisons : by facet and disfavored group.
    flips : of the fliptests, by the same.
    refused : by facet, why nothing is computed on it.
    no_prediction : why nothing is computed from the predictions, if nothing is.
    no_strata : why nothing is computed in strata, if nothing is.
    """

    everyone: Group
    comparisons: Mapping[FacetAndGroup, SmclarifyComparison] = field(default_factory=dict)
    flips: Mapping[FacetAndGroup, SmclarifyFlips] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    no_prediction: str | None = None
    no_strata: str | None = None

    def value(self, metric: Metric, facet: str | None, disfavored: str | None) -> Value | None:
        """Return smclarify's value of a check; None for a metric that it does not have.

        Parameters
        ----------
        metric : the metric.
        facet, disfavored : the comparison, None for a metric without one.
        """
        if metric not in FAMILIES["clarify"]:
            return None
        if refused := self._refused(metric, facet):
            return Value("undefined", reason=f"{refused}: {metric.id} has no value in smclarify")
        if facet is None:
            return value_of(metric.id, Table(self.everyone, Group({})))
        key = facet, str(disfavored)
        if Needs.FEATURES in metric.needs:
            return value_of(metric.id, self.flips[key])
        return value_of(metric.id, self.comparisons[key].table)

    def _refused(self, metric: Metric, facet: str | None) -> str | None:
        if facet in self.refused:
            return self.refused[str(facet)]
        if Needs.PREDICTED in metric.needs:
            if self.no_prediction:
                return self.no_prediction
            if not self.everyone.predicted_positives:
                return "nobody is predicted favorable"
        return self.no_strata if Needs.STRATA in metric.needs else None
