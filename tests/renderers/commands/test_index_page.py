"""The index of a run: what its lines say of each audit."""

import pytest

from biaspipe.errors import Exit
from biaspipe.renderers.commands.index_page import entry_of
from tests.golden.audits import report_of


@pytest.mark.parametrize(
    ("name", "people"),
    [("german-credit", "1,000, standing for 42,000"), ("adult-income", "30,162")],
)
def test_people_are_those_that_were_seen(name: str, people: str) -> None:
    """An audit of a weighted sample says whom it looked at, and whom they stand for."""
    assert entry_of(report_of(name), Exit.PASSED).people == people
