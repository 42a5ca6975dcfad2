"""A report as SARIF 2.1.0: an alert of code scanning for each thing to look at."""

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from biaspipe.printable_text import escape
from biaspipe.renderers.cautions import cautions
from biaspipe.renderers.ci.alerts import Alert, alerts, fingerprint_of, spec_path
from biaspipe.renderers.ci.rules import LEFT_OUT, rules_of
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["MAX_RESULTS", "category", "sarif"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 25_000
"""Results that code scanning takes of one run."""
SEMANTIC = re.compile(r"\d+\.\d+\.\d+")
"""A version as semantic versioning writes it, without what may stand behind its three numbers."""
COMMANDS = (("{", "{{"), ("}", "}}"), ("](", r"]\x28"))
"""What SARIF reads in a message as a slot or a link, and how it is written as a text."""


def sarif(report: Report, _: object = None) -> str:
    """Return what of a report somebody has to look at, as SARIF.

    What passed or is waived is left out: code scanning would show it as an open alert.

    Parameters
    ----------
    report : the whole report.
    """
    found = _with_room(alerts(report), report)
    limited = (c.metric for c in report.result.checks if c.verdict is not Verdict.REPORTED)
    rules = rules_of(limited)
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "biaspipe", **_version(report), "rules": rules}},
        "automationDetails": {"id": category(report)},
        "columnKind": "unicodeCodePoints",
        "results": [_result(alert, places[alert.rule]) for alert in found],
        "properties": _evidence(report),
    }
    values = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def category(report: Report) -> str:
    """Return what code scanning keeps alerts apart by; a slash at the end closes it.

    Each audit of a spec has its own, and so has each selection of its checks: an upload closes the
    alerts of its category that it does not have.

    Parameters
    ----------
    report : the whole report.
    """
    selected = ["select", *sorted(report.run.select)] if report.run.select else []
    named = [spec_path(report), report.result.audit.name, *selected]
    return "/".join(["biaspipe", *map(escape, named), ""])


def _with_room(found: Sequence[Alert], report: Report) -> list[Alert]:
    """Return the gravest alerts that there is room for, and one that tells of the others."""
    if len(found) <= MAX_RESULTS:
        return list(found)
    shown, others = list(found[: MAX_RESULTS - 1]), found[MAX_RESULTS - 1 :]
    words = f"{len(others):,} more findings of {len(found):,} have no room here"
    left = others[0]._replace(
        rule=LEFT_OUT,
        title="findings left out",
        message=f"{words}; the page of the report and its JSON have all of them",
        line=1,
        fingerprint=fingerprint_of(report, LEFT_OUT),
        repeats="",
    )
    return [*shown, left]


def _version(report: Report) -> dict[str, str]:
    version = report.run.biaspipe
    return {"semanticVersion" if SEMANTIC.fullmatch(version) else "version": version}


def _result(alert: Alert, place: int) -> dict[str, Any]:
    region = {"startLine": alert.line, "startColumn": 1, "endLine": alert.line, "endColumn": 2}
    location = {"artifactLocation": {"uri": _uri(alert.path)}, "region": region}
    return {
        "ruleId": alert.rule,
        "ruleIndex": place,
        "level": alert.level,
        "message": {"text": _message(alert)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"primaryLocationLineHash": f"{alert.fingerprint[:16]}:1"},
        "properties": {"verdict": alert.verdict.of_audit},
    }


def _uri(path: str) -> str:
    """Write a path as a relative address, whatever letters it has."""
    return quote(path.encode(errors="surrogatepass"))


def _message(alert: Alert) -> str:
    """Write the verdict, which check it is and what it says: text, and neither slot nor link."""
    text = alert.text
    for command, words in COMMANDS:
        text = text.replace(command, words)
    return text + ("" if text.endswith((".", "…")) else ".")


def _evidence(report: Report) -> dict[str, Any]:
    """Return what the run came to, and what it is verified by."""
    result = report.result
    return {
        "audit": result.audit.name,
        "verdict": result.verdict.of_audit,
        "tally": dict(sorted(result.tally.items())),
        "resultSha256": report.result_sha256,
        "cautions": [escape(words) for words in cautions(report)],
    }
