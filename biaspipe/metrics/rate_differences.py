"""The differences of one rate that other libraries have, beside those of Clarify.

An id is the rate's letters with D for the difference, a minus d; R is the ratio, d to a.
"""

from functools import partial

from biaspipe.counts import Real, Table
from biaspipe.metrics.post_training import AD, SD
from biaspipe.metrics.rates import (
    Rate,
    error_rate,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
)
from biaspipe.metrics.record import Metric, Needs, metric

__all__ = [
    "AMONG_ACCEPTED",
    "AMONG_NEGATIVE",
    "AMONG_POSITIVE",
    "AMONG_REJECTED",
    "EMPTY",
    "NO_LABEL",
    "NO_PREDICTION",
    "RATE_DIFFERENCES",
    "WRONG",
]

rate_difference = partial(
    metric,
    needs=Needs.FACET | Needs.OBSERVED | Needs.PREDICTED,
    range=(-1, 1),
    compares="a - d",
    interval="newcombe",
)
"""Makes a metric of a difference of one rate, with all that these have in common."""
AIF360 = "AIF360, ClassificationMetric."

AMONG_POSITIVE = "of those {holding}, the share who are "
AMONG_NEGATIVE = "of {others}, the share who are "
AMONG_ACCEPTED = "of those who are {predicted}, the share "
AMONG_REJECTED = "of those who are {unpredicted}, the share "
WRONG = "the share whose predictions are wrong"
LARGER = " is larger among {favored} than among {disfavored}, by {points}"
ALIKE = " is as large among {favored} as among {disfavored}"

NO_LABEL = "one of the groups has no {} label"
NO_PREDICTION = "one of the groups has no {} prediction"
EMPTY = "one of the groups is empty"


def _difference(rate: Rate, table: Table) -> Real:
    return rate(table.favored) - rate(table.disfavored)


@rate_difference(
    id="FPRD",
    name="False Positive Rate Difference",
    formula="FPR_a - FPR_d, FPR = FP/(FP+TN)",
    plainly=SD.plainly,
    positive=AMONG_NEGATIVE + "{predicted}" + LARGER,
    parity=AMONG_NEGATIVE + "{predicted}" + ALIKE,
    undefined=NO_LABEL.format("unfavorable"),
    rate=false_positive_rate,
    source=AIF360 + "false_positive_rate_difference",
    same_as="SD",
    note="Equals SD.",
)
def FPRD(table: Table) -> Real:
    """Difference of the false positive rates, a minus d; in [-1, 1]."""
    return _difference(false_positive_rate, table)


@rate_difference(
    id="FNRD",
    name="False Negative Rate Difference",
    formula="FNR_a - FNR_d, FNR = FN/(TP+FN)",
    plainly="Of the people whose outcome on record is favorable, whether one group is denied the "
    "favorable decision more often than the other.",
    positive=AMONG_POSITIVE + "{unpredicted}" + LARGER,
    parity=AMONG_POSITIVE + "{unpredicted}" + ALIKE,
    undefined=NO_LABEL.format("favorable"),
    rate=false_negative_rate,
    source=AIF360 + "false_negative_rate_difference",
    harms="favored",
    same_as="RD",
    note="Equals -RD.",
)
def FNRD(table: Table) -> Real:
    """Difference of the false negative rates, a minus d; in [-1, 1]."""
    return _difference(false_negative_rate, table)


@rate_difference(
    id="FDRD",
    name="False Discovery Rate Difference",
    formula="FDR_a - FDR_d, FDR = FP/(TP+FP)",
    plainly="Whether favorable decisions turn out wrong as often for one group as for the other.",
    positive=AMONG_ACCEPTED + "of {others}" + LARGER,
    parity=AMONG_ACCEPTED + "of {others}" + ALIKE,
    undefined=NO_PREDICTION.format("favorable"),
    rate=false_discovery_rate,
    source=AIF360 + "false_discovery_rate_difference",
    harms="favored",
    same_as="DAR",
    note="Equals -DAR.",
)
def FDRD(table: Table) -> Real:
    """Difference of the false discovery rates, a minus d; in [-1, 1]."""
    return _difference(false_discovery_rate, table)


@rate_difference(
    id="FORD",
    name="False Omission Rate Difference",
    formula="FOR_a - FOR_d, FOR = FN/(TN+FN)",
    plainly="Whether unfavorable decisions turn out wrong as often for one group as for the other.",
    positive=AMONG_REJECTED + "{holding}" + LARGER,
    parity=AMONG_REJECTED + "{holding}" + ALIKE,
    undefined=NO_PREDICTION.format("unfavorable"),
    rate=false_omission_rate,
    source=AIF360 + "false_omission_rate_difference",
    harms="favored",
    same_as="DRR",
    note="Equals DRR.",
)
def FORD(table: Table) -> Real:
    """Difference of the false omission rates, a minus d; in [-1, 1]."""
    return _difference(false_omission_rate, table)


@rate_difference(
    id="ERD",
    name="Error Rate Difference",
    formula="ER_a - ER_d, ER = (FP+FN)/n",
    plainly="Whether the model is wrong as often about one group as about the other, whatever it "
    "says.",
    positive=WRONG + LARGER,
    parity=WRONG + ALIKE,
    undefined=EMPTY,
    rate=error_rate,
    source=AIF360 + "error_rate_difference",
    harms="favored",
    same_as="AD",
    good_for=AD.good_for,
    note="Equals -AD.",
)
def ERD(table: Table) -> Real:
    """Difference of the error rates, a minus d; in [-1, 1]."""
    return _difference(error_rate, table)


RATE_DIFFERENCES: tuple[Metric, ...] = (FPRD, FNRD, FDRD, FORD, ERD)
