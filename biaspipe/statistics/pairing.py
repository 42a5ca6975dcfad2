"""How two predictions of the same people go together in the values of a metric."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import fsum, isfinite, sqrt
from typing import Any, Literal

from biaspipe.counts import Favorable, Group, Headcount, Stratum, Table
from biaspipe.metrics import Metric, Needs

__all__ = ["correlation", "paired_tables", "swapped_tables"]

STEPS = 10_000
"""The step of a slope is this part of a group."""
DIGITS = 6
"""Digits that logarithms leave the same on every machine."""

Outcomes = tuple[str, Favorable, Favorable]
"""Stratum, label and prediction; without strata the first is empty."""
Slopes = dict[Outcomes, float]
"""How much a value changes with one person more, by the person's outcomes."""
Side = Literal["favored", "disfavored"]
SIDES: tuple[Side, Side] = ("favored", "disfavored")


def paired_tables(favorable: Table, unfavorable: Table) -> tuple[Table, Table]:
    """Return the table by today's prediction, and that by the earlier one.

    Parameters
    ----------
    favorable, unfavorable : the people whom the earlier one predicts so, by label and today's.
    """
    return (
        _together(favorable, unfavorable, partial(_by_prediction, is_earlier=False)),
        _together(favorable, unfavorable, partial(_by_prediction, is_earlier=True)),
    )


def swapped_tables(favorable: Table, unfavorable: Table) -> tuple[Table, Table]:
    """Return the people by the same two predictions, as if today's were the earlier one.

    Parameters
    ----------
    favorable, unfavorable : the people whom the earlier one predicts so, by label and today's.

    Returns
    -------
    Those whom today's predicts so, by label and the earlier one.
    """
    return (
        _together(favorable, unfavorable, partial(_predicted, today=True)),
        _together(favorable, unfavorable, partial(_predicted, today=False)),
    )


def _together(
    favorable: Table, unfavorable: Table, joined_as: Callable[[Sequence[Group], str], Group]
) -> Table:
    """Join both tables side by side, as two groups are joined into one of that name."""
    tables = (favorable, unfavorable)
    names = sorted({stratum.name for table in tables for stratum in table.strata})
    inside = [{s.name: s for s in table.strata} for table in tables]
    nobody = Stratum("", Group({}), Group({}))

    def joined(side: Side, parts: list[Stratum] | None = None) -> Group:
        groups = [getattr(part, side) for part in parts or tables]
        return joined_as(groups, side[0].replace("f", "a"))

    found = [(name, [strata.get(name, nobody) for strata in inside]) for name in names]
    strata = tuple(Stratum(name, *(joined(side, parts) for side in SIDES)) for name, parts in found)
    return Table(joined("favored"), joined("disfavored"), strata)


def _by_prediction(groups: Sequence[Group], letter: str, *, is_earlier: bool) -> Group:
    """Add up the people with a favorable earlier prediction and the others, by one prediction."""
    cells: dict[tuple[Favorable, Favorable], Headcount] = {}
    for group, earlier in zip(groups, (True, False), strict=True):
        for (observed, predicted), n in group.cells.items():
            outcomes = observed, (earlier if is_earlier else predicted)
            cells[outcomes] = cells.get(outcomes, 0) + n
    return Group(cells, name=letter)


def _predicted(groups: Sequence[Group], letter: str, *, today: bool) -> Group:
    """Return whom today's prediction predicts so, by label and the earlier prediction."""
    cells: dict[tuple[Favorable, Favorable], Headcount] = {}
    squares: dict[tuple[Favorable, Favorable], Headcount] = {}
    for group, earlier in zip(groups, (True, False), strict=True):
        for found, counts in ((cells, group), (squares, group.squared)):
            for (observed, predicted), n in counts.cells.items():
                if predicted is today:
                    found[observed, earlier] = n
    if all(group.effective is None for group in groups):
        return Group(cells, name=letter)
    people, total = Fraction(sum(cells.values())), sum(squares.values())
    effective = people**2 / total if total else Fraction(0)
    return Group(cells, name=letter, effective=effective, squares=squares)


def correlation(
    metric: Metric, favorable: Table, unfavorable: Table, **parameters: Any
) -> float | None:
    """Return the correlation of a metric's values by two predictions of the same people.

    By the infinitesimal jackknife: each person moves both by their slopes at its outcomes.

    Parameters
    ----------
    metric : a metric of one comparison.
    favorable, unfavorable : whom the earlier prediction predicts so, by label and today's.
    parameters : those of the metric.

    Returns
    -------
    None where a value has no slope.

    References
    ----------
    L. A. Jaeckel, The infinitesimal jackknife, Bell Laboratories memorandum (1972); B. Efron, The
    Jackknife, the Bootstrap and Other Resampling Plans (1982), chapter 6.

    Examples
    --------
    >>> from biaspipe.metrics import find
    >>> yes = Group({(None, True): 40, (None, False): 10})
    >>> no = Group({(None, True): 10, (None, False): 40})
    >>> correlation(find("DPPL"), Table(yes, yes), Table(no, no))
    0.58
    """
    tables = paired_tables(favorable, unfavorable)
    new_slopes, old_slopes = (_slopes(metric, table, parameters) for table in tables)
    if new_slopes is None or old_slopes is None:
        return None
    sums = []
    for side, new, old in zip(SIDES, new_slopes, old_slopes, strict=True):
        people = [dict(_groups(table, side, metric)) for table in (favorable, unfavorable)]
        sums.append(_sums(new, old, people))
    shared, one, other = (fsum(column) for column in zip(*sums, strict=True))
    return round(max(-1.0, min(1.0, shared / sqrt(one * other))), DIGITS) if one * other else None


def _sums(new: Slopes, old: Slopes, people: list[dict[str, Group]]) -> tuple[float, float, float]:
    """Return the covariance of both values that a side brings, and the variance of each.

    A covariance above 0 is shrunk by half a person, as Newcombe's paired limits have it, so that
    predictions which never differ in a few people are not taken for the same ones.
    """
    products, squares, olds, most = [], [], [], 0.0
    for groups, earlier in zip(people, (True, False), strict=True):
        for name, group in groups.items():
            squared = group.squared
            most = max(most, float(squared.n / group.n) ** 2 if group.n else 0.0)
            for (observed, predicted), n in squared.cells.items():
                one = new.get((name, observed, predicted), 0.0)
                other = old.get((name, observed, earlier), 0.0)
                products.append(float(n) * one * other)
                squares.append(float(n) * one * one)
                olds.append(float(n) * other * other)
    shared, ranges = fsum(products), [max(s.values()) - min(s.values()) for s in (new, old)]
    if shared > 0:
        shared = max(0.0, shared - most * ranges[0] * ranges[1] / 2)
    return shared, fsum(squares), fsum(olds)


def _groups(table: Table, side: Side, metric: Metric) -> Iterator[tuple[str, Group]]:
    """Yield a side of a table, in each stratum where the metric tells these apart."""
    if Needs.STRATA in metric.needs:
        yield from ((stratum.name, getattr(stratum, side)) for stratum in table.strata)
    else:
        yield "", getattr(table, side)


def _slopes(
    metric: Metric, table: Table, parameters: Mapping[str, Any]
) -> tuple[Slopes, Slopes] | None:
    """Return the slopes of a value on both sides."""
    if Needs.STRATA in metric.needs:
        return _slopes_in_strata(metric, table)
    a, d = table.favored, table.disfavored
    found = (
        _of_group(lambda g: metric(replace(table, favored=g), **parameters).extended, a),
        _of_group(lambda g: metric(replace(table, disfavored=g), **parameters).extended, d),
    )
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def _of_group(
    value_of: Callable[[Group], float | None], group: Group, stratum: str = ""
) -> Slopes | None:
    """Return how much a value changes with one person more of a group."""
    observed = {outcomes[0] for outcomes in group.cells} or {None}
    slopes, step = Slopes(), Fraction(group.n) / STEPS
    for label, prediction in product(observed, (True, False)):
        n = group.cells.get((label, prediction), 0)
        steps = (step, -step) if n > step else (step, Fraction(0))
        more, less = (
            value_of(replace(group, cells={**group.cells, (label, prediction): n + part}))
            for part in steps
        )
        if more is None or less is None or not step or not isfinite(more - less):
            return None
        slopes[stratum, label, prediction] = (more - less) / float(steps[0] - steps[1])
    return slopes


def _slopes_in_strata(metric: Metric, table: Table) -> tuple[Slopes, Slopes] | None:
    """Return the slopes of an average over strata, each of which weighs as its people do."""
    value = metric(table).number
    strata = table.strata_by_part(predicted=Needs.PREDICTED in metric.needs).taking_part
    sizes = [float(sum(group.n for group in stratum.sides)) for stratum in strata]
    if value is None:
        return None
    people, found = fsum(sizes), (Slopes(), Slopes())
    for stratum, size in zip(strata, sizes, strict=True):
        inside = metric(_alone(stratum)).number or 0.0
        for slopes, own in zip(found, _slopes_in(metric, stratum), strict=True):
            for outcomes, slope in own.items():
                slopes[outcomes] = (inside - value + size * slope) / people
    return found


def _slopes_in(metric: Metric, stratum: Stratum) -> tuple[Slopes, Slopes]:
    """Return the slopes of a stratum's own value; one of a single group has none to lose."""
    name, a, d = stratum
    found = (
        _of_group(lambda g: metric(_alone(Stratum(name, g, d))).number, a, name),
        _of_group(lambda g: metric(_alone(Stratum(name, a, g))).number, d, name),
    )
    flat = (Slopes.fromkeys(((name, *outcomes) for outcomes in g.cells), 0.0) for g in (a, d))
    one, other = (own or level for own, level in zip(found, flat, strict=True))
    return one, other


def _alone(stratum: Stratum) -> Table:
    return Table(stratum.favored, stratum.disfavored, (stratum,))
