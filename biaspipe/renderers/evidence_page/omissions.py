"""What was not computed and why, and what of the data a reader should know."""

from collections.abc import Iterator

from biaspipe.metrics import METRICS
from biaspipe.printable_text import escape
from biaspipe.renderers.column_lines import column_notes
from biaspipe.renderers.evidence_page.wording import entry_of, listed
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
    reasons: dict[str, list[str]] = {}
    for metric, reason in sorted(report.result.not_computed.items()):
        reasons.setdefault(reason, []).append(metric)
    for reason, metrics in reasons.items():
        names = [
            f"{METRICS[metric].name} ({metric})" if metric in METRICS else escape(metric)
            for metric in metrics
        ]
        yield f"{listed(names)}: {escape(reason)}"


def _uncovered(report: Report) -> Iterator[str]:
    """Yield the facets that no check covers; under a selection the others may."""
    facets = entry_of(report.result.audit.spec, "facets") or {}
    checked = {check.facet for check in report.result.checks}
    checked |= {part for facet in facets.values() for part in entry_of(facet, "cross") or ()}
    for record in () if report.run.select else report.result.facets:
        if record.facet not in checked:
            yield f"{escape(record.facet)}: its groups are counted, and compared with nothing"


def _unmatched(report: Report) -> Iterator[str]:
    """Yield the rows that a join found no partner for, and which groups they are of."""
    groups = report.result.facets[0].groups if report.result.facets else ()
    for i, join in enumerate(report.result.data.joins or ()):
        if join.unmatched:
            named = [(g.group, g.unmatched[i]) for g in groups if g.unmatched]
            told = listed([f"{escape(name)} {n:,}" for name, n in named if n] or ["no group"])
            rows = counted_text(join.unmatched, "row")
            yield f"{escape(join.path)}: {rows} ({told})"
