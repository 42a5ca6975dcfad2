"""Joins: tables added from the left, by key with unique keys on the right, or by position."""

from collections.abc import Sequence
from typing import NamedTuple

import narwhals as nw

from biaspipe.engines.backend import Backend, Frame, NamedFrame
from biaspipe.errors import DataError, Fault, Loc, SpecError, TypesChangedError
from biaspipe.printable_text import did_you_mean, list_values
from biaspipe.spec import Data

__all__ = ["JoinedTable", "join_tables"]

ROWS, KEYS = "__rows__", "__keys__"


class JoinedTable(NamedTuple):
    """The joined table, and for each join the column that is null in rows without a partner."""

    frame: Frame
    markers: tuple[str, ...]


def join_tables(backend: Backend, data: Data, tables: Sequence[NamedFrame]) -> JoinedTable:
    """Join tables to the first one: by position first, while its rows are in their order.

    Parameters
    ----------
    backend : what holds them.
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
            _refuse_lengths(backend, tables[0], right)
            left = left[0], backend.join_by_position(left[1], marked)
        else:
            by_key.append((i, join.keys, right, marked))
    for i, keys, right, marked in by_key:
        _refuse_columns(left, right, keys, ("data", "join", i, "on"))
        _refuse_keys(backend, right, keys)
        left = left[0], left[1].join(marked, on=list(keys), how="left")
    return JoinedTable(left[1], tuple(_marker(i) for i in range(len(others))))


def _refuse_lengths(backend: Backend, left: NamedFrame, right: NamedFrame) -> None:
    """Refuse to join by position what has more rows on one side."""
    lengths = []
    for name, frame in (left, right):
        with backend.errors(name):
            lengths.append(int(backend.run([frame.select(nw.len())])[0].item()))
    mine, theirs = lengths
    if mine != theirs:
        raise DataError(
            f"{left[0]} has {mine:,} rows and {right[0]} has {theirs:,}, so they cannot be"
            " joined by position",
            hint="join them by a key: on: id",
        )


def _refuse_keys(backend: Backend, table: NamedFrame, keys: Sequence[str]) -> None:
    """Refuse keys that stand in more than one row; the first of them is the example."""
    name, right = table
    counted = right.drop_nulls(list(keys)).group_by(list(keys)).agg(nw.len().alias(ROWS))
    repeated = counted.filter(nw.col(ROWS) > 1)
    with backend.errors(name):
        found = backend.run([repeated.select(nw.len().alias(KEYS))])[0].item()
        if not found:
            return
        first = backend.run([repeated.sort(*keys).head(1)])[0].row(0, named=True)
    example = ", ".join(f"{key} = {first[key]!r}" for key in keys)
    raise DataError(
        f"{name}: {found:,} keys stand in more than one row, such as {example} in {first[ROWS]}",
        hint="a joined table has one row for each key",
    )


def _marker(join: int) -> str:
    """Return the name of the column that is null in rows without a partner."""
    return f"__joined_{join}__"


def _refuse_columns(left: NamedFrame, right: NamedFrame, keys: Sequence[str], loc: Loc) -> None:
    """Refuse keys that are missing or of two types, and columns that stand in both tables."""
    mine, theirs = left[1].collect_schema(), right[1].collect_schema()
    for name, schema in ((left[0], mine), (right[0], theirs)):
        for key in keys:
            if key not in schema:
                hint = did_you_mean(key, schema.names())
                raise SpecError([Fault(f"{name} has no column {key!r}", loc, hint=hint)])
    for key in keys:
        if mine[key] != theirs[key]:
            raise TypesChangedError(
                f"the key {key!r} holds {mine[key]} in {left[0]}, {theirs[key]} in {right[0]}",
                hint="write it alike on both sides",
            )
    both = [column for column in theirs if column in mine and column not in keys]
    if both:
        names = list_values(both)
        raise SpecError([Fault(f"{names}: in {left[0]} and in {right[0]}; rename one", loc)])
