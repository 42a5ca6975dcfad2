"""What a person should know beside the tables: notes, waivers, the baseline."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from biaspipe.metrics.digits import digits_text
from biaspipe.printable_text import escape
from biaspipe.renderers.column_lines import column_notes
from biaspipe.renderers.console.findings import place_text
from biaspipe.renderers.omissions import (
    metrics_by_reason,
    uncovered_facets,
    unmatched_by_group,
)
from biaspipe.renderers.story import Items, Line, Span, StoryPart
from biaspipe.renderers.text import (
    compared_rows_text,
    counted_text,
    documented_text,
    value_text,
)
from biaspipe.renderers.waiver_lines import state_text, waiver_text
from biaspipe.report import CheckRecord, CompatNote, Report, StratumLeftOut
from biaspipe.verdict import Verdict

__all__ = ["notes"]

ONE_OUTCOME = "strata left out, since one outcome never occurs there"
ONE_GROUP = "strata of one group, which count as no disparity"


def notes(report: Report, *, everything: bool = True) -> Iterator[StoryPart]:
    """Yield what a person should know of a report beside its tables.

    Parameters
    ----------
    report : the whole report.
    everything : whether notes on values without a limit are among them.
    """
    checks = [c for c in report.result.checks if everything or c.verdict is not Verdict.REPORTED]
    yield from (Line.of(words, role="aside") for words in _not_computed(report))
    for facet in uncovered_facets(report):
        words = f"facet {escape(facet)}: compared with nothing, no check covers it"
        yield Line.of(Span(words, Verdict.UNDECIDED))
    yield from _departures(report)
    yield from map(Line.of, _notes_on_checks(report, checks))
    yield from map(Line.of, column_notes(report.result.data.counted_as))
    yield from map(Line.of, _warnings(report))
    yield from (Line.of(words, role="aside") for words in _strata(checks))
    yield from map(Line.of, _waivers(report))
    yield from _baseline(report)


def _not_computed(report: Report) -> Iterator[str]:
    """Yield the metrics that were left out, and the rows that a join found no partner for."""
    for reason, metrics in metrics_by_reason(report).items():
        words = reason.replace("needs ", "need ", 1) if len(metrics) > 1 else reason
        yield escape(f"not computed: {', '.join(metrics)} {words}")
    joins = report.result.data.joins or ()
    for i, join in enumerate(joins):
        rows, groups = counted_text(join.unmatched, "row"), _unmatched(report, i)
        yield f"{rows} without a partner in {escape(join.path)}{groups}"


def _unmatched(report: Report, join: int) -> str:
    """Say which groups the rows without a partner are of."""
    rows = unmatched_by_group(report, join)
    return f": {', '.join(f'{escape(name)} {n:,}' for name, n in rows.items())}" if rows else ""


def _departures(report: Report) -> Iterator[StoryPart]:
    """Yield which values are another tool's and not the documented ones, and by how much."""
    compat = report.result.compat
    if compat is None:
        return
    noted = [(c, c.compat) for c in report.result.checks if c.compat]
    differing = [(check, note) for check, note in noted if note.differs]
    words = f"{len(differing)} of {len(noted)} values are not the documented ones"
    hint = "`biaspipe explain --compat` says what it does otherwise"
    yield Line.of(Span(f"compat {compat.name} {compat.version}: {words}; {hint}", "strong"))
    yield Items.of(_departure(*pair) for pair in differing)


def _departure(check: CheckRecord, note: CompatNote) -> str:
    groups = f" {escape(check.facet)}, {escape(check.disfavored)}" if check.facet else ""
    apart = "" if note.difference is None else f", {digits_text(abs(note.difference))} apart"
    documented = documented_text(check, note, apart)
    return f"{check.metric}{groups}: {value_text(check)}, documented {documented}"


def _warnings(report: Report) -> Iterator[str]:
    for facet in report.result.facets:
        for comparison in facet.comparisons:
            if comparison.warning:
                yield escape(f"{facet.facet}: warning: {comparison.warning}")


def _strata(checks: Iterable[CheckRecord]) -> Iterator[str]:
    """Yield for each facet the strata that its conditional disparities leave out, or cannot use."""
    found = dict[tuple[str, str], dict[str, dict[str, list[str]]]]()
    for check in checks:
        for words, strata in (
            (ONE_OUTCOME, check.strata_left_out),
            (ONE_GROUP, check.strata_of_one_group),
        ):
            if strata:
                listed = found.setdefault((check.facet or "", words), {})
                groups = listed.setdefault(_listed(strata), {})
                groups.setdefault(check.disfavored or "", []).append(check.metric)
    for (facet, words), listed in found.items():
        told = (f"{strata} ({_of_groups(groups)})" for strata, groups in listed.items())
        yield escape(f"{facet}: {words}: {'; '.join(told)}")


def _of_groups(groups: Mapping[str, Sequence[str]]) -> str:
    """Say of which metrics and groups something is, groups of the same metrics together.

    >>> _of_groups({"young": ["CDDL", "CDDPL"], "old": ["CDDL", "CDDPL"]})
    'CDDL and CDDPL of young, old'
    """
    by_metrics = dict[tuple[str, ...], list[str]]()
    for group, metrics in groups.items():
        by_metrics.setdefault(tuple(metrics), []).append(group)
    pairs = by_metrics.items()
    return ", ".join(f"{' and '.join(metrics)} of {', '.join(named)}" for metrics, named in pairs)


def _listed(strata: Sequence[StratumLeftOut]) -> str:
    return ", ".join(f"{s.stratum} {counted_text(s.rows, 'row')}" for s in strata)


def _notes_on_checks(report: Report, checks: Iterable[CheckRecord]) -> Iterator[str]:
    """Yield what a reader of some verdicts should know, each once, with what it is about."""
    about = dict[tuple[int, str, str, str | None, str], list[str]]()
    for check in checks:
        if check.note:
            key = (check.line, place_text(check, report), check.metric, check.facet, check.note)
            about.setdefault(key, []).append(check.disfavored or "")
    every = Counter((check.metric, check.facet) for check in report.result.checks)
    for (_, place, metric, facet, note), groups in sorted(
        about.items(), key=lambda item: item[0][0]
    ):
        among = f", {', '.join(groups)}" if len(groups) < every[metric, facet] else ""
        where = f"{metric} {facet}{among}" if facet else metric
        yield f"{place}: {escape(where)}: note: {escape(note)}"


def _waivers(report: Report) -> Iterator[str]:
    """Yield the waivers that a reader should look at."""
    as_of = date.fromisoformat(report.run.as_of)
    for waiver in report.result.waivers:
        state = state_text(waiver, as_of)
        if waiver.state != "active" or "left" in state or not waiver.waived:
            where = f"{place_text(waiver, report)}: waiver {escape(waiver_text(waiver))}"
            yield f"{where}: {state}"


def _baseline(report: Report) -> Iterator[Line]:
    """Yield what the report was compared with, and which checks only one of both has."""
    baseline = report.result.baseline
    if baseline is None:
        return
    compared = sum(check.baseline is not None for check in report.result.checks)
    name = f"baseline {escape(baseline.report)}  sha256 {baseline.result_sha256[:12]}"
    words = f"{counted_text(compared, 'check')} compared, max_worsening {baseline.max_worsening:g}"
    rows = compared_rows_text(baseline)
    yield Line.of(f"{name}: {words}{rows and f'; {rows}'}")
    for word, names, role in (
        ("new", baseline.new, None),
        ("vanished", baseline.vanished, Verdict.FAIL if baseline.fails else None),
        ("allowed to vanish", baseline.allowed or (), None),
    ):
        if names:
            yield Line.of(Span(f"{word} since the baseline: {escape('; '.join(names))}", role))
