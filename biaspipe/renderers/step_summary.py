"""The summary of a step in a CI system, as Markdown of a size that it shows."""

from collections.abc import Iterator, Sequence
from itertools import chain

from biaspipe.errors import Exit
from biaspipe.printable_text import escape, shorten
from biaspipe.renderers.commands.index_page import IndexEntry
from biaspipe.renderers.commands.run_summary import summary
from biaspipe.renderers.markdown import draw_markdown
from biaspipe.renderers.story import Line, Section, Span, Story, Verbatim
from biaspipe.renderers.text import counted_text

__all__ = ["LIMIT", "error_story", "run_story", "step_summary"]

LIMIT = 1024 * 1024
"""Bytes of a step's summary that GitHub shows; of more it shows nothing."""
MAX_TITLE = 80
TOLD = 600
"""Bytes that are kept for the line on what was left out."""


def step_summary(pages: Sequence[Story], room: int) -> str:
    """Return pages one below the other, each without its last sections where they have no room.

    What was left out of all of them stands in a line behind the first one.

    Parameters
    ----------
    pages : what there is to say, the first one before all others.
    room : how many bytes it may take; empty is returned where the first one has none for a section.
    """
    drawn = [list(_sections(page)) for page in pages]
    kept = [0] * len(pages)
    left = room - TOLD
    for rank in range(max(map(len, drawn), default=0)):
        for i, sections in enumerate(drawn):
            if kept[i] == rank < len(sections) and (size := _size(sections[rank])) <= left:
                kept[i], left = rank + 1, left - size
    if not any(kept[:1]):
        return ""
    first, *others = [sections[:n] for sections, n in zip(drawn, kept, strict=True)]
    return "\n".join([*first, *_left_out(pages, kept), *chain(*others)])


def run_story(entries: Sequence[IndexEntry], code: Exit) -> Story:
    """Return what a run of several audits came to, as a page.

    Parameters
    ----------
    entries : a line for each audit.
    code : the worst of their exit codes.
    """
    return summary(entries, code)._replace(title="Bias audits")


def error_story(entry: IndexEntry, said: str) -> Story:
    """Return what there is to say of a spec that gave no report.

    Parameters
    ----------
    entry : its line.
    said : the error, in lines.
    """
    lead = Line.of(Span(entry.words.upper(), entry.verdict), f"  exit {int(entry.code)}")
    return Story((Section((lead, Verbatim(tuple(said.split("\n"))))),), escape(entry.spec))


def _sections(page: Story) -> Iterator[str]:
    """Yield each section as it is drawn, the title above the first one."""
    for i, section in enumerate(page.sections):
        yield draw_markdown(Story((section,), page.title if i == 0 else ""))


def _left_out(pages: Sequence[Story], kept: Sequence[int]) -> Iterator[str]:
    """Yield a line that says what was left out of pages of which so many sections are kept."""
    cut = [(page, n) for page, n in zip(pages, kept, strict=True) if n < len(page.sections)]
    if not cut:
        return
    words = counted_text(sum(len(page.sections) - n for page, n in cut), "section")
    rest = "a summary has no room for more."
    if len(pages) > 1:
        of = f"{len(cut):,} of {len(pages):,} pages"
        line = Line.of(f"{words} of {of} left out below: {rest} The reports have all of it.")
    else:
        title = shorten(pages[0].sections[kept[0]].title or pages[0].title, MAX_TITLE)
        line = Line.of(
            f"{words} left out here, from “{title}” on: {rest} The report has all of it."
        )
    yield draw_markdown(Story((Section((line,)),)))


def _size(text: str) -> int:
    return len(text.encode(errors="replace")) + 1
