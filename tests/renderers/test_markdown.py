"""Markdown says what its story says, and nothing in a text becomes more than that text."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from biaspipe.printable_text import escape
from biaspipe.renderers.figures import RowBar, RowBars
from biaspipe.renderers.markdown import draw_markdown, markdown
from biaspipe.renderers.story import (
    Facts,
    Items,
    Line,
    PictureNote,
    Section,
    Span,
    Story,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
    Verbatim,
)
from biaspipe.verdict import Verdict
from tests.examples import examples
from tests.golden.audits import NAMES, report_of

PIECES = (
    *("|", "`", "``", "*", "**", "_", "__", "~~", "\\", "\\|", "<b>", "<script>", "<!--", "-->"),
    *("&amp;", "&#35;", "&", "[a](b)", "![x](http://y)", "<http://a.b>", "[^1]", "[ ]", "[", "]"),
    *("@user", "a@b.co", "#12", "!1", "$x$", "%1", "^", "~bug", "GH-12", ":smile:", ":", "/close"),
    *("http://x.y", "://", "www.x.com", "mailto:a@b.co", "\n", "\r", "\t", " ", "    ", "\u202e"),
    *("-", "- ", "+", "1. ", "1)", "# ", "##", "===", "---", "> ", "x", "y1", "é", "南", "\x00"),
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join)
ROLES = st.sampled_from((None, "strong", "aside", Verdict.FAIL))
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TAGS = {
    "h1",
    "h2",
    "h3",
    "p",
    "ul",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
}
REFERENCE = re.compile(r"@|[#!$%^~]\w|://|www\.|:[\w+-]+:|\bgh-\d", re.IGNORECASE)
"""What GitHub or GitLab may make a mention, a reference, a formula, an emoji or a link of."""


class Page(HTMLParser):
    """The tags of a page, and its texts, each where no tag divides it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[tuple[str | None, str]] = []
        self.feed(PARSER.render(text))
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Note a tag."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Note a text with the tag before it."""
        self.texts.append((self.tags[-1] if self.tags else None, data))

    @property
    def words(self) -> str:
        """All texts without spaces, which tables and lists may lose."""
        return re.sub(r"[\s\xa0]", "", "".join(text for _, text in self.texts))


def squeezed(*texts: str) -> str:
    """Return texts as `Page.words` would have them."""
    return re.sub(r"[\s\xa0]", "", "".join(map(escape, texts)))


@given(st.lists(TEXTS, min_size=9, max_size=9), ROLES)
@examples(400)
def test_hostile_text_stays_text(texts: list[str], role: Verdict | None) -> None:
    """Whatever a text holds, the page has the blocks of the story and the very words of it."""
    title, line, span, fact, more, item, column, cell, verbatim = texts
    row = StoryRow((cell, StoryCell((Line.of(more), Line.of(line)))), "strong")
    parts = (
        Line.of(line, Span(span, role)),
        Facts((Line.of(fact, titles=["fact"]), Line.of(more, titles=[""]))),
        Items((Line.of(item),)),
        StoryTable((StoryColumn("first"), StoryColumn(column, "number")), (row,)),
        Verbatim((verbatim,)),
    )
    page = Page(draw_markdown(Story((Section(parts, title),), "Title")))
    assert set(page.tags) <= TAGS | {"span", "strong", "br"}
    blocks = {tag: page.tags.count(tag) for tag in ("h1", "h2", "tr", "th", "td", "pre", "li")}
    assert blocks == {"h1": 1, "h2": 1, "tr": 2, "th": 2, "td": 2, "pre": 1, "li": 3}
    said = (title, line, span, "fact:", fact, more, item, "first", column, cell, more, line)
    assert page.words.replace("✗", "") == squeezed("Title", *said, verbatim)
    for tag, text in page.texts:
        assert tag in {"code", "span"} or not REFERENCE.search(text)


@pytest.mark.parametrize("name", NAMES)
def test_reports_are_pages(name: str) -> None:
    """A report has its metrics in tables, and links, images and tags of nobody."""
    report = report_of(name)
    page = Page(markdown(report))
    assert page.tags.count("table") >= 1
    assert set(page.tags) <= TAGS | {"span", "strong", "br"}
    assert report.result_sha256[:12] in page.words


def test_verdicts_are_signs_and_words() -> None:
    """A verdict in a table is a sign and a word, and an aside is plain."""
    table = StoryTable(
        (StoryColumn("verdict"), StoryColumn("value", "number")),
        (StoryRow(("FAIL", "-0.1"), Verdict.FAIL), StoryRow(("reported", "2"), Verdict.REPORTED)),
        caption="What came out.",
    )
    story = Story((Section((table, Line.of("by the way", role="aside"))),))
    assert draw_markdown(story) == (
        "What came out.\n\n"
        "| verdict | value |\n| --- | ---: |\n| ✗ **FAIL** | -0.1 |\n| reported | 2 |\n\n"
        "by the way\n"
    )


def test_titles_stand_before_what_they_are_about() -> None:
    """A fact is an item with its title, and what has none belongs to the one before."""
    facts = Facts((Line.of("1. a", titles=["data:"]), Line.of("-1. two", titles=[""])))
    assert draw_markdown(Story((Section((facts,)),))) == "- **data**: 1. a\n  - \\-1. two\n"


def test_verbatim_is_fenced_beyond_its_own_fences() -> None:
    """A text that holds a fence stands within a longer one, each of its lines as it is."""
    story = Story((Section((Verbatim(("a: |", "````", "  # b")),)),))
    assert draw_markdown(story) == "`````\na: |\n````\n  # b\n`````\n"


def test_links_lead_to_files() -> None:
    """Words that name a file beside the page lead there."""
    line = Line.of(Span("loan|s", link="loan%7Cs.html"), " of 2")
    written = draw_markdown(Story((Section((line,)),)))
    assert written == "[loan&#124;s](<loan%7Cs.html>) of 2\n"


def test_rows_of_a_picture_are_told() -> None:
    """A picture of where rows went is told in words, since no table has its numbers."""
    figure = RowBars("Where every row went", (RowBar("All rows", (("compared", 8.0, "8"),)),))
    written = draw_markdown(Story((Section((figure,)),)))
    assert written == "Where every row went\n\n- **All rows**: 8 compared\n"


def test_words_about_pictures_are_left_out() -> None:
    """What is said of pictures is on no page without them, of any report."""
    note = PictureNote(Line.of("The dashed line is parity."))
    assert (
        draw_markdown(Story((Section((note, Line.of("Words.")), "Part"),))) == "## Part\n\nWords.\n"
    )
    for name in ("second-release", "every-verdict"):
        words = markdown(report_of(name)).lower()
        assert not any(each in words for each in ("dashed", "hollow", "picture", "drawings of"))


def test_brackets_end_within_bold_letters() -> None:
    """A bracket that closes some bold words is bold with them, unless a letter follows."""
    facts = Facts((Line.fact("White (reference)", "1"),))
    assert draw_markdown(Story((Section((facts,)),))) == "- **White (reference)**: 1\n"
    line = Line.of(Span("a (b)", "strong"), "c")
    assert draw_markdown(Story((Section((line,)),))) == "**a (b**)c\n"
