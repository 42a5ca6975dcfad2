"""What Spark calls the types that polars sees."""

import polars as pl

__all__ = ["native_type"]

TYPES: tuple[tuple[type[pl.DataType], str], ...] = (
    (pl.Boolean, "boolean"),
    (pl.Int8, "tinyint"),
    (pl.UInt8, "smallint"),
    (pl.Int16, "smallint"),
    (pl.UInt16, "int"),
    (pl.Int32, "int"),
    (pl.UInt32, "bigint"),
    (pl.Int64, "bigint"),
    (pl.UInt64, "decimal(20,0)"),
    (pl.Float32, "float"),
    (pl.Float64, "double"),
    (pl.String, "string"),
    (pl.Categorical, "string"),
    (pl.Enum, "string"),
    (pl.Date, "date"),
    (pl.Binary, "binary"),
)
"""How Spark holds a column, by what polars takes it for."""


def native_type(dtype: pl.DataType) -> str | None:
    """Return how Spark holds a column; None if it does not, or there is nothing to hold.

    Parameters
    ----------
    dtype : what polars takes the column for.

    >>> native_type(pl.Int64()), native_type(pl.Decimal(9, 2)), native_type(pl.Null())
    ('bigint', 'decimal(9,2)', None)
    """
    if isinstance(dtype, pl.Datetime) and dtype.time_unit != "ns":
        return "timestamp" if dtype.time_zone else "timestamp_ntz"
    if isinstance(dtype, pl.Decimal):
        return f"decimal({dtype.precision},{dtype.scale})"
    return next((name for cls, name in TYPES if isinstance(dtype, cls)), None)
