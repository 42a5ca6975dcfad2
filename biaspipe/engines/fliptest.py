"""The fliptest of an audit: the folded rows of the data, split into the sides of a comparison."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.counts import Flips
from biaspipe.engines.neighbours import Members, flips
from biaspipe.plan import OTHER, Comparison, Dimension, Plan, group_names, own_dimensions

__all__ = ["Fliptests"]


class Fliptests:
    """Runs the fliptests of a plan on its folded rows.

    Parameters
    ----------
    plan : the bound plan.
    frame : distinct rows: `key0`... codes of the plan's dimensions, `feature0`... the features,
        `n` the people that each stands for.
    """

    def __init__(self, plan: Plan, frame: pl.DataFrame) -> None:
        self.plan = plan
        known = [self._key(d) for d in (plan.label, plan.prediction) if d]
        self.frame = frame.drop_nulls(known)
        self.members = self._members()

    def _key(self, dimension: Dimension) -> str:
        return f"key{self.plan.dimensions.index(dimension)}"

    def _members(self) -> Members:
        features = [self.frame[f"feature{i}"] for i in range(len(self.plan.features))]
        numbers = [_numbers(s) for s in features if _is_number(s)]
        categories = [_codes(s) for s in features if not _is_number(s)]
        rows = self.frame.height
        prediction = self.plan.prediction
        predicted = self.frame[self._key(prediction)] if prediction else pl.Series([0] * rows)
        return Members(
            np.column_stack([np.empty((rows, 0)), *numbers]),
            np.column_stack([np.empty((rows, 0), dtype=np.int64), *categories]),
            self.frame["n"].to_numpy(),
            (predicted != OTHER).to_numpy(),
        )

    def groups(self, facet: str) -> NDArray[np.str_]:
        """Return the group of a facet that each row is in."""
        keys = self.frame.select(self._key(d) for d in own_dimensions(self.plan, facet)).rows()
        names = dict(zip(set(keys), group_names(self.plan, facet, set(keys)), strict=True))
        return np.array(["\0missing" if names[k] is None else names[k] for k in keys], dtype=str)

    def run(self, facet: str, comparisons: Iterable[Comparison]) -> tuple[Flips, ...]:
        """Run the fliptest on every comparison of a facet."""
        groups, wanted = self.groups(facet), self.plan.fliptests[facet]
        return tuple(
            flips(
                self.members.only(np.isin(groups, c.favored_groups)),
                self.members.only(np.isin(groups, c.disfavored_groups)),
                k=wanted.k,
                scaling=wanted.scaling,
                features=wanted.features,
            )
            for c in comparisons
        )


def _is_number(series: pl.Series) -> bool:
    dtype = series.dtype
    return dtype.is_numeric() or dtype.is_temporal()


def _numbers(series: pl.Series) -> NDArray[np.float64]:
    physical = series.to_physical() if series.dtype.is_temporal() else series
    if physical.dtype.is_integer():
        exact = pl.col(physical.name).cast(pl.Int128)
        physical = physical.to_frame().select(exact - exact.min()).to_series()
    return physical.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _codes(series: pl.Series) -> NDArray[np.int64]:
    return series.cast(pl.String).rank("dense").cast(pl.Int64).fill_null(0).to_numpy()
