"""What a search for subgroups found, for every page."""

from collections.abc import Iterator

from biaspipe.metrics.digits import confidence_text, digits_text
from biaspipe.printable_text import escape
from biaspipe.renderers.story import (
    Line,
    Section,
    Span,
    StoryColumn,
    StoryPart,
    StoryRow,
    StoryTable,
)
from biaspipe.renderers.text import counted_text, probability_text, rate_text
from biaspipe.report import Report, SubgroupRecord, SubgroupsRecord
from biaspipe.verdict import Verdict

__all__ = ["search_title", "subgroup_section"]

COLUMNS = (
    StoryColumn("Verdict"),
    StoryColumn("Subgroup"),
    StoryColumn("n", "number"),
    StoryColumn("Rate", "number"),
    StoryColumn("Rest", "number"),
    StoryColumn("Gap", "number"),
    StoryColumn("Simultaneous interval", "number"),
    StoryColumn("p, adjusted", "number"),
    StoryColumn("Explained by"),
)
MAX_NAMED = 5
MAX_ROWS = 12
"""Rows where not everything is shown."""


def search_title(search: SubgroupsRecord) -> str:
    """Write which search it is."""
    return escape(f"{search.metric} of subgroups of {', '.join(search.of)}")


def subgroup_section(report: Report, *, everything: bool = True) -> Section | None:
    """Return what the search for subgroups came to; None without one.

    Parameters
    ----------
    report : the whole report.
    everything : whether subgroups that others explain have a row as well.
    """
    search = report.result.subgroups
    if search is None:
        return None
    of = ", ".join(search.of)
    shown = [one for one in search.listed if everything or one.explained_by is None]
    shown = shown if everything else shown[:MAX_ROWS]
    rows = tuple(_row(one) for one in shown)
    parts: list[StoryPart] = [Line.of(words, role=role) for words, role in _verdict(search)]
    parts += map(Line.of, _method(search, report))
    if rows:
        parts.append(StoryTable(COLUMNS, rows, ("Explained by", "Subgroup"), "", (1, 2, 4)))
    parts += [Line.of(Span(words, "aside")) for words in _others(search, len(shown))]
    return Section(tuple(parts), f"Worst subgroups by {escape(of)}: {search.metric}")


def _verdict(search: SubgroupsRecord) -> Iterator[tuple[str | Span, Verdict | None]]:
    word = search.verdict.of_audit.upper() if search.verdict is not Verdict.REPORTED else "reported"
    limit = "" if search.max_gap is None else f", max_gap {search.max_gap:g}"
    yield f"{word}{limit}: {escape(search.sentence)}", search.verdict


def _method(search: SubgroupsRecord, report: Report) -> Iterator[str]:
    """Say who was compared with whom, and how chance was kept out."""
    most = counted_text(search.order, "facet")
    words = f"{counted_text(search.examined, 'subgroup')} of up to {most} examined, each against"
    words += f" the rest, with {search.min_rows:,} people or more on either side"
    if search.critical is not None:
        confidence = confidence_text(report.result.decision.confidence)
        words += f"; {confidence} intervals that hold for all of them at once, and p-values"
        words += f" adjusted, by {search.draws:,} draws (max-T, seed {search.seed})"
    yield words
    if search.small:
        named = ", ".join(map(escape, search.small_named[:MAX_NAMED]))
        more = search.small - min(MAX_NAMED, len(search.small_named))
        verb = "is" if search.small == 1 else "are"
        words = f"{counted_text(search.small, 'subgroup')} {verb} too small and not examined"
        people = counted_text(search.in_small, "person")
        yield f"{words}, with {people} in one or more of them: {named}" + (
            f" and {more:,} more" if more else ""
        )


def _row(one: SubgroupRecord) -> StoryRow:
    return StoryRow(
        (
            one.verdict.value,
            escape(one.name),
            f"{one.n:,}",
            rate_text(one.rate),
            rate_text(one.rest_rate),
            digits_text(one.gap, sign="+"),
            f"{digits_text(one.low, sign='+')} to {digits_text(one.high, sign='+')}",
            probability_text(one.p_value),
            escape(one.explained_by or ""),
        ),
        one.verdict,
    )


def _others(search: SubgroupsRecord, shown: int) -> Iterator[str]:
    """Say of which subgroups there is no row."""
    explained = search.found - search.standing
    if explained:
        verb = "is" if explained == 1 else "are"
        words = f"{counted_text(explained, 'subgroup')} found {verb} explained by others"
        yield words
    if left := len(search.listed) - shown:
        verb = "is" if left == 1 else "are"
        yield f"{counted_text(left, 'subgroup')} {verb} not shown; --all shows all"
    if search.repeated:
        words = f"{counted_text(search.repeated, 'other')} split the people just as one of these"
        yield f"{words}, and {'has' if search.repeated == 1 else 'have'} no test of their own"
