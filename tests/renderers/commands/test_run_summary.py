"""The summary of a run of several audits: every code, what is worst, and what was written."""

from biaspipe.errors import Exit
from biaspipe.renderers.commands.index_page import entry_of, entry_without
from biaspipe.renderers.commands.run_summary import summary_table
from biaspipe.verdict import Verdict
from tests.golden.audits import report_of


def test_summary_has_a_row_for_each_spec() -> None:
    """A row says verdict, code, spec, tally, the worst alert, and the files in few letters."""
    report = report_of("adult-income")
    entry = entry_of(report, Exit.FAILED, ["out/adult.json", "out/adult.html"])
    lost = entry_without("b.yaml", "not audited", Exit.WRONG_DATA, "b.csv: there is no such file")
    table = summary_table([entry, lost])
    assert [column.title for column in table.columns] == [
        "verdict",
        "exit",
        "spec",
        "checks",
        "worst",
        "wrote",
    ]
    assert [row.texts for row in table.rows] == [
        (
            "fail",
            "1",
            "audits/adult-income.yaml",
            "1 passed, 1 warned, 1 failed, 42 reported",
            "DI on sex, female against male: 0.3294, limit 0.8 to 1.25",
            "out/adult.json, .html",
        ),
        ("not audited", "3", "b.yaml", "", "b.csv: there is no such file", ""),
    ]
    assert [row.role for row in table.rows] == [Verdict.FAIL, Verdict.FAIL]


def test_worst_check_has_the_limit_of_its_verdict() -> None:
    """What warned has the limit that warns, and what failed or was undecided the one that fails."""
    report = report_of("adult-income")
    found = {}
    for verdict in (Verdict.WARN, Verdict.FAIL):
        kept = tuple(c for c in report.result.checks if c.verdict is verdict)
        result = report.result.model_copy(update={"checks": kept})
        worst = entry_of(report.model_copy(update={"result": result}), Exit.FAILED).worst
        found[verdict] = worst.rpartition(", limit ")[2]
    assert found == {Verdict.WARN: "warn within 0.03", Verdict.FAIL: "0.8 to 1.25"}


def test_empty_columns_are_left_out() -> None:
    """Where nothing was written and nothing is worst, there is no column for it."""
    table = summary_table([entry_of(report_of("berkeley-admissions"), Exit.PASSED)])
    assert [column.title for column in table.columns] == ["verdict", "exit", "spec", "checks"]
    assert table.apart == ()


def test_what_vanished_and_that_nothing_was_checked_are_worst() -> None:
    """An audit whose checks all pass names what vanished, if that fails it."""
    report = report_of("second-release")
    passed = tuple(c for c in report.result.checks if c.verdict is Verdict.REPORTED)
    result = report.result.model_copy(update={"checks": passed})
    entry = entry_of(report.model_copy(update={"result": result}), Exit.FAILED)
    assert entry.worst == "vanished since the baseline: DI on region, east against north"
