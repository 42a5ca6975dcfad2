"""Distances between distributions of a label of many categories."""

from fractions import Fraction
from functools import partial

from cases import BALANCED, GAPS, UNEVEN, TwoGroups, grid
from comparisons import Shares, categorised, comparison

__all__ = ["SCENES"]

DISTANCES = ("KL", "JS", "LP", "TVD", "KS")
NUMBERS = (5, 10, 20, 50)


def category_shares(case: TwoGroups, favored: bool, number: int) -> Shares:
    """Return the shares of one favorable label and of further ones, each rarer than the last."""
    others = [Fraction(2 * (number - i), number * (number - 1)) for i in range(1, number)]
    rate = case.rate(favored)
    return [rate, *((1 - rate) * other for other in others)]


CASES = grid((*BALANCED[1:], *UNEVEN[1:]), gaps=GAPS[:2])
SCENES = tuple(
    comparison(
        DISTANCES,
        partial(category_shares, number=number),
        categorised,
        CASES,
        f", {number} categories",
        samples=0.4,
    )
    for number in NUMBERS
)
