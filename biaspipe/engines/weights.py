"""Weights: how many people each row stands for, summed exactly, or the data is faulty.

Sums of floats depend on the order of the rows, so sampling weights are summed as whole numbers of
very small parts of a person, each limb of their digits by itself.
"""

from collections.abc import Callable, Sequence

import narwhals as nw
import polars as pl

from biaspipe.engines.backend import Frame
from biaspipe.engines.exact_sums import FRACTION, ExactSums, to_integers
from biaspipe.errors import DataError
from biaspipe.spec import Weight

__all__ = ["Weights", "weights_of"]

GOOD, WEIGHT, SQUARE = "__good__", "__weight__", "__square__"
MAX_WEIGHT = 2.0**63
MAX_PEOPLE = 2**62
MAX_SUM = 2**126
SMALLEST = 2.0**-75
"""Smaller weights than this have squares with less than nine decimal digits among the parts."""


class Weights:
    """Each row is one person, where no weight is declared.

    Parameters
    ----------
    table : what messages call the data.
    """

    def __init__(self, table: str) -> None:
        self.table = table

    def sums(self) -> list[nw.Expr]:
        """Return the aggregations of a cell beside its `rows`: its people, and for `fault`."""
        return []

    def prepared(self, rows: Frame) -> Frame:
        """Return rows with the columns that `sums` adds up."""
        return rows

    def people_of_row(self) -> nw.Expr:
        """Return how many people a row stands for."""
        return nw.lit(1, nw.Int64)

    def people(self, cells: pl.DataFrame) -> list[int]:
        """Return the people of each counted cell; under sampling weights, in parts."""
        return to_integers(cells["rows"])

    def squares(self, cells: pl.DataFrame) -> list[int]:
        """Return the sum of squared weights of each cell in parts; empty unless sampling."""
        return []

    def fault(self, cells: list[pl.DataFrame], rows: int, first: "First") -> DataError | None:
        """Return the error of faulty weights that went into counts, if any did.

        Parameters
        ----------
        cells : the counted cells, by every key that they were counted by.
        rows : rows read.
        first : gives the first values of a column among the rows that meet a condition.

        Returns
        -------
        DataError or None
            With the column, the first faulty value and how many rows have one.
        """
        return None


First = Callable[[str, nw.Expr], Sequence[object]]


class Frequencies(Weights):
    """Weights that are whole numbers of people.

    Parameters
    ----------
    column : the weight's column.
    table : what messages call the data.
    """

    hint = (
        "a weight is the whole number of people that a row stands for, 0 or more;"
        " for any other number: weight: {{column: {column}, kind: sampling}}"
    )

    def __init__(self, column: str, table: str) -> None:
        super().__init__(table)
        self.column = column

    def sums(self) -> list[nw.Expr]:
        """Return the aggregations of a cell: its people, and what `fault` looks at."""
        return [self._people.sum().alias("n"), self._faulty, self._people.max().alias("largest")]

    def people_of_row(self) -> nw.Expr:
        """Return how many people a row stands for."""
        return self._people

    def people(self, cells: pl.DataFrame) -> list[int]:
        """Return the people of each counted cell."""
        return to_integers(cells["n"])

    @property
    def _faulty(self) -> nw.Expr:
        return (~self._is_valid).cast(nw.Int64).sum().alias("faulty")

    @property
    def _people(self) -> nw.Expr:
        weight = nw.col(self.column)
        fits = (weight >= 0) & (weight < MAX_WEIGHT)
        return nw.when(fits).then(weight).cast(nw.Int64)

    @property
    def _is_valid(self) -> nw.Expr:
        """Whether a weight of any type is a number of people."""
        return (self._people == nw.col(self.column)).fill_null(value=False)

    def fault(self, cells: list[pl.DataFrame], rows: int, first: First) -> DataError | None:
        """Return the error of faulty weights that went into counts, if any did."""
        if faulty := sum(to_integers(cells[0]["faulty"])):
            hint = self.hint.format(column=self.column)
            return DataError(self._words(faulty, first), hint=hint)
        return self._extreme(cells, rows)

    def _extreme(self, cells: list[pl.DataFrame], rows: int) -> DataError | None:
        """Return the error of weights that cannot be summed, if there are any."""
        largest = cells[0]["largest"].max()
        if isinstance(largest, int) and largest * rows > MAX_PEOPLE:
            return DataError(f"{self._prefix}: the weight {largest} is too large")
        return None

    @property
    def _prefix(self) -> str:
        return f"{self.table}: column {self.column!r}"

    def _words(self, faulty: int, first: First) -> str:
        value = next(iter(first(self.column, ~self._is_valid)), None)
        found = "missing" if value is None or value != value else repr(value)  # noqa: PLR0124 - NaN
        many = "row" if faulty == 1 else "rows"
        return (
            f"{self._prefix}: {faulty:,} {many} with a weight that is no number of people,"
            f" such as {found}"
        )


class Samples(Frequencies):
    """Weights that say of how many people each row is a sample: numbers, whole or not.

    Parameters
    ----------
    column : the weight's column.
    table : what messages call the data.
    exact_sums : how the engine holds large sums.
    """

    hint = "a sampling weight is how many people a row stands for: a finite number, 0 or more"

    def __init__(self, column: str, table: str, exact_sums: ExactSums) -> None:
        super().__init__(column, table)
        self.exact_sums = exact_sums

    def prepared(self, rows: Frame) -> Frame:
        """Return rows with the columns that `sums` adds up, each of which they name many times."""
        good = nw.col(GOOD)
        seen = nw.when(good >= 2.0**-FRACTION).then(good).otherwise(good * 0.0)
        rows = rows.with_columns(nw.when(self._is_valid).then(self._people).alias(GOOD))
        rows = rows.with_columns(nw.when(good < MAX_WEIGHT).then(seen).alias(WEIGHT))
        return rows.with_columns((nw.col(WEIGHT) * nw.col(WEIGHT)).alias(SQUARE))

    def sums(self) -> list[nw.Expr]:
        """Return the aggregations of a cell: people and squares in limbs, and for `fault`."""
        return [
            *self.exact_sums.sums(nw.col(WEIGHT), "n"),
            *self.exact_sums.sums(nw.col(SQUARE), "squares"),
            self._faulty,
            nw.col(GOOD).max().alias("largest"),
        ]

    @property
    def _people(self) -> nw.Expr:
        return nw.col(self.column).cast(nw.Float64)

    @property
    def _is_valid(self) -> nw.Expr:
        return (self._people.is_finite() & (self._people >= 0)).fill_null(value=False)

    def people(self, cells: pl.DataFrame) -> list[int]:
        """Return the people of each cell, in parts."""
        return self.exact_sums.totals(cells, "n")

    def squares(self, cells: pl.DataFrame) -> list[int]:
        """Return the sum of squared weights of each cell, in parts."""
        return self.exact_sums.totals(cells, "squares")

    def _extreme(self, cells: list[pl.DataFrame], rows: int) -> DataError | None:
        """Return the error of weights whose sums would overflow, or lose their digits."""
        largest = [weight for frame in cells for weight in frame["largest"].drop_nulls()]
        high, low = max(largest, default=0.0), min((w for w in largest if w), default=1.0)
        if max(high, high * high) * rows > MAX_SUM:
            return DataError(f"{self._prefix}: the weight {high} is too large", hint=SCALE)
        if low < SMALLEST:
            return DataError(f"{self._prefix}: the weight {low} is too small", hint=SCALE)
        return None


SCALE = "only the proportions of sampling weights matter: multiply all of them by one number"


def weights_of(weighting: Weight | None, table: str, exact_sums: ExactSums) -> Weights:
    """Return how the rows of an audit are weighed.

    Parameters
    ----------
    weighting : the spec's weight; each row is one person if None.
    table : what messages call the data.
    exact_sums : how the engine holds large sums.
    """
    if weighting is None:
        return Weights(table)
    if weighting.kind == "sampling":
        return Samples(weighting.column, table, exact_sums)
    return Frequencies(weighting.column, table)
