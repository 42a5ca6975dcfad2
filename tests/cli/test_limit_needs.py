"""What `check --data` says of the people that limits need."""

from typing import Any

import pytest

from tests.cli.calls import call, write_audit
from tests.cli.test_false_passes import table

P: dict[str, Any] = {"prediction": {"column": "p", "positive": 1}}
SEX: dict[str, Any] = {"sex": {"column": "sex", "favored": "men"}}
ROWS = table("sex,p", "men,1 x 300", "men,0 x 300", "women,1 x 131", "women,0 x 132")
BY_INTERVAL = "  people needed so that groups that are alike pass four times in five:"


def needs(metrics: dict[str, Any], decide_by: str = "inside", rows: str = ROWS) -> list[str]:
    """Return what the check of a spec with its data says below the columns."""
    parts: dict[str, Any] = {"columns": P, "facets": SEX, "metrics": metrics}
    spec = write_audit(rows=rows, **parts, decision={"decide_by": decide_by})
    found = call("check", spec, "--data")
    assert found.code == 0
    return found.out.splitlines()[3:]


def test_ratio_needs_as_many_people_as_is_published() -> None:
    """DI from 0.8 to 1.25 at a rate of 1/2 needs about 430 people in each group, 422 rounded up."""
    assert needs({"DI": {"min": 0.8, "max": 1.25}}) == [
        BY_INTERVAL,
        (
            "    sex: DI min 0.8 and max 1.25 needs about 430 people in each group; there are 600"
            " men and 263 women: too few, of audits of groups that are alike 71% would pass; as"
            " they are split, 700 men and 310 women would do"
        ),
    ]


@pytest.mark.parametrize("decide_by", ["inside", "outside"])
def test_people_that_are_enough_are_said_to_be(decide_by: str) -> None:
    """Both ways of deciding by intervals ask the whole interval of a pass."""
    assert needs({"DPPL": {"max_abs": 0.2}}, decide_by) == [
        BY_INTERVAL,
        (
            "    sex: DPPL max_abs 0.2 needs about 140 people in each group; there are 600 men and"
            " 263 women: enough"
        ),
    ]


def test_value_alone_asks_for_fewer_people() -> None:
    """Where values decide, people are needed so that a limit is not broken by chance."""
    assert needs({"DI": {"min": 0.8, "max": 1.25}}, "value") == [
        "  people needed so that groups that are alike keep a limit 19 times in 20:",
        (
            "    sex: DI min 0.8 and max 1.25 needs about 160 people in each group; there are 600"
            " men and 263 women: enough"
        ),
    ]


@pytest.mark.parametrize(
    ("metric", "limits", "words"),
    [
        ("DPPL", {"max_abs": 0}, "cannot be met by any number of people: parity itself lies on it"),
        ("DI", {"min": 1}, "cannot be met by any number of people: parity itself lies on it"),
        (
            "DI",
            {"min": 1.1, "max": 2},
            "can never be met by groups that are alike: parity itself is beyond it",
        ),
        ("CI", {"max_abs": 0.9}, "needs no number of people: it compares how large the groups are"),
    ],
)
def test_limit_that_people_do_not_meet_is_said_to_be(
    metric: str, limits: dict[str, float], words: str
) -> None:
    """A limit on parity or beyond it, and one of sizes, are told apart from lack of people."""
    assert needs({metric: limits})[1].endswith(words)


def test_rates_of_nobody_are_said_to_tell_nothing() -> None:
    """Where nobody has the outcome a ratio has no variance to work with."""
    rows = table("sex,p", "men,0 x 60", "women,0 x 60", "rest,1 x 5")
    parts: dict[str, Any] = {
        "columns": P,
        "facets": {"sex": {"column": "sex", "favored": "men", "disfavored": "women"}},
    }
    spec = write_audit(rows=rows, **parts, metrics={"DI": {"min": 0.8}})
    assert "too few people tell how far it varies" in call("check", spec, "--data").out


def needs_of(groups: int, people: int, facet: dict[str, Any], **rest: Any) -> list[str]:
    """Return what a limit on DI needs of groups of one size, half of whom are accepted."""
    rows = [f"g{i},{p} x {people // 2}" for i in range(groups) for p in (0, 1)]
    facets = {"g": {"column": "g", **facet}}
    parts: dict[str, Any] = {"columns": P, "facets": facets, "metrics": {"DI": {"min": 0.8}}}
    spec = write_audit(rows=table("g,p", *rows), **{**parts, **rest})
    out = call("check", spec, "--data").out.split("four times in five:\n")[1]
    return [line.strip() for line in out.splitlines()]


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (
            {"facet": {"compare": "best"}},
            (
                "g: DI min 0.8 needs about 1,400 people in each group; there are 450 g0 and 450 g1:"
                " too few, of audits of groups that are alike 5% would pass; as they are split,"
                " 1,400 g0 and 1,400 g1 would do; too few in 8 comparisons more"
            ),
        ),
        (
            {
                "facet": {"favored": "g0"},
                "decision": {"decide_by": "inside", "correction": "holm"},
                "metrics": {"DI": {"min": 0.8}, "DPPL": {"max_abs": 0.5}},
            },
            (
                "g: DI min 0.8 needs about 580 people in each group; there are 450 g0 and 450 g1:"
                " too few, of audits of groups that are alike 66% would pass; as they are split,"
                " 580 g0 and 580 g1 would do; too few in 8 comparisons more"
            ),
        ),
        (
            {"facet": {"favored": "g0"}, "decision": {"decide_by": "inside"}},
            (
                "g: DI min 0.8 needs about 320 people in each group; there are 450 g0 and 450 g1:"
                " enough, as in 8 comparisons more"
            ),
        ),
    ],
)
def test_people_are_held_against_the_critical_value_of_the_run(
    rest: dict[str, Any], words: str
) -> None:
    """A best group that was picked, and a correction, take more people to be enough."""
    decided: dict[str, Any] = {"decision": {"decide_by": "inside"}}
    assert words in needs_of(10, 450, **{**decided, **rest})


def test_people_whom_the_run_finds_too_few_are_never_enough() -> None:
    """Fewer than min_rows in a group, or in a denominator, are too few whatever the limit is."""
    rows = table("sex,p", "men,1 x 200", "men,0 x 200", "women,1 x 10", "women,0 x 10")
    wide = {"DI": {"min": 0.5, "max": 2}, "DPPL": {"max_abs": 0.9}}
    assert needs(wide, rows=rows) == [
        BY_INTERVAL,
        (
            "    sex: DI min 0.5 and max 2 needs about 60 people in each group; there are 400 men"
            " and 20 women: too few, of women, only 20 people; 30 are needed; as they are split,"
            " 1,200 men and 60 women would do"
        ),
        (
            "    sex: DPPL max_abs 0.9 needs about 30 people in each group; there are 400 men and"
            " 20 women: too few, of women, only 20 people; 30 are needed; as they are split, 600"
            " men and 30 women would do"
        ),
    ]


def test_spec_without_limits_needs_nobody() -> None:
    """Where nothing is limited nothing is said."""
    assert needs({"DI": {}})[:1] != [BY_INTERVAL]


BY_IMPACT = "  people needed so that a ratio of min_ratio is significant four times in five:"


@pytest.mark.parametrize(
    ("impact", "words"),
    [
        (
            {"min_ratio": "9/10", "significance": 0.05},
            (
                "impact 9/10, p < 0.05 needs about 1,500 people in each group; there are 600 men"
                " and 263 women: too few; as they are split, 2,500 men and 1,100 women would do"
            ),
        ),
        (
            {"min_ratio": "4/5", "significance": 0.05},
            (
                "impact 4/5, p < 0.05 needs about 340 people in each group; there are 600 men and"
                " 263 women: enough"
            ),
        ),
        (
            {"min_ratio": "4/5"},
            "impact 4/5 asks for no significance: chance may put a ratio below 4/5",
        ),
    ],
)
def test_impact_needs_people_to_be_significant(impact: dict[str, Any], words: str) -> None:
    """Of adverse impact is said how many people make a ratio of min_ratio significant."""
    assert needs({"DI": {"impact": impact}})[:2] == [BY_IMPACT, f"    sex: DI {words}"]
