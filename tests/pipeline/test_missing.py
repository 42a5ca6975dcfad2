"""Who is missing decides: people without label, prediction or facet, by group and side."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.pipeline import Options, run
from biaspipe.report import CheckRecord, Result
from biaspipe.spec import EngineName
from tests.engines.builders import prepare, write
from tests.pipeline.reports import table

ENGINES: tuple[EngineName, ...] = ("polars", "duckdb")
on_every_engine = pytest.mark.parametrize("engine", ENGINES)

PREDICTION = {"prediction": {"column": "p", "positive": 1}}
DPPL = {"DPPL": {"max_abs": 0.5}}
FAIR = ("m,1 x 50", "m,0 x 50", "f,1 x 50", "f,0 x 50")


def audited(folder: Path, rows: str, engine: EngineName = "polars", **parts: Any) -> Result:
    """Run an audit of these rows with an engine."""
    write(folder / "data.csv", rows)
    parts = {"columns": PREDICTION, "metrics": DPPL, "data": {"path": "data.csv"}, **parts}
    return run(prepare(folder, **parts), Options(engine=engine)).result


def check(*args: Any, **parts: Any) -> CheckRecord:
    """Return the one check of an audit."""
    (only,) = audited(*args, **parts).checks
    return only


def decided(*args: Any, most: float, **parts: Any) -> tuple[str, str | None]:
    """Return the verdict and the reason of a check where so many may be missing."""
    rules = {"min_rows": 0, "max_missing": most}
    found = check(*args, decision=rules, **parts)
    return found.verdict.value, found.reason


@on_every_engine
@pytest.mark.parametrize(
    ("lost", "most", "reason"),
    [
        (("f, x 100",), 0.4, "50% of f lack label or prediction, where at most 40% may"),
        (("f, x 100",), 0.5, None),
        (("m, x 900",), 0.5, "90% of m lack label or prediction, where at most 50% may"),
        (
            (",1 x 100",),
            0.3,
            "33.3% of all people have no value of the facet, where at most 30% may",
        ),
        ((",1 x 100",), 0.34, None),
        ((), 0, None),
        (("f, x 1",), 0, "0.99% of f lack label or prediction, where at most 0% may"),
    ],
)
def test_group_that_lost_too_many_is_undecided(
    engine: EngineName, lost: tuple[str, ...], most: float, reason: str | None, tmp_path: Path
) -> None:
    """A share of a group beyond `max_missing` leaves it undecided, one on the limit does not."""
    rows = table("sex,p", *FAIR, *lost)
    expected = ("undecided", reason) if reason else ("pass", None)
    assert decided(tmp_path, rows, engine, most=most) == expected


def test_missing_label_counts_too(tmp_path: Path) -> None:
    """Who lacks a label, or the prediction, or both, is missing once."""
    rows = table(
        "sex,p,y", "m,1,1 x 6", "m,0,0 x 4", "f,1,1 x 5", "f,,0 x 2", "f,1, x 2", "f,, x 1"
    )
    both = {**PREDICTION, "label": {"column": "y", "positive": 1}}
    words = "50% of f lack label or prediction, where at most 49% may"
    assert decided(tmp_path, rows, most=0.49, columns=both) == ("undecided", words)
    assert decided(tmp_path, rows, most=0.5, columns=both) == ("pass", None)


@pytest.mark.parametrize(
    ("kind", "share"), [("frequency", "75%"), ("sampling", "75%"), (None, "50%")]
)
def test_missing_people_are_weighed(kind: str | None, share: str, tmp_path: Path) -> None:
    """The share that is missing is one of people, not of rows, where a weight is declared."""
    rows = table("sex,p,w", "m,1,2 x 3", "m,0,2 x 3", "f,1,1 x 4", "f,,3 x 4")
    weight = {"weight": {"column": "w", "kind": kind}} if kind else {}
    words = f"{share} of f lack label or prediction, where at most 10% may"
    columns = {**PREDICTION, **weight}
    assert decided(tmp_path, rows, most=0.1, columns=columns) == ("undecided", words)


def test_share_close_to_the_limit_is_not_rounded_onto_it(tmp_path: Path) -> None:
    """A share beyond the limit is written in as many digits as show that it is."""
    rows = table("sex,p", "m,1 x 9", "f,1 x 1999", "f,0 x 7000", "f, x 1001")
    words = "10.01% of f lack label or prediction, where at most 10% may"
    assert decided(tmp_path, rows, most=0.1) == ("undecided", words)


def test_rest_loses_whom_its_groups_lose(tmp_path: Path) -> None:
    """The missing people of all groups in the rest are those of the rest."""
    rows = table("sex,p", *FAIR, "x,1 x 10", "x, x 90")
    rules = {"max_missing": 0.1, "min_rows": 0}
    result = audited(tmp_path, rows, facets={"sex": {"column": "sex"}}, decision=rules)
    told = {c.disfavored: c.reason for c in result.checks}
    of_the_rest = "45% of the rest lack label or prediction, where at most 10% may"
    assert told == {
        "f": of_the_rest,
        "m": of_the_rest,
        "x": "90% of x lack label or prediction, where at most 10% may",
    }


def test_entropy_loses_everybody(tmp_path: Path) -> None:
    """GE, which compares no groups, is undecided where too many of all people are missing."""
    rows = table("sex,p,y", "m,1,1 x 6", "m,0,0 x 4", "f,1,1 x 5", "f,0,0 x 4", "f,,0 x 2")
    both = {**PREDICTION, "label": {"column": "y", "positive": 1}}
    parts = {"columns": both, "metrics": {"GE": {"max": 1}}}
    words = "9.52% of all people lack label or prediction, where at most 5% may"
    assert decided(tmp_path, rows, most=0.05, **parts) == ("undecided", words)


WARNING = (
    "{} of m and {} of f lack label or prediction, so that who is compared is not who there is"
)


@on_every_engine
@pytest.mark.parametrize(
    ("lost", "shares"),
    [
        (("f, x 900",), ("0%", "90%")),
        (("m, x 100", "f, x 25"), ("50%", "20%")),
        (("m, x 25", "f, x 25"), None),
        (("f, x 11",), None),
        (("f, x 12",), ("0%", "10.7%")),
    ],
)
def test_unequal_losses_are_warned_of(
    engine: EngineName, lost: tuple[str, ...], shares: tuple[str, str] | None, tmp_path: Path
) -> None:
    """Shares more than ten points apart have a warning, where no limit decides."""
    result = audited(tmp_path, table("sex,p", *FAIR, *lost), engine)
    (comparison,) = result.facets[0].comparisons
    assert comparison.warning == (WARNING.format(*shares) if shares else None)
    rules = {"min_rows": 0, "max_missing": 1}
    strict = audited(tmp_path, table("sex,p", *FAIR, *lost), engine, decision=rules)
    assert strict.facets[0].comparisons[0].warning is None


def test_shares_ten_points_apart_are_not_warned_of(tmp_path: Path) -> None:
    """Exactly ten points are not more than ten points."""
    rows = table("sex,p", "m,1 x 10", "f,1 x 5", "f,0 x 4", "f, x 1")
    assert audited(tmp_path, rows).facets[0].comparisons[0].warning is None


@on_every_engine
def test_ledger_by_group_adds_up(engine: EngineName, tmp_path: Path) -> None:
    """Every group says who of it took part, who lacks what, and whose partner is missing."""
    rows = table("sex,p,y,id", "m,1,1,1 x 3", "m,,1,9 x 2", "f,1,,2 x 1", "f,,,9 x 1", ",1,1,9 x 1")
    write(tmp_path / "people.csv", "id,city\n1,Ulm\n2,Bonn\n")
    both = {**PREDICTION, "label": {"column": "y", "positive": 1}}
    data = {"path": "data.csv", "join": [{"path": "people.csv", "on": "id"}]}
    rows += "f,0,0,9\n"
    result = audited(tmp_path, rows, engine, columns=both, data=data)
    told = [
        (g.group, g.rows, g.label_missing, g.prediction_missing, g.unmatched)
        for g in result.facets[0].groups
    ]
    assert told == [
        ("f", 1, 2, 0, (2,)),
        ("m", 3, 0, 2, (2,)),
        ("(missing)", 1, 0, 0, (1,)),
    ]
    assert [join.unmatched for join in result.data.joins or ()] == [5]
    counts = result.facets[0].comparisons[0].counts
    assert (counts["favored"].missing, counts["disfavored"].missing) == (2, 2)


def test_people_of_weighted_groups_are_counted(tmp_path: Path) -> None:
    """Under a weight every group also says how many people took part, and how many could not."""
    rows = table("sex,p,w", "m,1,2 x 3", "m,0,1 x 1", "f,1,1 x 4", "f,,3 x 4", ",1,5 x 1")
    result = audited(tmp_path, rows, columns={**PREDICTION, "weight": "w"})
    told = [(g.group, g.rows, g.n, g.missing) for g in result.facets[0].groups]
    assert told == [("f", 4, 4, 12), ("m", 4, 7, 0), ("(missing)", 1, 5, 0)]


# Who takes part in a conditional disparity.


def strata(*rows: tuple[str, str, int, int]) -> pl.DataFrame:
    """Return people by stratum, sex and outcome, so many of each."""
    people = [(city, sex, outcome) for city, sex, outcome, n in rows for _ in range(n)]
    return pl.DataFrame(people, schema=["city", "sex", "p"], orient="row")


@on_every_engine
def test_strata_of_one_kind_do_not_make_up_for_people(engine: EngineName, tmp_path: Path) -> None:
    """Four people who are compared are four, however many are in strata of one outcome."""
    one_sided = [("all", sex, 1, 249) for sex in "mf"] + [("none", sex, 0, 249) for sex in "mf"]
    few = [("few", sex, outcome, 1) for sex in "mf" for outcome in (0, 1)]
    write(tmp_path / "data.parquet", strata(*one_sided, *few))
    spec: dict[str, Any] = {
        "columns": {**PREDICTION, "strata": "city"},
        "metrics": {"CDDPL": {"max_abs": 0.1}},
        "data": {"path": "data.parquet"},
        "decision": {"min_rows": 30},
    }
    (found,) = run(prepare(tmp_path, **spec), Options(engine=engine)).result.checks
    assert (found.value, found.verdict) == (0, "undecided")
    assert (
        found.reason == "of f, only 2 people in comparable strata, and of m, only 2; 30 are needed"
    )


@on_every_engine
def test_strata_of_one_group_are_listed(engine: EngineName, tmp_path: Path) -> None:
    """Strata of one group, which count as no disparity, are listed with what they hide."""
    mixed = [("x", "m", 1, 20), ("x", "m", 0, 2), ("x", "f", 1, 2), ("x", "f", 0, 20)]
    alone = [("y", "m", 1, 200), ("y", "m", 0, 156)]
    write(tmp_path / "data.parquet", strata(*mixed, *alone))
    spec: dict[str, Any] = {
        "columns": {**PREDICTION, "strata": "city"},
        "metrics": {"CDDPL": None},
        "data": {"path": "data.parquet"},
    }
    (found,) = run(prepare(tmp_path, **spec), Options(engine=engine)).result.checks
    assert [(s.stratum, s.rows) for s in found.strata_of_one_group or ()] == [("y", 356)]
    assert found.value == pytest.approx(0.09)
    assert (found.note or "").endswith(
        "89% of the people are in strata of one group, which count as no disparity; without them"
        " the value is +0.818"
    )
