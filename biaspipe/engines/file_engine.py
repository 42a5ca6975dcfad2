"""What engines that read files share: the files of every table, and their digests."""

from functools import partial

import narwhals as nw
import polars as pl

from biaspipe.counts import Counts
from biaspipe.engines.coding import kind
from biaspipe.engines.counting import FrameEngine
from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.plan import Kind, Plan
from biaspipe.sources import Sources
from biaspipe.sources.columns import refuse_missing_keys
from biaspipe.sources.files import InputFile
from biaspipe.sources.interrupts import interruptible
from biaspipe.sources.nested_json import is_nested, refuse_missing_fields
from biaspipe.sources.scan import refuse_absent_null_values, refuse_duplicate_column
from biaspipe.spec import Data

__all__ = ["IN_HAND", "FileEngine"]

IN_HAND = "(frame)"
"""What messages and reports call rows that no file was read for."""
SMALL_FILES = 50_000_000
"""Bytes of input below which a joint count cannot have too many cells."""


class FileEngine(FrameEngine):
    """Counts files.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.
    """

    is_nesting = False
    """Whether the engine reads rows of JSON whose values stand inside of others."""

    def __init__(self, data: Data, inputs: Sources) -> None:
        super().__init__(data)
        for source, files in inputs.tables if not self.is_nesting else ():
            if is_nested(source, files):
                words = "fields of rows of JSON, and format: json, are read by engine: polars"
                raise SpecError([Fault(f"{files.name}: {words}", ("data",))])
        self.read_from = inputs
        self.in_hand, self.sources, self.digests = inputs.in_hand, inputs.tables, inputs.digests
        self.typed: dict[str, pl.DataType] = {}

    @property
    def name(self) -> str:
        """What messages call the data."""
        return IN_HAND if self.in_hand else self.sources[0][1].name

    def inputs(self) -> tuple[InputFile, ...]:
        """Return every file that was read, with size and digest."""
        own = (InputFile(IN_HAND, None, None),) if self.in_hand else ()
        return (*own, *self.digests.result())

    @property
    def is_small(self) -> bool:
        """Whether a joint count cannot have too many cells."""
        return not self.in_hand and self.digests.total < SMALL_FILES

    def kind(self, column: str) -> Kind:
        """Return what kind of values a column holds; polars tells those that it has typed."""
        if column not in self.typed:
            return self.native_kind(column)
        nothing = pl.LazyFrame(schema={column: self.typed[column]})
        return kind(nw.from_native(nothing).collect_schema()[column])

    def native_kind(self, column: str) -> Kind:
        """Return what kind of values a column holds to the engine itself."""
        return super().kind(column)

    def count(self, plan: Plan) -> Counts:
        """Count the data by the groupings of a plan, in one pass."""
        own = self.scanned[-len(self.sources) :] if self.sources else []
        for (_, files), (_, frame) in zip(self.sources, own, strict=True):
            refuse_duplicate_column(files, frame.collect_schema().names(), self._needed(plan))
        counts = super().count(plan)
        self.refuse_misread(plan)
        if not self.in_hand:
            self.refuse_other_rows(0, counts.rows)
        return counts

    def _needed(self, plan: Plan) -> set[str]:
        """Return the columns that the audit reads."""
        return {*plan.columns, *plan.features, *self.named, *self.data.keys}

    def refuse_misread(self, plan: Plan) -> None:
        """Refuse files that are not read as they were meant.

        Raises
        ------
        DataError
            If a text table has a line of more or fewer fields, or a file lacks a column.
        SpecError
            If a text that stands for a missing value does not occur.
        """
        self.digests.refuse_unexpected()
        _ = self.digests.rows
        places = ([] if self.in_hand else [("data",)]) + [
            ("data", "join", i) for i in range(len(self.data.join))
        ]
        for place, (source, files) in zip(places, self.sources, strict=True):
            loc = (*place, "csv", "null_values")
            interruptible(partial(refuse_absent_null_values, files, source.csv, loc))
            if is_nested(source, files):
                interruptible(partial(refuse_missing_fields, source, files, self._needed(plan)))
            else:
                interruptible(partial(refuse_missing_keys, files, source.csv, self._needed(plan)))

    def refuse_other_rows(self, source: int, found: int) -> None:
        """Refuse a text table that an engine takes apart in another number of rows than it has.

        Parameters
        ----------
        source : the number of the table.
        found : the rows that the engine has found.
        """
        rows, (_, files) = self.digests.rows[source], self.sources[source]
        if rows not in (None, found):
            engine = self.version.partition(" ")[0]
            words = f"{files.name}: {engine} finds {found:,} rows, and there are {rows:,}"
            raise DataError(words, hint="write it with line ends that are all alike, or as Parquet")

    def close(self) -> None:
        """Stop what still runs beside the count, and remove what was fetched for it."""
        self.read_from.close()
