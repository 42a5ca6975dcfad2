"""The rates of one group that the metrics compare; each in [0, 1] unless it says otherwise."""

from fractions import Fraction

from biaspipe.counts import Group, ratio

__all__ = [
    "acceptance_rate",
    "accuracy",
    "conditional_acceptance",
    "conditional_rejection",
    "error_ratio",
    "recall",
    "rejection_rate",
    "specificity",
]


def recall(group: Group) -> Fraction:
    """TP/(TP+FN), the share of the positive cases that the model finds.

    >>> recall(Group({(True, True): 20, (True, False): 7}))
    Fraction(20, 27)
    """
    return ratio(group.TP, group.positives, of=f"n_{group.name}(1)")


def specificity(group: Group) -> Fraction:
    """TN/(TN+FP), the share of the negative cases that the model recognises."""
    return ratio(group.TN, group.negatives, of=f"n_{group.name}(0)")


def acceptance_rate(group: Group) -> Fraction:
    """TP/(TP+FP), the share of the positive predictions that are right: precision."""
    return ratio(group.TP, group.predicted_positives, of=f"n'_{group.name}(1)")


def rejection_rate(group: Group) -> Fraction:
    """TN/(TN+FN), the share of the negative predictions that are right."""
    return ratio(group.TN, group.predicted_negatives, of=f"n'_{group.name}(0)")


def accuracy(group: Group) -> Fraction:
    """(TP+TN)/n, the share of the predictions that are right."""
    return ratio(group.TP + group.TN, group.n, of=f"n_{group.name}")


def conditional_acceptance(group: Group) -> Fraction:
    """n(1)/n'(1), observed acceptances for each predicted one; in [0, inf)."""
    return ratio(group.positives, group.predicted_positives, of=f"n'_{group.name}(1)")


def conditional_rejection(group: Group) -> Fraction:
    """n(0)/n'(0), observed rejections for each predicted one; in [0, inf)."""
    return ratio(group.negatives, group.predicted_negatives, of=f"n'_{group.name}(0)")


def error_ratio(group: Group) -> Fraction:
    """FN/FP, false rejections for each false acceptance; in [0, inf)."""
    return ratio(group.FN, group.FP, of=f"FP_{group.name}")
