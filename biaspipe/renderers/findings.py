"""What a person should know beside the tables: failures, waivers, baselines, notes."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from rich.console import RenderableType
from rich.text import Text

from biaspipe.errors import shown
from biaspipe.renderers.counted_as import notes_on
from biaspipe.renderers.facets import STYLES, worst_first
from biaspipe.renderers.wording import counted_text
from biaspipe.report import CheckRecord, Report, WaiverRecord
from biaspipe.verdict import Verdict

__all__ = ["SOON", "about", "findings", "governance", "not_computed", "state_text", "uncovered"]

SOON = 30
"""Days before its end from which a waiver is listed."""


def not_computed(report: Report) -> Iterator[RenderableType]:
    """Yield the metrics that were left out, and the rows that a join found no partner for."""
    reasons: dict[str, list[str]] = {}
    for metric, reason in report.result.not_computed.items():
        reasons.setdefault(reason, []).append(metric)
    for reason, metrics in reasons.items():
        words = reason.replace("needs ", "need ", 1) if len(metrics) > 1 else reason
        yield Text(f"not computed: {', '.join(metrics)} {words}", style="dim")
    joins = report.result.data.joins or ()
    for i, join in enumerate(joins):
        rows, groups = counted_text(join.unmatched, "row"), _unmatched(report, i)
        words = f"{rows} without a partner in {shown(join.path)}{groups}"
        yield Text(words, style="dim")


def _unmatched(report: Report, join: int) -> str:
    """Say which groups the rows without a partner are of, by the first facet."""
    groups = report.result.facets[0].groups if report.result.facets else ()
    named = [(shown(g.group), g.unmatched[join]) for g in groups if g.unmatched]
    told = ", ".join(f"{name} {n:,}" for name, n in named if n)
    return f": {told}" if told else ""


def uncovered(report: Report) -> Iterator[RenderableType]:
    """Yield the facets that no check covers; under a selection the others may."""
    facets = report.result.audit.spec["facets"]
    checked = {check.facet for check in report.result.checks}
    checked |= {part for facet in facets.values() for part in facet.get("cross") or ()}
    for record in () if report.run.select else report.result.facets:
        if record.facet not in checked:
            words = f"facet {shown(record.facet)}: compared with nothing, no check covers it"
            yield Text(words, style=STYLES[Verdict.UNDECIDED])


def _words(check: CheckRecord, report: Report) -> str:
    """Say what a check came to, and why it is no plain failure."""
    words = [check.sentence]
    if check.reason and check.reason not in check.sentence:
        words.append(check.reason)
    if check.waiver and check.waiver.state == "waived":
        waiver = report.result.waivers[check.waiver.number - 1]
        ticket = f", {waiver.ticket}" if waiver.ticket else ""
        words.append(
            f"waived by {waiver.approved_by} until {waiver.expires}{ticket}: {waiver.reason}"
        )
    return "; ".join(words)


def findings(report: Report) -> Iterator[RenderableType]:
    """Yield every check that did not simply pass, with the line of the spec that asks for it."""
    found = [
        check for check in report.result.checks if check.verdict.gravity < Verdict.PASS.gravity
    ]
    for check in sorted(found, key=worst_first):
        where = f"{shown(report.run.spec)}:{check.line}: "
        about = f"{check.metric} {shown(check.facet)}: " if check.facet else f"{check.metric}: "
        verdict = (check.verdict.upper(), STYLES[check.verdict])
        yield Text.assemble(where, verdict, " ", about, shown(_words(check, report)))
    yield from _notes(report)
    yield from map(Text, notes_on(report.result.data.counted_as))
    for facet in report.result.facets:
        for c in facet.comparisons:
            if c.warning:
                yield Text(shown(f"{facet.facet}: warning: {c.warning}"))
    for check in report.result.checks:
        if left := check.strata_left_out:
            strata = "; ".join(f"{s.stratum} {counted_text(s.rows, 'row')}" for s in left)
            where = f"{check.metric} {shown(check.facet)}, {shown(check.disfavored)}"
            words = "strata left out, since one outcome never occurs there"
            yield Text(f"{where}: {words}: {shown(strata)}", style="dim")
        if alone := check.strata_of_one_group:
            strata = "; ".join(f"{s.stratum} {counted_text(s.rows, 'row')}" for s in alone)
            where = f"{check.metric} {shown(check.facet)}, {shown(check.disfavored)}"
            words = "strata of one group, which count as no disparity"
            yield Text(f"{where}: {words}: {shown(strata)}", style="dim")


def _notes(report: Report) -> Iterator[Text]:
    """Yield what a reader of some verdicts should know, each once, with what it is about."""
    checks, about = report.result.checks, dict[tuple[int, str, str | None, str], list[str]]()
    for check in checks:
        if check.note:
            key = (check.line, check.metric, check.facet, check.note)
            about.setdefault(key, []).append(check.disfavored or "")
    every = Counter((check.metric, check.facet) for check in checks)
    for (line, metric, facet, note), groups in sorted(about.items(), key=lambda item: item[0][0]):
        among = f", {', '.join(groups)}" if len(groups) < every[metric, facet] else ""
        where = f"{metric} {facet}{among}" if facet else metric
        yield Text(f"{shown(report.run.spec)}:{line}: {shown(where)}: note: {note}")


def governance(report: Report) -> Iterator[RenderableType]:
    """Yield what became of waivers and of the comparison with a baseline."""
    as_of = date.fromisoformat(report.run.as_of)
    for waiver in report.result.waivers:
        state = state_text(waiver, as_of)
        if waiver.state != "active" or "left" in state or not waiver.waived:
            where = f"{shown(report.run.spec)}:{waiver.line}: waiver {shown(about(waiver))}: "
            yield Text(where + state)
    baseline = report.result.baseline
    if baseline is not None:
        compared = sum(check.baseline is not None for check in report.result.checks)
        yield Text(
            f"baseline {shown(baseline.report)}  sha256 {baseline.result_sha256[:12]}:"
            f" {counted_text(compared, 'check')} compared, max_worsening {baseline.max_worsening:g}"
        )
        for word, names, style in (
            ("new", baseline.new, ""),
            ("vanished", baseline.vanished, STYLES[Verdict.FAIL] if baseline.fails else ""),
            ("allowed to vanish", baseline.allowed or (), ""),
        ):
            if names:
                yield Text(f"{word} since the baseline: {shown('; '.join(names))}", style=style)


def about(waiver: WaiverRecord) -> str:
    """Say what a waiver is for.

    >>> from types import SimpleNamespace
    >>> names = {"metric": "DI", "facet": "race", "favored": None, "disfavored": "Other"}
    >>> about(SimpleNamespace(**names))
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
