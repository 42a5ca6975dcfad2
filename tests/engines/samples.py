"""The rows that engines are tried on: columns of every type, texts and names of all kinds."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import inf, nan
from typing import Any

import polars as pl

__all__ = [
    "BERLIN",
    "COLUMNS",
    "COUNTS",
    "DAYS",
    "FACETS",
    "NAMES",
    "ROWS",
    "TEXTS",
    "TIMES",
    "TINY",
    "TYPES",
    "UNUSUAL",
    "cycled",
    "people",
    "spec",
]

ROWS = 48
TINY = 5e-324
COUNTS = dict.fromkeys(("KL", "CDDL", "DI", "GE"))
"""Metrics that need categories of labels, strata, predictions, and people by themselves."""
FACETS = {"sex": {"column": "sex", "favored": "m"}}
COLUMNS = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "score", "at_least": 0.5, "constant": "allowed"},
    "strata": ["city"],
}
BERLIN = pl.Datetime("us", "Europe/Berlin")
DAYS = [date(2026, 7, 1), date(2026, 6, 30), date(1969, 12, 31), None]
TIMES = [datetime(2026, 7, 1, 10, 30), datetime(2026, 7, 1), datetime(1969, 12, 31, 23, 59), None]

TYPES: dict[str, tuple[pl.DataType | type[pl.DataType], list[Any], Any]] = {
    "Int8": (pl.Int8, [-128, 127, 0, None], 127),
    "Int16": (pl.Int16, [-32768, 32767, 0, None], "-32768"),
    "Int32": (pl.Int32, [-(2**31), 2**31 - 1, 0, None], -(2**31)),
    "Int64": (pl.Int64, [-(2**63), 2**63 - 1, 2**53 + 1, 2**53, None], 2**53 + 1),
    "UInt8": (pl.UInt8, [255, 1, 0, None], 255.0),
    "UInt16": (pl.UInt16, [65535, 1, 0, None], 1),
    "UInt32": (pl.UInt32, [2**32 - 1, 1, 0, None], 2**32 - 1),
    "UInt64": (pl.UInt64, [2**64 - 1, 2**63, 1, None], 2**64 - 1),
    "Float32": (pl.Float32, [0.1, 0.2, 16777217.0, nan, None, inf], 0.1),
    "Float64": (pl.Float64, [0.1, 0.30000000000000004, 0.3, nan, None, -inf, inf], 0.3),
    "zeros": (pl.Float64, [0.0, -0.0, TINY, -TINY, nan, None], 0),
    "large floats": (pl.Float64, [1e300, 1e16, 123456789.125, 1e-7, None], 1e16),
    "Decimal": (pl.Decimal(10, 2), [Decimal("0.10"), Decimal("0.11"), Decimal("-5"), None], 0.1),
    "large Decimal": (
        pl.Decimal(38, 3),
        [Decimal("12345678901234567890123456789.125"), Decimal(1), None],
        "12345678901234567890123456789.125",
    ),
    "Boolean": (pl.Boolean, [True, False, None], True),
    "String": (pl.String, ["1", "1.0", "01", " 1", "1 ", "", None], 1),
    "truths": (pl.String, ["true", "True", "TRUE", "false", "t", None], True),
    "Categorical": (pl.Categorical, ["a", "A", "b", "", None], "a"),
    "Enum": (pl.Enum(["x", "y", "Y", ""]), ["x", "y", "Y", "", None], "Y"),
    "Date": (pl.Date, DAYS, "2026-07-01"),
    "Datetime in ms": (pl.Datetime("ms"), TIMES, "2026-07-01T10:30:00"),
    "Datetime in us": (pl.Datetime("us"), TIMES, "2026-07-01"),
    "Datetime in ns": (pl.Datetime("ns"), TIMES, "2026-07-01 10:30"),
    "Datetime in UTC": (pl.Datetime("us", "UTC"), TIMES, "2026-07-01T10:30:00Z"),
    "Datetime with a zone": (BERLIN, TIMES, "2026-07-01T12:30:00+02:00"),
}
"""For each type the values that a column holds in turn, and one of them as a spec writes it."""
UNUSUAL: dict[str, pl.Series] = {
    "Time": pl.Series([time(1, 2), None]),
    "Duration": pl.Series([timedelta(1), None]),
    "Binary": pl.Series([b"a", None]),
    "List": pl.Series([[1], None]),
    "Struct": pl.Series([{"a": 1}, {"a": 2}]),
}
TEXTS = [
    *("it's", 'say "hi"', "a,b", "a;b", "tab\there", "two\nlines", "back\\slash", "%", "_", "--"),
    *("null", "NULL", "NaN", "None", "true", "nan", "-0", "1e3", "[red]", "{}", "$1", "?", ":x"),
    *(
        "é",
        "e\u0301",
        "É",
        "\u00df",
        "ss",
        "I",
        "i",
        "İ",
        "\u0131",
        "\u2126",
        "Ω",
        "😀",
        "👩‍👩‍👧",
        "\u202eabc",
    ),
    *(" lead", "trail ", "trail", "\u00a0", "\u200b", "\x01", "\x7f", "日本", "ﬁ", "fi", "", " "),
]
NAMES = [
    *("select", "group", "order", "from", "user", "end", "rows", "n", "value", "value0", "key0"),
    *("with space", "with.dot", 'with"quote', "with'quote", "with`tick", "[x]", "a;b", "a,b", "%"),
    *("é", "e\u0301", "😀", "1st", "_", "$1", "?", "\\", "faulty", "packed", "kept", "true"),
    *("largest", "squares0", "count", "null", "index", "literal", "__x__", "x" * 63, "--"),
]


def cycled(values: Sequence[Any], dtype: Any, step: int = 1, rows: int = ROWS) -> pl.Series:
    """Return a column that goes through values in turn, in steps."""
    taken = [values[i // step % len(values)] for i in range(rows)]
    naive = isinstance(dtype, pl.Datetime)
    column = pl.Series(taken, dtype=pl.Datetime("us")) if naive else pl.Series(taken, dtype=dtype)
    if naive and dtype.time_zone:
        column = column.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
    return column.cast(dtype)


def people(**columns: pl.Series) -> pl.DataFrame:
    """Return rows of two groups with labels, scores and cities, and further columns."""
    usual = {
        "sex": cycled(["m", "f", "f", "m", "x", None], pl.String),
        "label": cycled([1, 0, 0, 1, 0, 1, 1, None], pl.Int64, 3),
        "score": cycled([0.5, 0.1, 0.9, nan, 0.7, 0.4, None], pl.Float64),
        "city": cycled(["Ulm", "Bonn", None], pl.String, 2),
    }
    return pl.DataFrame({**usual, **columns})


def spec(**parts: Any) -> dict[str, Any]:
    """Return the parts of a spec with count metrics of every shape."""
    return {"columns": COLUMNS, "facets": FACETS, "metrics": COUNTS, **parts}
