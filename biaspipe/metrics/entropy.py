"""Generalized entropy, the one metric that compares people instead of groups."""

from fractions import Fraction
from math import expm1, fsum, inf, log

from biaspipe.counts import Group, Real, Undefined, ratio
from biaspipe.metrics.record import Needs, Parameter, metric

__all__ = ["GE"]

GUIDE = "AWS SageMaker Clarify, Post-training Data and Model Bias Metrics: "


def _range(alpha: float) -> tuple[float, float]:
    """Return the range of the index: only from alpha = 1 on, one person can have any of it.

    At alpha <= 0 every benefit is 1 or 2, and the index is greatest at one share of twos; it grows
    with the order, so that one near 0, where digits cancel, may be taken for a larger one.

    >>> _range(2.0), _range(0.5), round(_range(0.0)[1], 4)
    ((0, inf), (0, 4.0), 0.0597)
    """
    if alpha >= 1:
        return 0, inf
    if alpha > 0:
        return 0, 1 / (alpha * (1 - alpha))
    order = max(-alpha, 0.001)
    missed = 1 - 2**-order
    share = (order - missed) / (missed * (1 + order))
    return 0, ((1 + share) ** order * (1 - share * missed) - 1) / (order * (1 + order))


@metric(
    id="GE",
    name="Generalized Entropy",
    needs=Needs.OBSERVED | Needs.PREDICTED,
    formula="(1/(n alpha (alpha-1))) sum_i ((b_i/mean b)^alpha - 1), b = y' - y + 1, alpha = 2",
    range=(0, inf),
    plainly="How unequally the model's mistakes are spread over all people: a wrong favorable "
    "decision counts 2, a right decision 1, a wrong unfavorable one 0.",
    positive="the predictions benefit people unequally, index {value}",
    parity="the predictions benefit everybody equally",
    undefined="every prediction is a false negative; for alpha <= 0, if any is",
    source=GUIDE + "Generalized entropy (GE)",
    interval="propimp",
    harms=None,
    parameters={
        "alpha": Parameter(
            2.0, "weight on large benefits; 0 and 1 are the limits", minimum=-20, maximum=20
        )
    },
    range_at=_range,
    good_for="Good for comparing two models on the same people. It looks at no group, so it finds "
    "no bias against one, and its size has no meaning by itself.",
    note="Ignores the facet and appears once. For alpha = 2 it is at most (n-1)/2; the 0.5 of the "
    "guide is already passed by nine false negatives and one true positive, which give 4.5. The "
    "range is stated for alpha >= 1; below 1 it is bounded: by 1/(alpha (1 - alpha)) above 0, and "
    "by 0.06 at 0.",
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
    return max(0.0, _between_whole_orders(shares, alpha))


def _between_whole_orders(shares: list[tuple[Fraction, Fraction]], alpha: float) -> float:
    """Return the index for an order near 0 or 1 too, where its terms almost cancel.

    The weights and the weighted shares both add up to 1, so share^alpha - 1 and
    share^alpha - share have the same sum; the nearer limit decides which one is exact.
    """
    if alpha > 0.5:
        terms = (w * s * expm1((alpha - 1) * log(s)) for s, w in shares if s)
    else:
        terms = (w * (expm1(alpha * log(s)) if s else -1) for s, w in shares)
    return fsum(terms) / (alpha * (alpha - 1))
