"""The sign of each verdict, for pages whose colours may not be seen."""

from biaspipe.renderers.story import Role
from biaspipe.verdict import Verdict

__all__ = ["SIGNS", "audit_role"]

SIGNS: dict[Role, str] = {
    Verdict.FAIL: "✗",
    Verdict.UNDECIDED: "?",
    Verdict.WARN: "!",
    Verdict.WAIVED: "~",
    Verdict.PASS: "✓",
    Verdict.REPORTED: "·",
    "caution": "!",
    "verified": "✓",
}
"""What stands before words that say a verdict, or something as good or as bad as one."""


def audit_role(verdict: Verdict) -> Role:
    """Return what the words are that say the verdict of a whole audit.

    A value without a limit is nothing to look at; an audit of nothing else is no better than one
    that could not be decided.

    Parameters
    ----------
    verdict : what the audit came to.
    """
    return Verdict.UNDECIDED if verdict is Verdict.REPORTED else verdict
