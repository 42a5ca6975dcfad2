"""Two reports side by side, for a person."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from biaspipe.errors import Exit, shown
from biaspipe.renderers.asked import caution_lines, cautions
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.wording import (
    counted_text,
    interval_text,
    parameters_text,
    value_text,
    was,
)
from biaspipe.report import BaselineNote, CheckRecord, Report

__all__ = ["Pair", "render"]

STYLES = {
    "regressed": "bold red",
    "undecided": "bold magenta",
    "worse": "yellow",
    "same": "dim",
    "better": "green",
}
Named = tuple[str, Report]
Changed = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Names of what is new, of what vanished, and of what was allowed to."""


class Pair(NamedTuple):
    """A check of the new report, and how it was in the old one."""

    check: CheckRecord
    note: BaselineNote


def render(
    old: Named,
    new: Named,
    pairs: Sequence[Pair],
    changed: Changed,
    code: Exit,
) -> RenderableType:
    """Return both reports, a table of every check that both have, and what only one has.

    Parameters
    ----------
    old, new : the reports, each with its file.
    pairs : the checks that both have.
    changed : what only one of the two has.
    code : what the process ends with.
    """
    head: list[RenderableType] = []
    for title, (name, report) in (("old", old), ("new", new)):
        about = f"{report.result.audit.name}, {report.run.started_at}"
        line = f"{shown(name)}  {shown(about)}  sha256 {report.result_sha256[:12]}"
        head.append(Text(f"{title:<5}", "dim").append(line, "not dim"))
        if report.result.audit.parameters:
            head.append(Text(f"{'':<5}with {parameters_text(report.result)}"))
        head += caution_lines(f"{title}: {words}" for words in cautions(report))
    titles = ("change", "metric", "facet", "old", "new", "worsening", "groups")
    table = Columns(titles, right=("worsening",), folded=("groups", "old", "new", "metric"))
    order = list(STYLES)
    for pair in sorted(pairs, key=lambda pair: order.index(pair.note.verdict)):
        table.add(*_row(pair), style=STYLES[pair.note.verdict])
    lines = [
        Text(f"{word}: {shown('; '.join(names))}", style)
        for word, names, style in zip(
            ("new", "vanished", "allowed to vanish"),
            changed,
            ("", STYLES["regressed"], ""),
            strict=True,
        )
        if names
    ]
    return Group(*head, Text(), table, *lines, Text(), _tally(pairs, len(changed[1]), code))


def _row(pair: Pair) -> tuple[str, ...]:
    check, note = pair
    verdict = note.verdict.upper() if note.verdict == "regressed" else note.verdict
    worsening = "" if note.worsening is None else f"{note.worsening:+.4f}"
    sides = f"{check.disfavored} against {check.favored}" if check.facet else ""
    return (
        verdict,
        check.metric,
        shown(check.facet or ""),
        _value(was(check, note)),
        _value(check),
        worsening,
        shown(sides),
    )


def _value(check: CheckRecord) -> str:
    return value_text(check) + (f" ({interval_text(check)})" if check.interval else "")


def _tally(pairs: Sequence[Pair], vanished: int, code: Exit) -> Text:
    counted = Counter[str](pair.note.verdict for pair in pairs)
    words = ", ".join(f"{counted[name]} {name}" for name in STYLES if counted[name])
    lost = f"; {vanished} vanished" if vanished else ""
    return Text(f"{counted_text(len(pairs), 'check')} compared: {words}{lost}  exit {int(code)}")
