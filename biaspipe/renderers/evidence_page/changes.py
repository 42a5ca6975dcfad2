"""What changed since the baseline: values, and checks that only one of both has."""

from collections.abc import Iterator

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.interval_bars import bars_of, scales_of
from biaspipe.renderers.evidence_page.judgement import as_before
from biaspipe.renderers.evidence_page.wording import everything
from biaspipe.renderers.figures import IntervalBars
from biaspipe.renderers.severity import ordered
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
    Section,
    StoryCell,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import (
    change_text,
    compared_rows_text,
    counted_text,
    earlier_check,
    value_text,
)
from biaspipe.report import BaselineNote, CheckRecord, Report
from biaspipe.verdict import Verdict

__all__ = ["change_section"]

TITLES = ("Change", "What", "Then", "Now", "Worse by", "In words")


def change_section(report: Report) -> Section | None:
    """Return what became of the values of the baseline; None without one.

    Parameters
    ----------
    report : the whole report.
    """
    baseline = report.result.baseline
    if baseline is None:
        return None
    checks = ordered(report.result.checks, report)
    noted = [(check, check.baseline) for check in checks if check.baseline]
    noted.sort(key=lambda pair: pair[1].verdict != "regressed")
    facts = (
        Line.fact("baseline", f"an earlier report, {escape(baseline.report)}"),
        Line.fact("its sha256", baseline.result_sha256),
        Line.fact("compared", counted_text(len(noted), "check")),
        Line.fact("may be worse by", f"{baseline.max_worsening:g}"),
        *(Line.fact("its rows", words) for words in [compared_rows_text(baseline)] if words),
    )
    scales = scales_of(check for check, _ in noted)
    rows = [
        _row(check, note, bars_of(check, scales[check.metric]))
        for check, note in noted
        if not as_before(check)
    ]
    columns = tuple(map(StoryColumn, TITLES))
    table = StoryTable(columns, tuple(rows), ("In words", "What"), "Values then and now")
    parts: list[StoryPart] = [Facts(facts), *_only_one(report)]
    if rows:
        parts += [PictureNote(Line.of("The hollow dot is the value in the baseline.")), table]
    if len(rows) < len(noted):
        verb = "reads" if len(noted) - len(rows) == 1 else "read"
        parts.append(Line.of(f"{counted_text(len(noted) - len(rows), 'check')} {verb} as before."))
    return Section(tuple(parts), "Change since the baseline")


WORDS = {"regressed": "worse than allowed"}
"""What became of a value, where the report's word for it is no word of a page."""


def _row(check: CheckRecord, note: BaselineNote, figure: IntervalBars) -> StoryRow:
    facet = f"{escape(check.facet)}: " if check.facet else ""
    what = StoryCell.of(check.metric, f"{facet}{everything(check.favored, check.disfavored)}")
    return StoryRow(
        (
            WORDS.get(note.verdict, note.verdict),
            what,
            value_text(earlier_check(check, note)),
            StoryCell((Line.of(value_text(check)),), figure),
            change_text(note),
            escape(note.sentence),
        ),
        Verdict.FAIL if note.verdict == "regressed" else None,
    )


def _only_one(report: Report) -> Iterator[StoryPart]:
    """Yield what only one of both reports has."""
    baseline = report.result.baseline
    if baseline is None:
        return
    for lead, names in (
        ("Gone since the baseline, which fails the audit:", baseline.vanished),
        ("Gone, as the spec allows:", baseline.allowed or ()),
        ("New, with nothing to compare with:", baseline.new),
    ):
        if names:
            yield Line.of(lead)
            yield Items.of(map(escape, names))
