"""Random conditions on random rows keep the rows that plain Python keeps, on every engine."""

from datetime import date, datetime
from decimal import Decimal
from math import inf, nan
from typing import Any

import duckdb
import polars as pl
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.spec import Data
from tests.engines.builders import opened
from tests.engines.conformance import kept
from tests.engines.evaluator import answers
from tests.examples import examples

Texts = st.SearchStrategy[str]

VALUES: dict[str, tuple[Any, list[Any]]] = {
    "n": (pl.Int64, [None, 0, 1, -1, 7, 2**53 + 1, -(2**63) + 1, 2**63 - 1]),
    "i": (pl.Int8, [None, 0, 1, -7, 127, -128]),
    "x": (pl.Float64, [None, nan, inf, -inf, 0.0, -0.0, 0.5, 2.5, -1.5, 1e300]),
    "f": (pl.Float32, [None, nan, 0.1, 0.5, -2.5]),
    "d": (pl.Decimal(9, 2), [None, Decimal("0.10"), Decimal("1.00"), Decimal("-2.50")]),
    "s": (pl.String, [None, "", "a", "A", "ab", "a%b", "a_b", " a ", "é", "a\nb", "it's"]),
    "t": (pl.String, [None, "a", "b", "abab"]),
    "b": (pl.Boolean, [None, True, False]),
    "c": (pl.Boolean, [None, True, False]),
    "day": (pl.Date, [None, date(2026, 7, 1), date(1969, 12, 31)]),
    "at": (pl.Datetime("us"), [None, datetime(2026, 7, 1), datetime(2026, 7, 1, 10, 30)]),
}
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
ROWS = 24


def joined(*parts: Any) -> Texts:
    """Return texts made of parts, some of which are drawn."""
    drawn = [part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts]
    return st.tuples(*drawn).map(" ".join)


def numbers(depth: int) -> Texts:
    """Return numbers, in the precedence of SQL."""
    leaves = st.sampled_from(["n", "i", "x", "f", "d", "0", "1", "-1", "0.5", "0.1", "2", "1e2"])
    if not depth:
        return leaves
    inner = numbers(depth - 1)
    return st.one_of(
        leaves,
        joined("(", inner, st.sampled_from("+-*/"), inner, ")"),
        joined(st.sampled_from(["ABS(", "FLOOR(", "CEIL(", "ROUND(", "SQRT(", "-("]), inner, ")"),
        joined(st.sampled_from("ni"), "%", st.sampled_from(["2", "-3", "0"])),
        joined("COALESCE(", inner, ",", inner, ")"),
        joined("NULLIF(", inner, ",", inner, ")"),
        joined("CASE WHEN", truths(depth - 1), "THEN", inner, "ELSE", inner, "END"),
        joined("LENGTH(", texts(depth - 1), ")"),
        joined("YEAR(", st.sampled_from(["day", "at"]), ")"),
        st.just("HOUR(at)"),
    )


def texts(depth: int) -> Texts:
    """Return texts."""
    leaves = st.sampled_from(["s", "t", "''", "'a'", "'AB'", "'a%b'"])
    if not depth:
        return leaves
    inner = texts(depth - 1)
    return st.one_of(
        leaves,
        joined(st.sampled_from(["LOWER(", "UPPER(", "TRIM("]), inner, ")"),
        joined("SUBSTRING(", inner, ",", st.sampled_from("123"), ",", st.sampled_from("012"), ")"),
        joined("REPLACE(", inner, ",", st.sampled_from(["'a'", "''", "'%'"]), ", 'x' )"),
        joined("(", inner, "||", inner, ")"),
        joined("CONCAT(", inner, ",", inner, ")"),
        joined("COALESCE(", inner, ",", inner, ")"),
        joined("CASE WHEN", truths(depth - 1), "THEN", inner, "END"),
    )


def truths(depth: int) -> Texts:
    """Return what is true, false or unknown."""
    moments = st.sampled_from(
        ["day", "at", "DATE '2026-07-01'", "TIMESTAMP '2026-07-01 10:30:00'", "DATE(at)"]
    )
    patterns = st.sampled_from(["'a%'", "'%b'", "'%'", "'_'", "'a_b'", "'%a%b%'", "''", "'A%'"])
    below = max(0, depth - 1)
    number, text = numbers(below), texts(below)
    leaves = st.one_of(
        st.sampled_from(["b", "c", "TRUE", "FALSE"]),
        joined(number, st.sampled_from(COMPARISONS), number),
        joined(text, st.sampled_from(COMPARISONS), text),
        joined(moments, st.sampled_from(COMPARISONS), moments),
        joined(number, st.sampled_from(["IN", "NOT IN"]), "(", number, ", 1, 0.5 )"),
        joined(st.sampled_from("st"), st.sampled_from(["IN", "NOT IN"]), "( 'a', 'ab' )"),
        joined(number, st.sampled_from(["BETWEEN", "NOT BETWEEN"]), number, "AND", number),
        joined(text, st.sampled_from(["LIKE", "NOT LIKE", "ILIKE"]), patterns),
        joined(st.one_of(number, text, moments), st.sampled_from(["IS NULL", "IS NOT NULL"])),
        joined(number, st.sampled_from(["IS DISTINCT FROM", "IS NOT DISTINCT FROM"]), number),
    )
    if not depth:
        return leaves
    inner = truths(depth - 1)
    return st.one_of(
        leaves,
        joined("NOT", inner),
        joined("NOT (", inner, ")"),
        joined("(", inner, ")", st.sampled_from(["=", "<>"]), "(", inner, ")"),
        joined("(", inner, ")", st.sampled_from(["IS TRUE", "IS NOT FALSE", "IS NULL"])),
        joined(inner, st.sampled_from(["AND", "OR"]), inner),
        joined(inner, "OR", inner, "AND", inner),
    )


COLUMNS = st.fixed_dictionaries(
    {
        name: st.lists(st.sampled_from(values), min_size=ROWS, max_size=ROWS)
        for name, (_, values) in VALUES.items()
    }
)
often = examples(60, unchecked=[HealthCheck.too_slow, HealthCheck.data_too_large])


def frame_of(columns: dict[str, list[Any]]) -> pl.DataFrame:
    """Return rows with their numbers."""
    drawn = {name: pl.Series(columns[name], dtype=dtype) for name, (dtype, _) in VALUES.items()}
    return pl.DataFrame({"id": range(ROWS), **drawn})


def found(rows: pl.DataFrame, where: str) -> dict[str, list[int] | str]:
    """Return the rows that a condition keeps, by engine."""
    data = Data.model_validate({"path": "nowhere.parquet"})
    frames = {"polars": rows, "duckdb": duckdb.from_arrow(rows.to_arrow())}
    engines = {name: opened(frame, data) for name, frame in frames.items()}
    return {name: kept(engine, where) for name, engine in engines.items()}


@often
@given(columns=COLUMNS, where=truths(2))
def test_random_condition_keeps_the_same_rows(columns: dict[str, list[Any]], where: str) -> None:
    """A random condition keeps the same rows on polars, on DuckDB and in plain Python."""
    rows = frame_of(columns)
    expected = answers(where, rows)
    assert found(rows, where) == {"polars": expected, "duckdb": expected}


FUNCTIONS = """\
NOT( LOWER( LENGTH( ABS( ROUND( LEFT( REPLACE( CONCAT( COALESCE( NULLIF( YEAR( HOUR( DATE(
SUBSTRING( STARTS_WITH( TRIM( SQRT( IF(
"""
TYPES = ["INTEGER", "DOUBLE", "TEXT", "DATE"]


def mixed(inner: Texts) -> Texts:
    """Return calls of anything with anything."""
    signs = st.sampled_from([*COMPARISONS, *"+-*/%", "||", "AND"])
    several = st.lists(inner, max_size=3).map(" , ".join)
    return st.one_of(
        joined("(", inner, signs, inner, ")"),
        joined(st.sampled_from(FUNCTIONS.split()), several, ")"),
        joined(inner, "IN (", inner, ",", inner, ")"),
        joined("CASE WHEN", inner, "THEN", inner, "ELSE", inner, "END"),
        joined("CAST(", inner, "AS", st.sampled_from(TYPES), ")"),
    )


ANYTHING = st.sampled_from([*VALUES, "1", "'a'", "TRUE", "0.5", "DATE '2026-07-01'", "nobody"])


@often
@given(columns=COLUMNS, where=st.recursive(ANYTHING, mixed, max_leaves=8))
def test_condition_of_any_parts_ends_alike(columns: dict[str, list[Any]], where: str) -> None:
    """A condition that mixes kinds is a wrong spec on both engines, or has the same rows."""
    answered = found(frame_of(columns), where)
    assert answered["polars"] == answered["duckdb"]
