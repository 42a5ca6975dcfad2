"""How sentences name the outcomes that a spec declares."""

from typing import Any

import pytest
from pydantic import ValidationError

from biaspipe.metrics import METRICS
from biaspipe.metrics.phrases import GENERIC, Phrases
from biaspipe.spec import Columns, phrases_of


def phrases(**columns: Any) -> Phrases:
    """Return the phrases of some columns."""
    return phrases_of(Columns.model_validate(columns))


def test_outcomes_are_called_as_the_spec_says() -> None:
    """A label and a prediction that the spec calls something are called so."""
    told = phrases(
        label={"column": "repaid", "positive": "yes", "called": "repaid the loan"},
        prediction={"column": "score", "at_least": 0.5, "called": "approved"},
        strata=["purpose", "branch"],
    )
    assert told == Phrases(
        predicted="approved",
        unpredicted="not approved",
        observed="repaid the loan",
        holding="who repaid the loan",
        others="people other than those who repaid the loan",
        label="repaid",
        strata="purpose and branch",
    )


@pytest.mark.parametrize(
    ("called", "others"),
    [
        ("did not reoffend", "people who did reoffend"),
        ("were not charged again", "people who were charged again"),
        ("have not defaulted", "people who have defaulted"),
        ("were admitted", "people who were not admitted"),
        ("are employed", "people who are not employed"),
        ("have a job", "people other than those who have a job"),
        ("did well", "people other than those who did well"),
        ("werewolf", "people other than those who werewolf"),
        ("notified the bank", "people other than those who notified the bank"),
    ],
)
def test_label_that_is_not_favorable(called: str, others: str) -> None:
    """What is said of the others follows from the phrase where its first word allows for it."""
    told = phrases(label={"column": "y", "positive": 1, "called": called})
    assert (told.observed, told.others) == (called, others)


@pytest.mark.parametrize(
    ("called", "denied"),
    [("approved", "not approved"), ("not flagged", "flagged"), ("noted", "not noted")],
)
def test_prediction_that_is_not_favorable(called: str, denied: str) -> None:
    """The others are not what the favorable prediction is called, or are what it denies."""
    told = phrases(prediction={"column": "p", "positive": 1, "called": called})
    assert (told.predicted, told.unpredicted) == (called, denied)


@pytest.mark.parametrize(
    ("outcome", "favorable", "unfavorable"),
    [
        ({"positive": "Low"}, "c = Low", None),
        ({"positive": "Low", "negative": "High"}, "c = Low", "c = High"),
        ({"positive": ["Low", "Medium"], "negative": ["High"]}, "c in (Low, Medium)", "c = High"),
        ({"positive": [1, 2, 3, 4, 5, 6, 7]}, "c in (1, 2, 3, 4, 5 and 2 more)", None),
        ({"positive": True}, "c = true", None),
        ({"at_least": 0.5}, "c at least 0.5", "c below 0.5"),
        ({"above": 50}, "c above 50", "c at most 50"),
        ({"below": 0.2}, "c below 0.2", "c at least 0.2"),
        ({"at_most": 3}, "c at most 3", "c above 3"),
        ({"above": 1, "at_most": 3}, "c above 1 and at most 3", None),
    ],
)
def test_outcomes_are_named_by_their_values(
    outcome: dict[str, Any], favorable: str, unfavorable: str | None
) -> None:
    """Where the spec calls an outcome nothing, column and values name it."""
    told = phrases(label={"column": "c", **outcome}, prediction={"column": "c", **outcome})
    assert told.observed == f"have '{favorable}'"
    assert told.holding == f"with '{favorable}'"
    assert told.predicted == f"predicted '{favorable}'"
    if unfavorable:
        assert told.others == f"people with '{unfavorable}'"
        assert told.unpredicted == f"predicted '{unfavorable}'"
    else:
        assert told.others == f"people other than those with '{favorable}'"
        assert told.unpredicted == f"not predicted '{favorable}'"


def test_favorable_outcome_may_be_low_risk() -> None:
    """Of a score whose low values are favorable nobody reads that a group is predicted positive."""
    told = phrases(prediction={"column": "score_text", "positive": "Low"})
    assert METRICS["DI"].says(0.632, "White", "Black", phrases=told) == (
        "the share who are predicted 'score_text = Low' is 0.632 times as large among Black as "
        "among White, to the disadvantage of Black"
    )


def test_nothing_declared_is_named_generically() -> None:
    """Without a label and a prediction, outcomes are favorable or unfavorable."""
    assert phrases() == GENERIC


@pytest.mark.parametrize(
    "called",
    [
        *("", "  ", " approved", "approved ", "two\nlines", "two\rlines", "tab\tbed"),
        *("\x1b[31mred", "\u202edevorppa", "nothing\u2063shows", "##[error]approved", "a" * 81),
    ],
)
def test_phrase_that_is_no_line_of_text_is_refused(called: str) -> None:
    """A phrase is one short line that shows what it is, since it stands in every sentence."""
    with pytest.raises(ValidationError):
        phrases(prediction={"column": "p", "positive": 1, "called": called})


@pytest.mark.parametrize("called", ["arena", "wasted", "whole", "issued a card", "beloved"])
def test_phrase_may_begin_like_a_word_that_it_must_not_begin_with(called: str) -> None:
    """Only whole words that a sentence has already are refused."""
    assert phrases(prediction={"column": "p", "positive": 1, "called": called}).predicted == called


@pytest.mark.parametrize(
    "called", ["a" * 80, "genehmigt für 南", "<script>alert(1)</script>", "{favored} %s \\1 'x'"]
)
def test_phrase_may_be_any_line_of_text(called: str) -> None:
    """A phrase may look like a command of another language, and is only text."""
    assert phrases(prediction={"column": "p", "positive": 1, "called": called}).predicted == called
