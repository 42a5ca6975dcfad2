"""How far a search for neighbours has come."""

from dataclasses import dataclass, field

__all__ = ["SearchTally"]


@dataclass
class SearchTally:
    """The people whose neighbours are looked for, and those of whom they are found.

    Parameters
    ----------
    members : the people; 0 where nobody counts them.
    found : how many of them, in parts, since several threads add to it.
    """

    members: int = 0
    found: list[int] = field(default_factory=list)

    def begin(self, members: int) -> None:
        """Begin a search."""
        self.members, self.found = members, []

    def measure(self) -> tuple[int, int] | None:
        """Return how many are found, and of how many; None where nobody counts them.

        >>> SearchTally(5, [2, 1]).measure(), SearchTally().measure()
        ((3, 5), None)
        """
        return (sum(self.found), self.members) if self.members else None
