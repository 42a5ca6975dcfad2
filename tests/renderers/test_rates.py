"""Tables of rates: which groups and rates stand in them, in which order, and what they say."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import Exit
from biaspipe.pipeline import run
from biaspipe.renderers.console.report import report_story
from biaspipe.renderers.rates import groups_by_part, rate_tables, rates_legend, with_rates
from biaspipe.renderers.story import Line, StoryCell, StoryTable
from biaspipe.report import Report
from tests.engines.builders import prepare, write
from tests.golden.audits import report_of
from tests.pipeline.reports import table

ROWS = table(
    "sex,age,label,p", "m,30,1,1 x 6", "m,70,0,0 x 4", "f,30,1,0 x 3", "x,70,0,0", ",30,1,1 x 7"
)
LABEL = {"column": "label", "positive": 1}
PREDICTION = {"column": "p", "positive": 1}


def report(folder: Path, columns: dict[str, Any] | None = None, **facet: Any) -> Report:
    """Run an audit of a few people."""
    write(folder / "data.csv", ROWS)
    declared = {"label": LABEL, "prediction": PREDICTION} if columns is None else columns
    facets = {"sex": {"column": "sex", **facet}}
    data = {"path": "data.csv"}
    return run(prepare(folder, data=data, columns=declared, facets=facets, metrics={"CI": None}))


def tables(made: Report, *each: int) -> Sequence[StoryTable]:
    """Return the tables of the first facet."""
    return rate_tables(made, made.result.facets[0], *each)


def column(shown: StoryTable, title: str) -> list[str]:
    """Return the texts of a column."""
    place = [one.title for one in shown.columns].index(title)
    return [row.texts[place] for row in shown.rows]


def test_reference_stands_first_and_who_is_not_compared_last(tmp_path: Path) -> None:
    """The favored group stands first, then the others that are compared, each with its people."""
    shown = tables(report(tmp_path, favored="m", disfavored="f"))[0]
    assert column(shown, "group") == ["m (favored)", "f", "x (not compared)", "(missing)"]
    assert column(shown, "people") == ["10", "3", "1", "7"]


def test_groups_of_one_part_keep_their_order(tmp_path: Path) -> None:
    """Groups that play the same part stand in the order of the report."""
    facet = report(tmp_path).result.facets[0]
    assert [group.group for group in groups_by_part(facet)] == ["f", "m", "x", "(missing)"]


def test_rate_stands_beside_its_interval(tmp_path: Path) -> None:
    """A cell says the rate and its interval in percent; a rate of nobody is undefined."""
    shown = tables(report(tmp_path, favored="m"))[0]
    assert column(shown, "label rate") == [
        "60.0% (31.3-83.2)",
        "100.0% (43.9-100.0)",
        "0.0% (0.0-79.3)",
        "",
    ]
    assert column(shown, "TPR") == ["100.0% (61.0-100.0)", "0.0% (0.0-56.1)", "undefined", ""]
    cell = shown.rows[0].cells[2]
    assert isinstance(cell, StoryCell)
    assert [span.role for span in cell.lines[0].spans] == [None, "aside"]


def test_one_table_has_all_rates_unless_fewer_are_asked_for(tmp_path: Path) -> None:
    """A page has all rates side by side, a narrow one a few at a time and the people with each."""
    made = report(tmp_path)
    (whole,) = tables(made)
    assert [one.title for one in whole.columns] == [
        "group",
        "people",
        "label rate",
        "selection rate",
        "TPR",
        "FPR",
        "TNR",
        "FNR",
        "PPV",
        "NPV",
        "accuracy",
    ]
    titles = [[one.title for one in shown.columns[1:]] for shown in tables(made, 4)]
    assert titles == [
        ["people", "label rate", "selection rate", "TPR", "FPR"],
        ["people", "TNR", "FNR", "PPV", "NPV"],
        ["people", "accuracy"],
    ]


@pytest.mark.parametrize(
    ("columns", "names"),
    [({"label": LABEL}, ["label rate"]), ({"prediction": PREDICTION}, ["selection rate"])],
)
def test_only_rates_that_there_are_stand_in_table_and_legend(
    columns: dict[str, Any], names: list[str], tmp_path: Path
) -> None:
    """Without a label or a prediction there is one column, and one line that explains it."""
    made = report(tmp_path, columns)
    assert [one.title for one in tables(made)[0].columns[2:]] == names
    assert column(rates_legend(made), "rate") == names


def test_group_of_nobody_is_listed(tmp_path: Path) -> None:
    """An intersection without anybody has a row that says so, and no rates."""
    write(tmp_path / "data.csv", ROWS)
    facets = {
        "sex": {"column": "sex"},
        "label": {"column": "label"},
        "both": {"cross": ["sex", "label"]},
    }
    columns = {"prediction": PREDICTION}
    spec = prepare(
        tmp_path,
        data={"path": "data.csv"},
        columns=columns,
        facets=facets,
        metrics={"CI": None},
    )
    made = run(spec)
    rows = rate_tables(made, made.result.facets[2])[0].rows
    assert ("x & 1 (nobody)", "0", "") in [row.texts for row in rows]


def test_rates_stand_before_the_tally(tmp_path: Path) -> None:
    """With rates a story has all that it has without them, and ends as it does."""
    made = report(tmp_path)
    story = report_story(made, Exit.PASSED)
    longer = with_rates(story, made)
    assert longer.sections[: len(story.sections) - 1] == story.sections[:-1]
    assert longer.sections[-1] == story.sections[-1]
    titles = [section.title for section in longer.sections if section not in story.sections]
    assert titles == ["rates of sex", None, None, None]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({}, "no rates: the audit declares neither a label nor a prediction"),
        (None, "no rates: the report was written before there were any; run the audit again"),
    ],
)
def test_report_without_rates_says_why(
    columns: dict[str, Any] | None, words: str, tmp_path: Path
) -> None:
    """Where there are no rates, a line says what is lacking."""
    made = report(tmp_path, columns)
    values = made.model_dump(mode="json", by_alias=True)
    for group in values["result"]["facets"][0]["groups"]:
        group["rates"] = group["counts"] = None
    older = Report.model_validate(values)
    (added,) = with_rates(report_story(older, Exit.PASSED), older).sections[-2].parts
    assert isinstance(added, Line)
    assert added.text == words
    assert tables(older) == ()


def test_names_can_only_be_read() -> None:
    """What a group is called is shown as text, in one line, whatever it holds."""
    made = report_of("every-verdict")
    values = made.model_dump(mode="json", by_alias=True)
    values["result"]["facets"][0]["groups"][0]["group"] = "a\nb\x1b[2J\u202e<b>"
    hostile = Report.model_validate(values)
    assert "a\\nb\\x1b[2J\\u202e<b>" in " ".join(column(tables(hostile)[0], "group"))
