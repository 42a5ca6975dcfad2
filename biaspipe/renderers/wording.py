"""Values, limits and groups in the few characters that a line has room for."""

from biaspipe.metrics import METRICS
from biaspipe.report import CheckRecord, GroupRecord

__all__ = ["limit_text", "people_text", "positive_text", "rate_of", "value_text"]


def value_text(check: CheckRecord) -> str:
    """Write a value with its sign where the metric has one; four digits behind the point."""
    if check.value is None:
        return "undefined" if check.sign is None else ("+inf" if check.sign > 0 else "-inf")
    sign = "+" if METRICS[check.metric].range[0] < 0 else ""
    tiny = 0 < abs(check.value) < 0.001
    return f"{check.value:{sign}.2e}" if tiny else f"{check.value:{sign}.4f}"


def people_text(group: GroupRecord) -> str:
    """Write how many people a group has, and their rate of favorable outcomes."""
    rate = rate_of(group)
    return f"{group.n:,}" + ("" if rate is None else f" {rate:.1%}")


def rate_of(group: GroupRecord) -> float | None:
    """Return the selection rate of a group, or without predictions the rate of its labels."""
    return group.label_rate if group.selection_rate is None else group.selection_rate


def positive_text(group: GroupRecord) -> str:
    """Say what the rate of a group is a rate of."""
    return "with the positive label" if group.selection_rate is None else "predicted positive"


def limit_text(limits: dict[str, object]) -> str:
    """Write limits as a person would.

    >>> limit_text({"min": 0.8, "max": 1.25, "warn": {"max_abs": 0.1}})
    '0.8 to 1.25, warn within 0.1'
    """
    low, high = limits.get("min"), limits.get("max")
    words = []
    if low is not None and high is not None:
        words.append(f"{low:g} to {high:g}")
    elif low is not None:
        words.append(f"from {low:g}")
    elif high is not None:
        words.append(f"to {high:g}")
    if limits.get("max_abs") is not None:
        words.append(f"within {limits['max_abs']:g}")
    warn = limits.get("warn")
    if isinstance(warn, dict):
        words.append(f"warn {limit_text(warn)}")
    return ", ".join(words)
