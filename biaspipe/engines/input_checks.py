"""What an audit reads: what messages call it, its files, and whether they are read as meant."""

from collections.abc import Iterator, Sequence
from functools import partial

from biaspipe.engines.backend import Frame, Table
from biaspipe.errors import DataError, Fault, SpecError
from biaspipe.sources.faulty_file import refuse_lacking
from biaspipe.sources.files import Input, is_csv
from biaspipe.sources.inputs import Inputs
from biaspipe.sources.nested import is_nested, refuse_lacking_rows
from biaspipe.sources.null_markers import refuse_idle_markers
from biaspipe.sources.scan import refuse_twins
from biaspipe.sources.waiting import waited
from biaspipe.spec import Data

__all__ = ["IN_HAND", "InputChecks", "name_of", "refuse_nested"]

IN_HAND = "(frame)"
"""What messages and reports call rows that no file was read for."""
SMALL_FILES = 50_000_000
"""Bytes of input below which a joint count cannot have too many cells."""


def name_of(inputs: Inputs) -> str:
    """Return what messages call the rows of files, or those in hand."""
    return IN_HAND if inputs.in_hand else inputs.sources[0][1].name


def refuse_nested(inputs: Inputs) -> None:
    """Refuse rows of JSON whose values stand inside of others, which only polars reads."""
    for source, files in inputs.sources:
        if is_nested(source, files):
            words = "fields of rows of JSON, and format: json, are read by engine: polars"
            raise SpecError([Fault(f"{files.name}: {words}", ("data",))])


class InputChecks:
    """Looks at the files of an audit beside the count; tables of a database are none.

    Parameters
    ----------
    data : the part of the spec that says what to read.
    inputs : the files.
    """

    def __init__(self, data: Data, inputs: Inputs) -> None:
        self.data, self.inputs, self.sources = data, inputs, inputs.sources
        self.digests, self.in_hand = inputs.digests, inputs.in_hand
        is_database = not (inputs.sources or inputs.in_hand)
        self.name = str(data.table) if is_database else name_of(inputs)

    def records(self) -> tuple[Input, ...]:
        """Return what was read, with size and digest where it is a file."""
        tables = [source.table for source in (self.data, *self.data.join) if source.table]
        others = [IN_HAND] if self.in_hand else tables
        return (*(Input(name, None, None) for name in others), *self.digests.result())

    @property
    def is_small(self) -> bool:
        """Whether a joint count cannot have too many cells."""
        is_whole = bool(self.sources) and not self.in_hand
        return is_whole and self.digests.total < SMALL_FILES

    def text_tables(self, tables: Sequence[Table]) -> Iterator[tuple[int, str, Frame]]:
        """Yield the joined tables of separated texts: their number among the files, name and rows.

        Parameters
        ----------
        tables : as the engine has opened them.
        """
        for i, (name, frame) in enumerate(tables[1:], start=1 - self.in_hand):
            if is_csv(self.sources[i][1]):
                yield i, name, frame

    def refuse_twins(self, tables: Sequence[Table], columns: set[str]) -> None:
        """Refuse files in which a column that the audit reads stands twice.

        Parameters
        ----------
        tables : as the engine has opened them.
        columns : that the audit reads.
        """
        own = tables[-len(self.sources) :] if self.sources else []
        for (_, files), (_, frame) in zip(self.sources, own, strict=True):
            refuse_twins(files, frame.collect_schema().names(), columns)

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
        for place, (source, files) in zip(places, self.sources, strict=False):
            loc = (*place, "csv", "null_values")
            waited(partial(refuse_idle_markers, files, source.csv, loc))
            if is_nested(source, files):
                waited(partial(refuse_lacking_rows, source, files, columns))
            else:
                waited(partial(refuse_lacking, files, source.csv, columns))

    def refuse_other_rows(self, source: int, found: int, version: str) -> None:
        """Refuse a text table that an engine takes apart in another number of rows than it has.

        Parameters
        ----------
        source : the number of the table.
        found : the rows that the engine has found.
        version : the engine.
        """
        rows, (_, files) = self.digests.rows[source], self.sources[source]
        if rows not in (None, found):
            engine = version.partition(" ")[0]
            words = f"{files.name}: {engine} finds {found:,} rows, and there are {rows:,}"
            raise DataError(words, hint="write it with line ends that are all alike, or as Parquet")
