"""The waivers of some specs, as a table."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from biaspipe.printable_text import escape
from biaspipe.renderers.about import declared
from biaspipe.renderers.story import Line, Role, Section, Story, StoryColumn, StoryRow, StoryTable
from biaspipe.renderers.text import counted_text, limit_text
from biaspipe.renderers.waiver_lines import SOON
from biaspipe.spec import Waiver, format_value
from biaspipe.verdict import Verdict

__all__ = ["WaiverEntry", "audits_of", "waivers_story"]


class WaiverEntry(NamedTuple):
    """A waiver, where it stands, and what the spec says of its audit by its keys."""

    spec: str
    line: int
    waiver: Waiver
    audit: Mapping[str, Any]


def waivers_story(entries: Sequence[WaiverEntry], as_of: date) -> Story:
    """Return the waivers of some specs, those that end first at the top.

    Parameters
    ----------
    entries : waivers with their places.
    as_of : the day that counts as today.
    """
    if not entries:
        return Story((Section((Line.of("no waivers"),)),))
    titles = ("state", "expires", "covers", "approved by", "reason", "spec")
    table = StoryTable(
        tuple(map(StoryColumn, titles)),
        tuple(
            _row(entry, as_of)
            for entry in sorted(entries, key=lambda entry: (entry.waiver.expires, entry[:2]))
        ),
        wrapping=("reason", "covers", "approved by", "spec"),
        apart=(1, 1),
    )
    expired = sum(entry.waiver.expires < as_of for entry in entries)
    words = f"{counted_text(len(entries), 'waiver')} as of {as_of}, {expired} expired"
    return Story((Section((table, Line.of(words))),))


def audits_of(entries: Sequence[WaiverEntry]) -> StoryTable:
    """Return whose audits the waivers are of.

    Parameters
    ----------
    entries : waivers with their places.
    """
    titles = ("spec", "audit", "about", "model", "owner")
    audits = {entry.spec: entry.audit for entry in entries}
    rows = (
        StoryRow((escape(spec), escape(audit["name"]), *(words for _, words in declared(audit))))
        for spec, audit in audits.items()
    )
    return StoryTable(tuple(map(StoryColumn, titles)), tuple(rows), wrapping=("about", "spec"))


def _state(waiver: Waiver, as_of: date) -> tuple[str, Role]:
    left = (waiver.expires - as_of).days
    if left < 0:
        return "expired", Verdict.FAIL
    if left <= SOON:
        return f"{counted_text(left, 'day')} left", Verdict.WARN
    return "active", Verdict.PASS


def _row(entry: WaiverEntry, as_of: date) -> StoryRow:
    waiver = entry.waiver
    state, role = _state(waiver, as_of)
    cells = (
        state,
        waiver.expires.isoformat(),
        escape(_covers(waiver)),
        escape(waiver.approved_by),
        escape(f"{waiver.ticket}: {waiver.reason}" if waiver.ticket else waiver.reason),
        f"{escape(entry.spec)}:{entry.line}",
    )
    return StoryRow(cells, role)


def _covers(waiver: Waiver) -> str:
    """Say which checks a waiver is for, and how far it goes."""
    words = [" on ".join(part for part in (waiver.metric, waiver.facet) if part)]
    words += [f"favored {format_value(waiver.favored)}"] if waiver.favored is not None else []
    words += (
        [f"disfavored {format_value(waiver.disfavored)}"] if waiver.disfavored is not None else []
    )
    words += [f"as long as {limit_text(waiver.bound)}"] if waiver.bound else []
    words += ["regressions too"] if waiver.regression else []
    return ", ".join(words)
