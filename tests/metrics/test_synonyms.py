"""Names of other tools: what each is here, and that none is taken for what it is not."""

import re

import pytest

from biaspipe.metrics import ALIASES, FAMILIES, METRICS, called, meaning_of
from biaspipe.metrics.relations import NONE
from biaspipe.metrics.synonyms import FIELD, SYNONYMS, Synonym, folded, synonyms_of

SAME_VALUE = ("the same", "with alpha: 1")
each_synonym = pytest.mark.parametrize(
    "synonym", SYNONYMS, ids=lambda synonym: f"{synonym.tool} {synonym.name}"
)


@each_synonym
def test_synonym_names_metrics(synonym: Synonym) -> None:
    """What a name is here are metrics of the registry, each once, but for what is none here."""
    assert bool(synonym.metrics) is (synonym.relation is not NONE)
    assert set(synonym.metrics) <= set(METRICS)
    assert len(set(synonym.metrics)) == len(synonym.metrics)


def test_every_metric_of_rates_is_known_elsewhere() -> None:
    """The family of rates holds what another tool has a name for, and nothing else."""
    tools = {m for s in SYNONYMS if s.tool != FIELD for m in s.metrics}
    assert {metric.id for metric in FAMILIES["rates"]} - tools == set()


def test_name_of_another_value_is_no_alias() -> None:
    """A spec takes another tool's name only where value and sign are the same as there."""
    others = {
        synonym.name
        for synonym in SYNONYMS
        if synonym.tool != FIELD and not synonym.relation.aside.startswith(SAME_VALUE)
    }
    # Clarify's name too, with Clarify's sign, which was an alias before.
    assert others & {*ALIASES, *METRICS} == {"class_imbalance"}


def test_alias_is_the_metric_that_it_is_told_to_be() -> None:
    """An alias that another tool has too finds the metric that the table names."""
    told = {s.name: s.metrics[0] for s in SYNONYMS if s.name in ALIASES}
    assert told == {name: ALIASES[name] for name in told}
    assert len(told) >= 15


@each_synonym
def test_name_is_told_whatever_its_case_and_separators(synonym: Synonym) -> None:
    """A name is known in capitals, and with hyphens or blanks in the place of underscores."""
    for name in (synonym.name.upper(), synonym.name.replace("_", "-"), synonym.name.title()):
        assert synonym in synonyms_of(name)


@each_synonym
def test_name_is_taken_for_nothing_else(synonym: Synonym) -> None:
    """No other tool's name is taken for a metric by its spelling."""
    hint = meaning_of(synonym.name)
    assert hint is not None
    if folded(synonym.name) not in {folded(name) for name in (*METRICS, *ALIASES)}:
        assert "did you mean" not in hint
        assert (*synonym.metrics, "none of the metrics here")[0] in hint


SPREAD = "FPRD without its sign, of the two groups farthest apart"
RATE = "that is a rate of each group, which `run --rates` shows; to compare it write FPRD or FPRR"
SLICED = "fairness_indicators_metrics/false_positive_rate@0.50"
HINTS = {
    "demographic_parity_difference": "fairlearn's is DPPL without its sign, of the two groups "
    "farthest apart; `biaspipe explain demographic_parity_difference` says more",
    "average_odds_difference": "AIF360's is AOD with the other sign; "
    "`biaspipe explain average_odds_difference` says more",
    "false_positive_rate_difference": f"fairlearn's is {SPREAD}, AIF360's is FPRD with the other "
    "sign; `biaspipe explain false_positive_rate_difference` says more",
    "FPR": f"{RATE}; `biaspipe explain FPR` says more",
    SLICED: f"{RATE}; `biaspipe explain {SLICED}` says more",
    "equalized-odds": "that is a criterion, measured by EOD, EOR and AAOD; "
    "`biaspipe explain equalized-odds` says more",
    "specificity_difference": "did you mean 'SD' or 'vertex.specificity_difference'?",
    "Recall Difference": "did you mean 'RD'?",
    "Equal-Opportunity": "did you mean 'equal_opportunity'?",
    "average_odds_diference": "did you mean 'average_odds_difference'?",
    "SPD": "that is DPPL, perhaps with the other sign; `biaspipe explain SPD` says more",
    "auc": None,
    "demographic_parity_diference": "did you mean 'demographic_parity_difference'?",
    "error_ratio_difference": "did you mean 'vertex.error_ratio_difference'?",
    "dpppl": "did you mean 'DPPPL'?",
    "fnr gaps": "did you mean 'FNR gap'?",
    "disparity": None,
    "demographic disparity": None,
    "generalized_equalized_odds": None,
    "true positive rate patriy": "did you mean 'true positive rate parity'?",
    "disparate_treatments": "did you mean 'disparate treatment'?",
}
RATES = {
    "FPR | false positive rate": ("FPRD", "FPRR"),
    "FNR | false negative rate": ("FNRD", "FNRR"),
    "FDR | false discovery rate": ("FDRD", "FDRR"),
    "FOR | false omission rate": ("FORD", "FORR"),
    "TPR | true positive rate": ("RD", "TPRR"),
    "TNR | true negative rate": ("SD", "TNRR"),
    "PPV | positive predictive value": ("DAR", "PPVR"),
    "NPV | negative predictive value": ("DRR", "NPVR"),
    "error rate": ("ERD", "ERR"),
    "accuracy": ("AD", "ACCR"),
}
NAMED = [(name, ids) for names, ids in RATES.items() for name in names.split(" | ")]
WORDS = ("difference", "gap", "ratio", "parity")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("rate", "ids"), NAMED)
def test_comparison_of_a_rate_is_of_that_rate(rate: str, ids: tuple[str, str], word: str) -> None:
    """A rate's name with the word of a comparison is what compares that rate, and no other."""
    told = re.findall(r"[\w.]+", meaning_of(f"{rate} {word}") or "")
    found = {ALIASES.get(each, each) for each in told} & {*METRICS}
    wanted = set(ids if word == "parity" else ids[word == "ratio" :][:1])
    assert found
    assert found <= wanted


@pytest.mark.parametrize(
    ("name", "metrics"),
    [
        ("conditional procedure accuracy equality", "EOD EOR AAOD"),
        ("separation", "EOD EOR AAOD"),
        ("independence", "DPPL DI"),
        ("sufficiency", "DAR DRR"),
        ("EOP", "RD TPRR"),
        ("risk difference", "DPPL"),
        ("disparate treatment", ""),
        ("generalized_equalized_odds_difference", ""),
        ("fairlearn.metrics.false_positive_rate_difference", "FPRD"),
        ("ClassificationMetric.average_odds_difference", "AOD"),
        ("aif360.sklearn.metrics.disparate_impact_ratio", "DI"),
        ("aequitas fpr_disparity", "FPRR"),
    ],
)
def test_criterion_and_prefixed_name(name: str, metrics: str) -> None:
    """Criteria of the field, and names with a tool before them, are what they are there."""
    assert {found.metrics for found in synonyms_of(name)} == {tuple(metrics.split())}


def test_prefix_names_the_tool() -> None:
    """Of a name that two tools have, a prefix takes that of its own."""
    name = "equal_opportunity_difference"
    assert {found.tool for found in synonyms_of(name)} == {"fairlearn", "AIF360"}
    assert {found.tool for found in synonyms_of(f"aif360.{name}")} == {"AIF360"}


def test_own_names_in_any_case() -> None:
    """An id or family is known in any case, and an alias stays what it is."""
    assert [called(name) for name in ("di", "Eod", "RATES", "DPPPL", "class_imbalance", "x")] == (
        ["DI", "EOD", "rates", "DPPPL", "class_imbalance", "x"]
    )


@pytest.mark.parametrize(("name", "hint"), HINTS.items())
def test_hint(name: str, hint: str | None) -> None:
    """A name that is no metric is told for what it is, or for the one that it is spelt like."""
    assert meaning_of(name) == hint


@pytest.mark.parametrize("name", ["$(reboot)", "a`b", "'; rm -rf ~", "demographic parity'x"])
def test_hint_repeats_no_shell(name: str) -> None:
    """A name that a shell would run is not repeated in a command."""
    assert name not in (meaning_of(name) or "")
