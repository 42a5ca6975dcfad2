"""How many people the limits of an audit need, from the one count that `check --data` does."""

from collections.abc import Iterator
from math import inf, isfinite
from typing import NamedTuple

from biaspipe.counts import Group, Table
from biaspipe.metrics import Metric, Needs, selection_rate
from biaspipe.metrics.sizes import side_of, sizes
from biaspipe.pipeline import CountedData
from biaspipe.pipeline.evidence import CheckInput, Evidence
from biaspipe.pipeline.families import critical_values, groups_picked_among, pairs_looked_at
from biaspipe.pipeline.power_records import MOST_PEOPLE, rounded_up
from biaspipe.pipeline.records import group_records
from biaspipe.plan import PlannedCheck
from biaspipe.spec import Audit, Impact
from biaspipe.statistics import Intervals
from biaspipe.statistics.adverse_impact import multiple_for_significance
from biaspipe.statistics.effective_size import effective_share, pooled_rate
from biaspipe.statistics.limit_power import LimitPower, Standard, limit_power
from biaspipe.statistics.multiplicity import tukey
from biaspipe.statistics.power import POWER
from biaspipe.statistics.proportions import normal_quantile, quantile
from biaspipe.statistics.sample_size import chance_within, multiple_for, people_seen
from biaspipe.verdict import too_few

__all__ = ["LimitNeed", "impact_needs", "limit_needs"]

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
    lacking : who is lacking for any decision, by the spec's own rules.
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
    lacking: str | None = None


def limit_needs(data: CountedData) -> Iterator[LimitNeed]:
    """Yield what every check with a limit needs, in the order of the spec.

    Parameters
    ----------
    data : the counted data, with the tables of every comparison.
    """
    evidence = _evidence(data)
    checks = [check for check in _checks(evidence) if check.planned.check.has_bounds]
    for check, critical in zip(checks, critical_values(evidence, checks), strict=True):
        if check.planned.check.bounds and isinstance(check.counts, Table):
            yield _need(evidence, check, check.counts, critical)


def impact_needs(data: CountedData) -> Iterator[LimitNeed]:
    """Yield what it takes to see adverse impact, in the order of the spec.

    Parameters
    ----------
    data : the counted data, with the tables of every comparison.
    """
    evidence = _evidence(data)
    for check in _checks(evidence):
        impact = check.planned.check.impact
        if impact and isinstance(check.counts, Table):
            yield _impact_need(evidence, check, check.counts, impact)


def _impact_need(evidence: Evidence, check: CheckInput, table: Table, impact: Impact) -> LimitNeed:
    """Return the people of whom a ratio of min_ratio would be significant four times in five."""
    need = _needed_by(check, table, impact.words)
    if impact.significance is None:
        return need._replace(
            reason=f"asks for no significance: chance may put a ratio below {impact.least}"
        )
    shares = [effective_share(selection_rate, g) for g in (table.favored, table.disfavored)]
    a, d = (share.whole for share in shares)
    rate = pooled_rate(*shares) if a and d else 0.0
    if not rate or impact.least == 1:
        return need._replace(reason="is not known: no gap between selection rates is looked for")
    significance = impact.significance / _tests(evidence, check.planned.facet)

    def times(favored: float, disfavored: float) -> float:
        ratio = float(impact.least)
        high = min(1.0, rate * (favored + disfavored) / (favored + ratio * disfavored))
        people = favored, disfavored
        return multiple_for_significance((high, ratio * high), people, significance)

    proportion = times(a, d)
    found = LimitPower(POWER if proportion <= 1 else 0.0, times(1.0, 1.0), proportion)
    found = _with_least(found, check.planned.metric, table, evidence.audit.rules.min_rows)
    lacking = evidence.shortage(check)
    return _with(need._replace(lacking=lacking), found, POWER)._replace(chance=None)


def _tests(evidence: Evidence, facet: str | None) -> int:
    """Return how many tests of parity a p-value is corrected for, at most."""
    if evidence.audit.rules.correction == "none":
        return max(1, pairs_looked_at(evidence, facet))
    compared = [p.facet for p in evidence.checks if p.facet is not None]
    return sum(max(len(evidence.comparisons[f]), pairs_looked_at(evidence, f)) for f in compared)


def _checks(evidence: Evidence) -> Iterator[CheckInput]:
    """Yield every check with limits; who has which neighbours only a run counts."""
    for planned in evidence.checks:
        if not (planned.check.has_bounds or planned.check.impact):
            continue
        if planned.facet is None:
            yield CheckInput(planned, evidence.everyone, None)
            continue
        for comparison in evidence.comparisons[planned.facet]:
            yield CheckInput(planned, comparison.table, comparison)


def _evidence(data: CountedData) -> Evidence:
    """Return what is known of the groups before a run; nobody has looked for neighbours."""
    audit, tables = data.plan.audit, data.tables
    return Evidence(
        audit,
        data.plan.checks,
        {t.facet: t.comparisons for t in tables},
        {},
        {t.facet: group_records(t, audit) for t in tables},
        tables[0].everyone,
        lambda _: 0,
        (),
    )


def _need(evidence: Evidence, check: CheckInput, table: Table, critical: float) -> LimitNeed:
    planned, metric = check.planned, check.planned.metric
    need = _needed_by(check, table, planned.check.text)
    least, greatest = planned.check.kept
    if reason := _never(metric, least, greatest):
        return need._replace(is_enough=False, reason=reason)
    if reason := _unknown(metric, table):
        return need._replace(reason=reason)
    standard = _standard(evidence, planned, critical)
    parameters = planned.check.parameters(metric)
    size = metric.range_of(**parameters)[1]
    found = limit_power(table, metric, (least, greatest), standard, size)
    found = found or _by_width(evidence.audit, planned, table, standard)
    lacking = evidence.shortage(check)
    if found is None and lacking is None:
        return need._replace(reason="too few people tell how far it varies")
    if found is None or (lacking and not _is_few(evidence, check)):
        return need._replace(is_enough=False, reason=f"cannot be decided: {lacking}")
    found = _with_least(found, metric, table, evidence.audit.rules.min_rows)
    return _with(need._replace(lacking=lacking), found, standard.power)


def _needed_by(check: CheckInput, table: Table, limits: str) -> LimitNeed:
    """Return a need of which nothing is known yet."""
    there = round(people_seen(table.favored)), round(people_seen(table.disfavored))
    planned = check.planned
    return LimitNeed(planned.metric.id, str(planned.facet), *check.sides, limits, there)


def _standard(evidence: Evidence, planned: PlannedCheck, critical: float) -> Standard:
    """Return what keeping a limit takes; where the best group was picked, of all comparisons."""
    by_value = evidence.audit.rules.decide_by == "value"
    z, power = (0.0, BY_VALUE) if by_value else (critical, POWER)
    groups = groups_picked_among(evidence, planned.facet)
    if groups > 1:
        # The best of groups that are alike leads by chance: by so much more than any one of them
        z += tukey(groups, power) - normal_quantile(power)
    return Standard(z, power)


def _is_few(evidence: Evidence, check: CheckInput) -> bool:
    """Whether people are lacking, and not what is known of them."""
    least = evidence.audit.rules.min_rows
    return too_few(check.planned.metric, check.counts, least) is not None


def _with_least(found: LimitPower, metric: Metric, table: Table, least: int) -> LimitPower:
    """Ask for so many people in each group and in each denominator, too."""
    each, times = 0.0, 1.0
    for name, number in sizes(metric, table):
        groups = _of_side(table, side_of(name))
        people = sum(map(people_seen, groups))
        short = least / float(number) if number else inf
        each = max(each, short * people / len(groups))
        times = max(times, short)
    proportion = found.proportion if times <= 1 else max(found.proportion, times)
    return found._replace(
        each=None if found.each is None else max(found.each, each), proportion=proportion
    )


def _of_side(table: Table, side: str) -> list[Group]:
    sides = {"a": [table.favored], "d": [table.disfavored]}
    return sides.get(side, [table.favored, table.disfavored])


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
        is_enough=need.lacking is None and found.chance >= power,
    )


def _people(number: float) -> int | None:
    return rounded_up(number) if number <= MOST_PEOPLE else None
