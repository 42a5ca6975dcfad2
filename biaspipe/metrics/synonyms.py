"""Names that other tools and the field have for what is measured here, and what differs.

A name alone says little: `demographic_parity_difference` of fairlearn has no sign, and the same
differences of AIF360 have the other one. Only names of the same value and sign are aliases too,
which a spec may use.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

__all__ = ["FIELD", "SYNONYMS", "Relation", "Synonym", "folded", "synonyms_of"]


class Relation(NamedTuple):
    """How another tool's number is related to that of a metric.

    Parameters
    ----------
    words : what the tool computes.
    briefly : the same in a few words, with {metrics}.
    write : what a spec has for it, with {check}, the first metric with an example of its limits,
        or {checks}, that of all.
    aside : what differs, in the fewest words; nothing where it is no number of the metric's kind.
    """

    words: str
    briefly: str
    write: str = "{check}"
    aside: str = ""


PAIRS = "{check}, of more than two groups with `compare: pairs` on the facet"
BEST = "{check}, of more than two groups with `compare: best` or `compare: pairs` on the facet"

SAME = Relation("the same value, with the same sign", "{metrics}", aside="the same")
AT_ALPHA_1 = Relation(
    "the same value at alpha: 1",
    "{metrics} with alpha: 1",
    "GE: {{alpha: 1, max_abs: 0.1}}",
    "with alpha: 1",
)
TURNED = Relation(
    "the unprivileged group less the privileged one, so that the sign is the other one",
    "{metrics} with the other sign",
    "{check}, which asks the same of either sign; a min there is a max here, negated",
    "with the other sign",
)
SPREAD = Relation(
    "the largest value of all groups less the smallest one, so that there is no sign",
    "{metrics} without its sign, of the two groups farthest apart",
    PAIRS,
    "without a sign, over all groups",
)
SPREAD_OF_SELECTION = SPREAD._replace(write=BEST)
QUOTIENT = Relation(
    "the smallest value of all groups for each unit of the largest one, never above 1",
    "{metrics} turned below 1, of the two groups farthest apart",
    PAIRS,
    "turned below 1, over all groups",
)
QUOTIENT_OF_SELECTION = QUOTIENT._replace(write=BEST)
OF_ALL_GROUPS = Relation(
    "the same value for two groups; of more, that of the largest and the smallest rates of all",
    "{metrics}, for two groups",
    PAIRS,
    "the same for two groups",
)
OF_TWO_GROUPS = Relation(
    "the same value for two groups; of more, each rate has its own two groups farthest apart",
    "{metrics}, for two groups",
    aside="the same for two groups",
)
OVER_REFERENCE = Relation(
    "the same value, a group's for each unit of the reference group's, and 10 where that is 0",
    "{metrics}",
    "{check}, with the reference group as `favored`",
    "the same, over the reference group",
)
RATE = Relation(
    "a rate of each group, and no comparison",
    "a rate of each group, which `run --rates` shows; {metrics} compare it",
    "`run --rates` to see it of every group; to compare it {checks}",
)
CRITERION = Relation("a criterion, and no number", "a criterion, measured by {metrics}", "{checks}")
SIGN_OPEN = Relation(
    "a difference whose sign differs from tool to tool", "{metrics}, perhaps with the other sign"
)
A_LESS_D = Relation("a less d", "{metrics} with the other sign")
OTHER = Relation("another number", "another number than {metrics}, which is nearest")


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
        'that is a rate of each group, which `run --rates` shows; RD and TPRR compare it'
        """
        *others, last = self.metrics
        metrics = f"{', '.join(others)} and {last}" if others else last
        words = self.relation.briefly.format(metrics=metrics)
        words = f"{words}, {self.note}" if self.note else words
        own = self.tool and self.relation not in (RATE, CRITERION)
        return f"{self.tool}'s is {words}" if own else f"that is {words}"


FIELD = ""
"""No tool's: a name that the field has."""
PPV, NPV = (f"and {rate} is the rest of it" for rate in ("PPV", "NPV"))
LABELS = "of a BinaryLabelDatasetMetric, which looks at labels"
ZERO = "; 0 where nobody of the privileged group has it, which is infinite here"
UNWEIGHTED = "which weights of people do not change there"

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
        ("equalized_odds_ratio", "EOR", OF_ALL_GROUPS),
        ('equalized_odds_difference(agg="mean")', "AAOD", OF_TWO_GROUPS),
        ('equalized_odds_ratio(agg="mean")', "AOR", OF_TWO_GROUPS),
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
        ("TypeI Parity", "FDRR FPRR", CRITERION),
        ("TypeII Parity", "FORR FNRR", CRITERION),
    ),
    *_of(
        "Fairness Indicators",
        ("positive_rate | negative_rate", "DPPL DI", RATE),
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
        ("equal opportunity | equality of opportunity", "RD TPRR", CRITERION),
        ("equalized odds | equality of odds | EO", "EOD EOR AAOD", CRITERION),
        ("average odds", "AOD AAOD AOR", CRITERION),
        ("disparate mistreatment", "FPRD FNRD EOD", CRITERION),
        ("predictive parity", "DAR PPVR", CRITERION),
        ("predictive equality | false positive rate parity", "FPRD FPRR", CRITERION),
        ("false negative rate parity", "FNRD FNRR", CRITERION),
        ("false discovery rate parity", "FDRD FDRR", CRITERION),
        ("false omission rate parity", "FORD FORR", CRITERION),
        ("error rate parity", "ERD ERR", CRITERION),
        ("overall accuracy equality | accuracy parity", "AD ACCR", CRITERION),
        ("conditional use accuracy equality | sufficiency", "DAR DRR", CRITERION),
        ("treatment equality", "TE", SAME),
        ("conditional statistical parity | conditional demographic parity", "CDDPL", CRITERION),
        ("adverse impact ratio | impact ratio | four-fifths rule | 80% rule", "DI", SAME),
        ("disparate impact ratio | DIR", "DI", SAME),
        ("DPR | statistical parity ratio", "DI", QUOTIENT_OF_SELECTION, "as fairlearn has it"),
        ("SPD | DPD", "DPPL", SIGN_OPEN),
        ("FPR difference | FPR gap", "FPRD", SIGN_OPEN),
        ("TPR difference | TPR gap", "RD", SIGN_OPEN),
        ("NPVD", "DRR", A_LESS_D),
    ),
)
"""Every name, by tool."""


def folded(name: str) -> str:
    """Return a name without case, blanks, underscores, hyphens and brackets.

    >>> folded("Equalized Odds") == folded("equalized-odds") == folded("equalized_odds")
    True
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


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
    bare = name.removeprefix("fairness_indicators_metrics/").partition("@")[0]
    return _by_name().get(folded(bare), ())
