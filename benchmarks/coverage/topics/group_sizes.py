"""The imbalance of the sizes of two groups that are drawn as one."""

from fractions import Fraction

from cases import TwoGroups, grid
from comparisons import Counts, Shares, comparison

from biaspipe.counts import Group, Table

__all__ = ["SCENES"]


def size_share(case: TwoGroups, favored: bool) -> Shares:
    """Return a group's share of both, which is all that CI looks at."""
    return [Fraction(case.people(favored), case.favored + case.disfavored)]


def sizes(a: Counts, d: Counts) -> Table:
    """Return a comparison of which nothing but the sizes is known."""
    return Table(Group({(None, None): a[0]}, name="a"), Group({(None, None): d[0]}, name="d"))


ANY = Fraction(1, 2)
SCENES = (
    comparison(("CI",), size_share, sizes, grid(bases=[ANY], gaps=[Fraction(0)]), together=True),
)
