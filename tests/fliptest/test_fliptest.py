"""The fliptest: who is a neighbour of whom, how near, and how the neighbours vote."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import SpecError
from biaspipe.report import CheckRecord
from tests import oracle
from tests.engines.builders import audited

PICKED = {"prediction": {"column": "picked", "positive": 1}}


def fliptest(
    folder: Path,
    rows: list[tuple[Any, ...]],
    *,
    features: Any = ("size",),
    columns: tuple[str, ...] = ("size",),
    weight: str | None = None,
    **parameters: Any,
) -> CheckRecord:
    """Run FT on rows of sex, picked and further columns."""
    frame = pl.DataFrame(rows, schema=["sex", "picked", *columns], orient="row")
    listed = features if isinstance(features, dict) else list(features)
    declared = {**PICKED, "features": listed, **({"weight": weight} if weight else {})}
    metrics = {"FT": {"k": 1, **parameters}}
    facets = {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}}
    result = audited(folder, frame, columns=declared, facets=facets, metrics=metrics)
    return result.checks[0]


def counted(check: CheckRecord) -> tuple[int, int, int, int, int]:
    """Return F+, F-, n_d, n_a and who was left out."""
    assert check.flips is not None
    flips = check.flips
    return flips.F_plus, flips.F_minus, flips.n_d, flips.n_a, flips.left_out


def test_flips_are_counted_in_both_directions(tmp_path: Path) -> None:
    """FT is the flips towards acceptance minus those towards rejection, per disfavored person."""
    rows = [("m", 1, 0), ("m", 0, 10), ("f", 0, 1), ("f", 0, 2), ("f", 1, 9), ("f", 1, 0)]
    check = fliptest(tmp_path, rows)
    assert counted(check) == (2, 1, 4, 2, 0)
    assert check.value == 0.25


def test_evidence_says_how_neighbours_were_found(tmp_path: Path) -> None:
    """The evidence of FT has k, scaling, encoding, features and the median distance."""
    rows = [("m", 1, 0), ("m", 0, 10), ("f", 0, 1), ("f", 0, 3), ("f", 1, 9)]
    flips = fliptest(tmp_path, rows, scaling="none").flips
    assert flips is not None
    assert (flips.k, flips.scaling, flips.features) == (1, "none", ("size",))
    assert flips.median_distance == 1
    assert "Euclidean" in flips.encoding


def test_ties_vote_and_a_draw_is_no_flip(tmp_path: Path) -> None:
    """Everybody as near as the k-th neighbour votes, and a draw flips nobody."""
    tie = [("m", 1, 4), ("m", 0, 6), ("m", 1, 60), ("f", 0, 5), ("f", 1, 5)]
    assert counted(fliptest(tmp_path, tie))[:2] == (0, 0)
    majority = [*tie, ("m", 1, 6)]
    assert counted(fliptest(tmp_path, majority))[:2] == (1, 0)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_weight_is_so_many_neighbours(k: int, tmp_path: Path) -> None:
    """A row of weight 3 is three neighbours, and a disfavored one three flips."""
    rows = [("m", 1, 0, 3), ("m", 0, 9, 1), ("f", 0, 1, 3), ("f", 1, 9, 0)]
    check = fliptest(tmp_path, rows, columns=("size", "people"), weight="people", k=k)
    assert counted(check) == (3, 0, 3, 4, 0)


def test_people_without_a_number_are_left_out(tmp_path: Path) -> None:
    """People who lack a number are counted as left out, on both sides."""
    rows = [("m", 1, 0.0), ("m", 0, None), ("f", 0, 1.0), ("f", 0, float("nan")), ("x", 0, None)]
    assert counted(fliptest(tmp_path, rows)) == (1, 0, 1, 1, 2)


def test_fewer_than_k_neighbours_are_undefined(tmp_path: Path) -> None:
    """FT is undefined where the favored group is smaller than k, and says so."""
    check = fliptest(tmp_path, [("m", 1, 0), ("f", 0, 1)], k=2, max_abs=0.1)
    assert (check.status, check.value, check.verdict) == ("undefined", None, "undecided")
    assert check.reason is not None
    assert "n_a = 1 is fewer than k = 2" in check.reason


@pytest.mark.parametrize(
    ("scaling", "flipped"), [("standard", (1, 0)), ("range", (1, 0)), ("none", (0, 0))]
)
def test_scaling_makes_numbers_comparable(
    scaling: str, flipped: tuple[int, int], tmp_path: Path
) -> None:
    """Scaled numbers count alike, unscaled ones by their size."""
    rows = [("m", 1, 0.0, 900), ("m", 0, 1.0, 100), ("f", 0, 0.0, 200), ("f", 1, 0.0, 1000)]
    columns = ("rate", "income")
    check = fliptest(tmp_path, rows, features=columns, columns=columns, scaling=scaling)
    assert counted(check)[:2] == flipped


def test_categories_are_equal_or_different(tmp_path: Path) -> None:
    """Texts and booleans differ by one where they differ, and a missing one equals another."""
    rows = [
        ("m", 1, "a", True),
        ("m", 0, "b", False),
        ("m", 1, None, None),
        ("f", 0, "a", True),
        ("f", 1, "b", False),
        ("f", 0, None, None),
    ]
    columns = ("town", "member")
    check = fliptest(tmp_path, rows, features=columns, columns=columns)
    assert counted(check) == (2, 1, 3, 3, 0)
    assert check.flips is not None
    assert check.flips.median_distance == 0


def test_constant_feature_plays_no_part(tmp_path: Path) -> None:
    """A number that is the same for everybody changes nothing, whatever its size."""
    rows = [("m", 1, 0, 7e300), ("m", 0, 10, 7e300), ("f", 0, 1, 7e300), ("f", 1, 9, 7e300)]
    columns = ("size", "same")
    check = fliptest(tmp_path, rows, features=columns, columns=columns)
    assert counted(check) == (1, 1, 2, 2, 0)


@pytest.mark.parametrize(
    "values",
    [
        [date(2026, 1, 1), date(2026, 3, 1), date(2026, 1, 2), date(2026, 2, 28)],
        [datetime(2026, 1, 1, h) for h in (0, 23, 1, 22)],
        [0.0, 1e-200, 1e-201, 9e-201],
        [0.0, 1e200, 1e199, 9e199],
        [2**53, 2**53 + 200, 2**53 + 20, 2**53 + 180],
    ],
    ids=["dates", "times", "tiny", "huge", "large integers"],
)
def test_numbers_of_any_kind_are_measured(values: list[Any], tmp_path: Path) -> None:
    """Dates, times and numbers of any size are near and far as they are."""
    rows = list(zip("mmff", (1, 0, 0, 1), values, strict=True))
    assert counted(fliptest(tmp_path, rows)) == (1, 1, 2, 2, 0)


@pytest.mark.parametrize("seconds", [1, 60, 3_600])
def test_ties_far_from_zero_are_ties(seconds: int, tmp_path: Path) -> None:
    """Two neighbours at the same distance in time vote both, however late the time is."""
    start = datetime(2026, 7, 1, 10, 30)
    for i in range(10):
        at = start + timedelta(seconds=7_919 * i)
        near = [at, at - timedelta(seconds=seconds), at + timedelta(seconds=seconds)]
        far = [at + timedelta(days=d) for d in (-9, 1, 3)]
        rows = list(zip("fmmmmm", (0, 1, 0, 1, 1, 1), near + far, strict=True))
        assert counted(fliptest(tmp_path, rows))[:2] == (0, 0)


def test_features_are_all_columns_but_the_excluded(tmp_path: Path) -> None:
    """With `exclude` the features are the columns that the audit names nowhere else."""
    rows = [("m", 1, 0, 1, "a"), ("m", 0, 1, 2, "b"), ("f", 0, 0, 3, "a"), ("f", 1, 0, 4, "a")]
    columns = ("size", "id", "town")
    check = fliptest(tmp_path, rows, columns=columns, features={"exclude": ["id"]})
    assert check.flips is not None
    assert check.flips.features == ("size", "town")


@pytest.mark.parametrize("dtype", [pl.Null, pl.String, pl.Boolean])
def test_feature_that_is_always_missing_plays_no_part(
    dtype: type[pl.DataType], tmp_path: Path
) -> None:
    """A column that is empty and no number leaves nobody out."""
    rows = [("m", 1, 0), ("m", 0, 10), ("f", 0, 1), ("f", 1, 9)]
    frame = pl.DataFrame(rows, schema=["sex", "picked", "size"], orient="row")
    frame = frame.with_columns(empty=pl.lit(None, dtype))
    columns = {**PICKED, "features": ["size", "empty"]}
    (check,) = audited(tmp_path, frame, columns=columns, metrics={"FT": {"k": 1}}).checks
    assert counted(check) == (1, 1, 2, 2, 0)


@pytest.mark.parametrize("name", ["data.csv", "data.ndjson"])
def test_feature_that_changes_its_type_is_text(name: str, tmp_path: Path) -> None:
    """A feature of whole numbers with a text after many rows is text, an empty one is nothing."""
    sizes: list[object] = [i % 2 for i in range(1_200)] + ["none", "none"]
    rows = [("mf"[i % 4 // 2], 1 - i % 2, size) for i, size in enumerate(sizes)]
    lines = {
        "data.csv": ["sex,picked,size,empty", *(f"{sex},{k},{size}," for sex, k, size in rows)],
        "data.ndjson": [
            json.dumps({"sex": sex, "picked": k, "size": size, "empty": None})
            for sex, k, size in rows
        ],
    }
    text = "\n".join(lines[name])
    columns = {**PICKED, "features": ["size", "empty"]}
    (check,) = audited(tmp_path, text, name, columns=columns, metrics={"FT": {"k": 1}}).checks
    assert counted(check) == (0, 0, 600, 602, 0)


@pytest.mark.parametrize(
    ("features", "words"),
    [
        ({"exclude": ["size", "tags"]}, "no column is left as a feature"),
        (["tags"], "the feature 'tags' holds neither"),
        (["sise"], "no column 'sise'"),
        ({"exclude": ["sise"]}, "no column 'sise'"),
    ],
)
def test_impossible_features_are_a_wrong_spec(features: Any, words: str, tmp_path: Path) -> None:
    """No feature, an unknown one and one of lists are a wrong spec."""
    rows = [("m", 1, 0, ["a"]), ("f", 0, 1, ["b"])]
    with pytest.raises(SpecError, match=words):
        fliptest(tmp_path, rows, columns=("size", "tags"), features=features)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_awkward_features_equal_the_reference(k: int, tmp_path: Path) -> None:
    """Numbers far from zero, tiny ones and many categories give FT of the reference."""
    random = Random(k)
    choices: tuple[list[Any], ...] = (
        ["m", "f"],
        [0, 1],
        [1e6 + i for i in range(8)],
        [0.1, 0.2, 0.3, 1e-9],
        [f"town {i}" for i in range(90)],
        [True, False],
    )
    rows = [tuple(map(random.choice, choices)) for _ in range(120)]
    columns = ("far", "tiny", "town", "member")
    check = fliptest(tmp_path, rows, features=columns, columns=columns, k=k)
    people = [oracle.Row(r[0], "any", bool(r[1]), features=r[2:]) for r in rows]
    answer = oracle.answer("FT", people, ["m"], ["f"], ["any"], k=k)
    assert check.value == answer.value
