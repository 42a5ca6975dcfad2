"""What the fliptest counts, of everybody or of a sample."""

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Drawn", "Flips"]


@dataclass(frozen=True)
class Drawn:
    """Members of the disfavored group that were drawn, by their own prediction.

    Parameters
    ----------
    sample : how many were asked for.
    seed : the number that the draw began with.
    unfavorable : members predicted unfavorable, and how many of them were drawn, without
        replacement.
    favorable : the same of the others.
    """

    sample: int
    seed: int
    unfavorable: tuple[int, int]
    favorable: tuple[int, int]


@dataclass(frozen=True)
class Flips:
    """What the fliptest counted for one comparison; people, not rows.

    Parameters
    ----------
    F_plus : disfavored members predicted unfavorable whose neighbours are favorable.
    F_minus : the reverse.
    n_d, n_a : members of the disfavored and of the favored group that took part.
    left_out : members of either side that lack a numeric feature.
    k : the neighbours asked for.
    scaling : how numeric features were scaled.
    features : the columns that similarity was judged on.
    median_distance : of a disfavored member to its k-th neighbour, None without members.
    drawn : the sample that F+, F- and the median are counts of; None where they are of all.
    shared : how much more the flips vary since members share neighbours: over pairs of members, the
        sum of what both owe to each person of the favored group; None where unknown.
    """

    F_plus: int
    F_minus: int
    n_d: int
    n_a: int
    left_out: int
    k: int
    scaling: str
    features: tuple[str, ...]
    median_distance: float | None
    drawn: Drawn | None = None
    shared: int | None = None

    @property
    def searched(self) -> int:
        """Disfavored members whose neighbours were looked for."""
        return self.drawn.unfavorable[1] + self.drawn.favorable[1] if self.drawn else self.n_d

    @property
    def net(self) -> Fraction:
        """F+ - F- of the whole disfavored group, each counted for those that it was drawn from.

        >>> drawn = Drawn(30, 0, (100, 20), (50, 10))
        >>> Flips(3, 1, 150, 90, 0, 5, "standard", (), None, drawn).net
        Fraction(10, 1)
        """
        if self.drawn is None:
            return Fraction(self.F_plus - self.F_minus)
        strata = (self.drawn.unfavorable, self.drawn.favorable)
        worth = [Fraction(people, drawn) if drawn else Fraction(0) for people, drawn in strata]
        return worth[0] * self.F_plus - worth[1] * self.F_minus
