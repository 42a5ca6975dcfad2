"""The sign of each verdict, for pages whose colours may not be seen."""

from biaspipe.renderers.story import Role
from biaspipe.verdict import Verdict

__all__ = ["SIGNS"]

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
