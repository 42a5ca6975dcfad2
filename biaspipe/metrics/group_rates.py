"""The rates that a report lists for every group, by the names that it has for them."""

from typing import Literal, NamedTuple

from biaspipe.metrics import rates
from biaspipe.metrics.rates import Rate
from biaspipe.metrics.record import Needs

__all__ = ["GROUP_RATES", "GroupRate", "RateName"]

RateName = Literal[
    "label_rate", "selection_rate", "TPR", "FPR", "TNR", "FNR", "PPV", "NPV", "accuracy"
]
"""The names of the rates."""


class GroupRate(NamedTuple):
    """A rate that is listed for every group.

    Parameters
    ----------
    rate : how it is computed.
    needs : what the audit has to declare.
    formula : in the notation of the documentation, of one group.
    about : what it is the share of, in words; favorable means positive.
    """

    rate: Rate
    needs: Needs
    formula: str
    about: str


BOTH = Needs.OBSERVED | Needs.PREDICTED

GROUP_RATES: dict[RateName, GroupRate] = {
    "label_rate": GroupRate(
        rates.label_rate,
        Needs.OBSERVED,
        "n(1)/n",
        "of all people, the share with the favorable label",
    ),
    "selection_rate": GroupRate(
        rates.selection_rate,
        Needs.PREDICTED,
        "n'(1)/n",
        "of all people, the share predicted favorable",
    ),
    "TPR": GroupRate(
        rates.recall,
        BOTH,
        "TP/(TP+FN)",
        "of those with the favorable label, the share predicted favorable",
    ),
    "FPR": GroupRate(
        rates.false_positive_rate,
        BOTH,
        "FP/(FP+TN)",
        "of those with the unfavorable label, the share predicted favorable",
    ),
    "TNR": GroupRate(
        rates.specificity,
        BOTH,
        "TN/(FP+TN)",
        "of those with the unfavorable label, the share predicted unfavorable",
    ),
    "FNR": GroupRate(
        rates.false_negative_rate,
        BOTH,
        "FN/(TP+FN)",
        "of those with the favorable label, the share predicted unfavorable",
    ),
    "PPV": GroupRate(
        rates.acceptance_rate,
        BOTH,
        "TP/(TP+FP)",
        "of those predicted favorable, the share with the favorable label",
    ),
    "NPV": GroupRate(
        rates.rejection_rate,
        BOTH,
        "TN/(TN+FN)",
        "of those predicted unfavorable, the share with the unfavorable label",
    ),
    "accuracy": GroupRate(
        rates.accuracy,
        BOTH,
        "(TP+TN)/n",
        "of all people, the share whose prediction is their label",
    ),
}
"""Every rate by its name, in the order in which they are read."""
