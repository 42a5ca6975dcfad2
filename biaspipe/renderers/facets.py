"""The checks of a facet as a table, with its groups and what became of its rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import RenderableType
from rich.text import Text

from biaspipe.errors import shown
from biaspipe.renderers.columns import Columns
from biaspipe.renderers.counted_as import sides_text
from biaspipe.renderers.wording import (
    counted_text,
    effective_text,
    ends_text,
    interval_text,
    limit_text,
    p_value_text,
    people_text,
    positive_text,
    rate_of,
    value_text,
    was,
)
from biaspipe.report import CheckRecord, FlipsRecord, GroupRecord, Report
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
    yield Text(f"\n{_heading(facet)}", style="bold")
    yield from _sides(counts)
    yield _table(report, checks, counts)
    yield from _flips(checks)
    yield from _model_bias(report, facet)
    yield from _divided(report, facet)
    yield from _beside(report, facet)
    yield from _missing(report, facet)
    if facet is not None and (line := _ledger(report, facet)):
        yield Text(line, style="dim")


def _heading(facet: str | None) -> str:
    """Return the name of a facet, in quotes where it could read like a line of ours.

    >>> _heading("sex"), _heading("1 passed  exit 0"), _heading(None)
    ('sex', "'1 passed  exit 0'", 'all people')
    """
    if facet is None:
        return "all people"
    return f"'{shown(facet)}'" if " " in facet else shown(facet)


def _table(report: Report, checks: Sequence[CheckRecord], counts: Counts) -> Columns:
    interval = f"{100 * report.result.decision.confidence:.4g}% interval"
    extra = (
        ["p"] if any(check.parity and check.parity.adjusted is not None for check in checks) else []
    )
    extra += ["baseline"] if any(check.baseline for check in checks) else []
    varying = _varying(counts)
    titles = ["verdict", "metric", "value", interval, *extra, "limit", *varying]
    folded = ("limit", *SIDES, interval, "metric")
    table = Columns(titles, right=("value", "p", "baseline"), folded=folded)
    for check in sorted(checks, key=worst_first):
        table.add(*_row(check, counts, extra, varying), style=STYLES[check.verdict])
    return table


def _flips(checks: Iterable[CheckRecord]) -> Iterator[Text]:
    """How the fliptest judged similarity: the encoding matters more than k."""
    for check in checks:
        if flips := check.flips:
            distance = flips.median_distance
            features = counted_text(len(flips.features), "feature")
            near = "" if distance is None else f", median distance {distance:.3g}"
            yield Text(
                f"FT {shown(check.disfavored)}: F+ {flips.F_plus:,}, F- {flips.F_minus:,} of"
                f" {_judged(flips)}; k = {flips.k}, {features}, scaling"
                f" {flips.scaling}{near}; {flips.left_out:,} left out for a missing number",
                style="dim",
            )


def _judged(flips: FlipsRecord) -> str:
    """Write how many members were looked at, and that they are a sample if they are one."""
    if flips.drawn is None:
        return f"{flips.n_d:,}"
    members = flips.drawn.unfavorable[1] + flips.drawn.favorable[1]
    return f"a sample of {members:,} from {flips.n_d:,}, seed {flips.drawn.seed}"


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


def _divided(report: Report, facet: str | None) -> Iterator[Text]:
    """Say which values the named groups of a facet hold."""
    named = report.result.audit.spec.get("facets", {}).get(facet, {})
    for column in report.result.data.counted_as or ():
        if column.facet is not None and column.facet == facet and "groups" in named:
            yield Text(sides_text(column), style="dim")


def _missing(report: Report, facet: str | None) -> Iterator[Text]:
    """Say which groups lost people for lack of a label or a prediction."""
    for record in report.result.facets:
        for group in record.groups if record.facet == facet else ():
            lost = {"label": group.label_missing, "prediction": group.prediction_missing}
            words = " and ".join(f"{n:,} without {what}" for what, n in lost.items() if n)
            if words:
                rows = counted_text(group.rows + sum(n or 0 for n in lost.values()), "row")
                yield Text(f"missing: {shown(group.group)} {words}, of {rows}", style="dim")


def _varying(counts: Counts) -> list[Side]:
    """Return the sides that are not the same group in all comparisons of a facet."""
    varying = []
    for place, side in enumerate(SIDES):
        groups = [(names[place], counted[side]) for names, counted in counts.items()]
        if any(group != groups[0] for group in groups):
            varying.append(side)
    return varying


def _sides(counts: Counts) -> Iterator[Text]:
    """Yield a line for each group that is in all comparisons, and one on the other groups."""
    varying = _varying(counts)
    for names, groups in list(counts.items())[:1]:
        for side, name in zip(SIDES, names, strict=True):
            if side not in varying:
                yield Text(f"{side + ':':<12} {shown(name)}, {_people(groups[side])}")
        if varying:
            yield Text(_caption(groups["disfavored"]), "dim")


def _people(group: GroupRecord) -> str:
    rate = rate_of(group)
    words = "" if rate is None else f", {rate} {positive_text(group)}"
    return counted_text(group.n, "person") + effective_text(group) + words


def _caption(group: GroupRecord) -> str:
    """Say what stands behind the names of the groups in a table."""
    words = ["groups with their people"]
    words += ["their effective number in brackets"] if group.effective is not None else []
    words += [f"the share {positive_text(group)}"] if rate_of(group) is not None else []
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def worst_first(check: CheckRecord) -> int:
    """Return what sorts the gravest verdict first."""
    return check.verdict.gravity


def _counts(report: Report, facet: str | None) -> Counts:
    record = next((f for f in report.result.facets if f.facet == facet), None)
    comparisons = record.comparisons if record else ()
    return {(c.favored, c.disfavored): dict(c.counts) for c in comparisons}


def _row(
    check: CheckRecord, counts: Counts, extra: Sequence[str], varying: Sequence[Side]
) -> Iterator[str]:
    yield str(check.verdict) if check.verdict == Verdict.REPORTED else check.verdict.upper()
    yield check.metric
    yield value_text(check)
    yield interval_text(check)
    if "p" in extra:
        yield p_value_text(check.parity)
    if "baseline" in extra:
        yield value_text(was(check, check.baseline)) if check.baseline else ""
    yield limit_text(check.limits.model_dump(exclude_none=True))
    names: dict[Side, str | None] = {"favored": check.favored, "disfavored": check.disfavored}
    for side in varying:
        group = counts[check.favored, check.disfavored][side]
        yield f"{shown(names[side])} {people_text(group)}"


def _ledger(report: Report, facet: str) -> str:
    ledger = report.result.data.ledger[facet].model_dump()
    part = ledger.pop("favored") + ledger.pop("disfavored")
    lost = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in ledger.items() if n)
    return f"{part:,} of {report.result.data.rows:,} rows compared; {lost}" if lost else ""
