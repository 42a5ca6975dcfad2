"""A story is plain data, whose texts are lines that can only be read."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache

import pytest

from biaspipe.errors import Exit
from biaspipe.printable_text import escape
from biaspipe.renderers.commands.index_page import entry_of, entry_without
from biaspipe.renderers.commands.run_summary import summary
from biaspipe.renderers.commands.verification import VerificationStep, verification_story
from biaspipe.renderers.commands.waivers import WaiverEntry, waivers_story
from biaspipe.renderers.console.report import report_story, verdict_line
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Section,
    Span,
    Story,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.report import Finding, Report
from biaspipe.spec import Waiver
from biaspipe.verdict import Verdict
from tests.golden.audits import NAMES, code_of, report_of

ROLES = {*Verdict, "strong", "aside", "caution", "verified", None}
PARTS = (StoryColumn, Facts, Items, Line, StoryRow, Section, Span, Story, StoryTable, tuple)
HOSTILE = "[red]x[/red]\n\x1b[2J<b>PASS\u202e"
"""What a stranger may have written: markup, an escape sequence, HTML, and text turned round."""


def leaves(part: object) -> Iterator[object]:
    """Yield whatever is no tuple in a part of a story."""
    if isinstance(part, tuple):
        assert type(part) in PARTS
        for one in part:
            yield from leaves(one)
    else:
        yield part


def hostile() -> Report:
    """Return a report of which every name is one that a stranger wrote to be taken for ours."""
    report = report_of("every-verdict")
    values = report.model_dump(mode="json", by_alias=True)
    values["run"]["spec"] = HOSTILE
    values["result"]["not_computed"] = {"FT": HOSTILE}
    for check in values["result"]["checks"]:
        check["sentence"] = check["reason"] = check["note"] = HOSTILE
    for facet in values["result"]["facets"]:
        for comparison in facet["comparisons"]:
            comparison["warning"] = HOSTILE
    for waiver in values["result"]["waivers"]:
        waiver["approved_by"] = waiver["reason"] = HOSTILE
    return Report.model_validate(values)


MADE = ("hostile", "summary", "verification", "waivers")
each_story = pytest.mark.parametrize("name", [*NAMES, *MADE])


@cache
def story_of(name: str) -> Story:
    """Return the story of an audit whose output is kept, or one with hostile words."""
    today = date(2026, 1, 1)
    match name:
        case "hostile":
            return report_story(hostile(), Exit.FAILED)
        case "summary":
            lost = entry_without(HOSTILE, "wrong spec", Exit.WRONG_SPEC, HOSTILE)
            return summary([entry_of(hostile(), Exit.FAILED, [HOSTILE]), lost], Exit.WRONG_SPEC)
        case "verification":
            wrong = VerificationStep("report", HOSTILE, (Finding(HOSTILE, HOSTILE),))
            codes = (Exit.FAILED, Exit.PASSED)
            return verification_story(HOSTILE, hostile(), [wrong], codes, today)
        case "waivers":
            waiver = Waiver(metric="DI", reason=HOSTILE, approved_by="a", expires=today)
            return waivers_story([WaiverEntry(HOSTILE, 1, waiver, {"name": "a"})], today)
        case _:
            return report_story(report_of(name), code_of(report_of(name)))


@each_story
def test_story_is_plain_data(name: str) -> None:
    """A story holds its own tuples, texts and roles, and nothing of rich or of a terminal."""
    assert {type(leaf) for leaf in leaves(story_of(name))} <= {str, int, Verdict, type(None)}


@each_story
def test_texts_are_lines_that_can_only_be_read(name: str) -> None:
    """No text of a story breaks a line, moves a cursor, or turns what stands behind it round."""
    texts = [leaf for leaf in leaves(story_of(name)) if type(leaf) is str]
    assert [text for text in texts if escape(text) != text] == []


def lines(story: Story) -> Iterator[Line]:
    """Yield the lines of a story."""
    for section in story.sections:
        for part in section.parts:
            yield from (part,) if isinstance(part, Line) else ()
            yield from part.lines if isinstance(part, Facts | Items) else ()


@each_story
def test_texts_hold_no_layout(name: str) -> None:
    """No line, title or cell begins or ends with what only sets it in its place."""
    story = story_of(name)
    texts = ["".join(span.text for span in line.spans) for line in lines(story)]
    texts += [title.text for line in lines(story) for title in line.titles]
    for section in story.sections:
        for table in section.parts:
            if isinstance(table, StoryTable):
                texts += [cell for row in table.rows for cell in row.texts]
    assert [text for text in texts if text != text.strip()] == []


def tables(story: Story) -> Iterator[StoryTable]:
    """Yield the tables of a story."""
    for section in story.sections:
        yield from (part for part in section.parts if isinstance(part, StoryTable))


@each_story
def test_rows_fit_their_columns(name: str) -> None:
    """Every row of a table has a cell for each column, and a role that a page can draw."""
    for table in tables(story_of(name)):
        assert {len(row.texts) for row in table.rows} <= {len(table.columns)}
        assert {row.role for row in table.rows} <= ROLES


def test_sections_are_those_of_the_report() -> None:
    """A report has a header, a section for each facet and for all people, its notes and tally."""
    titles = [section.title for section in story_of("every-verdict").sections]
    assert titles == [None, "sex", "region", None, None]
    everything = report_story(report_of("every-verdict"), Exit.FAILED, everything=True)
    titles = [section.title for section in everything.sections]
    assert titles == [None, "sex", "region", "all people", None, None]


def test_facts_of_the_header_have_titles() -> None:
    """The header of a report is facts, each with what it is about."""
    (header,) = story_of("adult-income").sections[0].parts
    assert isinstance(header, Facts)
    titles = [title.text for line in header.lines for title in line.titles]
    assert titles == [
        "verdict",
        "worst",
        "audit",
        "about",
        "model",
        "owner",
        "run",
        "spec",
        "data",
        "result",
        "decided",
        "counted",
        "counted",
    ]
    assert header.lines[0].spans[0] == Span("FAIL", Verdict.FAIL)


def test_story_ends_in_the_verdict_line() -> None:
    """The last line of every story is the one that says what it comes to, with the exit code."""
    for name in (*NAMES, "verification"):
        assert "  exit " in verdict_line(story_of(name)).text


def test_stories_are_made_without_rich() -> None:
    """What makes stories imports no library that draws them."""
    code = (
        "import sys\n"
        "from biaspipe.renderers.commands import diff, index_page, pages, verification, waivers\n"
        "from biaspipe.renderers.console import facets, notes, report\n"
        "from biaspipe.renderers import cautions, evidence_page, story\n"
        "print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
