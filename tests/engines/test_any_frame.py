"""Whatever a frame holds and is called, it is counted or refused in words."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from math import isfinite
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import biaspipe
from tests.examples import examples

Make = Callable[[Sequence[int]], Any]
"""Makes a column of the values at some positions, of which -1 is missing where that can be."""

NAMES = ("p", "g", "", " ", "a b", "ü", "*", "^x$", "a.b", "[0]", '"', "'", "1", "two\nlines")
OWN_NAMES = ("__id__", "__kept__", "__joined_0__", "rows", "n", "key0", "value0", "packed", "len")
DAY, NOON = date(2026, 1, 2), datetime(2026, 1, 2, 12)
VALUES: dict[str, Sequence[Any]] = {
    "whole": (0, 1, -1),
    "large": (2**62, -(2**63), 1),
    "floats": (0.5, 1.0, float("nan"), float("inf"), -0.0),
    "text": ("a", "1", "", "NA", " a", "\0", "é"),
    "truth": (True, False),
    "dates": (DAY, date(1, 1, 1), date(9999, 12, 31)),
    "times": (NOON, datetime(1900, 1, 1)),
    "zoned": (NOON.replace(tzinfo=UTC), NOON.replace(tzinfo=UTC) + timedelta(1)),
    "decimals": (Decimal("1.50"), Decimal(1), Decimal("-0.01")),
    "bytes": (b"a", b"\xff"),
    "clock": (time(1), time(23, 59)),
    "durations": (timedelta(1), timedelta(seconds=-1)),
    "lists": ([1], [], [None]),
    "structs": ({"a": 1}, {"a": None}),
    "nothing": (None,),
}

UNKNOWN = ("decimals of 256 bits", "halves")
"""Columns of PyArrow that DuckDB does not know."""


def picked(values: Sequence[Any]) -> Make:
    """Return what makes a list of values."""
    return lambda at: [None if i < 0 else values[i % len(values)] for i in at]


def made(values: Sequence[Any], into: Callable[[list[Any]], Any]) -> Make:
    """Return what makes a column of values."""
    return lambda at: into(picked(values)(at))


def in_pandas() -> dict[str, Make]:
    """Return what makes the columns that pandas can hold."""
    columns = {
        name: made(values, lambda held: pd.Series(held, dtype=object))
        for name, values in VALUES.items()
    }
    columns |= {f"guessed {name}": made(values, pd.Series) for name, values in VALUES.items()}
    categories = {name: VALUES[name] for name in ("whole", "floats", "text", "dates", "truth")}
    columns |= {
        f"categories of {name}": made(values, lambda held: pd.Series(held).astype("category"))
        for name, values in categories.items()
    }
    bins = [pd.Interval(0, 1), pd.Interval(1, 2.5), None]
    months = [pd.Period("2026-01"), pd.Period("2026-02"), pd.NaT]
    mixed = ["a", 1, 2.5, True, DAY, None, pd.NA, np.nan, {1}, object(), 10**40, 1j]
    return columns | {
        "bins": made(bins, pd.Series),
        "categories of bins": made(bins, lambda held: pd.Series(held).astype("category")),
        "months": made(months, pd.Series),
        "mixed": made(mixed, lambda held: pd.Series(held, dtype=object)),
        "complex": made([1j, 2.0], lambda held: pd.Series(held, dtype="complex128")),
        "sparse": made([0, 1], lambda held: pd.Series(held, dtype="Sparse[float64]")),
        "nullable": made([0, 1], lambda held: pd.Series(held, dtype="Int64")),
        "offset": lambda at: pd.Series(
            [NOON.replace(tzinfo=timezone(timedelta(hours=2)))] * len(at)
        ),
    }


def in_polars() -> dict[str, Make]:
    """Return what makes the columns that polars can hold."""
    columns = {
        name: made(values, lambda held: pl.Series(held, strict=False))
        for name, values in VALUES.items()
    }
    types: dict[str, tuple[Sequence[Any], Any]] = {
        "short": (VALUES["whole"], pl.Int8),
        "unsigned": ([0, 1, 2**64 - 1], pl.UInt64),
        "longest": ([2**126, 1], pl.Int128),
        "float32": ([0.1, 1.0, float("nan")], pl.Float32),
        "categories": (VALUES["text"], pl.Categorical),
        "enum": (["a", "b"], pl.Enum(["a", "b", "c"])),
        "objects": ([object(), 1], pl.Object),
        "arrays": ([[1, 2], [3, 4]], pl.Array(pl.Int64, 2)),
        "decimals of 38 digits": ([Decimal(10**37), Decimal(1)], pl.Decimal(38, 0)),
        "days": ([DAY, date(1, 1, 1)], pl.Date),
        "nanoseconds": ([NOON, datetime(1900, 1, 1)], pl.Datetime("ns")),
    }
    return columns | {name: _typed(values, dtype) for name, (values, dtype) in types.items()}


def _typed(values: Sequence[Any], dtype: Any) -> Make:
    return made(values, lambda held: pl.Series(held, dtype=dtype))


def in_arrow() -> dict[str, Make]:
    """Return what makes the columns that PyArrow can hold."""
    columns = {name: made(values, pa.array) for name, values in VALUES.items()}
    types: dict[str, tuple[Sequence[Any], pa.DataType]] = {
        "views": (["a", "b"], pa.string_view()),
        "large text": (["a", "b"], pa.large_string()),
        "seconds": ([0, 2**33], pa.timestamp("s")),
        "days": ([0, 2**31 - 1], pa.date32()),
        "milliseconds": ([0, 2**62], pa.timestamp("ms")),
        "decimals of 256 bits": ([Decimal("1.5")], pa.decimal256(70, 2)),
        "halves": ([np.float16(0.5)], pa.float16()),
        "maps": ([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
        "bits": ([True, False], pa.bool_()),
        "lists as views": ([[1], []], pa.list_view(pa.int8())),
    }
    columns |= {name: _arrow(values, dtype) for name, (values, dtype) in types.items()}
    columns["dictionary"] = lambda at: pa.array(picked(["a", "b"])(at)).dictionary_encode()
    return columns


def _arrow(values: Sequence[Any], dtype: pa.DataType) -> Make:
    return made(values, lambda held: pa.array(held, dtype))


LIBRARIES: dict[str, tuple[dict[str, Make], Callable[[list[str], list[Any]], Any]]] = {
    "pandas": (
        in_pandas(),
        lambda names, columns: pd.concat(columns, axis=1, keys=names).set_axis(names, axis=1),
    ),
    "polars": (
        in_polars(),
        lambda names, columns: pl.DataFrame(dict(zip(names, columns, strict=True))),
    ),
    "pyarrow": (in_arrow(), lambda names, columns: pa.table(columns, names=names)),
    "duckdb": (
        {name: make for name, make in in_arrow().items() if name not in UNKNOWN},
        lambda names, columns: duckdb.connect().from_arrow(pa.table(columns, names=names)),
    ),
}


class Framed(NamedTuple):
    """A frame as it is made, and the spec that asks of it."""

    library: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    positions: tuple[tuple[int, ...], ...]
    spec: dict[str, Any]

    def made(self) -> tuple[Any, dict[str, Any]]:
        """Make the frame, and a spec whose positions stand for the values there."""
        makers, joined = LIBRARIES[self.library]
        columns = [makers[k](at) for k, at in zip(self.kinds, self.positions, strict=True)]
        held = dict(zip(self.names, columns, strict=True))
        spec = deepcopy(self.spec)
        for part, key in ((spec["columns"], "label"), (spec["columns"], "prediction")):
            if "positive" in part.get(key, {}):
                part[key]["positive"] = _written(held[part[key]["column"]], part[key]["positive"])
        facet = spec["facets"]["group"]
        if "favored" in facet:
            facet["favored"] = _written(held[facet["column"]], facet["favored"])
        return joined(list(self.names), columns), spec


def _written(column: Any, place: int) -> Any:
    """Return the value at a position as a spec names it."""
    value: object = 1
    with suppress(ValueError, OverflowError, ZeroDivisionError):
        at = place % len(column)
        value = column[at].as_py() if isinstance(column, pa.Array) else column[at]
    if isinstance(value, float):
        return value if isfinite(value) else 1
    if isinstance(value, str | int):
        return value
    named = (date, Decimal, pd.Interval, pd.Period)
    return str(value) if isinstance(value, named) and value is not pd.NaT else 1


@st.composite
def framed(draw: st.DrawFn) -> Framed:
    """Draw columns with their names, and a spec that asks for some of them."""
    library = draw(st.sampled_from(sorted(LIBRARIES)))
    number, rows = draw(st.integers(1, 4)), draw(st.sampled_from((0, 1, 4, 8, 12, 12)))
    names = draw(st.lists(st.sampled_from((*NAMES, *OWN_NAMES)), min_size=number, max_size=number))
    if library in ("polars", "duckdb") or draw(st.integers(0, 9)):
        names = list(dict.fromkeys(names))
    kinds = [draw(st.sampled_from(sorted(LIBRARIES[library][0]))) for _ in names]
    row = st.tuples(*[st.sampled_from((0, 0, 1, 1, 2, 3, -1))] * rows)
    spec = draw(specs(names))
    return Framed(library, tuple(names), tuple(kinds), tuple(draw(row) for _ in names), spec)


@st.composite
def specs(draw: st.DrawFn, names: Sequence[str]) -> dict[str, Any]:
    """Draw a spec on columns with these names."""
    column = st.sampled_from(names)
    place = st.integers(0, 11)
    outcome = st.fixed_dictionaries({"column": column, "positive": place})
    above = st.fixed_dictionaries({"column": column, "above": st.sampled_from((0, 0.5))})
    columns: dict[str, Any] = {"prediction": draw(st.one_of(outcome, outcome, above))}
    facet: dict[str, Any] = {"column": draw(column)}
    features: st.SearchStrategy[Any] = st.just({"exclude": []}) | st.lists(
        column, min_size=1, max_size=2
    )
    more = {"label": outcome, "weight": column, "strata": st.tuples(column), "features": features}
    for key, value in more.items():
        if not draw(st.integers(0, 5)):
            columns[key] = draw(value)
    if draw(st.booleans()):
        facet["favored"] = draw(place)
    metrics = {"all": None, "DPPL": {"max_abs": 0.9}}
    head = {"version": 1, "name": "any", "columns": columns}
    return {**head, "facets": {"group": facet}, "metrics": metrics}


def is_counted_or_refused(case: Framed) -> None:
    """Check that an audit of a frame gives a report that accounts for every row, or an error."""
    frame, spec = case.made()
    try:
        report = biaspipe.run(spec, data=frame)
    except biaspipe.BiaspipeError:
        return
    data = report.result.data
    assert data.rows == len(case.positions[0])
    assert sum(data.ledger["group"].model_dump().values()) == data.rows


@examples(120)
@given(framed())
def test_any_frame(case: Framed) -> None:
    """Columns of any type and name are counted or refused, and every row is accounted for."""
    is_counted_or_refused(case)
