"""The sampled fliptest: the same members and neighbours however the rows are parted."""

import dataclasses
from datetime import datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaspipe.counts import Drawn, Flips, Table
from biaspipe.counts import Group as People
from biaspipe.errors import DataError
from biaspipe.fliptest import search
from biaspipe.fliptest.exact import ExactFliptests
from biaspipe.fliptest.hash_sample import key_hashes
from biaspipe.fliptest.sampled import sampled_flips
from biaspipe.metrics import METRICS
from biaspipe.plan import Comparison, FacetTables, Plan, bind_plan, make_plan
from biaspipe.plan.kinds import Kind
from biaspipe.spec import Audit
from tests import oracle
from tests.examples import examples
from tests.fliptest.parts import parted

KINDS = {
    "sex": Kind.TEXT,
    "picked": Kind.INTEGER,
    "size": Kind.FLOAT,
    "count": Kind.INTEGER,
    "seen": Kind.DATETIME,
    "town": Kind.TEXT,
    "member": Kind.BOOLEAN,
    "person": Kind.TEXT,
}
FEATURES = ("size", "count", "seen", "town", "member")
START = datetime(2026, 7, 1)


def plan_of(features: tuple[str, ...] = FEATURES, **parameters: Any) -> Plan:
    """Return the bound plan of a fliptest of women against men."""
    audit = Audit.model_validate(
        {
            "version": 1,
            "name": "test",
            "data": {"path": "data.parquet"},
            "columns": {
                "prediction": {"column": "picked", "positive": 1},
                "features": list(features),
                "key": "person",
            },
            "facets": {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}},
            "metrics": {"FT": parameters},
        }
    )
    return bind_plan(make_plan(audit), KINDS)


def tables() -> tuple[FacetTables, ...]:
    """Return the one comparison, of which only the names matter here."""
    nobody = Table(People({}), People({}))
    return (
        FacetTables("sex", (Comparison("m", "f", ("m",), ("f",), nobody),), (), {}, {}, People({})),
    )


def rows(seed: int, number: int, levels: int = 4) -> pl.DataFrame:
    """Return people whose features are often alike, some of them missing."""
    random = Random(seed)
    people = [
        (
            random.choice("mmf"),
            random.choice([-1, 0, 0, None] if i % 9 == 0 else [-1, 0]),
            random.choice([i * 0.1 for i in range(levels)] + [None] * (i % 5 == 0)),
            2**60 + random.randrange(levels),
            START + timedelta(microseconds=random.randrange(levels)),
            random.choice(["oslo", "bergen", "-", None]),
            random.choice([True, False]),
            1,
            f"person {i}",
        )
        for i in range(number)
    ]
    names = ["key0", "key1", *(f"feature{i}" for i in range(5)), "n", "id"]
    types: dict[str, pl.DataType | type[pl.DataType]] = {
        "key1": pl.Int16,
        "feature2": pl.Datetime("ns"),
        "feature3": pl.String,
    }
    return pl.DataFrame(people, schema=names, orient="row", schema_overrides=types)


def sampled(frame: pl.DataFrame, plan: Plan, seed: int = 0, parts: int = 1) -> Flips:
    """Return the evidence of the comparison, the rows shuffled and put in parts."""
    return sampled_flips(plan, tables(), parted(frame, seed, parts))["sex"][0]


def exact(frame: pl.DataFrame, plan: Plan) -> Flips:
    """Return the evidence of the exact fliptest on the distinct rows."""
    distinct = frame.group_by(pl.exclude("n", "id")).agg(pl.col("n").sum())
    return ExactFliptests(plan, distinct).run("sex", tables()[0].comparisons)[0]


@given(
    st.integers(0, 10**6),
    st.integers(1, 60),
    st.integers(1, 6),
    st.sampled_from(["standard", "range", "none"]),
)
@examples(60)
def test_sample_of_everybody_is_the_exact_fliptest(
    seed: int, number: int, k: int, scaling: str
) -> None:
    """A sample that is large enough to hold everybody gives every digit of the exact result."""
    frame = rows(seed, number)
    everybody = sampled(frame, plan_of(k=k, scaling=scaling, sample=60), seed, 1 + seed % 4)
    alone = exact(frame, plan_of(k=k, scaling=scaling))
    assert everybody.drawn is not None
    for people, drawn in (everybody.drawn.unfavorable, everybody.drawn.favorable):
        assert people == drawn
    assert dataclasses.replace(alone, shared=None) == dataclasses.replace(everybody, drawn=None)


@given(st.integers(0, 10**6), st.integers(20, 90), st.integers(1, 4), st.integers(2, 12))
@examples(60)
def test_parts_and_order_change_nothing(seed: int, number: int, k: int, sample: int) -> None:
    """The same members are drawn and the same neighbours found at any partitioning."""
    frame, plan = rows(seed, number), plan_of(k=k, sample=sample, seed=seed)
    assert sampled(frame, plan, seed, 5) == sampled(frame, plan, seed + 1, 1)


@given(st.integers(0, 10**6), st.integers(1, 5))
@examples(40)
def test_drawn_members_equal_the_reference(seed: int, k: int) -> None:
    """The flips of those drawn are those that the slow reference finds for the same people."""
    frame = rows(seed, 80, levels=6).drop_nulls(["key1", "feature0"])
    plan = plan_of(("size", "count"), k=k, sample=10, seed=seed, scaling="standard")
    found = sampled(frame, plan, seed, 3)
    people = list(frame.select("key0", "key1", "feature0", "feature1", "id").iter_rows())
    order = sorted(people, key=lambda p: int(key_hashes(pl.Series([p[4]]), seed)[0]))
    assert found.drawn is not None
    strata = ((-1, found.drawn.unfavorable[1]), (0, found.drawn.favorable[1]))
    drawn = [p for code, m in strata for p in [o for o in order if o[:2] == ("f", code)][:m]]
    cases = [
        oracle.Case(p[0] == "f", "", False, p[1] == 0, None, 1, (p[2], p[3] - 2**60))
        for p in people
    ]
    scales = [oracle.variance(cases, 0), oracle.variance(cases, 1)]
    men = [case for case in cases if not case.disfavored]
    leans = [
        (oracle.lean(cases[people.index(p)], men, scales, k), p[1] == 0)
        for p in (drawn if len(men) >= k else [])
    ]
    assert found.F_plus == sum(votes > 0 and not own for votes, own in leans)
    assert found.F_minus == sum(votes < 0 and own for votes, own in leans)


@pytest.mark.parametrize(
    ("key", "seed", "expected"),
    [
        ("", 0, 10029422582870753883),
        ("7", 0, 4506445122905060640),
        (7, 0, 4506445122905060640),
        ("7", 1, 12457157837654994407),
        ("åse", 7, 6080675759072514679),
        ("a" * 300, 2**63, 18402354475722064982),
    ],
)
def test_hashes_stay_as_they_are(key: object, seed: int, expected: int) -> None:
    """The hash of a key is the same on every machine, whatever stands beside it."""
    alone, beside = key_hashes(pl.Series([key]), seed), key_hashes(pl.Series([key, key]), seed)
    assert int(alone[0]) == int(beside[1]) == expected


def test_a_missing_key_is_refused() -> None:
    """A row without a key could be drawn on one engine and not on another."""
    frame = rows(1, 20).with_columns(id=pl.lit(None, pl.String))
    with pytest.raises(DataError, match="the key of a row is missing"):
        sampled(frame, plan_of(sample=5))


@pytest.mark.parametrize(("sample", "is_refused"), [(6, True), (10_000, False)])
def test_a_key_of_several_rows_is_refused_where_it_draws(sample: int, is_refused: bool) -> None:
    """Rows that share a key are drawn together or not at all, which is no draw at random."""
    frame = rows(1, 60)
    twins = pl.concat([frame, frame])
    assert sampled(frame, plan_of(sample=sample)).drawn
    if is_refused:
        with pytest.raises(DataError, match=r"'person' tells no rows apart: \d+ of the 1[0-2] r"):
            sampled(twins, plan_of(sample=sample))
    else:
        assert sampled(twins, plan_of(sample=sample)).drawn


def test_strata_are_drawn_by_their_share() -> None:
    """Each prediction has its share of the sample, and at least one member."""
    frame = pl.DataFrame(
        {
            "key0": ["f"] * 100 + ["m"] * 5,
            "key1": pl.Series([0] * 3 + [-1] * 97 + [0] * 5, dtype=pl.Int16),
            "feature0": [float(i) for i in range(105)],
            "n": [1] * 105,
            "id": range(105),
        }
    )
    found = sampled(frame, plan_of(("size",), k=1, sample=20, seed=3))
    assert found.drawn == Drawn(20, 3, (97, 19), (3, 1))
    assert (found.F_plus, found.F_minus, found.n_d) == (19, 0, 100)
    assert METRICS["FT"](found).number == 0.97


def test_searches_find_the_same_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree and products, on one core or on several, find the same flips at the same distance."""
    random = np.random.default_rng(5)
    sides = [
        search.Members(
            random.integers(0, 3, (n, 4)).astype(np.float64),
            np.empty((n, 0), dtype=np.int64),
            random.integers(1, 3, n),
            random.random(n) < 0.5,
        )
        for n in (3_000, 700)
    ]
    found = []
    for most, flat in ((10**12, 0), (0, 0), (0, 99)):
        monkeypatch.setattr(search, "SMALL_SEARCH", most)
        monkeypatch.setattr(search, "MAX_DIMENSIONS", flat)
        found.append(search.flips(*sides, k=7, scaling="range", features=()))
    assert found[0] == found[1] == found[2]
