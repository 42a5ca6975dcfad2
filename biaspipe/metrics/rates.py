"""The rates of one group that the metrics compare; each in [0, 1] unless it says otherwise."""

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


def recall(group: Group) -> float:
    """TP/(TP+FN), the share of the positive cases that the model finds.

    >>> recall(Group({(True, True): 20, (True, False): 7}))
    0.7407407407407407
    """
    return ratio(group.TP, group.positives, of=f"n_{group.name}(1)")


def specificity(group: Group) -> float:
    """TN/(TN+FP), the share of the negative cases that the model recognises."""
    return ratio(group.TN, group.negatives, of=f"n_{group.name}(0)")


def acceptance_rate(group: Group) -> float:
    """TP/(TP+FP), the share of the positive predictions that are right: precision."""
    return ratio(group.TP, group.predicted_positives, of=f"n'_{group.name}(1)")


def rejection_rate(group: Group) -> float:
    """TN/(TN+FN), the share of the negative predictions that are right."""
    return ratio(group.TN, group.predicted_negatives, of=f"n'_{group.name}(0)")


def accuracy(group: Group) -> float:
    """(TP+TN)/n, the share of the predictions that are right."""
    return ratio(group.TP + group.TN, group.n, of=f"n_{group.name}")


def conditional_acceptance(group: Group) -> float:
    """n(1)/n'(1), observed acceptances for each predicted one; in [0, inf)."""
    return ratio(group.positives, group.predicted_positives, of=f"n'_{group.name}(1)")


def conditional_rejection(group: Group) -> float:
    """n(0)/n'(0), observed rejections for each predicted one; in [0, inf)."""
    return ratio(group.negatives, group.predicted_negatives, of=f"n'_{group.name}(0)")


def error_ratio(group: Group) -> float:
    """FN/FP, false rejections for each false acceptance; in [0, inf)."""
    return ratio(group.FN, group.FP, of=f"FP_{group.name}")
