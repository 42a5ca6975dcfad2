"""The waivers of some audits as a table."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from biaspipe.errors import shown
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.findings import SOON
from biaspipe.renderers.wording import counted_text, limit_text
from biaspipe.spec import Waiver, written

__all__ = ["Entry", "render"]


class Entry(NamedTuple):
    """A waiver and where it stands."""

    spec: str
    line: int
    waiver: Waiver


def render(entries: Sequence[Entry], as_of: date) -> RenderableType:
    """Return the waivers, those that end first at the top.

    Parameters
    ----------
    entries : waivers with their places.
    as_of : the day that counts as today.
    """
    if not entries:
        return Text("no waivers")
    titles = ("state", "expires", "covers", "approved by", "reason", "spec")
    table = Columns(titles, folded=("reason", "covers", "approved by", "spec"))
    for entry in sorted(entries, key=lambda entry: (entry.waiver.expires, entry[:2])):
        state, style = _state(entry.waiver, as_of)
        table.add(state, *_row(entry), style=style)
    expired = sum(entry.waiver.expires < as_of for entry in entries)
    words = f"{counted_text(len(entries), 'waiver')} as of {as_of}, {expired} expired"
    return Group(table, Text(words))


def _state(waiver: Waiver, as_of: date) -> tuple[str, str]:
    left = (waiver.expires - as_of).days
    if left < 0:
        return "expired", "bold red"
    if left <= SOON:
        return f"{counted_text(left, 'day')} left", "yellow"
    return "active", "green"


def _row(entry: Entry) -> tuple[str, ...]:
    waiver = entry.waiver
    return (
        waiver.expires.isoformat(),
        shown(_covers(waiver)),
        shown(waiver.approved_by),
        shown(f"{waiver.ticket}: {waiver.reason}" if waiver.ticket else waiver.reason),
        f"{shown(entry.spec)}:{entry.line}",
    )


def _covers(waiver: Waiver) -> str:
    """Say which checks a waiver is for, and how far it goes."""
    words = [" on ".join(part for part in (waiver.metric, waiver.facet) if part)]
    words += [f"favored {written(waiver.favored)}"] if waiver.favored is not None else []
    words += [f"disfavored {written(waiver.disfavored)}"] if waiver.disfavored is not None else []
    words += [f"as long as {limit_text(waiver.bound.bounds)}"] if waiver.bound else []
    words += ["regressions too"] if waiver.regression else []
    return ", ".join(words)
