"""Joins: tables added from the left, by key with unique keys on the right, or by position."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.errors import DataError, Fault, Loc, SpecError, TypesChangedError, listing, nearest
from biaspipe.spec import Data

__all__ = ["Frame", "Joined", "Joiner", "Table"]


ROWS, KEYS = "__rows__", "__keys__"

Frame = nw.LazyFrame[Any]

Table = tuple[str, Frame]
"""A table's name for messages, and its rows."""


@dataclass(frozen=True)
class Joined:
    """The joined table, and for each join the column that is null in rows without a partner."""

    frame: Frame
    markers: tuple[str, ...]


@dataclass(frozen=True)
class Joiner:
    """Joins tables on the engine that holds them.

    Parameters
    ----------
    collected : runs a query.
    beside : puts the rows of two tables next to each other, in their order.
    reading : names a table in the words of what goes wrong with it.
    """

    collected: Callable[[Frame], pl.DataFrame]
    beside: Callable[[Frame, Frame], Frame]
    reading: Callable[[str], AbstractContextManager[None]]

    def joined(self, data: Data, tables: Sequence[Table]) -> Joined:
        """Join tables to the first one: by position first, while its rows are in their order.

        Parameters
        ----------
        data : the part of the spec that names the keys.
        tables : name and frame of the data, then of every joined table.

        Raises
        ------
        SpecError
            If a key is missing, or a column stands in two tables.
        DataError
            If keys are not unique on the right, or of different types, or tables that are joined
            by position have different lengths.
        """
        left, *others = tables
        by_key = []
        for i, (join, right) in enumerate(zip(data.join, others, strict=True)):
            marked = right[1].with_columns(nw.lit(value=True).alias(_marker(i)))
            if join.by == "position":
                _refuse_columns(left, right, (), ("data", "join", i))
                self._refuse_lengths(tables[0], right)
                left = left[0], self.beside(left[1], marked)
            else:
                by_key.append((i, join.keys, right, marked))
        for i, keys, right, marked in by_key:
            _refuse_columns(left, right, keys, ("data", "join", i, "on"))
            self._refuse_keys(right, keys)
            left = left[0], left[1].join(marked, on=list(keys), how="left")
        return Joined(left[1], tuple(_marker(i) for i in range(len(others))))

    def _refuse_lengths(self, left: Table, right: Table) -> None:
        """Refuse to join by position what has more rows on one side."""
        lengths = []
        for name, frame in (left, right):
            with self.reading(name):
                lengths.append(int(self.collected(frame.select(nw.len())).item()))
        mine, theirs = lengths
        if mine != theirs:
            raise DataError(
                f"{left[0]} has {mine:,} rows and {right[0]} has {theirs:,}, so they cannot be"
                " joined by position",
                hint="join them by a key: on: id",
            )

    def _refuse_keys(self, table: Table, keys: Sequence[str]) -> None:
        """Refuse keys that stand in more than one row; the first of them is the example."""
        name, right = table
        counted = right.drop_nulls(list(keys)).group_by(list(keys)).agg(nw.len().alias(ROWS))
        repeated = counted.filter(nw.col(ROWS) > 1)
        with self.reading(name):
            found = self.collected(repeated.select(nw.len().alias(KEYS))).item()
            if not found:
                return
            first = self.collected(repeated.sort(*keys).head(1)).row(0, named=True)
        example = ", ".join(f"{key} = {first[key]!r}" for key in keys)
        raise DataError(
            f"{name}: {found:,} keys stand in more than one row,"
            f" such as {example} in {first[ROWS]}",
            hint="a joined table has one row for each key",
        )


def _marker(join: int) -> str:
    """Return the name of the column that is null in rows without a partner."""
    return f"__joined_{join}__"


def _refuse_columns(left: Table, right: Table, keys: Sequence[str], loc: Loc) -> None:
    """Refuse keys that are missing or of two types, and columns that stand in both tables."""
    mine, theirs = left[1].collect_schema(), right[1].collect_schema()
    for name, schema in ((left[0], mine), (right[0], theirs)):
        for key in keys:
            if key not in schema:
                hint = nearest(key, schema.names())
                raise SpecError([Fault(f"{name} has no column {key!r}", loc, hint=hint)])
    for key in keys:
        if mine[key] != theirs[key]:
            raise TypesChangedError(
                f"the key {key!r} holds {mine[key]} in {left[0]}, {theirs[key]} in {right[0]}",
                hint="write it alike on both sides",
            )
    both = [column for column in theirs if column in mine and column not in keys]
    if both:
        names = listing(both)
        raise SpecError([Fault(f"{names}: in {left[0]} and in {right[0]}; rename one", loc)])
