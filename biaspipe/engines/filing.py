"""What engines that read files share: the files of every table, and their digests."""

from pathlib import Path

import narwhals as nw
import polars as pl

from biaspipe.counts import Counts
from biaspipe.engines.coding import kind
from biaspipe.engines.condition import columns_of
from biaspipe.engines.counting import FrameEngine
from biaspipe.engines.files import Digests, Files, Input, find_files
from biaspipe.engines.scanning import refuse_twins
from biaspipe.plan import Kind, Plan
from biaspipe.spec import Data, Source

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
    folder : what relative paths are relative to.
    in_hand : whether the rows are there already, so that only joined tables are files.

    Raises
    ------
    DataError
        If a file is missing.
    SpecError
        If a format is not to be told.
    """

    def __init__(self, data: Data, folder: Path, *, in_hand: bool = False) -> None:
        super().__init__(data)
        self.in_hand = in_hand
        own = [] if in_hand else [(data, find_files(data, folder, ("data", "path")))]
        joins = [
            (join, find_files(join, folder, ("data", "join", i, "path")))
            for i, join in enumerate(data.join)
        ]
        self.sources: list[tuple[Source, Files]] = [*own, *joins]
        self.digests = Digests([files for _, files in self.sources])
        self.typed: dict[str, pl.DataType] = {}

    @property
    def name(self) -> str:
        """What messages call the data."""
        return IN_HAND if self.in_hand else self.sources[0][1].name

    def inputs(self) -> tuple[Input, ...]:
        """Return every file that was read, with size and digest."""
        own = (Input(IN_HAND, None, None),) if self.in_hand else ()
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
        needed = {*plan.columns, *plan.features, *columns_of(self.data.where), *self.data.keys}
        own = self.scanned[-len(self.sources) :] if self.sources else []
        for (_, files), (_, frame) in zip(self.sources, own, strict=True):
            refuse_twins(files, frame.collect_schema().names(), needed)
        return super().count(plan)

    def close(self) -> None:
        """Stop what still runs beside the count."""
        self.digests.close()
