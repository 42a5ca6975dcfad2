"""What engines that read files share: the files of every table, and their digests."""

import narwhals as nw
import polars as pl

from biaspipe.counts import Counts
from biaspipe.engines.coding import kind
from biaspipe.engines.condition import columns_of
from biaspipe.engines.counting import FrameEngine
from biaspipe.engines.files import Input
from biaspipe.engines.inputs import Inputs
from biaspipe.engines.nested import is_nested
from biaspipe.engines.scanning import refuse_twins
from biaspipe.errors import Fault, SpecError
from biaspipe.plan import Kind, Plan
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

    def __init__(self, data: Data, inputs: Inputs) -> None:
        super().__init__(data)
        for source, files in inputs.sources if not self.is_nesting else ():
            if is_nested(source, files):
                words = "fields of rows of JSON, and format: json, are read by engine: polars"
                raise SpecError([Fault(f"{files.name}: {words}", ("data",))])
        self.in_hand, self.sources, self.digests = inputs.in_hand, inputs.sources, inputs.digests
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
