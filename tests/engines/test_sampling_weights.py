"""Sampling weights are any numbers from 0 up; their sums are exact, whatever the order of rows."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from biaspipe.counts import Group
from biaspipe.engines import open_engine
from biaspipe.errors import DataError, SpecError
from biaspipe.pipeline import count_data
from biaspipe.plan import make_plan
from biaspipe.report import GroupRecord, Result, canonical_json
from tests.engines.builders import (
    WAYS,
    Content,
    audited,
    by_metric,
    comparisons,
    count_as_large,
    ledger,
    names,
    prepare,
    write,
)

COLUMNS: dict[str, Any] = {
    "prediction": {"column": "picked", "positive": 1},
    "weight": {"column": "w", "kind": "sampling"},
}
METRICS = {"CI": None, "DPPL": None, "DI": None}
WEIGHTS = [0.5, 1.25, 0.25, 0.5, 1.0, 0.5]


def sample(weights: pl.Series | list[float]) -> pl.DataFrame:
    """Return three men, of whom two are picked, and three women, of whom one is."""
    sex, picked = ["m", "m", "m", "f", "f", "f"], [1, 1, 0, 1, 0, 0]
    return pl.DataFrame({"sex": sex, "picked": picked, "w": weights})


def men(*weights: float) -> pl.DataFrame:
    """Return men with these weights who are picked, and a woman."""
    sex = ["m"] * len(weights) + ["f"]
    return pl.DataFrame({"sex": sex, "picked": 1, "w": [*map(float, weights), 1.0]})


def weighed(folder: Path, content: Content, **parts: Any) -> Result:
    """Audit predictions of rows with sampling weights."""
    return audited(folder, content, **{"columns": COLUMNS, "metrics": METRICS, **parts})


def sides(result: Result) -> list[GroupRecord]:
    """Return both groups of the only comparison."""
    (comparison,) = comparisons(result)
    return list(comparison.counts.values())


def of_men(folder: Path, *weights: float) -> GroupRecord:
    """Return the group that men with these weights make up."""
    return sides(weighed(folder, men(*weights)))[0]


def people(rows: int) -> pl.DataFrame:
    """Return random people with weights whose sum as floats depends on their order."""
    random = Random(3)
    frame = {
        "sex": random.choices("mfx", k=rows),
        "shift": random.choices(["day", "night"], k=rows),
        "label": random.choices(["yes", "no", "late"], k=rows),
        "picked": random.choices([0, 1], k=rows),
        "w": [random.random() * 10 ** random.uniform(-6, 6) for _ in range(rows)],
    }
    return pl.DataFrame(frame)


FULL: dict[str, Any] = {
    "columns": {
        **COLUMNS,
        "label": {"column": "label", "positive": ["yes", "late"]},
        "strata": ["shift"],
    },
    "facets": {"sex": {"column": "sex", "compare": "pairs"}, "shift": {"column": "shift"}},
    "metrics": {"all": None},
}


def without_inputs(result: Result) -> str:
    """Return the canonical text of a result, without the digests of the files."""
    data = result.data.model_copy(update={"inputs": ()})
    return canonical_json(result.model_copy(update={"data": data}))


def groups(folder: Path, frame: pl.DataFrame, **parts: Any) -> list[Group]:
    """Return every group of the tables that are made of these rows."""
    write(folder / "data.parquet", frame)
    loaded = prepare(folder, **{"data": {"path": "data.parquet"}, **parts})
    engine = open_engine(loaded.audit, folder)
    tables, *_ = count_data(engine, make_plan(loaded.audit)).tables
    engine.close()
    found = [tables.everyone]
    for table in (comparison.table for comparison in tables.comparisons):
        found += [table.favored, table.disfavored]
        found += [side for s in table.strata for side in (s.favored, s.disfavored)]
    return found


def test_people_are_sums_of_weights(tmp_path: Path) -> None:
    """People are the sums of the weights, and rates their quotients."""
    a, d = sides(weighed(tmp_path, sample(WEIGHTS)))
    assert (a.rows, a.n, a.predicted_positives, a.selection_rate) == (3, 2.0, 1.75, 0.875)
    assert (d.rows, d.n, d.predicted_positives, d.selection_rate) == (3, 2.0, 0.5, 0.25)


@pytest.mark.parametrize(
    "weights",
    [
        pl.Series([2, 5, 1, 2, 4, 2]),
        pl.Series([2, 5, 1, 2, 4, 2], dtype=pl.UInt8),
        pl.Series([2, 5, 1, 2, 4, 2], dtype=pl.Int128),
        pl.Series(WEIGHTS, dtype=pl.Float32),
        pl.Series([Decimal(str(w)) for w in WEIGHTS]),
    ],
)
def test_weights_are_of_any_type_of_number(weights: pl.Series, tmp_path: Path) -> None:
    """Whole numbers, decimals and floats are sampling weights alike."""
    a, d = sides(weighed(tmp_path, sample(weights)))
    assert (a.selection_rate, d.selection_rate) == (0.875, 0.25)
    assert (a.effective, d.effective) == (2.13333333333, 2.66666666667)


def test_weights_come_from_a_text_table(tmp_path: Path) -> None:
    """Weights of a text table may be whole at first and not whole later."""
    rows = "".join(f"m,{i % 2},1\n" for i in range(200))
    result = weighed(tmp_path, f"sex,picked,w\n{rows}f,1,0.5\nf,0,1.5e-1\n")
    assert [side.n for side in sides(result)] == [200.0, 0.65]


@pytest.mark.parametrize("scale", [1, 1000, 1e-7, 1e9, 1e-15, 1 / 3])
def test_scale_of_the_weights_does_not_matter(scale: float, tmp_path: Path) -> None:
    """Weights that are all multiplied by one number give the same values."""
    result = weighed(tmp_path, sample([w * scale for w in WEIGHTS]))
    found = {name: check.value for name, check in by_metric(result).items()}
    assert found == pytest.approx({"CI": 0, "DPPL": 0.625, "DI": 2 / 7}, rel=1e-9, abs=1e-9)
    assert [s.effective for s in sides(result)] == [2.13333333333, 2.66666666667]


def test_many_small_weights_keep_their_digits(tmp_path: Path) -> None:
    """Weights that add up to 1 over many rows do so."""
    frame = pl.DataFrame({"sex": ["m", "f"] * 100_000, "picked": [1, 1, 0, 0] * 50_000})
    result = weighed(tmp_path, frame.with_columns(w=pl.lit(5e-6)))
    assert [(s.n, s.effective) for s in sides(result)] == [(0.5, 100_000.0)] * 2


@pytest.mark.parametrize(
    ("weights", "n"),
    [
        ([0.1] * 10, 1.0),
        ([1e16, 1.0, 1.0], 1.0000000000000002e16),
        ([1.0, 1e16, 1.0], 1.0000000000000002e16),
        ([1e-20, 1.0], 1.0),
        ([2.0**60, 2.0**-60, 2.0**8, 2.0**-60], 2.0**60 + 2**8),
    ],
)
def test_sums_are_exact_until_they_are_written(
    weights: list[float], n: float, tmp_path: Path
) -> None:
    """People are the float that is nearest to the exact sum."""
    assert of_men(tmp_path, *weights).n == n


def test_effective_number_is_that_of_kish(tmp_path: Path) -> None:
    """The effective number is (1+1+1+3)^2 / (1+1+1+9) = 3."""
    group = of_men(tmp_path, 1, 1, 1, 3)
    assert (group.rows, group.n, group.effective) == (4, 6.0, 3.0)


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 1.1e-7, 123.456, 1])
@pytest.mark.parametrize("rows", [1, 3, 49])
def test_equal_weights_are_as_good_as_rows(weight: float, rows: int, tmp_path: Path) -> None:
    """Where all weights are equal the effective number is that of the rows."""
    assert of_men(tmp_path, *[weight] * rows).effective == rows


def test_everyone_and_strata_have_effective_numbers(tmp_path: Path) -> None:
    """Each group of each stratum has its effective number, and so has everyone."""
    frame = men(1, 1, 1, 3).with_columns(shift=pl.Series([*"ddnnn"]))
    columns = {**COLUMNS, "strata": ["shift"]}
    found = groups(tmp_path, frame, columns=columns, metrics={"CDDPL": None})
    assert [group.effective for group in found] == [
        Fraction(float("3.76923076923")),
        Fraction(3),
        Fraction(1),
        Fraction(2),
        Fraction(0),
        Fraction(float("1.6")),
        Fraction(1),
    ]


def test_numbers_of_people_are_those_of_floats(tmp_path: Path) -> None:
    """Every number of people survives being written as a float, and n is their sum."""
    for group in groups(tmp_path, people(500), **FULL):
        numbers = [*group.cells.values(), *group.labels.values(), group.effective]
        assert all(isinstance(n, Fraction) and Fraction(float(n)) == n for n in numbers)
        assert group.n == sum(group.cells.values())


def test_group_of_weight_zero_is_there(tmp_path: Path) -> None:
    """A group whose rows stand for nobody is compared, with no people."""
    result = weighed(tmp_path, sample([*WEIGHTS[:3], 0.0, -0.0, 0.0]))
    a, d = sides(result)
    assert (d.rows, d.n, d.effective, d.selection_rate) == (3, 0.0, 0.0, None)
    assert a.effective == 2.13333333333
    assert by_metric(result)["DPPL"].reason == "n_d = 0: DPPL is undefined"
    assert ledger(result) == {"favored": 3, "disfavored": 3}


def test_weights_orient_groups(tmp_path: Path) -> None:
    """The groups with the higher rates of people, not of rows, are the favored ones."""
    frame = sample([0.5, 0.5, 9.5, 9.5, 0.25, 0.25])
    for compare in ("best", "pairs"):
        facets = {"sex": {"column": "sex", "compare": compare}}
        assert names(weighed(tmp_path, frame, facets=facets)) == [("f", "m")]


def test_order_of_the_rows_changes_nothing(tmp_path: Path) -> None:
    """Shuffled rows give the same result byte for byte, apart from the file's digest."""
    frame = people(2_000)
    first = without_inputs(audited(tmp_path, frame, **FULL))
    for seed in range(3):
        shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
        assert without_inputs(audited(tmp_path, shuffled, **FULL)) == first


@pytest.mark.parametrize("way", [*WAYS][1:])
def test_way_of_counting_changes_nothing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the engine counts large data, the result is the same byte for byte."""
    frame = people(500)
    usual = canonical_json(audited(tmp_path, frame, **FULL))
    count_as_large(monkeypatch, way)
    assert canonical_json(audited(tmp_path, frame, **FULL)) == usual


def test_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    """One thread and several give the same digest."""
    people(3_000).write_parquet(tmp_path / "data.parquet", row_group_size=100)
    prepare(tmp_path, data={"path": "data.parquet"}, **FULL)
    digests = []
    for threads in ("1", "4"):
        output = tmp_path / f"report-{threads}.json"
        command = [sys.executable, "-m", "biaspipe", "run", str(tmp_path / "audit.yaml")]
        subprocess.run(
            [*command, "-o", str(output), "--fail-on=never"],
            check=True,
            capture_output=True,
            env={**os.environ, "POLARS_MAX_THREADS": threads},
        )
        digests.append(json.loads(output.read_text(encoding="utf-8"))["result_sha256"])
    assert digests[0] == digests[1]


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.5, -0.5, 1, 1, 1, -4], r"data\.parquet: column 'w': 2 rows .* such as -0\.5"),
        ([1.5, None, 1, 1, 1, 1], r"data\.parquet: column 'w': 1 row .* such as missing"),
        ([1.5, NAN, 1, 1, NAN, 1], "'w': 2 rows .* such as missing"),
        ([1.5, INF, 1, 1, 1, 1], "'w': 1 row .* such as inf"),
        ([1.5, -INF, 1, 1, 1, 1], "'w': 1 row .* such as -inf"),
        ([Decimal("-0.5")] * 6, r"'w': 6 rows .* such as .*-0\.5"),
        ([3, -2, 1, 1, 1, 1], "'w': 1 row .* such as -2"),
    ],
)
def test_faulty_weight_is_faulty_data(weights: list[Any], words: str, tmp_path: Path) -> None:
    """A weight that is missing, negative or not finite is refused with value and rows."""
    with pytest.raises(DataError, match=words) as caught:
        weighed(tmp_path, sample(pl.Series(weights, strict=False)))
    assert caught.value.hint == (
        "a sampling weight is how many people a row stands for: a finite number, 0 or more"
    )


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1e20, 1, 1, 1, 1, 1], r"data\.parquet: column 'w': the weight 1e\+20 is too large"),
        ([1e300, 1, 1, 1, 1, 1], r"'w': the weight 1e\+300 is too large"),
        ([1, 1, 1, 1e-30, 1, 1], "'w': the weight 1e-30 is too small"),
        ([5e-324] * 6, "'w': the weight 5e-324 is too small"),
    ],
)
def test_weights_that_cannot_be_summed_are_refused(
    weights: list[float], words: str, tmp_path: Path
) -> None:
    """A weight whose sums would overflow, or be of lost digits only, is refused."""
    with pytest.raises(DataError, match=words) as caught:
        weighed(tmp_path, sample([float(w) for w in weights]))
    assert caught.value.hint == (
        "only the proportions of sampling weights matter: multiply all of them by one number"
    )


def test_largest_weight_is_summed(tmp_path: Path) -> None:
    """Weights just below those that are too large have exact sums."""
    group = of_men(tmp_path, 2.0**61, 2.0**61)
    assert (group.n, group.effective) == (2.0**62, 2.0)


def test_weights_of_removed_rows_do_not_matter(tmp_path: Path) -> None:
    """A faulty weight in a row that the condition removes is no fault."""
    frame = pl.concat([sample(WEIGHTS), sample([-1.0, 1e300, NAN, INF, 1e-300, -5.0])])
    data = {"where": "w >= 0.1 and w < 5"}
    assert [side.n for side in sides(weighed(tmp_path, frame, data=data))] == [2.0, 2.0]


def test_fliptest_takes_no_sampling_weights(tmp_path: Path) -> None:
    """The fliptest is refused where it is asked for, and left out of all metrics."""
    columns = {**FULL["columns"], "features": ["shift"]}
    with pytest.raises(SpecError, match="takes no sampling weights"):
        audited(tmp_path, people(50), **{**FULL, "columns": columns, "metrics": {"FT": None}})
    result = audited(tmp_path, people(50), **{**FULL, "columns": columns})
    assert "FT" not in by_metric(result)
