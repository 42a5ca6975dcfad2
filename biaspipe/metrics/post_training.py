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
TIMES = (
    "the share who are {predicted} is {value} times as large among {disfavored} as among {favored}"
)


@metric(
    id="DPPL",
    name="Difference in Positive Proportions in Predicted Labels",
    needs=PREDICTED,
    formula="n'_a(1)/n_a - n'_d(1)/n_d",
    range=(-1, 1),
    plainly="How many more of 100 people in one group than in the other get the favorable "
    "decision.",
    positive="the share who are {predicted} is larger among {favored} than among {disfavored}, by "
    "{points}",
    parity="the share who are {predicted} is as large among {favored} as among {disfavored}",
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
    plainly="How often people of one group get the favorable decision compared with those of the "
    "other: 0.5 is half as often, 1 is alike, and the four-fifths rule asks for at least 0.8.",
    positive=TIMES,
    negative=TIMES,
    parity="the share who are {predicted} is as large among {disfavored} as among {favored}",
    undefined="nobody in either group is predicted favorable, or one of them is empty; "
    "infinite where only the disfavored group is",
    rate=selection_rate,
    compares="d / a",
    source=GUIDE + "Disparate Impact (DI)",
    interval="mover-ratio",
    harms="favored",
    aliases=("disparate_impact", "disparate_impact_ratio", "pprev_disparity"),
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
    plainly="For each favorable decision, how many people with a favorable outcome on record there "
    "are, in one group and in the other.",
    positive="for each one {predicted}, the number of people {holding} is larger among {favored} "
    "than among {disfavored}, by {gap}",
    parity="for each one {predicted}, the number of people {holding} is as large among {favored} "
    "as among {disfavored}",
    undefined="one of the groups has no favorable prediction",
    rate=conditional_acceptance,
    compares="a - d",
    source=GUIDE + "Difference in Conditional Acceptance (DCAcc)",
    interval="bonett-price",
    harms="favored",
    aliases=("DCA",),
    good_for="Good for seeing whether a model is more generous with one group than the record is. "
    "It does not look at who is accepted, so a model that accepts the wrong people can have 0.",
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
    plainly="For each unfavorable decision, how many people with an unfavorable outcome on record "
    "there are, in one group and in the other.",
    positive="for each one {unpredicted}, the number of {others} is larger among {disfavored} than "
    "among {favored}, by {gap}",
    parity="for each one {unpredicted}, the number of {others} is as large among {disfavored} as "
    "among {favored}",
    undefined="one of the groups has no unfavorable prediction",
    rate=conditional_rejection,
    compares="d - a",
    source=GUIDE + "Difference in Conditional Rejection (DCR)",
    interval="bonett-price",
    harms="favored",
    good_for="Good for seeing whether a model is harder on one group than the record is. It does "
    "not look at who is refused, so a model that refuses the wrong people can have 0.",
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
    plainly="Of the people whose outcome on record is unfavorable, whether one group gets the "
    "favorable decision, which is then a mistake in its favor, more often than the other.",
    positive="of {others}, the share who are {predicted} is larger among {favored} than among "
    "{disfavored}, by {points}",
    parity="of {others}, the share who are {predicted} is as large among {favored} as among "
    "{disfavored}",
    undefined="one of the groups has no unfavorable label",
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
    plainly="Of the people whose outcome on record is favorable, whether one group gets the "
    "favorable decision more often than the other.",
    positive="of those {holding}, the share who are {predicted} is larger among {favored} than "
    "among {disfavored}, by {points}",
    parity="of those {holding}, the share who are {predicted} is as large among {favored} as among "
    "{disfavored}",
    undefined="one of the groups has no favorable label",
    rate=recall,
    compares="a - d",
    source=GUIDE + "Recall Difference (RD)",
    interval="newcombe",
    aliases=("equal_opportunity", "equal opportunity", "TPRD"),
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
    plainly="Whether favorable decisions turn out right as often for one group as for the other.",
    positive="where people are {predicted}, that is right more often for {favored} than for "
    "{disfavored}, by {points}",
    parity="where people are {predicted}, that is right as often for {favored} as for {disfavored}",
    undefined="one of the groups has no favorable prediction",
    rate=acceptance_rate,
    compares="a - d",
    source=GUIDE + "Difference in Acceptance Rates (DAR)",
    interval="newcombe",
    aliases=("PPVD",),
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
    plainly="Whether unfavorable decisions turn out right as often for one group as for the other.",
    positive="where people are {unpredicted}, that is wrong more often for {favored} than for "
    "{disfavored}, by {points}",
    parity="where people are {unpredicted}, that is wrong as often for {favored} as for "
    "{disfavored}",
    undefined="one of the groups has no unfavorable prediction",
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
    plainly="Whether the model is right as often about one group as about the other, whatever it "
    "says.",
    positive="the predictions are right more often for {favored} than for {disfavored}, by "
    "{points}",
    parity="the predictions are right as often for {favored} as for {disfavored}",
    undefined="one of the groups is empty",
    rate=accuracy,
    compares="a - d",
    source=GUIDE + "Accuracy Difference (AD)",
    interval="newcombe",
    aliases=("accuracy_difference", "ACCD"),
    good_for="Good for finding a group that a model knows little about. It does not tell mistakes "
    "that help from mistakes that harm: look at RD and SD beside it.",
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
    plainly="For each person wrongly given the favorable decision, how many are wrongly denied it, "
    "in one group and in the other.",
    positive="for each one wrongly {predicted}, the number wrongly {unpredicted} is larger among "
    "{disfavored} than among {favored}, by {gap}",
    parity="for each one wrongly {predicted}, the number wrongly {unpredicted} is as large among "
    "{favored} as among {disfavored}",
    undefined="one of the groups has no false positive",
    rate=error_ratio,
    compares="d - a",
    source=GUIDE + "Treatment Equality (TE)",
    interval="wilson-odds",
    aliases=("treatment_equality", "treatment equality"),
    good_for="Good for asking in which direction mistakes go. It does not say how many there are, "
    "jumps where few people are wrongly accepted, and has no scale that a limit could be read on: "
    "limit RD and SD instead.",
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
    plainly="Whether, among people of the same stratum such as a department, a group gets more of "
    "the unfavorable decisions than of the favorable ones.",
    positive="on average within the same {strata}, {disfavored} are a smaller share of those "
    "{predicted} than of those {unpredicted}, by {points}",
    negative="on average within the same {strata}, {disfavored} are a larger share of those "
    "{predicted} than of those {unpredicted}, by {points}",
    parity="on average within the same {strata}, {disfavored} are as large a share of those "
    "{predicted} as of those {unpredicted}",
    undefined="one of the groups is empty, or no stratum has both outcomes and both groups",
    source=GUIDE + "Conditional Demographic Disparity in Predicted Labels (CDDPL)",
    interval="newcombe-stratified",
    good_for="Good for finding out whether a difference remains among people who are alike in what "
    "the strata say. It hides a bias in who comes into which stratum.",
    note="Strata in which one outcome never occurs are left out, and listed in the report.",
)
def CDDPL(table: Table) -> Real:
    """Demographic disparity in predictions, averaged over strata; in [-1, 1]."""
    return disparity(table, predicted=True)


POST_TRAINING: tuple[Metric, ...] = (
    *(DPPL, DI, DCAcc, DCR, SD, RD, DAR, DRR, AD, TE, CDDPL, FT, GE),
)
