"""The page has each section that applies, from any report, in lines that can only be read."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page import html, page_story
from biaspipe.renderers.figures import IntervalBars
from biaspipe.renderers.story import StoryCell
from biaspipe.renderers.text import interval_text, value_text
from biaspipe.report import Report
from biaspipe.verdict import Verdict
from tests.golden.audits import NAMES, report_of
from tests.renderers.evidence_page.reports import (
    CORPUS,
    any_report,
    changed,
    lines_of,
    section_of,
    tables_of,
    titles_of,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "a\u202eb\x1b[2J\n::error::x",
    "x" * 300,
)
ALWAYS = [
    None,
    "What was tested",
    "The checks, worst first",
    "The groups",
    "What was not computed",
    "Method and limits",
    "How to verify this page",
    "Appendix",
]
each_report = pytest.mark.parametrize("name", CORPUS)


def leaves(part: object) -> Iterator[object]:
    """Yield whatever is no tuple in a story."""
    if isinstance(part, tuple):
        for each in part:
            yield from leaves(each)
    else:
        yield part


def hostile(name: str) -> Report:
    """Return a report in which every text that is not ours is one of a stranger."""

    def change(values: dict[str, Any]) -> None:
        number = 0

        def spoiled(value: Any, key: str = "") -> Any:
            nonlocal number
            if isinstance(value, dict):
                return {name: spoiled(part, name) for name, part in value.items()}
            if isinstance(value, list):
                return [spoiled(part, key) for part in value]
            if key in SPOILED and isinstance(value, str):
                number += 1
                return HOSTILE[number % len(HOSTILE)]
            return value

        values["result"] = spoiled(values["result"])
        values["result"]["audit"]["spec"]["description"] = HOSTILE[0]
        values["result"]["audit"]["spec"]["model"] = {HOSTILE[1]: HOSTILE[2], "name": HOSTILE[3]}
        values["result"]["audit"]["spec"]["data"]["where"] = HOSTILE[2]
        values["run"]["spec"] = HOSTILE[2]

    return changed(name, change)


SPOILED = frozenset(
    {
        *("facet", "favored", "disfavored", "group", "sentence", "reason", "note", "warning"),
        *("approved_by", "ticket", "stratum", "side", "value", "path", "column", "notes"),
        *("warnings", "new", "vanished", "allowed", "features", "label"),
    }
)
"""The keys whose texts come from specs and data."""


@each_report
def test_every_report_gives_a_page(name: str) -> None:
    """Kept reports and those of older versions give a page of HTML, the same twice."""
    page = html(any_report(name))
    assert page == html(any_report(name))
    assert page.lower().startswith("<!doctype html>")


@pytest.mark.parametrize("name", NAMES)
def test_stored_report_gives_the_same_page(name: str) -> None:
    """A report that was written and read again gives the same page as before."""
    report = report_of(name)
    assert html(Report.model_validate_json(report.to_json())) == html(report)


@each_report
def test_sections_appear_where_they_apply(name: str) -> None:
    """Sections on waivers, a baseline and checks are there exactly if the report has some."""
    result = any_report(name).result
    found = titles_of(any_report(name))
    assert [title for title in found if title in ALWAYS] == ALWAYS
    optional = {
        "Change since the baseline": result.baseline is not None,
        "At a glance": any(check.verdict is not Verdict.REPORTED for check in result.checks),
        "Failures that were accepted": bool(result.waivers),
    }
    assert set(found) - set(ALWAYS) == {title for title, there in optional.items() if there}


def test_order_is_that_of_reading() -> None:
    """The verdict comes first, then what was tested, then the checks, and the appendix last."""
    assert titles_of(any_report("second-release")) == [
        None,
        "What was tested",
        "The checks, worst first",
        "At a glance",
        "Change since the baseline",
        "The groups",
        "What was not computed",
        "Method and limits",
        "How to verify this page",
        "Appendix",
    ]


def test_values_are_the_page_where_nothing_has_a_limit() -> None:
    """Values without a limit stand in the appendix, or on the page where there is nothing else."""

    def unlimited(values: dict[str, Any]) -> None:
        for check in values["result"]["checks"]:
            check.update(verdict="reported", limits={})
        values["result"].update(verdict="reported", tally={"reported": 2})

    assert section_of(any_report("berkeley-admissions"), "Values without a limit").level == 3
    report = changed("berkeley-admissions", unlimited)
    assert section_of(report, "Values without a limit").level == 2
    first = lines_of(page_story(report))[0].text
    assert first == (
        "Nothing was checked, since no check has a limit: 2 values are reported without a limit."
    )


@pytest.mark.parametrize("name", ["every-verdict", "second-release", "diabetes-progression"])
def test_texts_are_lines_that_can_only_be_read(name: str) -> None:
    """No text of a page breaks a line, moves a cursor, or turns what stands behind it round."""
    story = page_story(hostile(name))
    texts = [leaf for leaf in leaves(story) if type(leaf) is str]
    assert any("script" in text for text in texts)
    assert [text for text in texts if escape(text) != text] == []
    page = html(hostile(name))
    assert "<script" not in page
    assert "<img" not in page


@each_report
def test_every_value_is_shown_as_it_is(name: str) -> None:
    """Each check's value and interval stand on the page as the console writes them."""
    report = any_report(name)
    texts = {line.text for line in lines_of(page_story(report))}
    told = "\n".join(texts)
    for check in report.result.checks:
        assert value_text(check) in told
        if check.verdict not in (Verdict.PASS, Verdict.REPORTED) and check.interval:
            assert interval_text(check) in texts


@each_report
def test_no_number_of_a_map_is_made_up(name: str) -> None:
    """What the map says of a check is its value, and the picture of a finding has that value."""
    report = any_report(name)
    values = {value_text(check) for check in report.result.checks}
    extended = {check.extended for check in report.result.checks}
    for section in page_story(report).sections:
        for table in tables_of(section):
            cells = [cell for row in table.rows for cell in row.cells]
            for cell in (each for each in cells if isinstance(each, StoryCell)):
                if cell.role is not None:
                    assert cell.lines[1].text in values
                if isinstance(cell.figure, IntervalBars):
                    assert {bar.value for bar in cell.figure.bars} <= extended
                    assert {bar.text for bar in cell.figure.bars} <= values


def test_cautions_stand_in_the_head() -> None:
    """What bears on what the verdict is worth stands right below it."""
    head = page_story(any_report("stored every-verdict")).sections[0]
    cautions = [line.text for line in lines_of(head) if line.role == "caution"]
    assert cautions[0] == "judged as on 2026-01-01, 325 days before it was run"
    assert "sentences, reasons and notes are of another wording" in cautions[1]
    assert len(cautions) == 4
    assert "22 November 2026, judged as on 1 January 2026" in [line.text for line in lines_of(head)]


def test_people_without_outcomes_are_just_people() -> None:
    """Where neither label nor prediction is declared, no outcomes are said to be known."""

    def undeclared(values: dict[str, Any]) -> None:
        values["result"]["audit"]["spec"]["columns"] = {}

    told = {
        name: [line.text for line in lines_of(section_of(report, "What was tested"))]
        for name, report in (
            ("declared", any_report("diabetes-progression")),
            ("undeclared", changed("diabetes-progression", undeclared)),
        )
    }
    assert "442 people whose outcomes are known" in told["declared"]
    assert "442 people" in told["undeclared"]


def test_digests_and_commands_say_how_to_verify() -> None:
    """The page names the digests of result, spec and data, and the commands that hold them."""
    report = any_report("german-credit")
    told = str(section_of(report, "How to verify this page"))
    assert report.result_sha256 in told
    assert report.result.audit.sha256 in told
    assert all(str(each.sha256) in told for each in report.result.data.inputs)
    assert "biaspipe verify report.json --spec audits/german-credit.yaml --data" in told


def test_page_knows_no_clock_and_no_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where and when a page is drawn changes nothing of it."""
    here = html(any_report("every-verdict"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert html(any_report("every-verdict")) == here
    assert not re.search(re.escape(str(tmp_path)), here)


def test_description_is_the_specs_own_words() -> None:
    """A description stands under a title, each of its lines on its own, none as a heading."""

    def described(values: dict[str, Any]) -> None:
        spec = values["result"]["audit"]["spec"]
        spec["description"] = "Meets its limits.\n\n# No heading\n"
        spec["owner"] = "   "

    head = page_story(changed("every-verdict", described)).sections[0]
    lines = lines_of(head)
    place = next(i for i, line in enumerate(lines) if line.text == "Meets its limits.")
    assert [title.text for title in lines[place].titles] == ["what the spec says of it"]
    assert (lines[place + 1].text, lines[place + 1].titles) == ("# No heading", ())
    owners = [line.text for line in lines if line.titles[:1] and "owner" in line.titles[0].text]
    assert owners == ["the spec names none"]


def test_model_is_said_as_the_spec_writes_it() -> None:
    """A version keeps its point, and lists and mappings their nesting."""

    def modelled(values: dict[str, Any]) -> None:
        model = {"version": 1.0, "name": True, "made": {"by": ["a", {"b": {}}]}}
        values["result"]["audit"]["spec"]["model"] = model

    lines = lines_of(page_story(changed("every-verdict", modelled)).sections[0])
    said = {title.text: line.text for line in lines for title in line.titles}
    assert said["version of the model"] == "1.0"
    assert said["model"] == "true"
    assert said["model, made"] == "{by: [a, {b: {}}]}"


def test_groups_of_the_rest_are_not_counted_as_compared() -> None:
    """Groups that only make up the rest are counted apart."""

    def whole(values: dict[str, Any]) -> None:
        facet = next(f for f in values["result"]["facets"] if f["facet"] == "sex")
        facet["comparisons"] = [{**facet["comparisons"][0], "favored": "the rest"}]

    facts = lines_of(section_of(changed("every-verdict", whole), "What was tested"))
    groups = next(line.text for line in facts if line.titles and "groups" in line.titles[0].text)
    assert "sex (1 group compared, 1 only as part of the rest)" in groups
