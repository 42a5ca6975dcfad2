"""Intervals, named groups and crosses: who is in them, what they are called, in which order."""

from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from biaspipe.counts import Cell
from biaspipe.errors import SpecError
from biaspipe.plan import make_plan
from biaspipe.plan.people import people_of
from biaspipe.report import Result
from tests.engines.builders import audited, comparisons, ledger, names, prepare

REST = "the rest"
PEOPLE = pl.DataFrame(
    [
        (18, "f", "x", 1),
        (24, "m", "x", 0),
        (25, "f", "y", 0),
        (40, "m", "y", 1),
        (59, "f", "x", 1),
        (60, "m", "x", 1),
        (75, "f", "y", 0),
        (None, "m", "y", 1),
    ],
    schema=["age", "sex", "site", "label"],
    orient="row",
)
AGES = {"young": {"below": 25}, "middle": {"at_least": 25, "below": 60}, "old": {"at_least": 60}}
ENDS = {"young": {"below": 25}, "old": {"at_least": 60}}


def audit(folder: Path, **facets: Any) -> Result:
    """Audit facets of the people."""
    return audited(folder, PEOPLE, facets=facets)


def rows(result: Result, facet: str) -> list[tuple[int, int]]:
    """Return the rows on either side of each comparison."""
    found = comparisons(result, facet)
    return [(c.counts["favored"].rows, c.counts["disfavored"].rows) for c in found]


def test_interval_on_one_side_is_compared_with_the_rest(tmp_path: Path) -> None:
    """A disfavored interval is one side against everybody else."""
    result = audit(tmp_path, age={"column": "age", "disfavored": {"at_least": 60}})
    assert names(result, "age") == [(REST, "age >= 60")]
    assert rows(result, "age") == [(5, 2)]
    assert ledger(result, "age") == {"favored": 5, "disfavored": 2, "facet_missing": 1}


def test_favored_interval_is_compared_with_each_value(tmp_path: Path) -> None:
    """A favored interval alone is compared with every single value outside it."""
    result = audit(tmp_path, age={"column": "age", "favored": {"above": 24, "at_most": 60}})
    side = "24 < age <= 60"
    assert names(result, "age") == [(side, "18"), (side, "24"), (side, "75")]
    assert rows(result, "age") == [(4, 1)] * 3


@pytest.mark.parametrize(
    ("facet", "expected", "people", "other"),
    [
        (
            {"favored": {"at_least": 60}, "disfavored": {"below": 25}},
            ("age >= 60", "age < 25"),
            (2, 2),
            3,
        ),
        (
            {"favored": {"above": 25, "at_most": 60}, "disfavored": {"below": 18.5}},
            ("25 < age <= 60", "age < 18.5"),
            (3, 1),
            3,
        ),
        ({"favored": {"at_least": 60}, "disfavored": [18, 25]}, ("age >= 60", "18, 25"), (2, 2), 3),
        ({"favored": 40, "disfavored": {"below": 40}}, ("40", "age < 40"), (1, 3), 3),
    ],
)
def test_intervals_on_both_sides(
    facet: dict[str, Any],
    expected: tuple[str, str],
    people: tuple[int, int],
    other: int,
    tmp_path: Path,
) -> None:
    """Two sides of which one is an interval leave everybody else in another group."""
    result = audit(tmp_path, age={"column": "age", **facet})
    assert names(result, "age") == [expected]
    assert rows(result, "age") == [people]
    assert ledger(result, "age")["other"] == other


@pytest.mark.parametrize(
    ("side", "text"),
    [({"above": 75}, "age > 75"), ({"below": 18}, "age < 18"), ({"above": 25, "below": 40}, "age")],
)
def test_interval_without_people_is_refused(
    side: dict[str, Any], text: str, tmp_path: Path
) -> None:
    """An interval in which nobody lies is a wrong spec."""
    for facet in ({"disfavored": side}, {"favored": side}, {"groups": {"x": side, "y": 18}}):
        with pytest.raises(SpecError, match=f"{text}.* does not occur"):
            audit(tmp_path, age={"column": "age", **facet})


@pytest.mark.parametrize(
    ("facet", "expected"),
    [
        ({"favored": "middle"}, [("middle", "young"), ("middle", "old")]),
        ({"favored": "middle", "disfavored": "old"}, [("middle", "old")]),
        ({"favored": ["old", "middle"]}, [("middle, old", "young")]),
        ({}, [(REST, "young"), (REST, "middle"), (REST, "old")]),
        ({"compare": "best"}, [("middle", "young"), ("middle", "old")]),
        ({"compare": "pairs"}, [("middle", "young"), ("young", "old"), ("middle", "old")]),
    ],
)
def test_named_groups_are_compared_in_their_order(
    facet: dict[str, Any], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    """Named groups are compared by name, in the order of the spec."""
    assert names(audit(tmp_path, age={"column": "age", "groups": AGES, **facet}), "age") == expected


def test_value_in_no_group_is_in_the_rest(tmp_path: Path) -> None:
    """People in none of the named groups are in the rest."""
    result = audit(tmp_path, age={"column": "age", "groups": ENDS})
    assert rows(result, "age") == [(5, 2), (5, 2)]
    assert ledger(result, "age") == {"favored": 3, "disfavored": 4, "facet_missing": 1}


def test_value_in_no_group_is_not_compared_with_a_named_one(tmp_path: Path) -> None:
    """People in none of the named groups are other people where one group is favored."""
    result = audit(tmp_path, age={"column": "age", "groups": ENDS, "favored": "old"})
    assert rows(result, "age") == [(2, 2)]
    assert ledger(result, "age") == {
        "favored": 2,
        "disfavored": 2,
        "other": 3,
        "facet_missing": 1,
    }


def test_groups_of_values_are_lists(tmp_path: Path) -> None:
    """A named group may be a value, a list of values, or an interval beside values."""
    groups = {"old": {"at_least": 60}, "two": [18, "24"], "one": 40.0}
    result = audit(tmp_path, age={"column": "age", "groups": groups, "favored": "old"})
    assert names(result, "age") == [("old", "two"), ("old", "one")]
    assert rows(result, "age") == [(2, 2), (2, 1)]


CROSSED: dict[str, Any] = {
    "age": {"column": "age", "groups": ENDS},
    "sex": {"column": "sex", "favored": "m"},
    "site": {"column": "site"},
}


def test_cross_compares_intersections(tmp_path: Path) -> None:
    """A cross compares the intersections that occur, named after their parts."""
    cross = {"cross": ["sex", "age"], "favored": "m & old"}
    result = audit(tmp_path, **CROSSED, both=cross)
    assert names(result, "both") == [
        ("m & old", "f & young"),
        ("m & old", "f & old"),
        ("m & old", "m & young"),
    ]
    assert ledger(result, "both") == {
        "favored": 1,
        "disfavored": 3,
        "other": 3,
        "facet_missing": 1,
    }


def test_cross_of_three(tmp_path: Path) -> None:
    """A cross of three facets has the groups of all three that occur together."""
    result = audit(tmp_path, **CROSSED, all={"cross": ["site", "age", "sex"]})
    assert [disfavored for _, disfavored in names(result, "all")] == [
        "x & young & f",
        "x & young & m",
        "x & old & m",
        "y & old & f",
    ]
    assert rows(result, "all") == [(6, 1)] * 4


def test_cross_refuses_an_intersection_that_does_not_occur(tmp_path: Path) -> None:
    """An intersection that nobody is in is a wrong spec that shows the others."""
    cross = {"cross": ["sex", "age"], "favored": "m & middle"}
    with pytest.raises(SpecError) as caught:
        audit(tmp_path, **CROSSED, both=cross)
    (fault,) = caught.value.faults
    assert fault.message == "'m & middle' does not occur in the cross"
    assert fault.expected == "one of 'f & young', 'f & old', 'm & young', 'm & old'"


def test_order_of_groups_does_not_follow_the_rows(tmp_path: Path) -> None:
    """The groups of a cross are in one order, whatever order the data is counted in."""
    facets = {
        "team": {"column": "team", "groups": {"g": ["p", "q"], "h": ["r", "s"]}},
        "site": {"column": "site", "groups": {"i": ["u", "v"], "j": ["w", "x"]}},
        "both": {"cross": ["team", "site"]},
    }
    plan = make_plan(prepare(tmp_path, data={"path": "x"}, columns={}, facets=facets).audit)
    cells = [Cell((team, site), 1, 1) for team in range(4) for site in range(4)]
    orders = [Random(seed).sample(cells, len(cells)) for seed in range(20)]
    found = {people_of(plan, "both", order).names for order in orders}
    assert found == {("g & i", "g & j", "h & i", "h & j")}


@pytest.mark.parametrize(
    ("team", "site"),
    [
        (["x & y", "x", "x", "x & y"], ["z", "y & z", "z", "y & z"]),
        (["", "''", "", "''"], ["a", "a", "b", "b"]),
    ],
)
def test_groups_with_the_same_name_are_not_merged(
    team: list[str], site: list[str], tmp_path: Path
) -> None:
    """Intersections whose names read alike stay apart."""
    frame = pl.DataFrame({"team": team, "site": site, "label": [1, 0, 1, 0]})
    facets = {
        "team": {"column": "team"},
        "site": {"column": "site"},
        "both": {"cross": ["team", "site"]},
    }
    result = audited(tmp_path, frame, facets=facets)
    assert rows(result, "both") == [(3, 1)] * 4


@pytest.mark.parametrize("name", ["the rest", "(missing)", "(in no group)", "   "])
@pytest.mark.parametrize("declared", [False, True])
def test_names_that_mean_others_are_quoted(name: str, declared: bool, tmp_path: Path) -> None:
    """A group that is called like no group, or by blanks, is quoted, and is found by its name."""
    frame = pl.DataFrame({"team": [name, name, "a", None], "label": [1, 0, 1, 1]})
    groups = {"groups": {name: [name], "a": ["a"]}} if declared else {}
    facets = {"team": {"column": "team", "favored": name, **groups}}
    result = audited(tmp_path, frame, facets=facets)
    (comparison,) = result.facets[0].comparisons
    assert (comparison.favored, comparison.disfavored) == (repr(name), "a")
    names = [group.group for group in result.facets[0].groups]
    assert sorted(names) == sorted(["(missing)", repr(name), "a"])


def test_side_that_is_called_like_no_group_is_quoted(tmp_path: Path) -> None:
    """Where both sides are declared, one with such a name is the group of that value."""
    frame = pl.DataFrame({"team": ["the rest", "the rest", "a"], "label": [1, 0, 1]})
    facets = {"team": {"column": "team", "favored": "the rest", "disfavored": "a"}}
    (comparison,) = audited(tmp_path, frame, facets=facets).facets[0].comparisons
    assert (comparison.favored, comparison.counts["favored"].n) == ("'the rest'", 2)
