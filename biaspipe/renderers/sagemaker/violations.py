"""What got worse since the baseline, as the `constraint_violations.json` of Model Monitor."""

import json
from collections.abc import Iterator
from typing import Any

from biaspipe.printable_text import escape_in_json
from biaspipe.renderers.sagemaker.analysis import clarify_id, groups_of
from biaspipe.report import CheckRecord, Report

__all__ = ["violations"]


def violations(report: Report, _: object = None) -> str:
    """Return the regressions of a report as the text of a `constraint_violations.json`.

    Parameters
    ----------
    report : a report that was compared with a baseline.
    """
    found = [entry for check in report.result.checks for entry in _entries(report, check)]
    values = {"version": "1.0", "violations": found}
    return escape_in_json(json.dumps(values, indent=4, ensure_ascii=False)) + "\n"


def _entries(report: Report, check: CheckRecord) -> Iterator[dict[str, Any]]:
    """Yield a violation; what compares no groups stands under each of them, as in Clarify."""
    note = check.baseline
    if note is None or note.verdict != "regressed":
        return
    now, before = _text(check.value, check.sign), _text(note.value, note.sign)
    for column, text, facet, disfavored in groups_of(report):
        if check.facet is None or (check.facet, check.disfavored) == (facet, disfavored):
            yield {
                "facet": column,
                "facet_value": text,
                "metric_name": clarify_id(check.metric),
                "constraint_check_type": "bias_drift_check",
                "description": f"Metric value {now} doesn't meet the baseline constraint"
                f" requirement {before}",
            }


def _text(value: float | None, sign: int | None) -> str:
    if sign is not None:
        return "Infinity" if sign > 0 else "-Infinity"
    return repr(value)
