"""The audits that every engine has to answer alike: types, texts, names, thresholds, facets."""

from collections.abc import Iterator
from decimal import Decimal
from math import inf, nan
from typing import Any

import polars as pl

from tests.engines import joined_cases
from tests.engines.conformance import Case
from tests.engines.samples import (
    COLUMNS,
    FACETS,
    NAMES,
    ROWS,
    TEXTS,
    TYPES,
    UNUSUAL,
    cycled,
    people,
    spec,
)

__all__ = ["CASES"]


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
        yield Case(f"strata of nothing but {name}", rows, strata, error="SpecError")
        for column in ("label", "prediction"):
            columns = {**COLUMNS, column: {"column": "nothing", "above": 0.5}}
            parts = spec(columns=columns)
            yield Case(f"{column} of nothing but {name}", rows, parts, error="SpecError")
            constant = {"column": "nothing", "above": 0.5, "constant": "allowed"}
            columns = {**COLUMNS, column: constant}
            if rows is not nothing:  # a database has no column without a type
                yield Case(f"{column} of any kind of nothing, {name}", rows, spec(columns=columns))
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


CASES = [
    case
    for part in (
        typed,
        missing,
        texts,
        names,
        thresholds,
        intervals,
        joined_cases.weights,
        joined_cases.faulty_weights,
        joined_cases.joins,
        joined_cases.conditions,
    )
    for case in part()
]
