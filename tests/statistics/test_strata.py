"""Conditional disparities: their intervals, and what strata do to a disparity."""

from collections.abc import Sequence

import numpy as np
import pytest

from biaspipe.counts import Group, Stratum, Table
from biaspipe.metrics import METRICS
from biaspipe.statistics import Intervals, strata_effect

CDDL = METRICS["CDDL"]
SAMPLES = 400

BERKELEY = [
    (512, 313, 89, 19),
    (353, 207, 17, 8),
    (120, 205, 202, 391),
    (138, 279, 131, 244),
    (53, 138, 94, 299),
    (22, 351, 24, 317),
]
"""Men admitted and rejected, and women, in each department."""


def by_stratum(counts: Sequence[Sequence[int]]) -> Table:
    """Return a comparison of favorable and other labels in both groups, by stratum."""
    sides = [[(row[0], row[1]) for row in counts], [(row[2], row[3]) for row in counts]]
    parts = [[_group([pair]) for pair in side] for side in sides]
    strata = tuple(Stratum(str(i), *pair) for i, pair in enumerate(zip(*parts, strict=True)))
    return Table(_group(sides[0]), _group(sides[1]), strata)


def _group(pairs: Sequence[tuple[int, int]]) -> Group:
    yes, no = (sum(pair[i] for pair in pairs) for i in (0, 1))
    return Group({(True, None): yes, (False, None): no})


def drawn(people: int, shares: Sequence[Sequence[float]]) -> list[Table]:
    """Draw samples of a population by stratum, all of it at once."""
    random = np.random.default_rng(8)
    rows = random.multinomial(people, np.array(shares).ravel(), SAMPLES)
    return [by_stratum(row.reshape(-1, 4).tolist()) for row in rows]


@pytest.mark.parametrize(("gap", "people"), [(0.8, 400), (0.6, 10_000)])
def test_shares_of_strata_are_sampled(gap: float, people: int) -> None:
    """Where strata differ, intervals allow for other strata having been met more often."""
    rates = [(0.5 + sign * gap / 2, 0.5 - sign * gap / 2) for sign in (1, -1, 1, -1)]
    shares = [(a / 8, (1 - a) / 8, d / 8, (1 - d) / 8) for a, d in rates]
    held = 0
    for table in drawn(people, shares):
        found = Intervals(table, 0.95).of(CDDL, CDDL(table))
        held += found is not None and found.low <= 0 <= found.high
    assert 0.93 <= held / SAMPLES <= 0.98


RATES = (0.1, 0.2, 0.3, 0.4, 0.5)
SPREAD = (0.1, 0.2, 0.4, 0.5, 0.6)


@pytest.mark.parametrize(
    "shares",
    [
        [(0.12 * r, 0.12 * (1 - r), 0.08 * r, 0.08 * (1 - r)) for r in RATES],
        [(0.06 * (1 - d), 0.14 * (1 - d), 0.06 * d, 0.14 * d) for d in SPREAD],
    ],
    ids=["rates differ", "groups are spread unevenly"],
)
def test_strata_of_no_disparity_have_no_effect(shares: list[tuple[float, ...]]) -> None:
    """Where no group is ahead anywhere, an effect of strata is said to be certain in few audits."""
    said = sum(strata_effect(table, CDDL, 0.95).is_certain for table in drawn(1_000, shares))
    assert said / SAMPLES <= 0.05


def test_paradox_is_found() -> None:
    """Among 4,000 people of two strata, a disparity that both turn round is a reversal."""
    turned = [(910, 490, 450, 150), (150, 450, 490, 910)]
    assert strata_effect(by_stratum(turned), CDDL, 0.95) == (True, True)


def test_disparity_of_the_strata_alone_is_no_reversal() -> None:
    """In Berkeley's admissions of 1973 nothing beyond chance is left within departments."""
    assert strata_effect(by_stratum(BERKELEY), CDDL, 0.95) == (False, True)


def test_parity_within_strata_is_seldom_called_a_reversal() -> None:
    """Where strata alone make a disparity of 0.64, nearly every sample shows that, and no more."""
    shares = [(0.405, 0.045, 0.045, 0.005), (0.005, 0.045, 0.045, 0.405)]
    effects = [strata_effect(table, CDDL, 0.95) for table in drawn(1_000, shares)]
    assert sum(effect.is_certain for effect in effects) / SAMPLES > 0.95
    assert sum(effect.is_reversed for effect in effects) / SAMPLES <= 0.05


def test_effect_of_strata_is_found_in_most_samples() -> None:
    """Of 1,000 people, a disparity that is of the strata alone is found in nearly every sample."""
    shares = [(0.2275, 0.1225, 0.1125, 0.0375), (0.0375, 0.1125, 0.1225, 0.2275)]
    effects = [strata_effect(table, CDDL, 0.95) for table in drawn(1_000, shares)]
    assert sum(effect.is_certain for effect in effects) / SAMPLES > 0.95


def test_one_stratum_has_no_effect() -> None:
    """Where everybody is in one stratum, both disparities are the same."""
    assert strata_effect(by_stratum(BERKELEY[:1]), CDDL, 0.95) == (False, False)


@pytest.mark.parametrize("tiny", [1, 3])
def test_strata_of_any_weight_have_an_interval(tiny: int) -> None:
    """A stratum a million million times the size of another one breaks no interval."""
    table = by_stratum([(10**15, 10**15, 10**15, 10**15), (tiny, 1, 1, tiny), (0, 1, 1, 0)])
    for confidence in (0.5, 0.95, 0.9999999):
        found = Intervals(table, confidence).of(CDDL, CDDL(table))
        assert found is not None
        assert -1 <= found.low <= 0 <= found.high <= 1
