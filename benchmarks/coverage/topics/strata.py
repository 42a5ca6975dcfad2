"""Conditional disparities, over few and many strata."""

from fractions import Fraction
from functools import partial

from cases import TwoGroups, grid
from comparisons import Shares, comparison, stratified

__all__ = ["SCENES"]

NUMBERS = (1, 5, 20, 100)


def stratum_shares(case: TwoGroups, favored: bool, number: int) -> Shares:
    """Return the shares of both labels by stratum; strata and their rates differ."""
    sizes = [Fraction(2 + i % 3, 3) for i in range(number)]
    tilt = [1 + Fraction(2 * (i % 5) - 4, 10) for i in range(number)]
    level = sum(s * t for s, t in zip(sizes, tilt, strict=True))
    yes = [case.rate(favored) * s * t / level for s, t in zip(sizes, tilt, strict=True)]
    return [*yes, *(s / sum(sizes) - y for s, y in zip(sizes, yes, strict=True))]


SCENES = tuple(
    comparison(
        ("CDDL",),
        partial(stratum_shares, number=number),
        stratified,
        grid(),
        f", {number} strata" if number > 1 else ", 1 stratum",
        samples=1.0 if number < 100 else 0.3,
    )
    for number in NUMBERS
)
