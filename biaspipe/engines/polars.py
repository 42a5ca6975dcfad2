"""Counting with polars: one streaming pass over the files, whatever their size."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import prod
from pathlib import Path

import polars as pl

from biaspipe.counts import Counts, Flips
from biaspipe.engines.coding import code, feature, kind, named
from biaspipe.engines.condition import columns_of, row_condition
from biaspipe.engines.files import TEXT, Digests, Files, Input, find_files
from biaspipe.engines.joining import Joined, Table, joined
from biaspipe.engines.keys import Cells, Keys, Learned, learn
from biaspipe.engines.scanning import (
    dated,
    emptied,
    is_csv,
    is_deceptive,
    read_through,
    reading,
    refuse_twins,
    scan,
    settle,
)
from biaspipe.engines.weights import Weights, weights_of
from biaspipe.errors import DataError, TypesChangedError
from biaspipe.plan import Dimension, FacetTables, Kind, Plan
from biaspipe.spec import Data, Source

__all__ = ["PolarsEngine"]

MOST_JOINT_CELLS = 100_000
PROBE = 50_000
SMALL_FILES = 50_000_000
"""Bytes of input below which a joint count cannot have too many cells."""


class PolarsEngine:
    """Reads the tables of an audit lazily and counts them.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    folder : what relative paths are relative to.

    Raises
    ------
    DataError
        If a file is missing or cannot be read.
    SpecError
        If the condition or a join asks for a column that is not there.
    """

    def __init__(self, data: Data, folder: Path) -> None:
        self.data = data
        self.files = find_files(data, folder, ("data", "path"))
        joins = (
            (join, find_files(join, folder, ("data", "join", i, "path")))
            for i, join in enumerate(data.join)
        )
        self.sources: list[tuple[Source, Files]] = [(data, self.files), *joins]
        self.digests = Digests([files for _, files in self.sources])
        self.as_text = False

    def inputs(self) -> tuple[Input, ...]:
        """Return every file that was read, with size and digest."""
        return self.digests.result()

    def settle(self) -> bool:
        """Read text tables by all their values instead of their first; whether that is new."""
        changed = not self.as_text and any(files.format in TEXT for _, files in self.sources)
        self.as_text = self.as_text or changed
        for name in ("scanned", "tables", "schema", "condition"):
            self.__dict__.pop(name, None)
        return changed

    @cached_property
    def scanned(self) -> list[Table]:
        """Every table by itself, opened but not read."""
        tables = [self._scanned(source, files) for source, files in self.sources]
        texts = [t for t, (_, files) in zip(tables, self.sources, strict=True) if is_csv(files)]
        if not self.as_text and any(is_deceptive(frame) for _, frame in texts):
            self.as_text = True
            return [self._scanned(source, files) for source, files in self.sources]
        return tables

    def _scanned(self, source: Source, files: Files) -> Table:
        with reading(files.name):
            frame = scan(files, source.csv, as_text=self.as_text)
            names = frame.collect_schema().names()
            if is_csv(files):
                frame = emptied(frame)
                frame = settle(frame, names) if self.as_text else frame
                frame = dated(frame, columns_of(self.data.where), whole=self.as_text)
        return files.name, frame

    @cached_property
    def tables(self) -> Joined:
        """The data with its joins."""
        return joined(self.data, self.scanned)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Name the one file at fault where several are read."""
        try:
            with reading(self.name):
                yield
        except TypesChangedError:
            raise
        except DataError:
            for source, files in self.sources:
                for single in files.singles if len(self.digests.before) > 1 else ():
                    read_through(single, source.csv)
            raise

    @property
    def name(self) -> str:
        """What messages call the data."""
        return self.files.name

    @cached_property
    def schema(self) -> pl.Schema:
        """The columns of the data with its joins."""
        with self._reading():
            return self.tables.frame.collect_schema()

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What kind of values each column holds."""
        return {name: kind(dtype) for name, dtype in self.schema.items()}

    def count(self, plan: Plan) -> Counts:
        """Count the data by the groupings of a plan, in one pass.

        Raises
        ------
        DataError
            If there is no row, or a file cannot be read to its end.
        """
        self._refuse_twins(plan)
        groupings = tuple(plan.groupings.values())
        joint, learned = self._probe(plan)
        wanted = [plan.dimensions] if joint else list(dict.fromkeys(groupings))
        counted = self._counted(wanted, plan, learned)
        if any(keys.surprised(frame) for keys, frame in counted):
            counted = self._counted(wanted, plan, {})
        frames = [keys.kept(frame) for keys, frame in counted]
        rows, kept = int(counted[0][1]["rows"].sum()), frames[0]
        self._refuse_nothing(rows, kept)
        weights = self._weights(plan)
        fault = weights.fault(frames, rows, self.kept_rows)
        pairs = zip(counted, frames, strict=True)
        by_key = {keys.dimensions: Cells(keys, frame, weights) for (keys, _), frame in pairs}
        cells = tuple(by_key[plan.dimensions if joint else g].of(g) for g in groupings)
        unmatched = tuple(int(kept[name].sum()) for name in self.tables.markers)
        return Counts(rows, rows - int(kept["rows"].sum()), cells, unmatched, fault)

    def _weights(self, plan: Plan) -> Weights:
        return weights_of(plan.audit.columns.weighting, self.name)

    def _refuse_nothing(self, rows: int, kept: pl.DataFrame) -> None:
        if not rows:
            raise DataError(f"{self.name}: there are no rows")
        if not kept.height:
            raise DataError(f"{self.name}: `where` removes all {rows:,} rows")

    def _counted(
        self, wanted: Sequence[tuple[Dimension, ...]], plan: Plan, learned: Learned
    ) -> list[tuple[Keys, pl.DataFrame]]:
        """Count by every wanted key, all in one pass."""
        weights = self._weights(plan)
        markers = [pl.col(name).is_null().sum().alias(name) for name in self.tables.markers]
        sums = [pl.len().cast(pl.Int64).alias("rows"), *weights.sums(), *markers]
        keys = [Keys(key, self.schema, self.condition, learned) for key in wanted]
        grouped = [self.tables.frame.group_by(k.expressions()).agg(sums) for k in keys]
        with self._reading():
            return list(zip(keys, pl.collect_all(grouped, engine="streaming"), strict=True))

    def _refuse_twins(self, plan: Plan) -> None:
        needed = {*plan.columns, *plan.features, *columns_of(self.data.where), *self.data.keys}
        for (_, files), (_, frame) in zip(self.sources, self.scanned, strict=True):
            refuse_twins(files, frame.collect_schema().names(), needed)

    def refuse_empty(self) -> None:
        """Refuse data without a row.

        Raises
        ------
        DataError
            Before anybody looks for values in it.
        """
        with self._reading():
            rows = self.scanned[0][1].select(pl.len()).collect(engine="streaming").item()
        if not rows:
            raise DataError(f"{self.name}: there are no rows")

    def _keys(self, dimensions: Iterable[Dimension]) -> list[pl.Expr]:
        return [code(d, self.schema[d.column]).alias(f"key{i}") for i, d in enumerate(dimensions)]

    def _probe(self, plan: Plan) -> tuple[bool, Learned]:
        """Look at the first rows: is one joint count small, and which columns hold few values."""
        joint = len(set(plan.groupings.values())) == 1
        if self.digests.total < SMALL_FILES:
            return True, {}
        with self._reading():
            head = self.tables.frame.head(PROBE).select(self._keys(plan.dimensions)).collect()
        cells = prod(max(1, n) for n in head.select(pl.all().n_unique()).row(0))
        return joint or cells <= MOST_JOINT_CELLS, learn(plan.dimensions, head)

    @cached_property
    def condition(self) -> pl.Expr | None:
        """The condition of `where`, if there is one."""
        where = self.data.where
        with reading(self.name):
            return row_condition(where, self.tables.frame, self.name) if where else None

    @property
    def kept_rows(self) -> pl.LazyFrame:
        """The rows that count."""
        frame = self.tables.frame
        return frame if self.condition is None else frame.filter(self.condition)

    def occurring(self, column: str) -> list[object]:
        """Return the values of a column among the rows that count, the commonest first."""
        values = named(column, self.schema[column]).alias("value")
        common = (
            self.kept_rows.group_by(values).len().sort(["len", "value"], descending=[True, False])
        )
        with self._reading():
            return common.head(50).collect(engine="streaming")["value"].to_list()

    def neighbours(
        self, plan: Plan, tables: Sequence[FacetTables]
    ) -> Mapping[str, tuple[Flips, ...]]:
        """Run the fliptests of a plan; for each facet, the evidence of every comparison."""
        from biaspipe.engines.fliptest import Fliptests  # noqa: PLC0415 - numpy is slow

        tests = Fliptests(plan, self._folded(plan))
        return {
            t.facet: tests.run(t.facet, t.comparisons) for t in tables if t.facet in plan.fliptests
        }

    def _folded(self, plan: Plan) -> pl.DataFrame:
        """Return the distinct rows that the fliptest compares, and how many people each is."""
        features = [
            feature(name, self.schema[name]).alias(f"feature{i}")
            for i, name in enumerate(plan.features)
        ]
        folded = self.kept_rows.group_by(*self._keys(plan.dimensions), *features).agg(
            self._weights(plan).sums()
        )
        with self._reading():
            return folded.collect(engine="streaming").filter(pl.col("n") > 0)

    def close(self) -> None:
        """Stop what still runs beside the count."""
        self.digests.close()
