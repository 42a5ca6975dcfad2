"""What a report leaves out: metrics that were not computed, facets without a check, lost rows."""

from biaspipe.report import Report

__all__ = ["LEFT_OUT", "metrics_by_reason", "rows_text", "uncovered_facets", "unmatched_by_group"]

LEFT_OUT = {
    "other": "in groups that are not compared",
    "facet_missing": "without a value of the facet",
    "label_missing": "without a label",
    "prediction_missing": "without a prediction",
    "removed_by_where": "removed by the condition",
}
"""Why a row is not compared, by the name of that in the report."""


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
    checked |= set(report.result.audit.entry("subgroups", "of") or ())
    crosses = [report.result.audit.entry("facets", name, "cross") for name in facets]
    checked |= {part for cross in crosses for part in cross or ()}
    records = () if report.run.select else report.result.facets
    return [record.facet for record in records if record.facet not in checked]


def unmatched_by_group(report: Report, join: int) -> dict[str, int]:
    """Return how many rows a join found no partner for, by the groups of the first facet."""
    groups = report.result.facets[0].groups if report.result.facets else ()
    return {g.group: g.unmatched[join] for g in groups if g.unmatched and g.unmatched[join]}


def rows_text(report: Report, facet: str) -> str:
    """Say how many rows a facet compares, and why not the others; empty where it compares all.

    Parameters
    ----------
    report : the whole report.
    facet : the facet's name.
    """
    ledger = report.result.data.ledger[facet]
    rows = {words: getattr(ledger, reason) for reason, words in LEFT_OUT.items()}
    lost = ", ".join(f"{n:,} {words}" for words, n in rows.items() if n)
    if not lost:
        return ""
    return f"{ledger.compared:,} of {report.result.data.rows:,} rows compared; {lost}"
