"""Generalized entropy, the one metric that compares people instead of groups."""

from fractions import Fraction
from math import fsum, inf, log

from biaspipe.counts import Group, Real, Undefined, ratio
from biaspipe.metrics.record import Needs, Parameter, metric

__all__ = ["GE"]

GUIDE = "AWS SageMaker Clarify, Post-training Data and Model Bias Metrics: "


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
