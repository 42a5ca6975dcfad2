"""Audits that every engine has to answer alike: rows that are weighed, joined, or left out."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from math import inf, nan

import polars as pl

from tests.engines.conditions import LINES
from tests.engines.conformance import Case, Partner
from tests.engines.samples import COLUMNS, FACETS, ROWS, TYPES, cycled, people, spec

__all__ = ["conditions", "faulty_weights", "joins", "weights"]

EVERY_LINE = LINES.join(
    pl.DataFrame({"sex": ["m", "m", "f", "f"], "label": [1, 0, 1, 0]}), how="cross"
)


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
