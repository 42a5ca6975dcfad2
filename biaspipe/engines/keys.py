"""The key of a cell: small codes packed into one integer, beside the values that have no codes.

Grouping by one integer is much faster than by several columns. Columns that a spec reduces to bins
have codes by themselves; a column counted by its values gets codes where the first rows show only
a few of them, and is counted again by its values if a later row holds another one. The values that
no bin holds get codes too where the first rows show only a few, so that one pass counts each.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from math import prod

import narwhals as nw
import polars as pl

from biaspipe.counts import Cell
from biaspipe.engines.backend import Frame
from biaspipe.engines.coding import code, digit
from biaspipe.engines.weights import Weights
from biaspipe.plan import OTHER, Bin, Dimension, is_missing
from biaspipe.spec import Scalar

__all__ = ["Cells", "Codes", "Keys", "Learned", "learn"]

MAX_LEARNED = 2
"""More values than this are grouped faster by themselves than told apart one by one."""
MAX_OTHERS = 4
"""More values in no bin than this are looked for by themselves, after the count."""
MAX_SMALL = 2**15
MAX_CODES = 2**31
LARGEST = 2**63
PACKED = "packed"

CellKey = tuple[object, ...]
Learned = Mapping[Dimension, tuple[Scalar, ...]]
"""The few values that the first rows hold, by dimension."""
Codes = Mapping[Dimension, pl.Series]
"""The codes of cells, or their values, by dimension."""


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
        found, most = head[f"key{i}"], MAX_LEARNED
        if dimension.bins is not None:
            if f"raw{i}" not in head.columns:
                continue
            found, most = head.filter(found == OTHER)[f"raw{i}"], MAX_OTHERS
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
        """Return the bins of a dimension: its own, and one for each value that has a code."""
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
            if bins is not None and product * (len(bins) + 2) < MAX_CODES:
                sizes[d] = len(bins) + 2
                product *= sizes[d]
        return sizes

    def expressions(self) -> list[nw.Expr]:
        """Return the columns to group by."""
        sizes = self._sizes
        values = [
            self._counting(code(d, self.schema[d.column])).alias(f"value{i}")
            for i, d in enumerate(self.dimensions)
            if d not in sizes
        ]
        return [*self._packed(), *values]

    def _counting(self, values: nw.Expr) -> nw.Expr:
        """Return values of the rows that count; the others need not be told apart."""
        return values if self.condition is None else nw.when(self.condition).then(values)

    def at_most(self, cells: Frame, number: int) -> Frame:
        """Return so many cells, where there may be more."""
        sizes = self._sizes
        few = len(sizes) == len(self.dimensions) and 2 * prod(sizes.values()) <= number
        return cells if few else cells.head(number)

    def _packed(self) -> list[nw.Expr]:
        """Return the codes in one number, if there are any."""
        if not self._sizes and self.condition is None:
            return []
        small = nw.Int16() if 2 * prod(self._sizes.values()) < MAX_SMALL else nw.Int32()
        packed = nw.lit(1, small)
        if self.condition is not None:
            packed = nw.when(self.condition).then(packed).otherwise(nw.lit(0, small))
        for d, size in self._sizes.items():
            packed = packed * nw.lit(size, small) + self._digit(d).cast(small)
        return [packed.alias(PACKED)]

    def _digit(self, dimension: Dimension) -> nw.Expr:
        coded = Dimension(dimension.column, self._bins(dimension))
        return digit(coded, self.schema[dimension.column])

    def matching(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the cells of the rows that count."""
        if self.condition is None:
            return frame
        return frame.filter(pl.col(PACKED).cast(pl.Int64) // prod(self._sizes.values()) == 1)

    def has_new_values(self, frame: pl.DataFrame) -> bool:
        """Whether a row holds a value that the first rows did not show."""
        digits = self._digits(frame).items()
        return any((codes == OTHER).any() for d, codes in digits if d.bins is None)

    def codes(self, frame: pl.DataFrame) -> dict[Dimension, pl.Series]:
        """Return for each dimension the codes of the cells, and the values of what has none."""
        columns: dict[Dimension, pl.Series] = {}
        for dimension, codes in self._digits(frame).items():
            others = codes >= len(dimension.bins or ())
            columns[dimension] = codes if dimension.bins is None else codes.set(others, OTHER)
        for i, dimension in enumerate(self.dimensions):
            if dimension not in columns:
                columns[dimension] = frame[f"value{i}"]
        return columns

    def values(self, dimension: Dimension, codes: pl.Series) -> list[object]:
        """Return the values of codes of a dimension: the codes themselves, if it has bins."""
        if dimension.bins is not None or dimension not in self._sizes:
            return codes.to_list()
        values = self.learned[dimension]
        return [code if code is None else values[code] for code in codes]

    def rows_outside(self, frame: pl.DataFrame, dimension: Dimension) -> Counter[Scalar] | None:
        """Return the rows of the values in no bin; None where some of them have no code."""
        codes = self._digits(frame).get(dimension)
        bins, values = len(dimension.bins or ()), self.learned.get(dimension, ())
        if codes is None:
            codes = frame[f"value{self.dimensions.index(dimension)}"]
        if (codes == OTHER).any():
            return None
        rows: Counter[Scalar] = Counter()
        for found, n in zip(codes.to_list(), frame["rows"].to_list(), strict=True):
            if found is not None and found >= bins:
                rows[values[found - bins]] += n
        return rows

    def _digits(self, frame: pl.DataFrame) -> dict[Dimension, pl.Series]:
        """Return the codes that were packed; those of missing values are null."""
        found: dict[Dimension, pl.Series] = {}
        packed = frame[PACKED].cast(pl.Int64) if self._sizes else pl.Series(dtype=pl.Int64)
        for dimension, size in reversed(self._sizes.items()):
            codes = packed % size - 2
            found[dimension] = codes.set(codes == OTHER - 1, None)
            packed = packed // size
        return found


class Cells:
    """The cells of one count, to be added up for facets that need fewer dimensions."""

    def __init__(
        self, keys: Keys, frame: pl.DataFrame, weights: Weights, markers: Sequence[str]
    ) -> None:
        self.keys, self.codes = keys, keys.codes(frame)
        squares = weights.squares(frame) or [0] * frame.height
        unmatched = (list(map(int, frame[name].to_list())) for name in markers)
        self.numbers = [frame["rows"].to_list(), weights.people(frame), squares, *unmatched]
        fitting = (sum(numbers) < LARGEST for numbers in self.numbers)
        self.sums = {
            f"sum{i}": pl.Series(numbers, dtype=pl.Int64)
            for i, (numbers, fits) in enumerate(zip(self.numbers, fitting, strict=True))
            if fits
        }

    def of(
        self, grouping: tuple[Dimension, ...], refuse: Callable[[Codes], None]
    ) -> Iterator[Cell]:
        """Yield the cells by the dimensions of one facet.

        Parameters
        ----------
        grouping : its dimensions.
        refuse : looks at the codes of the cells before any of them is made.
        """
        columns = {f"code{i}": self.codes[d] for i, d in enumerate(grouping)}
        grouped = pl.DataFrame({**columns, **self.sums}).group_by(
            list(columns), maintain_order=True
        )
        found = grouped.agg(pl.col(list(self.sums)).sum())
        codes = [(d, found[name]) for name, d in zip(columns, grouping, strict=True)]
        refuse(dict(codes))
        rows, people, squares, *unmatched = (
            found[f"sum{i}"].to_list() if f"sum{i}" in self.sums else self._large(numbers, grouping)
            for i, numbers in enumerate(self.numbers)
        )
        keys = zip(*(self.keys.values(d, column) for d, column in codes), strict=True)
        apart = zip(*unmatched, strict=True) if unmatched else repeat(())
        return map(Cell, keys, rows, people, squares, apart)

    def _large(self, numbers: Sequence[int], grouping: tuple[Dimension, ...]) -> list[int]:
        """Add up numbers that no column holds, in the order in which their cells appear."""
        sums: Counter[CellKey] = Counter()
        keys = zip(*(self.codes[d].to_list() for d in grouping), strict=True)
        for key, number in zip(keys, numbers, strict=True):
            sums[key] += number
        return list(sums.values())
