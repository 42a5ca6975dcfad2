"""What a notebook shows of a report: small, by itself, and unable to touch what is around it."""

import re
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest

import biaspipe
from biaspipe.renderers.notebook import notebook_html, notebook_story
from biaspipe.renderers.story import Items, StoryTable
from biaspipe.report import Report
from tests.golden.audits import NAMES, report_of

HOSTILE = "</style></div><script>alert(1)</script><img src=x onerror=y>\u202e\x1b[31m"
METRICS = ("DI", "DPPL", "DPL", "TVD", "KL", "JS", "LP", "KS", "CI", "AD", "RD", "SD", "DAR", "DRR")


def many_groups(groups: int) -> Report:
    """Return a report of so many groups, each as a share of people that limits do not allow."""
    rows = [
        (HOSTILE if g == 1 else f"group {g}", i < 5 + g % 5, i % 3 < 2)
        for g in range(groups)
        for i in range(12)
    ]
    people = pl.DataFrame(rows, schema=["g", "label", "hired"], orient="row")
    columns = {
        "label": {"column": "label", "positive": True},
        "prediction": {"column": "hired", "positive": True},
    }
    facets = {"g": {"column": "g", "favored": "group 0"}}
    limits: dict[str, Any] = {name: {"max": 0.00001} for name in METRICS}
    spec = {"version": 1, "name": "many", "columns": columns, "facets": facets, "metrics": limits}
    return biaspipe.run(spec, data=people)


class Tags(HTMLParser):
    """The tags and attributes of a page, and whether each tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, and what of its attributes could do or load something."""
        self.seen.add(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.seen |= {name for name, _ in attrs if name.startswith("on") or name in ("src", "href")}
        if tag != "wbr":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag, which has to be this one."""
        assert self.open.pop() == tag


TAGS = {
    *("div", "style", "p", "strong", "span", "dl", "dt", "dd", "ul", "li", "wbr"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("svg", "title", "g", "line", "rect", "circle", "path"),
}
"""The tags that an output may hold; none of them loads, leads or runs anything."""


@pytest.mark.parametrize("name", NAMES)
def test_audits_are_shown_in_little(name: str) -> None:
    """The words of the page stand there, in no more room than a notebook has for an output."""
    text = notebook_html(report_of(name))
    tags = Tags(text)
    assert tags.open == []
    assert tags.seen <= TAGS
    assert len(text) < 40_000


@pytest.fixture(scope="module")
def many() -> Report:
    """Return a report of 40 groups and 14 metrics, one of the groups with a hostile name."""
    return many_groups(40)


def test_many_checks_are_cut_and_said_to_be(many: Report) -> None:
    """Of hundreds of checks the gravest have a row, and the number of the others is told."""
    assert len(many.result.checks) == 546
    text = notebook_html(many)
    assert len(text) < 60_000
    assert re.search(r"[0-9]+ rows more are in the whole page: report\.to_html", text)
    tables = [
        part
        for section in notebook_story(many).sections
        for part in section.parts
        if isinstance(part, StoryTable | Items)
    ]
    rows = [len(table.rows) if isinstance(table, StoryTable) else 0 for table in tables]
    assert sum(rows) <= 8 + 12
    assert 0 not in rows


def test_hostile_names_are_text(many: Report) -> None:
    """Names from the data end no style, open no tag and run nothing."""
    tags = Tags(notebook_html(many))
    assert tags.open == []
    assert tags.seen <= TAGS
    assert not set(notebook_html(many)) & set("\u202e\x1b")


def test_ids_are_of_one_report(many: Report) -> None:
    """Two reports in one notebook share no id, so that none draws the limits of the other."""
    one, other = (Tags(notebook_html(report)).ids for report in (many, many_groups(3)))
    assert one
    assert other
    assert len({*one, *other}) == len(one) + len(other)


def test_styles_hold_inside_alone(many: Report) -> None:
    """Every rule is of the class of the report, so that the rest of a notebook looks as before."""
    style = notebook_html(many).partition("<style>")[2].partition("</style>")[0]
    assert style.count("{") == style.count("}")
    flat, before = style, ""
    while flat != before:  # what stands inside of a rule is of that rule
        before, flat = flat, re.sub(r"\{[^{}]*\}", ";", flat)
    outside = [rule.strip() for rule in flat.split(";") if rule.strip()]
    assert outside
    assert all(".biaspipe" in rule or rule.startswith("@media") for rule in outside)
    media = re.findall(r"@media[^{]*\{(.*?)\{", style)
    assert all(".biaspipe" in rule for rule in media)
    assert "@import" not in style
    assert "url(" not in style


def test_nothing_checked_shows_values() -> None:
    """An audit without limits shows its values, and says that nothing was checked."""
    people = pl.DataFrame({"g": ["a", "b"] * 20, "y": [True, False, True, True] * 10})
    spec = {
        "version": 1,
        "name": "bare",
        "columns": {"prediction": {"column": "y", "positive": True}},
        "facets": {"g": {"column": "g", "favored": "a"}},
        "metrics": {"DI": None},
    }
    text = notebook_html(biaspipe.run(spec, data=people))
    assert "Nothing was checked, since no check has a limit" in text
    assert "Disparate Impact" in text


PARTED = {
    "version": 1,
    "name": "parted",
    "columns": {
        "label": {"column": "y", "positive": True},
        "prediction": {"column": "p", "positive": True},
    },
    "facets": {"g": {"column": "g", "favored": "a"}, "h": {"column": "h", "favored": "c"}},
    "metrics": {"DI": {"min": 0.5}},
}


@pytest.mark.parametrize(
    ("h", "said"),
    [
        (["c", "d"], ["4 of 12 rows compared; 8 without a label"]),
        (
            [None, "c", "d"],
            [
                "g: 4 of 12 rows compared; 8 without a label",
                "h: 2 of 12 rows compared; 4 without a value of the facet, 6 without a label",
            ],
        ),
    ],
)
def test_rows_that_take_no_part_are_counted(h: list[str | None], said: list[str]) -> None:
    """Beside the verdict stands how many rows were compared, and why the others were not."""
    columns = {"g": ["a", "b"] * 6, "p": [True] * 12, "y": [True, False, True, False] + [None] * 8}
    people = pl.DataFrame({**columns, "h": h * (12 // len(h))})
    report = biaspipe.run(PARTED, data=people)
    items = [p for s in notebook_story(report).sections for p in s.parts if isinstance(p, Items)]
    assert [line.text for line in items[0].lines] == said
    least = said[-1].partition(" rows")[0][-7:].strip()
    assert f"compared='{least} rows'" in repr(report)
    frame = report.to_frame()
    assert frame["rows"].unique().to_list() == [12]
    assert frame.filter(facet="g")["rows_compared"].to_list() == [4]


def test_whole_data_need_no_count_of_rows() -> None:
    """Where every row is compared, nothing is said of rows."""
    columns = {"g": ["a", "b"] * 6, "p": [True] * 12, "y": [True, False] * 6, "h": ["c", "d"] * 6}
    report = biaspipe.run(PARTED, data=pl.DataFrame(columns))
    assert "rows compared" not in notebook_html(report)
    assert "compared=" not in repr(report)


def test_tables_take_their_colour_from_the_report() -> None:
    """A notebook that paints the text of tables black does not paint ours, on a dark ground."""
    style = notebook_html(many_groups(3)).partition("<style>")[2].partition("</style>")[0]
    assert re.search(r"table\{[^}]*color:inherit", style)


def lost(*names: str) -> Report:
    """Return a report of which so much has vanished since its baseline."""
    report = report_of("second-release")
    assert report.result.baseline
    baseline = report.result.baseline.model_copy(update={"vanished": names})
    result = report.result.model_copy(update={"baseline": baseline})
    return report.model_copy(update={"result": result})


def test_what_vanished_is_named() -> None:
    """A check that is gone since the baseline is counted in `repr`, and has its name beside."""
    gone = "DI on region, east against north"
    assert f"“{gone}” of the baseline is gone;" in notebook_html(lost(gone))
    several = notebook_html(lost(gone, "b", "c", "<d>", "e"))
    assert f"checks and groups are gone: “{gone}”, “b”, “c” and 2 more;" in several
    assert "vanished=5" in repr(lost(gone, "b", "c", "<d>", "e"))
    assert "vanished" not in repr(lost())
