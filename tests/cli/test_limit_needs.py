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
            " men and 263 women: too few, 71% would pass; as they are split, 700 men and 310 women"
            " would do"
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


def test_spec_without_limits_needs_nobody() -> None:
    """Where nothing is limited nothing is said."""
    assert needs({"DI": {}})[:1] != [BY_INTERVAL]
