"""What a check came to by its limit; what the baseline alone says keeps or misses none."""

from biaspipe.renderers.evidence_page.wording import VERDICTS
from biaspipe.renderers.text import earlier_check, value_text
from biaspipe.report import CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = [
    "NOT_WORSE",
    "as_before",
    "is_only_not_worse",
    "judged_by_limit",
    "missed_limits",
    "role_of",
    "verdict_word",
]

NOT_WORSE = "not worse"
"""What a check without a limit is that passes by the baseline."""


def is_only_not_worse(check: CheckRecord) -> bool:
    """Whether a check passes by the baseline alone, since it has no limit."""
    return check.verdict is Verdict.PASS and not check.limits.is_set


def verdict_word(check: CheckRecord) -> str:
    """Return what a check does, or is; only what has a limit passes."""
    return NOT_WORSE if is_only_not_worse(check) else VERDICTS[check.verdict].one


def role_of(check: CheckRecord) -> Verdict:
    """Return the verdict that a check looks like; without a limit there is none to see."""
    return Verdict.REPORTED if is_only_not_worse(check) else check.verdict


def judged_by_limit(check: CheckRecord, report: Report) -> Verdict | None:
    """Return what a check that the baseline fails comes to by its limit alone.

    Parameters
    ----------
    check : the check.
    report : the whole report.

    Returns
    -------
    None where it has no limit or no value.
    """
    value, (least, greatest) = check.extended, check.limits.kept
    if value is None or not check.limits.is_set:
        return None
    interval = None if report.result.decision.decide_by == "value" else check.deciding
    low, high = interval.ends if interval else (value, value)
    by_impact = Verdict(check.impact.verdict) if check.impact else Verdict.PASS
    if high < least or low > greatest:
        return Verdict.FAIL
    by_bounds = Verdict.PASS if least <= low and high <= greatest else Verdict.UNDECIDED
    return min(by_bounds, by_impact, key=lambda verdict: verdict.gravity)


def missed_limits(report: Report) -> list[CheckRecord]:
    """Return the checks that fail, but for those that only the baseline fails.

    Parameters
    ----------
    report : the whole report.
    """
    failed = [check for check in report.result.checks if check.verdict is Verdict.FAIL]
    return [
        check
        for check in failed
        if check.baseline is None
        or check.baseline.verdict != "regressed"
        or judged_by_limit(check, report) is Verdict.FAIL
    ]


def as_before(check: CheckRecord) -> bool:
    """Whether a value reads as it did in the baseline, and nobody is to look at the difference."""
    note = check.baseline
    if note is None or note.verdict in ("regressed", "undecided"):
        return False
    return note.verdict == "same" or value_text(earlier_check(check, note)) == value_text(check)
