"""The one small table that every metric is computed from, and the arithmetic that refuses 0/0.

A `Group` counts the people of one side by observed and predicted outcome.
A `Table` puts the favored and the disfavored group side by side, whole and by stratum.
Counts are integers; every rate is one exact division of two of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from biaspipe.errors import DataError

__all__ = [
    "Cell",
    "Counts",
    "Favorable",
    "Group",
    "Headcount",
    "Listing",
    "Real",
    "StrataByPart",
    "Stratum",
    "Table",
    "Undefined",
    "ratio",
    "unbounded_ratio",
]

Real = Fraction | float
"""A metric's number: exact where its formula is arithmetic, a float where it takes logarithms."""

Headcount = int | Fraction
"""A number of people: whole, except where sampling weights say how many each row stands for."""

Favorable = bool | None
"""Favorable, unfavorable, or not declared by the audit."""


class Undefined(ArithmeticError):
    """A metric has no number; the message says why in words."""


def ratio(numerator: int | Fraction, denominator: int | Fraction, *, of: str) -> Fraction:
    """Divide exactly, or refuse: a metric never turns 0/0 into a number.

    Rates stay fractions until a metric is done, so that a value on its limit is on it:
    0.24/0.3 is 0.8, not 0.7999999999999999.

    Parameters
    ----------
    numerator, denominator : counts or rates, not negative.
    of : the denominator's name, for the words of the refusal.

    Raises
    ------
    Undefined
        If the denominator is 0.

    >>> ratio(20, 27, of="n_d(1)")
    Fraction(20, 27)
    >>> ratio(5, 0, of="FP_d")
    Traceback (most recent call last):
    biaspipe.counts.tables.Undefined: FP_d = 0
    """
    if denominator:
        return Fraction(numerator) / denominator
    raise Undefined(f"{of} = 0")


def unbounded_ratio(numerator: Fraction, denominator: Fraction, *, of: str) -> Real:
    """Divide exactly; x/0 is infinite where x > 0, and 0/0 is refused as by `ratio`.

    >>> unbounded_ratio(Fraction(1, 2), Fraction(0), of="n'_a(1)")
    inf
    """
    return inf if numerator > 0 and not denominator else ratio(numerator, denominator, of=of)


@dataclass(frozen=True)
class Group:
    """The people of one side of a comparison, counted.

    Parameters
    ----------
    cells : people by (observed, predicted); True is favorable, None not declared.
    labels : people by category of the observed label, where its categories are counted.
    rows : physical rows behind the people; the same number unless a weight is declared.
    name : the side's letter in formulas: `a` favored, `d` disfavored.
    effective : Kish's (sum w)^2 / sum w^2 under sampling weights; None where all `n` were seen.
    missing : people of the group who are not among `n`, since they lack label or prediction.
    squares : under sampling weights, the sums of squared weights by (observed, predicted).
    label_squares : likewise, by category of the observed label.

    Examples
    --------
    >>> group = Group({(True, True): 65, (True, False): 5, (False, True): 10, (False, False): 20})
    >>> group.TP, group.n, group.predicted_positives
    (65, 100, 75)
    """

    cells: Mapping[tuple[Favorable, Favorable], Headcount]
    labels: Mapping[str, Headcount] = field(default_factory=dict)
    rows: int = 0
    name: str = ""
    effective: Fraction | None = None
    missing: Headcount = 0
    squares: Mapping[tuple[Favorable, Favorable], Headcount] = field(default_factory=dict)
    label_squares: Mapping[str, Headcount] = field(default_factory=dict)

    def _count(self, observed: Iterable[Favorable], predicted: Iterable[Favorable]) -> Headcount:
        return sum([self.cells.get((o, p), 0) for o in observed for p in predicted])

    @cached_property
    def n(self) -> Headcount:
        """All people of the group."""
        return sum(self.cells.values())

    @cached_property
    def squared(self) -> "Group":
        """The sums of squared weights in place of the people; itself where each row is one person.

        Where they are not known by outcome, the weights are taken as unrelated to it.

        >>> Group({(True, None): 6, (False, None): 2}, effective=Fraction(4)).squared.positives
        Fraction(12, 1)
        """
        if self.effective is None:
            return self
        each = self.n / self.effective if self.effective else Fraction(1)
        return Group(
            self.squares or {outcomes: n * each for outcomes, n in self.cells.items()},
            self.label_squares or {category: n * each for category, n in self.labels.items()},
        )

    @property
    def missing_share(self) -> Fraction:
        """The share of the group's people who lack label or prediction; 0 of nobody.

        >>> Group({(True, True): 3}, missing=1).missing_share
        Fraction(1, 4)
        """
        return Fraction(self.missing) / (self.n + self.missing) if self.missing else Fraction(0)

    @cached_property
    def TP(self) -> Headcount:
        """Observed favorable, predicted favorable."""
        return self.cells.get((True, True), 0)

    @cached_property
    def FP(self) -> Headcount:
        """Observed unfavorable, predicted favorable."""
        return self.cells.get((False, True), 0)

    @cached_property
    def FN(self) -> Headcount:
        """Observed favorable, predicted unfavorable."""
        return self.cells.get((True, False), 0)

    @cached_property
    def TN(self) -> Headcount:
        """Observed unfavorable, predicted unfavorable."""
        return self.cells.get((False, False), 0)

    @cached_property
    def positives(self) -> Headcount:
        """n(1): people whose observed label is favorable."""
        return self._count([True], ANY)

    @cached_property
    def negatives(self) -> Headcount:
        """n(0): people whose observed label is unfavorable."""
        return self._count([False], ANY)

    @cached_property
    def predicted_positives(self) -> Headcount:
        """n'(1): people whose prediction is favorable."""
        return self._count(ANY, [True])

    @cached_property
    def predicted_negatives(self) -> Headcount:
        """n'(0): people whose prediction is unfavorable."""
        return self._count(ANY, [False])

    def outcomes(self, *, predicted: bool) -> tuple[Headcount, Headcount]:
        """Return the people with the unfavorable and with the favorable outcome.

        Parameters
        ----------
        predicted : which outcome, the predicted or the observed one.
        """
        if predicted:
            return self.predicted_negatives, self.predicted_positives
        return self.negatives, self.positives

    def distribution(self, categories: Iterable[str]) -> list[Fraction]:
        """Return the share of each label category, in the order given; 0 where one is absent."""
        n = sum(self.labels.values()) or self.n
        return [ratio(self.labels.get(c, 0), n, of=f"n_{self.name}") for c in categories]


ANY: tuple[Favorable, ...] = (True, False, None)


class Stratum(NamedTuple):
    """A part of a comparison: its name and both groups within it."""

    name: str
    favored: Group
    disfavored: Group

    @property
    def sides(self) -> tuple[Group, Group]:
        """Both groups."""
        return self.favored, self.disfavored

    @property
    def has_both_groups(self) -> bool:
        """Whether anybody can be compared in it."""
        return all(group.n for group in self.sides)

    def has_both_outcomes(self, *, predicted: bool) -> bool:
        """Whether an outcome, the predicted or the observed one, differs between its people."""
        (a_no, a_yes), (d_no, d_yes) = (g.outcomes(predicted=predicted) for g in self.sides)
        return bool((a_no or d_no) and (a_yes or d_yes))


class StrataByPart(NamedTuple):
    """The strata of a comparison by the part that they have in a conditional disparity.

    Parameters
    ----------
    taking_part : those in which both outcomes occur: of them the disparity is an average.
    comparable : of these, those of both groups.
    of_one_group : of these, the others, which count as no disparity.
    left_out : those in which one outcome never occurs.
    """

    taking_part: tuple[Stratum, ...]
    comparable: tuple[Stratum, ...]
    of_one_group: tuple[Stratum, ...]
    left_out: tuple[Stratum, ...]


@dataclass(frozen=True)
class Table:
    """A favored and a disfavored group, side by side, whole and by stratum.

    >>> a, d = Group({(True, None): 3, (False, None): 1}), Group({(True, None): 1})
    >>> Table(a, d).categories
    ()
    """

    favored: Group
    disfavored: Group
    strata: tuple[Stratum, ...] = ()

    def refuse_empty(self) -> None:
        """Refuse a comparison with nobody on one side; formulas that do not divide by it ask this.

        Raises
        ------
        Undefined
            With the side that is empty.
        """
        for group in (self.favored, self.disfavored):
            ratio(group.n, group.n, of=f"n_{group.name}")

    def strata_by_part(self, *, predicted: bool) -> StrataByPart:
        """Return which strata take part in a conditional disparity.

        Parameters
        ----------
        predicted : whether it is one of predictions, or of labels.
        """
        return self._strata_by_prediction if predicted else self._strata_by_label

    @cached_property
    def _strata_by_label(self) -> StrataByPart:
        return _by_part(self.strata, predicted=False)

    @cached_property
    def _strata_by_prediction(self) -> StrataByPart:
        return _by_part(self.strata, predicted=True)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The union of both groups' label categories that somebody holds, sorted."""
        seen = [c for g in (self.favored, self.disfavored) for c, n in g.labels.items() if n]
        return tuple(sorted(set(seen)))


def _by_part(strata: Iterable[Stratum], *, predicted: bool) -> StrataByPart:
    taking_part: list[Stratum] = []
    left_out: list[Stratum] = []
    for stratum in strata:
        takes_part = stratum.has_both_outcomes(predicted=predicted)
        (taking_part if takes_part else left_out).append(stratum)
    return StrataByPart(
        taking_part=tuple(taking_part),
        comparable=tuple(s for s in taking_part if s.has_both_groups),
        of_one_group=tuple(s for s in taking_part if not s.has_both_groups),
        left_out=tuple(left_out),
    )


class Cell(NamedTuple):
    """Rows that share a key: `rows` physical ones that stand for `n` people.

    Under sampling weights `n` and `squares`, the sum of squared weights, count parts of a person.
    `unmatched` are, for each join, the rows without a partner.
    """

    key: tuple[Any, ...]
    rows: int
    n: int
    squares: int = 0
    unmatched: tuple[int, ...] = ()


class Listing(NamedTuple):
    """The values of a column that none of a dimension's bins holds.

    `values` are the commonest ones with their rows, `distinct` says how many different ones
    there are.
    """

    values: tuple[tuple[Any, int], ...]
    distinct: int


class Counts(NamedTuple):
    """What one pass over the data brings back; the evidence for every value but the fliptest's.

    Parameters
    ----------
    rows : rows read.
    removed : of these, rows that `where` removed.
    cells : for each grouping of the plan, its cells over the rows that remain.
    joint : those by the groups of several facets at once, where subgroups are searched for.
    others : for dimensions of the plan by their position, the values that are in no bin.
    ranges : likewise, the least and the greatest number of each code.
    fault : what is wrong with the weights, to be raised once the spec is known to be right.
    """

    rows: int
    removed: int
    cells: tuple[tuple[Cell, ...], ...]
    others: Mapping[int, Listing] = {}
    ranges: Mapping[int, Mapping[Any, tuple[float, float]]] = {}
    fault: DataError | None = None
    joint: tuple[Cell, ...] = ()

    @property
    def unmatched(self) -> tuple[int, ...]:
        """For each join, the rows without a partner."""
        return tuple(map(sum, zip(*(cell.unmatched for cell in self.cells[0]), strict=True)))
