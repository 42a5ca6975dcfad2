"""People of groups by outcome that have to add up: to their people, their sides, everyone."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum

from biaspipe.pipeline.verification.squared_weights import (
    impossible_effective,
    is_sample,
    squares_of,
)
from biaspipe.pipeline.verification.sums import is_same
from biaspipe.report import (
    ComparisonRecord,
    FacetGroupRecord,
    FacetRecord,
    Finding,
    OutcomesRecord,
    People,
    Result,
)
from biaspipe.report.counts import CELLS
from biaspipe.spec import Audit, Facet

__all__ = ["UNNAMED", "group_inconsistencies"]

UNNAMED = ("empty", "in no group", "missing")
"""The parts of what is no side of a comparison."""
UNCOUNTED = ("empty", "missing")
"""The parts of what is not counted by outcome."""
Outcomes = dict[str, People]
"""People by the name of their outcome, and their squared weights."""


def group_inconsistencies(
    where: str, record: FacetRecord, result: Result, audit: Audit
) -> Iterator[Finding]:
    """Yield counts of groups by outcome that do not fit what stands around them.

    Parameters
    ----------
    where : the place of the facet in the report.
    record : the facet, of a report that counts its groups by outcome.
    result : the report's result.
    audit : the spec, which has the facet.
    """
    facet = audit.facets[record.facet]
    counted = [group for group in record.groups if group.counts is not None]
    for g, group in enumerate(record.groups):
        yield from _group(f"{where}.groups[{g}]", group, sampled=is_sample(audit))
    if not counted:
        return
    whole = _evidence(counted)
    yield from _everyone(where, whole, record, result)
    for c, comparison in enumerate(record.comparisons):
        for side, stands, expected in _sides(comparison, counted, whole, facet):
            for name, total in expected.items():
                if not is_same(total, stands[name]):
                    words = f"{name} of {side} is {stands[name]:,}, and {total:,} in the groups"
                    yield Finding(f"{where}.comparisons[{c}].counts", words)


def _evidence(groups: Iterable[FacetGroupRecord | OutcomesRecord]) -> Outcomes:
    """Add up the people of groups by outcome, and their squared weights."""
    counts = [group.counts if isinstance(group, FacetGroupRecord) else group for group in groups]
    squares = [squares_of(one) for one in counts]
    return _outcomes(counts) | {
        name: _sum([one[name] for one in squares]) for name in squares_of(None)
    }


def _outcomes(counts: Sequence[OutcomesRecord | None]) -> Outcomes:
    """Add up people by outcome."""
    return {name: _sum([getattr(one, name, None) or 0 for one in counts]) for name in CELLS}


def _sum(numbers: Sequence[People]) -> People:
    return sum(numbers) if all(isinstance(n, int) for n in numbers) else fsum(numbers)


def _group(where: str, group: FacetGroupRecord, *, sampled: bool) -> Iterator[Finding]:
    """Yield what cannot be in the counts of a group."""
    if (group.counts is None) != (group.part in UNCOUNTED):
        words = "are those of a group with people whose value is known"
        yield Finding(f"{where}.counts", f"counts by outcome {words}")
    if group.counts is None:
        return
    outcomes = _outcomes([group.counts]).values()
    if any(n < 0 for n in outcomes):
        yield Finding(f"{where}.counts", "there cannot be fewer than no people")
    elif not is_same(_sum(list(outcomes)), group.people):
        words = f"add up to {_sum(list(outcomes)):,}, not {group.people:,} people"
        yield Finding(f"{where}.counts", words)
    yield from impossible_effective(where, group, group.counts, group.people, sampled=sampled)


def _everyone(
    where: str, whole: Outcomes, record: FacetRecord, result: Result
) -> Iterator[Finding]:
    """Yield outcomes that more or fewer people of the groups have than there are in all."""
    all_known = not any(group.part == "missing" for group in record.groups)
    everyone = _evidence([result.data.everyone])
    for name, total in whole.items():
        most = everyone[name]
        if not is_same(total, most) and (all_known or total > most):
            words = f"{name} of the groups add up to {total:,}, and everyone to {most:,}"
            yield Finding(f"{where}.groups", words)


def _sides(
    comparison: ComparisonRecord,
    counted: Sequence[FacetGroupRecord],
    whole: Outcomes,
    facet: Facet,
) -> Iterator[tuple[str, Outcomes, Outcomes]]:
    """Yield the outcomes of each side of a comparison, and those of the groups that make it up.

    The rest has no groups of its own: it and its other side are everybody who has a group.
    """
    rest = {"rest": "favored", "over_rest": "disfavored"}.get(facet.mode)
    for side, record in comparison.counts.items():
        if side != rest:
            name = comparison.favored if side == "favored" else comparison.disfavored
            yield side, _evidence([record]), _evidence(_members(side, name, counted, facet))
    if rest is not None:
        yield "both sides", _evidence(comparison.counts.values()), whole


def _members(
    side: str, name: str, counted: Sequence[FacetGroupRecord], facet: Facet
) -> Sequence[FacetGroupRecord]:
    """Return the groups of a side: all of the part that the spec declares, or a single one."""
    if getattr(facet, side) is not None:
        return [group for group in counted if group.part in (side, "both")]
    return [group for group in counted if group.group == name and group.part not in UNNAMED][:1]
