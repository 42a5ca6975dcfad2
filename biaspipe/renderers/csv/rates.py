"""The rates of every group of a report as CSV, one row for each group and rate."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from biaspipe.renderers.csv.columns import CsvColumn, CsvValue, csv_text, spec_entry
from biaspipe.report import FacetGroupRecord, RateRecord, Report

__all__ = ["RATE_COLUMNS", "RateRow", "rate_rows", "rates_csv"]


class RateRow(NamedTuple):
    """A rate of a group.

    Parameters
    ----------
    report : the report that it is of.
    facet : the facet.
    group : the group.
    name : the name of the rate.
    rate : the rate; None of a group that has none, such as the people without a value.
    """

    report: Report
    facet: str
    group: FacetGroupRecord
    name: str
    rate: RateRecord | None


def rates_csv(report: Report, _: object = None) -> str:
    """Return the rates of every group of a report as CSV; of an older report the titles alone.

    Parameters
    ----------
    report : the whole report.
    """
    return csv_text(RATE_COLUMNS, rate_rows(report))


def rate_rows(report: Report) -> Iterator[RateRow]:
    """Yield every rate of every group of a report."""
    for facet in report.result.facets:
        known = dict.fromkeys(name for group in facet.groups for name in group.rates or ())
        for group in facet.groups:
            for name in known:
                yield RateRow(report, facet.facet, group, name, (group.rates or {}).get(name))


def _of_rate(name: Literal["value", "low", "high", "n"]) -> Callable[[RateRow], CsvValue]:
    def cell(row: RateRow) -> CsvValue:
        found: CsvValue = None if row.rate is None else getattr(row.rate, name)
        return found

    return cell


def _of_spec(*keys: str) -> Callable[[RateRow], CsvValue]:
    return lambda row: spec_entry(row.report, *keys)


RATE_COLUMNS: tuple[CsvColumn[RateRow], ...] = (
    CsvColumn("audit", "text", "Name of the audit.", lambda row: row.report.result.audit.name),
    CsvColumn("day", "day", "Day of the run, in UTC.", lambda row: row.report.run.day.isoformat()),
    CsvColumn("facet", "text", "The facet.", lambda row: row.facet),
    CsvColumn("group", "text", "The group.", lambda row: row.group.group),
    CsvColumn("part", "text", "The part that it plays in comparisons.", lambda row: row.group.part),
    CsvColumn("rows", "integer", "Its rows that take part.", lambda row: row.group.rows),
    CsvColumn("rate", "text", "Name of the rate.", lambda row: row.name),
    CsvColumn(
        "value",
        "number",
        "From 0 to 1; empty where it is of nobody, and of people without a value of the facet.",
        _of_rate("value"),
    ),
    CsvColumn("low", "number", "Lower end of its interval.", _of_rate("low")),
    CsvColumn("high", "number", "Upper end.", _of_rate("high")),
    CsvColumn(
        "people",
        "number",
        "People whom it is a rate of, by weight if there is one.",
        _of_rate("n"),
    ),
    CsvColumn(
        "result_sha256", "text", "Digest of the result.", lambda row: row.report.result_sha256
    ),
    CsvColumn("owner", "text", "Who answers for the audit.", _of_spec("owner")),
    CsvColumn("model_name", "text", "`model.name` of the spec.", _of_spec("model", "name")),
    CsvColumn("model_version", "text", "`model.version`, likewise.", _of_spec("model", "version")),
    CsvColumn("description", "text", "What is audited, and why.", _of_spec("description")),
    CsvColumn(
        "biaspipe", "text", "Version that ran the audit.", lambda row: row.report.run.biaspipe
    ),
)
"""What stands in a row, in order."""
