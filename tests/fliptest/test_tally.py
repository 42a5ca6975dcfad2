"""A search says how far it is, and ends once nobody waits for it."""

from threading import Event

import numpy as np
import pytest

from biaspipe.fliptest.nearest import Nearest
from biaspipe.fliptest.search import Members, _search
from biaspipe.fliptest.tally import SearchTally


def members(rows: int) -> Members:
    """Return people with one number and one category each."""
    return Members(
        np.arange(rows, dtype=np.float64)[:, None],
        np.zeros((rows, 1), dtype=np.int64),
        np.ones(rows, dtype=np.int64),
        np.arange(rows) % 2 == 0,
    )


def test_search_tells_of_every_member() -> None:
    """In the end all members are found, in blocks; a second search begins again."""
    tally = SearchTally()
    for rows in (600, 300):
        _search(Nearest.nobody(rows), members(50), members(rows), 3, (Event(), tally))
        assert tally.measure() == (rows, rows)
    assert tally.found == [256, 44]


def test_search_that_is_over_ends() -> None:
    """A search that nobody waits for looks at no further block."""
    is_over, tally = Event(), SearchTally()
    is_over.set()
    with pytest.raises(InterruptedError):
        _search(Nearest.nobody(600), members(50), members(600), 3, (is_over, tally))
    assert tally.measure() == (0, 600)
