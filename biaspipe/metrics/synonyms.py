"""Names that other tools and the field have for what is measured here, and what differs.

A name alone says little: `demographic_parity_difference` of fairlearn has no sign, and the same
differences of AIF360 have the other one. Only names of the same value and sign are aliases too,
which a spec may use.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from biaspipe.metrics.relations import (
    A_LESS_D,
    AT_ALPHA_1,
    CRITERION,
    NONE,
    OF_ALL_GROUPS,
    OF_TWO_GROUPS,
    OTHER,
    OVER_REFERENCE,
    QUOTIENT,
    QUOTIENT_OF_SELECTION,
    RATE,
    RATIO_OPEN,
    SAME,
    SIGN_OPEN,
    SPREAD,
    SPREAD_OF_SELECTION,
    TURNED,
    Relation,
)

__all__ = [
    "COMPARISONS",
    "FIELD",
    "SYNONYMS",
    "Synonym",
    "comparison_of",
    "comparisons",
    "folded",
    "synonyms_of",
]


class Synonym(NamedTuple):
    """A name of another tool, and what it is here.

    Parameters
    ----------
    name : as the tool writes it.
    tool : whose name it is; FIELD where it is no single tool's.
    metrics : the ids of what measures it here, the nearest first.
    relation : how the numbers are related.
    note : what else there is to say of it, as the end of a sentence.
    """

    name: str
    tool: str
    metrics: tuple[str, ...]
    relation: Relation
    note: str = ""

    @property
    def brief_text(self) -> str:
        """What it is here, in a few words.

        >>> synonyms_of("TPR")[0].brief_text
        'that is a rate of each group, which `run --rates` shows; to compare it write RD or TPRR'
        """
        *others, last = self.metrics or ("",)
        joint = "or" if self.relation is RATE else "and"
        metrics = f"{', '.join(others)} {joint} {last}" if others else last
        words = self.relation.briefly.format(metrics=metrics)
        words = f"{words}, {self.note}" if self.note else words
        own = self.tool and self.relation not in (RATE, CRITERION)
        return f"{self.tool}'s is {words}" if own else f"that is {words}"


FIELD = ""
"""No tool's: a name that the field has."""
NEGATIVE = "with the other sign; the ratio of negative rates is not DI"
PPV, NPV = (f"and {rate} is the rest of it" for rate in ("PPV", "NPV"))
LABELS = "of a BinaryLabelDatasetMetric, which looks at labels"
ZERO = "; 0 where nobody of the privileged group has it, which is infinite here"
UNWEIGHTED = "which weights of people do not change there"
NO_FPR = (
    "but where FPR is 0 in both groups: that of TPR there, 1 of a perfect model, and undefined here"
)
NO_RATE = "but where one rate is 0 in both groups: the other one's there, and undefined here"
PROBABLE = "of predicted probabilities, where predictions here are yes or no"

Row = tuple[str, str, Relation] | tuple[str, str, Relation, str]


def _of(tool: str, *rows: Row) -> Iterator[Synonym]:
    """Yield the names of a tool from rows of names, metrics, relation and note."""
    for names, metrics, relation, *note in rows:
        for name in names.split(" | "):
            yield Synonym(name, tool, tuple(metrics.split()), relation, *note)


SYNONYMS: tuple[Synonym, ...] = (
    *_of(
        "fairlearn",
        ("demographic_parity_difference | selection_rate_difference", "DPPL", SPREAD_OF_SELECTION),
        ("demographic_parity_ratio | selection_rate_ratio", "DI", QUOTIENT_OF_SELECTION),
        ("equalized_odds_difference", "EOD", OF_ALL_GROUPS),
        ("equalized_odds_ratio", "EOR", OF_ALL_GROUPS, NO_FPR),
        ('equalized_odds_difference(agg="mean")', "AAOD", OF_TWO_GROUPS),
        (
            'equalized_odds_ratio(agg="mean")',
            "AOR",
            OF_TWO_GROUPS,
            NO_RATE,
        ),
        ("equal_opportunity_difference | true_positive_rate_difference", "RD", SPREAD),
        ("equal_opportunity_ratio | true_positive_rate_ratio", "TPRR", QUOTIENT),
        ("false_positive_rate_difference", "FPRD", SPREAD),
        ("false_positive_rate_ratio", "FPRR", QUOTIENT),
        ("false_negative_rate_difference", "FNRD", SPREAD),
        ("false_negative_rate_ratio", "FNRR", QUOTIENT),
        ("true_negative_rate_difference", "SD", SPREAD),
        ("true_negative_rate_ratio", "TNRR", QUOTIENT),
        ("accuracy_score_difference", "AD", SPREAD),
        ("accuracy_score_ratio", "ACCR", QUOTIENT),
        ("zero_one_loss_difference", "ERD", SPREAD),
        ("zero_one_loss_ratio", "ERR", QUOTIENT),
        ("MetricFrame(metrics=precision_score).difference()", "DAR", SPREAD),
        ("MetricFrame(metrics=precision_score).ratio()", "PPVR", QUOTIENT),
        (
            (
                "accuracy_score_group_min | precision_score_group_min | recall_score_group_min | "
                "zero_one_loss_group_max"
            ),
            "",
            NONE,
            "`run --rates` has the rate of every group",
        ),
        (
            (
                "balanced_accuracy_score_group_min | f1_score_group_min | roc_auc_score_group_min"
                " | r2_score_group_min | log_loss_group_max | mean_absolute_error_group_max | "
                "mean_squared_error_group_max"
            ),
            "",
            NONE,
            "no share of people",
        ),
        ("count", "", NONE, "the people of each group stand in every report"),
        ("mean_prediction", "", NONE, PROBABLE),
    ),
    *_of(
        "AIF360",
        ("statistical_parity_difference | mean_difference", "DPPL", TURNED, f"or -DPL {LABELS}"),
        ("disparate_impact", "DI", SAME, f"or its like {LABELS}"),
        ("disparate_impact_ratio", "DI", SAME, f"or its like {LABELS}{ZERO}"),
        ("equal_opportunity_difference | true_positive_rate_difference", "RD", TURNED),
        ("false_positive_rate_difference", "FPRD", TURNED),
        ("false_negative_rate_difference", "FNRD", TURNED),
        ("false_discovery_rate_difference", "FDRD", TURNED),
        ("false_omission_rate_difference", "FORD", TURNED),
        ("error_rate_difference", "ERD", TURNED),
        ("false_positive_rate_ratio", "FPRR", SAME),
        ("false_negative_rate_ratio", "FNRR", SAME),
        ("false_discovery_rate_ratio", "FDRR", SAME),
        ("false_omission_rate_ratio", "FORR", SAME),
        ("error_rate_ratio", "ERR", SAME),
        ("average_odds_difference", "AOD", TURNED),
        ("average_abs_odds_difference | average_odds_error", "AAOD", SAME),
        ("equalized_odds_difference", "EOD", SAME),
        ("average_predictive_value_difference", "DAR FORD", OTHER, "half of both, negated"),
        ("class_imbalance", "CI", TURNED, "in a spec the name is Clarify's"),
        ("kl_divergence", "KL", SAME),
        ("generalized_entropy_index | generalized_entropy_error", "GE", SAME, UNWEIGHTED),
        ("theil_index", "GE", AT_ALPHA_1, UNWEIGHTED),
        ("coefficient_of_variation", "GE", OTHER, f"the square root of 2 GE, {UNWEIGHTED}"),
        ("consistency | consistency_score", "FT", OTHER, "about like people of all groups"),
        (
            (
                "between_group_generalized_entropy_index"
                " | between_all_groups_generalized_entropy_index"
                " | between_group_theil_index | between_all_groups_theil_index"
                " | between_group_coefficient_of_variation"
                " | between_group_generalized_entropy_error"
                " | between_all_groups_coefficient_of_variation"
            ),
            "",
            NONE,
            "of groups in the place of people",
        ),
        (
            (
                "smoothed_empirical_differential_fairness | smoothed_edf | df_bias_amplification | "
                "differential_fairness_bias_amplification"
            ),
            "",
            NONE,
            "the largest ratio of smoothed rates; DI is of the rates as they are",
        ),
        (
            (
                "generalized_equalized_odds_difference | generalized_true_positive_rate"
                " | generalized_false_positive_rate | generalized_false_negative_rate"
                " | generalized_true_negative_rate | generalized_fpr | generalized_fnr"
            ),
            "",
            NONE,
            PROBABLE,
        ),
        ("false_positive_rate_error", "FPRD FPRR", RATE),
        ("false_negative_rate_error", "FNRD FNRR", RATE),
        ("false_discovery_rate_error", "FDRD FDRR", RATE),
        ("false_omission_rate_error", "FORD FORR", RATE),
        (
            "conditional_demographic_disparity",
            "",
            NONE,
            "of one group; CDDL and CDDPL are by strata",
        ),
        ("ot_distance", "", NONE, "how far scores would have to be moved"),
        ("mdss_bias_score", "", NONE, "a search for the subgroup that is predicted worst"),
        ("rich_subgroup", "", NONE, "a search among combinations of features"),
    ),
    *_of(
        "Aequitas",
        ("pprev_disparity | Impact Parity", "DI", OVER_REFERENCE),
        ("ppr_disparity", "DI", OTHER, "a group's part of all selected, larger for a larger group"),
        ("tpr_disparity | TPR Parity", "TPRR", OVER_REFERENCE),
        ("tnr_disparity | TNR Parity", "TNRR", OVER_REFERENCE),
        ("fpr_disparity | FPR Parity", "FPRR", OVER_REFERENCE),
        ("fnr_disparity | FNR Parity", "FNRR", OVER_REFERENCE),
        ("fdr_disparity | FDR Parity", "FDRR", OVER_REFERENCE),
        ("for_disparity | FOR Parity", "FORR", OVER_REFERENCE),
        ("precision_disparity | Precision Parity", "PPVR", OVER_REFERENCE),
        ("npv_disparity | NPV Parity", "NPVR", OVER_REFERENCE),
        ("accuracy_disparity", "ACCR", OVER_REFERENCE),
        ("prev_disparity", "DPL", OTHER, "a ratio, where DPL is a difference"),
        ("Unsupervised Fairness", "DI", CRITERION, "for Impact Parity, and none for Statistical"),
        ("Supervised Fairness", "FDRR FPRR FORR FNRR", CRITERION),
        ("Overall Fairness", "", NONE, "all the parities together; every check has its verdict"),
        ("TypeI Parity", "FDRR FPRR", CRITERION),
        ("TypeII Parity", "FORR FNRR", CRITERION),
    ),
    *_of(
        "Fairness Indicators",
        ("positive_rate", "DPPL DI", RATE),
        ("negative_rate", "DPPL", RATE, NEGATIVE),
        ("true_positive_rate", "RD TPRR", RATE),
        ("false_negative_rate", "FNRD FNRR", RATE),
        ("true_negative_rate", "SD TNRR", RATE),
        ("false_positive_rate", "FPRD FPRR", RATE),
        ("false_discovery_rate", "FDRD FDRR", RATE, PPV),
        ("false_omission_rate", "FORD FORR", RATE, NPV),
    ),
    *_of(
        FIELD,
        ("FPR | false positive rate | fall-out", "FPRD FPRR", RATE),
        ("FNR | false negative rate | miss rate", "FNRD FNRR", RATE),
        ("TPR | true positive rate | recall | sensitivity | hit rate", "RD TPRR", RATE),
        ("TNR | true negative rate | specificity", "SD TNRR", RATE),
        ("PPV | positive predictive value | precision", "DAR PPVR", RATE),
        ("NPV | negative predictive value", "DRR NPVR", RATE),
        ("FDR | false discovery rate", "FDRD FDRR", RATE, PPV),
        ("FOR | false omission rate", "FORD FORR", RATE, NPV),
        ("accuracy | ACC | accuracy_score", "AD ACCR", RATE),
        ("error rate | zero_one_loss", "ERD ERR", RATE, "and accuracy is the rest of it"),
        ("selection rate | positive rate | acceptance rate", "DPPL DI", RATE),
        ("base rate | prevalence | label rate", "DPL", RATE),
        ("demographic parity | statistical parity | group fairness", "DPPL DI", CRITERION),
        ("equal opportunity | equality of opportunity | EOP | EOpp", "RD TPRR", CRITERION),
        ("equalized odds | equality of odds | EO | separation", "EOD EOR AAOD", CRITERION),
        ("conditional procedure accuracy equality", "EOD EOR AAOD", CRITERION),
        ("error rate balance", "FPRD FNRD EOD", CRITERION),
        ("independence", "DPPL DI", CRITERION),
        ("average odds", "AOD AAOD AOR", CRITERION),
        ("disparate mistreatment", "FPRD FNRD EOD", CRITERION),
        ("predictive parity", "DAR PPVR", CRITERION),
        ("predictive equality | false positive error rate balance", "FPRD FPRR", CRITERION),
        ("false negative error rate balance", "FNRD FNRR", CRITERION),
        ("overall accuracy equality", "AD ACCR", CRITERION),
        ("conditional use accuracy equality | sufficiency", "DAR DRR", CRITERION),
        ("treatment equality", "TE", SAME),
        ("conditional statistical parity | conditional demographic parity", "CDDPL", CRITERION),
        ("adverse impact ratio | impact ratio | four-fifths rule | 80% rule", "DI", SAME),
        ("disparate impact ratio | DIR", "DI", SAME),
        ("DPR | statistical parity ratio", "DI", QUOTIENT_OF_SELECTION, "as fairlearn has it"),
        ("SPD | DPD", "DPPL", SIGN_OPEN),
        ("risk difference", "DPPL", SIGN_OPEN),
        ("risk ratio | relative risk", "DI", RATIO_OPEN),
        ("TPRD", "RD", SAME),
        ("PPVD", "DAR", SAME, "here a less d, as DAR is"),
        ("ACCD", "AD", SAME),
        ("TNRD", "vertex.specificity_difference", SAME, "which has the other sign than SD"),
        ("NPVD", "DRR", A_LESS_D),
        ("odds ratio", "", NONE, "DI and the ratios of rates are of shares"),
        (
            "disparate treatment",
            "",
            NONE,
            "about what a decision is made from, which no count shows",
        ),
        ("calibration | well-calibration | test fairness", "", NONE, PROBABLE),
        ("balance for positive class | balance for negative class", "", NONE, PROBABLE),
    ),
)
"""Every name, by tool."""


PREFIXES = {
    "fairlearn": "fairlearn",
    "aif360": "AIF360",
    "classificationmetric": "AIF360",
    "binarylabeldatasetmetric": "AIF360",
    "aequitas": "Aequitas",
    "fairness_indicators_metrics": "Fairness Indicators",
}
"""What stands before a name in a tool, in small letters, and whose it is."""
PREFIX = re.compile(rf"(?P<whose>{'|'.join(PREFIXES)})[ ./:]+(?:(?:sklearn|metrics)[ ./]+)*", re.I)


def folded(name: str) -> str:
    """Return a name without case, blanks, underscores, hyphens and brackets.

    >>> folded("Equalized Odds") == folded("equalized-odds") == folded("equalized_odds")
    True
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


COMPARISONS: dict[str, tuple[int, Relation]] = {
    "difference": (0, SIGN_OPEN),
    "gap": (0, SIGN_OPEN),
    "ratio": (1, RATIO_OPEN),
    "parity": (2, CRITERION),
}
"""What follows the name of a rate where groups are compared by it: which of the rate's metrics it
is, the difference, the ratio or both, and how it is related."""


@cache
def _compared() -> dict[str, Synonym]:
    return {
        folded(f"{rate.name} {word}"): Synonym(f"{rate.name} {word}", FIELD, metrics, relation)
        for rate in SYNONYMS
        if rate.tool == FIELD and rate.relation is RATE
        for word, (place, relation) in COMPARISONS.items()
        if (metrics := rate.metrics if place == 2 else rate.metrics[place : place + 1])
    }


def comparisons() -> dict[str, str]:
    """Return what a rate's name with the word of a comparison is written like, by its folding."""
    return {key: synonym.name for key, synonym in _compared().items()}


def comparison_of(name: str) -> tuple[Synonym, ...]:
    """Return what the name of a rate and the word of a comparison are; often nothing.

    >>> [found.metrics for found in comparison_of("FNR gap")]
    [('FNRD',)]
    """
    found = _compared().get(folded(name))
    return (found,) if found else ()


@cache
def _by_name() -> dict[str, tuple[Synonym, ...]]:
    known: dict[str, tuple[Synonym, ...]] = {}
    for synonym in SYNONYMS:
        key = folded(synonym.name)
        known[key] = (*known.get(key, ()), synonym)
    return known


def synonyms_of(name: str) -> tuple[Synonym, ...]:
    """Return what a name is in other tools, whatever its case and its separators; often nothing.

    >>> [(found.tool, found.metrics) for found in synonyms_of("Average Odds Difference")]
    [('AIF360', ('AOD',))]
    """
    given = PREFIX.match(name)
    bare = name[given.end() if given else 0 :].partition("@")[0]
    found = _by_name().get(folded(bare), ())
    whose = PREFIXES[given["whose"].casefold()] if given else None
    return tuple(each for each in found if each.tool == whose) or found
