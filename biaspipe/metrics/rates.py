"""The rates of one group that the metrics compare.

Each is a part of the group over a whole of it, so that intervals, tests and the people needed
for a decision know its denominator too.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from biaspipe.counts import Group, Headcount, ratio

__all__ = [
    "Rate",
    "acceptance_rate",
    "accuracy",
    "conditional_acceptance",
    "conditional_rejection",
    "error_rate",
    "error_ratio",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "label_rate",
    "recall",
    "rejection_rate",
    "selection_rate",
    "specificity",
]


class Rate(NamedTuple):
    """A rate of one group: `part(group) / whole(group)`.

    Parameters
    ----------
    part, whole : people of a group; the part lies within the whole where the rate is a share.
    of : what the whole is called in formulas, with {} for the side's letter.
    is_share : whether it is a share of people, in [0, 1].
    both : the people who are in part and whole, where these overlap and neither is in the other.
    counted : what the part is called in formulas, with {} for the side's letter.
    complements : the rate of all others of the whole, if it has a name; both differ alike.

    Examples
    --------
    >>> recall(Group({(True, True): 20, (True, False): 7}))
    Fraction(20, 27)
    """

    part: Callable[[Group], Headcount]
    whole: Callable[[Group], Headcount]
    of: str
    is_share: bool = True
    both: Callable[[Group], Headcount] | None = None
    counted: str = ""
    complements: "Rate | None" = None

    def __call__(self, group: Group) -> Fraction:
        """Return the rate.

        Raises
        ------
        Undefined
            If its denominator is 0.
        """
        return ratio(self.part(group), self.whole(group), of=self.denominator(group))

    def denominator(self, group: Group) -> str:
        """Return the name of the rate's denominator in this group.

        >>> recall.denominator(Group({}, name="d"))
        'n_d(1)'
        """
        return self.of.format(group.name)

    def numerator(self, group: Group) -> str:
        """Return the name of what the rate counts in this group.

        >>> recall.numerator(Group({}, name="d"))
        'TP_d'
        """
        return self.counted.format(group.name)


label_rate = Rate(lambda g: g.positives, lambda g: g.n, "n_{}")
"""n(1)/n, the share whose observed label is favorable; in [0, 1]."""

selection_rate = Rate(lambda g: g.predicted_positives, lambda g: g.n, "n_{}", counted="n'_{}(1)")
"""n'(1)/n, the share whose prediction is favorable; in [0, 1]."""

recall = Rate(lambda g: g.TP, lambda g: g.positives, "n_{}(1)", counted="TP_{}")
"""TP/(TP+FN), the share of the positive cases that the model finds; in [0, 1]."""

specificity = Rate(lambda g: g.TN, lambda g: g.negatives, "n_{}(0)", counted="TN_{}")
"""TN/(TN+FP), the share of the negative cases that the model recognises; in [0, 1]."""

false_negative_rate = Rate(
    lambda g: g.FN, lambda g: g.positives, "n_{}(1)", counted="FN_{}", complements=recall
)
"""FN/(TP+FN), the share of the positive cases that the model misses; in [0, 1]."""

false_positive_rate = Rate(
    lambda g: g.FP, lambda g: g.negatives, "n_{}(0)", counted="FP_{}", complements=specificity
)
"""FP/(TN+FP), the share of the negative cases that the model takes for positive; in [0, 1]."""

acceptance_rate = Rate(lambda g: g.TP, lambda g: g.predicted_positives, "n'_{}(1)", counted="TP_{}")
"""TP/(TP+FP), the share of the positive predictions that are right: precision; in [0, 1]."""

rejection_rate = Rate(lambda g: g.TN, lambda g: g.predicted_negatives, "n'_{}(0)", counted="TN_{}")
"""TN/(TN+FN), the share of the negative predictions that are right; in [0, 1]."""

false_discovery_rate = Rate(
    lambda g: g.FP,
    lambda g: g.predicted_positives,
    "n'_{}(1)",
    counted="FP_{}",
    complements=acceptance_rate,
)
"""FP/(TP+FP), the share of the positive predictions that are wrong; in [0, 1]."""

false_omission_rate = Rate(
    lambda g: g.FN,
    lambda g: g.predicted_negatives,
    "n'_{}(0)",
    counted="FN_{}",
    complements=rejection_rate,
)
"""FN/(TN+FN), the share of the negative predictions that are wrong; in [0, 1]."""

accuracy = Rate(lambda g: g.TP + g.TN, lambda g: g.n, "n_{}", counted="(TP+TN)_{}")
"""(TP+TN)/n, the share of the predictions that are right; in [0, 1]."""

error_rate = Rate(
    lambda g: g.FP + g.FN, lambda g: g.n, "n_{}", counted="(FP+FN)_{}", complements=accuracy
)
"""(FP+FN)/n, the share of the predictions that are wrong; in [0, 1]."""

conditional_acceptance = Rate(
    lambda g: g.positives,
    lambda g: g.predicted_positives,
    "n'_{}(1)",
    is_share=False,
    both=lambda g: g.TP,
)
"""n(1)/n'(1), observed acceptances for each predicted one; in [0, inf)."""

conditional_rejection = Rate(
    lambda g: g.negatives,
    lambda g: g.predicted_negatives,
    "n'_{}(0)",
    is_share=False,
    both=lambda g: g.TN,
)
"""n(0)/n'(0), observed rejections for each predicted one; in [0, inf)."""

error_ratio = Rate(lambda g: g.FN, lambda g: g.FP, "FP_{}", is_share=False)
"""FN/FP, false rejections for each false acceptance; in [0, inf)."""
