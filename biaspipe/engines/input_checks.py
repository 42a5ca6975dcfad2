"""The inputs of an audit: their name in messages, their files, whether they are read as meant."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from biaspipe.engines.backend import Frame, NamedFrame
from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.sources import Sources
from biaspipe.sources.columns import refuse_missing_columns
from biaspipe.sources.files import InputFile, TableFiles
from biaspipe.sources.headers import RENAMED, names_apart, refuse_duplicates, renamed_columns
from biaspipe.sources.interrupts import interruptible
from biaspipe.sources.scan import refuse_absent_null_values, scan
from biaspipe.spec import IN_HAND, Data

__all__ = ["InputChecks", "refuse_nested", "rows_name"]

SMALL_FILES = 50_000_000
"""Bytes of input below which a joint count cannot have too many cells."""


def rows_name(inputs: Sources) -> str:
    """Return the name of the rows in messages."""
    return IN_HAND if inputs.in_hand else inputs.tables[0].name


def refuse_nested(inputs: Sources) -> None:
    """Refuse rows of JSON whose values stand inside of others, which only polars reads."""
    for files in inputs.tables:
        if files.is_nested:
            words = "fields of rows of JSON, and format: json, are read by engine: polars"
            raise SpecError([Fault(f"{files.name}: {words}", ("data",))])


class InputChecks:
    """Looks at the files of an audit beside the count; tables of a database are none.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.
    """

    def __init__(self, data: Data, inputs: Sources) -> None:
        self.data, self.inputs, self.sources = data, inputs, inputs.tables
        self.digests, self.in_hand = inputs.digests, inputs.in_hand
        is_database = not (inputs.tables or inputs.in_hand)
        self.name = str(data.table) if is_database else rows_name(inputs)

    def records(self) -> tuple[InputFile, ...]:
        """Return the inputs that were read, with size and digest where they are files."""
        tables = [source.table for source in (self.data, *self.data.join) if source.table]
        others = [IN_HAND] if self.in_hand else tables
        return (*(InputFile(name, None, None) for name in others), *self.digests.result())

    @property
    def is_small(self) -> bool:
        """Whether a joint count cannot have too many cells."""
        is_whole = bool(self.sources) and not self.in_hand
        return is_whole and self.digests.total < SMALL_FILES

    def text_tables(self, tables: Sequence[NamedFrame]) -> Iterator[tuple[int, str, Frame]]:
        """Yield the joined tables of separated texts: their number among the files, name and rows.

        Parameters
        ----------
        tables : as the engine has opened them.
        """
        for i, (name, frame) in enumerate(tables[1:], start=1 - self.in_hand):
            if self.sources[i].is_csv:
                yield i, name, frame

    def refuse_twins(self, tables: Sequence[NamedFrame], columns: set[str]) -> None:
        """Refuse files in which a column that the audit reads stands twice.

        Parameters
        ----------
        tables : as the engine has opened them.
        columns : that the audit reads.
        """
        for files, names in self._named(tables):
            refuse_duplicates(files, names, columns)

    def twins(self, tables: Sequence[NamedFrame]) -> dict[str, str]:
        """Return the columns that have another column's name in the header, each with that.

        Parameters
        ----------
        tables : as the engine has opened them.
        """
        renamed = (renamed_columns(*table).items() for table in self._named(tables))
        return dict(chain.from_iterable(renamed))

    def names_apart(self, tables: Sequence[NamedFrame]) -> list[str]:
        """Return names for all columns of the table whose header has a name twice, no two alike.

        Parameters
        ----------
        tables : as the engine has opened them.
        """
        return next(filter(None, (names_apart(*table) for table in self._named(tables))), [])

    def _named(self, tables: Sequence[NamedFrame]) -> Iterator[tuple[TableFiles, list[str]]]:
        """Yield the text tables of which polars has renamed columns, with their names."""
        own = tables[-len(self.sources) :] if self.sources else []
        for files, (_, frame) in zip(self.sources, own, strict=True):
            if files.is_csv and any(map(RENAMED.search, frame.collect_schema().names())):
                yield files, scan(files, as_text=True).collect_schema().names()

    def refuse_misread(self, columns: set[str]) -> None:
        """Refuse files that are not read as they were meant.

        Parameters
        ----------
        columns : that the audit reads.

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
        for place, files in zip(places, self.sources, strict=False):
            loc = (*place, "csv", "null_values")
            interruptible(partial(refuse_absent_null_values, files, loc))
            interruptible(partial(refuse_missing_columns, files, columns))

    def refuse_other_rows(self, source: int, found: int, version: str) -> None:
        """Refuse a text table that an engine takes apart in another number of rows than it has.

        Parameters
        ----------
        source : the number of the table.
        found : the rows that the engine has found.
        version : the engine.
        """
        rows, files = self.digests.rows[source], self.sources[source]
        if rows not in (None, found):
            engine = version.partition(" ")[0]
            words = f"{files.name}: {engine} finds {found:,} rows, and there are {rows:,}"
            raise DataError(words, hint="write it with line ends that are all alike, or as Parquet")
