"""What each column of a table holds, on any engine, before there is an audit: its values and rows.

A sample of the first rows tells which columns hold few values; all rows are then counted by those,
in one pass over text tables, which take longer to read than to count.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.backend import BATCH, Frame
from biaspipe.engines.coding import as_written, kind
from biaspipe.engines.counting import Engine
from biaspipe.errors import TypesChangedError
from biaspipe.plan import Kind

__all__ = ["ColumnContents", "TableContents", "contents_of", "markers_in"]

SAMPLE = 20_000
"""The first rows, which tell which columns hold few values."""
MAX_VALUES = 1_000
"""Different values in the sample up to which those of all rows are counted."""
MAX_LENGTH = 200
"""Characters of a text up to which it can name a group."""
NOT_COUNTED = (Kind.OTHER, Kind.MISSING, Kind.DATE, Kind.DATETIME, Kind.ZONED)
DAY = r"^\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ]\d{1,2}:\d{2}.*)?\s*$"
"""A date as text tables write it, with or without a time."""

Value = str | int | float | bool


@dataclass(frozen=True)
class ColumnContents:
    """What a column holds.

    Parameters
    ----------
    name : the column.
    kind : the type of its values.
    rows : rows of the table.
    missing : rows without a value.
    values : the different values and the rows of each, the commonest first; None where they are
        too many, or no text, numbers or true/false.
    ends : the least and the greatest number.
    thirds : the numbers that a third and two thirds of the sampled values are below.
    middle : the number that half of the sampled values are below.
    differs : whether no two sampled rows have the same value.
    words : words in a text, on average.
    longest : characters of the longest sampled text.
    dated : whether every sampled text is a date.
    people : people of each of the values, where a column says how many each row stands for.
    all_people : people of all rows.
    """

    name: str
    kind: Kind
    rows: int
    missing: int = 0
    values: tuple[tuple[Value, int], ...] | None = None
    ends: tuple[float, float] | None = None
    thirds: tuple[float, float] | None = None
    middle: float | None = None
    differs: bool = False
    words: float = 0
    longest: int = 0
    dated: bool = False
    people: tuple[float, ...] | None = None
    all_people: float = 0


@dataclass(frozen=True)
class TableContents:
    """What a table holds.

    Parameters
    ----------
    name : what messages call it.
    rows : its rows.
    columns : what each column holds, in their order.
    sample : the first rows, by the names of the columns.
    """

    name: str
    rows: int
    columns: tuple[ColumnContents, ...]
    sample: pl.DataFrame

    @cached_property
    def by_name(self) -> dict[str, ColumnContents]:
        """The columns by their names."""
        return {column.name: column for column in self.columns}

    def tells(self, column: str, outcome: str) -> bool:
        """Whether each sampled value of a column goes with one outcome only, and both vary.

        Parameters
        ----------
        column, outcome : columns of few values.
        """
        pairs = self.sample.select(pl.col(column).alias("a"), pl.col(outcome).alias("b"))
        pairs = pairs.drop_nulls()
        if pairs["a"].n_unique() == 1 or pairs["b"].n_unique() == 1:
            return False
        return pairs.height > 0 and pairs.unique().height == pairs["a"].n_unique()

    def weighted(self, weight: str) -> "TableContents":
        """Return the same with the people of each value, where the sample is the whole table.

        Parameters
        ----------
        weight : the column that says how many people each row stands for.
        """
        if self.sample.height < self.rows:
            return self
        people = self.sample[weight].cast(pl.Float64).fill_null(0)
        columns = [
            replace(
                column,
                people=tuple(_people(self.sample[column.name], people, column.values)),
                all_people=float(people.sum()),
            )
            if column.values is not None
            else column
            for column in self.columns
        ]
        return replace(self, columns=tuple(columns))

    def differs(self, columns: Sequence[str]) -> bool:
        """Whether no two sampled rows are alike in these columns."""
        return bool(self.sample.select(columns).is_unique().all())


def _people(
    held: pl.Series, people: pl.Series, values: tuple[tuple[Value, int], ...]
) -> Iterator[float]:
    """Yield the people of each value of a column."""
    sums = pl.DataFrame({"value": held, "n": people}).drop_nulls("value")
    found = {_plain(v): n for v, n in sums.group_by("value").agg(pl.col("n").sum()).iter_rows()}
    return (found.get(value, 0.0) for value, _ in values)


def contents_of(engine: Engine) -> TableContents:
    """Look at every column of a table.

    Parameters
    ----------
    engine : which has opened the table.

    Raises
    ------
    DataError
        If it cannot be read, or has no rows.
    """
    engine.refuse_empty()
    try:
        return _Look(engine).table
    except TypesChangedError:
        if not engine.infer_all_types():
            raise
        return _Look(engine).table


class _Look:
    """One look at a table."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.schema = engine, dict(engine.schema)
        self.kinds = {name: kind(dtype) for name, dtype in self.schema.items()}
        self.countable = [c for c, held in self.kinds.items() if held not in NOT_COUNTED]
        columns = [as_written(c, self.schema[c]) for c in self.countable]
        rows = engine.dataset.rows
        self.sample = pl.DataFrame()
        if columns:
            self.sample = engine.dataset.read(rows.select(*columns).head(SAMPLE))
        self.few = [c for c in self.countable if self._has_few(self.sample[c])]

    @staticmethod
    def _has_few(values: pl.Series) -> bool:
        if values.dtype == pl.String and (values.str.len_chars() > MAX_LENGTH).any():
            return False
        return values.n_unique() <= MAX_VALUES

    @property
    def table(self) -> TableContents:
        """What the table holds."""
        totals, *counts = self._merged()
        found = totals.row(0, named=True)
        listed = dict(zip(self.few, counts, strict=True))
        places = {name: i for i, name in enumerate(self.schema)}
        columns = tuple(
            self._column(name, found["rows"], found.get(f"missing{i}"), listed.get(name))
            for name, i in places.items()
        )
        return TableContents(self.engine.name, found["rows"], columns, self.sample)

    def _column(
        self, name: str, rows: int, present: int | None, counted: pl.DataFrame | None
    ) -> ColumnContents:
        held = self.kinds[name]
        if name not in self.countable:
            missing = rows if held is Kind.MISSING else rows - (present or 0)
            return ColumnContents(name, held, rows, missing)
        facts = _facts(self.sample[name].drop_nulls())
        if counted is None:
            missing = rows - (present or 0)
            return ColumnContents(name, held, rows, missing, **facts)
        missing = int(counted.filter(pl.col("value").is_null())["n"].sum())
        values = tuple(_listed(counted.drop_nulls("value")))
        ends = _ends(counted["value"].drop_nulls())
        facts |= {"values": values} | ({"ends": ends} if ends else {})
        return ColumnContents(name, held, rows, missing, **facts)

    def _merged(self) -> list[pl.DataFrame]:
        """Return the rows and values of the table, and the rows by each value of a column."""
        parts = list(self._parts())
        totals = pl.concat([part[0] for part in parts]).sum()
        counts = [
            pl.concat([part[i] for part in parts], how="vertical_relaxed")
            .group_by("value")
            .agg(pl.col("n").sum())
            for i in range(1, len(self.few) + 1)
        ]
        return [totals, *counts]

    def _parts(self) -> Iterator[Sequence[pl.DataFrame]]:
        engine = self.engine
        rows = engine.dataset.rows
        if not any(files.is_csv for files in engine.checks.sources):
            yield engine.dataset.read_all(list(self._queries(rows)))
            return
        with engine.backend.errors(engine.name):
            for batch in _larger(engine.backend.batches(rows)):
                queries = self._queries(nw.from_native(batch.lazy()))
                yield pl.collect_all([query.to_native() for query in queries])

    def _queries(self, rows: Frame) -> Iterator[Frame]:
        others = [(i, c) for i, c in enumerate(self.schema) if c not in self.few]
        present = [nw.col(c).count().cast(nw.Int64).alias(f"missing{i}") for i, c in others]
        yield rows.select(nw.len().cast(nw.Int64).alias("rows"), *present)
        for name in self.few:
            value = as_written(name, self.schema[name]).alias("value")
            yield rows.select(value).group_by("value").agg(nw.len().cast(nw.Int64).alias("n"))


def _larger(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield rows at least `BATCH` at a time, since each question takes time of its own."""
    held: list[pl.DataFrame] = []
    for batch in batches:
        held.append(batch)
        if sum(one.height for one in held) >= BATCH:
            yield pl.concat(held)
            held = []
    if held:
        yield pl.concat(held)


def _facts(values: pl.Series) -> dict[str, Any]:
    """Return what sampled values tell of a column."""
    if not len(values):
        return {}
    facts: dict[str, Any] = {"differs": len(values) > 1 and values.is_unique().all()}
    if values.dtype == pl.String:
        facts["words"] = values.str.count_matches(r"\S+").mean()
        facts["longest"] = values.str.len_chars().max()
        facts["dated"] = values.str.contains(DAY).all()
    elif ends := _ends(values):
        numbers = values.cast(pl.Float64)
        low, middle, high = (
            numbers.quantile(share, interpolation="lower") for share in (1 / 3, 0.5, 2 / 3)
        )
        facts |= {"ends": ends, "thirds": (low, high), "middle": middle}
    return facts


def _ends(values: pl.Series) -> tuple[float, float] | None:
    if not len(values) or not values.dtype.is_numeric():
        return None
    numbers = values.cast(pl.Float64)
    return numbers.min(), numbers.max()  # type: ignore[return-value] # floats, since some are there


def _listed(counted: pl.DataFrame) -> Iterable[tuple[Value, int]]:
    pairs = [(_plain(value), n) for value, n in counted.iter_rows()]
    order: Callable[[tuple[Value, int]], tuple[int, str]] = lambda pair: (-pair[1], str(pair[0]))  # noqa: E731 - typed
    return sorted(pairs, key=order)


def _plain(value: Any) -> Value:
    """Return a value as a spec can write it; a decimal as the number that it is."""
    if isinstance(value, str | bool | int):
        return value
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def markers_in(engine: Engine, markers: Sequence[str]) -> dict[str, int]:
    """Return which texts stand in the first rows of a text table, and in how many of its values.

    Parameters
    ----------
    engine : which has opened the table.
    markers : the texts.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    texts = [c for c, held in engine.kinds.items() if held is Kind.TEXT]
    if not texts:
        return {}
    asked = [
        nw.sum_horizontal(*((nw.col(c) == text).cast(nw.Int64).fill_null(0) for c in texts))
        .sum()
        .alias(text)
        for text in markers
    ]
    found = engine.dataset.read(engine.dataset.rows.select(*texts).head(SAMPLE).select(*asked))
    return {text: n for text, n in found.row(0, named=True).items() if n}
