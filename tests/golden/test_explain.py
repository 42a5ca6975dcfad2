"""What `explain` says, word by word."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.cli.explain import explain_metric, list_metrics
from biaspipe.counts import Flips, Group, Stratum, Table
from biaspipe.metrics import METRICS, Metric, Needs
from biaspipe.metrics.sizes import sizes
from biaspipe.statistics import METHODS, metrics_of
from tests.golden.audits import HERE

Golden = Callable[[Path, str], None]
each_metric = pytest.mark.parametrize("name", METRICS)


each_method = pytest.mark.parametrize("name", METHODS)


@pytest.mark.parametrize(
    "name", ["DI", "FT", "GE", "vertex.specificity_difference", "CDDPL", "newcombe", "EOD", "FNRR"]
)
def test_explanation_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The explanation of each of these names is the one that was read and found right."""
    golden(HERE / "explain" / f"{name}.txt", explain_metric(name) + "\n")


@pytest.mark.parametrize(
    "name", ["demographic_parity_difference", "false_positive_rate_difference", "FPR"]
)
def test_name_of_another_tool_is_explained_as_reviewed(name: str, golden: Golden) -> None:
    """What a name of another tool is here is said in words that were read and found right."""
    golden(HERE / "explain" / f"{name}.txt", explain_metric(name) + "\n")


@pytest.mark.parametrize("name", ["Equalized Odds", "EQUALIZED-ODDS", "equalized odds"])
def test_name_is_explained_in_any_spelling(name: str) -> None:
    """A name is explained whatever its case and what stands between its words."""
    first, *lines = explain_metric(name).splitlines()
    assert first == f"{name}: here EOD, EOR, AAOD"
    assert lines[0].split(maxsplit=3)[3] == "a criterion, and no number"


def test_name_of_another_tool_is_printable() -> None:
    """A name that folds to one of another tool shows no control character."""
    assert explain_metric("FPR\x1b[2J".replace("[2J", "")).startswith("FPR\\x1b: here FPRD")


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
    sizes = ("CI", "vertex.population_size_difference")
    harm = "so that the data tell less about" if name in sizes else "to the disadvantage of"
    assert (metric.harms is None) is (harm not in " ".join(explain_metric(name).split()))
    if metric.ideal < metric.range[1]:
        above = fact(name, "positive", "above 1")
        assert metric.harms is None or above.endswith(f"{harm} {metric.harms} people")
    if metric.range[0] < metric.ideal:
        below = fact(name, "negative", "below 1")
        assert metric.harms is None or below.endswith(f"{harm} {other} people")


@each_metric
def test_interval_is_explained(name: str) -> None:
    """An explanation names the method of the metric's interval, in words and with its source."""
    method = METHODS[METRICS[name].interval]
    text = " ".join(explain_metric(name).split())
    parts = (f" {method.id}: {method.name}. {method.words} ", method.source)
    assert [part for part in parts if part not in text] == []


@each_method
def test_method_is_explained(name: str) -> None:
    """Every method of an interval can be explained by its key, with the metrics that use it."""
    method, text = METHODS[name], " ".join(explain_metric(name).split())
    used = ", ".join(metrics_of(name))
    assert text.startswith(f"{name}: {method.name} what it does {method.words}")
    assert f"intervals of {used}" in text
    assert text.endswith(f"source {method.source}")


@each_method
def test_method_fits_a_terminal(name: str) -> None:
    """The explanation of a method is no wider than 80 columns."""
    assert max(map(len, explain_metric(name).splitlines())) <= 80


def proof(metric: Metric) -> Table | Group | Flips:
    """Return what a metric is computed from, with nobody in it."""
    a, d = Group({}, name="a"), Group({}, name="d")
    if Needs.FEATURES in metric.needs:
        return Flips(0, 0, 0, 0, 0, 5, "standard", (), None)
    return Table(a, d, (Stratum("", a, d),)) if metric.has_facet else a


@each_metric
def test_denominators_are_those_that_a_decision_looks_at(name: str) -> None:
    """An explanation names each number of people that `min_rows` is held against, and no other."""
    metric = METRICS[name]
    people = dict.fromkeys(words for words, _ in sizes(metric, proof(metric)))
    assert fact(name, "min_rows looks at") == f"min_rows looks at {', '.join(people)}"
