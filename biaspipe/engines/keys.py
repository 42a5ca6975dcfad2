"""The key of a cell: small codes packed into one integer, beside the values that have no codes.

Grouping by one integer is much faster than by several columns. Columns that a spec reduces to bins
have codes by themselves; a column counted by its values gets codes where the first rows show only
a few of them, and is counted again by its values if a later row holds another one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import narwhals as nw
import polars as pl

from biaspipe.counts import Cell
from biaspipe.engines.coding import digit, named
from biaspipe.engines.weights import Weights
from biaspipe.plan import OTHER, Bin, Dimension, is_missing
from biaspipe.spec import Scalar

__all__ = ["Cells", "Keys", "Learned", "learn"]

MOST_LEARNED = 2
"""More values than this are grouped faster by themselves than told apart one by one."""
MOST_SMALL = 2**15
MOST_CODES = 2**31
PACKED = "packed"

Key = tuple[object, ...]
Learned = Mapping[Dimension, tuple[Scalar, ...]]
"""The few values that the first rows hold, by dimension."""


def learn(dimensions: Sequence[Dimension], head: pl.DataFrame) -> Learned:
    """Return the values of the dimensions that hold only a few.

    Parameters
    ----------
    dimensions : what the columns of `head` are the keys of.
    head : the first rows.
    """
    learned = {}
    for dimension, name in zip(dimensions, head.columns, strict=True):
        if dimension.bins is None:
            values = [v for v in head[name].unique().to_list() if not is_missing(v)]
            if 0 < len(values) <= MOST_LEARNED and isinstance(values[0], str | int | bool):
                learned[dimension] = tuple(sorted(values))
    return learned


@dataclass(frozen=True)
class Keys:
    """How the dimensions of a count become the columns that cells are grouped by.

    Parameters
    ----------
    dimensions : what to count by.
    schema : the columns' types.
    condition : which rows count; those that do not are cells of their own.
    learned : values that have codes.
    """

    dimensions: tuple[Dimension, ...]
    schema: Mapping[str, nw.dtypes.DType]
    condition: nw.Expr | None = None
    learned: Learned = field(default_factory=dict)

    @property
    def _sizes(self) -> dict[Dimension, int]:
        """How many codes each packed dimension has: missing, other, and one for each bin."""
        sizes, product = {}, 2
        for d in self.dimensions:
            bins = self.learned.get(d) if d.bins is None else d.bins
            if bins is not None and product * (len(bins) + 2) < MOST_CODES:
                sizes[d] = len(bins) + 2
                product *= sizes[d]
        return sizes

    def expressions(self) -> list[nw.Expr]:
        """Return the columns to group by."""
        values = [
            named(d.column, self.schema[d.column]).alias(f"value{i}")
            for i, d in enumerate(self.dimensions)
            if d not in self._sizes
        ]
        return [*self._packed(), *values]

    def _packed(self) -> list[nw.Expr]:
        """Return the codes in one number, if there are any."""
        if not self._sizes and self.condition is None:
            return []
        small = nw.Int16() if 2 * prod(self._sizes.values()) < MOST_SMALL else nw.Int32()
        packed = nw.lit(1, small)
        if self.condition is not None:
            packed = nw.when(self.condition).then(packed).otherwise(nw.lit(0, small))
        for d, size in self._sizes.items():
            packed = packed * nw.lit(size, small) + self._digit(d).cast(small)
        return [packed.alias(PACKED)]

    def _digit(self, dimension: Dimension) -> nw.Expr:
        bins = tuple(Bin("", value) for value in self.learned.get(dimension, ()))
        binned = dimension if dimension.bins is not None else Dimension(dimension.column, bins)
        return digit(binned, self.schema[dimension.column])

    def kept(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the cells of rows that count."""
        if self.condition is None:
            return frame
        return frame.filter(pl.col(PACKED).cast(pl.Int64) // prod(self._sizes.values()) == 1)

    def surprised(self, frame: pl.DataFrame) -> bool:
        """Whether a row holds a value that the first rows did not show."""
        return any(OTHER in column for d, column in self._decoded(frame) if d.bins is None)

    def columns(self, frame: pl.DataFrame) -> dict[Dimension, list[object]]:
        """Return for each dimension the codes or values of the cells."""
        columns: dict[Dimension, list[object]] = {}
        for dimension, codes in self._decoded(frame):
            values = self.learned.get(dimension) if dimension.bins is None else None
            columns[dimension] = [c if c is None or values is None else values[c] for c in codes]
        for i, dimension in enumerate(self.dimensions):
            if dimension not in columns:
                columns[dimension] = frame[f"value{i}"].to_list()
        return columns

    def _decoded(self, frame: pl.DataFrame) -> Iterator[tuple[Dimension, list[int | None]]]:
        packed = frame[PACKED].to_list() if self._sizes else []
        for dimension, size in reversed(self._sizes.items()):
            codes = [key % size - 2 for key in packed]
            packed = [key // size for key in packed]
            yield dimension, [None if c == OTHER - 1 else c for c in codes]


class Cells:
    """The cells of one count, to be added up for facets that need fewer dimensions."""

    def __init__(self, keys: Keys, frame: pl.DataFrame, weights: Weights) -> None:
        self.columns = keys.columns(frame)
        self.rows, self.people = frame["rows"].to_list(), weights.people(frame)
        self.squares = weights.squares(frame)

    def of(self, grouping: tuple[Dimension, ...]) -> tuple[Cell, ...]:
        """Return the cells by the dimensions of one facet."""
        keys = list(zip(*(self.columns[d] for d in grouping), strict=True))
        rows, people = _summed(keys, self.rows), _summed(keys, self.people)
        if not self.squares:
            return tuple(Cell(key, n, people[key]) for key, n in rows.items())
        squares = _summed(keys, self.squares)
        return tuple(Cell(key, n, people[key], squares[key]) for key, n in rows.items())


def _summed(keys: Sequence[Key], numbers: Sequence[int]) -> Counter[Key]:
    sums: Counter[Key] = Counter()
    for key, number in zip(keys, numbers, strict=True):
        sums[key] += number
    return sums
