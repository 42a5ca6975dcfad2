"""Joins: tables added from the left, by key with unique keys on the right, or by position."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from biaspipe.engines.scanning import reading
from biaspipe.errors import DataError, Fault, Loc, SpecError, TypesChangedError, listing, nearest
from biaspipe.spec import Data

__all__ = ["Joined", "joined"]


ROWS, KEYS = "\0rows", "\0keys"
"""Names that no column of a file has."""

Table = tuple[str, pl.LazyFrame]
"""A table's name for messages, and its rows."""


@dataclass(frozen=True)
class Joined:
    """The joined table, and for each join the column that is null in rows without a partner."""

    frame: pl.LazyFrame
    markers: tuple[str, ...]


def joined(data: Data, tables: Sequence[Table]) -> Joined:
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
        If keys are not unique on the right, or of different types, or tables that are joined by
        position have different lengths.
    """
    left, *others = tables
    by_key = []
    for i, (join, right) in enumerate(zip(data.join, others, strict=True)):
        if join.by == "position":
            _refuse_columns(left, right, (), ("data", "join", i))
            _refuse_lengths(tables[0], right)
            both = [left[1], right[1].with_columns(pl.lit(True).alias(_marker(i)))]
            left = left[0], pl.concat(both, how="horizontal")
        else:
            by_key.append((i, join.keys, right))
    for i, keys, right in by_key:
        _refuse_columns(left, right, keys, ("data", "join", i, "on"))
        _refuse_keys(right, keys)
        marked = right[1].with_columns(pl.lit(True).alias(_marker(i)))
        left = left[0], left[1].join(marked, on=keys, how="left")
    return Joined(left[1], tuple(_marker(i) for i in range(len(others))))


def _marker(join: int) -> str:
    """Return the name of the column that is null in rows without a partner."""
    return f"\0joined {join}"


def _refuse_lengths(left: Table, right: Table) -> None:
    """Refuse to join by position what has more rows on one side."""
    lengths = []
    for name, frame in (left, right):
        with reading(name):
            lengths.append(frame.select(pl.len()).collect(engine="streaming").item())
    mine, theirs = lengths
    if mine != theirs:
        raise DataError(
            f"{left[0]} has {mine:,} rows and {right[0]} has {theirs:,}, so they cannot be joined"
            " by position",
            hint="join them by a key: on: id",
        )


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


def _refuse_keys(table: Table, keys: Sequence[str]) -> None:
    name, right = table
    counted = right.drop_nulls(list(keys)).group_by(keys).agg(pl.len().alias(ROWS))
    repeated = counted.filter(pl.col(ROWS) > 1)
    with reading(name):
        summary = repeated.select(pl.len().alias(KEYS), pl.all().first()).collect(
            engine="streaming"
        )
    if summary[KEYS].item():
        example = ", ".join(f"{key} = {summary[key].item()!r}" for key in keys)
        raise DataError(
            f"{name}: {summary[KEYS].item():,} keys stand in more than one row,"
            f" such as {example} in {summary[ROWS].item()}",
            hint="a joined table has one row for each key",
        )
