"""The key of a cell: small codes packed into one integer, beside the values that have no codes.

Grouping by one integer is much faster than by several columns. Columns that a spec reduces to bins
have codes by themselves; a column counted by its values gets codes where the first rows show only
a few of them, and is counted again by its values if a later row holds another one. The values that
no bin holds get codes too where the first rows show only a few, so that one pass counts each.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import narwhals as nw
import polars as pl

from biaspipe.counts import Cell
from biaspipe.engines.coding import code, digit
from biaspipe.engines.weights import Weights
from biaspipe.plan import OTHER, Bin, Dimension, is_missing
from biaspipe.spec import Scalar

__all__ = ["Cells", "Keys", "Learned", "learn"]

MOST_LEARNED = 2
"""More values than this are grouped faster by themselves than told apart one by one."""
MOST_OTHERS = 4
"""More values in no bin than this are looked for by themselves, after the count."""
MOST_SMALL = 2**15
MOST_CODES = 2**31
PACKED = "packed"

Key = tuple[object, ...]
Learned = Mapping[Dimension, tuple[Scalar, ...]]
"""The few values that the first rows hold, by dimension."""


def learn(dimensions: Sequence[Dimension], head: pl.DataFrame) -> Learned:
    """Return the values of the dimensions that hold only a few, or only a few in no bin.

    Parameters
    ----------
    dimensions : what was counted.
    head : the first rows: `key0`, `key1`, ... by dimension, and `raw0`, ... their values where
        the ones in no bin are asked for.
    """
    learned = {}
    for i, dimension in enumerate(dimensions):
        found, most = head[f"key{i}"], MOST_LEARNED
        if dimension.bins is not None:
            if f"raw{i}" not in head.columns:
                continue
            found, most = head.filter(found == OTHER)[f"raw{i}"], MOST_OTHERS
        values = [v for v in found.unique().to_list() if not is_missing(v)]
        if 0 < len(values) <= most and isinstance(values[0], str | int | float | bool):
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
    learned : values that have codes; of a dimension with bins, those in none of them.
    """

    dimensions: tuple[Dimension, ...]
    schema: Mapping[str, nw.dtypes.DType]
    condition: nw.Expr | None = None
    learned: Learned = field(default_factory=dict)

    def _bins(self, dimension: Dimension) -> tuple[Bin, ...] | None:
        """Return what a dimension is coded by: its bins, and the values that have codes."""
        values = self.learned.get(dimension, ())
        if dimension.bins is None and not values:
            return None
        return (*(dimension.bins or ()), *(Bin("", value) for value in values))

    @property
    def _sizes(self) -> dict[Dimension, int]:
        """How many codes each packed dimension has: missing, other, and one for each bin."""
        sizes, product = {}, 2
        for d in self.dimensions:
            bins = self._bins(d)
            if bins is not None and product * (len(bins) + 2) < MOST_CODES:
                sizes[d] = len(bins) + 2
                product *= sizes[d]
        return sizes

    def expressions(self) -> list[nw.Expr]:
        """Return the columns to group by."""
        values = [
            code(d, self.schema[d.column]).alias(f"value{i}")
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
        coded = Dimension(dimension.column, self._bins(dimension))
        return digit(coded, self.schema[dimension.column])

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
            bins, values = dimension.bins, self.learned.get(dimension, ())
            if bins is None:
                columns[dimension] = [c if c is None else values[c] for c in codes]
            else:
                columns[dimension] = [c if c is None or c < len(bins) else OTHER for c in codes]
        for i, dimension in enumerate(self.dimensions):
            if dimension not in columns:
                columns[dimension] = frame[f"value{i}"].to_list()
        return columns

    def others(self, frame: pl.DataFrame, dimension: Dimension) -> Counter[Scalar] | None:
        """Return the rows of the values in no bin; None where some of them have no code."""
        codes = dict(self._decoded(frame)).get(dimension)
        bins, values = len(dimension.bins or ()), self.learned.get(dimension, ())
        if codes is None:
            codes = frame[f"value{self.dimensions.index(dimension)}"].to_list()
        if OTHER in codes:
            return None
        rows: Counter[Scalar] = Counter()
        for found, n in zip(codes, frame["rows"].to_list(), strict=True):
            if found is not None and found >= bins:
                rows[values[found - bins]] += n
        return rows

    def _decoded(self, frame: pl.DataFrame) -> Iterator[tuple[Dimension, list[int | None]]]:
        packed = frame[PACKED].to_list() if self._sizes else []
        for dimension, size in reversed(self._sizes.items()):
            codes = [key % size - 2 for key in packed]
            packed = [key // size for key in packed]
            yield dimension, [None if c == OTHER - 1 else c for c in codes]


class Cells:
    """The cells of one count, to be added up for facets that need fewer dimensions."""

    def __init__(
        self, keys: Keys, frame: pl.DataFrame, weights: Weights, markers: Sequence[str]
    ) -> None:
        self.columns = keys.columns(frame)
        self.rows, self.people = frame["rows"].to_list(), weights.people(frame)
        self.squares = weights.squares(frame) or [0] * frame.height
        self.unmatched = [frame[name].to_list() for name in markers]

    def of(self, grouping: tuple[Dimension, ...]) -> tuple[Cell, ...]:
        """Return the cells by the dimensions of one facet."""
        keys = list(zip(*(self.columns[d] for d in grouping), strict=True))
        rows, people, squares, *unmatched = (
            _summed(keys, numbers)
            for numbers in (self.rows, self.people, self.squares, *self.unmatched)
        )
        return tuple(
            Cell(key, n, people[key], squares[key], tuple(each[key] for each in unmatched))
            for key, n in rows.items()
        )


def _summed(keys: Sequence[Key], numbers: Sequence[int]) -> Counter[Key]:
    sums: Counter[Key] = Counter()
    for key, number in zip(keys, numbers, strict=True):
        sums[key] += number
    return sums
