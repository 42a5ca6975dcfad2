"""A report as GitLab's code quality: a list of what merge requests are to show."""

import json
from typing import Any

from biaspipe.printable_text import escape_in_json
from biaspipe.renderers.ci.alerts import Alert, alerts
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["gitlab"]


def gitlab(report: Report, _: object = None) -> str:
    """Return what of a report somebody has to look at, as GitLab's code quality.

    What passed or is waived is left out; with nothing to look at the list is empty.

    Parameters
    ----------
    report : the whole report.
    """
    entries = [_entry(one) for one in alerts(report)]
    return escape_in_json(json.dumps(entries, indent=2, ensure_ascii=False)) + "\n"


def _entry(alert: Alert) -> dict[str, Any]:
    return {
        "description": alert.text,
        "check_name": alert.rule,
        "fingerprint": alert.fingerprint,
        "severity": _severity(alert),
        "location": {"path": alert.path, "lines": {"begin": alert.line}},
    }


def _severity(alert: Alert) -> str:
    """Return how grave an alert is to GitLab, which knows five degrees."""
    if alert.level == "error":
        return "critical"
    if alert.level == "note":
        return "info"
    return "major" if alert.verdict is Verdict.UNDECIDED else "minor"
