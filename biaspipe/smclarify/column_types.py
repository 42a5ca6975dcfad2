"""Whether smclarify takes a column for categorical or continuous, and how it writes the choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from biaspipe.plan import Bin, Dimension, Kind
from biaspipe.spec import Interval, Scalar

__all__ = [
    "UNIQUENESS",
    "PandasColumn",
    "SmclarifyColumn",
    "is_continuous",
    "matching_values",
    "values_text",
]

UNIQUENESS = 0.05
"""The share of distinct values from which whole numbers are continuous."""


@dataclass(frozen=True)
class PandasColumn:
    """A column as pandas would hold it, on which smclarify's guess depends.

    Parameters
    ----------
    kind : what it holds.
    rows : rows that count.
    missing : of these, rows without a value.
    distinct : its values, each once; None where the guess does not depend on it.
    largest, smallest : the greatest and the least of its numbers.
    digits : whether it holds texts that are whole numbers, none missing.
    """

    kind: Kind
    rows: int
    missing: int
    distinct: int | None
    largest: float | None = None
    digits: bool = False
    smallest: float | None = None

    @property
    def is_float(self) -> bool:
        """Whether pandas holds floats: whole numbers with one missing are floats there."""
        whole = self.kind is Kind.INTEGER and not self.missing
        return self.kind in (Kind.FLOAT, Kind.INTEGER, Kind.MISSING) and not whole


def is_continuous(column: PandasColumn, values: Sequence[Scalar]) -> bool:
    """Guess as smclarify does.

    Parameters
    ----------
    column : the column.
    values : the values that are named for it; two or more make it categorical.

    >>> is_continuous(PandasColumn(Kind.INTEGER, 100, 0, 5), [1])
    True
    >>> is_continuous(PandasColumn(Kind.INTEGER, 100, 0, 4), [1])
    False
    """
    if len(values) > 1 or column.kind is Kind.BOOLEAN:
        return False
    present = column.rows - column.missing
    share = (column.distinct or 0) / present if present else 0.0
    return column.is_float or (column.kind is Kind.INTEGER and share >= UNIQUENESS)


@dataclass(frozen=True)
class SmclarifyColumn:
    """A column as smclarify reads it.

    Parameters
    ----------
    name : its name.
    pandas : the column as pandas would hold it.
    values : the values or the threshold that the spec names for it.
    refused : why smclarify gives up on it, if it does.
    """

    name: str
    pandas: PandasColumn
    values: tuple[Scalar, ...]
    refused: str | None = None

    @property
    def continuous(self) -> bool:
        """Whether smclarify takes the column for continuous."""
        return is_continuous(self.pandas, self.values)

    @property
    def text(self) -> str:
        """The values or the interval, as smclarify writes them."""
        return values_text(self.values, self.pandas, continuous=self.continuous)

    def dimension(self, *, whole: bool = False) -> Dimension:
        """Return how the column is counted; by all its values where none is named.

        Parameters
        ----------
        whole : whether its numbers lose their decimals first.
        """
        if not self.values:
            return Dimension(self.name)
        if not self.continuous:
            named = matching_values(self.values, self.pandas.kind)
            return Dimension(self.name, tuple(Bin("d", value) for value in named))
        threshold = float(self.values[0])
        interval = _interval_above(threshold) if whole else Interval(above=threshold)
        return Dimension(self.name, (Bin("d", interval),))


def _interval_above(threshold: float) -> Interval:
    """Return the numbers whose whole part lies above a threshold.

    >>> _interval_above(40.5).at_least, _interval_above(-2.5).above
    (41.0, -3.0)
    """
    least = threshold // 1 + 1
    return Interval(at_least=least) if least > 0 else Interval(above=least - 1)


def matching_values(values: Sequence[Scalar], kind: Kind) -> tuple[Scalar, ...]:
    """Return the values that smclarify looks for in a column of this kind.

    Values of the column's own type win; only where there is none are the others converted:
    every text that is not empty becomes true, and numbers lose their decimals.

    >>> matching_values([1, "2"], Kind.INTEGER), matching_values(["no"], Kind.BOOLEAN)
    ((1,), (True,))
    >>> matching_values([1], Kind.TEXT), matching_values([25.5], Kind.INTEGER)
    (('1',), (25,))
    """
    if kind is Kind.TEXT:
        texts = tuple(value for value in values if isinstance(value, str))
        return texts or tuple(map(str, values))
    numbers = tuple(value for value in values if not isinstance(value, str))
    if kind is Kind.INTEGER and not any(float(number).is_integer() for number in numbers):
        numbers = tuple(map(int, numbers))
    if numbers or kind is not Kind.BOOLEAN:
        return numbers or tuple(values)
    return tuple(dict.fromkeys(bool(value) for value in values))


def values_text(values: Sequence[Scalar], column: PandasColumn, *, continuous: bool) -> str:
    """Write values, or the interval above a threshold, as smclarify does.

    >>> values_text([40], PandasColumn(Kind.FLOAT, 9, 0, 9, 68.6), continuous=True)
    '(40.0, 68.6]'
    >>> values_text([1, 2], PandasColumn(Kind.INTEGER, 9, 0, 3, 3), continuous=False)
    '1,2'
    """
    if not continuous:
        return ",".join(map(str, values))
    first = values[0]
    threshold = float(first) if isinstance(first, str) else first
    largest = column.largest
    if largest is None or abs(largest) == threshold:
        return ""
    low, high = sorted((threshold, largest))
    if all(isinstance(end, int) for end in (low, high)) and not column.is_float:
        return f"({low}, {high}]"
    return f"({float(low)}, {float(high)}]"
