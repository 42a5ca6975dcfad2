"""What a report leaves out: metrics that were not computed, facets without a check, lost rows."""

from biaspipe.report import Report

__all__ = ["metrics_by_reason", "uncovered_facets", "unmatched_by_group"]


def metrics_by_reason(report: Report) -> dict[str, list[str]]:
    """Return the metrics that were left out, by the reason why."""
    reasons: dict[str, list[str]] = {}
    for metric, reason in sorted(report.result.not_computed.items()):
        reasons.setdefault(reason, []).append(metric)
    return reasons


def uncovered_facets(report: Report) -> list[str]:
    """Return the facets that no check covers; under a selection the others may."""
    facets = report.result.audit.entry("facets") or {}
    checked = {check.facet for check in report.result.checks}
    crosses = [report.result.audit.entry("facets", name, "cross") for name in facets]
    checked |= {part for cross in crosses for part in cross or ()}
    records = () if report.run.select else report.result.facets
    return [record.facet for record in records if record.facet not in checked]


def unmatched_by_group(report: Report, join: int) -> dict[str, int]:
    """Return how many rows a join found no partner for, by the groups of the first facet."""
    groups = report.result.facets[0].groups if report.result.facets else ()
    return {g.group: g.unmatched[join] for g in groups if g.unmatched and g.unmatched[join]}
