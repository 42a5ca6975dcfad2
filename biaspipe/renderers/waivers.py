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
    titles = ("state", "expires", "covers", "bound", "approved by", "ticket", "reason", "spec")
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
    sides = [
        f"{name} {written(side)}"
        for name, side in (("favored", waiver.favored), ("disfavored", waiver.disfavored))
        if side is not None
    ]
    checks = " on ".join(part for part in (waiver.metric, waiver.facet) if part)
    return (
        waiver.expires.isoformat(),
        shown(", ".join([checks, *sides])),
        limit_text(waiver.bound.bounds) if waiver.bound else "",
        shown(waiver.approved_by),
        shown(waiver.ticket or ""),
        shown(waiver.reason),
        f"{shown(entry.spec)}:{entry.line}",
    )
