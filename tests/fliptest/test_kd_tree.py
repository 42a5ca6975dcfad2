"""The tree finds the neighbours that looking at every pair finds, ties and all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.fliptest import search
from biaspipe.fliptest.search import Members, flips
from tests.examples import examples

ROWS = st.integers(1, 60)


def members(random: np.random.Generator, rows: int, features: int, levels: int) -> Members:
    """Return people with features on a grid, where many are equally near, one of them missing."""
    numbers = (random.integers(0, levels, (rows, features)) * 0.1).astype(np.float64)
    numbers[0, 0] = np.nan if rows > 20 else numbers[0, 0]
    return Members(
        numbers,
        np.empty((rows, 0), dtype=np.int64),
        random.integers(1, 4, rows),
        random.random(rows) < 0.5,
    )


@given(st.tuples(ROWS, ROWS), st.integers(1, 5), st.integers(1, 8), st.integers(0, 10**6))
@examples(150)
def test_tree_finds_what_every_pair_does(
    rows: tuple[int, int], features: int, k: int, seed: int
) -> None:
    """Both searches count the same flips, at the same median distance."""
    random = np.random.default_rng(seed)
    sides = [members(random, n, features, levels=1 + seed % 6) for n in rows]
    found = []
    for most in (0, 10**12):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search, "SMALL_SEARCH", most)
            found.append(flips(sides[0], sides[1], k=k, scaling="standard", features=("x",)))
    assert found[0] == found[1]
