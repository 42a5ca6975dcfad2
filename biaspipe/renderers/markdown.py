"""Stories as Markdown that GitHub and GitLab show: headings, tables, lists and words.

Texts come from specs and data, so nothing in them may become more than text: no heading, row, link,
image, mention, reference, emoji, formula or command, neither by Markdown nor by what these sites do
with what it gives.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from biaspipe.printable_text import escape
from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.figures import RowBars
from biaspipe.renderers.signs import SIGNS
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    Role,
    Section,
    Span,
    Story,
    StoryCell,
    StoryPart,
    StoryTable,
    Verbatim,
)
from biaspipe.report import Report
from biaspipe.verdict import Verdict

__all__ = ["draw_markdown", "markdown"]

PLAIN = (None, "aside", Verdict.REPORTED)
"""Roles of words that nothing marks."""
STRUCTURAL = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|#(?=#*\s*$)")
"""What Markdown makes more of than a text wherever it stands in a line."""
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
"""What ends a cell, or begins a tag or a character of another name."""
LINKED = re.compile(
    r"""@|[#!$%^~](?=["\w])|&(?=\d)|:(?=//|[\w+-]+:)|(?<=www)\.|(?<=\b[gG][hHlL])-(?=\d)""",
    re.IGNORECASE,
)
"""What makes a mention, a reference, a formula, an emoji or a link of what stands around it."""
OPENING = re.compile(r"[-+=/#]|\d+[.)](?=\s|$)")
"""What begins a list, a heading or a command at the start of a line."""


def markdown(report: Report, _: object = None) -> str:
    """Return a report as Markdown, which says what its page says.

    Parameters
    ----------
    report : the whole report.
    """
    return draw_markdown(page_story(report))


def draw_markdown(story: Story) -> str:
    r"""Return a story as Markdown, its blocks set apart by blank lines.

    Figures are left out where the numbers that they draw stand in tables, and so is what is said
    of figures.

    Parameters
    ----------
    story : what the page says.

    >>> draw_markdown(Story((Section((Line.of("5 * 3"),), "Sums"),), "Numbers"))
    '# Numbers\n\n## Sums\n\n5 \\* 3\n'
    """
    blocks = [f"# {_text(story.title)}"] if story.title else []
    for section in story.sections:
        blocks += _blocks(section)
    return "\n\n".join(blocks) + "\n"


def _blocks(section: Section) -> Iterator[str]:
    if section.title:
        yield f"{'#' * section.level} {_text(section.title)}"
    for part in section.parts:
        if block := _block(part):
            yield block


def _block(part: StoryPart) -> str:  # noqa: PLR0911 - one for each kind
    match part:
        case Line():
            return _line(part)
        case Facts(lines):
            return "\n".join(map(_fact, lines))
        case Items(lines):
            return "\n".join(map(_item, lines))
        case StoryTable():
            return _table(part)
        case Verbatim(lines):
            return _fenced([escape(line) for line in lines])
        case RowBars():
            return _row_bars(part)
        case _:
            return ""


def _row_bars(figure: RowBars) -> str:
    bars = [(bar.label, [f"{text} {name}" for name, _, text in bar.parts]) for bar in figure.bars]
    lines = [Line.of(", ".join(parts), titles=[label]) for label, parts in bars]
    return "\n".join([_line(Line.of(figure.title)), "", *map(_fact, lines)])


def _fact(line: Line) -> str:
    """Return a fact as an item; one without a title belongs to the one before it."""
    named = [t._replace(role="strong") if t.role == "aside" else t for t in line.titles if t.text]
    titles = " ".join(_line(Line((title,), role="strong")) for title in named)
    return f"- {titles.rstrip(':')}: {_line(line, opens=False)}" if titles else f"  {_item(line)}"


def _item(line: Line) -> str:
    return f"- {_line(line) or '&nbsp;'}"  # a mark alone would underline a heading


def _fenced(lines: Sequence[str]) -> str:
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])


def _table(table: StoryTable) -> str:
    marks = ["---:" if column.kind == "number" else "---" for column in table.columns]
    rows = [[_text(column.title) for column in table.columns], marks]
    for row in table.rows:
        first, *others = row.cells
        rows.append([_cell(first, row.role), *map(_cell, others)])
    caption = [_line(Line.of(table.caption)), ""] if table.caption else []
    return "\n".join([*caption, *map(_row, rows)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: str | StoryCell, role: Role | None = None) -> str:
    if isinstance(cell, str):
        return _line(Line.of(cell, role=role), opens=False)
    first, *others = cell.lines
    lines = [first._replace(role=cell.role or first.role or role), *others]
    return "<br>".join(_line(line, opens=False) for line in lines)


def _text(text: str) -> str:
    return _line(Line.of(text), opens=False)


def _line(line: Line, *, opens: bool = True) -> str:
    """Return the words of a line; signs and bold letters stand for colours.

    What a sign has to be written as depends on its neighbours, be they of another span.

    Parameters
    ----------
    line : the line.
    opens : whether it begins a line of the document.
    """
    whole = None if any(span.role for span in line.spans) else line.role
    spans = [Span(escape(s.text), s.role or whole, s.link) for s in line.spans]
    signs = _literal("".join(span.text for span in spans), opens=opens)
    start, words = 0, ""
    for span in spans:
        end = start + len(span.text)
        ends = not "".join(each.text for each in spans)[end : end + 1].isalnum()
        marked = _marked(span, signs[start:end], begins=not start, ends=ends)
        words += f"[{marked}](<{span.link}>)" if span.link else marked
        start += len(span.text)
    return words.replace("****", "").strip()


def _literal(text: str, *, opens: bool) -> list[str]:
    """Return each sign of a text as it is written to be that sign and nothing else."""
    signs = [ENTITIES.get(sign, sign) for sign in text]
    places = {match.start() for match in STRUCTURAL.finditer(text)}
    if opens and (opening := OPENING.match(text.lstrip(" "))):
        places.add(len(text) - len(text.lstrip(" ")) + opening.end() - 1)
    for place in places:
        signs[place] = f"\\{signs[place]}"
    for match in LINKED.finditer(text):
        signs[match.start()] = f"<span>{signs[match.start()]}</span>"
    return signs


def _marked(span: Span, signs: Sequence[str], *, begins: bool, ends: bool) -> str:
    """Return some words with the sign of what they say, and in bold from letter to letter.

    Parameters
    ----------
    span : the words.
    signs : each of their signs as it is written.
    begins : whether they begin their line.
    ends : whether no letter follows them.
    """
    letters = [i for i, sign in enumerate(span.text) if sign.isalnum()]
    if span.role in PLAIN or not letters:
        return "".join(signs)
    if begins and span.text[0] in "+-":
        letters.insert(0, 0)
    first, last = letters[0], letters[-1] + 1
    if ends and span.text[last:] == ")" and "(" in span.text[first:last]:
        last += 1
    sign = f"{SIGNS[span.role]} " if span.role in SIGNS else ""
    before, words, after = ("".join(s) for s in (signs[:first], signs[first:last], signs[last:]))
    return f"{before}{sign}**{words}**{after}"
