"""Whether the parts of a report that nobody recomputes fit each other, so that it can be shown."""

from collections.abc import Iterator
from typing import Any

from biaspipe.metrics import METRICS
from biaspipe.report.checks import BaselineNote, CheckRecord
from biaspipe.report.compat import CompatNote
from biaspipe.report.documents import Report
from biaspipe.report.parsing import excerpt
from biaspipe.spec import Audit
from biaspipe.verdict import Verdict

__all__ = ["unfit"]

BOUNDS = {"min", "max", "max_abs"}
SIDES = {"favored", "disfavored"}
Fault = tuple[str, str]


def unfit(report: Report, audit: Audit) -> Iterator[Fault]:
    """Yield where a report speaks of what is not in it, or of no number, and what is wrong.

    Parameters
    ----------
    report : the report.
    audit : the spec that stands in it.
    """
    result = report.result
    facets = {record.facet for record in result.facets}
    if facets - result.data.ledger.keys() or facets != audit.facets.keys():
        yield "result.facets", "these are not the facets of its spec and its ledger"
    if result.tally.keys() != {str(verdict) for verdict in Verdict}:
        yield "result.tally", "it has to name every verdict"
    yield from _comparisons(report)
    compared: set[tuple[str | None, ...]] = {(None, None, None)}
    for record in result.facets:
        compared |= {(record.facet, c.favored, c.disfavored) for c in record.comparisons}
    for i, check in enumerate(result.checks):
        where = f"result.checks[{i}]"
        if (check.facet, check.favored, check.disfavored) not in compared:
            yield where, "its groups are not compared"
        if check.metric not in METRICS or METRICS[check.metric].has_facet == (check.facet is None):
            words = f"its spec asks for no {excerpt(check.metric)} on {excerpt(check.facet)}"
            yield where, words
        if check.waiver and not 0 < check.waiver.number <= len(result.waivers):
            yield f"{where}.waiver.number", "there is no such waiver"
        yield from _numbers(where, check)


def _comparisons(report: Report) -> Iterator[Fault]:
    """Yield comparisons without one of their sides, and groups without one of the joins."""
    joins = len(report.result.data.joins or ())
    for f, record in enumerate(report.result.facets):
        for c, comparison in enumerate(record.comparisons):
            both = [comparison.counts, *([comparison.compat.counts] if comparison.compat else [])]
            if any(counts.keys() != SIDES for counts in both):
                yield f"result.facets[{f}].comparisons[{c}]", "it has to have two sides"
        for g, group in enumerate(record.groups):
            if group.unmatched is not None and len(group.unmatched) != joins:
                yield f"result.facets[{f}].groups[{g}].unmatched", "it has to have every join"


def _numbers(where: str, check: CheckRecord) -> Iterator[Fault]:
    """Yield a value whose status says otherwise, and limits that are no numbers."""
    noted = {"": check, ".baseline": check.baseline, ".compat": check.compat}
    for part, value in noted.items():
        if value is not None and not _is_whole(value):
            yield f"{where}{part}.value", "value, sign and status do not go together"
    warn = check.limits.get("warn", {})
    limits = {key: bound for key, bound in check.limits.items() if key != "warn"}
    if not _are_bounds(limits) or not _are_bounds(warn):
        yield f"{where}.limits", "these are no limits"


def _is_whole(value: CheckRecord | BaselineNote | CompatNote) -> bool:
    has = value.value is not None, value.sign is not None
    return has == {"ok": (True, False), "infinite": (False, True)}.get(value.status, (False, False))


def _are_bounds(limits: Any) -> bool:
    return isinstance(limits, dict) and all(
        key in BOUNDS and type(bound) in (int, float) for key, bound in limits.items()
    )
