"""What a user's type checker sees: mypy reads this file, and the test runs it."""

from os import PathLike
from typing import assert_type

import polars as pl

import biaspipe
from biaspipe import AuditReport
from biaspipe.errors import Exit
from biaspipe.report import CheckRecord, Result
from biaspipe.verdict import Verdict


def gate(report: AuditReport, page: "str | PathLike[str]") -> int:
    """Use a report as a pipeline does, with every type that it promises."""
    assert_type(report.ok, bool)
    assert_type(report.exit_code, Exit)
    assert_type(report.verdict, Verdict)
    assert_type(report.result, Result)
    assert_type(report.check("DI", facet="sex"), CheckRecord)
    assert_type(report.checks(verdict="fail"), tuple[CheckRecord, ...])
    assert_type(report.checks("DI")[0].value, float | None)
    assert_type(report.to_frame(), pl.DataFrame)
    assert_type(report.rates(), pl.DataFrame)
    assert_type(report.to_html(), str)
    assert_type(report.to_json(), str)
    assert_type(report.to_text(), str)
    assert_type(report.to_markdown(), str)
    report.to_html(page)
    try:
        report.raise_for_failures()
    except biaspipe.VerdictError as error:
        assert_type(error.findings, tuple[str, ...])
        return assert_type(error.exit, Exit)
    return 0


def test_a_pipeline_is_typed(tmp_path: PathLike[str]) -> None:
    """A typed pipeline runs with what `run` returns, and with what is read again."""
    people = pl.DataFrame({"sex": ["f", "m"] * 20, "hired": [True, True, False, True] * 10})
    report = biaspipe.run(
        {
            "version": 1,
            "name": "hiring",
            "columns": {"prediction": {"column": "hired", "positive": True}},
            "facets": {"sex": {"column": "sex", "favored": "m"}},
            "metrics": {"DI": {"min": 0.8}},
        },
        data=people,
    )
    assert_type(report, AuditReport)
    assert gate(report, f"{tmp_path}/report.html") == 1
    report.write(f"{tmp_path}/report.json")
    assert_type(biaspipe.read_report(f"{tmp_path}/report.json"), AuditReport)
