"""The section of a facet: its groups, its checks as a table, and what became of its rows."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from biaspipe.metrics.digits import confidence_text, digits_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.printable_text import escape
from biaspipe.renderers.column_lines import column_text
from biaspipe.renderers.console.findings import counts_text, is_finding, place_text
from biaspipe.renderers.omissions import rows_text
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.repetition import has_other_sign, repeated
from biaspipe.renderers.selections import selection_text
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import (
    Facts,
    Line,
    Section,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import (
    SAMPLED,
    counted_text,
    difference_text,
    earlier_check,
    ends_text,
    finding_text,
    gap_text,
    interval_text,
    limit_text,
    p_value_text,
    people_text,
    positive_text,
    rate_of,
    sample_text,
    simultaneous_texts,
    value_text,
)
from biaspipe.report import (
    CheckRecord,
    ComparisonRecord,
    FacetGroupRecord,
    FacetRecord,
    FlipsRecord,
    GroupRecord,
    Report,
)
from biaspipe.verdict import Verdict

__all__ = ["by_pair", "facet_section", "shown_and_hidden"]

Side = Literal["favored", "disfavored"]
GroupRecords = dict[tuple[str | None, str | None], dict[Side, GroupRecord]]
SIDES: tuple[Side, Side] = ("favored", "disfavored")
GROUP_COLUMNS = (*SIDES, "people", "share")
NUMBERS = ("value", "p", "baseline", "people", "share")


def facet_section(
    report: Report,
    facet: str | None,
    shown: Sequence[CheckRecord],
    hidden: Sequence[CheckRecord] = (),
    *,
    everything: bool = False,
) -> Section:
    """Return the section of a facet.

    Parameters
    ----------
    report : the whole report.
    facet : its name; None for what compares no groups.
    shown : its checks that have a row.
    hidden : those that are only counted.
    everything : whether it says what each check could have seen.
    """
    record = _record(report, facet)
    comparisons = record.comparisons if record else ()
    counts: GroupRecords = {(c.favored, c.disfavored): dict(c.counts) for c in comparisons}
    asides = [
        *simultaneous_texts(shown),
        *_flips(shown, phrases_of_report(report)),
        *_selections(shown),
        *(_smallest_gaps(shown) if everything else ()),
        *(() if hidden else _model_bias(comparisons)),
        *_group_values(report, facet),
        *(_groups(record.groups) if record else ()),
        *_ledger(report, facet),
        *_not_shown(shown, hidden, record),
    ]
    lines = (Line.of(words, role="aside") for words in asides)
    sides = _sides(counts, phrases_of_report(report), captioned=bool(shown))
    table = (_table(report, shown, counts),) if shown else ()
    return Section((*sides, *table, *lines), _heading(facet))


def shown_and_hidden(
    report: Report, facet: str | None, checks: Sequence[CheckRecord]
) -> tuple[list[CheckRecord], list[CheckRecord]]:
    """Return the checks of a facet that a reader has to see, and those that need only a count.

    What passed, has no limit or repeats another check is counted; where no check of the report
    has a limit, values are what there is to see.

    Parameters
    ----------
    report : the whole report.
    facet : its name; None for what compares no groups.
    checks : its checks.
    """
    again = {id(check) for check, _ in repeated(_record(report, facet), checks)}
    unlimited = all(check.verdict is Verdict.REPORTED for check in report.result.checks)
    shown: list[CheckRecord] = []
    hidden: list[CheckRecord] = []
    for check in checks:
        seen = id(check) not in again and (unlimited or is_finding(check))
        (shown if seen else hidden).append(check)
    return shown, hidden


def _not_shown(
    shown: Sequence[CheckRecord], hidden: Sequence[CheckRecord], facet: FacetRecord | None
) -> Iterator[str]:
    """Say how many checks have no row, and how many of them only for repeating one that has."""
    seen = {check.verdict for check in shown}
    again = [check for check in hidden if check.verdict in seen or is_finding(check)]
    plain = [check for check in hidden if not (check.verdict in seen or is_finding(check))]
    words = [counts_text(plain)] if plain else []
    pairs = repeated(facet, [*shown, *hidden])
    turned = {id(check) for check, first in pairs if has_other_sign(check, first)}
    for is_turned, sign in ((False, ""), (True, ", with the other sign")):
        if alike := [check for check in again if (id(check) in turned) is is_turned]:
            words.append(f"{counts_text(alike)}, the same as above{sign}")
    if words:
        yield f"{'not shown: ' if shown else ''}{'; '.join(words)}"


def _heading(facet: str | None) -> str:
    """Return the name of a facet, in quotes where it could read like a line of ours.

    >>> _heading("sex"), _heading("1 passed  exit 0"), _heading(None)
    ('sex', "'1 passed  exit 0'", 'all people')
    """
    if facet is None:
        return "all people"
    return f"'{escape(facet)}'" if " " in facet else escape(facet)


def _table(report: Report, checks: Sequence[CheckRecord], counts: GroupRecords) -> StoryTable:
    columns = _columns(checks, counts)
    interval = f"{confidence_text(report.result.decision.confidence)} interval"
    titles = [interval if title == "interval" else title for title in columns]
    sides = len([title for title in columns if title in GROUP_COLUMNS])
    found = columns[-1:] == ["finding"]
    return StoryTable(
        tuple(StoryColumn(title, "number" if title in NUMBERS else "text") for title in titles),
        tuple(_row(report, check, counts, columns) for check in by_pair(checks, report)),
        wrapping=("limit", *SIDES, interval, "metric"),
        apart=(*((1,) if found else ()), *((sides,) if sides else ())),
    )


def by_pair(checks: Sequence[CheckRecord], report: Report) -> Iterator[CheckRecord]:
    """Yield checks with those of one pair together, the worst pair first and its worst check.

    Parameters
    ----------
    checks : the checks of a facet.
    report : the whole report.
    """
    pairs: dict[tuple[str | None, str | None], list[CheckRecord]] = {}
    plain = [check for check in checks if not is_finding(check)]
    plain.sort(key=lambda check: check.verdict.gravity)
    for check in [*ordered(filter(is_finding, checks), report), *plain]:
        pairs.setdefault((check.favored, check.disfavored), []).append(check)
    for found in pairs.values():
        yield from found


def _columns(checks: Sequence[CheckRecord], counts: GroupRecords) -> list[str]:
    """Return the columns that have something in them."""
    columns = ["verdict", "metric", "value", "interval"]
    columns += ["p"] if any(c.parity and c.parity.adjusted is not None for c in checks) else []
    columns += ["baseline"] if any(check.baseline for check in checks) else []
    columns.append("limit")
    groups = [group for sides in counts.values() for group in sides.values()]
    for side in _varying(counts):
        columns += [side, "people"]
        columns += ["share"] if any(rate_of(group) is not None for group in groups) else []
    return [*columns, "finding"] if any(map(is_finding, checks)) else columns


def _flips(checks: Iterable[CheckRecord], phrases: Phrases) -> Iterator[str]:
    """Say what the fliptest saw, and how it judged likeness: the encoding matters more than k."""
    predicted, unpredicted = escape(phrases.predicted), escape(phrases.unpredicted)
    for check in checks:
        if flips := check.flips:
            distance = flips.median_distance
            features = counted_text(len(flips.features), "feature")
            near = "" if distance is None else f", median distance {digits_text(distance)}"
            left = f"; {flips.left_out:,} left out for a missing number" if flips.left_out else ""
            fixed = (
                "; the interval takes the neighbours as they are" if flips.shared is None else ""
            )
            some = f"{flips.F_plus:,} {'is' if flips.F_plus == 1 else 'are'} {unpredicted}"
            nearest = f"most of the {flips.k} people most like them among {escape(check.favored)}"
            yield (
                f"FT {escape(check.disfavored)}: of {_judged(flips)}, {some} though {nearest} are"
                f" {predicted} (F+), and {flips.F_minus:,} the other way round (F-); alike by"
                f" {features}, scaling {flips.scaling}{near}{left}{fixed}"
            )


def _smallest_gaps(checks: Iterable[CheckRecord]) -> Iterator[str]:
    """Say for each pair which values nearest to parity its checks would have told from it."""
    gaps = dict[str, list[str]]()
    for check in checks:
        if check.limits.bounds and (gap := gap_text(check)):
            gaps.setdefault(escape(check.disfavored), []).append(gap)
    for group, told in gaps.items():
        yield f"{group}: these people would tell from chance four times in five {'; '.join(told)}"


def _selections(checks: Iterable[CheckRecord]) -> Iterator[str]:
    """Say how people were selected, where that is judged by its adverse impact."""
    for check in checks:
        if check.impact:
            yield f"{check.metric} {selection_text(check, check.impact)}"


def _judged(flips: FlipsRecord) -> str:
    """Write how many members were looked at, and that they are a sample if they are one."""
    if flips.drawn is None:
        return counted_text(flips.n_d, "person")
    people = counted_text(flips.n_d, "person")
    return f"a sample of {flips.drawn.members:,} from {people} (seed {flips.drawn.seed})"


def _model_bias(comparisons: Iterable[ComparisonRecord]) -> Iterator[str]:
    """Say what the model adds to the bias of the labels, where the audit computes both."""
    for comparison in comparisons:
        if bias := comparison.model_bias:
            ends = f"{difference_text(bias.value)}, {ends_text(bias.interval, '+')}"
            yield f"DPPL - DPL {escape(comparison.disfavored)}: {ends}: {escape(bias.sentence)}"


def _group_values(report: Report, facet: str | None) -> Iterator[str]:
    """Say which values the named groups of a facet hold."""
    named = report.result.audit.spec.get("facets", {}).get(facet, {})
    for column in report.result.data.counted_as or ():
        if column.facet is not None and column.facet == facet and "groups" in named:
            yield column_text(column)


def _groups(groups: Sequence[FacetGroupRecord]) -> Iterator[str]:
    """Say which groups no comparison uses, and which lost people for lack of an outcome."""
    left = [group for group in groups if not group.compared]
    if left:
        named = "; ".join(f"{escape(g.group)} {counted_text(g.rows, 'row')}" for g in left)
        yield f"not compared: {named}"
    for group in groups:
        lost = {"label": group.label_missing, "prediction": group.prediction_missing}
        words = " and ".join(f"{n:,} without {what}" for what, n in lost.items() if n)
        if words:
            rows = counted_text(group.rows + group.lost_rows, "row")
            yield f"missing: {escape(group.group)} {words}, of {rows}"


def _varying(counts: GroupRecords) -> list[Side]:
    """Return the sides that are not the same group in all comparisons of a facet."""
    varying = []
    for place, side in enumerate(SIDES):
        groups = [(names[place], counted[side]) for names, counted in counts.items()]
        if any(group != groups[0] for group in groups):
            varying.append(side)
    return varying


def _sides(counts: GroupRecords, phrases: Phrases, *, captioned: bool) -> Iterator[StoryPart]:
    """Yield each group that is in all comparisons, and what the columns of the others hold."""
    varying = _varying(counts)
    for names, groups in list(counts.items())[:1]:
        same = [pair for pair in zip(SIDES, names, strict=True) if pair[0] not in varying]
        if same:
            words = (
                (side, f"{escape(name)}, {_people(groups[side], phrases)}") for side, name in same
            )
            yield Facts(tuple(Line.of(text, titles=[f"{side}:"]) for side, text in words))
        if captioned and varying and (caption := _caption(groups["disfavored"], phrases)):
            yield Line.of(caption, role="aside")


def _people(group: GroupRecord, phrases: Phrases) -> str:
    rate = rate_of(group)
    words = "" if rate is None else f", {rate} {escape(positive_text(group, phrases))}"
    return sample_text(group) + words


def _caption(group: GroupRecord, phrases: Phrases) -> str:
    """Say what the numbers beside the names of groups are, where that is not plain."""
    words = [SAMPLED] if group.effective is not None else []
    who = phrases.holding if group.selection_rate is None else phrases.predicted
    words += [f"share: {escape(who)}"] if rate_of(group) is not None else []
    return "; ".join(words)


def _record(report: Report, facet: str | None) -> FacetRecord | None:
    return next((record for record in report.result.facets if record.facet == facet), None)


def _row(
    report: Report, check: CheckRecord, counts: GroupRecords, columns: Sequence[str]
) -> StoryRow:
    cells = _cells(check)
    if "finding" in columns:
        found = f"{place_text(check, report)}: {finding_text(check, report)}"
        cells["finding"] = found if is_finding(check) else ""
    names: dict[str, str | None] = {"favored": check.favored, "disfavored": check.disfavored}
    texts = []
    for column in columns:
        if column in names:
            side: Side = "favored" if column == "favored" else "disfavored"
            group = counts[check.favored, check.disfavored][side]
            cells |= {column: escape(names[column]), "share": rate_of(group) or ""}
            cells["people"] = people_text(group.n, group.effective)
        texts.append(cells[column])
    return StoryRow(tuple(texts), check.verdict)


def _cells(check: CheckRecord) -> dict[str, str]:
    """Write what a check says of itself, by column."""
    earlier = earlier_check(check, check.baseline) if check.baseline else None
    return {
        "verdict": str(check.verdict)
        if check.verdict is Verdict.REPORTED
        else check.verdict.upper(),
        "metric": check.metric,
        "value": value_text(check),
        "interval": interval_text(check),
        "p": p_value_text(check.parity),
        "baseline": value_text(earlier) if earlier else "",
        "limit": limit_text(check.limits, check.limits.warn),
    }


def _ledger(report: Report, facet: str | None) -> Iterator[str]:
    """Say how many rows are compared, and why the others are not."""
    if facet is not None and (words := rows_text(report, facet)):
        yield words
