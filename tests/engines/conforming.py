"""The audits that every engine has to answer alike: types, values, thresholds, facets, weights."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import inf, nan
from typing import Any

import polars as pl

from tests.engines.conditions import LINES
from tests.engines.conformance import Case, Partner

__all__ = ["CASES"]

ROWS = 48
EVERY_LINE = LINES.join(
    pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0]}), how="cross"
)
TINY = 5e-324
COUNTS = dict.fromkeys(("KL", "CDDL", "DI", "GE"))
"""Metrics that need categories of labels, strata, predictions, and people by themselves."""
FACETS = {"sex": {"column": "sex", "favored": "m"}}
COLUMNS = {
    "label": {"column": "label", "positive": 1},
    "prediction": {"column": "score", "at_least": 0.5},
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


def typed() -> Iterator[Case]:
    """Yield audits with columns of each type as facet, label, prediction, strata and feature."""
    for name, (dtype, values, value) in TYPES.items():
        rows = pl.DataFrame(
            {
                column: cycled(values, dtype, step)
                for column, step in {"f": 1, "y": 2, "p": 3, "s": 5}.items()
            }
        )
        columns = {
            "label": {"column": "y", "positive": value},
            "prediction": {"column": "p", "positive": [value]},
            "strata": ["s"],
        }
        facets = {
            "one": {"column": "f", "favored": value},
            "each": {"column": "f"},
        }
        yield Case(name, rows, spec(columns=columns, facets=facets))
        if name in ("Int64", "Float32", "Decimal", "Boolean", "Enum", "Date", "Datetime in UTC"):
            lacking = {"label": {"column": "y", "positive": "no such value"}}
            parts = spec(columns=lacking, facets=facets, metrics={"CI": None})
            yield Case(f"{name} without the value", rows, parts, error="SpecError")
    every = {name: cycled(values, dtype) for name, (dtype, values, _) in TYPES.items()}
    features = {**COLUMNS, "features": list(every)}
    parts = spec(columns=features, metrics={"FT": {"k": 3}})
    yield Case("features of every type", people(**every), parts, error=None)
    for name, pair in UNUSUAL.items():
        rows = people(other=pl.concat([pair] * (ROWS // 2)))
        yield Case(f"{name} that nobody asks for", rows, spec())
        facet = {"other": {"column": "other"}}
        yield Case(f"{name} as a facet", rows, spec(facets=facet), error="SpecError")


def missing() -> Iterator[Case]:
    """Yield audits of columns without any value, and of columns that are not there."""
    nothing = people(nothing=pl.Series([None] * ROWS))
    typed_nothing = nothing.with_columns(pl.col("nothing").cast(pl.Int32))
    nans = people(nothing=pl.Series([nan] * ROWS))
    for name, rows in {"null": nothing, "Int32": typed_nothing, "NaN": nans}.items():
        strata = spec(columns={**COLUMNS, "strata": ["nothing"]})
        yield Case(f"strata of nothing but {name}", rows, strata)
        for column in ("label", "prediction"):
            columns = {**COLUMNS, column: {"column": "nothing", "above": 0.5}}
            yield Case(f"{column} of nothing but {name}", rows, spec(columns=columns))
        facets = {**FACETS, "nothing": {"column": "nothing"}}
        yield Case(f"facet of nothing but {name}", rows, spec(facets=facets), error="SpecError")
    for part in ("label", "prediction"):
        columns = {**COLUMNS, part: {"column": "lable", "positive": 1}}
        yield Case(f"no column for a {part}", people(), spec(columns=columns), error="SpecError")
    facets = {"a": {"column": "Sex"}, "b": {"column": "zzz"}}
    yield Case("no column for a facet", people(), spec(facets=facets), error="SpecError")
    columns = {**COLUMNS, "weight": "w"}
    yield Case("no column for a weight", people(), spec(columns=columns), error="SpecError")
    facets = {"sex": {"column": "sex", "favored": "M"}}
    yield Case("no such group", people(), spec(facets=facets), error="SpecError")
    yield Case("no rows", people().head(0), spec(), error="DataError")


def texts() -> Iterator[Case]:
    """Yield audits of texts that are easily changed on their way, and of many groups."""
    rows = people(text=cycled(TEXTS, pl.String, rows=ROWS))
    rows = pl.concat([rows, rows.reverse().with_columns(sex=pl.lit("m")), rows.head(20)])
    facets = {"text": {"column": "text"}, "sex": FACETS["sex"]}
    by_text = {**COLUMNS, "strata": ["text"]}
    parts = spec(facets=facets, columns=by_text, metrics={"DPL": None, "CDDL": None})
    yield Case("odd texts", rows, parts)
    odd = {"label": {"column": "text", "positive": [t for t in TEXTS if t.strip()][:30]}}
    yield Case("odd texts as labels", rows, spec(columns=odd, metrics={"DPL": None, "KL": None}))
    named = ("it's", 'say "hi"', "back\\slash", "trail ", "e\u0301", "😀", "", "two\nlines")
    sides = {
        f"{one}, {other}": {"column": "text", "favored": one, "disfavored": other}
        for one, other in zip(named[::2], named[1::2], strict=True)
    }
    yield Case("odd texts as groups", rows, spec(facets=sides))
    many = pl.DataFrame({"g": [f"g{i % 3000}" for i in range(6000)], "label": [1, 0, 0] * 2000})
    usual = {"label": {"column": "label", "positive": 1}}
    facets = {"g": {"column": "g"}}
    parts = spec(columns=usual, facets=facets, metrics={"DPL": None})
    yield Case("3,000 groups", many, parts, error="SpecError")
    wide = {"label": {"column": "label", "positive": 1}, "strata": ["g"]}
    parts = spec(columns=wide, facets={"half": {"column": "h"}}, metrics={"CDDL": None})
    halves = many.with_columns(h=pl.int_range(pl.len()) // 3000)
    yield Case("3,000 strata", halves, parts)


def names() -> Iterator[Case]:
    """Yield audits of columns whose names mean something elsewhere."""
    sex = people()["sex"]
    for first in range(0, len(NAMES), 12):
        chosen = NAMES[first : first + 12]
        rows = people(**dict.fromkeys(chosen, sex))
        facets = {f"f{i}": {"column": name, "favored": "m"} for i, name in enumerate(chosen)}
        yield Case(f"columns {', '.join(chosen)}", rows, spec(facets=facets))
    for name in ("n", "rows", "faulty", "select", "with space", 'with"quote'):
        rows = people().with_columns(cycled([1, 0, 3], pl.Int64).alias(name))
        columns = {**COLUMNS, "weight": name, "strata": [name]}
        yield Case(f"weight {name}", rows, spec(columns=columns))
    for name in ("SEX", "Label", "sEx"):
        twin = people(**{name: cycled(["p", "q"], pl.String)})
        facets = {**FACETS, "other": {"column": name}}
        yield Case(f"columns that differ in case only: {name}", twin, spec(facets=facets))


def thresholds() -> Iterator[Case]:
    """Yield audits of numbers at, next to and beyond limits."""
    floats = [0.1, 0.09999999999999999, 0.10000000000000002, 0.0, -0.0, nan, None, inf, -inf, 0.5]
    columns = {
        "Float64": cycled(floats, pl.Float64),
        "Float32": cycled(floats, pl.Float64).cast(pl.Float32),
        "Decimal": cycled(
            [Decimal("0.10"), Decimal("0.11"), Decimal("0.09"), None], pl.Decimal(9, 2)
        ),
        "Int8": cycled([-128, 127, 0, 1, -1, None], pl.Int8),
        "UInt64": cycled([2**64 - 1, 2**63, 0, 1, None], pl.UInt64),
        "Int64": cycled([2**63 - 1, 2**53 + 1, 2**53, -(2**63), 0, None], pl.Int64),
        "Boolean": cycled([True, False, None], pl.Boolean),
    }
    limits = {
        "Float64": (0.1, 0.0),
        "Float32": (0.1, 0.0),
        "Decimal": (0.1,),
        "Int8": (0, 0.5, 126),
        "UInt64": (1, 9223372036854775808),
        "Int64": (9007199254740992, 0),
        "Boolean": (0.5,),
    }
    for dtype, values in columns.items():
        facets = {
            f"{bound} {limit}": {"column": "x", "favored": {bound: limit}}
            for limit in limits[dtype]
            for bound in ("above", "at_least", "below", "at_most")
        }
        error = "SpecError" if dtype == "Boolean" else None
        yield Case(f"limits of {dtype}", people(x=values), spec(facets=facets), error=error)
    for dtype in ("Float32", "Decimal"):
        for bound in ("above", "at_least", "below", "at_most"):
            part = {**COLUMNS, "prediction": {"column": "x", bound: 0.1}}
            yield Case(f"{dtype} {bound} 0.1", people(x=columns[dtype]), spec(columns=part))


def intervals() -> Iterator[Case]:
    """Yield audits of groups that are intervals, of intersections, and of ways to compare."""
    age = cycled([17, 18, 25, 39, 40, 60, 61, None, 99], pl.Int16)
    share = cycled([0.0, 0.25, 0.5, 0.75, 1.0, nan, None, -0.0, inf, -inf], pl.Float32)
    price = cycled([Decimal("9.99"), Decimal("10.00"), Decimal("10.01"), None], pl.Decimal(6, 2))
    rows = people(age=age, share=share, price=price)
    facets: dict[str, Any] = {
        "age": {
            "column": "age",
            "groups": {
                "young": {"below": 25},
                "middle": {"at_least": 25, "below": 60},
                "old": {"at_least": 60},
            },
            "favored": "middle",
        },
        "share": {"column": "share", "groups": {"low": {"at_most": 0.25}, "high": {"above": 0.5}}},
        "price": {
            "column": "price",
            "groups": {"low": {"below": 10}, "high": {"at_least": 10}},
            "favored": "low",
        },
        "adult": {"column": "age", "favored": {"at_least": 40}},
        "lists": {"column": "age", "favored": [18, 25, "39"], "disfavored": [40, 60.0]},
        "sex": FACETS["sex"],
        "city": {"column": "city", "compare": "best"},
        "cross": {"cross": ["sex", "age"]},
        "wide": {"cross": ["sex", "city", "share"], "compare": "pairs"},
    }
    yield Case("intervals and intersections", rows, spec(facets=facets))
    ways = {c: {"column": "city", "compare": c} for c in ("rest", "pairs", "best")}
    ways["favored"] = {"column": "city", "compare": "favored", "favored": "Ulm"}
    yield Case("ways to compare", rows, spec(facets=ways))


def weights() -> Iterator[Case]:
    """Yield audits whose rows stand for many people, or for a part of one."""
    whole = {
        "Int8": cycled([0, 1, 127], pl.Int8),
        "UInt64": cycled([0, 1, 2**40], pl.UInt64),
        "Float32": cycled([0.0, 2.0, 3.0], pl.Float32),
        "Float64": cycled([0.0, -0.0, 2.0**40], pl.Float64),
        "Decimal": cycled([Decimal("0.00"), Decimal("3.00")], pl.Decimal(9, 2)),
        "Int64 that fills it": cycled([2**55, 1], pl.Int64),
    }
    for name, values in whole.items():
        yield Case(
            f"frequencies in {name}", people(w=values), spec(columns={**COLUMNS, "weight": "w"})
        )
    parts = {
        "tenths": cycled([0.1, 0.2, 0.3, 0.7, 1 / 3, 1e-9, 0.0], pl.Float64),
        "far apart": cycled([1e15, 1e-15, 1.0, 2.0**-52, 0.0], pl.Float64),
        "Float32": cycled([0.1, 1.5, 1e-7, 123456.7], pl.Float32),
        "Decimal": cycled([Decimal("0.10"), Decimal("3.33")], pl.Decimal(9, 2)),
        "Int64": cycled([1, 2, 3, 0], pl.Int64),
        "UInt8": cycled([1, 255, 0], pl.UInt8),
        "large": cycled([2.0**50, 2.0**49 + 1, 0.5], pl.Float64),
    }
    for name, values in parts.items():
        sampling = {**COLUMNS, "weight": {"column": "w", "kind": "sampling"}}
        yield Case(f"samples of {name}", people(w=values), spec(columns=sampling))


def faulty_weights() -> Iterator[Case]:
    """Yield audits of weights that are no number of people, or too large or small to be summed."""
    faulty: dict[str, pl.Series] = {
        "negative": cycled([1, 2, -1], pl.Int64),
        "missing": cycled([1, None], pl.Int64),
        "NaN": cycled([1.0, nan], pl.Float64),
        "infinite": cycled([1.0, inf], pl.Float64),
        "a fraction": cycled([1.0, 1.5], pl.Float64),
        "a fraction of a decimal": cycled([Decimal("1.0"), Decimal("1.5")], pl.Decimal(5, 1)),
        "too large": cycled([2**63 - 1], pl.Int64),
        "far too large": cycled([2**64 - 1], pl.UInt64),
        "1e300": cycled([1e300, 1.0], pl.Float64),
        "tiny": cycled([1e-300, 1.0], pl.Float64),
        "-1e-300": cycled([-1e-300, 1.0], pl.Float64),
        "2^62": cycled([2.0**62, 2.0**63, 1.0], pl.Float64),
        "a text": cycled(["1", "2"], pl.String),
        "a truth": cycled([True], pl.Boolean),
        "a date": cycled([date(2026, 7, 1)], pl.Date),
        "nothing": pl.Series([None] * ROWS),
    }
    no_number = ("a text", "a truth", "a date")
    for name, values in faulty.items():
        weighed = {**COLUMNS, "weight": "w"}
        error = "SpecError" if name in no_number else "DataError"
        yield Case(f"frequency: {name}", people(w=values), spec(columns=weighed), error=error)
    for name in ("negative", "missing", "NaN", "infinite", "1e300", "tiny", "-1e-300", "2^62"):
        weighed = {**COLUMNS, "weight": {"column": "w", "kind": "sampling"}}
        parts = spec(columns=weighed)
        yield Case(f"sampling: {name}", people(w=faulty[name]), parts, error="DataError")


def joins() -> Iterator[Case]:
    """Yield audits of joined tables."""
    by_group = {**COLUMNS, "strata": ["g"]}
    for name, (dtype, values, _) in TYPES.items():
        key = cycled(values, dtype)
        known = [v for v in values if v is not None][:-1]
        right = pl.DataFrame({"k": cycled(known, dtype, rows=len(known))})
        right = right.with_columns(g=pl.int_range(pl.len()).cast(pl.String))
        partner = {"more": Partner(right, "k")}
        error = "DataError" if name == "zeros" else None
        parts = spec(columns=by_group)
        yield Case(f"joined by {name}", people(k=key), parts, partners=partner, error=error)
    left = people(a=cycled([1, 2, None], pl.Int64), b=cycled(["x", "y", None, "z"], pl.String))
    right = pl.DataFrame(
        {
            "a": [1, 1, 2, None, None],
            "b": ["x", "y", "x", None, None],
            "g": ["p", "q", "r", "s", "t"],
        }
    )
    facets = {**FACETS, "g": {"column": "g"}}
    two = {"more": Partner(right, ["a", "b"])}
    yield Case("joined by two keys", left, spec(facets=facets), partners=two)
    yield Case("joined, and a condition", left, spec(facets=facets), "g <> 'p'", two)
    yield Case("joined, and a condition on null", left, spec(), "g IS NULL", two)
    one = {"more": Partner(right, "a")}
    yield Case("joined by keys that repeat", left.drop("b"), spec(), None, one, error="DataError")
    again = {"more": Partner(pl.concat([right, right]), ["a", "b"])}
    yield Case("joined by pairs that repeat", left, spec(), None, again, error="DataError")
    third = pl.DataFrame({"g": ["p", "q"], "h": [True, False]})
    three = {**two, "third": Partner(third, "g")}
    yield Case("three tables", left, spec(facets={**facets, "h": {"column": "h"}}), None, three)
    narrow = {"more": Partner(right.with_columns(pl.col("a").cast(pl.Int32)), ["a", "b"])}
    yield Case("keys of two types", left, spec(), None, narrow, error="DataError")
    yield Case("no such key", left, spec(), None, {"more": Partner(right, "c")}, error="SpecError")
    both = {"more": Partner(right.with_columns(sex=pl.lit("m")), ["a", "b"])}
    yield Case("a column in both tables", left, spec(), None, both, error="SpecError")


def conditions() -> Iterator[Case]:
    """Yield audits of the rows that meet a condition."""
    parts = {"facets": {**FACETS, "row": {"column": "id"}}, "metrics": {"DPL": None}}
    for where in ("city = 'it''s' OR NOT member", "x >= 0 AND day >= DATE '2026-06-30'"):
        yield Case(f"where {where}", EVERY_LINE, parts, where)
    for where, error in {"age > 1000": "DataError", "agge > 1": "SpecError"}.items():
        yield Case(f"where {where}", EVERY_LINE, parts, where, error=error)


CASES = [
    case
    for part in (
        typed,
        missing,
        texts,
        names,
        thresholds,
        intervals,
        weights,
        faulty_weights,
        joins,
        conditions,
    )
    for case in part()
]
