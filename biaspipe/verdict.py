"""From a value and its limits to a verdict, from verdicts to an exit code."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from biaspipe.errors import Exit
from biaspipe.metrics import Metric, Value
from biaspipe.spec import Check

__all__ = ["FailOn", "Verdict", "exit_code", "idle", "judge", "overall", "tally"]

FailOn = Literal["fail", "warn", "never"]


class Verdict(StrEnum):
    """What a check, or a whole audit, came to; the gravest first."""

    FAIL = "fail"
    UNDECIDED = "undecided"
    WARN = "warn"
    WAIVED = "waived"
    PASS = "pass"  # noqa: S105 - this is a verdict, not a password
    REPORTED = "reported"


def judge(value: Value, check: Check) -> Verdict:
    """Decide one check.

    A value on its limit keeps it. What has no value is undecided, never a pass.

    >>> judge(Value.of(0.79), Check(min=0.8)).value, judge(Value("undefined"), Check(min=0)).value
    ('fail', 'undecided')
    """
    if not check.has_limit:
        return Verdict.REPORTED
    number = value.extended
    if number is None:
        return Verdict.UNDECIDED
    if not check.keeps(number):
        return Verdict.FAIL
    return Verdict.WARN if check.warn and not check.warn.keeps(number) else Verdict.PASS


def idle(metric: Metric, check: Check) -> bool:
    """Whether a check has limits that no value of its metric can break.

    >>> from biaspipe.metrics import find
    >>> idle(find("DPPL"), Check(max_abs=10)), idle(find("DPPL"), Check(max_abs=0.1))
    (True, False)
    """
    low, high = metric.range
    limits = [part for part in (check, check.warn) if part and part.bounds]
    kept = [part.kept for part in limits]
    return bool(kept) and all(least <= low and high <= greatest for least, greatest in kept)


def tally(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """Count the verdicts; every kind is named, those that did not occur with 0."""
    counted = dict.fromkeys(("pass", "warn", "fail", "undecided", "waived", "reported"), 0)
    for verdict in verdicts:
        counted[verdict] += 1
    return counted


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the gravest verdict; an audit that decides nothing is only reported.

    >>> overall([Verdict.PASS, Verdict.REPORTED]).value, overall([]).value
    ('pass', 'reported')
    """
    present = set(verdicts)
    return next((verdict for verdict in Verdict if verdict in present), Verdict.REPORTED)


def exit_code(verdict: Verdict, fail_on: FailOn = "fail", *, warned: bool = False) -> Exit:
    """Return what the process ends with.

    Parameters
    ----------
    verdict : of the whole audit.
    fail_on : the mildest verdict that counts as a failure.
    warned : whether some check warned, which an undecided one hides from `verdict`.

    >>> exit_code(Verdict.WARN), exit_code(Verdict.WARN, "warn", warned=True)
    (<Exit.PASSED: 0>, <Exit.FAILED: 1>)
    """
    if fail_on == "never":
        return Exit.PASSED
    if verdict is Verdict.FAIL or (fail_on == "warn" and warned):
        return Exit.FAILED
    if verdict is Verdict.UNDECIDED:
        return Exit.UNDECIDED
    return Exit.NOTHING_CHECKED if verdict is Verdict.REPORTED else Exit.PASSED
