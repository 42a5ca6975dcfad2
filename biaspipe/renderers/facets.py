"""The checks of a facet as a table, with its groups and what became of its rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import RenderableType
from rich.text import Text

from biaspipe.errors import shown
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.wording import (
    counted_text,
    effective_text,
    ends_text,
    interval_text,
    limit_text,
    people_text,
    positive_text,
    rate_of,
    value_text,
)
from biaspipe.report import CheckRecord, GroupRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["STYLES", "facet_parts", "worst_first"]

STYLES = {
    Verdict.FAIL: "bold red",
    Verdict.UNDECIDED: "bold magenta",
    Verdict.WARN: "yellow",
    Verdict.WAIVED: "cyan",
    Verdict.PASS: "green",
    Verdict.REPORTED: "dim",
}
Side = Literal["favored", "disfavored"]
Counts = dict[tuple[str | None, str | None], dict[Side, GroupRecord]]
SIDES: tuple[Side, Side] = ("favored", "disfavored")
GRAVITY = {verdict: i for i, verdict in enumerate(Verdict)}


def facet_parts(
    report: Report, facet: str | None, checks: Sequence[CheckRecord]
) -> Iterator[RenderableType]:
    """Yield what a person sees of a facet.

    Parameters
    ----------
    report : the whole report.
    facet : its name; None for what compares no groups.
    checks : its checks.
    """
    counts = _counts(report, facet)
    many = len(counts) > 1
    interval = f"{100 * report.result.decision.confidence:.4g}% interval"
    titles = ["verdict", "metric", "value", interval, "limit", *(SIDES if many else ())]
    table = Columns(titles, right=("value",), folded=("limit", *SIDES, interval, "metric"))
    for check in sorted(checks, key=worst_first):
        table.add(*_row(check, counts if many else {}), style=STYLES[check.verdict])
    yield Text(f"\n{shown(facet or 'all people')}", style="bold")
    yield from [Text(_caption(counts), "dim")] if many else _sides(counts)
    yield table
    yield from _flips(checks)
    yield from _model_bias(report, facet)
    yield from _beside(report, facet)
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


def _model_bias(report: Report, facet: str | None) -> Iterator[Text]:
    """Say what the model adds to the bias of the labels, where the audit computes both."""
    for record in report.result.facets:
        for comparison in record.comparisons if record.facet == facet else ():
            if bias := comparison.model_bias:
                ends = f"{bias.value:+.4f}, {ends_text(bias.interval, '+')}"
                yield Text(
                    f"DPPL - DPL {shown(comparison.disfavored)}: {ends}: {shown(bias.sentence)}",
                    style="dim",
                )


def _beside(report: Report, facet: str | None) -> Iterator[Text]:
    """List the groups that no comparison uses, and the people in none of them."""
    for record in report.result.facets:
        left = [g for g in record.groups if g.part not in ("favored", "disfavored", "both")]
        if record.facet == facet and left:
            named = "; ".join(f"{shown(g.group)} {counted_text(g.rows, 'row')}" for g in left)
            yield Text(f"not compared: {named}", style="dim")


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
            people = counted_text(groups[side].n, "person") + effective_text(groups[side])
            yield Text(f"{side + ':':<12} {shown(name)}, {people}{words}")


def worst_first(check: CheckRecord) -> int:
    """Return what sorts the gravest verdict first."""
    return GRAVITY[check.verdict]


def _counts(report: Report, facet: str | None) -> Counts:
    record = next((f for f in report.result.facets if f.facet == facet), None)
    comparisons = record.comparisons if record else ()
    return {(c.favored, c.disfavored): dict(c.counts) for c in comparisons}


def _row(check: CheckRecord, counts: Counts) -> Iterator[str]:
    yield str(check.verdict) if check.verdict == Verdict.REPORTED else check.verdict.upper()
    yield check.metric
    yield value_text(check)
    yield interval_text(check)
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
