"""The intervals that decide where comparisons are many, or where the reference was picked by eye.

A family is what one metric says of the groups of one facet. Its intervals hold together: by
Tukey's critical value where every two groups are compared, or where the best was picked among
them; by Dunnett's where several groups are compared with one; else by Bonferroni's. A correction
shares the error among the families whose limits are decided by intervals.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import comb
from typing import NamedTuple

from biaspipe.counts import Group, Table
from biaspipe.metrics import METRICS, Value
from biaspipe.pipeline.evidence import CheckInput, Evidence
from biaspipe.pipeline.intervals import Estimates
from biaspipe.report import IntervalRecord, SimultaneousRecord
from biaspipe.report.checks import Procedure
from biaspipe.statistics.closed_form import share
from biaspipe.statistics.multiplicity import (
    bonferroni,
    correlation_with_reference,
    dunnett,
    false_coverage,
    holm,
    pointwise,
    tukey,
)
from biaspipe.statistics.proportions import quantile

__all__ = [
    "Estimated",
    "critical_values",
    "groups_picked_among",
    "pairs_looked_at",
    "simultaneous_intervals",
]

USUAL = 0.95
"""The confidence of the limits that variances are taken from."""
COMPARED = {"favored", "disfavored", "both", "not compared"}
"""The parts of the groups that the best one is picked among."""


class Estimated(NamedTuple):
    """A check with its value, the interval of that alone, and who is lacking for a decision."""

    check: CheckInput
    value: Value
    parameters: Mapping[str, float | str]
    interval: IntervalRecord | None
    lacking: str | None


@dataclass(frozen=True)
class _Family:
    """The comparisons that one metric makes in one facet.

    Parameters
    ----------
    procedure : what its critical value is of.
    comparisons : how many there are, or were looked at.
    critical : the critical value at a confidence.
    members : its checks, by their places.
    """

    procedure: Procedure
    comparisons: int
    critical: Callable[[float], float]
    members: Sequence[int] = field(default_factory=list)


def pairs_looked_at(evidence: Evidence, facet: str | None) -> int:
    """Return how many pairs of groups a facet has whose best group was picked; 0 of another."""
    return comb(groups_picked_among(evidence, facet), 2)


def groups_picked_among(evidence: Evidence, facet: str | None) -> int:
    """Return how many groups the reference of a facet was picked among; 0 where it was not."""
    if facet is None or evidence.audit.facets[facet].mode != "best":
        return 0
    return _groups(evidence, facet)


def critical_values(evidence: Evidence, checks: Sequence[CheckInput]) -> list[float]:
    """Return the critical value that decides each check where none of all has failed.

    What fails leaves its part of the error to the others, whose critical values are smaller then.

    Parameters
    ----------
    evidence : the groups of every facet, and the rules.
    checks : all checks with limits, on all comparisons.
    """
    rules = evidence.audit.rules
    error, found = 1 - rules.confidence, [quantile(rules.confidence)] * len(checks)
    is_shared = rules.correction != "none" and rules.decide_by != "value"
    places = [i for i, check in enumerate(checks) if is_shared or _mode(check, evidence) == "best"]
    families = _families(evidence, checks, places)
    number = sum(family.comparisons for family in families)
    for family in families:
        if is_shared and rules.correction == "benjamini-hochberg":
            is_best = _mode(checks[family.members[0]], evidence) == "best"
            critical = _selected(family, error / number, error, is_best=is_best)
        else:
            critical = family.critical(_rest(error / len(families) if is_shared else error))
        for place in family.members:
            found[place] = critical
    return found


def _groups(evidence: Evidence, facet: str | None) -> int:
    """Return how many groups of a facet there are to compare."""
    return sum(group.part in COMPARED for group in evidence.groups[facet or ""])


def simultaneous_intervals(
    evidence: Evidence, estimates: Estimates, found: Sequence[Estimated]
) -> list[SimultaneousRecord | None]:
    """Return the interval that decides each check, None where its own does.

    Parameters
    ----------
    evidence : the groups of every facet, and the rules.
    estimates : the intervals of the audit.
    found : its checks, estimated.
    """
    rules = evidence.audit.rules
    checks = [one.check for one in found]
    shared = [_is_corrected(one, evidence) for one in found]
    families = _families(evidence, checks, [i for i, is_shared in enumerate(shared) if is_shared])
    picked = [i for i, one in enumerate(found) if not shared[i] and _is_of_best(one, evidence)]
    intervals = _Intervals(evidence, estimates, found)
    for family in _families(evidence, checks, picked):
        intervals.keep_at(family, intervals.error)
    if families and rules.correction == "benjamini-hochberg":
        intervals.select(families)
    elif families:
        intervals.share(families)
    return [intervals.records.get(place) for place in range(len(found))]


def _is_corrected(one: Estimated, evidence: Evidence) -> bool:
    """Whether a verdict rests on the interval of a check, and is to be corrected for others."""
    rules = evidence.audit.rules
    decides = rules.correction != "none" and rules.decide_by != "value"
    can = one.interval is not None and one.lacking is None
    return decides and can and one.check.planned.check.has_bounds


def _is_of_best(one: Estimated, evidence: Evidence) -> bool:
    return one.interval is not None and _mode(one.check, evidence) == "best"


def _mode(check: CheckInput, evidence: Evidence) -> str | None:
    facet = check.planned.facet
    return evidence.audit.facets[facet].mode if facet else None


def _families(
    evidence: Evidence, checks: Sequence[CheckInput], places: Sequence[int]
) -> list[_Family]:
    """Put checks of one metric, or of one that always has its value, and of one facet together."""
    members = defaultdict[tuple[str, str | None], list[int]](list)
    for place in places:
        planned = checks[place].planned
        members[planned.metric.same_as or planned.metric.id, planned.facet].append(place)
    return [_family(evidence, checks, each) for each in members.values()]


def _family(evidence: Evidence, every: Sequence[CheckInput], members: Sequence[int]) -> _Family:
    """Choose the procedure by how the groups are compared, and by what the metric compares."""
    checks = [every[place] for place in members]
    first, mode = checks[0], _mode(checks[0], evidence)
    compares_shares = bool((rate := first.planned.metric.rate) and rate.is_share)
    pairs = {check.sides: check for check in checks}
    if mode in ("best", "pairs"):
        groups = _groups(evidence, first.planned.facet)
        number = comb(groups, 2)
        if first.planned.metric.rate:
            return _Family("tukey", number, partial(tukey, groups), members)
        return _Family("bonferroni", number, partial(bonferroni, number), members)
    if mode == "favored" and compares_shares and len(pairs) > 1:
        alike = tuple(sorted(_correlation(check) for check in pairs.values()))
        return _Family("dunnett", len(pairs), partial(dunnett, alike), members)
    return _Family("bonferroni", len(pairs), partial(bonferroni, len(pairs)), members)


def _correlation(check: CheckInput) -> float:
    """Return how much of a comparison's standard error is that of the favored group."""
    table, metric = check.counts, check.planned.metric
    if not isinstance(table, Table) or metric.rate is None:
        return 0.0
    relative = METRICS[metric.id].is_ratio
    a, d = (
        _variance(check, group, relative=relative) for group in (table.favored, table.disfavored)
    )
    return correlation_with_reference(a, d)


def _variance(check: CheckInput, group: Group, *, relative: bool) -> float:
    """Return the variance of a share, or of its logarithm, by Wilson's limits: it is never 0."""
    rate, z = check.planned.metric.rate, quantile(USUAL)
    if rate is None:
        return 0.0
    low, _, high = share(rate, group, z)
    half, middle = (high - low) / (2 * z), (high + low) / 2
    return (half / middle) ** 2 if relative else half**2


@dataclass(frozen=True)
class _Intervals:
    """Makes the intervals of checks at critical values, and keeps those that decide."""

    evidence: Evidence
    estimates: Estimates
    found: Sequence[Estimated]
    records: dict[int, SimultaneousRecord] = field(default_factory=dict)

    @property
    def error(self) -> float:
        return 1 - self.evidence.audit.rules.confidence

    def at(self, place: int, critical: float) -> IntervalRecord | None:
        """Return the interval of a check at a critical value."""
        check, value, parameters, *_ = self.found[place]
        metric, confidence = check.planned.metric, pointwise(critical)
        return self.estimates.interval(metric, check.counts, value, parameters, confidence)

    def fails(self, place: int, critical: float) -> bool:
        """Whether nothing in the interval of a check keeps its limits."""
        interval, check = self.at(place, critical), self.found[place].check
        return interval is not None and check.planned.check.breaks(*interval.ends)

    def sides(self, places: Iterable[int]) -> set[tuple[str, str]]:
        """Return the comparisons that checks make."""
        return {self.found[place].check.sides for place in places}

    def keep(
        self, family: _Family, critical: float, procedure: Procedure, comparisons: int, among: int
    ) -> None:
        """Keep the intervals of a family at a critical value."""
        for place in family.members:
            if interval := self.at(place, critical):
                self.records[place] = SimultaneousRecord(
                    **{
                        **interval.model_dump(),
                        "confidence": self.evidence.audit.rules.confidence,
                    },
                    procedure=procedure,
                    comparisons=comparisons,
                    families=among if among > 1 else None,
                    critical=critical,
                )

    def keep_at(self, family: _Family, error: float, among: int = 1) -> None:
        """Keep the intervals of a family at an error, where they are not those of each check."""
        if family.comparisons > 1 or among > 1:
            critical, number = family.critical(_rest(error)), family.comparisons
            self.keep(family, critical, family.procedure, number, among)

    def share(self, families: Sequence[_Family]) -> None:
        """Share the error by Holm, and keep the intervals."""

        def all_fail(place: int, error: float) -> bool:
            family = families[place]
            if len(self.sides(family.members)) < family.comparisons:
                return False  # others were looked at, and are not judged
            critical = family.critical(_rest(error))
            return all(self.fails(member, critical) for member in family.members)

        for family, error in zip(families, holm(len(families), self.error, all_fail), strict=True):
            self.keep_at(family, error, len(families))

    def select(self, families: Sequence[_Family]) -> None:
        """Keep intervals at the error that the number of comparisons that fail allows.

        Those with the best group are made no narrower than the family of all pairs needs.
        """
        number = sum(family.comparisons for family in families)
        if number < 2:
            return

        def critical(family: _Family, error: float) -> float:
            one = self.found[family.members[0]].check
            is_best = _mode(one, self.evidence) == "best"
            return _selected(family, error, self.error, is_best=is_best)

        def failing_at(error: float) -> int:
            return sum(
                len(self.sides(m for m in each.members if self.fails(m, critical(each, error))))
                for each in families
            )

        error = false_coverage(number, self.error, failing_at)
        for family in families:
            self.keep(family, critical(family, error), "false-coverage-rate", number, 1)


def _selected(family: _Family, error: float, of_all: float, *, is_best: bool) -> float:
    """Return the critical value at an error of each comparison, or of all with the best group."""
    least = family.critical(_rest(of_all)) if is_best else 0.0
    return max(least, bonferroni(1, _rest(error)))


def _rest(error: float) -> float:
    """Return the confidence that an error leaves, without the dust of subtracting."""
    return round(1 - error, 15)
