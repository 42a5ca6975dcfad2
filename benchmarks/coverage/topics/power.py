"""Gaps of the size that a report says would be seen: how often they are told from chance.

Both groups have the same rate but for the gap, which is that of the population's own sizes; the
one of CDDPL is read off the width of an interval, and is seen as often where that is typical.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scenes import CONFIDENCE, Scene, Target

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import find
from biaspipe.statistics import Intervals
from biaspipe.statistics.power import detectable, smallest_gap
from biaspipe.statistics.proportions import quantile

__all__ = ["SCENES"]

SEEN = (0.77, 0.85)
"""How often a gap is to be seen that is said to be seen four times in five."""
Z = quantile(CONFIDENCE)
SIZES = [
    (people * more, people * fewer)
    for people in (50, 200, 2_000)
    for more, fewer in ((1, 1), (19, 1), (1, 19))
]


@dataclass(frozen=True)
class Gap:
    """Two groups of which the disfavored one has another rate.

    Parameters
    ----------
    people : of the favored and of the disfavored group.
    rate : of the favored group.
    moved : of the disfavored group.
    """

    people: tuple[int, int]
    rate: float
    moved: float

    @property
    def words(self) -> str:
        """The case as it is printed."""
        a, d = self.people
        return f"{a:,} beside {d:,}, rate {self.rate:g} against {self.moved:.4g}"

    @property
    def rates(self) -> list[float]:
        """The rate of each group."""
        return [self.rate, self.moved]


def gaps() -> list[Gap]:
    """Return the smallest gaps of each size and rate that are said to be seen, on both sides."""
    return [
        Gap(people, rate, end)
        for people, rate in product(SIZES, (0.5, 0.1, 0.02))
        for end in detectable(rate, *map(float, people), Z)[1:]
        if end is not None
    ]


def draw(case: Gap, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw who has the outcome in each group."""
    return random.binomial(case.people, case.rates, (number, 2))


def groups(case: Gap, found: Sequence[int], rest: bool) -> Table:
    """Return the groups: of those with the label, and as many at parity without it."""
    sides = []
    for name, people, yes in zip("ad", case.people, found, strict=True):
        cells: dict[tuple[bool | None, bool | None], int] = {
            (True, True): yes,
            (True, False): people - yes,
        }
        if rest:
            cells |= {(False, True): people // 5, (False, False): people - people // 5}
        sides.append(Group(cells, name=name))
    return Table(sides[0], sides[1])


def is_seen(name: str, table: Table) -> bool:
    """Whether an interval excludes parity."""
    metric = find(name)
    found = Intervals(table, CONFIDENCE).of(metric, metric(table))
    return found is not None and not found.low <= metric.ideal <= found.high


def of_rates(case: Gap, found: list[int]) -> Mapping[str, bool]:
    """See the gap in differences and ratios, of all people and of those with the label."""
    table = groups(case, found, rest=False)
    return {f"smallest gap of {name}": is_seen(name, table) for name in NAMES}


NAMES = ("DPPL", "DI", "RD", "TPRR")


def rates_expected(case: Gap) -> Mapping[str, Target]:
    """Expect the gap to be seen four times in five."""
    return {f"smallest gap of {name}": Target(min(case.people), bounds=SEEN) for name in NAMES}


@cache
def odds_gaps() -> list[Gap]:
    """Return gaps of EOD that are all in the true positive rate, whichever rate needs the most."""
    cases = []
    for people, rate in product(((200, 200), (950, 50), (2_000, 2_000)), (0.5, 0.8)):
        table = groups(Gap(people, rate, rate), [round(rate * n) for n in people], rest=True)
        found = smallest_gap(table, find("EOD"), 0.0, (0.0, 0.0), Z)
        if found is not None and found.high is not None and found.high <= rate:
            cases.append(Gap(people, rate, rate - found.high))
    return cases


def draw_odds(case: Gap, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw true and false positives of each group; the latter are at parity."""
    false = random.binomial(case.people, [0.2, 0.2], (number, 2))
    return np.hstack([draw(case, random, number), false])


def of_odds(case: Gap, found: list[int]) -> Mapping[str, bool]:
    """See the gap in the larger of two rates' gaps."""
    sides = [
        Group(
            {(True, True): yes, (True, False): n - yes, (False, True): no, (False, False): n - no}
        )
        for n, yes, no in zip(case.people, found[:2], found[2:], strict=True)
    ]
    return {"smallest gap of EOD": is_seen("EOD", Table(sides[0], sides[1]))}


def odds_expected(case: Gap) -> Mapping[str, Target]:
    """Expect it at least as often: the rate that needs the larger gap decides what is told."""
    return {"smallest gap of EOD": Target(min(case.people), bounds=(0.77, 0.95))}


def two_strata(people: tuple[int, int], found: Sequence[int]) -> Table:
    """Return two strata of as many people."""
    sides = [[_predicted(found[2 * i + side], n) for i in (0, 1)] for side, n in enumerate(people)]
    strata = tuple(Stratum(str(i), sides[0][i], sides[1][i]) for i in (0, 1))
    a, d = (_predicted(found[side] + found[2 + side], 2 * n) for side, n in enumerate(people))
    return Table(replace(a, name="a"), replace(d, name="d"), strata)


def _predicted(yes: int, people: int) -> Group:
    return Group({(None, True): yes, (None, False): people - yes})


LEVELS = (0.3, 0.6)


def strata_gaps() -> list[Gap]:
    """Return how far rates of both strata move for the smallest gap of CDDPL."""
    cases, metric = [], find("CDDPL")

    def moved(people: tuple[int, int], step: float) -> float:
        many = (people[0] * 1_000, people[1] * 1_000)
        counts = [round((p - step * side) * n) for p in LEVELS for side, n in enumerate(many)]
        return metric(two_strata(many, counts)).number or 0.0

    for people in ((50, 50), (200, 200), (950, 50), (2_000, 2_000)):
        at_parity = two_strata(people, [round(p * n) for p in LEVELS for n in people])
        found = Intervals(at_parity, CONFIDENCE).of(metric, metric(at_parity))
        value = metric(at_parity).number
        if found is None or value is None:
            continue
        gap = smallest_gap(at_parity, metric, value, (found.low, found.high), Z)
        high = gap.high if gap else None
        steps = (i / 1_000 for i in range(300) if high and moved(people, i / 1_000) >= high)
        cases += [Gap(people, 0.3, 0.3 - step) for step in islice(steps, 1)]
    return cases


def draw_strata(case: Gap, random: np.random.Generator, number: int) -> NDArray[Any]:
    """Draw the people of both groups with the outcome, in each stratum."""
    step = case.rate - case.moved
    rates = [p - step * side for p in LEVELS for side in (0, 1)]
    return random.binomial([*case.people, *case.people], rates, (number, 4))


def of_strata(case: Gap, found: list[int]) -> Mapping[str, bool]:
    """See the gap within strata."""
    return {"smallest gap of CDDPL": is_seen("CDDPL", two_strata(case.people, found))}


def strata_expected(case: Gap) -> Mapping[str, Target]:
    """Expect about as often."""
    return {"smallest gap of CDDPL": Target(min(case.people), bounds=(0.75, 0.88))}


SCENES = (
    Scene(gaps(), draw, of_rates, rates_expected),
    Scene(odds_gaps(), draw_odds, of_odds, odds_expected),
    Scene(strata_gaps(), draw_strata, of_strata, strata_expected),
)
"""What is drawn."""
