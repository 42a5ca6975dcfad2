"""What the search for subgroups finds where there is nothing, and where there is something.

python benchmarks/subgroups.py

5,000 people, outcomes of pure chance (20 %), 5 facets of 4 groups, all conjunctions of up to 3 of
them with 30 people or more: in how many of 100 such data sets is anything found? Then the people
of two groups at once get a lower rate, by more and more, and how often these are found stands
beside what the critical value predicts.
"""

from argparse import ArgumentParser
from math import sqrt
from statistics import NormalDist
from time import perf_counter

import numpy as np

from biaspipe.counts import JointCell, JointCells
from biaspipe.statistics.subgroups import Search, Settings, Slice, search

PEOPLE, FACETS, GROUPS, RATE = 5_000, 5, 4, 0.2
SETTINGS = Settings(order=3, min_rows=30, draws=5_000)
PLANTED = ((0, 0), (1, 0))


def cells_of(random: np.random.RandomState, gap: float = 0.0) -> JointCells:
    """Return people of random groups, with a gap for those of two of them at once."""
    codes = random.randint(0, GROUPS, (PEOPLE, FACETS))
    inside = (codes[:, 0] == 0) & (codes[:, 1] == 0)
    outcomes = random.rand(PEOPLE) < np.where(inside, RATE + gap, RATE)
    found, which = np.unique(codes, axis=0, return_inverse=True)
    wholes = np.bincount(which.ravel())
    parts = np.bincount(which.ravel(), weights=outcomes).astype(int)
    names = tuple(tuple(f"{f}{g}" for g in range(GROUPS)) for f in range(FACETS))
    rows = zip(found.tolist(), wholes.tolist(), parts.tolist(), strict=True)
    return JointCells(names, tuple(JointCell(tuple(c), n, k) for c, n, k in rows))


def is_planted(searched: Search) -> bool:
    """Whether the planted subgroup was found."""
    return any(one.is_found and one.slice.terms == PLANTED for one in searched.examined)


def predicted(gap: float, critical: float) -> float:
    """Return how often a gap among so many people exceeds a critical value."""
    inside = PEOPLE / GROUPS**2
    rest = PEOPLE - inside
    pooled = RATE + gap * inside / PEOPLE
    null = sqrt(pooled * (1 - pooled) * (1 / inside + 1 / rest))
    rates = ((RATE + gap, inside), (RATE, rest))
    spread = sqrt(sum(p * (1 - p) / n for p, n in rates))
    return NormalDist().cdf((gap - critical * null) / spread)


def main() -> None:
    """Print how often something is found."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=100)
    sets = parser.parse_args().sets
    began, naive, found, critical = perf_counter(), 0, 0, list[float]()
    for seed in range(sets):
        searched = search(cells_of(np.random.RandomState(seed)), SETTINGS)
        found += any(one.is_found for one in searched.examined)
        naive += any(_alone(one.slice) > 1.96 for one in searched.examined)
        critical.append(searched.critical or 0.0)
    middle = sorted(critical)[len(critical) // 2]
    print(f"{sets} fair data sets, {len(searched.examined)} subgroups in the last one")
    print(f"something found in: {found} by max-T, {naive} by |z| > 1.96 of each by itself")
    print(f"critical value, median: {middle:.2f}; {perf_counter() - began:.0f} s")
    for gap in (0.05, 0.08, 0.1, 0.12):
        times = sum(
            is_planted(search(cells_of(np.random.RandomState(seed), gap), SETTINGS))
            for seed in range(1_000, 1_000 + sets)
        )
        print(f"gap {gap:g}: found in {times} of {sets}, predicted {predicted(gap, middle):.0%}")


def _alone(one: Slice) -> float:
    """Return the score statistic of a subgroup, as if there were no other one."""
    _, whole, part, rest, counted = one
    pooled = (part + counted) / (whole + rest)
    scale = sqrt(pooled * (1 - pooled) * (1 / whole + 1 / rest))
    return float(abs(part / whole - counted / rest) / scale)


if __name__ == "__main__":
    main()
