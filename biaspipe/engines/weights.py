"""Weights: how many people each row stands for, summed exactly, or the data is faulty.

Sums of floats depend on the order of the rows, so sampling weights are summed as whole numbers of
very small parts of a person, each limb of their digits by itself.
"""

import polars as pl

from biaspipe.errors import DataError
from biaspipe.plan import PARTS
from biaspipe.spec import Weight

__all__ = ["Frequencies", "Samples", "Weights", "weights_of"]

MOST_PEOPLE = 2**62

LIMBS = 3
"""Integers that hold a number: its whole part and two limbs of the binary digits after it."""
DIGITS = (PARTS.bit_length() - 1) // (LIMBS - 1)
"""Binary digits of a limb; their sum over 2^37 rows still fits 128 bits."""
MOST_SUM = 2**126
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

    def sums(self) -> list[pl.Expr]:
        """Return the aggregations of a cell: its people, and what `fault` looks at."""
        return [pl.len().cast(pl.Int64).alias("n")]

    def people(self, cells: pl.DataFrame) -> list[int]:
        """Return the people of each counted cell; under sampling weights, in parts."""
        return cells["n"].to_list()

    def squares(self, cells: pl.DataFrame) -> list[int]:
        """Return the sum of squared weights of each cell in parts; empty unless sampling."""
        return []

    def fault(self, cells: list[pl.DataFrame], rows: int, frame: pl.LazyFrame) -> DataError | None:
        """Return what is wrong with the weights that went into counts, if anything is.

        Parameters
        ----------
        cells : the counted cells, by every key that they were counted by.
        rows : rows read.
        frame : the rows, to find what the faulty weight is.

        Returns
        -------
        DataError or None
            With the column, the first faulty value and how many rows have one.
        """
        return None


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

    def sums(self) -> list[pl.Expr]:
        """Return the aggregations of a cell: its people, and what `fault` looks at."""
        return [
            self._people.sum().alias("n"),
            self._good.not_().sum().alias("faulty"),
            self._people.max().alias("largest"),
        ]

    @property
    def _people(self) -> pl.Expr:
        return pl.col(self.column).cast(pl.Int64, strict=False)

    @property
    def _good(self) -> pl.Expr:
        """Whether a weight of any type is a number of people."""
        return ((self._people >= 0) & (self._people == pl.col(self.column))).fill_null(False)

    def fault(self, cells: list[pl.DataFrame], rows: int, frame: pl.LazyFrame) -> DataError | None:
        """Return what is wrong with the weights that went into counts, if anything is."""
        if faulty := int(cells[0]["faulty"].sum()):
            hint = self.hint.format(column=self.column)
            return DataError(self._words(faulty, frame), hint=hint)
        return self._extreme(cells, rows)

    def _extreme(self, cells: list[pl.DataFrame], rows: int) -> DataError | None:
        """Return what is wrong with weights that cannot be summed."""
        largest = cells[0]["largest"].max()
        if isinstance(largest, int) and largest * rows > MOST_PEOPLE:
            return DataError(f"{self._whose}: the weight {largest} is too large")
        return None

    @property
    def _whose(self) -> str:
        return f"{self.table}: column {self.column!r}"

    def _words(self, faulty: int, frame: pl.LazyFrame) -> str:
        faults = frame.filter(self._good.not_()).select(self.column)
        first = faults.head(1).collect(engine="streaming")
        value = first.item() if first.height else None
        found = "missing" if value is None or value != value else repr(value)  # noqa: PLR0124 - NaN
        many = "row" if faulty == 1 else "rows"
        return (
            f"{self._whose}: {faulty:,} {many} with a weight that is no number of people,"
            f" such as {found}"
        )


class Samples(Frequencies):
    """Weights that say of how many people each row is a sample: numbers, whole or not.

    Parameters
    ----------
    column : the weight's column.
    table : what messages call the data.
    """

    hint = "a sampling weight is how many people a row stands for: a finite number, 0 or more"

    def sums(self) -> list[pl.Expr]:
        """Return the aggregations of a cell: people and squares by limbs, and for `fault`."""
        weight = pl.when(self._good).then(self._people)
        return [
            *_limbs(weight, "n"),
            *_limbs(weight * weight, "squares"),
            self._good.not_().sum().alias("faulty"),
            weight.max().alias("largest"),
        ]

    @property
    def _people(self) -> pl.Expr:
        return pl.col(self.column).cast(pl.Float64, strict=False)

    @property
    def _good(self) -> pl.Expr:
        return (self._people.is_finite() & (self._people >= 0)).fill_null(False)

    def people(self, cells: pl.DataFrame) -> list[int]:
        """Return the people of each cell, in parts."""
        return _joined(cells, "n")

    def squares(self, cells: pl.DataFrame) -> list[int]:
        """Return the sum of squared weights of each cell, in parts."""
        return _joined(cells, "squares")

    def _extreme(self, cells: list[pl.DataFrame], rows: int) -> DataError | None:
        """Return what is wrong with weights whose sums would overflow, or lose their digits."""
        largest = [weight for frame in cells for weight in frame["largest"].drop_nulls()]
        high, low = max(largest, default=0.0), min((w for w in largest if w), default=1.0)
        if max(high, high * high) * rows > MOST_SUM:
            return DataError(f"{self._whose}: the weight {high} is too large", hint=SCALE)
        if low < SMALLEST:
            return DataError(f"{self._whose}: the weight {low} is too small", hint=SCALE)
        return None


SCALE = "only the proportions of sampling weights matter: multiply all of them by one number"


def _limbs(number: pl.Expr, name: str) -> list[pl.Expr]:
    """Return the sums of the limbs of a float's binary digits; every step of this is exact."""
    sums = []
    for i in range(LIMBS):
        sums.append(number.cast(pl.Int128, strict=False).sum().alias(f"{name}{i}"))
        number = number % 1.0 * 2.0**DIGITS
    return sums


def _joined(cells: pl.DataFrame, name: str) -> list[int]:
    """Return the numbers that sums of limbs make up."""
    numbers = [0] * cells.height
    for i in range(LIMBS):
        limbs = cells[f"{name}{i}"].to_list()
        numbers = [(n << DIGITS) + limb for n, limb in zip(numbers, limbs, strict=True)]
    return numbers


def weights_of(weighting: Weight | None, table: str) -> Weights:
    """Return how the rows of an audit are weighed.

    Parameters
    ----------
    weighting : the spec's weight; each row is one person if None.
    table : what messages call the data.
    """
    if weighting is None:
        return Weights(table)
    kind = Samples if weighting.kind == "sampling" else Frequencies
    return kind(weighting.column, table)
