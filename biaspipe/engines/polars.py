"""The data on this machine or in the cloud, read by polars: streaming, whatever its size."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import narwhals as nw
import polars as pl

from biaspipe.engines.counting import ID
from biaspipe.engines.file_engine import IN_HAND, FileEngine
from biaspipe.engines.joining import Frame, Table
from biaspipe.engines.weights import WIDE
from biaspipe.errors import DataError, TypesChangedError
from biaspipe.plan import Kind, Plan
from biaspipe.sources import Sources
from biaspipe.sources.columns import refuse_faulty_file
from biaspipe.sources.files import TEXT, TableFiles, is_csv
from biaspipe.sources.interrupts import interruptible, interruptible_each
from biaspipe.sources.nested_json import is_nested, read_nested
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.scan import looks_numeric, scan_typed
from biaspipe.spec import Data, Source

__all__ = ["PolarsEngine"]

MOST_DIGITS = 38


class PolarsEngine(FileEngine):
    """Reads the tables of an audit lazily and counts them.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.
    frame : the rows, where they are in hand.

    Raises
    ------
    DataError
        If a file cannot be read.
    SpecError
        If the condition or a join asks for a column that is not there.
    """

    limbs = WIDE
    is_nesting = True

    version = f"polars {pl.__version__}"

    def __init__(self, data: Data, inputs: Sources, frame: pl.LazyFrame | None = None) -> None:
        super().__init__(data, inputs)
        self.frames = [] if frame is None else [frame]
        self.as_text = False
        self.is_numbered = False

    def settle(self) -> bool:
        """Read text tables by all their values instead of their first; whether that is new."""
        changed = not self.as_text and any(files.format in TEXT for _, files in self.sources)
        self.as_text = self.as_text or changed
        self.forget()
        return changed

    def scan(self) -> list[Table]:
        """Return every table by itself, opened but not read."""
        return interruptible(self._opened)

    def _opened(self) -> list[Table]:
        tables = [self._scanned(source, files) for source, files in self.sources]
        texts = [t for t, (_, files) in zip(tables, self.sources, strict=True) if is_csv(files)]
        if not self.as_text and any(looks_numeric(frame) for frame in texts):
            self.as_text = True
            tables = [self._scanned(source, files) for source, files in self.sources]
        names = [*(IN_HAND for _ in self.frames), *(files.name for _, files in self.sources)]
        tables = [*self.frames, *tables]
        for name, table in zip(names, tables, strict=True):
            _refuse_wide(name, table)
        if self.is_numbered:
            tables[0] = tables[0].with_row_index(ID)
        return [(name, nw.from_native(t)) for name, t in zip(names, tables, strict=True)]

    def _scanned(self, source: Source, files: TableFiles) -> pl.LazyFrame:
        with translate_errors(files.name):
            if is_nested(source, files):
                return read_nested(source, files)
            return scan_typed(files, source.csv, self.named, as_text=self.as_text)

    def native_kind(self, column: str) -> Kind:
        """Return what kind of values a column holds, an extension of Arrow's types being none."""
        found = super().native_kind(column)
        is_known = found is not Kind.MISSING or self._types[column] == pl.Null
        return found if is_known else Kind.OTHER

    @property
    def _types(self) -> pl.Schema:
        return _native(self.tables.frame).collect_schema()

    def reading(self, name: str) -> Any:
        """Turn what polars says of faulty data into words that name the table."""
        return self._reading() if name == self.name else translate_errors(name)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Name the one file at fault where several are read."""
        try:
            with translate_errors(self.name):
                yield
        except TypesChangedError:
            if self.as_text:
                self._blame()
            raise
        except DataError:
            self._blame()
            raise

    def _blame(self) -> None:
        self.digests.refuse_changed()
        self.digests.refuse_faulty()
        interruptible(lambda: refuse_faulty_file(self.sources))

    def collected(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries in one pass."""
        native = [_native(query) for query in queries]
        return interruptible(lambda: pl.collect_all(native, engine="streaming"))

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time."""
        native = _native(rows)
        return interruptible_each(
            iter(native.collect_batches(maintain_order=False, engine="streaming"))
        )

    def numbered(self, plan: Plan) -> Frame:
        """Return the rows that count, each with its key or its number in the column `ID`."""
        if plan.audit.columns.key:
            return super().numbered(plan)
        self.is_numbered = True
        self.forget()
        return self.kept_rows

    def beside(self, left: Frame, right: Frame) -> Frame:
        """Put the rows of two tables next to each other, in their order."""
        both = [_native(left), _native(right)]
        return nw.from_native(pl.concat(both, how="horizontal"))

    def rows(self, *columns: nw.Expr) -> pl.LazyFrame:
        """Return columns of the rows that count, for questions that only polars is asked."""
        return _native(self.kept_rows.select(*columns))


def _refuse_wide(name: str, table: pl.LazyFrame) -> None:
    """Refuse decimals of more digits than polars computes with."""
    for column, dtype in table.collect_schema().items():
        if isinstance(dtype, pl.Decimal) and dtype.precision > MOST_DIGITS:
            words = f"{name}: column {column!r} holds decimals of {dtype.precision} digits"
            raise DataError(words, hint=f"up to {MOST_DIGITS} can be counted")


def _native(frame: Frame) -> pl.LazyFrame:
    return cast("pl.LazyFrame", frame.to_native())
