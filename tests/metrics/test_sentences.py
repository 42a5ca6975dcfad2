"""What a value says in words, and whom it says it disadvantages."""

import re
from math import inf

import pytest

from biaspipe.metrics import METRICS
from biaspipe.metrics.phrases import Phrases
from tests.metrics.sentences_of_rates import SENTENCES_OF_RATES

AGAINST = {
    "CI": ("female", "male"),
    "DPL": ("female", "male"),
    "KL": None,
    "JS": None,
    "LP": None,
    "TVD": None,
    "KS": None,
    "CDDL": ("female", "male"),
    "DPPL": ("female", "male"),
    "DI": ("male", "female"),
    "DCAcc": ("male", "female"),
    "DCR": ("male", "female"),
    "SD": ("female", "male"),
    "RD": ("female", "male"),
    "DAR": ("female", "male"),
    "DRR": ("male", "female"),
    "AD": ("female", "male"),
    "TE": ("female", "male"),
    "CDDPL": ("female", "male"),
    "FT": ("female", "male"),
    "GE": None,
    "vertex.accuracy_difference": ("female", "male"),
    "vertex.dpppl": ("female", "male"),
    "vertex.recall_difference": ("female", "male"),
    "vertex.specificity_difference": ("female", "male"),
    "vertex.error_ratio_difference": ("male", "female"),
    "vertex.population_size_difference": ("female", "male"),
    "vertex.dpptl": ("female", "male"),
    "FPRD": ("female", "male"),
    "FNRD": ("male", "female"),
    "FDRD": ("male", "female"),
    "FORD": ("male", "female"),
    "ERD": ("male", "female"),
    "FPRR": ("male", "female"),
    "FNRR": ("female", "male"),
    "FDRR": ("female", "male"),
    "FORR": ("female", "male"),
    "ERR": ("female", "male"),
    "TPRR": ("male", "female"),
    "TNRR": ("female", "male"),
    "PPVR": ("male", "female"),
    "NPVR": ("male", "female"),
    "ACCR": ("male", "female"),
    "EOD": None,
    "EOR": None,
    "AOD": ("female", "male"),
    "AAOD": None,
    "AOR": None,
}
"""Whom a value above, and one below the ideal is against; `male` is favored, `female` not."""

SIZES = ("CI", "vertex.population_size_difference")
"""The metrics that compare how many people there are, which is no treatment of anybody."""


def _harm(metric: str, against: str) -> str:
    """Return what a sentence says of the group that a value is against."""
    lead = "so that the data tell less about" if metric in SIZES else "to the disadvantage of"
    return f"{lead} {against}"


PHRASES = Phrases(
    predicted="approved",
    unpredicted="not approved",
    observed="repaid the loan",
    holding="who repaid the loan",
    others="people who paid late",
    label="repaid",
    strata="purpose",
)
SENTENCES: dict[str, dict[float, tuple[str, str]]] = {
    "CI": {
        0.108: (
            ("of the people compared, more are male than female, by 10.8 percentage points"),
            "female",
        ),
        -0.15: (
            ("of the people compared, more are female than male, by 15 percentage points"),
            "male",
        ),
        0.0: ("of the people compared, as many are male as female", ""),
    },
    "DPL": {
        0.108: (
            (
                "the share who repaid the loan is larger among male than among female, by"
                " 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the share who repaid the loan is larger among female than among male, by"
                " 15 percentage points"
            ),
            "male",
        ),
        0.0: ("the share who repaid the loan is as large among male as among female", ""),
    },
    "KL": {
        0.143: (
            (
                "the outcomes in repaid are not equally common among male and female, KL "
                "divergence 0.143"
            ),
            "",
        ),
        inf: (
            (
                "the outcomes in repaid are not equally common among male and female, KL "
                "divergence infinite"
            ),
            "",
        ),
        0.0: ("the outcomes in repaid are equally common among male and female", ""),
    },
    "JS": {
        0.0308: (
            (
                "the outcomes in repaid are not equally common among male and female, JS "
                "divergence 0.0308"
            ),
            "",
        ),
        0.0: ("the outcomes in repaid are equally common among male and female", ""),
    },
    "LP": {
        0.283: (
            ("the outcomes in repaid are not equally common among male and female, Lp-norm 0.283"),
            "",
        ),
        0.0: ("the outcomes in repaid are equally common among male and female", ""),
    },
    "TVD": {
        0.2: (
            (
                "the outcomes in repaid are not equally common among male and female, "
                "total variation distance 0.2"
            ),
            "",
        ),
        0.0: ("the outcomes in repaid are equally common among male and female", ""),
    },
    "KS": {
        0.2: (
            (
                "the outcomes in repaid are not equally common among male and female, by "
                "20 percentage points in the one that differs most"
            ),
            "",
        ),
        0.0: ("the outcomes in repaid are equally common among male and female", ""),
    },
    "CDDL": {
        0.144: (
            (
                "on average within the same purpose, female are a smaller share of those "
                "who repaid the loan than of the others, by 14.4 percentage points"
            ),
            "female",
        ),
        -0.0193: (
            (
                "on average within the same purpose, female are a larger share of those "
                "who repaid the loan than of the others, by 1.93 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "on average within the same purpose, female are as large a share of those"
                " who repaid the loan as of the others"
            ),
            "",
        ),
    },
    "DPPL": {
        0.108: (
            (
                "the share who are approved is larger among male than among female, by "
                "10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the share who are approved is larger among female than among male, by 15"
                " percentage points"
            ),
            "male",
        ),
        0.0: ("the share who are approved is as large among male as among female", ""),
    },
    "DI": {
        0.0: (
            ("the share who are approved is 0 times as large among female as among male"),
            "female",
        ),
        0.9996: (
            ("the share who are approved is 0.9996 times as large among female as among male"),
            "female",
        ),
        1.0004: (
            ("the share who are approved is 1.0004 times as large among female as among male"),
            "male",
        ),
        1.25: (
            ("the share who are approved is 1.25 times as large among female as among male"),
            "male",
        ),
        inf: (
            (
                "the share who are approved is infinitely many times as large among "
                "female as among male"
            ),
            "male",
        ),
        0.81: (
            ("the share who are approved is 0.81 times as large among female as among male"),
            "female",
        ),
        1.0: ("the share who are approved is as large among female as among male", ""),
    },
    "DCAcc": {
        0.5: (
            (
                "for each one approved, the number of people who repaid the loan is "
                "larger among male than among female, by 0.5"
            ),
            "male",
        ),
        -0.228: (
            (
                "for each one approved, the number of people who repaid the loan is "
                "larger among female than among male, by 0.228"
            ),
            "female",
        ),
        0.0: (
            (
                "for each one approved, the number of people who repaid the loan is as "
                "large among male as among female"
            ),
            "",
        ),
    },
    "DCR": {
        0.133: (
            (
                "for each one not approved, the number of people who paid late is larger "
                "among female than among male, by 0.133"
            ),
            "male",
        ),
        -0.5: (
            (
                "for each one not approved, the number of people who paid late is larger "
                "among male than among female, by 0.5"
            ),
            "female",
        ),
        0.0: (
            (
                "for each one not approved, the number of people who paid late is as "
                "large among female as among male"
            ),
            "",
        ),
    },
    "SD": {
        0.108: (
            (
                "of people who paid late, the share who are approved is larger among male"
                " than among female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "of people who paid late, the share who are approved is larger among "
                "female than among male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "of people who paid late, the share who are approved is as large among "
                "male as among female"
            ),
            "",
        ),
    },
    "RD": {
        0.108: (
            (
                "of those who repaid the loan, the share who are approved is larger among"
                " male than among female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "of those who repaid the loan, the share who are approved is larger among"
                " female than among male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "of those who repaid the loan, the share who are approved is as large "
                "among male as among female"
            ),
            "",
        ),
    },
    "DAR": {
        0.108: (
            (
                "where people are approved, that is right more often for male than for "
                "female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "where people are approved, that is right more often for female than for "
                "male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (("where people are approved, that is right as often for male as for female"), ""),
    },
    "DRR": {
        0.108: (
            (
                "where people are not approved, that is wrong more often for male than "
                "for female, by 10.8 percentage points"
            ),
            "male",
        ),
        -0.15: (
            (
                "where people are not approved, that is wrong more often for female than "
                "for male, by 15 percentage points"
            ),
            "female",
        ),
        0.0: (("where people are not approved, that is wrong as often for male as for female"), ""),
    },
    "AD": {
        0.108: (
            (
                "the predictions are right more often for male than for female, by 10.8 "
                "percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the predictions are right more often for female than for male, by 15 "
                "percentage points"
            ),
            "male",
        ),
        0.0: ("the predictions are right as often for male as for female", ""),
    },
    "TE": {
        1.17: (
            (
                "for each one wrongly approved, the number wrongly not approved is larger"
                " among female than among male, by 1.17"
            ),
            "female",
        ),
        -0.5: (
            (
                "for each one wrongly approved, the number wrongly not approved is larger"
                " among male than among female, by 0.5"
            ),
            "male",
        ),
        0.0: (
            (
                "for each one wrongly approved, the number wrongly not approved is as "
                "large among male as among female"
            ),
            "",
        ),
    },
    "CDDPL": {
        0.108: (
            (
                "on average within the same purpose, female are a smaller share of those "
                "approved than of those not approved, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "on average within the same purpose, female are a larger share of those "
                "approved than of those not approved, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "on average within the same purpose, female are as large a share of those"
                " approved as of those not approved"
            ),
            "",
        ),
    },
    "FT": {
        0.108: (
            (
                "female are more often not approved where those of male most like them "
                "are approved than the other way round, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "female are more often approved where those of male most like them are "
                "not approved than the other way round, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "female are as often not approved where those of male most like them are "
                "approved as the other way round"
            ),
            "",
        ),
    },
    "GE": {
        4.5: ("the predictions benefit people unequally, index 4.5", ""),
        0.0: ("the predictions benefit everybody equally", ""),
    },
    "vertex.accuracy_difference": {
        0.108: (
            (
                "the predictions are right more often for male than for female, by 10.8 "
                "percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the predictions are right more often for female than for male, by 15 "
                "percentage points"
            ),
            "male",
        ),
        0.0: ("the predictions are right as often for male as for female", ""),
    },
    "vertex.dpppl": {
        0.108: (
            (
                "the share who are approved is larger among male than among female, by "
                "10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the share who are approved is larger among female than among male, by 15"
                " percentage points"
            ),
            "male",
        ),
        0.0: ("the share who are approved is as large among male as among female", ""),
    },
    "vertex.recall_difference": {
        0.108: (
            (
                "of those who repaid the loan, the share who are approved is larger among"
                " male than among female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "of those who repaid the loan, the share who are approved is larger among"
                " female than among male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            (
                "of those who repaid the loan, the share who are approved is as large "
                "among male as among female"
            ),
            "",
        ),
    },
    "vertex.specificity_difference": {
        0.108: (
            (
                "of people who paid late, the predictions are right more often for male "
                "than for female, by 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "of people who paid late, the predictions are right more often for female"
                " than for male, by 15 percentage points"
            ),
            "male",
        ),
        0.0: (
            ("of people who paid late, the predictions are right as often for male as for female"),
            "",
        ),
    },
    "vertex.error_ratio_difference": {
        0.5: (
            (
                "for each one wrongly approved, the number wrongly not approved is larger"
                " among male than among female, by 0.5"
            ),
            "male",
        ),
        -1.17: (
            (
                "for each one wrongly approved, the number wrongly not approved is larger"
                " among female than among male, by 1.17"
            ),
            "female",
        ),
        0.0: (
            (
                "for each one wrongly approved, the number wrongly not approved is as "
                "large among male as among female"
            ),
            "",
        ),
    },
    "vertex.population_size_difference": {
        0.108: (
            ("of the people compared, more are male than female, by 10.8 percentage points"),
            "female",
        ),
        -0.15: (
            ("of the people compared, more are female than male, by 15 percentage points"),
            "male",
        ),
        0.0: ("of the people compared, as many are male as female", ""),
    },
    "vertex.dpptl": {
        0.108: (
            (
                "the share who repaid the loan is larger among male than among female, by"
                " 10.8 percentage points"
            ),
            "female",
        ),
        -0.15: (
            (
                "the share who repaid the loan is larger among female than among male, by"
                " 15 percentage points"
            ),
            "male",
        ),
        0.0: ("the share who repaid the loan is as large among male as among female", ""),
    },
    **SENTENCES_OF_RATES,
}
"""What a value says, and whom it is against, if anybody."""


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_is_classified(metric: str) -> None:
    """Each registered metric has its line in the table of disadvantages."""
    assert metric in AGAINST, f"{metric} is missing from AGAINST: say whom its values are against"


@pytest.mark.parametrize("metric", SENTENCES)
def test_sentence(metric: str) -> None:
    """A value is put into words with the groups' names, the disadvantaged one at the end."""
    for number, (meaning, against) in SENTENCES[metric].items():
        sentence = f"{meaning}, {_harm(metric, against)}" if against else meaning
        assert METRICS[metric].says(number, "male", "female", phrases=PHRASES) == sentence


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_its_sentences(metric: str) -> None:
    """What each metric says above, below and at its ideal is written down."""
    record = METRICS[metric]
    sides = {(number > record.ideal) - (number < record.ideal) for number in SENTENCES[metric]}
    low, high = record.range
    assert sides == {0} | ({-1} if low < record.ideal else set()) | (
        {1} if record.ideal < high else set()
    )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("number", [1.25, 1.0, 0.25, 0.0, -0.25])
def test_positive_and_negative_are_said_of_no_outcome(metric: str, number: float) -> None:
    """No sentence calls an outcome positive or negative, which leaves open what it is."""
    sentence = METRICS[metric].says(number, "male", "female")
    assert not re.search("positive|negative", sentence)


def test_outcomes_without_an_audit() -> None:
    """Where no audit names them, outcomes are the favorable and the unfavorable ones."""
    assert METRICS["RD"].says(0.0625, "men", "women") == (
        "of those with the favorable label, the share who are predicted favorable is larger among "
        "men than among women, by 6.25 percentage points, to the disadvantage of women"
    )
    assert METRICS["DCR"].says(0.5, "men", "women") == (
        "for each one predicted unfavorable, the number of people with an unfavorable label is "
        "larger among women than among men, by 0.5, to the disadvantage of men"
    )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("number", [2.0, 1.0, 0.25, 0.0, -0.25])
def test_phrase_that_denies_does_not_deny_the_comparison(metric: str, number: float) -> None:
    """A `not` of a phrase stands behind no group's name, where it would deny how groups compare."""
    denying = Phrases(
        predicted="not flagged",
        unpredicted="flagged",
        observed="did not reoffend",
        holding="who did not reoffend",
        others="people who did reoffend",
    )
    sentence = METRICS[metric].says(number, "men", "women", phrases=denying)
    assert not re.search(r"men (are |did )?not ", sentence)


@pytest.mark.parametrize("metric", METRICS)
def test_phrases_come_through_untouched(metric: str) -> None:
    """An outcome that looks like a format is printed as it is written."""
    odd = Phrases(*("{x}%s{0}{favored}" for _ in Phrases._fields))
    plain = Phrases(*("PHRASE" for _ in Phrases._fields))
    said = [METRICS[metric].says(0.25, "a", "d", phrases=each) for each in (odd, plain)]
    assert said[0] == said[1].replace("PHRASE", "{x}%s{0}{favored}")


def test_points_are_not_rounded_to_a_limit() -> None:
    """A difference has as many digits in percentage points as keep it off a limit."""
    sentence = METRICS["DPPL"].says(0.09999, "men", "women", apart=(0.1,))
    assert "by 9.999 percentage points" in sentence
    assert "by 1 percentage point," in METRICS["DPPL"].says(0.01, "men", "women")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("side", [0, 1], ids=["above", "below"])
def test_sentence_names_the_disadvantaged(metric: str, side: int) -> None:
    """A value off the ideal ends in the group that it is against, where there is one."""
    record, against = METRICS[metric], AGAINST[metric]
    sentence = record.says(record.ideal + (0.25, -0.25)[side], "male", "female")
    if against is None:
        assert "disadvantage" not in sentence
    else:
        assert sentence.endswith(f", {_harm(metric, against[side])}")


@pytest.mark.parametrize("metric", METRICS)
def test_sentence_at_parity_blames_nobody(metric: str) -> None:
    """A value at the ideal is to nobody's disadvantage."""
    assert "disadvantage" not in METRICS[metric].says(METRICS[metric].ideal, "male", "female")


@pytest.mark.parametrize("number", [2.0, 1.0, 0.25, 0.0, -0.25, inf])
@pytest.mark.parametrize("metric", METRICS)
def test_names_come_through_untouched(metric: str, number: float) -> None:
    """A name that looks like a format is printed as it is written."""
    plain = METRICS[metric].says(number, "LEFT", "RIGHT")
    odd = METRICS[metric].says(number, "{x}%s{0}", "{favored}}\\1")
    assert odd == plain.replace("LEFT", "{x}%s{0}").replace("RIGHT", "{favored}}\\1")
