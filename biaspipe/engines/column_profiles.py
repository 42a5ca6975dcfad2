"""A look at columns before there is an audit: what they are called and what they hold."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from biaspipe.engines.coding import as_written, kind
from biaspipe.engines.counting import Engine
from biaspipe.engines.dataset import Dataset
from biaspipe.engines.polars import PolarsBackend, polars_rows
from biaspipe.errors import DataError
from biaspipe.plan import Kind
from biaspipe.policy import DEFAULT, Policy
from biaspipe.sources import open_sources
from biaspipe.sources.files import find_files
from biaspipe.sources.nested_json import first_record
from biaspipe.spec import Data

__all__ = ["ColumnProfile", "first_row_of", "kinds_of", "profile_columns"]


@dataclass(frozen=True)
class ColumnProfile:
    """What a column holds.

    Parameters
    ----------
    kind : the type of its values.
    rows : rows of the table that meet its condition.
    distinct : different values, missing ones aside.
    whole : whether every value is a whole number.
    share : whether every value is a number from 0 to 1.
    """

    kind: Kind
    rows: int
    distinct: int
    whole: bool = False
    share: bool = False


def kinds_of(data: Data, folder: Path, policy: Policy = DEFAULT) -> dict[str, Kind]:
    """Return the columns of a table in their order, and what kind of values each holds.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    with (
        open_sources(data, folder, policy) as inputs,
        closing(Engine(PolarsBackend(inputs), data, inputs)) as engine,
    ):
        try:
            return dict(engine.dataset.kinds)
        except DataError:
            _ = inputs.digests.rows  # says at which line
            raise


def first_row_of(data: Data, folder: Path, policy: Policy = DEFAULT) -> Any:
    """Return the first row of a table of JSON as it is written; None if there is none.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    return first_record(find_files(data, folder, ("data", "path"), policy))


def profile_columns(
    data: Data, folder: Path, columns: Iterable[str], policy: Policy = DEFAULT
) -> dict[str, ColumnProfile]:
    """Look at columns of the data with its joins; those that are not there are left out.

    Parameters
    ----------
    data : the part of a spec that says what to read.
    folder : what relative paths are relative to.
    columns : the columns to look at.
    policy : what the spec may reach.

    Raises
    ------
    SpecError, DataError
        If the data cannot be read.
    """
    with (
        open_sources(data, folder, policy) as inputs,
        closing(Engine(PolarsBackend(inputs), data, inputs)) as engine,
    ):
        _ = inputs.digests.rows
        engine.infer_all_types()
        return _profiles(engine.dataset, [c for c in dict.fromkeys(columns) if c in engine.schema])


def _profiles(dataset: Dataset, columns: Sequence[str]) -> dict[str, ColumnProfile]:
    types = [dataset.schema[column] for column in columns]
    asked = [pl.len().alias("rows")]
    for i, dtype in enumerate(types):
        asked += _asked(pl.col(f"value{i}"), dtype, i)
    values = (
        as_written(c, t).alias(f"value{i}")
        for i, (c, t) in enumerate(zip(columns, types, strict=True))
    )
    query = polars_rows(dataset, *values).select(asked)
    found = query.collect(engine="streaming").row(0, named=True)
    return {
        column: ColumnProfile(
            kind(types[i]),
            found["rows"],
            found[f"distinct{i}"],
            bool(found[f"whole{i}"]),
            bool(found[f"share{i}"]),
        )
        for i, column in enumerate(columns)
    }


def _asked(values: pl.Expr, dtype: nw.dtypes.DType, i: int) -> list[pl.Expr]:
    whole = share = pl.lit(value=False)
    if dtype.is_numeric():
        number = values.cast(pl.Float64)
        whole, share = (number == number.floor()).all(), number.is_between(0, 1).all()
    return [
        values.drop_nulls().n_unique().alias(f"distinct{i}"),
        whole.alias(f"whole{i}"),
        share.alias(f"share{i}"),
    ]
