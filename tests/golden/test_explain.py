"""What `explain` says, word by word."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.cli.explaining import explain_metric, list_metrics
from biaspipe.metrics import METRICS
from tests.golden.audits import HERE

Golden = Callable[[Path, str], None]
each_metric = pytest.mark.parametrize("name", METRICS)


@pytest.mark.parametrize("name", ["DI", "FT", "GE", "vertex.specificity_difference"])
def test_explanation_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The explanation of these metrics is the one that was read and found right."""
    golden(HERE / "explain" / f"{name}.txt", explain_metric(name) + "\n")


def test_table_is_the_reviewed_one(golden: Golden) -> None:
    """The table of all metrics is the one that was read and found right."""
    golden(HERE / "explain" / "table.txt", list_metrics() + "\n")


def test_table_is_aligned() -> None:
    """In the table of all metrics every name begins in the same column."""
    rows = [line for line in list_metrics().splitlines() if line.startswith("  ")]
    starts = {line.index(METRICS[line.split()[0]].name, 2 + len(line.split()[0])) for line in rows}
    assert len(rows) == len(METRICS)
    assert len(starts) == 1


@each_metric
def test_explanation_fits_a_terminal(name: str) -> None:
    """An explanation is no wider than 80 columns."""
    assert max(map(len, explain_metric(name).splitlines())) <= 80


@each_metric
def test_titles_stand_apart(name: str) -> None:
    """Every title of an explanation is set apart from its text, and all texts begin alike."""
    _, *lines = explain_metric(name).splitlines()
    run_in = [line for line in lines if not line[: text_column(lines)].endswith(" ")]
    assert run_in == []


def text_column(lines: list[str]) -> int:
    """Return where the text of an explanation begins, by its first continued line or fact."""
    (formula,) = (line for line in lines if line.startswith("formula"))
    return len(formula) - len(formula.removeprefix("formula").lstrip())


def fact(name: str, *titles: str) -> str:
    """Return the text of an explanation that stands beside one of some titles, in one line."""
    text = re.split(r"\n(?=\S)", explain_metric(name))
    (found,) = (part for part in text if part.startswith(titles))
    return " ".join(found.split())


@each_metric
def test_signs_say_who_is_disadvantaged(name: str) -> None:
    """An explanation says of either sign which side is at a disadvantage, if one is."""
    metric = METRICS[name]
    other = {"favored": "disfavored", "disfavored": "favored", None: None}[metric.harms]
    above = fact(name, "positive", "above 1")
    assert (metric.harms is None) is ("disadvantage" not in above)
    assert metric.harms is None or above.endswith(f"disadvantage of the {metric.harms} group")
    if metric.range[0] < metric.ideal:
        below = fact(name, "negative", "below 1")
        assert metric.harms is None or below.endswith(f"disadvantage of the {other} group")
