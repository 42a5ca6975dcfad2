"""The search for subgroups whose rate differs from that of the rest by more than chance."""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, sqrt
from typing import NamedTuple

from biaspipe.counts import JointCells
from biaspipe.statistics.power import Z_OF_POWER
from biaspipe.statistics.proportions import newcombe, quantile
from biaspipe.statistics.subgroups.explanations import Found, explained
from biaspipe.statistics.subgroups.max_t import draws_for, maxima, statistics_of
from biaspipe.statistics.subgroups.slices import Slice, Slices, slices_of

__all__ = ["ExaminedSlice", "Search", "Settings", "Slice", "search"]

DIGITS = 6
SLACK = 1 - 1e-12
"""Statistics that are the same number but for rounding are ties."""


class ExaminedSlice(NamedTuple):
    """A subgroup against the rest.

    Parameters
    ----------
    slice : the subgroup.
    low, high : the ends of the simultaneous interval of its rate less that of the rest.
    p_value : adjusted for all subgroups that were examined.
    is_found : whether it differs from the rest by more than chance.
    explained_by : the position of the subgroup that explains it, its own where it stands for
        itself; None where it was not found, or so many were that it was not compared with others.
    """

    slice: Slice
    low: float
    high: float
    p_value: float
    is_found: bool
    explained_by: int | None


class Search(NamedTuple):
    """What a search came to.

    Parameters
    ----------
    examined : every subgroup that was looked at.
    repeated, small, in_small : as in `Slices`.
    draws : how often outcomes were dealt out.
    critical : the size of a statistic that chance alone exceeds in 5 of 100 such searches, at a
        confidence of 0.95.
    smallest_gap : the gap that the smallest subgroup would have to have to be found four times in
        five; None where the outcome is the same for everybody.
    """

    examined: tuple[ExaminedSlice, ...]
    repeated: int
    small: tuple[Slice, ...]
    in_small: int
    draws: int
    critical: float | None
    smallest_gap: float | None


class Settings(NamedTuple):
    """How a search is made.

    Parameters
    ----------
    order : how many facets describe a subgroup at most.
    min_rows : people that a subgroup and its rest have to have each.
    draws, seed : how often outcomes are dealt out at random, and the number that begins it.
    confidence : how often nothing is found where there is nothing.
    harmed_above : whether a rate above that of the rest is to the disadvantage of a subgroup.
    """

    order: int
    min_rows: int
    draws: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    harmed_above: bool = False


def search(cells: JointCells, settings: Settings) -> Search:
    """Search for subgroups whose rate differs from that of the rest.

    Parameters
    ----------
    cells : the people by the groups of all facets.
    settings : how it is made.

    Raises
    ------
    DataError
        If there are more subgroups than are looked at.
    """
    order, min_rows, draws, seed, confidence, _ = settings
    slices = slices_of(cells, order, min_rows)
    draws = draws_for(len(cells.cells), draws)
    if not slices.examined:
        return Search((), slices.repeated, slices.small, slices.in_small, draws, None, None)
    found = maxima(slices, cells.cells, draws, seed).tolist()
    statistics = statistics_of(slices, cells.cells).tolist()
    alpha = 1 - Fraction(repr(confidence))
    p_values = [_adjusted(found, abs(z)) for z in statistics]
    critical = _critical(found, alpha, len(slices.examined))
    positions = [i for i, p in enumerate(p_values) if p <= alpha]
    told = Found(statistics, positions, critical, min_rows, settings.harmed_above)
    by = explained(slices, cells.cells, told)
    examined = tuple(
        ExaminedSlice(one, *_ends(one, critical), float(p), p <= alpha, by.get(i))
        for i, (one, p) in enumerate(zip(slices.examined, p_values, strict=True))
    )
    seen = _smallest_gap(slices, critical)
    return Search(examined, slices.repeated, slices.small, slices.in_small, draws, critical, seen)


def _adjusted(maxima: Sequence[float], size: float) -> Fraction:
    """Return the share of draws, this one among them, with as large a statistic anywhere."""
    as_large = len(maxima) - bisect_left(maxima, size * SLACK)
    return Fraction(1 + as_large, 1 + len(maxima))


def _critical(maxima: Sequence[float], alpha: Fraction, subgroups: int) -> float:
    """Return the size of a statistic that chance exceeds in a share `alpha` of all searches.

    Where the outcome hardly varies, draws tell nothing, and Bonferroni's bound holds.
    """
    if not maxima[-1]:
        return round(quantile(float(1 - alpha / subgroups)), DIGITS)
    rank = min(len(maxima), ceil((1 - alpha) * (len(maxima) + 1)))
    return round(max(maxima[rank - 1], quantile(float(1 - alpha))), DIGITS)


def _ends(one: Slice, critical: float) -> tuple[float, float]:
    found = newcombe(one.part, one.whole, one.rest_part, one.rest_whole, critical)
    return found.low, found.high


def _smallest_gap(slices: Slices, critical: float) -> float | None:
    """Return the gap that the subgroup with the least to tell would have to have to be found."""
    one = min(slices.examined, key=lambda s: s.whole * s.rest_whole / (s.whole + s.rest_whole))
    rate = (one.part + one.rest_part) / (one.whole + one.rest_whole)
    spread = sqrt(rate * (1 - rate) * (1 / one.whole + 1 / one.rest_whole))
    seen = (critical + Z_OF_POWER) * spread
    return round(min(seen, 1.0), DIGITS) or None
