"""Reports that the page is drawn from in tests: kept ones, stored ones, and changed copies."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
    Section,
    Story,
    StoryCell,
    StoryTable,
)
from biaspipe.report import Report
from tests.golden.audits import NAMES, ROOT, report_of

__all__ = ["CORPUS", "any_report", "changed", "lines_of", "section_of", "tables_of", "titles_of"]

STORED = ROOT / "tests" / "pipeline" / "verification" / "stored"
CORPUS = (*NAMES, "stored every-verdict", "stored second-release")
"""Every kept report, and those that older versions wrote."""


@cache
def any_report(name: str) -> Report:
    """Return a kept report, or one that an older version wrote."""
    if name.startswith("stored "):
        path = STORED / f"{name.removeprefix('stored ')}.json"
        return Report.model_validate(json.loads(path.read_text(encoding="utf-8")))
    return report_of(name)


def changed(name: str, change: Callable[[dict[str, Any]], None]) -> Report:
    """Return a report with something changed in its plain values."""
    values = json.loads(any_report(name).to_json())
    change(values)
    return Report.model_validate(values)


def titles_of(report: Report) -> list[str | None]:
    """Return the titles of the page's sections of the second level."""
    return [section.title for section in page_story(report).sections if section.level == 2]


def section_of(report: Report, title: str) -> Section:
    """Return the section of a page with a title."""
    return next(section for section in page_story(report).sections if section.title == title)


def lines_of(part: Story | Section) -> list[Line]:
    """Return all lines of a page or of a section, those of cells among them."""
    lines: list[Line] = []
    for section in part.sections if isinstance(part, Story) else (part,):
        for each in section.parts:
            lines += [each] if isinstance(each, Line) else []
            lines += [each.line] if isinstance(each, PictureNote) else []
            lines += each.lines if isinstance(each, Facts | Items) else []
        for table in tables_of(section):
            for row in table.rows:
                for cell in row.cells:
                    lines += cell.lines if isinstance(cell, StoryCell) else [Line.of(cell)]
    return lines


def tables_of(section: Section) -> list[StoryTable]:
    """Return the tables of a section."""
    return [part for part in section.parts if isinstance(part, StoryTable)]
