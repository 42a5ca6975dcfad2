"""How the outcomes of a report are named, and what is said in its head."""

from typing import Any

import pytest

from biaspipe.metrics.phrases import GENERIC
from biaspipe.renderers.about import description_text, model_text, owner_text, run_text
from biaspipe.renderers.outcomes import phrases_of_report
from biaspipe.report import Report
from tests.golden.audits import report_of


def with_spec(**parts: Any) -> Report:
    """Return a report whose spec has these parts."""
    report = report_of("every-verdict")
    audit = report.result.audit.model_copy(update={"spec": {**report.result.audit.spec, **parts}})
    result = report.result.model_copy(update={"audit": audit})
    return report.model_copy(update={"result": result})


def test_outcomes_are_those_of_the_spec_in_the_report() -> None:
    """A report alone tells how its outcomes are named."""
    told = phrases_of_report(report_of("german-credit"))
    assert (told.observed, told.predicted) == ("repaid their loans", GENERIC.predicted)
    told = phrases_of_report(report_of("every-verdict"))
    assert (told.observed, told.predicted) == (
        "have 'repaid = yes'",
        "predicted 'score above 0.5'",
    )


@pytest.mark.parametrize("columns", ["none", {"label": {"is": 1}}, [1]])
def test_outcomes_of_a_spec_that_cannot_be_read_are_named_generically(columns: object) -> None:
    """A report whose spec is not as it has to be is shown all the same."""
    assert phrases_of_report(with_spec(columns=columns)) == GENERIC


def test_head_says_what_the_spec_says() -> None:
    """Description, owner, model, day and version are those of spec and run."""
    report = report_of("adult-income")
    assert description_text(report) == (
        "The income model of the AWS Machine Learning Blog post on SageMaker Clarify,"
        " audited from its published confusion tables."
    )
    assert owner_text(report) == "responsible-ai@example.com"
    assert model_text(report) == "adult-xgboost, training_data: UCI Adult"
    assert run_text(report) == "2026-01-01, biaspipe 0.1.0"


def test_head_is_empty_where_the_spec_is() -> None:
    """What the spec leaves out is not said."""
    report = with_spec(description=None)
    assert (description_text(report), owner_text(report), model_text(report)) == ("", "", "")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ({"version": "2026.11", "name": "xgb"}, "xgb 2026.11"),
        ({"version": 3, "seed": 7, "name": "xgb", "data": "A"}, "xgb 3, data: A, seed: 7"),
        ({"trained": True}, "trained: true"),
        ({"name": ["a", "b"]}, "name: [a, b]"),
        (
            {"version": 1.0, "a": {"b": [1, {"c": None}], "d": {}}},
            "1.0, a: {b: [1, {c: null}], d: {}}",
        ),
        ({}, ""),
        ("xgb", ""),
    ],
)
def test_model_is_any_mapping_with_its_name_first(model: object, words: str) -> None:
    """Name and version of a model come first, and the rest in the order of its keys."""
    assert model_text(with_spec(model=model)) == words


def test_head_is_one_line_that_can_only_be_read() -> None:
    """A description of several lines, of control characters or without end is one short line."""
    report = with_spec(description="One\n  two\x1b[31m", owner="x" * 5000)
    assert description_text(report) == r"One two\x1b[31m"
    assert owner_text(report) == "x" * 299 + "…"
