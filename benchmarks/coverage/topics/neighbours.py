"""The fliptest."""

from cases import TwoGroups, grid
from comparisons import Counts, Shares, comparison

from biaspipe.counts import Flips

__all__ = ["SCENES"]


def flip_shares(case: TwoGroups, _favored: bool) -> Shares:
    """Return the shares of flips to the favorable, away from it, and of none."""
    to, away = (case.base / 2 + case.ahead(side) for side in (True, False))
    return [to, away, 1 - to - away]


def flips(_: Counts, d: Counts) -> Flips:
    """Return what a fliptest of members among fixed neighbours may have counted."""
    to, away, none = d
    people = int(to + away + none)
    return Flips(to, away, people, 10**9, 0, 5, "standard", (), None)  # type: ignore[arg-type] # expected


CASES = grid()
SCENES = (comparison(("FT",), flip_shares, flips, CASES, ", neighbours as they are"),)
