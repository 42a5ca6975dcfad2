"""The page of a report: all that somebody reads who decides and has not seen the spec."""

from collections.abc import Iterator

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page.appendix import appendix_sections
from biaspipe.renderers.evidence_page.changes import change_section
from biaspipe.renderers.evidence_page.conclusion import conclusion_section
from biaspipe.renderers.evidence_page.findings import finding_sections
from biaspipe.renderers.evidence_page.groups import group_sections
from biaspipe.renderers.evidence_page.method import method_sections
from biaspipe.renderers.evidence_page.omissions import omission_section
from biaspipe.renderers.evidence_page.reproduction import reproduction_section
from biaspipe.renderers.evidence_page.subject import subject_section
from biaspipe.renderers.evidence_page.value_tables import heat_map_section, reported_section
from biaspipe.renderers.evidence_page.waivers import waiver_section
from biaspipe.renderers.story import Line, Section, Story
from biaspipe.renderers.subgroups import subgroup_section
from biaspipe.report import Report

__all__ = ["html", "page_story"]


def page_story(report: Report) -> Story:
    """Return the story of the page of a report, made from the report alone.

    Parameters
    ----------
    report : the whole report.
    """
    title = f"Bias audit of {escape(report.result.audit.name)}"
    return Story(tuple(filter(None, _sections(report))), title)


def _sections(report: Report) -> Iterator[Section | None]:
    """Yield the sections in the order in which they are read; None for what does not apply."""
    yield conclusion_section(report)
    yield subject_section(report)
    yield from finding_sections(report)
    yield subgroup_section(report)
    yield heat_map_section(report)
    yield change_section(report)
    reported = reported_section(report)
    if reported and reported.level == 2:
        yield reported
    yield from group_sections(report)
    yield waiver_section(report)
    yield omission_section(report)
    yield from method_sections(report)
    yield reproduction_section(report)
    yield Section((Line.of("What the rest of the page rests on."),), "Appendix")
    if reported and reported.level == 3:
        yield reported
    yield from appendix_sections(report)


def html(report: Report, _: object = None) -> str:
    """Return a report as one page of HTML.

    Parameters
    ----------
    report : the whole report.
    """
    from biaspipe.renderers.page.drawing import draw_page  # noqa: PLC0415 - loads the templates

    return draw_page(page_story(report))
