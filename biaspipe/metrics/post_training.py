"""The thirteen metrics of AWS SageMaker Clarify that need a prediction."""

from math import inf

from biaspipe.counts import Real, Table, unbounded_ratio
from biaspipe.metrics.entropy import GE
from biaspipe.metrics.fliptest import FT
from biaspipe.metrics.pre_training import disparity
from biaspipe.metrics.rates import (
    acceptance_rate,
    accuracy,
    conditional_acceptance,
    conditional_rejection,
    error_ratio,
    recall,
    rejection_rate,
    selection_rate,
    specificity,
)
from biaspipe.metrics.record import Metric, Needs, metric

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
    rate=selection_rate,
    compares="a - d",
    source=GUIDE + "Difference in Positive Proportions in Predicted Labels (DPPL)",
    interval="newcombe",
)
def DPPL(table: Table) -> Real:
    """Difference of the selection rates; in [-1, 1]."""
    return selection_rate(table.favored) - selection_rate(table.disfavored)


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
    rate=selection_rate,
    compares="d / a",
    source=GUIDE + "Disparate Impact (DI)",
    interval="mover-ratio",
    harms="favored",
    aliases=("disparate_impact",),
)
def DI(table: Table) -> Real:
    """Ratio of the selection rates, d to a; in [0, inf], parity at 1."""
    d, a = selection_rate(table.disfavored), selection_rate(table.favored)
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
    rate=conditional_acceptance,
    compares="a - d",
    source=GUIDE + "Difference in Conditional Acceptance (DCAcc)",
    interval="bonett-price",
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
    rate=conditional_rejection,
    compares="d - a",
    source=GUIDE + "Difference in Conditional Rejection (DCR)",
    interval="bonett-price",
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
    rate=specificity,
    compares="d - a",
    source=GUIDE + "Specificity difference (SD)",
    interval="newcombe",
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
    rate=recall,
    compares="a - d",
    source=GUIDE + "Recall Difference (RD)",
    interval="newcombe",
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
    rate=acceptance_rate,
    compares="a - d",
    source=GUIDE + "Difference in Acceptance Rates (DAR)",
    interval="newcombe",
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
    rate=rejection_rate,
    compares="d - a",
    source=GUIDE + "Difference in Rejection Rates (DRR)",
    interval="newcombe",
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
    rate=accuracy,
    compares="a - d",
    source=GUIDE + "Accuracy Difference (AD)",
    interval="newcombe",
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
    rate=error_ratio,
    compares="d - a",
    source=GUIDE + "Treatment Equality (TE)",
    interval="wilson-odds",
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
    undefined="one of the groups is empty, or no stratum has both outcomes and both groups",
    source=GUIDE + "Conditional Demographic Disparity in Predicted Labels (CDDPL)",
    interval="newcombe-stratified",
    note="Strata in which one outcome never occurs are left out, and listed in the report.",
)
def CDDPL(table: Table) -> Real:
    """Demographic disparity in predictions, averaged over strata; in [-1, 1]."""
    return disparity(table, predicted=True)


POST_TRAINING: tuple[Metric, ...] = (
    *(DPPL, DI, DCAcc, DCR, SD, RD, DAR, DRR, AD, TE, CDDPL, FT, GE),
)
