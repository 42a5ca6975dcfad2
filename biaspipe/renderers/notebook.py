"""What a notebook shows of a report: its verdict, the gravest findings, the rates of the groups."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.conclusion import conclusion_section
from biaspipe.renderers.evidence_page.findings import finding_sections
from biaspipe.renderers.evidence_page.groups import group_sections
from biaspipe.renderers.evidence_page.value_tables import reported_section
from biaspipe.renderers.evidence_page.wording import listed
from biaspipe.renderers.omissions import rows_text
from biaspipe.renderers.page.drawing import draw_excerpt
from biaspipe.renderers.story import Items, Line, Section, Span, Story, StoryPart, StoryTable
from biaspipe.renderers.subgroups import subgroup_section
from biaspipe.renderers.text import counted_text
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["notebook_html", "notebook_story"]

MAX_FINDINGS = 8
"""Findings that have a row."""
MAX_ROWS = 12
"""Rows of values without a limit, and rows of groups."""


def notebook_html(report: Report) -> str:
    """Return what a notebook shows of a report, as HTML that leaves the rest of it alone.

    Parameters
    ----------
    report : the whole report.
    """
    return draw_excerpt(notebook_story(report), f"b{report.result_sha256[:12]}-")


def notebook_story(report: Report) -> Story:
    """Return the page of a report in little: the same words, as far as there is room.

    Parameters
    ----------
    report : the whole report.
    """
    first, *others = finding_sections(report)
    if others:
        first = first._replace(parts=())  # how a finding is read, which the page explains
    values = reported_section(report) if report.result.verdict is Verdict.REPORTED else None
    searched = subgroup_section(report)
    cuts = (
        _cut(_rows_left_out(report), MAX_FINDINGS),
        _cut([first, *others], MAX_FINDINGS),
        _cut([searched] if searched else [], MAX_FINDINGS),
        _cut([values] if values else [], MAX_ROWS),
        _cut(_groups(report), MAX_ROWS),
    )
    shown = [section for cut in cuts for section in cut.sections]
    return Story((_head(report), *shown, _ending(sum(cut.left for cut in cuts))))


class _Cut(NamedTuple):
    """Sections as far as there is room for their rows, and how many rows are left out."""

    sections: Sequence[Section]
    left: int


def _cut(sections: Iterable[Section], room: int) -> _Cut:
    """Cut sections where their rows have no room any more; one without rows stands before them."""
    kept, left = list[Section](), 0
    for section in sections:
        rows = [len(_rows(part)) for part in section.parts]
        if room or not any(rows):
            parts = list[StoryPart]()
            for part, n in zip(section.parts, rows, strict=True):
                parts += [_shortened(part, room)] if room or not n else []
                left += max(0, n - room)
                room -= min(n, room)
            kept.append(section._replace(parts=tuple(parts)))
        else:
            left += sum(rows)
    return _Cut(kept, left)


def _rows(part: StoryPart) -> Sequence[object]:
    """Return what a part has a row each for."""
    match part:
        case StoryTable():
            return part.rows
        case Items():
            return part.lines
    return ()


def _shortened(part: StoryPart, room: int) -> StoryPart:
    match part:
        case StoryTable():
            return part._replace(rows=part.rows[:room])
        case Items():
            return Items(part.lines[:room])
    return part


def _head(report: Report) -> Section:
    """Return the verdict and what bears on it; who and what the audit is of stands in the page."""
    name = Line.of("Bias audit of ", Span(escape(report.result.audit.name), "strong"))
    return Section((name, *conclusion_section(report).parts[:-1]))


def _rows_left_out(report: Report) -> Iterator[Section]:
    """Yield how many rows each facet compares, and why not the others; none where it is all."""
    facets = dict[str, list[str]]()
    for record in report.result.facets:
        facets.setdefault(rows_text(report, record.facet), []).append(escape(record.facet))
    lines = [
        words if len(facets) == 1 else f"{listed(names)}: {words}"
        for words, names in facets.items()
        if words
    ]
    if lines:
        yield Section((Items.of(lines),))


def _groups(report: Report) -> Iterator[Section]:
    """Yield the table of the groups of each facet."""
    for section in group_sections(report):
        tables = tuple(part for part in section.parts if isinstance(part, StoryTable))
        if tables:
            yield Section(tables[:1])


def _ending(left: int) -> Section:
    """Say how many rows are left out, and where the whole is."""
    more = f"{counted_text(left, 'row')} more {'is' if left == 1 else 'are'} in the whole page: "
    words = f'{more if left else "The whole page: "}report.to_html("report.html"). '
    words += "As frames: report.to_frame() and report.rates()."
    return Section((Line.of(Span(words, "aside")),))
