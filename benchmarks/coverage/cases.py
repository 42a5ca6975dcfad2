"""Populations of two groups, and the numbers of people drawn from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

__all__ = ["BALANCED", "BASES", "GAPS", "SIZES", "UNEVEN", "TwoGroups", "grid"]

BALANCED = ((20, 20), (50, 50), (200, 200), (2_000, 2_000))
UNEVEN = ((20, 2_000), (50, 950), (200, 3_800), (950, 50), (3_800, 200))
"""People of the disfavored and of the favored group; 95 to 5 both ways."""
SIZES = (*BALANCED, *UNEVEN)
BASES = tuple(map(Fraction, ("0.02", "0.1", "0.5")))
GAPS = (Fraction(0), Fraction("0.1"), Fraction("-0.1"))


@dataclass(frozen=True)
class TwoGroups:
    """A population of two groups, and the numbers of people drawn from it.

    Parameters
    ----------
    disfavored, favored : people drawn.
    base : the rate of favorable labels in the group with the lower rate.
    gap : how far the favored group is ahead, or behind if negative.
    model : how good the predictions are, where there are any.
    """

    disfavored: int
    favored: int
    base: Fraction
    gap: Fraction
    model: str = ""

    @property
    def words(self) -> str:
        """The case as it is printed."""
        sizes = f"{self.disfavored:,} against {self.favored:,}"
        words = f"{sizes}, base rate {float(self.base)}, gap {float(self.gap)}"
        return f"{words}, {self.model} model" if self.model else words

    def ahead(self, favored: bool) -> Fraction:
        """Return how far a group is ahead of the other one, 0 for the one behind."""
        return max(Fraction(0), self.gap if favored else -self.gap)

    def rate(self, favored: bool) -> Fraction:
        """Return a group's rate of favorable labels."""
        return self.base + self.ahead(favored)

    def people(self, favored: bool) -> int:
        """Return the number drawn from a group."""
        return self.favored if favored else self.disfavored


def grid(
    sizes: Sequence[tuple[int, int]] = SIZES,
    bases: Sequence[Fraction] = BASES,
    gaps: Sequence[Fraction] = GAPS,
    models: Sequence[str] = ("",),
) -> list[TwoGroups]:
    """Return every case of a grid."""
    return [TwoGroups(*n, base, gap, m) for n, base, gap, m in product(sizes, bases, gaps, models)]
