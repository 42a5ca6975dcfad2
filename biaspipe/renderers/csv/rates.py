"""The rates of every group of a report as CSV, one row for each group and rate."""

from collections.abc import Iterator
from typing import NamedTuple

from biaspipe.renderers.csv.columns import CsvColumn, csv_text
from biaspipe.report import FacetGroupRecord, RateRecord, Report

__all__ = ["RATE_COLUMNS", "RateRow", "rates_csv"]


class RateRow(NamedTuple):
    """A rate of a group.

    Parameters
    ----------
    report : the report that it is of.
    facet : the facet.
    group : the group.
    name : the name of the rate.
    rate : the rate.
    """

    report: Report
    facet: str
    group: FacetGroupRecord
    name: str
    rate: RateRecord


def rates_csv(report: Report, _: object = None) -> str:
    """Return the rates of every group of a report as CSV; of an older report the titles alone.

    Parameters
    ----------
    report : the whole report.
    """
    return csv_text(RATE_COLUMNS, _rows(report))


def _rows(report: Report) -> Iterator[RateRow]:
    for facet in report.result.facets:
        for group in facet.groups:
            for name, rate in (group.rates or {}).items():
                yield RateRow(report, facet.facet, group, name, rate)


RATE_COLUMNS: tuple[CsvColumn[RateRow], ...] = (
    CsvColumn("audit", "text", "Name of the audit.", lambda row: row.report.result.audit.name),
    CsvColumn("day", "day", "Day of the run, in UTC.", lambda row: row.report.run.day.isoformat()),
    CsvColumn("facet", "text", "The facet.", lambda row: row.facet),
    CsvColumn("group", "text", "The group.", lambda row: row.group.group),
    CsvColumn("part", "text", "The part that it plays in comparisons.", lambda row: row.group.part),
    CsvColumn("rows", "integer", "Its rows that take part.", lambda row: row.group.rows),
    CsvColumn("rate", "text", "Name of the rate.", lambda row: row.name),
    CsvColumn(
        "value", "number", "From 0 to 1; empty where it is of nobody.", lambda row: row.rate.value
    ),
    CsvColumn("low", "number", "Lower end of its interval.", lambda row: row.rate.low),
    CsvColumn("high", "number", "Upper end.", lambda row: row.rate.high),
    CsvColumn(
        "people",
        "number",
        "People whom it is a rate of, by weight if there is one.",
        lambda row: row.rate.n,
    ),
    CsvColumn(
        "result_sha256", "text", "Digest of the result.", lambda row: row.report.result_sha256
    ),
)
"""What stands in a row, in order."""
