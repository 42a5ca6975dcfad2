"""Features as numbers and codes: what the fliptest's distances are computed from."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biaspipe.errors import Fault, SpecError
from biaspipe.plan import Plan
from biaspipe.printable_text import list_values

__all__ = [
    "category_codes",
    "category_texts",
    "has_values",
    "is_number",
    "no_feature_values",
    "numbers",
    "offsets",
    "origin",
    "values",
]

MISSING = "-"
"""How a missing category is written; others have a letter before them."""


def is_number(dtype: pl.DataType) -> bool:
    """Whether the values of a type are near and far, instead of equal and different."""
    return dtype.is_numeric() or dtype.is_temporal()


def has_values(series: pl.Series) -> bool:
    """Whether a feature tells anything of people; rows that lack a number are left out anyway."""
    return is_number(series.dtype) or series.null_count() < len(series)


def no_feature_values(plan: Plan) -> SpecError:
    """Return the error of features without any value, by which all people are alike."""
    words = f"no row has a value in any of the features: {list_values(plan.features)}"
    return SpecError([Fault(words, ("columns", "features"), found="only missing values")])


def _physical(series: pl.Series) -> pl.Series:
    return series.to_physical() if series.dtype.is_temporal() else series


def _is_whole(series: pl.Series) -> bool:
    return series.dtype.is_integer() and series.dtype not in (pl.Int128, pl.UInt128)


def origin(series: pl.Series) -> int | None:
    """Return the least of whole numbers, from which they are counted; None for other numbers."""
    physical = _physical(series)
    least = physical.min() if _is_whole(physical) else None
    return least if isinstance(least, int) else None


def values(series: pl.Series) -> NDArray[np.float64] | NDArray[np.int64] | NDArray[np.uint64]:
    """Return numbers without rounding; a missing one is NaN, or 0 among whole numbers."""
    physical = _physical(series)
    if _is_whole(physical):
        dtype = pl.UInt64 if physical.dtype == pl.UInt64 else pl.Int64
        return physical.cast(dtype).fill_null(0).to_numpy()
    return physical.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def offsets(series: pl.Series, zero: int) -> NDArray[np.uint64]:
    """Return whole numbers less the least one; missing ones have any value."""
    return values(series).astype(np.uint64) - np.uint64(zero % 2**64)


def numbers(series: pl.Series, zero: int | None) -> NDArray[np.float64]:
    """Return numbers as floats, whole ones counted from `zero`; NaN where missing."""
    if zero is None:
        found = values(series).astype(np.float64)
    else:
        found = offsets(series, zero).astype(np.float64)
    found[series.is_null().to_numpy()] = np.nan
    return found


def category_codes(series: pl.Series, known: Sequence[str]) -> NDArray[np.int64]:
    """Return the position of each category among those that are known; their number if it is not.

    Parameters
    ----------
    series : categories.
    known : categories as `category_texts` gives them.
    """
    codes = pl.Series(range(len(known)), dtype=pl.Int64)
    found = category_texts(series).replace_strict(list(known), codes, default=len(known))
    return found.cast(pl.Int64).to_numpy()


def category_texts(series: pl.Series) -> pl.Series:
    """Write categories as texts, a missing one unlike all others."""
    return ("=" + series.cast(pl.String)).fill_null(MISSING)
