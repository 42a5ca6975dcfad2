"""Findings stand worst first, each with what a reader has to know of it, and no more."""

from math import inf
from typing import Any

import pytest

from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.evidence_page.conclusion import conclusion
from biaspipe.renderers.evidence_page.interval_bars import scale_of
from biaspipe.renderers.evidence_page.wording import capital_sentence
from biaspipe.renderers.figures import IntervalBars
from biaspipe.renderers.story import Section, StoryCell
from biaspipe.report import Report
from biaspipe.verdict import Verdict
from tests.golden.audits import NAMES
from tests.renderers.evidence_page.reports import (
    CORPUS,
    any_report,
    changed,
    lines_of,
    section_of,
    tables_of,
)

each_report = pytest.mark.parametrize("name", CORPUS)


def findings(report: Report) -> list[Section]:
    """Return the sections of pairs below the checks."""
    sections = page_story(report).sections
    start = [section.title for section in sections].index("The checks, worst first")
    below = [section.level for section in sections[start + 1 :]].index(2)
    return list(sections[start + 1 : start + 1 + below])


def rows(report: Report) -> list[list[str]]:
    """Return the findings: verdict and lines of what was found."""
    return [
        [str(row.cells[0]), *(line.text for line in row.cells[1].lines)]
        for section in findings(report)
        for table in tables_of(section)
        for row in table.rows
        if isinstance(row.cells[1], StoryCell)
    ]


@each_report
def test_undecided_checks_state_no_finding(name: str) -> None:
    """Of a check that is undecided the page says what is missing, and not its sentence."""
    report = any_report(name)
    told = {line.text for line in lines_of(page_story(report))}
    for check in report.result.checks:
        if check.verdict is Verdict.UNDECIDED:
            others = [c for c in report.result.checks if c.verdict is not Verdict.UNDECIDED]
            assert check.sentence not in told - {c.sentence for c in others}
            why = check.sentence if check.status == "undefined" else check.reason
            assert f"Cannot be decided: {why}" in told


@each_report
def test_every_check_with_a_limit_is_told_once(name: str) -> None:
    """Each check with a limit has one row of its own, or stands in a line of those that pass."""
    report = any_report(name)
    limited = [c for c in report.result.checks if c.verdict is not Verdict.REPORTED]
    passed = [c for c in limited if c.verdict is Verdict.PASS]
    shown = len(limited) if len(passed) <= 12 else len(limited) - len(passed)
    assert len(rows(report)) == shown


def test_findings_stand_worst_first() -> None:
    """Pairs stand in the order of their worst check, and so do the checks of a pair."""
    report = any_report("second-release")
    assert [section.title for section in findings(report)] == [
        "region: south compared with north",
        "region: west compared with north",
        "region: isles compared with north",
    ]
    assert [row[0] for row in rows(report)] == [
        *("fails", "fails", "fails", "undecided", "undecided"),
        *("undecided", "warns", "passes", "passes", "not worse"),
        *("undecided", "undecided", "undecided", "undecided"),
    ]


def test_waived_failures_say_who_answers_for_them() -> None:
    """Below a waived failure stands who waived it, until when, how far and why."""
    told = [line for row in rows(any_report("every-verdict")) if row[0] == "waived" for line in row]
    assert (
        "Waived by Ada until 20 January 2026, as long as it is at most 0.6 in either direction: "
        "New branch" in told
    )


def test_expired_waivers_are_said_to_do_nothing() -> None:
    """Below a failure whose waiver has expired stands since when, and who gave it."""
    told = [line for row in rows(any_report("every-verdict")) if row[0] == "fails" for line in row]
    assert "its waiver expired on 2025-12-31" in told
    assert "The waiver that does not cover it: Ben until 31 December 2025" in told


def test_regressions_say_how_the_value_was() -> None:
    """A value that became worse says how it was, once, and is drawn with the earlier one."""
    report = any_report("second-release")
    told = "\n".join(line for row in rows(report) for line in row)
    assert told.count("was 1, now 0.358 farther from parity") == 1
    drawn = [
        bar.earlier
        for section in findings(report)
        for table in tables_of(section)
        for row in table.rows
        for cell in row.cells
        if isinstance(cell, StoryCell) and isinstance(cell.figure, IntervalBars)
        for bar in cell.figure.bars
    ]
    assert drawn[0] == pytest.approx(1, abs=1e-4)


def test_many_passes_take_a_line_for_each_pair() -> None:
    """More than a dozen checks that pass are listed by pair, with their values."""

    def passing(values: dict[str, Any]) -> None:
        for check in values["result"]["checks"]:
            if check["verdict"] == "reported":
                check.update(verdict="pass", limits={"max": 100})

    report = changed("every-verdict", passing)
    assert {row[0] for row in rows(report)} == {"fails", "warns", "waived", "undecided"}
    told = "\n".join(line.text for section in findings(report) for line in lines_of(section))
    assert "42 more checks pass: TNRR 1.6175; ACCR 1.4103; NPVR 1.3125; " in told
    assert findings(report)[-1].title == "Where every check passes"


def test_only_the_gravest_of_many_findings_are_drawn() -> None:
    """Of more than 150 findings the gravest have a picture, and the page says so."""

    def failing(values: dict[str, Any]) -> None:
        first, *_ = values["result"]["checks"]
        values["result"]["checks"] = [
            {**first, "disfavored": f"group {i}", "verdict": "fail", "limits": {"max_abs": 0.1}}
            for i in range(160)
        ]

    report = changed("every-verdict", failing)
    drawn = [
        cell.figure
        for section in findings(report)
        for table in tables_of(section)
        for row in table.rows
        for cell in row.cells
        if isinstance(cell, StoryCell) and cell.figure
    ]
    assert (len(rows(report)), len(drawn)) == (160, 150)
    lead = [line.text for line in lines_of(section_of(report, "The checks, worst first"))]
    assert "The 150 gravest of 160 findings have a picture." in lead


def test_findings_without_room_are_counted() -> None:
    """More than 1,000 findings have no rows beyond those, and the page says how many."""

    def failing(values: dict[str, Any]) -> None:
        first, *_ = values["result"]["checks"]
        values["result"]["checks"] = [
            {**first, "disfavored": f"group {i}", "verdict": "fail", "limits": {"max_abs": 0.1}}
            for i in range(1_003)
        ]

    report = changed("every-verdict", failing)
    assert len(rows(report)) == 1_000
    lead = [line.text for line in lines_of(section_of(report, "The checks, worst first"))]
    assert "3 findings more stand in the map below alone." in lead


@each_report
def test_drawings_of_a_metric_have_one_scale(name: str) -> None:
    """All bars of a metric are drawn on the same scale, which holds values, limits and parity."""
    report = any_report(name)
    scales: dict[str, set[object]] = {}
    for section in findings(report):
        for table in tables_of(section):
            for row in table.rows:
                for cell in row.cells:
                    if isinstance(cell, StoryCell) and isinstance(cell.figure, IntervalBars):
                        (bar,), scale = cell.figure.bars, cell.figure.scale
                        scales.setdefault(bar.label.split(",")[0], set()).add(scale)
                        assert scale.low <= bar.parity < scale.high
                        if bar.value not in (None, inf, -inf, 0):
                            assert scale.low <= bar.value <= scale.high
    assert {len(found) for found in scales.values()} <= {1}


@pytest.mark.parametrize(
    ("limit", "ends", "scale"),
    [
        (0.1, (-40.0, 60.0), (-0.112, 0.112)),
        (0.1, (-0.3, 0.2), (-0.33, 0.23)),
        (0, (-0.09, 0.11), (-0.102, 0.122)),
    ],
)
def test_scale_holds_intervals_that_do_not_stretch_it(
    limit: float, ends: tuple[float, float], scale: tuple[float, float]
) -> None:
    """An interval that is very much wider than values and limits reaches over the edge."""

    def change(values: dict[str, Any]) -> None:
        check = next(c for c in values["result"]["checks"] if c["metric"] == "DPPL")
        check.update(value=0.005, limits={"max_abs": limit})
        check["interval"].update(low=ends[0], high=ends[1])
        check.pop("simultaneous", None)

    checks = changed("adult-income", change).result.checks
    found = scale_of("DPPL", [check for check in checks if check.metric == "DPPL"])
    assert (round(found.low, 3), round(found.high, 3)) == scale


def test_verdict_is_a_sentence() -> None:
    """The page begins with the verdict and how many checks came to what."""
    assert conclusion(any_report("every-verdict")) == (
        "Does not meet its limits: 4 of 13 checks fail, 4 cannot be decided on these people, 1"
        " warns, 2 fail and are waived and 2 pass; 126 values are reported without a limit."
    )
    assert conclusion(any_report("berkeley-admissions")) == (
        "Meets its limits: the only check passes; 1 value is reported without a limit."
    )


@pytest.mark.parametrize(
    ("undecided", "verdict", "words"),
    [
        ("warn", "warn", "Fails nowhere, but not everything could be decided: "),
        ("pass", "pass", "Fails nowhere, but not everything could be decided: "),
        ("fail", "undecided", "Cannot be decided: "),
    ],
)
def test_undecided_is_nowhere_said_to_be_met(undecided: str, verdict: str, words: str) -> None:
    """An audit with checks that could not be decided is not said to meet its limits."""

    def change(values: dict[str, Any]) -> None:
        first, second, *_ = values["result"]["checks"]
        first.update(verdict="undecided", reason="too few", limits={"max_abs": 0.1})
        second.update(verdict="pass", limits={"max_abs": 0.9})
        values["result"].update(checks=[first, second], verdict=verdict)
        values["result"]["tally"] = {"undecided": 1, "pass": 1}
        values["result"]["decision"]["undecided"] = undecided

    told = conclusion(changed("every-verdict", change))
    assert told.startswith(words)
    assert "1 of 2 checks cannot be decided on these people and 1 passes" in told


@pytest.mark.parametrize("name", NAMES)
def test_findings_name_no_key_of_the_spec(name: str) -> None:
    """Limits and people that are lacking are told as people read them."""
    sections = page_story(any_report(name)).sections
    first = [section.title for section in sections].index("The checks, worst first")
    last = [section.title for section in sections].index("The groups")
    told = [line.text for section in sections[first:last] for line in lines_of(section)]
    assert told
    keys = ("min_rows", "max_abs", "max_missing", "_d = 0", "_d(1) = 0")
    assert [line for line in told if any(key in line for key in keys)] == []


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("of those hired, men are paid more", "Of those hired, men are paid more"),
        ("men are paid more than women", "men are paid more than women"),
        ("women are paid more than men", "women are paid more than men"),
    ],
)
def test_capital_is_only_for_a_word_of_ours(sentence: str, told: str) -> None:
    """A sentence begins with a capital unless it begins with the name of a group."""
    check = any_report("every-verdict").result.checks[0]
    update = {"sentence": sentence, "favored": "men", "disfavored": "women"}
    assert capital_sentence(check.model_copy(update=update)) == told


def baseline_only(values: dict[str, Any]) -> None:
    """Leave of a report the failure by the baseline of a check that keeps its limit."""
    first = next(
        c
        for c in values["result"]["checks"]
        if c["metric"] == "DI" and "worse than in the baseline" in (c.get("reason") or "")
    )
    unlimited = next(
        c
        for c in values["result"]["checks"]
        if c["verdict"] == "pass" and set(c["limits"].values()) <= {None}
    )
    first.update(limits={"min": 0.1}, verdict="fail")
    values["result"].update(checks=[first, unlimited], tally={"fail": 1, "pass": 1})
    values["result"]["baseline"]["vanished"] = []


def test_what_has_no_limit_passes_none() -> None:
    """A value without a limit that the baseline allows is not worse, in row, head and map."""
    report = any_report("second-release")
    verdicts = {row[2]: row[0] for row in rows(report) if row[0] in ("passes", "not worse")}
    assert verdicts["Difference in Positive Proportions in Labels (DPL)"] == "not worse"
    assert verdicts["Specificity Difference (SD)"] == "passes"
    assert "1 without a limit is not worse than in the baseline" in conclusion(report)
    cells = [
        (cell.lines[0].text, cell.role)
        for table in tables_of(section_of(report, "At a glance"))
        for row in table.rows
        for cell in row.cells[1:]
        if isinstance(cell, StoryCell)
    ]
    assert cells.count(("not worse", Verdict.REPORTED)) == 1
    assert ("passes", Verdict.REPORTED) not in cells


def test_worsening_alone_misses_no_limit() -> None:
    """Where only the baseline fails a check, no limit is said to be missed, and both are named."""
    report = changed("second-release", baseline_only)
    assert conclusion(report) == (
        "Worse than its baseline allows, though no limit is missed: 1 of 2 checks fails and 1"
        " without a limit is not worse than in the baseline."
    )
    told = [line.text for line in lines_of(page_story(report))]
    head = next(words for words in told if words.startswith("Worse than in the baseline: "))
    assert "at least 0.1 is required; worse than in the baseline: was 1" in head
    assert "at least 0.1, and not worse than in the baseline by more than 0.01" in told
    assert "by the limit alone: passes" in told


def test_repeated_failures_say_so() -> None:
    """A failure under another name is marked instead of told again, and the head counts it."""

    def again(values: dict[str, Any]) -> None:
        check = next(c for c in values["result"]["checks"] if c["metric"] == "DPPL")
        check.update(verdict="fail", limits={"max_abs": 0.01})
        twin = {**check, "metric": "vertex.dpppl", "name": "Twin"}
        values["result"].update(checks=[check, twin], tally={"fail": 2})

    report = changed("adult-income", again)
    (first, second) = rows(report)
    assert second[:3] == ["fails", "The same as DPPL, under another name", "Twin (vertex.dpppl)"]
    assert first[1] not in second
    assert "; 1 of the failures repeats another, under another name or the other way round." in (
        conclusion(report)
    )


def test_lost_people_stand_in_the_head() -> None:
    """A group that lacks outcomes far more than another is named in the head and below it."""

    def lose(values: dict[str, Any]) -> None:
        group = values["result"]["facets"][0]["groups"][0]
        group.update(label_missing=group["rows"], prediction_missing=0, missing=group["n"])

    report = changed("adult-income", lose)
    told = [line.text for line in lines_of(page_story(report).sections[0])]
    (missing,) = [words for words in told if words.startswith("Who is missing: 50.0% of ")]
    assert "lack label or prediction, against 0.0% of " in missing
    tested = {
        line.titles[0].text
        for line in lines_of(section_of(report, "What was tested"))
        if line.titles
    }
    assert "without label or prediction" in tested
    never = lines_of(section_of(report, "What this result cannot say"))
    assert never[0].text.startswith("It says nothing of people without label or prediction")
    assert not any(
        line.text.startswith("Who is missing")
        for line in lines_of(page_story(any_report("adult-income")))
    )


def test_values_as_before_take_one_line() -> None:
    """Values that read as they did in the baseline are counted below those that do not."""

    def keep(values: dict[str, Any]) -> None:
        note = next(c for c in values["result"]["checks"] if c["verdict"] == "pass")["baseline"]
        note.update(verdict="same")

    section = section_of(changed("second-release", keep), "Change since the baseline")
    told = [line.text for line in lines_of(section)]
    assert "1 check reads as before." in told
    assert told.index("worse than allowed") < told.index("better")
    assert "as before" not in told


def test_limit_that_an_interval_reaches_across_is_not_said_to_be_kept() -> None:
    """Where the limit alone leaves a failure undecided, it is only not clearly missed."""
    assert conclusion(any_report("second-release")).startswith(
        "Worse than its baseline allows, though no limit is clearly missed: 3 of 14 checks fail"
    )
