"""The metrics of Google Vertex AI; slice 1 is the favored group, slice 2 the disfavored one."""

from math import inf

from biaspipe.counts import Real, Table
from biaspipe.metrics.post_training import AD, DPPL, RD, TE
from biaspipe.metrics.pre_training import CI, DPL
from biaspipe.metrics.rates import (
    accuracy,
    error_ratio,
    label_rate,
    recall,
    selection_rate,
    specificity,
)
from biaspipe.metrics.record import Metric, Needs, metric

__all__ = ["VERTEX"]

MODEL = "Google Vertex AI, Model bias metrics: "
DATA = "Google Vertex AI, Data bias metrics: "
BOTH = Needs.FACET | Needs.OBSERVED | Needs.PREDICTED


@metric(
    id="vertex.accuracy_difference",
    name="Accuracy Difference",
    needs=AD.needs,
    formula="(TP_a+TN_a)/n_a - (TP_d+TN_d)/n_d",
    range=(-1, 1),
    plainly=AD.plainly,
    positive=AD.positive,
    parity=AD.parity,
    undefined=AD.undefined,
    rate=accuracy,
    compares="a - d",
    source=MODEL + "Accuracy Difference",
    interval="newcombe",
    same_as="AD",
    good_for=AD.good_for,
    note="Equals AD.",
)
def accuracy_difference(table: Table) -> Real:
    """Difference of the accuracies; in [-1, 1]."""
    return AD.compute(table)


@metric(
    id="vertex.dpppl",
    name="Difference in Positive Proportions in Predicted Labels",
    needs=DPPL.needs,
    formula="(TP_a+FP_a)/n_a - (TP_d+FP_d)/n_d",
    range=(-1, 1),
    plainly=DPPL.plainly,
    positive=DPPL.positive,
    parity=DPPL.parity,
    undefined=DPPL.undefined,
    rate=selection_rate,
    compares="a - d",
    source=MODEL + "Difference in Positive Proportions in Predicted Labels (DPPPL)",
    interval="newcombe",
    aliases=("DPPPL",),
    same_as="DPPL",
    note="Equals DPPL.",
)
def dpppl(table: Table) -> Real:
    """Difference of the selection rates; in [-1, 1]."""
    return DPPL.compute(table)


@metric(
    id="vertex.recall_difference",
    name="Recall Difference (Equal Opportunity)",
    needs=RD.needs,
    formula="TP_a/n_a(1) - TP_d/n_d(1)",
    range=(-1, 1),
    plainly=RD.plainly,
    positive=RD.positive,
    parity=RD.parity,
    undefined=RD.undefined,
    rate=recall,
    compares="a - d",
    source=MODEL + "Recall Difference",
    interval="newcombe",
    same_as="RD",
    note="Equals RD.",
)
def recall_difference(table: Table) -> Real:
    """Difference of the recalls; in [-1, 1]."""
    return RD.compute(table)


@metric(
    id="vertex.specificity_difference",
    name="Specificity Difference",
    needs=BOTH,
    formula="TN_a/n_a(0) - TN_d/n_d(0)",
    range=(-1, 1),
    plainly="Of the people whose outcome on record is unfavorable, whether the model is right as "
    "often about one group as about the other.",
    positive="of {others}, the predictions are right more often for {favored} than for "
    "{disfavored}, by {points}",
    parity="of {others}, the predictions are right as often for {favored} as for {disfavored}",
    undefined="one of the groups has no unfavorable label",
    rate=specificity,
    compares="a - d",
    source=MODEL + "Specificity Difference",
    interval="newcombe",
    aliases=("TNRD",),
    same_as="SD",
    note="Equals -SD: Vertex AI subtracts slice 2 from slice 1, Clarify a from d.",
)
def specificity_difference(table: Table) -> Real:
    """Difference of the true negative rates, a minus d; in [-1, 1]."""
    return specificity(table.favored) - specificity(table.disfavored)


@metric(
    id="vertex.error_ratio_difference",
    name="Difference in Ratio of Error Types",
    needs=BOTH,
    formula="FN_a/FP_a - FN_d/FP_d",
    range=(-inf, inf),
    plainly=TE.plainly,
    positive="for each one wrongly {predicted}, the number wrongly {unpredicted} is larger among "
    "{favored} than among {disfavored}, by {gap}",
    parity=TE.parity,
    undefined="one of the groups has no false positive",
    rate=error_ratio,
    compares="a - d",
    source=MODEL + "Difference in Ratio of Error Types",
    interval="wilson-odds",
    harms="favored",
    same_as="TE",
    good_for=TE.good_for,
    note="Equals -TE. The Vertex AI page calls it Treatment Equality too, and says that its sign "
    "alone shows no bias.",
)
def error_ratio_difference(table: Table) -> Real:
    """Difference of false rejections for each false acceptance, a minus d; unbounded."""
    return error_ratio(table.favored) - error_ratio(table.disfavored)


@metric(
    id="vertex.population_size_difference",
    name="Difference in Population Size",
    needs=CI.needs,
    formula="(n_a - n_d)/(n_a + n_d)",
    range=(-1, 1),
    plainly=CI.plainly,
    positive=CI.positive,
    parity=CI.parity,
    harm=CI.harm,
    undefined=CI.undefined,
    source=DATA + "Difference in Population Size",
    interval="wilson",
    same_as="CI",
    good_for=CI.good_for,
    note="Equals CI.",
)
def population_size_difference(table: Table) -> Real:
    """How unequally the two groups are represented; in [-1, 1]."""
    return CI.compute(table)


@metric(
    id="vertex.dpptl",
    name="Difference in Positive Proportions in True Labels",
    needs=DPL.needs,
    formula="n_a(1)/n_a - n_d(1)/n_d",
    range=(-1, 1),
    plainly=DPL.plainly,
    positive=DPL.positive,
    parity=DPL.parity,
    undefined=DPL.undefined,
    rate=label_rate,
    compares="a - d",
    source=DATA + "Difference in Positive Proportions in True Labels (DPPTL)",
    interval="newcombe",
    aliases=("DPPTL",),
    same_as="DPL",
    note="Equals DPL.",
)
def dpptl(table: Table) -> Real:
    """Difference of the shares of positive labels; in [-1, 1]."""
    return DPL.compute(table)


VERTEX: tuple[Metric, ...] = (
    accuracy_difference,
    dpppl,
    recall_difference,
    specificity_difference,
    error_ratio_difference,
    population_size_difference,
    dpptl,
)
