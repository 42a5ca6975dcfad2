"""Waivers: which failures somebody answers for on a day, and which not any more."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from biaspipe.pipeline.evidence import Evidence
from biaspipe.plan import covers, covers_groups
from biaspipe.report import CheckRecord, WaiverNote, WaiverRecord
from biaspipe.report.checks import BoundsRecord, WaiverEffect
from biaspipe.report.documents import WaiverState
from biaspipe.spec import Scalar, Waiver, format_value
from biaspipe.verdict import Verdict

__all__ = ["WaiverRules", "waiver_records"]

SAYS: dict[WaiverEffect, str] = {
    "expired": "its waiver expired on {expires}",
    "beyond its bound": "the value is beyond the bound of its waiver",
    "not for a regression": "its waiver is for the limits, not for a regression",
    "not applied": "its waiver is not applied",
}


class WaiverRules(NamedTuple):
    """How waivers are judged.

    Parameters
    ----------
    as_of : the day on which they have to hold.
    applied : whether they are applied at all.
    """

    as_of: date
    applied: bool = True

    def apply(self, checks: Sequence[CheckRecord], waivers: Sequence[Waiver]) -> list[CheckRecord]:
        """Apply waivers to the checks that they cover; the first waiver that holds counts."""
        covering: dict[tuple[str, str | None], list[int]] = {}
        for key in dict.fromkeys((check.metric, check.facet) for check in checks):
            covering[key] = [n for n, waiver in enumerate(waivers, 1) if covers(waiver, *key)]
        return [
            self._apply(check, waivers, covering[check.metric, check.facet])
            if check.verdict.waivable
            else check
            for check in checks
        ]

    def _apply(
        self, check: CheckRecord, waivers: Sequence[Waiver], numbers: Sequence[int]
    ) -> CheckRecord:
        states = [
            (self._state(waivers[number - 1], check), number)
            for number in numbers
            if covers_groups(waivers[number - 1], check.favored, check.disfavored)
        ]
        if not states:
            return check
        state, number = next((s for s in states if s[0] == "waived"), states[0])
        note = WaiverNote(number=number, state=state)
        if state == "waived":
            return check.model_copy(update={"waiver": note, "verdict": Verdict.WAIVED})
        words = SAYS[state].format(expires=waivers[number - 1].expires)
        reason = f"{check.reason}; {words}" if check.reason else words
        return check.model_copy(update={"waiver": note, "reason": reason})

    def _state(self, waiver: Waiver, check: CheckRecord) -> WaiverEffect:
        if not self.applied:
            return "not applied"
        if self.as_of > waiver.expires:
            return "expired"
        if _regressed(check) and not waiver.regression:
            return "not for a regression"
        if waiver.bound and (number := check.extended) is not None:
            return "waived" if waiver.bound.keeps(number) else "beyond its bound"
        return "beyond its bound" if waiver.bound else "waived"

    def state(self, waiver: Waiver) -> WaiverState:
        """Return whether a waiver holds."""
        if not self.applied:
            return "not applied"
        return "expired" if self.as_of > waiver.expires else "active"


def _regressed(check: CheckRecord) -> bool:
    """Whether a check is decided by what it was in the baseline, whatever its limits say."""
    note = check.baseline
    if note is None:
        return False
    if check.verdict is Verdict.FAIL:
        return note.verdict == "regressed"
    is_open = note.verdict == "undecided" and "undefined" not in (check.status, note.status)
    return is_open or not check.limits.all_bounds


def waiver_records(
    evidence: Evidence, checks: Sequence[CheckRecord], waiver_rules: WaiverRules
) -> tuple[WaiverRecord, ...]:
    """Write every waiver with its state and the number of checks that it waives."""
    notes = [check.waiver for check in checks if check.waiver]
    used = Counter(note.number for note in notes if note.state == "waived")
    return tuple(
        WaiverRecord(
            metric=waiver.metric,
            facet=waiver.facet,
            favored=_name(waiver.favored),
            disfavored=_name(waiver.disfavored),
            reason=waiver.reason,
            approved_by=waiver.approved_by,
            ticket=waiver.ticket,
            expires=waiver.expires.isoformat(),
            bound=BoundsRecord(**waiver.bound.bounds) if waiver.bound else None,
            regression=waiver.regression or None,
            state=waiver_rules.state(waiver),
            waived=used[number],
            line=evidence.waiver_lines[number - 1],
            spec_key=evidence.spec_key(("waivers", number - 1)),
        )
        for number, waiver in enumerate(evidence.audit.waivers, 1)
    )


def _name(side: Scalar | None) -> str | None:
    return None if side is None else format_value(side)
