"""Which groups a spec compares, in which direction and order, and what it refuses."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from biaspipe.errors import SpecError
from biaspipe.report import Result
from tests.engines.builders import audited, comparisons, names

COLUMNS = {"prediction": {"column": "picked", "positive": 1}}
REST = "the rest"


def crowd(**groups: tuple[int, int]) -> pl.DataFrame:
    """Return rows of a team each, so many of them picked of so many."""
    people = [(t, int(i < k)) for t, (k, n) in groups.items() for i in range(n)]
    return pl.DataFrame(people, schema=["team", "picked"], orient="row")


def values(*held: Any, dtype: Any = None) -> pl.DataFrame:
    """Return two rows for each value, one of them picked."""
    team = pl.Series([v for v in held for _ in range(2)], dtype=dtype)
    return pl.DataFrame({"team": team, "picked": [1, 0] * len(held)})


def compared(folder: Path, frame: pl.DataFrame, **facet: Any) -> Result:
    """Audit one facet of a crowd."""
    facets = {"sex": {"column": "team", **facet}}
    return audited(folder, frame, columns=COLUMNS, facets=facets)


THREE = crowd(a=(1, 4), b=(3, 4), c=(2, 4))


@pytest.mark.parametrize(
    ("facet", "expected"),
    [
        ({"favored": "b"}, [("b", "a"), ("b", "c")]),
        ({"favored": "b", "compare": "favored"}, [("b", "a"), ("b", "c")]),
        ({"favored": ["b", "c"]}, [("b, c", "a")]),
        ({"favored": "b", "disfavored": "a"}, [("b", "a")]),
        ({"favored": "b", "disfavored": ["a", "c"]}, [("b", "a, c")]),
        ({"favored": ["c", "b"], "disfavored": "a"}, [("b, c", "a")]),
        ({}, [(REST, "a"), (REST, "b"), (REST, "c")]),
        ({"compare": "rest"}, [(REST, "a"), (REST, "b"), (REST, "c")]),
        ({"disfavored": "b"}, [(REST, "b")]),
        ({"disfavored": ["a", "b"]}, [(REST, "a, b")]),
        ({"compare": "rest", "disfavored": "b"}, [(REST, "b")]),
        ({"compare": "over_rest"}, [("a", REST), ("b", REST), ("c", REST)]),
        ({"compare": "over_rest", "favored": "b"}, [("b", REST)]),
        ({"compare": "over_rest", "favored": ["a", "b"]}, [("a, b", REST)]),
        ({"compare": "best"}, [("b", "a"), ("b", "c")]),
        ({"compare": "pairs"}, [("b", "a"), ("c", "a"), ("b", "c")]),
    ],
)
def test_sides_follow_the_facet(
    facet: dict[str, Any], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    """Each way to compare names its favored and disfavored sides in the order of the values."""
    assert names(compared(tmp_path, THREE, **facet)) == expected


def test_rest_is_everybody_else(tmp_path: Path) -> None:
    """The rest of the data is everybody with another value."""
    found = comparisons(compared(tmp_path, THREE))
    people = [(c.counts["favored"].rows, c.counts["favored"].predicted_positives) for c in found]
    assert people == [(8, 5), (8, 3), (8, 4)]


def test_range_over_the_rest(tmp_path: Path) -> None:
    """An interval is one side, and everybody else with a value the other."""
    frame = pl.DataFrame({"team": [1, 2, 3, 4, None], "picked": [1, 1, 0, 0, 1]})
    favored = {"at_least": 1, "below": 3}
    (found,) = comparisons(compared(tmp_path, frame, compare="over_rest", favored=favored))
    assert (found.favored, found.disfavored) == ("1 <= team < 3", REST)
    assert (found.counts["favored"].rows, found.counts["disfavored"].rows) == (2, 2)


def test_missing_values_are_not_in_the_rest(tmp_path: Path) -> None:
    """People without a value of the facet are on neither side."""
    frame = pl.concat(
        [THREE, pl.DataFrame({"team": [None], "picked": [1]})], how="vertical_relaxed"
    )
    (found,) = comparisons(compared(tmp_path, frame, disfavored="a"))
    assert (found.counts["favored"].rows, found.counts["disfavored"].rows) == (8, 4)


def test_list_is_one_side(tmp_path: Path) -> None:
    """The values of a list are one side together."""
    (found,) = comparisons(compared(tmp_path, THREE, favored=["b", "c"]))
    side = found.counts["favored"]
    assert (side.rows, side.predicted_positives, side.predicted_negatives) == (8, 5, 3)


@pytest.mark.parametrize("compare", ["pairs", "best"])
def test_first_group_is_favored_in_a_tie(compare: str, tmp_path: Path) -> None:
    """Of groups with the same selection rate the first one is favored."""
    frame = crowd(c=(1, 2), b=(2, 4), a=(1, 4))
    assert names(compared(tmp_path, frame, compare=compare))[0] == ("b", "a")


@pytest.mark.parametrize("compare", ["pairs", "best"])
def test_rates_are_compared_exactly(compare: str, tmp_path: Path) -> None:
    """Selection rates that differ little are told apart, whatever the size of the groups."""
    frame = crowd(a=(333, 1000), b=(1, 3))
    assert names(compared(tmp_path, frame, compare=compare)) == [("b", "a")]


@pytest.mark.parametrize("compare", ["pairs", "best"])
def test_labels_orient_where_nothing_is_predicted(compare: str, tmp_path: Path) -> None:
    """Without a prediction the share of favorable labels says who is favored."""
    columns = {"label": {"column": "picked", "positive": 1}}
    facets = {"sex": {"column": "team", "compare": compare}}
    result = audited(tmp_path, crowd(a=(1, 4), b=(3, 4)), columns=columns, facets=facets)
    assert names(result) == [("b", "a")]


def test_predictions_orient_before_labels(tmp_path: Path) -> None:
    """With label and prediction the share of favorable predictions says who is favored."""
    frame = crowd(a=(1, 4), b=(3, 4)).with_columns(label=1 - pl.col("picked"))
    columns = {**COLUMNS, "label": {"column": "label", "positive": 1}}
    facets = {"sex": {"column": "team", "compare": "best"}}
    assert names(audited(tmp_path, frame, columns=columns, facets=facets)) == [("b", "a")]


@pytest.mark.parametrize("compare", ["pairs", "best"])
def test_group_without_known_predictions_is_compared(compare: str, tmp_path: Path) -> None:
    """A group whose predictions are all missing is there, and never the favored one."""
    nobody = pl.DataFrame({"team": ["0", "0"], "picked": pl.Series([None, None], dtype=pl.Int64)})
    result = audited(
        tmp_path,
        pl.concat([nobody, crowd(a=(0, 4))]),
        columns={"prediction": {"column": "picked", "at_least": 1, "constant": "allowed"}},
        facets={"sex": {"column": "team", "compare": compare}},
    )
    assert names(result) == [("a", "0")]
    assert comparisons(result)[0].counts["disfavored"].n == 0


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (values(10, 9, 2), ["2", "9", "10"]),
        (values(10, -1, 2), ["-1", "2", "10"]),
        (values(1.5, 10.0, 2.0), ["1.5", "2", "10"]),
        (values("10", "9", "2"), ["10", "2", "9"]),
        (values("b", "A", "ä", "a"), ["A", "a", "b", "ä"]),
        (values(True, False), ["false", "true"]),
        (values(date(2026, 10, 1), date(2026, 9, 1)), ["2026-09-01", "2026-10-01"]),
        (values("z", "y", dtype=pl.Enum(["z", "y"])), ["y", "z"]),
    ],
)
def test_groups_are_in_the_order_of_their_values(
    frame: pl.DataFrame, expected: list[str], tmp_path: Path
) -> None:
    """Comparisons follow the order of the values, numbers by size and texts by letter."""
    assert names(compared(tmp_path, frame)) == [(REST, name) for name in expected]


@pytest.mark.parametrize(
    ("facet", "message"),
    [
        ({"favored": "d"}, "'d' does not occur in team"),
        ({"favored": "a", "disfavored": "d"}, "'d' does not occur in team"),
        ({"favored": ["a", "d"]}, "'d' does not occur in team"),
        ({"disfavored": "d"}, "'d' does not occur in team"),
        ({"groups": {"x": "a", "y": ["b", "d"]}}, "'d' does not occur in column 'team'"),
    ],
)
def test_absent_value_is_refused(facet: dict[str, Any], message: str, tmp_path: Path) -> None:
    """A value that nobody holds is a wrong spec that shows the values that occur."""
    with pytest.raises(SpecError) as caught:
        compared(tmp_path, THREE, **facet)
    (fault,) = caught.value.faults
    assert fault.message == message
    assert fault.expected == "one of 'a', 'b', 'c'"


def test_nearest_value_is_shown(tmp_path: Path) -> None:
    """The refusal of a value names the one that is closest to it."""
    with pytest.raises(SpecError) as caught:
        compared(tmp_path, crowd(male=(1, 2), female=(1, 2)), favored="Mael")
    assert caught.value.faults[0].hint == "did you mean 'male'?"


def test_every_absent_value_is_refused_at_once(tmp_path: Path) -> None:
    """Values that do not occur are shown together, of label, prediction and facets."""
    frame = THREE.with_columns(label=1)
    with pytest.raises(SpecError) as caught:
        audited(
            tmp_path,
            frame,
            columns={
                "label": {"column": "label", "positive": [1, 7]},
                "prediction": {"column": "picked", "positive": 8},
            },
            facets={"x": {"column": "team", "favored": "d"}, "y": {"column": "team"}},
        )
    assert [fault.message for fault in caught.value.faults] == [
        "7 does not occur in column 'label'",
        "8 does not occur in column 'picked'",
        "'d' does not occur in team",
    ]


@pytest.mark.parametrize(
    "facet",
    [
        {"favored": "a"},
        {"compare": "pairs"},
        {"compare": "best"},
        {},
        {"disfavored": "a"},
        {"groups": {"all": "a"}},
    ],
)
def test_one_value_has_nothing_to_compare_with(facet: dict[str, Any], tmp_path: Path) -> None:
    """A facet of one value is a wrong spec, since there is nobody on the other side."""
    with pytest.raises(SpecError, match=r"nothing to compare: only '(a|all)' occurs"):
        compared(tmp_path, crowd(a=(1, 4)), **facet)


@pytest.mark.parametrize("facet", [{"favored": ["a", "b", "c"]}, {"disfavored": ["a", "b", "c"]}])
def test_side_of_everybody_has_nothing_to_compare_with(
    facet: dict[str, Any], tmp_path: Path
) -> None:
    """A side that holds every value is a wrong spec, since it leaves nobody for the other."""
    with pytest.raises(SpecError, match="nothing to compare"):
        compared(tmp_path, THREE, **facet)


@pytest.mark.parametrize("facet", [{}, {"favored": 1}, {"disfavored": 1}, {"compare": "best"}])
def test_too_many_values_are_refused(facet: dict[str, Any], tmp_path: Path) -> None:
    """A facet of more than 250 values is a wrong spec that advises to declare groups."""
    assert len(compared(tmp_path, values(*range(250))).facets[0].comparisons) == 250
    with pytest.raises(SpecError, match="251 distinct values; at most 250") as caught:
        compared(tmp_path, values(*range(251)), **facet)
    assert caught.value.faults[0].hint == (
        "declare groups: intervals for numbers, lists for values"
    )


def test_too_many_pairs_are_refused(tmp_path: Path) -> None:
    """More than 2,000 comparisons of a facet are a wrong spec."""
    assert len(names(compared(tmp_path, values(*range(63)), compare="pairs"))) == 1953
    with pytest.raises(SpecError, match=r"2,016 comparisons; at most 2,?000"):
        compared(tmp_path, values(*range(64)), compare="pairs")


def test_group_of_which_nobody_is_selected_is_there(tmp_path: Path) -> None:
    """A group of 20 people of whom nobody is selected fails its limit instead of vanishing."""
    facets = {"sex": {"column": "team", "favored": "a"}}
    frame = crowd(a=(500, 1000), b=(0, 20), c=(400, 1000))
    metrics = {"DI": {"min": 0.8}}
    result = audited(tmp_path, frame, columns=COLUMNS, facets=facets, metrics=metrics)
    assert names(result) == [("a", "b"), ("a", "c")]
    assert [(c.value, c.verdict) for c in result.checks] == [(0.0, "fail"), (0.8, "pass")]
    assert result.verdict == "fail"
