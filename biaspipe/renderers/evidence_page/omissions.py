"""What was not computed and why, and what of the data a reader should know."""

from collections.abc import Iterator

from biaspipe.metrics import METRICS
from biaspipe.printable_text import escape
from biaspipe.renderers.column_lines import column_notes
from biaspipe.renderers.evidence_page.wording import listed
from biaspipe.renderers.omissions import (
    metrics_by_reason,
    uncovered_facets,
    unmatched_by_group,
)
from biaspipe.renderers.story import Items, Line, Section, StoryPart
from biaspipe.renderers.text import counted_text
from biaspipe.report import Report

__all__ = ["omission_section"]


def omission_section(report: Report) -> Section:
    """Return what was left out, and what was noticed in the data.

    Parameters
    ----------
    report : the whole report.
    """
    parts: list[StoryPart] = []
    for lead, lines in (
        ("", tuple(_not_computed(report))),
        ("Facets that no check covers:", tuple(_uncovered(report))),
        ("Rows without a partner in a joined table:", tuple(_unmatched(report))),
        ("What was noticed in the columns:", tuple(column_notes(report.result.data.counted_as))),
    ):
        if lines:
            parts += [Line.of(lead)] if lead else []
            parts.append(Items.of(lines))
    nothing = Line.of("Everything that the spec asks for was computed.")
    return Section(tuple(parts) or (nothing,), "What was not computed")


def _not_computed(report: Report) -> Iterator[str]:
    """Yield the metrics that were left out, by the reason why."""
    for reason, metrics in metrics_by_reason(report).items():
        names = [
            f"{METRICS[metric].name} ({metric})" if metric in METRICS else escape(metric)
            for metric in metrics
        ]
        yield f"{listed(names)}: {escape(reason)}"


def _uncovered(report: Report) -> Iterator[str]:
    """Yield the facets that no check covers."""
    for facet in uncovered_facets(report):
        yield f"{escape(facet)}: its groups are counted, and compared with nothing"


def _unmatched(report: Report) -> Iterator[str]:
    """Yield the rows that a join found no partner for, and which groups they are of."""
    for i, join in enumerate(report.result.data.joins or ()):
        if join.unmatched:
            named = [f"{escape(name)} {n:,}" for name, n in unmatched_by_group(report, i).items()]
            told = listed(named or ["no group"])
            rows = counted_text(join.unmatched, "row")
            yield f"{escape(join.path)}: {rows} ({told})"
