"""The groups of a facet stand with their rates, whoever they are, and whatever the report has."""

from typing import Any

import pytest

from biaspipe.renderers.evidence_page import page_story
from biaspipe.renderers.evidence_page.appendix import spec_lines
from biaspipe.renderers.evidence_page.groups.records import outcomes_of, rates_of
from biaspipe.renderers.figures import ConfusionTables, RateBars, RowBars, StrataBars
from biaspipe.renderers.rates import groups_by_part
from biaspipe.renderers.story import StoryCell
from tests.renderers.evidence_page.reports import (
    any_report,
    changed,
    lines_of,
    section_of,
    tables_of,
)


def group_names(name: str, facet: str) -> list[str]:
    """Return the groups of a facet's table, each with the part that it plays."""
    table = tables_of(section_of(any_report(name), facet))[0]
    cells = (row.cells[0] for row in table.rows)
    return [
        f"{cell.lines[0].text}: {cell.lines[1].text}"
        for cell in cells
        if isinstance(cell, StoryCell)
    ]


def test_everybody_is_there() -> None:
    """Groups that are not compared and people without a group stand below those compared."""
    assert group_names("every-verdict", "sex") == [
        "men: reference",
        "women: compared",
        "other: not compared",
        "(missing): no value of the facet, not compared",
    ]


@pytest.mark.parametrize("name", ["every-verdict", "stored every-verdict"])
def test_older_reports_have_the_rates_of_their_comparisons(name: str) -> None:
    """A report without rates shows those that its comparisons have, with the same values."""
    facet = any_report(name).result.facets[0]
    men, women, *_ = groups_by_part(facet)
    assert (men.group, women.group) == ("men", "women")
    assert rates_of(facet, women)["selection_rate"].value == pytest.approx(0.027027, abs=1e-6)
    assert rates_of(facet, men)["label_rate"].value == pytest.approx(0.490196, abs=1e-6)
    outcomes = outcomes_of(facet, men)
    assert outcomes is not None
    assert (outcomes.TP, outcomes.FP, outcomes.FN, outcomes.TN) == (40, 20, 10, 32)


def test_rates_have_intervals_where_the_report_has_them() -> None:
    """The table of a facet has every rate of its groups, each with its interval."""
    table = tables_of(section_of(any_report("german-credit"), "age"))[0]
    assert [column.title for column in table.columns] == ["Group", "People", "Label rate"]
    cell = table.rows[0].cells[2]
    assert isinstance(cell, StoryCell)
    assert [line.text for line in cell.lines] == ["95.6%", "94.9\N{EN DASH}96.2%"]


def test_pictures_show_rates_outcomes_and_rows() -> None:
    """A facet has pictures of its rates, its outcomes, its strata, and where rows went."""
    parts = section_of(any_report("every-verdict"), "sex").parts
    kinds = [type(part) for part in parts if isinstance(part, RateBars | ConfusionTables | RowBars)]
    assert kinds == [RateBars, RateBars, RateBars, RateBars, ConfusionTables, RowBars, RowBars]
    assert sum(isinstance(part, StrataBars) for part in parts) == 2


def test_where_every_row_went_adds_up() -> None:
    """The parts of all rows are the rows that were read."""
    report = any_report("diabetes-progression")
    parts = section_of(report, "sex").parts
    bars = next(part for part in parts if isinstance(part, RowBars))
    ((label, counted),) = bars.bars
    assert label == "All rows"
    assert sum(rows for _, rows, _ in counted) == report.result.data.rows


def test_weighted_rows_are_counted_as_people() -> None:
    """Where a row stands for many people, the picture of where all went counts those."""
    parts = section_of(any_report("every-verdict"), "sex").parts
    ((label, counted),) = next(part for part in parts if isinstance(part, RowBars)).bars
    assert (label, counted) == (
        "All people",
        (
            ("reference", 102.0, "102"),
            ("compared", 1110.0, "1,110"),
            ("not compared", 7.0, "7"),
            ("without a value of the facet", 3.0, "3"),
            ("without a label or a prediction", 16.0, "16"),
        ),
    )


def test_rest_of_two_groups_is_named() -> None:
    """Where each of two groups is compared with the rest, headings say who that is."""

    def against_the_rest(values: dict[str, Any]) -> None:
        facet = values["result"]["facets"][0]
        one = next(c for c in facet["comparisons"])
        first, second = one["favored"], one["disfavored"]
        sides = one["counts"]
        turned = {"favored": sides["disfavored"], "disfavored": sides["favored"]}
        facet["comparisons"] = [
            {**one, "favored": "the rest"},
            {**one, "favored": "the rest", "disfavored": first, "counts": turned},
        ]
        for group in facet["groups"]:
            group["part"] = "both"
        for check in values["result"]["checks"]:
            if check["disfavored"] == second:
                check["favored"] = "the rest"

    report = changed("adult-income", against_the_rest)
    titles = [section.title for section in page_story(report).sections]
    assert "sex: female compared with the rest (male)" in titles
    cell = tables_of(section_of(report, "sex"))[0].rows[0].cells[0]
    assert isinstance(cell, StoryCell)
    assert cell.lines[1].text == "compared with the rest"


def test_strata_that_say_nothing_are_named() -> None:
    """Strata that a conditional disparity leaves out are listed with their people."""
    told = [line.text for line in lines_of(section_of(any_report("every-verdict"), "sex"))]
    assert (
        "CDDL, women compared with men: left out, since one outcome never occurs there: "
        "(missing) (5 people); C (5 people)" in told
    )


def test_spec_stays_faithful() -> None:
    """What could not be read in a spec is written as YAML escapes it, and nothing is lost."""
    assert spec_lines({"name": "é\u202ex", "version": 1}) == [
        "version: 1",
        'name: "\\xE9\\u202Ex"',
    ]
    assert spec_lines({"name": "é", "facets": {"b": None, "a": 1}}) == [
        "name: é",
        "facets:",
        "  a: 1",
        "  b: null",
    ]


def test_weighted_sample_says_whom_it_stands_for() -> None:
    """Of a weighted sample the people seen stand first, then whom they stand for."""
    table = tables_of(section_of(any_report("german-credit"), "age"))[0]
    people = [row.cells[1] for row in table.rows]
    assert [[line.text for line in c.lines] for c in people if isinstance(c, StoryCell)] == [
        ["810", "standing for 35,170", "in effect 641.7 of equal weight"],
        ["190", "standing for 6,830", "in effect 129.1 of equal weight"],
    ]
