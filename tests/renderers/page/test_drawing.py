"""A page is one file that needs nothing else, says what its story says, and runs nothing."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from biaspipe.renderers.figures import RowBar, RowBars
from biaspipe.renderers.page.drawing import draw_page
from biaspipe.renderers.page.templating import readable
from biaspipe.renderers.signs import SIGNS
from biaspipe.renderers.story import (
    Facts,
    Line,
    Section,
    Span,
    Story,
    StoryCell,
    StoryColumn,
    StoryRow,
    StoryTable,
)
from biaspipe.verdict import Verdict
from tests.renderers.page.stories import HOSTILE, sample_story

ADDRESSES = ("src", "href", "srcset", "action", "data", "poster", "xlink:href", "style")
VOID = {"meta", "link", "br", "img", "rect", "line", "circle", "path", "use"}


class Elements(HTMLParser):
    """The elements of a page with their attributes, and all that it says."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note some words."""
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that the page says."""
        return "".join(self.words)


@pytest.fixture(scope="module")
def hostile() -> Elements:
    """Draw a story whose groups have names as nobody should choose them."""
    return Elements(draw_page(sample_story(HOSTILE, 6)))


def page_of(*parts: Line | Facts | StoryTable, title: str | None = "Part") -> str:
    """Draw a page of some parts."""
    return draw_page(Story((Section(parts, title),), "Page"))


def test_same_story_same_bytes() -> None:
    """A story is drawn as the same bytes every time."""
    assert draw_page(sample_story()) == draw_page(sample_story())


def test_page_is_drawn_alike_in_every_process() -> None:
    """What a page is does not hang on the order in which a process hashes things."""
    code = (
        "import hashlib\n"
        "from tests.renderers.page.stories import sample_story\n"
        "from biaspipe.renderers.page.drawing import draw_page\n"
        "print(hashlib.sha256(draw_page(sample_story()).encode()).hexdigest())"
    )
    command = [sys.executable, "-c", code]
    digests = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "12"
    }
    assert len(digests) == 1


def test_no_reference_leaves_the_file(hostile: Elements) -> None:
    """No element loads or leads to anything but a part of the page or a file beside it."""
    led = [
        (tag, attributes[name])
        for tag, attributes in hostile.elements
        for name in ADDRESSES
        if name in attributes
    ]
    assert {value for _, value in led if not str(value).startswith("#")} == {"a%20b.html"}
    assert {tag for tag, _ in led} == {"a", "use"}
    style = re.search("<style>(.*?)</style>", draw_page(sample_story(HOSTILE, 6)), re.DOTALL)
    assert style is not None
    assert re.findall(r"@import|url\(|@font-face|expression", style[1]) == []


def test_nothing_runs(hostile: Elements) -> None:
    """No element is a program, a frame or a form, and no attribute is a handler."""
    tags = {tag for tag, _ in hostile.elements}
    assert (
        tags & {"script", "iframe", "object", "embed", "form", "img", "base", "link", "b"} == set()
    )
    names = {name for _, attributes in hostile.elements for name in attributes}
    assert [name for name in names if name.startswith("on")] == []


def test_browser_is_told_to_load_nothing(hostile: Elements) -> None:
    """The page forbids a browser to load or run anything but its own style sheet."""
    (policy,) = (a["content"] for _, a in hostile.elements if "http-equiv" in a)
    assert policy == (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


def test_hostile_names_are_read_as_they_are(hostile: Elements) -> None:
    """Names that look like markup, templates or addresses stand on the page as they are."""
    shown = [name for name in HOSTILE if name.isprintable() and "long" not in name]
    assert [name for name in shown if name not in hostile.text] == []


def test_what_does_not_show_is_spelled_out(hostile: Elements) -> None:
    """Control characters and bidi overrides are spelled out."""
    assert r"left\u202eright\u2066isolate" in hostile.text
    assert r"null\x1b[31mred\x7f\x85" in hostile.text
    signs = {sign for sign in hostile.text if not sign.isprintable()}
    assert signs <= {"\n", "\u200d"}
    joined = "\U0001f469\U0001f3fd\u200d\U0001f52c"
    assert hostile.text.count("\u200d") == hostile.text.count(joined) > 0


def test_words_that_a_sign_shapes_stay_whole() -> None:
    """A Persian word keeps its joiner within one direction; between others it is spelled out."""
    word = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert readable(f"<p>{word}</p>") == f"<p><bdi>{word}</bdi></p>"
    assert readable("<p>\u2764\ufe0f</p>") == "<p>\u2764\ufe0f</p>"
    assert readable("<p>a\u200cb\ufe0f</p>") == r"<p>a\u200cb\ufe0f</p>"
    assert readable("<p>\u0645\u200c\u200c\u062e</p>").count(r"\u200c") == 2


def test_ids_are_unique_and_known(hostile: Elements) -> None:
    """Each id stands once, and whatever names an id names one that is there."""
    ids = [a["id"] for _, a in hostile.elements if "id" in a]
    assert len(ids) == len(set(ids))
    named = {str(a["aria-labelledby"]) for _, a in hostile.elements if "aria-labelledby" in a}
    named |= {
        str(a["href"]).removeprefix("#")
        for _, a in hostile.elements
        if str(a.get("href")).startswith("#")
    }
    assert named - set(ids) == set()


def test_page_has_its_landmarks() -> None:
    """A page has a language, one heading of the first level, and each landmark once."""
    elements = Elements(draw_page(sample_story())).elements
    tags = [tag for tag, _ in elements]
    assert [tags.count(tag) for tag in ("h1", "header", "nav", "main", "footer")] == [1] * 5
    assert elements[0] == ("html", {"lang": "en"})
    assert next(a["href"] for tag, a in elements if tag == "a") == "#main"


def test_short_pages_have_no_contents() -> None:
    """A page of few sections has no list of them."""
    assert "<nav" not in page_of(Line.of("short"))


def test_verdict_stands_in_the_head() -> None:
    """The head holds the first section, so that the verdict comes before anything else."""
    page = draw_page(sample_story())
    head = page[page.index("<header>") : page.index("</header>")]
    assert "Does not meet its limits." in head
    assert "At a glance" not in head


@pytest.mark.parametrize("verdict", Verdict)
def test_verdict_has_sign_word_and_colour(verdict: Verdict) -> None:
    """A verdict is told by a sign, which ears do not hear, its word, and a class for its colour."""
    page = page_of(Line.of(verdict.past, role=verdict))
    sign = f'<span class="sign" aria-hidden="true">{SIGNS[verdict]}</span>'
    assert f'<p class="{verdict}">{sign} {verdict.past}</p>' in page


def test_words_of_a_role_within_a_line() -> None:
    """Words of a role are told apart in a line, each with its own sign."""
    line = Line.of("so: ", Span("3 failed", Verdict.FAIL), " of ", Span("9", "strong"), role=None)
    sign = '<span class="sign" aria-hidden="true">✗</span>'
    words = f'so: <strong class="fail">{sign} 3 failed</strong> of <strong>9</strong>'
    assert f"<p>{words}</p>" in page_of(line)


def test_names_from_right_to_left_stand_apart() -> None:
    """Words from right to left do not turn round what stands beside them."""
    page = page_of(Line.of("\u05e0\u05e9\u05d9\u05dd 12 of \u05d2\u05d1\u05e8 \u05d0"))
    assert "<bdi>\u05e0\u05e9\u05d9\u05dd</bdi> 12 of <bdi>\u05d2\u05d1\u05e8 \u05d0</bdi>" in page
    titled = draw_page(Story((Section((Line.of("x"),)),), "\u05d0"))
    assert "<title>\u05d0</title>" in titled
    assert "<h1><bdi>\u05d0</bdi></h1>" in titled


def test_facts_go_with_their_titles() -> None:
    """A fact without a title belongs to the one before it."""
    facts = Facts(
        (Line.of("a file", titles=["Data:"]), Line.of("8 rows"), Line.of("b", titles=["C"]))
    )
    said = re.sub(r"\n", "", page_of(facts))
    assert "<dt>Data</dt><dd>a file</dd><dd>8 rows</dd></div><div><dt>C</dt><dd>b</dd>" in said


def wide_table(columns: int) -> StoryTable:
    """Return a table of a row with a verdict, a text, and numbers."""
    titles = [StoryColumn("group"), *(StoryColumn(f"M{i}", "number") for i in range(1, columns))]
    cells = (StoryCell((Line.of(f"+{i}"),), role=Verdict.PASS) for i in range(1, columns))
    return StoryTable(tuple(titles), (StoryRow(("a", *cells)),), caption="Map")


def test_table_has_caption_headings_and_a_name() -> None:
    """A table has a caption, headings of its columns and rows, and is reached by the keyboard."""
    page = page_of(wide_table(2))
    assert '<div class="scroll" tabindex="0" role="group" aria-label="Map">' in page
    assert "<caption>Map</caption>" in page
    assert '<th scope="col" class="n">M1</th>' in page
    assert '<th scope="row">a</th>' in page
    assert '<td class="pass n">' in page


def test_wide_tables_come_in_parts() -> None:
    """A table wider than a sheet comes in parts, each with the first column, and all of it."""
    page = page_of(wide_table(29))
    captions = re.findall("<caption>(.*?)</caption>", page)
    assert captions == ["Map: M1 to M7", "Map: M8 to M14", "Map: M15 to M21", "Map: M22 to M28"]
    assert page.count('<th scope="row">a</th>') == 4
    assert re.findall(r"\+(\d+)</td>", page) == [str(i) for i in range(1, 29)]


def test_labels_of_cards_cannot_leave_the_style_sheet() -> None:
    """Titles of columns stand in the style sheet, and whatever they hold is a text there."""
    table = sample_story().sections[2].parts[0]
    assert isinstance(table, StoryTable)
    evil = StoryColumn('"}</style><script>*{')
    page = page_of(table._replace(columns=(*table.columns[:-1], evil)))
    assert "<script" not in page
    assert '.t0 td:nth-child(6):before{content:"\\22 \\7d \\3c \\2f style' in page


def test_backgrounds_are_drawn_once() -> None:
    """Pictures that differ in their values alone share what stands behind these."""
    page = draw_page(sample_story(["a", "b", "c"], 6))
    assert page.count('<g id="s') == 3 + 5
    assert page.count("<use ") > 10


def test_parts_of_one_name_have_one_colour() -> None:
    """A part has the same colour in all pictures of a page, and beside its name."""
    bars = (RowBar("a", (("kept", 1, "1"), ("lost", 2, "2"))), RowBar("b", (("lost", 3, "3"),)))
    others = (RowBar("c", (("lost", 3, "3"), ("compared", 1, "1"))),)
    parts = (RowBars("Rows", bars), RowBars("Others", others))
    page = draw_page(Story((Section(parts, "Part"),), "Page"))
    kept, lost, compared = "3", "4", "1"
    first, second = (re.findall(r'"part(\d)"', text) for text in page.split("<figure")[1:])
    assert first == [kept, lost, kept, lost, lost, lost]
    assert second == [lost, compared] * 2


def test_sections_of_one_name_have_ids_of_their_own() -> None:
    """Sections of the same name, or of one that looks like a number's, are told apart."""
    names = ("a", "a", "a-2", "main", "\u05d0", "", None)
    page = draw_page(Story(tuple(Section((Line.of("x"),), n, 3) for n in names), "Page"))
    ids = re.findall('<h3 id="(.*?)"', page)
    assert len(ids) == 6 - 1
    assert len(set(ids)) == len(ids)


def test_jinja_waits_for_a_page() -> None:
    """Nothing of the command line imports Jinja2 before a page is written."""
    code = "import sys, biaspipe.cli, biaspipe.renderers.formats; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_ids_break_between_their_parts() -> None:
    """The title of a column may go on behind a dot or an underscore, and nowhere in a word."""
    table = StoryTable(
        (StoryColumn("Group"), StoryColumn("vertex.a_b <i>")), (StoryRow(("x", "1")),)
    )
    assert "vertex.<wbr>a_<wbr>b &lt;i&gt;" in page_of(table)


def test_cells_of_maps_are_labelled() -> None:
    """Cells of a map have the titles of their columns, for windows that show it as a list."""
    cell = StoryCell((Line.of("fails"),), role=Verdict.FAIL)
    table = StoryTable((StoryColumn("Group"), StoryColumn("DI")), (StoryRow(("x", cell)),))
    page = page_of(table)
    assert 'class="map t0"' in page
    assert '.t0 td:nth-child(2):before{content:"DI"}' in page
