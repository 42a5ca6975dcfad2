"""The report for a person at a terminal or in a CI log; it shows and computes nothing."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Literal

from rich.console import Console, Group, RenderableType
from rich.text import Text

from biaspipe.errors import Exit, shown
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.wording import (
    counted_text,
    limit_text,
    people_text,
    positive_text,
    rate_of,
    value_text,
)
from biaspipe.report import CheckRecord, GroupRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["console_for", "plain_text", "render", "summary"]

STYLES = {
    Verdict.FAIL: "bold red",
    Verdict.UNDECIDED: "bold magenta",
    Verdict.WARN: "yellow",
    Verdict.WAIVED: "cyan",
    Verdict.PASS: "green",
    Verdict.REPORTED: "dim",
}
WORDS: dict[Literal["pass", "warn", "fail", "undecided", "waived", "reported"], str] = {
    "pass": "passed",
    "warn": "warned",
    "fail": "failed",
    "undecided": "undecided",
    "waived": "waived",
    "reported": "reported",
}
LOG_WIDTH = 120
Side = Literal["favored", "disfavored"]
Counts = dict[tuple[str | None, str | None], dict[Side, GroupRecord]]
SIDES: tuple[Side, Side] = ("favored", "disfavored")
GRAVITY = {verdict: i for i, verdict in enumerate(Verdict)}


def console_for(file: IO[str], *, width: int | None = None) -> Console:
    """Return a console for a stream: as wide as its terminal or COLUMNS says, else 120.

    Parameters
    ----------
    file : where to write.
    width : columns, where it is not the stream's own business.
    """
    if width is None and not file.isatty() and "COLUMNS" not in os.environ:
        width = LOG_WIDTH
    return Console(file=file, width=width, highlight=False, markup=False, emoji=False)


def render(report: Report, code: Exit) -> RenderableType:
    """Return a report as a header, a table for each facet, the failures and the tally.

    Parameters
    ----------
    report : the whole report.
    code : what the process ends with.
    """
    facets = [facet.facet for facet in report.result.facets]
    parts: list[RenderableType] = [_header(report)]
    for facet in facets:
        checks = [check for check in report.result.checks if check.facet == facet]
        parts += _facet(report, facet, checks) if checks else ()
    general = [check for check in report.result.checks if check.facet is None]
    parts += _facet(report, None, general) if general else ()
    notes = [*_not_computed(report), *_findings(report)]
    parts += [Text(), *notes, *([Text()] if notes else []), _tally(report, code)]
    return Group(*parts)


def _header(report: Report) -> RenderableType:
    result = report.result
    everyone, rows = result.data.everyone, counted_text(result.data.rows, "row")
    if everyone.n != everyone.rows:
        people = counted_text(everyone.n, "person")
        all_known = everyone.rows == result.data.rows
        rows += f", {people}" if all_known else f"; {people} counted"
    lines = {
        "audit": shown(result.audit.name),
        "spec": f"{shown(report.run.spec)}  sha256 {result.audit.sha256[:12]}",
        "data": f"{_data(report)}  {rows}",
        "result": f"sha256 {report.result_sha256[:12]}",
    }
    text = Text()
    for title, line in lines.items():
        text.append(f"{title:<8}", "dim").append(f"{line}\n", "bold" if title == "audit" else "")
    verdict = result.verdict
    word = "nothing checked" if verdict is Verdict.REPORTED else verdict
    return text.append("verdict ", "dim").append(word.upper(), STYLES[verdict])


def _data(report: Report) -> str:
    """Return the data's path as the spec writes it, and how many files were read."""
    path = report.result.audit.spec["data"]["path"]
    files = len(report.result.data.inputs)
    more = f" ({files} files)" if files > 1 else ""
    return shown(", ".join(path) if isinstance(path, list) else path) + more


def _facet(
    report: Report, facet: str | None, checks: Sequence[CheckRecord]
) -> Iterator[RenderableType]:
    counts = _counts(report, facet)
    many = len(counts) > 1
    titles = ["verdict", "metric", "value", "limit", *(SIDES if many else ())]
    table = Columns(titles, right=("value",), folded=("limit", *SIDES, "metric"))
    for check in sorted(checks, key=_worst_first):
        table.add(*_row(check, counts if many else {}), style=STYLES[check.verdict])
    yield Text(f"\n{shown(facet or 'all people')}", style="bold")
    yield from [Text(_caption(counts), "dim")] if many else _sides(counts)
    yield table
    yield from _flips(checks)
    if facet is not None and (line := _ledger(report, facet)):
        yield Text(line, style="dim")


def _flips(checks: Iterable[CheckRecord]) -> Iterator[Text]:
    """How the fliptest judged similarity: the encoding matters more than k."""
    for check in checks:
        if flips := check.flips:
            distance = flips.median_distance
            near = "" if distance is None else f", median distance {distance:.3g}"
            yield Text(
                f"FT {shown(check.disfavored)}: F+ {flips.F_plus:,}, F- {flips.F_minus:,} of"
                f" {flips.n_d:,}; k = {flips.k}, {len(flips.features)} features, scaling"
                f" {flips.scaling}{near}; {flips.left_out:,} left out for a missing number",
                style="dim",
            )


def _caption(counts: Counts) -> str:
    """Say what stands behind the names of the groups in a table."""
    (groups, *_) = counts.values()
    rate = rate_of(groups["favored"])
    return "groups with their people" + (
        "" if rate is None else f" and the share {positive_text(groups['favored'])}"
    )


def _sides(counts: Counts) -> Iterator[Text]:
    """Both groups of a facet that has one comparison, in a line each."""
    for names, groups in counts.items():
        for side, name in zip(SIDES, names, strict=True):
            rate = rate_of(groups[side])
            words = "" if rate is None else f", {rate} {positive_text(groups[side])}"
            people = counted_text(groups[side].n, "person")
            yield Text(f"{side + ':':<12} {shown(name)}, {people}{words}")


def _worst_first(check: CheckRecord) -> int:
    return GRAVITY[check.verdict]


def _counts(report: Report, facet: str | None) -> Counts:
    record = next((f for f in report.result.facets if f.facet == facet), None)
    comparisons = record.comparisons if record else ()
    return {(c.favored, c.disfavored): dict(c.counts) for c in comparisons}


def _row(check: CheckRecord, counts: Counts) -> Iterator[str]:
    yield str(check.verdict) if check.verdict == Verdict.REPORTED else check.verdict.upper()
    yield check.metric
    yield value_text(check)
    yield limit_text(check.limits)
    groups = counts.get((check.favored, check.disfavored), {})
    for side, name in zip(SIDES, (check.favored, check.disfavored), strict=True):
        if side in groups:
            yield f"{shown(name)} {people_text(groups[side])}"


def _ledger(report: Report, facet: str) -> str:
    ledger = report.result.data.ledger[facet].model_dump()
    part = ledger.pop("favored") + ledger.pop("disfavored")
    lost = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in ledger.items() if n)
    return f"{part:,} of {report.result.data.rows:,} rows compared; {lost}" if lost else ""


def _not_computed(report: Report) -> Iterator[RenderableType]:
    reasons: dict[str, list[str]] = {}
    for metric, reason in report.result.not_computed.items():
        reasons.setdefault(reason, []).append(metric)
    for reason, metrics in reasons.items():
        verb = "needs" if len(metrics) == 1 else "need"
        words = reason.removeprefix("needs ")
        yield Text(f"not computed: {', '.join(metrics)} {verb} {words}", style="dim")
    joins = report.result.data.joins or ()
    for join in joins:
        rows = counted_text(join.unmatched, "row")
        yield Text(f"{rows} without a partner in {shown(join.path)}", style="dim")


def _findings(report: Report) -> Iterator[RenderableType]:
    """Every check that did not simply pass, with the line of the spec that asks for it."""
    graves = (Verdict.FAIL, Verdict.UNDECIDED, Verdict.WARN, Verdict.WAIVED)
    found = [check for check in report.result.checks if check.verdict in graves]
    for check in sorted(found, key=_worst_first):
        where = f"{shown(report.run.spec)}:{check.line}: "
        about = f"{check.metric} {shown(check.facet)}: " if check.facet else f"{check.metric}: "
        yield Text.assemble(
            where, (check.verdict.upper(), STYLES[check.verdict]), " ", about, shown(check.sentence)
        )
    for line, note in sorted({(c.line, c.note) for c in report.result.checks if c.note}):
        yield Text(f"{shown(report.run.spec)}:{line}: note: {note}")
    for check in report.result.checks:
        for left in check.strata_left_out or ():
            rows = counted_text(left.rows, "row")
            yield Text(
                f"{check.metric} {shown(check.facet)}, {shown(check.disfavored)}: stratum"
                f" {shown(left.stratum)} left out, one outcome never occurs in its {rows}",
                style="dim",
            )


def _tally(report: Report, code: Exit) -> RenderableType:
    verdict = report.result.verdict
    line = Text()
    counted = [(report.result.tally[name], name) for name in WORDS if report.result.tally[name]]
    for i, (n, name) in enumerate(counted):
        line.append(f"{', ' if i else ''}{n} {WORDS[name]}", STYLES[Verdict(name)])
    if verdict is Verdict.REPORTED:
        line.append("; " if counted else "")
        line.append("NOTHING CHECKED: no check has a limit", STYLES[Verdict.UNDECIDED])
    line.append(f"  ({report.run.seconds:.2f} s)  exit {int(code)}")
    return line


def summary(rows: Iterable[tuple[str, str, Exit]], code: Exit) -> RenderableType:
    """Return the table that ends a run of several audits.

    Parameters
    ----------
    rows : spec, what it came to in words, and its exit code.
    code : the worst of them.
    """
    table = Columns(("verdict", "spec", "exit"), right=("exit",), folded=("spec",))
    for spec, words, each in rows:
        style = "green" if each is Exit.PASSED else "bold red"
        table.add(words, shown(spec), str(int(each)), style=style)
    return Group(Text(), table, Text(f"exit {int(code)}"))


def plain_text(report: Report, code: Exit) -> str:
    """Return the console report as text without colour, 120 columns wide."""
    console = Console(
        width=LOG_WIDTH, color_system=None, highlight=False, markup=False, emoji=False
    )
    with console.capture() as captured:
        console.print(render(report, code), crop=False)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"
