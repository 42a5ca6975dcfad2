"""One count for every engine: expressions over lazy frames, in one pass, that hand back counts.

A backend opens the tables as lazy frames and runs queries; everything that is asked of the data is
written once, here and in the modules that this one uses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, final

import narwhals as nw
import polars as pl

from biaspipe.counts import Cell, Counts, Flips, Listing
from biaspipe.engines.backend import ROW_NUMBER, Backend, Frame
from biaspipe.engines.cardinality import MAX_CELLS, refuse_joint, refuse_many, refuse_more
from biaspipe.engines.coding import as_written, clean, code, feature
from biaspipe.engines.dataset import MATCHES, Dataset
from biaspipe.engines.input_checks import InputChecks
from biaspipe.engines.keys import Cells, Codes, Keys, Learned, learn
from biaspipe.engines.weights import Weights, weights_of
from biaspipe.errors import DataError, SpecError
from biaspipe.fliptest.tally import SearchTally
from biaspipe.plan import OTHER, Dimension, FacetTables, Kind, Plan, sample_needs_key
from biaspipe.policy import DEFAULT, Limits
from biaspipe.sources import Sources
from biaspipe.sources.files import InputFile
from biaspipe.spec import Data

if TYPE_CHECKING:
    from biaspipe.fliptest.passes import Pass, S

__all__ = ["Engine"]

MAX_JOINT_CELLS = 100_000
PROBE = 50_000
MAX_LISTED = 1_000
"""Values in no bin that are listed, the commonest ones; the others are only counted."""


KeyedCells = tuple[Keys, pl.DataFrame]
"""How cells were keyed, and the cells of the rows that count."""


@final
class Engine:
    """Counts the data of an audit on a backend.

    Parameters
    ----------
    backend : where the rows are, and what runs queries on them.
    data : the part of the spec that says what to read.
    inputs : the files that are read.
    limits : how many groups and strata there may be.
    """

    def __init__(
        self, backend: Backend, data: Data, inputs: Sources, limits: Limits = DEFAULT.limits
    ) -> None:
        self.backend, self.data, self.limits = backend, data, limits
        self.checks = InputChecks(data, inputs)
        self.name = self.checks.name
        """What messages call the data."""
        self.dataset = Dataset(backend, data, self.name)
        self.tally = SearchTally()

    @property
    def version(self) -> str:
        """What counted, with its version, such as duckdb 1.4.0."""
        return self.backend.version

    @property
    def versions(self) -> dict[str, str]:
        """The versions of what counted, and of polars, in whose frames it hands over the counts."""
        return {"engine": self.version, "polars": pl.__version__}

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """What kind of values each column holds that has a name of its own."""
        twins = self.checks.twins(self.dataset.tables)
        return {name: kind for name, kind in self.dataset.kinds.items() if name not in twins}

    @property
    def schema(self) -> Mapping[str, nw.dtypes.DType]:
        """The columns of the data with its joins."""
        return self.dataset.schema

    def inputs(self) -> tuple[InputFile, ...]:
        """Return the inputs that were read, with size and digest where they are files.

        Raises
        ------
        DataError
            If a file changed while it was read.
        """
        return self.checks.records()

    @property
    def main_files(self) -> tuple[str, ...]:
        """The files of the main table, as the spec writes them; none of a database's or in hand."""
        has_files = self.checks.sources and not self.checks.in_hand
        return self.checks.sources[0].written if has_files else ()

    def bytes_read(self) -> tuple[int, int] | None:
        """Return how many bytes of the files are read, and of how many; None where none are."""
        return self.checks.digests.bytes_read()

    def infer_all_types(self) -> bool:
        """Take types from all values instead of the first; whether that changes anything."""
        changed = self.backend.infer_all_types()
        if changed:
            self.dataset.reopen()
        return changed

    def close(self) -> None:
        """Stop what still runs, and remove what was fetched."""
        self.checks.inputs.close()
        self.backend.close()

    def count(self, plan: Plan) -> Counts:
        """Count the data by the groupings of a plan, in one pass.

        Raises
        ------
        DataError
            If there is no row, or a file is not read as it was meant.
        """
        self.checks.refuse_twins(self.dataset.tables, self._columns(plan))
        counts = self._counts(plan)
        self.refuse_misread(plan)
        self._refuse_split_lines(counts.rows)
        return counts

    def refuse_misread(self, plan: Plan) -> None:
        """Refuse files that are not read as they were meant, which says more than what follows."""
        self.checks.refuse_misread(self._columns(plan))

    def refuse_empty(self) -> None:
        """Refuse data without a row.

        Raises
        ------
        DataError
            Before anybody looks for values in it.
        """
        if not self.dataset.read(self.dataset.tables[0][1].select(nw.len())).item():
            raise DataError(f"{self.name}: there are no rows")

    def _columns(self, plan: Plan) -> set[str]:
        """Return the columns that the audit reads."""
        named = self.dataset.condition_columns
        return {*plan.columns, *plan.features, *named, *self.data.keys}

    def _refuse_split_lines(self, rows: int) -> None:
        """Refuse text tables that the backend takes apart in other rows than there are."""
        if self.checks.sources and not self.checks.in_hand:
            self.checks.refuse_other_rows(0, rows, self.version)
        if self.backend.recounts_text_tables:
            for i, name, frame in self.checks.text_tables(self.dataset.tables):
                with self.backend.errors(name):
                    ones = frame.select(nw.nth(0).is_null().alias("one"))
                    found = self.backend.run([ones.select(nw.len())])[0].item()
                self.checks.refuse_other_rows(i, int(found), self.version)

    def _counts(self, plan: Plan) -> Counts:
        joint, learned = self._probe(plan)
        wanted = [plan.dimensions] if joint else list(plan.keys)
        counted = self._counted(wanted, plan, learned)
        if any(keys.has_new_values(frame) for keys, frame in counted):
            counted = self._counted(wanted, plan, {})
        if joint and counted[0][1].height > MAX_CELLS:
            wanted = list(plan.keys)
            counted = self._counted(wanted, plan, {})
        self._refuse_more(plan, counted)
        frames = [keys.matching(frame) for keys, frame in counted]
        rows, matching = _sum(counted[0][1]["rows"]), frames[0]
        self._refuse_nothing(rows, matching)
        self._refuse_unexpected_rows(rows)
        weights = self._weights(plan)
        fault = weights.fault(frames, rows, self._first)
        by_key = [(k, f) for (k, _), f in zip(counted, frames, strict=True)]
        markers = self.dataset.joined.markers
        summed = [Cells(keys, frame, weights, markers) for keys, frame in by_key]
        cells = tuple(
            tuple(_holding(grouping, summed).of(grouping, partial(self._refuse_many, plan, facet)))
            for facet, grouping in plan.groupings.items()
        )
        found: tuple[Cell, ...] = ()
        if plan.joint:
            found = tuple(_holding(plan.joint, summed).of(plan.joint, partial(refuse_joint, plan)))
        listings, ranges = self._listings(plan, by_key), _ranges(plan, by_key)
        removed = rows - _sum(matching["rows"])
        return Counts(rows, removed, cells, listings, ranges, fault, found)

    def _refuse_many(self, plan: Plan, facet: str, codes: Codes) -> None:
        refuse_many(plan, facet, self.limits, codes)

    def _refuse_more(self, plan: Plan, counted: Sequence[KeyedCells]) -> None:
        """Refuse too many cells, in the words of what there is too much of."""
        for keys, frame in counted:
            if frame.height > MAX_CELLS:
                for facet, grouping in plan.groupings.items():
                    if set(grouping) <= set(keys.dimensions):
                        refuse_many(plan, facet, self.limits, keys.codes(frame))
                if keys.dimensions == plan.joint:
                    refuse_joint(plan, keys.codes(frame))
                refuse_more(keys.dimensions)

    def _listings(self, plan: Plan, counted: Sequence[KeyedCells]) -> dict[int, Listing]:
        """List the values that no bin holds: those without codes by a query of their own."""
        listings, asked = {}, []
        for i, d in enumerate(plan.dimensions):
            if plan.lists(d):
                keys, frame = next(c for c in counted if d in c[0].dimensions)
                rows = keys.rows_outside(frame, d)
                if rows is None:
                    asked.append(i)
                else:
                    listings[i] = Listing(tuple(rows.most_common()), len(rows))
        queries = [self._outside(plan.dimensions[i]) for i in asked]
        common = [q.sort("rows", "value", descending=[True, False]) for q in queries]
        found = self.dataset.read_all([q.head(MAX_LISTED + 1) for q in common]) if queries else []
        for i, query, frame in zip(asked, queries, found, strict=True):
            more = frame.height > MAX_LISTED
            distinct = self.dataset.read(query.select(nw.len())).item() if more else frame.height
            listings[i] = Listing(tuple(frame.head(MAX_LISTED).iter_rows()), distinct)
        return listings

    def _outside(self, dimension: Dimension) -> Frame:
        """Return the values of a column that no bin holds, with their rows."""
        dtype = self.schema[dimension.column]
        outside = self.dataset.rows.filter(code(dimension, dtype) == OTHER)
        value = as_written(dimension.column, dtype).alias("value")
        return outside.group_by(value).agg(nw.len().alias("rows"))

    def _weights(self, plan: Plan) -> Weights:
        return weights_of(plan.audit.columns.weighting, self.name, self.backend.exact_sums)

    def _refuse_nothing(self, rows: int, matching: pl.DataFrame) -> None:
        if not rows:
            raise DataError(f"{self.name}: there are no rows")
        if not matching.height:
            raise DataError(f"{self.name}: `where` removes all {rows:,} rows")

    def _refuse_unexpected_rows(self, rows: int) -> None:
        """Refuse tables of fewer or more rows than the spec expects."""
        for source, (name, frame) in zip(
            (self.data, *self.data.join), self.dataset.tables, strict=True
        ):
            expected = source.expect.rows if source.expect else None
            if expected is None:
                continue
            found = (
                rows if source is self.data else self.dataset.read(frame.select(nw.len())).item()
            )
            if found not in expected:
                words = f"{name}: {found:,} rows were read, and the spec expects {expected.text}"
                raise DataError(words, hint="something is left out, or expect: {rows} is outdated")

    def _counted(
        self, wanted: Sequence[tuple[Dimension, ...]], plan: Plan, learned: Learned
    ) -> list[tuple[Keys, pl.DataFrame]]:
        """Count by every wanted key, all in one pass."""
        markers = self.dataset.joined.markers
        unmatched = [nw.col(name).is_null().cast(nw.Int64).sum().alias(name) for name in markers]
        sums = [
            nw.len().alias("rows"),
            *self._weights(plan).sums(),
            *unmatched,
            *self._extremes(plan),
        ]
        condition = nw.col(MATCHES) if self.data.where else None
        keys = [Keys(key, self.schema, condition, learned) for key in wanted]
        rows = self._weights(plan).prepared(self.dataset.frame)
        grouped = [
            k.at_most(rows.group_by(*k.expressions()).agg(*sums), MAX_CELLS + 1) for k in keys
        ]
        return list(zip(keys, self.dataset.read_all(grouped), strict=True))

    def _extremes(self, plan: Plan) -> Iterator[nw.Expr]:
        """Yield the least and the greatest number of the columns that intervals divide."""
        for i, d in enumerate(plan.dimensions):
            if d.has_interval:
                number = clean(d.column, self.schema[d.column])
                yield number.min().alias(f"low{i}")
                yield number.max().alias(f"high{i}")

    def _keys(self, dimensions: Iterable[Dimension]) -> Iterator[nw.Expr]:
        for i, d in enumerate(dimensions):
            yield code(d, self.schema[d.column]).alias(f"key{i}")

    def _probe(self, plan: Plan) -> tuple[bool, Learned]:
        """Look at the first rows: is one joint count small, and which columns hold few values."""
        joint = len(plan.keys) == 1
        if self.checks.is_small:
            return True, {}
        raw = (
            as_written(d.column, self.schema[d.column]).alias(f"raw{i}")
            for i, d in enumerate(plan.dimensions)
            if plan.lists(d) and not d.has_interval
        )
        first = self.dataset.frame.head(PROBE).group_by(*self._keys(plan.dimensions), *raw)
        head = self.dataset.read(first.agg(nw.len().alias("rows"))).drop("rows")
        if self.data.where is None:
            codes = {d: head[f"key{i}"] for i, d in enumerate(plan.dimensions)}
            for facet in plan.groupings:
                refuse_many(plan, facet, self.limits, codes)
            if plan.joint:
                refuse_joint(plan, codes)
        cells = prod(max(1, n) for n in head.select(pl.col("^key.*$").n_unique()).row(0))
        return joint or cells <= MAX_JOINT_CELLS, learn(plan.dimensions, head)

    def _first(self, column: str, condition: nw.Expr) -> list[object]:
        """Return the first value of a column among the rows that count and meet a condition."""
        found = self.dataset.read(self.dataset.rows.filter(condition).select(column).head(1))
        return found[column].to_list()

    def commonest_values(self, column: str) -> list[object]:
        """Return the values of a column among the rows that count, the commonest first."""
        values = as_written(column, self.schema[column]).alias("value")
        common = self.dataset.rows.group_by(values).agg(nw.len().alias("rows"))
        found = common.sort("rows", "value", descending=[True, False]).head(50)
        return self.dataset.read(found)["value"].to_list()

    def neighbours(
        self, plan: Plan, tables: Sequence[FacetTables]
    ) -> Mapping[str, tuple[Flips, ...]]:
        """Run the fliptests of a plan; for each facet, the evidence of every comparison."""
        from biaspipe.fliptest.run import run_fliptests  # noqa: PLC0415 - numpy is slow

        return run_fliptests(self, plan, tables)

    def distinct_rows(self, plan: Plan) -> pl.DataFrame:
        """Return the distinct rows that the fliptest compares, and how many people each is."""
        keys = [*self._keys(plan.dimensions), *self._features(plan)]
        weights = self._weights(plan)
        sums = [nw.len().alias("rows"), *weights.sums()]
        found = self.dataset.read(self.dataset.rows.group_by(*keys).agg(*sums))
        people = pl.Series("n", weights.people(found), dtype=pl.Int64)
        return found.with_columns(people).filter(pl.col("n") > 0)

    def members(self, plan: Plan, *, sampled: bool) -> Frame:
        """Return the rows that count as a `Pass` takes them; with `id` where some are drawn."""
        people = self._weights(plan).people_of_row().alias("n")
        own = [nw.col(self._identifier(plan)).alias("id")] if sampled else []
        columns = [*self._keys(plan.dimensions), *self._features(plan), people, *own]
        return self.dataset.rows.select(*columns).filter(nw.col("n") > 0)

    def _identifier(self, plan: Plan) -> str:
        """Return the column that tells rows apart: the spec's key, or the number of the row."""
        if key := plan.audit.columns.key:
            return key
        if not self.backend.number_rows():
            raise SpecError([sample_needs_key(self.version, ("columns",))])
        self.dataset.reopen()
        return ROW_NUMBER

    def run_pass(self, rows: Frame, a_pass: "Pass[S]") -> "S":
        """Run a pass of the fliptest over rows where they lie."""
        return self.backend.run_pass(rows, a_pass, self.name)

    def _features(self, plan: Plan) -> Iterator[nw.Expr]:
        for i, name in enumerate(plan.features):
            yield feature(name, self.schema[name]).alias(f"feature{i}")


def _holding(grouping: Sequence[Dimension], counted: Sequence[Cells]) -> Cells:
    """Return the count that can be added up to a grouping: its own, or that of a longer key."""
    return next(cells for cells in counted if set(grouping) <= set(cells.keys.dimensions))


def _ranges(plan: Plan, counted: Sequence[KeyedCells]) -> dict[int, dict[Any, tuple[float, float]]]:
    """Return the least and the greatest number of every code of the columns with intervals."""
    ranges = {}
    for i, d in enumerate(plan.dimensions):
        if d.has_interval:
            keys, frame = next(c for c in counted if d in c[0].dimensions)
            extremes = frame.select(
                pl.Series("code", keys.codes(frame)[d], dtype=pl.Int64),
                low=_shortest(frame[f"low{i}"]),
                high=_shortest(frame[f"high{i}"]),
            )
            found = extremes.drop_nulls().group_by("code").agg(pl.min("low"), pl.max("high"))
            ranges[i] = {code: (low, high) for code, low, high in found.iter_rows()}
    return ranges


def _shortest(numbers: pl.Series) -> pl.Series:
    """Return floats of 32 bits as the numbers that a person would write."""
    short = numbers.cast(pl.String) if numbers.dtype == pl.Float32 else numbers
    return short.cast(pl.Float64) if not numbers.dtype.is_integer() else numbers


def _sum(numbers: pl.Series) -> int:
    return sum(int(n or 0) for n in numbers.to_list())
