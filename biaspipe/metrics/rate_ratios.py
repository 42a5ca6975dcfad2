"""The ratios of one rate, d to a, that other libraries have beside Clarify's DI."""

from functools import partial
from math import inf

from biaspipe.counts import Real, Table, unbounded_ratio
from biaspipe.metrics.post_training import AD
from biaspipe.metrics.rate_differences import (
    AMONG_ACCEPTED,
    AMONG_NEGATIVE,
    AMONG_POSITIVE,
    AMONG_REJECTED,
    EMPTY,
    NO_LABEL,
    NO_PREDICTION,
    WRONG,
)
from biaspipe.metrics.rates import (
    Rate,
    acceptance_rate,
    accuracy,
    error_rate,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    recall,
    rejection_rate,
    specificity,
)
from biaspipe.metrics.record import Metric, Needs, metric

__all__ = ["RATE_RATIOS"]

rate_ratio = partial(
    metric,
    needs=Needs.FACET | Needs.OBSERVED | Needs.PREDICTED,
    range=(0, inf),
    ideal=1.0,
    compares="d / a",
    interval="mover-ratio",
)
"""Makes a metric of a ratio of one rate, with all that these have in common."""
AIF360 = "AIF360, ClassificationMetric."
AEQUITAS = "Aequitas, "

RIGHT = "the share whose predictions are right"
TIMES = " is {value} times as large among {disfavored} as among {favored}"
ALIKE = " is as large among {disfavored} as among {favored}"
NONE = "; where the share of a is 0 it is infinite, or undefined if that of d is 0 too"
SMALL_RATES = (
    "Good for a rate that is seldom above 0.1, where a difference is small whatever its weight. It "
    "says nothing of how many people that is, and jumps where few are counted."
)


def _ratio(rate: Rate, table: Table) -> Real:
    d, a = rate(table.disfavored), rate(table.favored)
    none = f"{rate.numerator(table.favored)} = {rate.numerator(table.disfavored)}"
    return unbounded_ratio(d, a, of=none)


@rate_ratio(
    id="FPRR",
    name="False Positive Rate Ratio",
    formula="FPR_d / FPR_a, FPR = FP/(FP+TN)",
    plainly="Of the people whose outcome on record is unfavorable, how many times as often one "
    "group gets the favorable decision as the other.",
    positive=AMONG_NEGATIVE + "{predicted}" + TIMES,
    negative=AMONG_NEGATIVE + "{predicted}" + TIMES,
    parity=AMONG_NEGATIVE + "{predicted}" + ALIKE,
    undefined=NO_LABEL.format("unfavorable") + NONE,
    rate=false_positive_rate,
    source=AIF360 + "false_positive_rate_ratio",
    harms="favored",
    aliases=("fpr_disparity",),
    good_for=SMALL_RATES,
)
def FPRR(table: Table) -> Real:
    """Ratio of the false positive rates, d to a; in [0, inf], parity at 1."""
    return _ratio(false_positive_rate, table)


@rate_ratio(
    id="FNRR",
    name="False Negative Rate Ratio",
    formula="FNR_d / FNR_a, FNR = FN/(TP+FN)",
    plainly="Of the people whose outcome on record is favorable, how many times as often one group "
    "is denied the favorable decision as the other.",
    positive=AMONG_POSITIVE + "{unpredicted}" + TIMES,
    negative=AMONG_POSITIVE + "{unpredicted}" + TIMES,
    parity=AMONG_POSITIVE + "{unpredicted}" + ALIKE,
    undefined=NO_LABEL.format("favorable") + NONE,
    rate=false_negative_rate,
    source=AIF360 + "false_negative_rate_ratio",
    aliases=("fnr_disparity",),
    good_for=SMALL_RATES,
)
def FNRR(table: Table) -> Real:
    """Ratio of the false negative rates, d to a; in [0, inf], parity at 1."""
    return _ratio(false_negative_rate, table)


@rate_ratio(
    id="FDRR",
    name="False Discovery Rate Ratio",
    formula="FDR_d / FDR_a, FDR = FP/(TP+FP)",
    plainly="How many times as often favorable decisions turn out wrong for one group as for the "
    "other.",
    positive=AMONG_ACCEPTED + "of {others}" + TIMES,
    negative=AMONG_ACCEPTED + "of {others}" + TIMES,
    parity=AMONG_ACCEPTED + "of {others}" + ALIKE,
    undefined=NO_PREDICTION.format("favorable") + NONE,
    rate=false_discovery_rate,
    source=AIF360 + "false_discovery_rate_ratio",
    aliases=("fdr_disparity", "false_discovery_rate_ratio"),
    good_for=SMALL_RATES,
)
def FDRR(table: Table) -> Real:
    """Ratio of the false discovery rates, d to a; in [0, inf], parity at 1."""
    return _ratio(false_discovery_rate, table)


@rate_ratio(
    id="FORR",
    name="False Omission Rate Ratio",
    formula="FOR_d / FOR_a, FOR = FN/(TN+FN)",
    plainly="How many times as often unfavorable decisions turn out wrong for one group as for the "
    "other.",
    positive=AMONG_REJECTED + "{holding}" + TIMES,
    negative=AMONG_REJECTED + "{holding}" + TIMES,
    parity=AMONG_REJECTED + "{holding}" + ALIKE,
    undefined=NO_PREDICTION.format("unfavorable") + NONE,
    rate=false_omission_rate,
    source=AIF360 + "false_omission_rate_ratio",
    aliases=("for_disparity", "false_omission_rate_ratio"),
    good_for=SMALL_RATES,
)
def FORR(table: Table) -> Real:
    """Ratio of the false omission rates, d to a; in [0, inf], parity at 1."""
    return _ratio(false_omission_rate, table)


@rate_ratio(
    id="ERR",
    name="Error Rate Ratio",
    formula="ER_d / ER_a, ER = (FP+FN)/n",
    plainly="How many times as often the model is wrong about one group as about the other, "
    "whatever it says.",
    positive=WRONG + TIMES,
    negative=WRONG + TIMES,
    parity=WRONG + ALIKE,
    undefined=EMPTY + NONE,
    rate=error_rate,
    source=AIF360 + "error_rate_ratio",
    aliases=("error_rate_ratio",),
    good_for=SMALL_RATES,
)
def ERR(table: Table) -> Real:
    """Ratio of the error rates, d to a; in [0, inf], parity at 1."""
    return _ratio(error_rate, table)


@rate_ratio(
    id="TPRR",
    name="True Positive Rate Ratio",
    formula="TPR_d / TPR_a, TPR = TP/(TP+FN)",
    plainly="Of the people whose outcome on record is favorable, how many times as often one group "
    "gets the favorable decision as the other.",
    positive=AMONG_POSITIVE + "{predicted}" + TIMES,
    negative=AMONG_POSITIVE + "{predicted}" + TIMES,
    parity=AMONG_POSITIVE + "{predicted}" + ALIKE,
    undefined=NO_LABEL.format("favorable") + NONE,
    rate=recall,
    source=AEQUITAS + "tpr_disparity",
    harms="favored",
    aliases=("tpr_disparity",),
)
def TPRR(table: Table) -> Real:
    """Ratio of the true positive rates, d to a; in [0, inf], parity at 1."""
    return _ratio(recall, table)


@rate_ratio(
    id="TNRR",
    name="True Negative Rate Ratio",
    formula="TNR_d / TNR_a, TNR = TN/(FP+TN)",
    plainly="Of the people whose outcome on record is unfavorable, how many times as often one "
    "group gets the unfavorable decision as the other.",
    positive=AMONG_NEGATIVE + "{unpredicted}" + TIMES,
    negative=AMONG_NEGATIVE + "{unpredicted}" + TIMES,
    parity=AMONG_NEGATIVE + "{unpredicted}" + ALIKE,
    undefined=NO_LABEL.format("unfavorable") + NONE,
    rate=specificity,
    source=AEQUITAS + "tnr_disparity",
    aliases=("tnr_disparity",),
)
def TNRR(table: Table) -> Real:
    """Ratio of the true negative rates, d to a; in [0, inf], parity at 1."""
    return _ratio(specificity, table)


@rate_ratio(
    id="PPVR",
    name="Positive Predictive Value Ratio",
    formula="PPV_d / PPV_a, PPV = TP/(TP+FP)",
    plainly="How many times as often favorable decisions turn out right for one group as for the "
    "other.",
    positive=AMONG_ACCEPTED + "{holding}" + TIMES,
    negative=AMONG_ACCEPTED + "{holding}" + TIMES,
    parity=AMONG_ACCEPTED + "{holding}" + ALIKE,
    undefined=NO_PREDICTION.format("favorable") + NONE,
    rate=acceptance_rate,
    source=AEQUITAS + "precision_disparity",
    harms="favored",
    aliases=("precision_disparity",),
)
def PPVR(table: Table) -> Real:
    """Ratio of the positive predictive values, d to a; in [0, inf], parity at 1."""
    return _ratio(acceptance_rate, table)


@rate_ratio(
    id="NPVR",
    name="Negative Predictive Value Ratio",
    formula="NPV_d / NPV_a, NPV = TN/(TN+FN)",
    plainly="How many times as often unfavorable decisions turn out right for one group as for the "
    "other.",
    positive=AMONG_REJECTED + "of {others}" + TIMES,
    negative=AMONG_REJECTED + "of {others}" + TIMES,
    parity=AMONG_REJECTED + "of {others}" + ALIKE,
    undefined=NO_PREDICTION.format("unfavorable") + NONE,
    rate=rejection_rate,
    source=AEQUITAS + "npv_disparity",
    harms="favored",
    aliases=("npv_disparity",),
)
def NPVR(table: Table) -> Real:
    """Ratio of the negative predictive values, d to a; in [0, inf], parity at 1."""
    return _ratio(rejection_rate, table)


@rate_ratio(
    id="ACCR",
    name="Accuracy Ratio",
    formula="ACC_d / ACC_a, ACC = (TP+TN)/n",
    plainly="How many times as often the model is right about one group as about the other, "
    "whatever it says.",
    positive=RIGHT + TIMES,
    negative=RIGHT + TIMES,
    parity=RIGHT + ALIKE,
    undefined=EMPTY + NONE,
    rate=accuracy,
    source=AEQUITAS + "accuracy_disparity",
    harms="favored",
    aliases=("accuracy_disparity",),
    good_for=AD.good_for,
)
def ACCR(table: Table) -> Real:
    """Ratio of the accuracies, d to a; in [0, inf], parity at 1."""
    return _ratio(accuracy, table)


RATE_RATIOS: tuple[Metric, ...] = (*(FPRR, FNRR, FDRR, FORR, ERR, TPRR, TNRR, PPVR, NPVR, ACCR),)
