"""What a waiver of a report is for, and whether it holds, in words."""

from datetime import date

from biaspipe.renderers.text import counted_text
from biaspipe.report import WaiverRecord

__all__ = ["SOON", "state_text", "waiver_text"]

SOON = 30
"""Days before its end from which a waiver is listed."""


def waiver_text(waiver: WaiverRecord) -> str:
    """Say what a waiver is for.

    >>> from types import SimpleNamespace
    >>> names = {"metric": "DI", "facet": "race", "favored": None, "disfavored": "Other"}
    >>> waiver_text(SimpleNamespace(**names))
    'DI race, Other'
    """
    checks = " ".join(part for part in (waiver.metric, waiver.facet) if part)
    against = f" against {waiver.favored}" if waiver.favored else ""
    return checks + (f", {waiver.disfavored}" if waiver.disfavored else "") + against


def state_text(waiver: WaiverRecord, as_of: date) -> str:
    """Say whether a waiver holds, and for how long where that is not long.

    Parameters
    ----------
    waiver : the waiver.
    as_of : the day that counts as today.
    """
    if waiver.state == "not applied":
        return "not applied"
    left = (date.fromisoformat(waiver.expires) - as_of).days
    if left < 0:
        return f"expired on {waiver.expires}"
    words = f"ends on {waiver.expires}, {counted_text(left, 'day')} left" if left <= SOON else ""
    unused = "" if waiver.waived else "waives nothing now"
    return "; ".join(filter(None, (words, unused))) or f"holds until {waiver.expires}"
