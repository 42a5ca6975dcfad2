"""Values that lie exactly on a limit keep it, whatever floating-point numbers make of them."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from biaspipe.counts import Table
from biaspipe.metrics import METRICS
from biaspipe.spec import Check
from biaspipe.verdict import Verdict, judge
from tests.metrics.test_worked_examples import decisions

FOUR_FIFTHS = Check(min=0.8)


class Selection(NamedTuple):
    """Two groups, each with its selected and its people."""

    s_a: int
    n_a: int
    s_d: int
    n_d: int

    @property
    def in_floats(self) -> float:
        """The ratio of the selection rates as two divisions make it."""
        return (self.s_d / self.n_d) / (self.s_a / self.n_a)

    def verdict(self, metric: str, check: Check) -> Verdict:
        """Judge a metric of the two groups."""
        a = decisions(self.s_a, self.n_a - self.s_a, "a")
        d = decisions(self.s_d, self.n_d - self.s_d, "d")
        return judge(METRICS[metric](Table(a, d)), check)[0]


def ties(part: int, whole: int, most: int) -> Iterator[Selection]:
    """Yield every selection at which d's rate is exactly `part / whole` of a's."""
    for n_a in range(1, most + 1):
        for n_d in range(1, most + 1):
            for s_a in range(1, n_a + 1):
                s_d, rest = divmod(part * s_a * n_d, whole * n_a)
                if not rest and s_d <= n_d:
                    yield Selection(s_a, n_a, s_d, n_d)


def test_ties_of_four_fifths_pass() -> None:
    """All ties of four fifths with under 60 people pass, the 1,029 that floats fail among them."""
    found = list(ties(4, 5, 59))
    assert {tie.verdict("DI", FOUR_FIFTHS) for tie in found} == {Verdict.PASS}
    failed_by_floats = [tie for tie in found if tie.in_floats < 0.8]
    of_five = [tie for tie in failed_by_floats if min(tie.n_a, tie.n_d) >= 5]
    assert (len(found), len(failed_by_floats), len(of_five)) == (3250, 1053, 1029)


def test_one_selection_fewer_fails() -> None:
    """Below each of these ties, by a single selection, the check fails."""
    below = [tie._replace(s_d=tie.s_d - 1) for tie in ties(4, 5, 59)]
    assert {each.verdict("DI", FOUR_FIFTHS) for each in below} == {Verdict.FAIL}


@pytest.mark.parametrize(
    ("part", "whole", "limits", "outside", "number"),
    [(9, 10, {"min": 0.9}, -1, 953), (5, 4, {"max": 1.25}, 1, 1425)],
)
def test_ties_of_other_ratios_pass(
    part: int, whole: int, limits: dict[str, float], outside: int, number: int
) -> None:
    """Ties at 0.9 and 1.25 pass, and the next ratio beyond the limit fails."""
    check, found = Check.model_validate(limits), list(ties(part, whole, 40))
    assert {tie.verdict("DI", check) for tie in found} == {Verdict.PASS}
    beyond = [tie._replace(s_d=tie.s_d + outside) for tie in found if tie.s_d < tie.n_d]
    assert {each.verdict("DI", check) for each in beyond} == {Verdict.FAIL}
    assert len(found) == number


def test_ties_of_a_tenth_pass() -> None:
    """Rates that differ by exactly a tenth pass at 0.1, and one selection more fails."""
    check, found = Check(max_abs=0.1), []
    for n_a in range(1, 41):
        for n_d in range(1, 41):
            for s_a in range(n_a + 1):
                s_d, rest = divmod((10 * s_a - n_a) * n_d, 10 * n_a)
                if not rest and s_d > 0:
                    found.append(Selection(s_a, n_a, s_d, n_d))
    assert {tie.verdict("DPPL", check) for tie in found} == {Verdict.PASS}
    below = [tie._replace(s_d=tie.s_d - 1) for tie in found]
    assert {each.verdict("DPPL", check) for each in below} == {Verdict.FAIL}
    assert len(found) == 962
