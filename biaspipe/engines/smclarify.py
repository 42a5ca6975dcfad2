"""Queries of smclarify: the profile of a column, and its fliptest, on rows of the polars engine."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.engines.coding import as_written, code, kind
from biaspipe.engines.counting import Engine
from biaspipe.engines.dataset import Dataset
from biaspipe.engines.polars import PolarsBackend, polars_rows
from biaspipe.errors import UsageError
from biaspipe.plan import OTHER, Kind
from biaspipe.smclarify import (
    UNIQUENESS,
    PandasColumn,
    SmclarifyComparison,
    SmclarifyFlips,
    SmclarifyPlan,
    features_of,
)
from biaspipe.sources.polars_errors import translate_errors

__all__ = ["SmclarifyQueries", "queries_of"]

FEW, NEIGHBOURS, LEAST = 9, 5, 1
"""Up to `FEW` members of a, the nearest one decides instead of the nearest five."""
SAMPLE = 1_000
NUMERIC = (Kind.INTEGER, Kind.FLOAT, Kind.BOOLEAN, Kind.MISSING)


def queries_of(engine: Engine) -> "SmclarifyQueries":
    """Return the queries that smclarify's arithmetic asks of an engine's rows.

    Parameters
    ----------
    engine : the engine of a run.

    Raises
    ------
    UsageError
        If it is not the one that can.
    """
    if not isinstance(engine.backend, PolarsBackend):
        raise UsageError("compat: smclarify reads the data with the polars engine only")
    return SmclarifyQueries(engine.dataset)


class SmclarifyQueries:
    """Reads what only smclarify's arithmetic needs.

    Parameters
    ----------
    dataset : the data, as polars reads it.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.rows = partial(polars_rows, dataset)
        self.schema, self.name = dataset.schema, dataset.name

    def _read(self, frame: pl.LazyFrame) -> pl.DataFrame:
        with translate_errors(self.name):
            return frame.collect(engine="streaming")

    def columns(self, names: Sequence[str]) -> dict[str, PandasColumn]:
        """Return each column as pandas would hold it, in one pass.

        Distinct values are counted only where the guess depends on them.
        """
        digits = {name: self._may_be_digits(name) for name in names}
        wanted = [pl.len().alias("rows")]
        for i, name in enumerate(names):
            values, dtype = pl.col(f"value{i}"), self.schema[name]
            counted = digits[name] or dtype.is_integer()
            distinct = values.drop_nulls().n_unique() if counted else pl.lit(None)
            wanted += [
                values.null_count().alias(f"missing{i}"),
                distinct.alias(f"distinct{i}"),
                (values.max() if dtype.is_numeric() else pl.lit(None)).alias(f"largest{i}"),
                (values.min() if dtype.is_numeric() else pl.lit(None)).alias(f"smallest{i}"),
                (_digits(values) if digits[name] else pl.lit(None)).alias(f"digits{i}"),
            ]
        named_columns = (self._named(name).alias(f"value{i}") for i, name in enumerate(names))
        found = self._read(self.rows(*named_columns).select(wanted)).row(0, named=True)
        return {name: self._column(name, i, found) for i, name in enumerate(names)}

    def _column(self, name: str, i: int, found: Mapping[str, Any]) -> PandasColumn:
        rows, missing, distinct = (found[name] for name in ("rows", f"missing{i}", f"distinct{i}"))
        many = distinct is not None and distinct >= UNIQUENESS * rows
        digits = bool(found[f"digits{i}"]) and not missing and many
        largest, smallest = found[f"largest{i}"], found[f"smallest{i}"]
        return PandasColumn(
            kind(self.schema[name]), rows, missing, distinct, largest, digits, smallest
        )

    def _named(self, column: str) -> nw.Expr:
        return as_written(column, self.schema[column])

    def _may_be_digits(self, column: str) -> bool:
        """Whether the first values are texts that are whole numbers."""
        if not isinstance(self.schema[column], nw.String):
            return False
        head = self._read(self.rows(nw.col(column)).head(SAMPLE))
        return bool(head.select(_digits(pl.col(column))).item())

    def values_in_order(self, column: str) -> list[object]:
        """Return the values of a column as they first appear; None where one is missing."""
        found = self.rows(self._named(column).alias("value")).unique(maintain_order=True)
        return self._read(found)["value"].to_list()

    def flips(
        self, smclarify: SmclarifyPlan, facet: str, comparisons: Sequence[SmclarifyComparison]
    ) -> tuple[SmclarifyFlips, ...]:
        """Run smclarify's fliptest on every comparison of a facet.

        Parameters
        ----------
        smclarify : what smclarify counts.
        facet : the facet's name.
        comparisons : those of the facet.
        """
        features = features_of(smclarify.plan, facet)
        if unfit := [f for f in features if kind(self.schema[f]) not in NUMERIC]:
            return tuple(SmclarifyFlips(refused=f"{unfit[0]} is no number") for _ in comparisons)
        codes = [smclarify.plan.groupings[facet][0], smclarify.plan.prediction]
        keys = [code(d, self.schema[d.column]).alias(f"key{i}") for i, d in enumerate(codes) if d]
        frame = self._read(self.rows(*keys, *map(nw.col, features)))
        numbers, refused = _numbers(frame.select(features))
        held = (frame["key1"].fill_null(OTHER) != OTHER).to_numpy()
        favorable = np.where(held, *smclarify.favorable)
        return tuple(
            SmclarifyFlips(refused=refused)
            if refused
            else _flips(numbers, _members(frame["key0"], c.codes), favorable, features)
            for c in comparisons
        )


def _digits(values: pl.Expr) -> pl.Expr:
    return values.str.contains(r"^\s*[+-]?\d+\s*$").all()


def _members(codes: pl.Series, chosen: Sequence[object]) -> NDArray[np.bool_]:
    held = codes.is_in(pl.Series(chosen, dtype=codes.dtype).implode()).fill_null(value=False)
    return held.to_numpy()


def _numbers(frame: pl.DataFrame) -> tuple[NDArray[np.generic], str | None]:
    """Return the features as the one array that pandas makes of them, or why there is none."""
    for series in frame:
        if series.null_count():
            words = "is no number" if series.dtype == pl.Boolean else "has missing values"
            return np.empty(0), f"{series.name} {words}"
        if series.dtype.is_float() and not series.is_finite().all():
            return np.empty(0), f"{series.name} has missing or infinite values"
    columns = [series.to_numpy() for series in frame]
    if not columns:
        return np.empty(0), "no column is left to find neighbours by"
    kinds = {column.dtype.kind for column in columns}
    mixed = "b" in kinds and len(kinds) > 1
    return np.column_stack([c.astype(np.float64) if mixed else c for c in columns]), None


def _flips(
    numbers: NDArray[np.generic],
    members: NDArray[np.bool_],
    favorable: NDArray[np.bool_],
    features: tuple[str, ...],
) -> SmclarifyFlips:
    """Let the neighbours in a vote on every member of d.

    The search is scikit-learn's, since which of two equally near neighbours it takes first
    depends on how it searches; members of d are a list there, which is searched otherwise.
    """
    from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415 - slow to import

    a, d = int((~members).sum()), int(members.sum())
    for letter, size in (("d", d), ("a", a)):
        if not size:
            return SmclarifyFlips(refused=f"n_{letter} = 0")
    k = NEIGHBOURS if a > FEW else LEAST
    search = KNeighborsClassifier(n_neighbors=k).fit(numbers[~members], favorable[~members])
    voted, own = search.predict(list(numbers[members])), favorable[members]
    plus, minus = int((voted & ~own).sum()), int((~voted & own).sum())
    return SmclarifyFlips(plus, minus, d, a, k, features)
