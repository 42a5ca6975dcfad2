"""What a value says in words, and whom it says it disadvantages."""

from math import inf

import pytest

from biaspipe.metrics import METRICS

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
}
"""Whom a value above, and one below the ideal is against; `male` is favored, `female` not."""

SENTENCES: dict[str, dict[float, tuple[str, str]]] = {
    "CI": {
        0.35: ("male is represented by more people than female (CI 0.35)", "female"),
        -0.2: ("female is represented by more people than male (CI 0.2)", "male"),
    },
    "CDDL": {
        0.144: (
            (
                "within strata female has more of the negative labels "
                "than of the positive ones, by 0.144"
            ),
            "female",
        ),
        -0.0193: (
            (
                "within strata female has less of the negative labels "
                "than of the positive ones, by 0.0193"
            ),
            "male",
        ),
    },
    "DPPL": {
        0.1: ("male is predicted positive more often than female, by 0.1", "female"),
        -0.15: ("female is predicted positive more often than male, by 0.15", "male"),
        0.0: ("male and female are at parity", ""),
    },
    "DI": {
        0.81: ("female is predicted positive 0.81 times as often as male", "female"),
        0.0: ("female is predicted positive 0 times as often as male", "female"),
        0.9996: ("female is predicted positive 0.9996 times as often as male", "female"),
        1.0: ("male and female are at parity", ""),
        1.0004: ("female is predicted positive 1.0004 times as often as male", "male"),
        1.25: ("female is predicted positive 1.25 times as often as male", "male"),
        inf: ("female is predicted positive infinitely many times as often as male", "male"),
    },
    "SD": {
        0.116: (
            "the model recognises negative cases of female more often than of male, by 0.116",
            "female",
        ),
        -0.232: (
            "the model recognises negative cases of male more often than of female, by 0.232",
            "male",
        ),
    },
    "vertex.specificity_difference": {
        0.232: (
            "the model recognises negative cases of male more often than of female, by 0.232",
            "female",
        ),
        -0.232: (
            "the model recognises negative cases of female more often than of male, by 0.232",
            "male",
        ),
    },
    "TE": {
        1.17: (
            "female is wrongly rejected more often for each wrong acceptance than male, by 1.17",
            "female",
        ),
        -0.5: (
            "male is wrongly rejected more often for each wrong acceptance than female, by 0.5",
            "male",
        ),
    },
    "FT": {
        0.25: (
            (
                "similar members of male are predicted positive where "
                "members of female are not, by 0.25"
            ),
            "female",
        ),
        -0.25: (
            (
                "similar members of male are not predicted positive where "
                "members of female are, by 0.25"
            ),
            "male",
        ),
    },
    "KL": {
        0.143: (
            "the labels of male and female are distributed differently, KL divergence 0.143",
            "",
        ),
        inf: (
            "the labels of male and female are distributed differently, KL divergence infinite",
            "",
        ),
    },
    "GE": {
        4.5: ("the benefit of the predictions is spread unevenly over all people, index 4.5", ""),
        0.0: ("the benefit of the predictions is spread evenly over all people", ""),
    },
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
        sentence = f"{meaning}, to the disadvantage of {against}" if against else meaning
        assert METRICS[metric].says(number, "male", "female") == sentence


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("side", [0, 1], ids=["above", "below"])
def test_sentence_names_the_disadvantaged(metric: str, side: int) -> None:
    """A value off the ideal ends in the group that it is against, where there is one."""
    record, against = METRICS[metric], AGAINST[metric]
    sentence = record.says(record.ideal + (0.25, -0.25)[side], "male", "female")
    if against is None:
        assert "disadvantage" not in sentence
    else:
        assert sentence.endswith(f", to the disadvantage of {against[side]}")


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
