"""The thirteen metrics of AWS SageMaker Clarify that need a prediction."""

from fractions import Fraction
from math import fsum, inf, log

from biaspipe.counts import Flips, Group, Real, Table, Undefined, ratio, unbounded_ratio
from biaspipe.metrics.pre_training import disparity
from biaspipe.metrics.rates import (
    acceptance_rate,
    accuracy,
    conditional_acceptance,
    conditional_rejection,
    error_ratio,
    recall,
    rejection_rate,
    specificity,
)
from biaspipe.metrics.record import Metric, Needs, Parameter, metric

__all__ = [
    "AD",
    "CDDPL",
    "DAR",
    "DCR",
    "DI",
    "DPPL",
    "DRR",
    "FT",
    "GE",
    "POST_TRAINING",
    "RD",
    "SD",
    "TE",
    "DCAcc",
]

GUIDE = "AWS SageMaker Clarify, Post-training Data and Model Bias Metrics: "
PREDICTED = Needs.FACET | Needs.PREDICTED
BOTH = PREDICTED | Needs.OBSERVED


@metric(
    id="DPPL",
    name="Difference in Positive Proportions in Predicted Labels",
    needs=PREDICTED,
    formula="n'_a(1)/n_a - n'_d(1)/n_d",
    range=(-1, 1),
    positive="{favored} is predicted positive more often than {disfavored}, by {gap}",
    undefined="one of the groups is empty",
    source=GUIDE + "Difference in Positive Proportions in Predicted Labels (DPPL)",
)
def DPPL(table: Table) -> Real:
    """Difference of the selection rates; in [-1, 1]."""
    return table.favored.selection_rate - table.disfavored.selection_rate


@metric(
    id="DI",
    name="Disparate Impact",
    needs=PREDICTED,
    formula="(n'_d(1)/n_d) / (n'_a(1)/n_a)",
    range=(0, inf),
    ideal=1.0,
    positive="{disfavored} is predicted positive {value} times as often as {favored}",
    negative="{disfavored} is predicted positive {value} times as often as {favored}",
    undefined="nobody in either group is predicted positive, or one of them is empty; "
    "infinite where only the disfavored group is",
    source=GUIDE + "Disparate Impact (DI)",
    harms="favored",
    aliases=("disparate_impact",),
)
def DI(table: Table) -> Real:
    """Ratio of the selection rates, d to a; in [0, inf], parity at 1."""
    d, a = table.disfavored.selection_rate, table.favored.selection_rate
    return unbounded_ratio(d, a, of="n'_a(1)")


@metric(
    id="DCAcc",
    name="Difference in Conditional Acceptance",
    needs=BOTH,
    formula="n_a(1)/n'_a(1) - n_d(1)/n'_d(1)",
    range=(-inf, inf),
    positive="{favored} has more positive labels for each positive prediction than {disfavored}, "
    "by {gap}",
    undefined="one of the groups has no positive prediction",
    source=GUIDE + "Difference in Conditional Acceptance (DCAcc)",
    harms="favored",
    aliases=("DCA",),
)
def DCAcc(table: Table) -> Real:
    """Difference of observed acceptances for each predicted one; unbounded."""
    return conditional_acceptance(table.favored) - conditional_acceptance(table.disfavored)


@metric(
    id="DCR",
    name="Difference in Conditional Rejection",
    needs=BOTH,
    formula="n_d(0)/n'_d(0) - n_a(0)/n'_a(0)",
    range=(-inf, inf),
    positive="{disfavored} has more negative labels for each negative prediction than {favored}, "
    "by {gap}",
    undefined="one of the groups has no negative prediction",
    source=GUIDE + "Difference in Conditional Rejection (DCR)",
    harms="favored",
)
def DCR(table: Table) -> Real:
    """Difference of observed rejections for each predicted one; unbounded."""
    return conditional_rejection(table.disfavored) - conditional_rejection(table.favored)


@metric(
    id="SD",
    name="Specificity Difference",
    needs=BOTH,
    formula="TNR_d - TNR_a, TNR = TN/(TN+FP)",
    range=(-1, 1),
    positive="the model recognises negative cases of {disfavored} more often than of {favored}, "
    "by {gap}",
    undefined="one of the groups has no negative label",
    source=GUIDE + "Specificity difference (SD)",
    note="d minus a, so that a positive value is against d; Vertex AI subtracts the other way.",
)
def SD(table: Table) -> Real:
    """Difference of the true negative rates, d minus a; in [-1, 1]."""
    return specificity(table.disfavored) - specificity(table.favored)


@metric(
    id="RD",
    name="Recall Difference",
    needs=BOTH,
    formula="TPR_a - TPR_d, TPR = TP/(TP+FN)",
    range=(-1, 1),
    positive="the model finds positive cases of {favored} more often than of {disfavored}, "
    "by {gap}",
    undefined="one of the groups has no positive label",
    source=GUIDE + "Recall Difference (RD)",
    aliases=("equal_opportunity", "equal opportunity"),
)
def RD(table: Table) -> Real:
    """Difference of the recalls; in [-1, 1]."""
    return recall(table.favored) - recall(table.disfavored)


@metric(
    id="DAR",
    name="Difference in Acceptance Rates",
    needs=BOTH,
    formula="TP_a/(TP_a+FP_a) - TP_d/(TP_d+FP_d)",
    range=(-1, 1),
    positive="positive predictions are right more often for {favored} than for {disfavored}, "
    "by {gap}",
    undefined="one of the groups has no positive prediction",
    source=GUIDE + "Difference in Acceptance Rates (DAR)",
)
def DAR(table: Table) -> Real:
    """Difference of the precisions; in [-1, 1]."""
    return acceptance_rate(table.favored) - acceptance_rate(table.disfavored)


@metric(
    id="DRR",
    name="Difference in Rejection Rates",
    needs=BOTH,
    formula="TN_d/(TN_d+FN_d) - TN_a/(TN_a+FN_a)",
    range=(-1, 1),
    positive="negative predictions are right more often for {disfavored} than for {favored}, "
    "by {gap}",
    undefined="one of the groups has no negative prediction",
    source=GUIDE + "Difference in Rejection Rates (DRR)",
    harms="favored",
)
def DRR(table: Table) -> Real:
    """Difference of the shares of right rejections, d minus a; in [-1, 1]."""
    return rejection_rate(table.disfavored) - rejection_rate(table.favored)


@metric(
    id="AD",
    name="Accuracy Difference",
    needs=BOTH,
    formula="ACC_a - ACC_d, ACC = (TP+TN)/n",
    range=(-1, 1),
    positive="the model is right more often for {favored} than for {disfavored}, by {gap}",
    undefined="one of the groups is empty",
    source=GUIDE + "Accuracy Difference (AD)",
    aliases=("accuracy_difference",),
)
def AD(table: Table) -> Real:
    """Difference of the accuracies; in [-1, 1]."""
    return accuracy(table.favored) - accuracy(table.disfavored)


@metric(
    id="TE",
    name="Treatment Equality",
    needs=BOTH,
    formula="FN_d/FP_d - FN_a/FP_a",
    range=(-inf, inf),
    positive="{disfavored} is wrongly rejected more often for each wrong acceptance than "
    "{favored}, by {gap}",
    undefined="one of the groups has no false positive",
    source=GUIDE + "Treatment Equality (TE)",
    aliases=("treatment_equality", "treatment equality"),
    note="Vertex AI subtracts the other way.",
)
def TE(table: Table) -> Real:
    """Difference of false rejections for each false acceptance, d minus a; unbounded."""
    return error_ratio(table.disfavored) - error_ratio(table.favored)


@metric(
    id="CDDPL",
    name="Conditional Demographic Disparity in Predicted Labels",
    needs=PREDICTED | Needs.STRATA,
    formula="sum_i (n_i/n) DD_i, DD_i = n'_di(0)/n'_i(0) - n'_di(1)/n'_i(1) in stratum i",
    range=(-1, 1),
    positive="within strata {disfavored} has more of the predicted rejections than of the "
    "predicted acceptances, by {gap}",
    negative="within strata {disfavored} has less of the predicted rejections than of the "
    "predicted acceptances, by {gap}",
    undefined="no stratum has both outcomes",
    source=GUIDE + "Conditional Demographic Disparity in Predicted Labels (CDDPL)",
    note="Strata in which one outcome never occurs are left out, and listed in the report.",
)
def CDDPL(table: Table) -> Real:
    """Demographic disparity in predictions, averaged over strata; in [-1, 1]."""
    return disparity(table, lambda g: g.predicted_positives, lambda g: g.predicted_negatives)


@metric(
    id="FT",
    name="Counterfactual Fliptest",
    needs=PREDICTED | Needs.FEATURES,
    formula="(F+ - F-)/n_d, F+ = members of d predicted unfavorable whose k nearest members of a "
    "are mostly favorable, F- = the reverse",
    range=(-1, 1),
    positive="similar members of {favored} are predicted positive where members of {disfavored} "
    "are not, by {gap}",
    negative="similar members of {favored} are not predicted positive where members of "
    "{disfavored} are, by {gap}",
    undefined="the disfavored group is empty, or the favored one has fewer than k members",
    source=GUIDE + "Counterfactual Fliptest (FT)",
    aliases=("fliptest",),
    parameters={
        "k": Parameter(5, "nearest neighbours that vote", minimum=1, whole=True),
        "scaling": Parameter(
            "standard",
            "numeric features in standard deviations, over their range, or as they are",
            choices=("standard", "range", "none"),
        ),
    },
    note="Positive is against d, as the guide says; the open-source smclarify 0.5 computes the "
    "opposite sign. All rows tied at the k-th distance vote; a draw is no flip.",
)
def FT(flips: Flips) -> Real:
    """Net share of d that would be favorable by the predictions for similar members of a."""
    if flips.favored < flips.k:
        raise Undefined(f"n_a = {flips.favored} is fewer than k = {flips.k} neighbours")
    return ratio(flips.favorable - flips.unfavorable, flips.disfavored, of="n_d")


@metric(
    id="GE",
    name="Generalized Entropy",
    needs=Needs.OBSERVED | Needs.PREDICTED,
    formula="(1/(n alpha (alpha-1))) sum_i ((b_i/mean b)^alpha - 1), b = y' - y + 1, alpha = 2",
    range=(0, inf),
    positive="the benefit of the predictions is spread unevenly over all people, index {value}",
    parity="the benefit of the predictions is spread evenly over all people",
    undefined="every prediction is a false negative; for alpha <= 0, if any is",
    source=GUIDE + "Generalized entropy (GE)",
    harms=None,
    parameters={
        "alpha": Parameter(
            2.0, "weight on large benefits; 0 and 1 are the limits", minimum=-20, maximum=20
        )
    },
    note="Ignores the facet and appears once. For alpha = 2 it is at most (n-1)/2; the 0.5 of the "
    "guide is already passed by nine false negatives and one true positive, which give 4.5.",
)
def GE(group: Group, alpha: float = 2.0) -> Real:
    """Inequality of the benefit b = y' - y + 1 over all people, in [0, inf)."""
    benefits = {0: group.FN, 1: group.TP + group.TN, 2: group.FP}
    mean = ratio(group.n - group.FN + group.FP, group.n, of="n")
    if alpha <= 0 and group.FN:
        raise Undefined(f"FN = {group.FN} people have no benefit, and alpha = {alpha:g}")
    shares = [
        (ratio(benefit, mean, of="mean benefit"), Fraction(n, group.n))
        for benefit, n in benefits.items()
        if n
    ]
    if alpha == 0:
        return max(0.0, -fsum(weight * log(share) for share, weight in shares))
    if alpha == 1:
        return max(0.0, fsum(weight * share * log(share) for share, weight in shares if share))
    if float(alpha).is_integer():
        total = sum(weight * (share ** int(alpha) - 1) for share, weight in shares)
        return Fraction(total) / int(alpha * (alpha - 1))
    inexact = fsum(weight * (share**alpha - 1) for share, weight in shares)
    return max(0.0, inexact / (alpha * (alpha - 1)))


POST_TRAINING: tuple[Metric, ...] = (
    *(DPPL, DI, DCAcc, DCR, SD, RD, DAR, DRR, AD, TE, CDDPL, FT, GE),
)
