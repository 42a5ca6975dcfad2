"""The checks, worst first: what failed has room, what passed is short, the rest is a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from biaspipe.metrics.digits import LEAST_P, confidence_text
from biaspipe.metrics.phrases import Phrases
from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.interval_bars import bars_of, scales_of
from biaspipe.renderers.evidence_page.judgement import (
    NOT_WORSE,
    as_before,
    is_only_not_worse,
    judged_by_limit,
    role_of,
    verdict_word,
)
from biaspipe.renderers.evidence_page.wording import (
    capital_sentence,
    day_text,
    everything,
    metric_name,
    required_text,
    sentence,
    share_text,
)
from biaspipe.renderers.figures import Scale
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.renderers.repetition import has_other_sign, repetitions, rests_of
from biaspipe.renderers.selections import selection_text
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
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
    interval_text,
    p_value_text,
    sample_text,
    value_text,
)
from biaspipe.report import CheckRecord, ComparisonRecord, GroupRecord, ParityRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["finding_sections"]

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
    repeating: Mapping[Key, CheckRecord]
    """The checks that say again what another one says, and that one."""
    rests: Mapping[FacetPair, str]
    """Who the rest is, where it is one group."""


def finding_sections(report: Report) -> Iterator[Section]:
    """Yield the checks by facet and pair, then how all of them are read.

    Parameters
    ----------
    report : the whole report.
    """
    limited = (c for c in report.result.checks if c.verdict is not Verdict.REPORTED)
    checks = ordered(limited, report)
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
        lines = (_passed(pairs[pair], lead=f"{_heading(page, pair)}: ") for pair in passing)
        unlimited = any(is_only_not_worse(check) for pair in passing for check in pairs[pair])
        title = f"Where every check passes{f' or is {NOT_WORSE}' if unlimited else ''}"
        yield Section((Items.of(lines),), title, 3)


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
        _repeating(report, checks),
        rests_of(report),
    )


def _repeating(report: Report, checks: Iterable[CheckRecord]) -> dict[Key, CheckRecord]:
    """Return the checks that repeat others, each with one before it, of its own pair if it can."""
    stands_for = {id(check): first for check, first in repetitions(report)}
    told: dict[tuple[int, FacetPair], CheckRecord] = {}
    found = {}
    for check in checks:
        first = stands_for.get(id(check))
        before = told.setdefault((id(first or check), _pair(check)), check)
        if first:
            found[_id(check)] = first if before is check else before
    return found


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
    earlier = ", and a hollow dot the value in the baseline"
    yield Line.of(
        f"Each finding has its value, the {confidence} interval of it, and what is required."
    )
    if any(check.simultaneous for check in checks):
        yield Line.of(
            "An interval that is simultaneous is wider than one alone: with that confidence all of "
            "its comparisons hold their true values together."
        )
    yield PictureNote(
        Line.of(
            "All drawings of a metric have one scale; the dashed line is parity, where the groups "
            f"are alike{earlier if any(check.baseline for check in checks) else ''}."
        )
    )
    if any(map(is_only_not_worse, checks)):
        yield Line.of(
            f'What has no limit passes none: "{NOT_WORSE}" says that its value is no farther from '
            "parity than in the baseline by more than is allowed, however far that is."
        )
    if any(check.parity for check in checks):
        corrected = any(check.parity and check.parity.adjusted is not None for check in checks)
        yield Line.of(
            "Where there is a p, it is the share of samples from groups that are alike that would "
            "show as much or more by chance"
            f"{'; behind it stands the p corrected for the number of tests' if corrected else ''}."
        )
    if len(page.told) > MOST_DRAWN:
        words = f"The {MOST_DRAWN} gravest of {len(page.told):,} findings have a picture."
        yield PictureNote(Line.of(words))
    if page.untold:
        yield Line.of(f"{page.untold:,} findings more stand in the map below alone.")


def _heading(page: _Page, pair: FacetPair) -> str:
    facet, favored, disfavored = pair
    words = everything(page.rests.get(pair, favored), disfavored)
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
    return Section(tuple(parts), _heading(page, pair), 3)


def _people(page: _Page, pair: FacetPair) -> Iterator[StoryPart]:
    """Yield who is compared: the people of both groups and their favorable shares."""
    comparison = page.compared.get(pair)
    if comparison is None:
        return
    counts, favored = comparison.counts, page.rests.get(pair, comparison.favored)
    lines = (
        _group_line(page, comparison.disfavored, counts["disfavored"]),
        _group_line(page, f"{favored}, the reference", counts["favored"]),
    )
    yield Facts(lines)
    if comparison.warning:
        yield Line.of(Span("Warning: ", "caution"), escape(comparison.warning), role="caution")


def _group_line(page: _Page, name: str, group: GroupRecord) -> Line:
    words = [sample_text(group)]
    if group.selection_rate is not None:
        words.append(f"{share_text(group.selection_rate)} are {escape(page.phrases.predicted)}")
    if group.label_rate is not None:
        words.append(f"{share_text(group.label_rate)} {escape(page.phrases.observed)}")
    return Line.fact(escape(name), ", ".join(words))


def _row(page: _Page, check: CheckRecord) -> StoryRow:
    interval = interval_text(check)
    shown = [Line.of(Span(value_text(check), "strong"))]
    shown += [Line.of(Span(interval, "aside"))] if interval else []
    shown += [Line.of(Span(check.simultaneous.words, "aside"))] if check.simultaneous else []
    shown += [Line.of(Span(_chance(check.parity), "aside"))] if check.parity else []
    drawn = check.extended is not None and _id(check) in page.drawn
    figure = bars_of(check, page.scales[check.metric]) if drawn else None
    return StoryRow(
        (
            verdict_word(check),
            StoryCell(tuple(_told(page, check))),
            StoryCell(tuple(shown), figure),
            StoryCell(tuple(_required(page.report, check))),
        ),
        role_of(check),
    )


def _told(page: _Page, check: CheckRecord) -> Iterator[Line]:
    """Yield what was found, in words, and what a reader of it should know.

    Of a check that is undecided nothing is said to be found: the people do not tell.
    """
    reason, first = escape(check.reason or ""), page.repeating.get(_id(check))
    again = first is not None and _pair(check) == _pair(first)
    if check.verdict is Verdict.UNDECIDED:
        yield Line.of(f"Cannot be decided: {_lacking(check, reason)}")
    elif not again:
        yield Line.of(capital_sentence(check))
    if first:
        yield Line.of(_repeats(check, first))
    yield Line.of(Span(metric_name(check), "aside"))
    if reason and check.verdict is not Verdict.UNDECIDED:
        yield Line.of(reason)
    if check.power and check.power.sentence and check.verdict is not Verdict.FAIL:
        yield Line.of(Span(sentence(escape(check.power.sentence)), "aside"))
    yield from _waived(page.report, check)
    yield from _earlier(check)
    if check.compat and check.compat.differs:
        yield Line.of(f"Documented value: {documented_text(check, check.compat)}")
    if check.impact:
        yield Line.of(Span(selection_text(check, check.impact), "aside"))
    if check.note:
        yield Line.of(f"Note: {escape(check.note)}")


def _lacking(check: CheckRecord, reason: str) -> str:
    """Say why a check is undecided; the reason of an undefined value begins with a formula."""
    if check.status == "undefined":
        return "; ".join([escape(check.sentence), *reason.split("; ")[1:]])
    return reason or "no reason is given"


def _repeats(check: CheckRecord, first: CheckRecord) -> str:
    """Say which check a check repeats."""
    if _pair(check) == _pair(first):
        sign = " and with the other sign" if has_other_sign(check, first) else ""
        return f"The same as {first.metric}, under another name{sign}"
    pair = everything(first.favored, first.disfavored)
    return f"The same as {first.metric} of {pair}, the other way round"


def _earlier(check: CheckRecord) -> Iterator[Line]:
    """Yield how the value was in the baseline, where the reason does not say it."""
    if (note := check.baseline) and not (check.reason and note.sentence in check.reason):
        words = "as before" if as_before(check) else escape(note.sentence)
        yield Line.of(f"Since the baseline: {words}")


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
        unused = check.waiver.state == "not applied"
        why = "was not applied" if unused else "does not cover it"
        yield Line.of(f"The waiver that {why}: {who}{ticket}")


BY_LIMIT = {
    Verdict.PASS: "passes",
    Verdict.FAIL: "fails as well",
    Verdict.UNDECIDED: "undecided",
}
"""What a check that the baseline fails comes to by its limit alone."""


def _required(report: Report, check: CheckRecord) -> Iterator[Line]:
    """Yield what limit and baseline ask for, and what the limit alone says where that differs."""
    limits, baseline = check.limits, report.result.baseline
    words = [required_text(limits)] if limits.is_set else []
    if baseline and check.baseline:
        words.append(f"not worse than in the baseline by more than {baseline.max_worsening:g}")
    yield Line.of(", and ".join(words))
    if limits.warn:
        yield Line.of(Span(f"no warning: {required_text(limits.warn)}", "aside"))
    regressed = check.baseline is not None and check.baseline.verdict == "regressed"
    if regressed and (alone := judged_by_limit(check, report)):
        yield Line.of(Span(f"by the limit alone: {BY_LIMIT[alone]}", "aside"))


def _passed(checks: Sequence[CheckRecord], lead: str = "") -> Line:
    """Say in one line which checks of a pair pass, and which are only not worse, with values."""
    unlimited = [check for check in checks if is_only_not_worse(check)]
    limited = [check for check in checks if not is_only_not_worse(check)]
    told = []
    if limited:
        verb = "passes" if len(limited) == 1 else "pass"
        more = f"{counted_text(len(limited), 'check' if lead else 'more check')} {verb}"
        told.append(f"{more}: {_named(limited)}.")
    if unlimited:
        verb = "has no limit and is" if len(unlimited) == 1 else "have no limit and are"
        more = f"{counted_text(len(unlimited), 'check' if lead else 'more check')} {verb} "
        told.append(f"{more}{NOT_WORSE} than in the baseline: {_named(unlimited)}.")
    return Line.of(*([Span(lead, "strong")] if lead else []), " ".join(told))


def _named(checks: Sequence[CheckRecord]) -> str:
    return "; ".join(f"{check.metric} {value_text(check)}" for check in checks)
