"""What of a report somebody has to look at, and where in the repository it stands."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePath
from typing import Literal, NamedTuple

from biaspipe.printable_text import escape, shorten
from biaspipe.renderers.repetition import has_other_sign, repetitions
from biaspipe.renderers.severity import held_limits, ordered
from biaspipe.renderers.subgroups import gap_text, search_title
from biaspipe.renderers.text import finding_text, interval_text, limit_text, value_text
from biaspipe.report import CheckRecord, Report, SubgroupsRecord
from biaspipe.report.checks import check_key, check_text
from biaspipe.spec import WhenUndecided
from biaspipe.verdict import Verdict

__all__ = [
    "Alert",
    "Level",
    "alerts",
    "fingerprint_of",
    "message_text",
    "spec_path",
    "title_text",
    "worst_alert",
]

Level = Literal["error", "warning", "note"]
"""How grave an alert is to a system that knows no verdicts."""
UNDECIDED: dict[WhenUndecided, Level] = {"fail": "warning", "warn": "warning", "pass": "note"}
"""The level of a check that could not be decided, by what the spec counts it as."""
MAX_TEXT = 2_000
"""Letters of the text of an alert."""


class Alert(NamedTuple):
    """One thing that somebody has to look at. Texts but the path are lines that can only be read.

    Parameters
    ----------
    check : the check; None for what is no check and makes the verdict.
    verdict : what it came to: failed, undecided or warned; reported where nothing was checked.
    level : how grave that is.
    rule : the metric, "subgroups", "vanished" or "nothing-checked".
    title : which check it is.
    message : what it says, with its value and limit.
    path : the spec, from the top of the repository as far as the report knows it.
    line : the line of the spec, 1 or more.
    fingerprint : tells it from all other alerts, on any day and whatever its value: 64
        hexadecimal digits.
    repeats : the title of another alert that says the same of the same people, and whether it has
        the other sign; empty if none does.
    repeats_limit : whether that one stands at the same line with the same limits, so that nothing
        is lost without this one.
    """

    check: CheckRecord | None
    verdict: Verdict
    level: Level
    rule: str
    title: str
    message: str
    path: str
    line: int
    fingerprint: str
    repeats: str = ""
    repeats_limit: bool = False

    @property
    def full_message(self) -> str:
        """The message, and which other alert says the same."""
        return f"{self.message}; the same as {self.repeats}" if self.repeats else self.message

    @property
    def text(self) -> str:
        """The verdict, the title and that message, cut to what systems take."""
        words = f"{self.verdict.of_audit.upper()} {self.title}: {self.full_message}"
        return shorten(words, MAX_TEXT)


def alerts(report: Report) -> list[Alert]:
    """Return what somebody has to look at, the gravest first.

    A check that passed or is waived is none. A verdict other than pass or waived has one at least.

    Parameters
    ----------
    report : the whole report.
    """
    result, path = report.result, spec_path(report)
    first = {id(check): other for check, other in repetitions(report)}
    grave = [check for check in result.checks if check.verdict.gravity < Verdict.WAIVED.gravity]
    found = [
        _repeating(_of_check(check, report, path), check, first.get(id(check)))
        for check in ordered(grave, report)
    ]
    return sorted([*found, *_of_audit(report, path)], key=lambda one: one.verdict.gravity)


def worst_alert(report: Report) -> str:
    """Say in a few words what to look at first; empty where there is nothing to look at.

    Parameters
    ----------
    report : the whole report.
    """
    first = next(iter(alerts(report)), None)
    if first is None:
        return ""
    return first.title + (f": {_value_and_limit(first.check)}" if first.check else "")


def _value_and_limit(check: CheckRecord) -> str:
    """Write the value, and the one limit that made the verdict."""
    warns = "warn " if check.verdict is Verdict.WARN and check.limits.warn else ""
    limit = limit_text(held_limits(check))
    return value_text(check) + (f", limit {warns}{limit}" if limit else "")


def spec_path(report: Report) -> str:
    """Return the path of the spec from the top of its repository, with slashes, as it is called.

    Where the report knows of no repository it is the path as it was given, or the file's name
    where that leads out of the folder.

    Parameters
    ----------
    report : the whole report.
    """
    if path := report.run.git.get("path"):
        return str(path)
    given = PurePath(report.run.spec)
    leads_out = given.is_absolute() or ".." in given.parts
    return given.name if leads_out else given.as_posix()


def fingerprint_of(report: Report, *identity: object) -> str:
    """Return the digest of what an alert is about, in its audit.

    Parameters
    ----------
    report : the whole report.
    identity : what tells it from others: texts, numbers, lists and dicts of them.
    """
    named = json.dumps([report.result.audit.name, *identity], sort_keys=True)
    return sha256(named.encode()).hexdigest()


def _of_check(check: CheckRecord, report: Report, path: str) -> Alert:
    identity = (*check_key(check), check.parameters)
    return Alert(
        check,
        check.verdict,
        _level(check, report),
        check.metric,
        title_text(check),
        message_text(check, report),
        path,
        max(1, check.line),
        fingerprint_of(report, "check", *identity),
    )


def _repeating(alert: Alert, check: CheckRecord, first: CheckRecord | None) -> Alert:
    """Return the alert of a check with what it repeats, if it repeats another one."""
    if first is None:
        return alert
    sign = ", with the other sign" if has_other_sign(check, first) else ""
    alike = (check.line, check.limits) == (first.line, first.limits)
    return alert._replace(repeats=title_text(first) + sign, repeats_limit=alike)


def _level(check: CheckRecord | SubgroupsRecord, report: Report) -> Level:
    if check.verdict is Verdict.UNDECIDED:
        return UNDECIDED[report.result.decision.undecided]
    ends_in_failure = check.verdict is Verdict.FAIL or report.run.warning_fails
    return "error" if ends_in_failure else "warning"


def title_text(check: CheckRecord) -> str:
    """Write which check it is: its metric, facet and groups."""
    return escape(check_text(check_key(check)))


def message_text(check: CheckRecord, report: Report) -> str:
    """Write what a check says, with its value, its interval and its limit."""
    return f"{finding_text(check, report)}; {_measured(check)}{_key(check)}"


def _key(check: CheckRecord) -> str:
    """Write the key of the spec that asks for a check, where no line can be looked up."""
    return "" if check.spec_key is None else f"; asked for by {escape(check.spec_key)}"


def _measured(check: CheckRecord) -> str:
    """Write the value, its interval and its limit."""
    interval = f" ({interval_text(check)})" if check.interval else ""
    limit = limit_text(check.limits, check.limits.warn)
    return f"{check.metric} {value_text(check)}{interval}" + (f", limit {limit}" if limit else "")


def _of_search(search: SubgroupsRecord, report: Report, path: str) -> Alert:
    key = "" if search.spec_key is None else f"; asked for by {escape(search.spec_key)}"
    return Alert(
        None,
        search.verdict,
        _level(search, report),
        "subgroups",
        search_title(search),
        f"{escape(search.sentence)}{gap_text(search)}{key}",
        path,
        max(1, search.line),
        fingerprint_of(report, "subgroups", search.metric, list(search.of)),
    )


def _of_audit(report: Report, path: str) -> Iterator[Alert]:
    """Yield what is no check and makes the verdict: subgroups, what vanished, nothing at all."""
    baseline, search = report.result.baseline, report.result.subgroups
    if search is not None and search.verdict.gravity < Verdict.WAIVED.gravity:
        yield _of_search(search, report, path)
    for name in baseline.vanished if baseline else ():
        yield Alert(
            None,
            Verdict.FAIL,
            "error",
            "vanished",
            escape(f"vanished since the baseline: {name}"),
            escape(f"{name} is in the baseline, and is not in this audit"),
            path,
            1,
            fingerprint_of(report, "vanished", name),
        )
    if report.result.verdict is Verdict.REPORTED:
        yield Alert(
            None,
            Verdict.REPORTED,
            "error",
            "nothing-checked",
            "nothing checked",
            "nothing was checked, since no check has a limit",
            path,
            1,
            fingerprint_of(report, "nothing-checked"),
        )
