"""Lines of a story as words of a page, each with what makes it look as it does."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from biaspipe.renderers.signs import SIGNS
from biaspipe.renderers.story import Line, Role

__all__ = ["Run", "Words", "fact_groups", "words_of"]


class Run(NamedTuple):
    """Some words of one look.

    Parameters
    ----------
    style : the role of the words, "" without one.
    sign : what stands before them.
    text : the words.
    link : the file that they lead to.
    """

    style: str
    sign: str
    text: str
    link: str | None = None


class Words(NamedTuple):
    """A line: its look, the sign of its verdict, and its words.

    Parameters
    ----------
    style : the role of the line, "" without one.
    sign : what stands before it.
    text : the words where all of them look the same, which is nearly always; else "".
    runs : the words where they do not.
    """

    style: str
    sign: str
    text: str
    runs: tuple[Run, ...] = ()


def words_of(line: Line, role: Role | None = None) -> Words:
    """Return the words of a line; it has the sign of its role unless its words have their own.

    Parameters
    ----------
    line : the line.
    role : what it is as a whole where that is more than the line says.

    >>> words_of(Line.of("DI fails"), "caution")
    Words(style='caution', sign='!', text='DI fails', runs=())
    """
    role, spans = role or line.role, line.spans
    first = spans[0].role if spans else None
    sign = SIGNS.get(role, "") if role and first in (None, role, "strong") else ""
    if len(spans) == 1 and first in (None, role) and spans[0].link is None:
        return Words(role or "", sign, spans[0].text)
    runs = (
        Run("", "", span.text, span.link)
        if span.role is None or span.role == role
        else Run(span.role, SIGNS.get(span.role, ""), span.text, span.link)
        for span in spans
    )
    return Words(role or "", sign, "", tuple(runs))


def fact_groups(lines: Iterable[Line]) -> Iterator[tuple[list[str], list[Words]]]:
    """Yield facts by their titles; a line without one belongs to the fact before it.

    Parameters
    ----------
    lines : the facts.
    """
    titles: list[str] = []
    group: list[Words] = []
    for line in lines:
        if line.titles:
            if group:
                yield titles, group
            titles, group = [title.text.rstrip(": ") for title in line.titles], []
        group.append(words_of(line))
    if group:
        yield titles, group
