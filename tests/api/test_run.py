"""`biaspipe.run`: specs as files and as values, and rows in hand of every library."""

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import biaspipe
from biaspipe import extras

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "hiring",
    "columns": {
        "label": {"column": "able", "positive": True},
        "prediction": {"column": "score", "above": 0.5},
    },
    "facets": {"sex": {"column": "sex", "favored": "m"}},
    "metrics": {"DI": {"min": 0.8}, "DPL": None, "RD": None},
}
ROWS = {
    "id": [1, 2, 3, 4, 5, 6, 7, 8],
    "sex": ["m", "m", "m", "f", "f", "f", "f", None],
    "score": [0.9, 0.7, 0.2, 0.6, 0.1, 0.5, float("nan"), 0.9],
    "able": [True, True, False, True, False, None, True, True],
}
"""Of the three men two score above 0.5 and two are able; of the two women known, one and one."""


def in_polars() -> pl.DataFrame:
    """Return the rows as a frame of polars."""
    return pl.DataFrame(ROWS)


def in_pandas() -> pd.DataFrame:
    """Return the rows as a frame of pandas, in which None and NaN are one."""
    return pd.DataFrame(ROWS)


def in_duckdb() -> object:
    """Return the rows as a relation of DuckDB."""
    table = in_polars().to_arrow()
    return duckdb.connect().from_arrow(table)


FRAMES: dict[str, Callable[[], object]] = {
    "polars": in_polars,
    "polars, lazy": lambda: in_polars().lazy(),
    "pandas": in_pandas,
    "pyarrow": lambda: in_polars().to_arrow(),
    "pyarrow, one batch": lambda: pa.RecordBatch.from_pylist(in_polars().to_dicts()),
    "duckdb": in_duckdb,
}


@pytest.mark.parametrize("library", FRAMES)
def test_rows_in_hand_are_counted(library: str) -> None:
    """Rows of every library give the values and the ledger that their people stand for."""
    report = biaspipe.run(SPEC, data=FRAMES[library]())
    values = {check.metric: check.value for check in report.result.checks}
    assert values == pytest.approx({"DI": 0.75, "DPL": 1 / 6, "RD": 0.0})
    ledger = report.result.data.ledger["sex"]
    assert (ledger.favored, ledger.disfavored, ledger.facet_missing) == (3, 2, 1)
    assert (ledger.label_missing, ledger.prediction_missing) == (1, 1)
    assert [i.path for i in report.result.data.inputs] == ["(frame)"]
    assert report.result.verdict == "fail"


@pytest.mark.parametrize("library", FRAMES)
def test_every_library_gives_the_same_result(library: str) -> None:
    """The result does not tell which library held the rows, with a condition too."""
    spec = {**SPEC, "data": {"path": "rows", "where": "id <> 3 AND sex IS NOT NULL"}}
    report = biaspipe.run(spec, data=FRAMES[library]())
    assert report.result_sha256 == biaspipe.run(spec, data=in_polars()).result_sha256
    assert report.result.data.ledger["sex"].removed_by_where == 2


def test_files_give_the_values_that_rows_in_hand_give(tmp_path: Path) -> None:
    """A spec in a file and one in values give the same numbers, whatever engine reads the file."""
    in_polars().write_parquet(tmp_path / "rows.parquet")
    spec = {**SPEC, "data": {"path": str(tmp_path / "rows.parquet")}}
    file = tmp_path / "hiring.yaml"
    file.write_text(json.dumps({**SPEC, "data": {"path": "rows.parquet"}}), encoding="utf-8")
    reports = [biaspipe.run(file), biaspipe.run(str(file), engine="duckdb"), biaspipe.run(spec)]
    assert [r.result.checks[0].value for r in reports] == [0.75, 0.75, 0.75]
    assert [(r.run.engine or "").partition(" ")[0] for r in reports] == [
        "polars",
        "duckdb",
        "polars",
    ]


def test_joined_tables_are_read_beside_rows_in_hand(tmp_path: Path) -> None:
    """A frame of polars is joined with the files that the spec names."""
    people = pl.DataFrame({"id": [1, 2, 3, 4, 5], "sex": ["m", "m", "m", "f", "f"]})
    people.write_csv(tmp_path / "people.csv")
    join = [{"path": str(tmp_path / "people.csv"), "on": "id"}]
    spec = {**SPEC, "data": {"path": "rows", "join": join}}
    report = biaspipe.run(spec, data=in_polars().drop("sex"))
    assert report.result.checks[0].value == 0.75
    assert [join.unmatched for join in report.result.data.joins or ()] == [3]


def test_a_selection_runs_its_checks_alone() -> None:
    """Only the selected metric is computed, and what selected it is recorded."""
    report = biaspipe.run(SPEC, data=in_polars(), select="RD", as_of=date(2026, 1, 2))
    assert [check.metric for check in report.result.checks] == ["RD"]
    assert (report.run.select, report.run.as_of) == (("RD",), "2026-01-02")


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no frame": ({"data": [1, 2]}, "data is no frame: list"),
    "the name of a file": (
        {"data": "rows.csv"},
        r"data is no frame: str\n  hint: a file is named by the spec, as data: \{path: \.\.\.\}",
    ),
    "an engine for rows in hand": (
        {"data": in_polars(), "engine": "duckdb"},
        "a frame is counted where it is, so duckdb does nothing here",
    ),
    "no such selection": (
        {"data": in_polars(), "select": ["KL"]},
        r"no check of \(spec\) is selected by KL",
    ),
    "a name among others that selects nothing": (
        {"data": in_polars(), "select": ["DI", "KL"]},
        r"no check of \(spec\) is selected by KL",
    ),
    "names that select nothing together": (
        {
            "data": in_polars(),
            "select": ["DI", "id"],
            "spec": {
                **SPEC,
                "facets": {**SPEC["facets"], "id": {"column": "id", "favored": 1}},
                "metrics": {"DI": {"min": 0.8, "facets": ["sex"]}, "DPL": None},
            },
        },
        r"no check of \(spec\) is selected by DI and id",
    ),
    "a name of nothing": (
        {"data": in_polars(), "select": "DPI"},
        r"^select DPI: no tag, metric or facet.*\n  hint: did you mean 'DI'",
    ),
    "a selection that is no list": (
        {"data": in_polars(), "select": 3},
        r"select is no list of names\n  hint: expected one such as \[\"DI\", \"sex\"\]",
    ),
    "no frame for a spec that was written for one": (
        {"spec": {**SPEC, "data": {"path": "(frame)"}}},
        r"the spec was written for a frame .*\n  hint: biaspipe.run\(spec, data=frame\)",
    ),
    "a selection of nothing": (
        {"data": in_polars(), "select": []},
        r"select is empty\n  hint: None, or leaving it out, runs every check",
    ),
    "a selection of other things": (
        {"data": in_polars(), "select": [None]},
        "select is no list of names",
    ),
    "a day in words": (
        {"data": in_polars(), "as_of": "2026-01-01"},
        r"as_of is a str; expected a datetime.date",
    ),
    "a day with a time": (
        {"data": in_polars(), "as_of": datetime(2026, 1, 1, 12, 0)},
        r"as_of is a datetime; expected a datetime.date",
    ),
    "waivers in words": (
        {"data": in_polars(), "waivers": "no"},
        "waivers is 'no'; expected True or False",
    ),
    "a policy that is no path": ({"data": in_polars(), "policy": 3}, "policy is a int; expected"),
    "an engine that there is not": (
        {"engine": "polar", "spec": {**SPEC, "data": {"path": "a.csv"}}},
        r"there is no engine 'polar'; it is 'polars', 'duckdb', 'spark'\n  hint: did you mean",
    ),
    "a spec that is neither a path nor values": (
        {"data": in_polars(), "spec": 3},
        "spec is neither a path nor a mapping: int",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_are_refused_in_words(case: str) -> None:
    """What the call gets wrong is said as an error of biaspipe."""
    given, words = WRONG[case]
    with pytest.raises(biaspipe.UsageError, match=words):
        biaspipe.run(given.pop("spec", SPEC), **given)


def test_faults_of_a_spec_in_values_name_the_key() -> None:
    """A fault is placed by the key that it stands behind, since nobody can look up a line."""
    wrong = {**SPEC, "facets": {"sex": {"column": "sex", "favoured": "m"}}}
    with pytest.raises(biaspipe.SpecError) as raised:
        biaspipe.run(wrong, data=in_polars())
    assert str(raised.value).splitlines() == [
        "(spec): facets.sex.favoured: unknown key 'favoured' in facets.sex",
        "  expected: one of column, groups, cross, favored, disfavored, compare, others, metrics",
        "  hint: did you mean 'favored'?",
    ]


def test_several_faults_of_a_spec_in_values_are_told_at_once() -> None:
    """Each fault is named once by its key, in the words that a file's are told in."""
    wrong = {**SPEC, "metrics": {"DI": {"min": "low"}, "DX": None}}
    with pytest.raises(biaspipe.SpecError) as raised:
        biaspipe.run(wrong, data=in_polars())
    assert str(raised.value).splitlines() == [
        "(spec): metrics.DI.min: this value is of the wrong kind",
        "  expected: a number",
        "  found: 'low'",
        "",
        "(spec): metrics.DX: unknown metric 'DX' in metrics",
        "  hint: `biaspipe explain` lists all metrics",
    ]


def test_faults_of_the_data_name_the_key() -> None:
    """What only the data shows to be wrong is placed by its key, too."""
    wrong = {**SPEC, "facets": {"sex": {"column": "sex", "favored": "men"}}}
    with pytest.raises(biaspipe.SpecError, match=r"^\(spec\): facets\.sex\.favored: "):
        biaspipe.run(wrong, data=in_polars())


def test_checks_of_values_are_cited_by_their_key() -> None:
    """A note on a check stands at the key that asks for it, of a file at its line."""
    facet = {"column": "sex", "favored": "m", "metrics": {"DPL": {"max_abs": 0.9}}}
    report = biaspipe.run({**SPEC, "facets": {"sex": facet}}, data=in_polars())
    keys = {check.metric: check.spec_key for check in report.checks()}
    assert keys == {"DI": "metrics.DI", "DPL": "facets.sex.metrics.DPL", "RD": "metrics.RD"}


def test_values_of_python_and_numpy_are_those_of_yaml() -> None:
    """A day, and numbers that NumPy hands out, stand in a spec for what they say."""
    waiver = {"metric": "DI", "reason": "x", "approved_by": "y", "expires": date(2099, 3, 31)}
    limit = {"DI": {"min": np.float64(0.8)}, "DPL": {"max_abs": np.float32(0.5)}}
    label = {"column": "able", "positive": np.bool_(True)}
    columns = {**SPEC["columns"], "label": label}
    spec = {**SPEC, "columns": columns, "metrics": limit, "waivers": [waiver]}
    report = biaspipe.run(spec, data=in_polars())
    assert report.result.waivers[0].expires == "2099-03-31"
    assert report.verdict == "waived"


LOOP: list[Any] = []
LOOP.append(LOOP)
NOT_IN_A_SPEC: dict[str, tuple[object, str]] = {
    "a day with a time": (datetime(2026, 1, 1), "is a datetime, which no spec can hold"),
    "one of pandas": (pd.Timestamp("2026-01-01"), "is a Timestamp, which no spec can hold"),
    "one of NumPy": (np.datetime64("2026-01-01", "ns"), "is a datetime64, which no spec can hold"),
    "a decimal number": (Decimal("0.5"), "is a Decimal, which no spec can hold"),
    "an array": (np.array([1]), "is a ndarray, which no spec can hold"),
    "a set": ({1}, "is a set, which no spec can hold"),
    "bytes": (b"x", "is a bytes, which no spec can hold"),
    "an object": (object(), "is a object, which no spec can hold"),
    "half of a character": ("a\ud800", "holds half of a character"),
    "half of one in a key": ({"a\ud800": 1}, "holds half of a character"),
    "a key that is no text": ({(1, 2): 3}, "has a key that is a tuple"),
    "a number too large": (10**400, "is too large a number"),
    "one of thousands of digits": (10**5000, "is too large a number"),
    "no number": (float("nan"), "is nan, which is no number"),
    "no number of NumPy": (np.float32("inf"), "is inf, which is no number"),
    "a list in itself": (LOOP, "at.0 stands inside of itself"),
}


@pytest.mark.parametrize("case", NOT_IN_A_SPEC)
def test_values_that_no_spec_can_hold_are_named_by_their_key(case: str) -> None:
    """What a file could not say is a fault of the spec, at the key that it stands behind."""
    value, words = NOT_IN_A_SPEC[case]
    with pytest.raises(biaspipe.SpecError) as raised:
        biaspipe.run({**SPEC, "model": {"trained": {"at": value}}}, data=in_polars())
    assert str(raised.value).startswith("(spec): model.trained.at")
    assert words in str(raised.value)


def test_every_value_that_no_spec_can_hold_is_told_with_what_to_write() -> None:
    """Several are told at once, each with what could stand there."""
    model = {"threshold": Decimal("0.5"), "groups": [{"m"}]}
    with pytest.raises(biaspipe.SpecError) as raised:
        biaspipe.run({**SPEC, "model": model}, data=in_polars())
    either = "a text, a number, True, False, None, a datetime.date, a list or a mapping"
    assert str(raised.value).splitlines() == [
        "(spec): model.threshold is a Decimal, which no spec can hold",
        f"  expected: {either}",
        "  hint: a number, as float(...) makes one",
        "",
        "(spec): model.groups.0 is a set, which no spec can hold",
        f"  expected: {either}",
        "  hint: a list, as sorted(...) makes one",
    ]


def test_rows_of_a_frame_without_any_are_no_pass() -> None:
    """A frame with no rows is an error of the data, and never a report."""
    with pytest.raises(biaspipe.DataError, match="no rows"):
        biaspipe.run(SPEC, data=in_polars().clear())


def test_columns_that_pandas_holds_twice_are_refused() -> None:
    """Two columns of one name cannot be told apart."""
    twice = pd.concat([in_pandas(), in_pandas()[["sex"]]], axis=1)
    with pytest.raises(biaspipe.DataError, match="there are two columns 'sex'"):
        biaspipe.run(SPEC, data=twice)


def test_columns_of_several_types_are_refused() -> None:
    """A column of pandas that holds numbers and texts is named by the error."""
    mixed = in_pandas().assign(score=[0.9, "high", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    with pytest.raises(
        biaspipe.DataError, match="column 'score' cannot be read as values of one type"
    ):
        biaspipe.run(SPEC, data=mixed)


def test_a_relation_is_not_joined() -> None:
    """A relation of DuckDB is not joined with files behind its back."""
    spec = {**SPEC, "data": {"path": "rows", "join": [{"path": "people.csv", "on": "id"}]}}
    with pytest.raises(biaspipe.SpecError, match="join it before the audit"):
        biaspipe.run(spec, data=in_duckdb())


def test_a_missing_library_names_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra that is not installed is named with the command that installs it."""

    def absent(name: str) -> None:
        raise ImportError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(biaspipe.UsageError, match=r"pip install 'biaspipe\[duckdb\]'"):
        biaspipe.run({**SPEC, "data": {"path": "rows.parquet"}}, engine="duckdb")


def test_rows_in_hand_need_no_path() -> None:
    """A spec in values may ask for something of the rows without naming a file."""
    data = {"where": "id <> 1", "expect": {"rows": {"min": 8}}}
    report = biaspipe.run({**SPEC, "data": data}, data=in_polars())
    assert report.result.data.ledger["sex"].removed_by_where == 1
    assert [record.path for record in report.result.data.inputs] == ["(frame)"]
    with pytest.raises(biaspipe.DataError, match="rows"):
        biaspipe.run({**SPEC, "data": {"expect": {"rows": {"min": 9}}}}, data=in_polars())
    with pytest.raises(biaspipe.SpecError, match="data"):
        biaspipe.run({**SPEC, "data": None}, data=in_polars())
