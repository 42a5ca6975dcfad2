"""The data on this machine or in the cloud, read by polars: streaming, whatever its size."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

import narwhals as nw
import polars as pl

from biaspipe.conditions import MAX_DIGITS
from biaspipe.engines.backend import ROW_NUMBER, Backend, Frame, NamedFrame
from biaspipe.engines.dataset import Dataset
from biaspipe.engines.exact_sums import IN_INT128
from biaspipe.engines.input_checks import rows_name
from biaspipe.errors import DataError, TypesChangedError
from biaspipe.sources import Sources
from biaspipe.sources.columns import refuse_faulty_file
from biaspipe.sources.files import TEXT, TableFiles
from biaspipe.sources.interrupts import interruptible, interruptible_each
from biaspipe.sources.nested_json import read_nested
from biaspipe.sources.polars_errors import translate_errors
from biaspipe.sources.scan import looks_numeric, scan_typed
from biaspipe.spec import IN_HAND

__all__ = ["PolarsBackend", "backend_of", "polars_rows"]


class PolarsBackend(Backend):
    """Reads the tables of an audit lazily.

    Parameters
    ----------
    inputs : the files.
    frame : the rows, where they are in hand.
    """

    exact_sums = IN_INT128
    version = f"polars {pl.__version__}"

    def __init__(self, inputs: Sources, frame: pl.LazyFrame | None = None) -> None:
        self.name, self.sources, self.digests = rows_name(inputs), inputs.tables, inputs.digests
        self.frames = [] if frame is None else [frame]
        self.as_text = False
        self.is_numbered = False

    def infer_all_types(self) -> bool:
        """Read text tables by all their values instead of their first; whether that is new."""
        changed = not self.as_text and any(files.format in TEXT for files in self.sources)
        self.as_text = self.as_text or changed
        return changed

    def number_rows(self) -> bool:
        """Open the main table with the column `ROW_NUMBER` from now on."""
        self.is_numbered = True
        return True

    def open(self, dates: Sequence[str]) -> list[NamedFrame]:
        """Open every table of the audit, the main one first, and read none."""
        return interruptible(lambda: self._opened(dates))

    def _opened(self, dates: Sequence[str]) -> list[NamedFrame]:
        tables = [self._scanned(files, dates) for files in self.sources]
        texts = [t for t, files in zip(tables, self.sources, strict=True) if files.is_csv]
        if not self.as_text and any(looks_numeric(frame) for frame in texts):
            self.as_text = True
            tables = [self._scanned(files, dates) for files in self.sources]
        names = [*(IN_HAND for _ in self.frames), *(files.name for files in self.sources)]
        tables = [*self.frames, *tables]
        for name, table in zip(names, tables, strict=True):
            _refuse_wide(name, table)
        if self.is_numbered:
            tables[0] = tables[0].with_row_index(ROW_NUMBER)
        return [(name, nw.from_native(t)) for name, t in zip(names, tables, strict=True)]

    def _scanned(self, files: TableFiles, dates: Sequence[str]) -> pl.LazyFrame:
        with translate_errors(files.name):
            if files.is_nested:
                return read_nested(files)
            return scan_typed(files, dates, as_text=self.as_text)

    def is_empty_type(self, native: Any, column: str) -> bool:
        """Whether a column is of the type of no value; extensions of Arrow's types are not."""
        return bool(native.collect_schema()[column] == pl.Null)

    def errors(self, name: str) -> AbstractContextManager[None]:
        """Turn what polars says of faulty data into words that name the table."""
        return self._errors() if name == self.name else translate_errors(name)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Name the one file at fault where several are read."""
        try:
            with translate_errors(self.name):
                yield
        except TypesChangedError:
            if self.as_text:
                self._refuse_faulty_file()
            raise
        except DataError:
            self._refuse_faulty_file()
            raise

    def _refuse_faulty_file(self) -> None:
        self.digests.refuse_changed()
        self.digests.refuse_faulty()
        interruptible(lambda: refuse_faulty_file(self.sources))

    def run(self, queries: Sequence[Frame]) -> list[pl.DataFrame]:
        """Run queries in one pass."""
        native = [_native(query) for query in queries]
        return interruptible(lambda: pl.collect_all(native, engine="streaming"))

    def batches(self, rows: Frame) -> Iterator[pl.DataFrame]:
        """Yield rows a few at a time, in no order."""
        found = _native(rows).collect_batches(maintain_order=False, engine="streaming")
        return interruptible_each(iter(found))

    def join_by_position(self, left: Frame, right: Frame) -> Frame:
        """Put the rows of two tables next to each other, in their order."""
        both = [_native(left), _native(right)]
        return nw.from_native(pl.concat(both, how="horizontal"))

    def close(self) -> None:
        """Leave nothing open: polars holds no connection."""


def backend_of(inputs: Sources, *_: object) -> PolarsBackend:
    """Return the backend that counts files with polars."""
    return PolarsBackend(inputs)


def polars_rows(dataset: Dataset, *columns: nw.Expr) -> pl.LazyFrame:
    """Return columns of the rows that count, for questions that only polars is asked.

    Parameters
    ----------
    dataset : of a `PolarsBackend`.
    columns : what is asked for.
    """
    return _native(dataset.rows.select(*columns))


def _refuse_wide(name: str, table: pl.LazyFrame) -> None:
    """Refuse decimals of more digits than polars computes with."""
    for column, dtype in table.collect_schema().items():
        if isinstance(dtype, pl.Decimal) and dtype.precision > MAX_DIGITS:
            words = f"{name}: column {column!r} holds decimals of {dtype.precision} digits"
            raise DataError(words, hint=f"up to {MAX_DIGITS} can be counted")


def _native(frame: Frame) -> pl.LazyFrame:
    return cast("pl.LazyFrame", frame.to_native())
