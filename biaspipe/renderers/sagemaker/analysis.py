"""A report as the `analysis.json` that SageMaker Clarify writes: shape, order and words."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from biaspipe.metrics import FAMILIES, METRICS, Metric, Needs
from biaspipe.printable_text import escape_in_json
from biaspipe.report import CheckRecord, ComparisonRecord, FacetRecord, Report
from biaspipe.report.analysis import SECTIONS

__all__ = ["analysis", "analysis_values", "clarify_id", "describe", "groups_of"]

NAMES = {"DCAcc": "DCA"}
"""Ids that Clarify writes otherwise."""
TITLES = {
    "KL": "Kullback-Liebler Divergence",
    "LP": "L-p Norm",
    "FT": "Flip Test",
    "KS": "Kolmogorov-Smirnov Distance",
    "DPL": "Difference in Positive Proportions in Labels",
}
"""Names that Clarify spells otherwise."""
NO_STRATA = "Group variable is empty or not provided"
NOBODY = "the group of missing values is empty: no value is equal to a missing one"
BOOLEAN = "true/false"

JsonObject = dict[str, Any]


def analysis(report: Report, _: object = None) -> str:
    """Return a report as the text of an `analysis.json`.

    Parameters
    ----------
    report : the whole report.
    """
    text = json.dumps(analysis_values(report), indent=4, ensure_ascii=False)
    return escape_in_json(text) + "\n"


def analysis_values(report: Report) -> dict[str, Any]:
    """Return a report as the values of an `analysis.json`.

    Parameters
    ----------
    report : the whole report.
    """
    values: dict[str, Any] = {"version": "1.0"}
    label = (report.result.audit.spec.get("columns") or {}).get("label") or {}
    for section, family in SECTIONS.items():
        metrics = _reported(report, family)
        if metrics:
            values[section] = {
                "label": label.get("column"),
                "facets": _facets(report, metrics),
                "label_value_or_threshold": _label_text(report, label),
            }
    return values


def clarify_id(metric: str) -> str:
    """Return the id that Clarify writes for a metric.

    >>> clarify_id("DCAcc"), clarify_id("DI")
    ('DCA', 'DI')
    """
    return NAMES.get(metric, metric)


def describe(metric: str) -> str:
    """Return Clarify's name of a metric.

    >>> describe("KL"), describe("AD")
    ('Kullback-Liebler Divergence (KL)', 'Accuracy Difference (AD)')
    """
    return f"{TITLES.get(metric, METRICS[metric].name)} ({clarify_id(metric)})"


def groups_of(report: Report) -> Iterator[tuple[str, str, str, str]]:
    """Yield every disfavored group: its column, its values as Clarify has them, facet and name.

    Parameters
    ----------
    report : the whole report.
    """
    for facet in report.result.facets:
        spec = report.result.audit.spec["facets"][facet.facet]
        column = spec.get("column") or facet.facet
        for comparison in facet.comparisons:
            yield column, _text(comparison, spec), facet.facet, comparison.disfavored


def _reported(report: Report, family: str) -> list[Metric]:
    """Return the metrics of a section in Clarify's order, those without what they need included."""
    known = {check.metric for check in report.result.checks} | set(report.result.not_computed)
    computed = {check.metric for check in report.result.checks}
    both = (metric for metric in FAMILIES[family] if metric in FAMILIES["clarify"])
    metrics = [metric for metric in both if metric.id in known]
    if not any(metric.id in computed for metric in metrics):
        return []
    return sorted(metrics, key=lambda metric: clarify_id(metric.id))


def _facets(report: Report, metrics: Sequence[Metric]) -> dict[str, list[JsonObject]]:
    spec, found = report.result.audit.spec["facets"], dict[str, list[JsonObject]]()
    for facet in report.result.facets:
        column = spec[facet.facet].get("column") or facet.facet
        found.setdefault(column, []).extend(_entries(report, facet, metrics))
    return found


def _entries(report: Report, facet: FacetRecord, metrics: Sequence[Metric]) -> Iterator[JsonObject]:
    """Yield the groups of a facet, under compat in the order in which the data has them."""
    spec = report.result.audit.spec["facets"][facet.facet]
    compared = {_text(comparison, spec): comparison for comparison in facet.comparisons}
    guess = report.result.compat and report.result.compat.facets[facet.facet]
    for text in (guess and guess.values) or compared:
        if text in compared:
            checks = _checks(report, facet.facet, compared[text])
            refused = guess.refused if guess else None
            entries = [_entry(report, metric, checks, refused) for metric in metrics]
        else:
            true = compared.get("True") if guess and guess.kind == BOOLEAN else None
            is_true = true is not None and guess and guess.values and guess.values[0] != text
            checks = _checks(report, facet.facet, true or facet.comparisons[0])
            told = _entry if is_true else _of_missing
            entries = [told(report, metric, checks) for metric in metrics]
        yield {"value_or_threshold": text, "metrics": entries}


def _checks(report: Report, facet: str, comparison: ComparisonRecord) -> dict[str, CheckRecord]:
    """Return the checks of one comparison by metric, and those that compare no groups."""
    sides = (facet, comparison.favored, comparison.disfavored)
    return {
        check.metric: check
        for check in report.result.checks
        if check.facet is None or (check.facet, check.favored, check.disfavored) == sides
    }


def _entry(
    report: Report, metric: Metric, checks: dict[str, CheckRecord], refused: str | None = None
) -> JsonObject:
    named: JsonObject = {"name": clarify_id(metric.id), "description": describe(metric.id)}
    check = checks.get(metric.id)
    if check is None:
        reason = report.result.not_computed.get(metric.id, "not computed on this facet")
        words = NO_STRATA if Needs.STRATA in metric.needs else reason
        return {**named, "value": None, "error": words}
    if refused or check.status == "undefined":
        return {**named, "value": None, "error": refused or check.reason}
    if check.sign is not None:
        return {**named, "value": "Infinity" if check.sign > 0 else "-Infinity"}
    return {**named, "value": check.value}


def _of_missing(report: Report, metric: Metric, checks: dict[str, CheckRecord]) -> JsonObject:
    """Return the entry of missing values, to smclarify a group with nobody in it.

    GE asks for no group; in strata, the missing shares of nobody differ by 0.
    """
    entry = _entry(report, metric, checks)
    if not metric.has_facet or "error" in entry:
        return entry
    if Needs.STRATA in metric.needs:
        return {**entry, "value": 0.0}
    return {**entry, "value": None, "error": NOBODY}


def _text(comparison: ComparisonRecord, spec: dict[str, Any]) -> str:
    """Return the values of a group, or its interval, as Clarify writes them."""
    if comparison.compat is not None:
        return comparison.compat.text
    side = spec.get("disfavored")
    if side is None or spec.get("groups"):
        return {"true": "True", "false": "False"}.get(comparison.disfavored, comparison.disfavored)
    if isinstance(side, dict):
        return _interval(side)
    return ",".join(map(str, side)) if isinstance(side, list) else str(side)


def _interval(side: dict[str, Any]) -> str:
    """Write an interval; a bound that the data would have to tell is infinite.

    >>> _interval({"above": 40}), _interval({"at_least": 1, "below": 2})
    ('(40, inf]', '[1, 2)')
    """
    low, high = side.get("above", side.get("at_least")), side.get("below", side.get("at_most"))
    left, right = "[" if "at_least" in side else "(", ")" if "below" in side else "]"
    return f"{left}{'-inf' if low is None else low}, {'inf' if high is None else high}{right}"


def _label_text(report: Report, label: dict[str, Any]) -> str:
    if report.result.compat is not None:
        return report.result.compat.label.text
    positive = label.get("positive")
    if positive is None:
        return _interval(label) if label else ""
    return ",".join(map(str, positive)) if isinstance(positive, list) else str(positive)
