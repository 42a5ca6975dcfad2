"""How many people the limits of an audit need, from the one count that `check --data` does."""

from collections.abc import Iterator
from math import inf, isfinite
from typing import NamedTuple

from biaspipe.counts import Table
from biaspipe.metrics import Metric, Needs
from biaspipe.pipeline import CountedData
from biaspipe.pipeline.power_records import MOST_PEOPLE, rounded_up
from biaspipe.plan import Comparison, PlannedCheck
from biaspipe.spec import Audit
from biaspipe.statistics import Intervals
from biaspipe.statistics.limit_power import LimitPower, Standard, limit_power
from biaspipe.statistics.power import POWER
from biaspipe.statistics.proportions import quantile
from biaspipe.statistics.sample_size import chance_within, multiple_for, people_seen

__all__ = ["LimitNeed", "limit_needs"]

BY_VALUE = 0.95
"""How often groups that are alike are to keep a limit that the value alone decides."""


class LimitNeed(NamedTuple):
    """What one limit needs, and whether the people of a comparison are enough.

    Parameters
    ----------
    metric, facet, favored, disfavored : the check.
    limits : its limits, as the spec names them.
    there : the people of the favored and of the disfavored group.
    each : the people needed in each of two groups of one size; None where that is not known.
    needed : the people needed in both groups, as they are split; None where none would do.
    chance : how often groups that are alike keep the limit with the people there are.
    is_enough : whether that is often enough; None where nothing is known of it.
    reason : why nothing is known, or no number of people would do.
    """

    metric: str
    facet: str
    favored: str
    disfavored: str
    limits: str
    there: tuple[int, int]
    each: int | None = None
    needed: tuple[int, int] | None = None
    chance: float | None = None
    is_enough: bool | None = None
    reason: str | None = None


def limit_needs(data: CountedData) -> Iterator[LimitNeed]:
    """Yield what every check with a limit needs, in the order of the spec.

    Parameters
    ----------
    data : the counted data, with the tables of every comparison.
    """
    comparisons = {tables.facet: tables.comparisons for tables in data.tables}
    audit = data.plan.audit
    for planned in data.plan.checks:
        if planned.facet is not None and planned.check.bounds:
            for comparison in comparisons[planned.facet]:
                yield _need(audit, planned, comparison)


def _need(audit: Audit, planned: PlannedCheck, comparison: Comparison) -> LimitNeed:
    table, metric = comparison.table, planned.metric
    there = round(people_seen(table.favored)), round(people_seen(table.disfavored))
    need = LimitNeed(
        metric.id,
        str(planned.facet),
        comparison.favored,
        comparison.disfavored,
        planned.check.text,
        there,
    )
    least, greatest = planned.check.kept
    if reason := _never(metric, least, greatest):
        return need._replace(is_enough=False, reason=reason)
    if reason := _unknown(metric, table):
        return need._replace(reason=reason)
    by_value = audit.rules.decide_by == "value"
    z = quantile(audit.rules.confidence)
    standard = Standard(0.0, BY_VALUE) if by_value else Standard(z, POWER)
    parameters = planned.check.parameters(metric)
    size = metric.range_of(**parameters)[1]
    found = limit_power(table, metric, (least, greatest), standard, size)
    found = found or _by_width(audit, planned, table, standard)
    if found is None:
        return need._replace(reason="too few people tell how far it varies")
    return _with(need, found, standard.power)


def _never(metric: Metric, least: float, greatest: float) -> str | None:
    """Say why groups that are alike do not keep limits, however many people they are."""
    if not least <= metric.ideal <= greatest:
        return "can never be met by groups that are alike: parity itself is beyond it"
    low, high = metric.range
    if metric.ideal == least > low or metric.ideal == greatest < high:
        return "cannot be met by any number of people: parity itself lies on it"
    return None


def _unknown(metric: Metric, table: Table) -> str | None:
    """Say why nothing is known of what a limit needs."""
    if Needs.FEATURES in metric.needs:
        return "is not known before a run: only it looks for neighbours"
    if metric.interval == "wilson":
        return "needs no number of people: it compares how large the groups are"
    if metric.distance and len(table.categories) > 2:
        return "is not known for labels of more than two categories"
    return None


def _by_width(
    audit: Audit, planned: PlannedCheck, table: Table, standard: Standard
) -> LimitPower | None:
    """Read off the width of the interval how much it varies; None where it has no ends."""
    metric, parameters = planned.metric, planned.check.parameters(planned.metric)
    value = metric(table, **parameters)
    found = Intervals(table, audit.rules.confidence).of(metric, value, **parameters)
    if found is None or value.number is None or not (isfinite(found.low) and isfinite(found.high)):
        return None
    wide = quantile(audit.rules.confidence)
    errors = (value.number - found.low) / wide, (found.high - value.number) / wide
    least, greatest = planned.check.kept
    distances = metric.ideal - least, greatest - metric.ideal
    signals = [d / e if e else inf for d, e in zip(distances, errors, strict=True)]
    chance = chance_within((signals[0], signals[1]), 1.0, standard.z)
    return LimitPower(chance, None, multiple_for(distances, errors, *standard))


def _with(need: LimitNeed, found: LimitPower, power: float) -> LimitNeed:
    """Write what a limit needs in people, rounded up."""
    a, d = (people * found.proportion for people in need.there)
    return need._replace(
        each=None if found.each is None else _people(found.each),
        needed=None if max(a, d) > MOST_PEOPLE else (rounded_up(a), rounded_up(d)),
        chance=found.chance,
        is_enough=found.chance >= power,
    )


def _people(number: float) -> int | None:
    return rounded_up(number) if number <= MOST_PEOPLE else None
