"""How often the tests of parity reject groups that are alike, and how often many of them do.

    python benchmarks/sizes.py

Groups are drawn with the same rates, tested, and the rejections counted; no test may reject much
more often than it says. It ends with 1 if one does.
"""

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from biaspipe.counts import Flips, Group, Stratum, Table
from biaspipe.fliptest.search import Members
from biaspipe.fliptest.search import flips as flips_of
from biaspipe.metrics import METRICS
from biaspipe.statistics import adjust_p_values, parity_test

SAMPLES, SEARCHES, AUDITS, SEED = 1_500, 400, 200, 20_261_122
LEVELS = (0.05, 0.001)
BOUNDS = (0.07, 0.005)
"""The largest shares that may be rejected; chance alone moves them by 0.011 and 0.002."""
BOUNDS_OF_SEARCHES = (0.09, 0.015)
"""Of fewer samples, whose neighbours are searched; chance alone moves them by 0.02 and 0.003."""
SIZES = ((50, 50), (2_000, 100), (1_000, 1_000))
FEW_NEIGHBOURS = (100, 5_000)
NOISES = ((0.5, 1.0, 0.0), (0.5, 0.9, 0.1), (0.5, 0.7, 0.3))
"""Rates by which flips either way are equally likely: a majority of neighbours has less noise."""
RATES = ((0.5, 0.8, 0.2), (0.1, 0.7, 0.1), (0.02, 0.5, 0.05))
"""Base rate, true and false positive rate."""
Draw = Callable[[np.random.RandomState, int, int, tuple[float, float, float]], Table | Flips]


def confusion(random: np.random.RandomState, n: int, rates: tuple[float, float, float]) -> Group:
    """Draw a group by label and prediction."""
    base, tpr, fpr = rates
    shares = [base * tpr, base * (1 - tpr), (1 - base) * fpr, (1 - base) * (1 - fpr)]
    tp, fn, fp, tn = map(int, random.multinomial(n, shares))
    return Group({(True, True): tp, (True, False): fn, (False, True): fp, (False, False): tn})


def two_groups(
    random: np.random.RandomState, n_a: int, n_d: int, rates: tuple[float, float, float]
) -> Table:
    """Draw two groups that are alike."""
    return Table(confusion(random, n_a, rates), confusion(random, n_d, rates))


def strata(
    random: np.random.RandomState, n_a: int, n_d: int, rates: tuple[float, float, float]
) -> Table:
    """Draw five strata of different rates, in each of which the groups are alike."""
    drawn = []
    for i in range(5):
        base = min(0.9, rates[0] * (0.4 + 0.3 * i))
        a, d = (confusion(random, n // 5, (base, *rates[1:])) for n in (n_a, n_d))
        drawn.append(Stratum(str(i), a, d))
    whole = two_groups(random, n_a, n_d, rates)
    return Table(whole.favored, whole.disfavored, tuple(drawn))


def flips(
    random: np.random.RandomState, n_a: int, n_d: int, rates: tuple[float, float, float]
) -> Flips:
    """Draw two groups with features that are alike, and search the neighbours of one."""
    a, d = (_members(random, n, rates) for n in (n_a, n_d))
    return flips_of(a, d, k=5, scaling="standard", features=("x", "y"))


def _members(random: np.random.RandomState, n: int, rates: tuple[float, float, float]) -> Members:
    """Draw people with two features, and predictions that follow them but for false ones."""
    numbers = random.normal(size=(n, 2))
    favorable = (numbers.sum(axis=1) > 0) ^ (random.uniform(size=n) < rates[2])
    return Members(numbers, np.zeros((n, 0), dtype=np.int64), np.ones(n, dtype=np.int64), favorable)


class Tested(NamedTuple):
    """A metric's groups that are alike, and how often their test may reject them."""

    draw: Draw
    sizes: tuple[tuple[int, int], ...] = SIZES
    rates: tuple[tuple[float, float, float], ...] = RATES
    samples: int = SAMPLES
    bounds: tuple[float, ...] = BOUNDS


TESTED = {
    "DPPL": Tested(two_groups),
    "RD": Tested(two_groups),
    "TE": Tested(two_groups),
    "EOD": Tested(two_groups),
    "CDDPL": Tested(strata),
    "FT": Tested(flips, (*SIZES, FEW_NEIGHBOURS), NOISES, SEARCHES, BOUNDS_OF_SEARCHES),
}


def sizes() -> Iterator[tuple[str, int, int, tuple[float, ...], tuple[float, ...]]]:
    """Yield each case with the shares of its samples that are rejected at each level."""
    for metric, tested in TESTED.items():
        for rates in tested.rates:
            for n_a, n_d in tested.sizes:
                random = np.random.RandomState(SEED)
                tests = (
                    parity_test(METRICS[metric], tested.draw(random, n_a, n_d, rates))
                    for _ in range(tested.samples)
                )
                p_values = np.array([test.p_value if test else 1.0 for test in tests])
                found = tuple(float((p_values < level).mean()) for level in LEVELS)
                yield metric, n_a, n_d, rates, found


def familywise() -> float:
    """Return the share of audits with a finding: 250 groups of 100 against 20,000, all alike."""
    random, found = np.random.RandomState(SEED), 0
    for _ in range(AUDITS):
        (many, few) = random.binomial(20_000, 0.06), random.binomial(100, 0.06, 250)
        favored = Group({(None, True): int(many), (None, False): 20_000 - int(many)})
        groups = [Group({(None, True): int(n), (None, False): 100 - int(n)}) for n in few]
        tests = [parity_test(METRICS["DPPL"], Table(favored, group)) for group in groups]
        p_values = adjust_p_values([test.p_value for test in tests if test], "holm")
        found += min(p_values) < 0.05
    return found / AUDITS


def main() -> None:
    """Print the sizes, and end with 1 if one is above its bound."""
    print("| metric | people | base rate, TPR, FPR | below 0.05 | below 0.001 |")
    print("| --- | --- | ---: | ---: | ---: |")
    missed = False
    for metric, n_a, n_d, rates, found in sizes():
        missed |= any(
            share > bound for share, bound in zip(found, TESTED[metric].bounds, strict=True)
        )
        people = f"{n_a:,} against {n_d:,}"
        words = ", ".join(f"{rate:g}" for rate in rates)
        print(f"| {metric} | {people} | {words} | {found[0]:.3f} | {found[1]:.4f} |")
    share = familywise()
    print(f"\n250 groups of 100 against 20,000, Holm: a finding in {share:.3f} of the audits")
    sys.exit(missed or share > BOUNDS[0])


if __name__ == "__main__":
    main()
