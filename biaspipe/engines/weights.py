"""Weights: each row stands for a whole number of people, or the data is faulty."""

import polars as pl

from biaspipe.errors import DataError

__all__ = ["Weights"]

MOST_PEOPLE = 2**62


class Weights:
    """Sums the weights of a cell and tells whether one of them cannot be a number of people.

    Parameters
    ----------
    column : the weight's column; each row is one person if None.
    table : what messages call the data.
    """

    def __init__(self, column: str | None, table: str) -> None:
        self.column = column
        self.table = table

    def sums(self) -> list[pl.Expr]:
        """Return the aggregations of a cell: `n` people, and what `fault` looks at."""
        if self.column is None:
            return [pl.len().cast(pl.Int64).alias("n")]
        return [
            self._people.sum().alias("n"),
            self._good.not_().sum().alias("faulty"),
            self._people.max().alias("largest"),
        ]

    @property
    def _people(self) -> pl.Expr:
        return pl.col(str(self.column)).cast(pl.Int64, strict=False)

    @property
    def _good(self) -> pl.Expr:
        """Whether a weight of any type is a number of people."""
        return ((self._people >= 0) & (self._people == pl.col(str(self.column)))).fill_null(False)

    def fault(self, cells: pl.DataFrame, rows: int, frame: pl.LazyFrame) -> DataError | None:
        """Return what is wrong with the weights that went into counts, if anything is.

        Parameters
        ----------
        cells : the counted cells.
        rows : rows read.
        frame : the rows, to find what the faulty weight is.

        Returns
        -------
        DataError or None
            With the column, the first faulty value and how many rows have one.
        """
        if self.column is None:
            return None
        if faulty := int(cells["faulty"].sum()):
            return DataError(self._words(faulty, frame), hint=HINT)
        largest = cells["largest"].max()
        if isinstance(largest, int) and largest * rows > MOST_PEOPLE:
            message = f"{self.table}: column {self.column!r}: the weight {largest} is too large"
            return DataError(message)
        return None

    def _words(self, faulty: int, frame: pl.LazyFrame) -> str:
        faults = frame.filter(self._good.not_()).select(str(self.column))
        first = faults.head(1).collect(engine="streaming")
        value = first.item() if first.height else None
        found = "missing" if value is None or value != value else repr(value)  # noqa: PLR0124 - NaN
        many = "row" if faulty == 1 else "rows"
        return (
            f"{self.table}: column {self.column!r}: {faulty:,} {many} with a weight that is"
            f" no number of people, such as {found}"
        )


HINT = "a weight is the whole number of people that a row stands for, 0 or more"
