"""Waivers: which failures somebody answers for, how far, until when and why."""

from datetime import date

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.wording import day_text, required_text
from biaspipe.renderers.story import (
    Line,
    Section,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import counted_text
from biaspipe.renderers.waiver_lines import state_text, waiver_text
from biaspipe.report import Report, WaiverRecord

__all__ = ["waiver_section"]

TITLES = ("For what", "As long as it is", "Until", "Approved by", "Why", "State")


def waiver_section(report: Report) -> Section | None:
    """Return the waivers of a report; None where it has none.

    Parameters
    ----------
    report : the whole report.
    """
    waivers = report.result.waivers
    if not waivers:
        return None
    as_of = date.fromisoformat(report.run.as_of)
    lead = "A waiver accepts a failure: it does not make the failure go away."
    table = StoryTable(
        tuple(map(StoryColumn, TITLES)),
        tuple(_row(waiver, as_of) for waiver in waivers),
        wrapping=("Why", "For what", "Approved by"),
        caption=f"The waivers of the spec, as on {day_text(as_of)}",
    )
    return Section((Line.of(lead), table), "Failures that were accepted")


def _row(waiver: WaiverRecord, as_of: date) -> StoryRow:
    bound = required_text(waiver.bound) if waiver.bound else "any value"
    worse = [Line.of("also where it is worse than in the baseline")]
    waived = f"waives {counted_text(waiver.waived, 'check')}"
    ticket = [escape(waiver.ticket)] if waiver.ticket else []
    return StoryRow(
        (
            escape(waiver_text(waiver)) or "every check",
            StoryCell((Line.of(bound), *(worse if waiver.regression else []))),
            day_text(waiver.expires),
            escape(waiver.approved_by),
            StoryCell.of(escape(waiver.reason), *ticket),
            StoryCell.of(state_text(waiver, as_of), waived),
        )
    )
