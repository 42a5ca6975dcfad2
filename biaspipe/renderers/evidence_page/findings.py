"""The checks, worst first: what failed has room, what passed is short, the rest is a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from biaspipe.metrics.digits import confidence_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.interval_bars import bars_of, scales_of
from biaspipe.renderers.evidence_page.wording import (
    VERDICTS,
    day_text,
    everything,
    metric_name,
    required_text,
    share_text,
)
from biaspipe.renderers.figures import Scale
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Section,
    Span,
    StoryCell,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import (
    counted_text,
    documented_text,
    effective_text,
    interval_text,
    p_value_text,
    value_text,
)
from biaspipe.report import CheckRecord, ComparisonRecord, GroupRecord, ParityRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["finding_sections"]

LEAST_P = 0.001
MOST_DRAWN = 150
"""Findings that have a picture; of more, the gravest."""
MOST_TOLD = 1_000
"""Findings that have a row, likewise."""
FEW = 12
"""Checks that pass of which each has a row with a picture; more of them have a line for a pair."""
FacetPair = tuple[str | None, str | None, str | None]
"""Facet, favored and disfavored group of a comparison; None where no groups are compared."""
Key = tuple[str, FacetPair]
"""What tells a check from all others: its metric and its pair."""


class _Page(NamedTuple):
    """What every finding is written from."""

    report: Report
    scales: Mapping[str, Scale]
    compared: Mapping[FacetPair, ComparisonRecord]
    phrases: Phrases
    told: frozenset[Key]
    """The checks that have a row."""
    drawn: frozenset[Key]
    """Those whose rows have a picture."""
    untold: int
    """How many findings have no row, for lack of room."""


def finding_sections(report: Report) -> Iterator[Section]:
    """Yield the checks by facet and pair, then how all of them are read.

    Parameters
    ----------
    report : the whole report.
    """
    checks = ordered(c for c in report.result.checks if c.verdict is not Verdict.REPORTED)
    if not checks:
        words = "No check has a limit, so there is nothing to fail or to pass."
        yield Section((Line.of(words),), "The checks, worst first")
        return
    page = _page(report, checks)
    pairs: dict[FacetPair, list[CheckRecord]] = {}
    for check in checks:
        pairs.setdefault(_pair(check), []).append(check)
    shown = [p for p in _together(pairs) if any(_id(check) in page.told for check in pairs[p])]
    yield Section(tuple(_key(page, checks)) if shown else (), "The checks, worst first")
    yield from (_pair_section(page, pair, pairs[pair]) for pair in shown)
    passing = [p for p in pairs if all(c.verdict is Verdict.PASS for c in pairs[p])]
    if passing := [pair for pair in passing if pair not in shown]:
        lines = (_passed(pairs[pair], lead=f"{_heading(pair)}: ") for pair in passing)
        yield Section((Items.of(lines),), "Where every check passes", 3)


def _page(report: Report, checks: Sequence[CheckRecord]) -> _Page:
    passed = sum(check.verdict is Verdict.PASS for check in checks)
    findings = [
        _id(check) for check in checks if passed <= FEW or check.verdict is not Verdict.PASS
    ]
    return _Page(
        report,
        scales_of(checks),
        report.result.comparisons,
        phrases_of_report(report),
        frozenset(findings[:MOST_TOLD]),
        frozenset(findings[:MOST_DRAWN]),
        len(findings[MOST_TOLD:]),
    )


def _id(check: CheckRecord) -> Key:
    return check.metric, _pair(check)


def _pair(check: CheckRecord) -> FacetPair:
    return check.facet, check.favored, check.disfavored


def _together(pairs: Mapping[FacetPair, Sequence[CheckRecord]]) -> list[FacetPair]:
    """Return pairs by facet: facets in the order of their worst check, and so their pairs."""
    facets = list(dict.fromkeys(facet for facet, _, _ in pairs))
    return sorted(pairs, key=lambda pair: facets.index(pair[0]))


def _key(page: _Page, checks: Sequence[CheckRecord]) -> Iterator[StoryPart]:
    """Yield how a finding is read, once for all of them."""
    confidence = confidence_text(page.report.result.decision.confidence)
    earlier = ", and a hollow dot the value in the earlier report"
    yield Line.of(
        f"Each finding has its value, the {confidence} interval of it, and what is required. Where "
        "they are drawn, all drawings of a metric have one scale; the dashed line is parity, where "
        f"the groups are alike{earlier if any(check.baseline for check in checks) else ''}."
    )
    if any(check.parity for check in checks):
        corrected = any(check.parity and check.parity.adjusted is not None for check in checks)
        yield Line.of(
            "Where there is a p, it is the share of samples from groups that are alike that would "
            "show as much or more by chance"
            f"{'; behind it stands the p corrected for the number of tests' if corrected else ''}."
        )
    if len(page.told) > MOST_DRAWN:
        yield Line.of(f"The {MOST_DRAWN} gravest of {len(page.told):,} findings have a picture.")
    if page.untold:
        yield Line.of(f"{page.untold:,} findings more stand in the map below alone.")


def _heading(pair: FacetPair) -> str:
    facet, favored, disfavored = pair
    words = everything(favored, disfavored)
    return words if facet is None else f"{escape(facet)}: {words}"


def _pair_section(page: _Page, pair: FacetPair, checks: Sequence[CheckRecord]) -> Section:
    """Return the findings of a pair: who is compared, what did not pass, and what did."""
    told = [check for check in checks if _id(check) in page.told]
    others = [check for check in checks if _id(check) not in page.told]
    passed = [check for check in others if check.verdict is Verdict.PASS]
    confidence = confidence_text(page.report.result.decision.confidence)
    titles = ("Verdict", "What was found", f"Value and {confidence} interval", "Required")
    table = StoryTable(
        tuple(map(StoryColumn, titles)),
        tuple(_row(page, check) for check in told),
        wrapping=("What was found", "Required"),
        caption="What was found, worst first",
    )
    parts: list[StoryPart] = [*_people(page, pair), table]
    parts += [_passed(passed)] if passed else []
    return Section(tuple(parts), _heading(pair), 3)


def _people(page: _Page, pair: FacetPair) -> Iterator[StoryPart]:
    """Yield who is compared: the people of both groups and their favorable shares."""
    comparison = page.compared.get(pair)
    if comparison is None:
        return
    counts = comparison.counts
    lines = (
        _group_line(page, comparison.disfavored, counts["disfavored"]),
        _group_line(page, f"{comparison.favored} (reference)", counts["favored"]),
    )
    yield Facts(lines)
    if comparison.warning:
        yield Line.of(Span("Warning: ", "caution"), escape(comparison.warning), role="caution")


def _group_line(page: _Page, name: str, group: GroupRecord) -> Line:
    words = [counted_text(group.n, "person") + effective_text(group)]
    if group.selection_rate is not None:
        words.append(f"{share_text(group.selection_rate)} {escape(page.phrases.predicted)}")
    if group.label_rate is not None:
        words.append(f"{share_text(group.label_rate)} {escape(page.phrases.holding)}")
    return Line.fact(escape(name), ", ".join(words))


def _row(page: _Page, check: CheckRecord) -> StoryRow:
    interval = interval_text(check)
    shown = [Line.of(Span(value_text(check), "strong"))]
    shown += [Line.of(Span(interval, "aside"))] if interval else []
    shown += [Line.of(Span(_chance(check.parity), "aside"))] if check.parity else []
    drawn = check.extended is not None and _id(check) in page.drawn
    figure = bars_of(check, page.scales[check.metric]) if drawn else None
    return StoryRow(
        (
            VERDICTS[check.verdict].one,
            StoryCell(tuple(_told(page, check))),
            StoryCell(tuple(shown), figure),
            StoryCell(tuple(_required(check))),
        ),
        check.verdict,
    )


def _told(page: _Page, check: CheckRecord) -> Iterator[Line]:
    """Yield what was found, in words, and what a reader of it should know.

    Of a check that is undecided nothing is said to be found: the people do not tell.
    """
    reason = escape(check.reason or "")
    if check.verdict is Verdict.UNDECIDED:
        yield Line.of(f"Cannot be decided: {reason or 'no reason is given'}")
    else:
        yield Line.of(escape(check.sentence))
    yield Line.of(Span(metric_name(check), "aside"))
    if reason and check.verdict is not Verdict.UNDECIDED:
        yield Line.of(reason)
    yield from _waived(page.report, check)
    yield from _earlier(check)
    if check.compat and check.compat.differs:
        yield Line.of(f"Documented value: {documented_text(check, check.compat)}")
    if check.note:
        yield Line.of(f"Note: {escape(check.note)}")


def _earlier(check: CheckRecord) -> Iterator[Line]:
    """Yield how the value was in the earlier report, where the reason does not say it."""
    if (note := check.baseline) and not (check.reason and note.sentence in check.reason):
        yield Line.of(f"Since the earlier report: {escape(note.sentence)}")


def _chance(parity: ParityRecord) -> str:
    """Write the p-value of a test of parity, and the corrected one."""
    plain = f"p < {LEAST_P:g}" if parity.p_value < LEAST_P else f"p = {parity.p_value:.3f}"
    corrected = p_value_text(parity)
    return f"{plain} ({corrected} corrected)" if corrected else plain


def _waived(report: Report, check: CheckRecord) -> Iterator[Line]:
    """Yield who answers for a failure, until when and why; or whose waiver does nothing."""
    if check.waiver is None:
        return
    waiver = report.result.waiver_of(check.waiver)
    who = f"{escape(waiver.approved_by)} until {day_text(waiver.expires)}"
    ticket = f", {escape(waiver.ticket)}" if waiver.ticket else ""
    if check.waiver.state == "waived":
        bound = f", as long as it is {required_text(waiver.bound)}" if waiver.bound else ""
        yield Line.of(f"Waived by {who}{ticket}{bound}: {escape(waiver.reason)}")
    else:
        yield Line.of(f"The waiver that does not cover it: {who}{ticket}")


def _required(check: CheckRecord) -> Iterator[Line]:
    """Yield what the limit asks for, and from where on it warns."""
    limits = check.limits
    yield Line.of(required_text(limits) or "not worse than in the earlier report")
    if limits.warn:
        yield Line.of(Span(f"no warning: {required_text(limits.warn)}", "aside"))


def _passed(checks: Sequence[CheckRecord], lead: str = "") -> Line:
    """Say in one line which checks of a pair pass, with their values."""
    named = "; ".join(f"{check.metric} {value_text(check)}" for check in checks)
    if lead:
        return Line.of(Span(lead, "strong"), named)
    more = f"{counted_text(len(checks), 'more check')} {'passes' if len(checks) == 1 else 'pass'}"
    return Line.of(f"{more}: {named}.")
