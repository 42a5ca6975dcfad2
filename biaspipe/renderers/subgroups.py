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

__all__ = ["gap_text", "search_title", "subgroup_section"]

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


def gap_text(search: SubgroupsRecord) -> str:
    """Write how large a gap may be, behind a sentence; nothing where there is no limit."""
    if search.max_gap is None:
        return ""
    return f", where a gap of at most {search.max_gap:g} is allowed (max_gap)"


def search_title(search: SubgroupsRecord) -> str:
    """Write which search it is."""
    return escape(f"{search.metric} of subgroups of {', '.join(search.of)}")


def subgroup_section(report: Report, *, everything: bool = True) -> Section | None:
    """Return what the search for subgroups came to; None without one.

    Parameters
    ----------
    report : the whole report.
    everything : whether subgroups that pass, and that others explain, have a row as well, and
        however many they are.
    """
    search = report.result.subgroups
    if search is None:
        return None
    of = ", ".join(search.of)
    shown = list(search.listed) if everything else _told(search)
    rows = tuple(_row(one) for one in shown)
    parts: list[StoryPart] = [Line.of(words, role=role) for words, role in _verdict(search)]
    parts += map(Line.of, _method(search, report))
    if rows:
        parts.append(
            StoryTable(COLUMNS, rows, ("Explained by", "Subgroup"), "", (1, 2, 4), narrow="cards")
        )
    parts += [Line.of(Span(words, "aside")) for words in _others(search, len(shown))]
    return Section(tuple(parts), f"Worst subgroups by {escape(of)}: {search.metric}")


def _told(search: SubgroupsRecord) -> list[SubgroupRecord]:
    """Return the gravest of those that fail, are undecided or stand for themselves."""
    told = [
        one
        for one in search.listed
        if one.explained_by is None or one.verdict in (Verdict.FAIL, Verdict.UNDECIDED)
    ]
    kept = sorted(range(len(told)), key=lambda i: told[i].verdict.gravity)[:MAX_ROWS]
    return [told[i] for i in sorted(kept)]


def _verdict(search: SubgroupsRecord) -> Iterator[tuple[str | Span, Verdict | None]]:
    word = search.verdict.of_audit.upper() if search.verdict is not Verdict.REPORTED else "reported"
    yield f"{word}{gap_text(search)}: {escape(search.sentence)}", search.verdict


def _method(search: SubgroupsRecord, report: Report) -> Iterator[str]:
    """Say who was compared with whom, and how chance was kept out."""
    most = counted_text(search.order, "facet")
    words = f"{counted_text(search.examined, 'subgroup')} of up to {most} examined, each against"
    words += f" the rest, with {search.min_rows:,} people or more on either side"
    if search.critical is not None:
        confidence = confidence_text(report.result.decision.confidence)
        words += f"; {confidence} intervals hold for all of them at once, and p-values are adjusted"
        words += f" for all, by dealing out the outcomes at random {search.draws:,} times (max-T,"
        words += f" seed {search.seed})"
    yield words
    if search.small:
        named = ", ".join(map(escape, search.small_named[:MAX_NAMED]))
        more = search.small - min(MAX_NAMED, len(search.small_named))
        words = f"{counted_text(search.small, 'subgroup')} not examined"
        people = counted_text(search.in_small, "person")
        words += f", with {people} in one or more of them" if search.small > 1 else ""
        yield f"{words}: {named}" + (f" and {more:,} more" if more else "")


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
    if search.unlisted:
        verb = "is" if search.unlisted == 1 else "are"
        words = (
            f"{search.unlisted:,} more {verb} not listed; the report has the counts of everybody"
        )
        yield f"{words}, and fewer facets or a lower order list fewer"
    if search.repeated:
        words = f"{counted_text(search.repeated, 'other')} split the people just as one of these"
        yield f"{words}, and {'has' if search.repeated == 1 else 'have'} no test of their own"
