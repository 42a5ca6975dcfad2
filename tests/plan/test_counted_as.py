"""What was counted as what: every value of label, prediction and facets, on its side."""

from collections import Counter
from collections.abc import Mapping
from math import inf, nan
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from biaspipe.engines import counting
from biaspipe.errors import SpecError
from biaspipe.pipeline import Options, run
from biaspipe.report import CountedAsRecord, Result
from biaspipe.spec import EngineName
from tests.engines.builders import WAYS, audited, count_as_large, prepare, write
from tests.examples import examples, some

ENGINES: tuple[EngineName, ...] = ("polars", "duckdb")
on_every_engine = pytest.mark.parametrize("engine", ENGINES)
in_every_way = pytest.mark.parametrize("way", some(WAYS))

Side = tuple[str, int, dict[str, int] | str]


def sides(column: CountedAsRecord) -> list[Side]:
    """Return each side of a column: its name, its rows, and its values or its range."""
    told: list[Side] = []
    for side in column.sides:
        values = {v.value: v.rows for v in side.values or ()}
        ends = f"{side.least} to {side.greatest}" if side.least else ""
        told.append((side.side, side.rows, ends or values))
    return told


def counted(result: Result) -> dict[str, list[Side]]:
    """Return the sides of label, prediction and every facet by its name."""
    return {c.facet or c.role: sides(c) for c in result.data.counted_as or ()}


def on(engine: EngineName, folder: Path, rows: str | pl.DataFrame, **parts: Any) -> Result:
    """Run an audit of these rows with an engine."""
    name = "data.csv" if isinstance(rows, str) else "data.parquet"
    write(folder / name, rows)
    parts["data"] = {"path": name, **parts.get("data", {})}
    return run(prepare(folder, **parts), Options(engine=engine)).result


def table(header: str, **times: int) -> str:
    """Return a text table: each line so many times; `_` stands for a comma."""
    rows = [line.replace("_", ",") for line, n in times.items() for _ in range(n)]
    return "\n".join([header, *rows]) + "\n"


ROWS = table("sex,label,score,age", m_yes_9_18=3, m_no_1_25=2, f_yes_4_70=1, f__2_25=2, x_no_5_30=1)
COLUMNS = {
    "label": {"column": "label", "positive": "yes"},
    "prediction": {"column": "score", "above": 4},
}
FACETS = {
    "sex": {"column": "sex", "favored": "m", "disfavored": "f"},
    "age": {"column": "age", "groups": {"young": {"below": 25}, "old": {"at_least": 60}}},
    "every": {"column": "sex"},
    "both": {"cross": ["sex", "age"]},
}


@on_every_engine
def test_every_value_has_its_side(engine: EngineName, tmp_path: Path) -> None:
    """Values and ranges stand on the side that they were counted on, with all their rows."""
    result = on(engine, tmp_path, ROWS, columns=COLUMNS, facets=FACETS)
    assert counted(result) == {
        "label": [("positive", 4, {"yes": 4}), ("negative", 3, {"no": 3}), ("missing", 2, {})],
        "prediction": [("positive", 4, "5 to 9"), ("negative", 5, "1 to 4")],
        "sex": [
            ("favored", 5, {"m": 5}),
            ("disfavored", 3, {"f": 3}),
            ("not compared", 1, {"x": 1}),
        ],
        "age": [("young", 3, "18 to 18"), ("old", 1, "70 to 70"), ("in no group", 5, "25 to 30")],
        "every": [("compared", 9, {"m": 5, "f": 3, "x": 1})],
    }
    age = next(c for c in result.data.counted_as or () if c.facet == "age")
    assert [(v.value, v.rows) for v in age.sides[2].values or ()] == [("25", 4), ("30", 1)]


@on_every_engine
def test_only_rows_that_count_have_a_side(engine: EngineName, tmp_path: Path) -> None:
    """Rows that `where` removes are on no side."""
    data = {"where": "score > 1"}
    found = counted(on(engine, tmp_path, ROWS, columns=COLUMNS, facets=FACETS, data=data))
    assert found["label"][1] == ("negative", 1, {"no": 1})
    assert found["prediction"][1] == ("negative", 3, "2 to 4")


@on_every_engine
def test_categories_are_told_apart_by_side(engine: EngineName, tmp_path: Path) -> None:
    """Where a metric counts the categories of a label, they stand on their sides all the same."""
    rows = table("sex,label", m_good=3, m_bad=1, f_fair=2, f_bad=1)
    label = {"label": {"column": "label", "positive": ["good", "fair"]}}
    result = on(engine, tmp_path, rows, columns=label, metrics={"KL": None})
    expected = [("positive", 5, {"good": 3, "fair": 2}), ("negative", 2, {"bad": 2})]
    assert counted(result)["label"] == expected


@on_every_engine
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_range_is_of_numbers(engine: EngineName, dtype: type[pl.DataType], tmp_path: Path) -> None:
    """NaN is missing and belongs to no range; infinity does, and short floats are as written."""
    score = pl.Series([0.1, 0.7, nan, None, inf, -inf], dtype=dtype)
    rows = pl.DataFrame({"sex": [*"mfmfmf"], "score": score})
    prediction = {"prediction": {"column": "score", "above": 0.5}}
    result = on(engine, tmp_path, rows, columns=prediction, metrics={"DPPL": None})
    assert counted(result)["prediction"] == [
        ("positive", 2, "0.7 to inf"),
        ("negative", 2, "-inf to 0.1"),
        ("missing", 2, {}),
    ]


def test_many_values_are_counted_and_the_commonest_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many values the twenty commonest are listed, and it is said how many more there are."""
    frame = pl.DataFrame(
        {"sex": ["m", "f"] * 40, "label": ["yes"] * 10 + [f"no {i % 31:02}" for i in range(70)]}
    )
    monkeypatch.setattr(counting, "MAX_LISTED", 25)
    label = {"label": {"column": "label", "positive": "yes"}}
    (record, *_) = audited(tmp_path, frame, columns=label).data.counted_as or ()
    negative = record.sides[1]
    assert (negative.rows, negative.others) == (70, 11)
    assert [v.rows for v in negative.values or ()] == [3] * 8 + [2] * 12
    assert [v.value for v in negative.values or ()][:9] == [
        *(f"no {i:02}" for i in range(8)),
        "no 08",
    ]


Person = tuple[str | None, str | None, float | None]
LABELS = ["yes", "no", "NO", "?", "", None, "maybe", "never"]
PEOPLE = st.tuples(
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from(LABELS),
    st.sampled_from([0.25, 0.5, 0.75, None]),
)


def by_hand(people: list[Person]) -> Mapping[str, Counter[str]]:
    """Count the labels of people by side."""
    found = {"positive": Counter[str](), "negative": Counter[str]()}
    for _, label, _ in people:
        if label is not None:
            found["positive" if label == "yes" else "negative"][label] += 1
    return found


@in_every_way
@examples(20, unchecked=[HealthCheck.function_scoped_fixture])
@given(drawn=st.lists(PEOPLE, max_size=30))
def test_sides_equal_a_slow_count(
    way: str, drawn: list[Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the engine counts, each value has the rows of a count by hand."""
    count_as_large(monkeypatch, way)
    people = [("a", "yes", 0.75), ("b", "no", 0.25), *drawn]
    frame = pl.DataFrame(people, schema=["team", "label", "score"], orient="row")
    columns = {
        "label": {"column": "label", "positive": "yes"},
        "prediction": {"column": "score", "above": 0.5},
    }
    facets = {"team": {"column": "team"}, "two": {"column": "team", "groups": {"x": "a", "y": "b"}}}
    result = audited(tmp_path, frame, columns=columns, facets=facets, metrics={"CI": None})
    (label, prediction, team, two) = result.data.counted_as or ()
    found = {s.side: {v.value: v.rows for v in s.values or ()} for s in label.sides}
    assert {k: v for k, v in found.items() if v} == {k: dict(v) for k, v in by_hand(people).items()}
    rows = {side.side: side.rows for side in prediction.sides}
    assert rows.get("missing", 0) == sum(score is None for *_, score in people)
    for column in (label, prediction, team, two):
        assert sum(side.rows for side in column.sides) == len(people)


# What people mean and do not write.

NOTE = "differs from {!r} only by case, blanks, punctuation or the spelling of a number"


def notes(folder: Path, named: object, *others: str) -> list[str]:
    """Return the notes on a label of which the spec names a value, beside others."""
    values = [str(named), *others]
    rows = "".join(f'{sex},"{value}"\n' for sex in "mf" for value in values)
    label = {"label": {"column": "label", "positive": named}}
    result = audited(folder, f"sex,label\n{rows}", columns=label, metrics={"CI": None})
    return list((result.data.counted_as or ())[0].notes)


@pytest.mark.parametrize(
    ("named", "other"),
    [
        *(("yes", "Yes"), ("yes", " yes"), ("yes", "yes "), (">50K", ">50K.")),
        *(("self-employed", "Self employed"), ("e-mail", "email"), ("don't", "dont")),
        *(("a", "(A)"), ("1.5x", "1,5x"), ("no. 1", "No 1")),
    ],
)
def test_value_spelled_otherwise_has_a_note(named: str, other: str, tmp_path: Path) -> None:
    """A value that differs from a named one in case, blanks or punctuation has a note."""
    assert notes(tmp_path, named, other, "zzz") == [
        f"{other!r} (2 rows, negative) {NOTE.format(named)}"
    ]


@pytest.mark.parametrize(
    ("named", "other"),
    [(">50K", "<=50K"), ("A+", "A"), ("0-25", "025"), ("yes", "no"), ("1-2", "12"), ("é", "e")],
)
def test_other_value_has_no_note(named: str, other: str, tmp_path: Path) -> None:
    """A value that means something else has no note."""
    assert notes(tmp_path, named, other) == []


def test_number_spelled_otherwise_has_a_note(tmp_path: Path) -> None:
    """In a column of texts a number in another spelling has a note."""
    frame = pl.DataFrame({"sex": [*"mfmf"], "label": ["1", "01", "1e0", "2"]})
    result = audited(tmp_path, frame, columns={"label": {"column": "label", "positive": "1"}})
    (label, *_) = result.data.counted_as or ()
    assert label.notes == tuple(
        f"{v!r} (1 row, negative) {NOTE.format('1')}" for v in ("01", "1e0")
    )


def test_group_spelled_otherwise_has_a_note(tmp_path: Path) -> None:
    """Two groups of a facet that differ in spelling only have a note, named or not."""
    frame = pl.DataFrame({"sex": ["m", "F", "f ", "f ", "M"], "label": [1, 0, 1, 0, 1]})
    facets = {"sex": {"column": "sex", "favored": "m"}}
    (_, sex) = audited(tmp_path, frame, facets=facets).data.counted_as or ()
    assert sex.notes == (
        f"'F' (1 row, disfavored) {NOTE.format('f ')}",
        f"'M' (1 row, disfavored) {NOTE.format('m')}",
    )


@pytest.mark.parametrize("marker", ["NA", "n/a", "null", "None", "-", "?", "  ", "NaN ", "#N/A"])
def test_marker_of_a_missing_value_has_a_warning(marker: str, tmp_path: Path) -> None:
    """A value that looks like a missing one and was counted is named in a warning."""
    frame = pl.DataFrame({"sex": ["m", "f", marker, marker], "label": ["yes", "no", marker, "no"]})
    label = {"label": {"column": "label", "positive": "yes"}}
    (found, sex) = audited(tmp_path, frame, columns=label).data.counted_as or ()
    words = f"{marker!r} ({{}}) looks like a missing value and was counted as {{}}"
    assert found.warnings == (words.format("1 row", "negative"),)
    assert sex.warnings == (words.format("2 rows", "a value of sex"),)


def test_marker_that_the_spec_names_has_no_warning(tmp_path: Path) -> None:
    """A value that the spec names is meant, whatever it looks like."""
    frame = pl.DataFrame({"sex": ["m", "f", "?"], "label": ["yes", "none", "yes"]})
    label = {"label": {"column": "label", "positive": "yes", "negative": "none"}}
    facets = {"sex": {"column": "sex", "favored": "m", "disfavored": ["f", "?"]}}
    found = audited(tmp_path, frame, columns=label, facets=facets).data.counted_as or ()
    assert [column.warnings for column in found] == [(), ()]


def test_outcome_of_one_kind_is_noted(tmp_path: Path) -> None:
    """An outcome that is the same for everybody has a note."""
    frame = pl.DataFrame({"sex": ["m", "f"], "label": ["yes", "yes"]})
    label = {"label": {"column": "label", "positive": "yes"}}
    (found, _) = audited(tmp_path, frame, columns=label).data.counted_as or ()
    assert found.notes == ("the share with 'label = yes' is 100%",)


# Sets that are closed.


def refused(engine: EngineName, folder: Path, rows: str | pl.DataFrame, **parts: Any) -> list[str]:
    """Return the faults of a spec that these rows do not fit."""
    with pytest.raises(SpecError) as caught:
        on(engine, folder, rows, **parts)
    return [f"{'.'.join(map(str, f.loc))}: {f.message}" for f in caught.value.faults]


@on_every_engine
@in_every_way
def test_third_outcome_is_refused(
    engine: EngineName, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that is neither positive nor negative is an error that names it and its rows."""
    count_as_large(monkeypatch, way)
    rows = table("sex,label", m_yes=3, f_no=3, f_NO=1, m_maybe=2, m_=4)
    label = {"label": {"column": "label", "positive": "yes", "negative": "no"}}
    words = "3 rows of column 'label' are neither positive nor negative: 'maybe', 'NO'"
    assert refused(engine, tmp_path, rows, columns=label) == [f"columns.label.negative: {words}"]


@on_every_engine
def test_closed_set_of_numbers_is_compared_as_numbers(engine: EngineName, tmp_path: Path) -> None:
    """Negative values are compared as the column's own type, and missing ones are none."""
    rows = table("sex,label", m_1=3, f_0=3, m_=1)
    label = {"label": {"column": "label", "positive": "1", "negative": "0.0"}}
    assert counted(on(engine, tmp_path, rows, columns=label))["label"] == [
        ("positive", 3, {"1": 3}),
        ("negative", 3, {"0": 3}),
        ("missing", 1, {}),
    ]


@on_every_engine
def test_negative_has_to_occur(engine: EngineName, tmp_path: Path) -> None:
    """A negative value that no row holds is an error, unless the outcome may be constant."""
    rows = table("sex,label", m_yes=3, f_yes=3)
    label = {"column": "label", "positive": "yes", "negative": "no"}
    assert refused(engine, tmp_path, rows, columns={"label": label}) == [
        "columns.label.negative: 'no' does not occur in column 'label'"
    ]
    columns = {"label": {**label, "constant": "allowed"}}
    assert counted(on(engine, tmp_path, rows, columns=columns))["label"] == [
        ("positive", 6, {"yes": 6})
    ]


@on_every_engine
@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        ({"above": 50}, "no row meets score > 50"),
        ({"below": 50}, "every row meets score < 50"),
        ({"at_least": 0.1, "at_most": 0.9}, "every row meets 0.1 <= score <= 0.9"),
    ],
)
@pytest.mark.parametrize("role", ["label", "prediction"])
def test_threshold_has_to_divide(
    engine: EngineName, threshold: dict[str, float], words: str, role: str, tmp_path: Path
) -> None:
    """A threshold that everybody meets, or nobody, is an error that shows the range."""
    rows = table("sex,score", **{"m_0.1": 3, "m_0.9": 2, "f_0.2": 4, "f_": 2})
    columns = {role: {"column": "score", **threshold}}
    with pytest.raises(SpecError) as caught:
        on(engine, tmp_path, rows, columns=columns)
    (fault,) = caught.value.faults
    assert (fault.loc, fault.message) == (("columns", role), words)
    assert fault.found == "values from 0.1 to 0.9"
    allowed = {role: {"column": "score", **threshold, "constant": "allowed"}}
    found = counted(on(engine, tmp_path, rows, columns=allowed))[role]
    assert sum(rows for side, rows, _ in found if side != "missing") == 9


@on_every_engine
def test_strata_without_a_value_are_refused(engine: EngineName, tmp_path: Path) -> None:
    """A column of strata that holds only missing values is an error."""
    rows = table("sex,label,city", m_1_=3, f_0_=3)
    columns = {"label": {"column": "label", "positive": 1}, "strata": "city"}
    metrics = {"CDDL": {"max_abs": 0.9}}
    assert refused(engine, tmp_path, rows, columns=columns, metrics=metrics) == [
        "columns.strata.0: column 'city' holds only missing values, so there are no strata"
    ]


@on_every_engine
@pytest.mark.parametrize(
    ("facet", "words"),
    [
        (
            {"column": "age", "groups": {"young": {"below": 25}, "old": {"above": 25}}},
            "4 rows of column 'age' belong to no declared group: 25",
        ),
        (
            {"column": "sex", "groups": {"men": "m", "women": ["f"]}},
            "1 row of column 'sex' belongs to no declared group: 'x'",
        ),
        (
            {"column": "sex", "favored": "m", "disfavored": "f"},
            "1 row of column 'sex' belongs to no declared group: 'x'",
        ),
        (
            {"column": "half", "groups": {"low": {"below": 1}, "high": {"above": 2}}},
            "4 rows of column 'half' belong to no declared group: 1.5 to 2",
        ),
    ],
)
def test_people_between_the_groups_can_be_an_error(
    engine: EngineName, facet: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """With `others: error`, who is in no declared group is an error that names the values."""
    rows = "sex,label,age,half\n" + "m,1,18,0.5\n" * 3 + "f,0,70,2.5\n" * 3
    rows += "f,0,25,1.5\n" * 3 + "x,1,25,2\n"
    closed = {**facet, "others": "error"}
    assert refused(engine, tmp_path, rows, facets={"who": closed}) == [
        f"facets.who.others: {words}"
    ]
    on(engine, tmp_path, rows, facets={"who": facet})
