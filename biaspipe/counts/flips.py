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
    people : members that took part in the draw: those predicted unfavorable, and the others.
    members : how many of each were drawn, without replacement.
    """

    sample: int
    seed: int
    people: tuple[int, int]
    members: tuple[int, int]


@dataclass(frozen=True)
class Flips:
    """What the fliptest counted for one comparison; people, not rows.

    Parameters
    ----------
    favorable : F+, disfavored members predicted unfavorable whose neighbours are favorable.
    unfavorable : F-, the reverse.
    disfavored, favored : members on each side that took part, n_d and n_a.
    left_out : members of either side that lack a numeric feature.
    k : the neighbours asked for.
    scaling : how numeric features were scaled.
    features : the columns that similarity was judged on.
    median_distance : of a disfavored member to its k-th neighbour, None without members.
    drawn : the sample that F+, F- and the median are counts of; None where they are of all.
    """

    favorable: int
    unfavorable: int
    disfavored: int
    favored: int
    left_out: int
    k: int
    scaling: str
    features: tuple[str, ...]
    median_distance: float | None
    drawn: Drawn | None = None

    @property
    def judged(self) -> int:
        """Disfavored members whose neighbours were looked for."""
        return sum(self.drawn.members) if self.drawn else self.disfavored

    @property
    def net(self) -> Fraction:
        """F+ - F- of the whole disfavored group, each counted for those that it was drawn from.

        >>> drawn = Drawn(30, 0, (100, 50), (20, 10))
        >>> Flips(3, 1, 150, 90, 0, 5, "standard", (), None, drawn).net
        Fraction(10, 1)
        """
        if self.drawn is None:
            return Fraction(self.favorable - self.unfavorable)
        pairs = zip(self.drawn.people, self.drawn.members, strict=True)
        worth = [Fraction(people, members) if members else Fraction(0) for people, members in pairs]
        return worth[0] * self.favorable - worth[1] * self.unfavorable
