"""The checks of a report as CSV, one row for each."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from biaspipe.renderers.csv.columns import CsvColumn, CsvKind, CsvValue, csv_text, spec_entry
from biaspipe.renderers.text import sentence_text
from biaspipe.report import CheckRecord, ComparisonRecord, Report, WaiverRecord

__all__ = ["CHECK_COLUMNS", "CheckRow", "check_rows", "checks_csv"]

Side = Literal["favored", "disfavored"]
Cell = Callable[["CheckRow"], CsvValue]


class CheckRow(NamedTuple):
    """A check with what it belongs to.

    Parameters
    ----------
    report : its report.
    check : the check.
    comparison : the groups that it compares, if it does.
    waiver : the waiver that covers it, if one does.
    """

    report: Report
    check: CheckRecord
    comparison: ComparisonRecord | None
    waiver: WaiverRecord | None


def checks_csv(report: Report, _: object = None) -> str:
    """Return the checks of a report as CSV.

    Parameters
    ----------
    report : the whole report.
    """
    return csv_text(CHECK_COLUMNS, check_rows(report))


def check_rows(report: Report) -> Iterator[CheckRow]:
    """Yield every check of a report with what it belongs to; the search for subgroups as one."""
    groups = report.result.comparisons
    for check in report.result.checks:
        comparison = groups.get((check.facet, check.favored, check.disfavored))
        waiver = report.result.waiver_of(check.waiver) if check.waiver else None
        yield CheckRow(report, check, comparison, waiver)
    if report.result.subgroups:
        confidence = report.result.decision.confidence
        yield CheckRow(report, report.result.subgroups.to_check(confidence), None, None)


def _of_spec(*keys: str) -> Cell:
    return lambda row: spec_entry(row.report, *keys)


def _of_check(name: str, kind: CsvKind, about: str, path: str = "") -> CsvColumn[CheckRow]:
    """Return a column of checks: what is called as it is, or stands where some names lead."""

    def cell(row: CheckRow) -> CsvValue:
        part: Any = row.check
        for key in (path or name).split("."):
            part = None if part is None else getattr(part, key)
        return part if part is None or isinstance(part, int | float) else str(part)

    return CsvColumn(name, kind, about, cell)


def _of_side(side: Side, name: str, about: str, key: str = "") -> CsvColumn[CheckRow]:
    """Return a column of numbers of one of the groups that a check compares."""

    def cell(row: CheckRow) -> CsvValue:
        found: CsvValue = None
        if row.comparison:
            found = getattr(row.comparison.counts[side], key or name)
        return found

    return CsvColumn(f"{side}_{name}", "number", about, cell)


def _of_waiver(name: str) -> Cell:
    def cell(row: CheckRow) -> CsvValue:
        found: CsvValue = getattr(row.waiver, name) if row.waiver else None
        return found

    return cell


def _rows_compared(row: CheckRow) -> CsvValue:
    facet = row.check.facet
    ledger = row.report.result.data.ledger.get(facet or "")
    return ledger.compared if ledger else None


CHECK_COLUMNS: tuple[CsvColumn[CheckRow], ...] = (
    CsvColumn("audit", "text", "Name of the audit.", _of_spec("name")),
    CsvColumn("owner", "text", "Who answers for it.", _of_spec("owner")),
    CsvColumn("model_name", "text", "`model.name` of the spec.", _of_spec("model", "name")),
    CsvColumn("model_version", "text", "`model.version`, likewise.", _of_spec("model", "version")),
    CsvColumn("day", "day", "Day of the run, in UTC.", lambda row: row.report.run.day.isoformat()),
    _of_check("facet", "text", "The facet; empty where no groups are compared."),
    _of_check("favored", "text", "The favored group."),
    _of_check("disfavored", "text", "The disfavored group."),
    _of_check("metric", "text", "The metric's id."),
    _of_check("name", "text", "Its name."),
    _of_check("verdict", "text", "`pass`, `warn`, `fail`, `undecided`, `waived` or `reported`."),
    _of_check("value", "number", "The value; empty where it is no number."),
    _of_check("status", "text", "`ok`, `infinite` or `undefined`."),
    _of_check("sign", "integer", "1 or -1 where the value is infinite."),
    _of_check(
        "low",
        "number",
        "Lower end of the interval; empty beside a confidence where it is infinite.",
        "interval.low",
    ),
    _of_check("high", "number", "Upper end, likewise.", "interval.high"),
    _of_check(
        "confidence",
        "number",
        "How often such intervals hold the true value; empty without one.",
        "interval.confidence",
    ),
    _of_check("min", "number", "The least value that passes.", "limits.min"),
    _of_check("max", "number", "The greatest value that passes.", "limits.max"),
    _of_check("max_abs", "number", "The greatest distance from 0 that passes.", "limits.max_abs"),
    _of_check("warn_min", "number", "The least value that does not warn.", "limits.warn.min"),
    _of_check("warn_max", "number", "The greatest value that does not warn.", "limits.warn.max"),
    _of_check(
        "warn_max_abs",
        "number",
        "The greatest distance from 0 that does not warn.",
        "limits.warn.max_abs",
    ),
    _of_side("favored", "people", "People of the favored group, by weight if there is one.", "n"),
    _of_side("disfavored", "people", "People of the disfavored group.", "n"),
    _of_side("favored", "label_rate", "Share of the favored group with the favorable label."),
    _of_side("disfavored", "label_rate", "The same of the disfavored group."),
    _of_side(
        "favored", "selection_rate", "Share of the favored group that is predicted favorable."
    ),
    _of_side("disfavored", "selection_rate", "The same of the disfavored group."),
    _of_check(
        "p_value",
        "number",
        "How often chance alone would show as much or more, where that is tested.",
        "parity.p_value",
    ),
    _of_check(
        "p_adjusted", "number", "The same, corrected for the number of tests.", "parity.adjusted"
    ),
    _of_check(
        "impact",
        "text",
        "`pass`, `fail` or `undecided`: what adverse impact alone comes to.",
        "impact.verdict",
    ),
    _of_check(
        "impact_p_value", "number", "The p-value that it was held against.", "impact.p_value"
    ),
    _of_check(
        "ratio_after_flip",
        "number",
        "The ratio if one selection were moved to the disfavored group.",
        "impact.ratio_after_flip",
    ),
    _of_check(
        "shortfall",
        "number",
        "Selections that the disfavored group lacks at the rate of both together.",
        "impact.shortfall",
    ),
    _of_check(
        "fisher_p_value", "number", "Fisher's exact test, two-sided.", "impact.fisher_p_value"
    ),
    _of_check(
        "hypergeometric_sd",
        "number",
        "The shortfall in standard deviations of a selection from this pool.",
        "impact.hypergeometric_sd",
    ),
    _of_check(
        "binomial_sd",
        "number",
        "The same of as many selections at the group's share of the pool.",
        "impact.binomial_sd",
    ),
    _of_check("baseline_value", "number", "The value in the baseline.", "baseline.value"),
    _of_check("baseline_status", "text", "Its status.", "baseline.status"),
    _of_check(
        "worsening",
        "number",
        "How much farther from parity the value is than there.",
        "baseline.worsening",
    ),
    _of_check(
        "change",
        "text",
        "`better`, `same`, `worse`, `regressed` or `undecided`.",
        "baseline.verdict",
    ),
    _of_check(
        "waiver", "text", "What a waiver does to the check, or why it does nothing.", "waiver.state"
    ),
    CsvColumn("waiver_until", "day", "The last day of the waiver.", _of_waiver("expires")),
    CsvColumn("waiver_approved_by", "text", "Who approved it.", _of_waiver("approved_by")),
    CsvColumn(
        "sentence",
        "text",
        "What the value says, in a sentence.",
        lambda row: sentence_text(row.check, row.report),
    ),
    _of_check("reason", "text", "Why there is no value, or no decision."),
    _of_check("note", "text", "What a reader of the verdict should know."),
    CsvColumn(
        "wording",
        "text",
        "`own` where sentence, reason and note are verified; `other` where they are of another"
        " wording, and are not.",
        lambda row: "own" if row.report.run.is_of_own_wording else "other",
    ),
    CsvColumn("spec", "text", "The spec's path as it was given.", lambda row: row.report.run.spec),
    CsvColumn(
        "line",
        "integer",
        "Its line that asks for the check.",
        lambda row: row.check.line if row.check.spec_key is None else None,
    ),
    CsvColumn(
        "spec_sha256", "text", "Digest of the spec.", lambda row: row.report.result.audit.sha256
    ),
    CsvColumn(
        "result_sha256", "text", "Digest of the result.", lambda row: row.report.result_sha256
    ),
    CsvColumn("description", "text", "What is audited, and why.", _of_spec("description")),
    CsvColumn(
        "biaspipe", "text", "Version that ran the audit.", lambda row: row.report.run.biaspipe
    ),
    _of_check("spec_key", "text", "Its key that asks for the check, where it has no lines."),
    CsvColumn("rows", "integer", "Rows that were read.", lambda row: row.report.result.data.rows),
    CsvColumn(
        "rows_compared",
        "integer",
        "Those of them that the facet compares; empty without a facet.",
        _rows_compared,
    ),
    _of_check(
        "simultaneous_low",
        "number",
        "Lower end of the interval that decides in place of that of the check alone, if one does;"
        " empty beside a procedure where it is infinite.",
        "simultaneous.low",
    ),
    _of_check("simultaneous_high", "number", "Upper end, likewise.", "simultaneous.high"),
    _of_check(
        "simultaneous_over",
        "integer",
        "With how many comparisons it holds together.",
        "simultaneous.comparisons",
    ),
    _of_check(
        "simultaneous_by",
        "text",
        "`tukey`, `dunnett`, `bonferroni` or `false-coverage-rate`.",
        "simultaneous.procedure",
    ),
    _of_check(
        "gap_low",
        "number",
        "The value nearest to parity below it that the check would have told from chance.",
        "power.smallest_gap.low",
    ),
    _of_check("gap_high", "number", "The same above it.", "power.smallest_gap.high"),
    _of_check("power", "number", "How often it would have.", "power.power"),
    _of_check(
        "people_more",
        "integer",
        "How many people more would decide an undecided check, if its value stays what it is.",
        "power.people_needed.more",
    ),
    _of_check(
        "worsening_low",
        "number",
        "The lower end of the interval of `worsening`; empty where infinite.",
        "baseline.change.low",
    ),
    _of_check(
        "worsening_high", "number", "Its upper end; empty where infinite.", "baseline.change.high"
    ),
    _of_check(
        "worsening_method",
        "text",
        "`identical`, `paired` or `mover`: how it was made.",
        "baseline.change.method",
    ),
)
"""What stands in a row, in order."""
