"""The checks of a report as CSV, one row for each."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from biaspipe.renderers.csv.columns import CsvColumn, CsvValue, csv_text
from biaspipe.report import CheckRecord, ComparisonRecord, Report, WaiverRecord

__all__ = ["CHECK_COLUMNS", "CheckRow", "checks_csv"]

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
    return csv_text(CHECK_COLUMNS, _rows(report))


def _rows(report: Report) -> Iterator[CheckRow]:
    groups = report.result.comparisons
    for check in report.result.checks:
        comparison = groups.get((check.facet, check.favored, check.disfavored))
        waiver = report.result.waiver_of(check.waiver) if check.waiver else None
        yield CheckRow(report, check, comparison, waiver)


def _of_spec(*keys: str) -> Cell:
    """Return what a spec says under a key, if it is a text or a number."""

    def cell(row: CheckRow) -> CsvValue:
        value: Any = row.report.result.audit.spec
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value if isinstance(value, str | int | float) else None

    return cell


def _of_check(path: str) -> Cell:
    """Return a part of a check, by the names that lead there; None where one is not there."""

    def cell(row: CheckRow) -> CsvValue:
        part: Any = row.check
        for name in path.split("."):
            part = None if part is None else getattr(part, name)
        return part if part is None or isinstance(part, int | float) else str(part)

    return cell


def _of_side(side: Side, name: str) -> Cell:
    def cell(row: CheckRow) -> CsvValue:
        found: CsvValue = getattr(row.comparison.counts[side], name) if row.comparison else None
        return found

    return cell


def _of_waiver(name: str) -> Cell:
    def cell(row: CheckRow) -> CsvValue:
        found: CsvValue = getattr(row.waiver, name) if row.waiver else None
        return found

    return cell


CHECK_COLUMNS: tuple[CsvColumn[CheckRow], ...] = (
    CsvColumn("audit", "text", "Name of the audit.", _of_spec("name")),
    CsvColumn("owner", "text", "Who answers for it.", _of_spec("owner")),
    CsvColumn("model_name", "text", "`model.name` of the spec.", _of_spec("model", "name")),
    CsvColumn("model_version", "text", "`model.version`, likewise.", _of_spec("model", "version")),
    CsvColumn("day", "day", "Day of the run, in UTC.", lambda row: row.report.run.day.isoformat()),
    CsvColumn(
        "facet", "text", "The facet; empty where no groups are compared.", _of_check("facet")
    ),
    CsvColumn("favored", "text", "The favored group.", _of_check("favored")),
    CsvColumn("disfavored", "text", "The disfavored group.", _of_check("disfavored")),
    CsvColumn("metric", "text", "The metric's id.", _of_check("metric")),
    CsvColumn("name", "text", "Its name.", _of_check("name")),
    CsvColumn(
        "verdict",
        "text",
        "`pass`, `warn`, `fail`, `undecided`, `waived` or `reported`.",
        _of_check("verdict"),
    ),
    CsvColumn("value", "number", "The value; empty where it is no number.", _of_check("value")),
    CsvColumn("status", "text", "`ok`, `infinite` or `undefined`.", _of_check("status")),
    CsvColumn("sign", "integer", "1 or -1 where the value is infinite.", _of_check("sign")),
    CsvColumn(
        "low",
        "number",
        "Lower end of the interval; empty beside a confidence where it is infinite.",
        _of_check("interval.low"),
    ),
    CsvColumn("high", "number", "Upper end, likewise.", _of_check("interval.high")),
    CsvColumn(
        "confidence",
        "number",
        "How often such intervals hold the true value; empty without one.",
        _of_check("interval.confidence"),
    ),
    CsvColumn("min", "number", "The least value that passes.", _of_check("limits.min")),
    CsvColumn("max", "number", "The greatest value that passes.", _of_check("limits.max")),
    CsvColumn(
        "max_abs",
        "number",
        "The greatest distance from 0 that passes.",
        _of_check("limits.max_abs"),
    ),
    CsvColumn(
        "warn_min", "number", "The least value that does not warn.", _of_check("limits.warn.min")
    ),
    CsvColumn(
        "warn_max", "number", "The greatest value that does not warn.", _of_check("limits.warn.max")
    ),
    CsvColumn(
        "warn_max_abs",
        "number",
        "The greatest distance from 0 that does not warn.",
        _of_check("limits.warn.max_abs"),
    ),
    CsvColumn(
        "favored_people",
        "number",
        "People of the favored group, by weight if there is one.",
        _of_side("favored", "n"),
    ),
    CsvColumn(
        "disfavored_people",
        "number",
        "People of the disfavored group.",
        _of_side("disfavored", "n"),
    ),
    CsvColumn(
        "favored_label_rate",
        "number",
        "Share of the favored group with the favorable label.",
        _of_side("favored", "label_rate"),
    ),
    CsvColumn(
        "disfavored_label_rate",
        "number",
        "The same of the disfavored group.",
        _of_side("disfavored", "label_rate"),
    ),
    CsvColumn(
        "favored_selection_rate",
        "number",
        "Share of the favored group that is predicted favorable.",
        _of_side("favored", "selection_rate"),
    ),
    CsvColumn(
        "disfavored_selection_rate",
        "number",
        "The same of the disfavored group.",
        _of_side("disfavored", "selection_rate"),
    ),
    CsvColumn(
        "p_value",
        "number",
        "How often chance alone would show as much or more, where that is tested.",
        _of_check("parity.p_value"),
    ),
    CsvColumn(
        "p_adjusted",
        "number",
        "The same, corrected for the number of tests.",
        _of_check("parity.adjusted"),
    ),
    CsvColumn(
        "baseline_value", "number", "The value in the baseline.", _of_check("baseline.value")
    ),
    CsvColumn("baseline_status", "text", "Its status.", _of_check("baseline.status")),
    CsvColumn(
        "worsening",
        "number",
        "How much farther from parity the value is than there.",
        _of_check("baseline.worsening"),
    ),
    CsvColumn(
        "change",
        "text",
        "`better`, `same`, `worse`, `regressed` or `undecided`.",
        _of_check("baseline.verdict"),
    ),
    CsvColumn(
        "waiver",
        "text",
        "What a waiver does to the check, or why it does nothing.",
        _of_check("waiver.state"),
    ),
    CsvColumn("waiver_until", "day", "The last day of the waiver.", _of_waiver("expires")),
    CsvColumn("waiver_approved_by", "text", "Who approved it.", _of_waiver("approved_by")),
    CsvColumn("sentence", "text", "What the value says, in a sentence.", _of_check("sentence")),
    CsvColumn("reason", "text", "Why there is no value, or no decision.", _of_check("reason")),
    CsvColumn("note", "text", "What a reader of the verdict should know.", _of_check("note")),
    CsvColumn("spec", "text", "The spec's path as it was given.", lambda row: row.report.run.spec),
    CsvColumn("line", "integer", "Its line that asks for the check.", _of_check("line")),
    CsvColumn(
        "spec_sha256", "text", "Digest of the spec.", lambda row: row.report.result.audit.sha256
    ),
    CsvColumn(
        "result_sha256", "text", "Digest of the result.", lambda row: row.report.result_sha256
    ),
)
"""What stands in a row, in order."""
