"""Every row read is accounted for once per facet, whatever is missing and compared."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.engines.builders import WAYS, audited, count_as_large
from tests.examples import examples, some


class Person(NamedTuple):
    """A row: what it is grouped by, its outcomes, and what the condition looks at."""

    team: str | None
    age: float | None
    label: int | None
    score: float | None
    keep: bool | None


PEOPLE = st.builds(
    Person,
    st.sampled_from([None, "a", "b", "c"]),
    st.sampled_from([None, float("nan"), 20.0, 40.0, 60.0]),
    st.sampled_from([None, 0, 1]),
    st.sampled_from([None, float("nan"), 0.2, 0.8]),
    st.sampled_from([None, True, True, False]),
)
ALWAYS = [
    Person(team, age, label, 0.8, True)
    for team, age, label in (("a", 60.0, 1), ("b", 20.0, 0), ("c", 40.0, 1))
]
"""Rows that make every named value occur."""

AGES = {"young": {"below": 30}, "old": {"at_least": 50}}
FACETS: dict[str, dict[str, Any]] = {
    "one": {"column": "team", "favored": "a", "disfavored": "b"},
    "each": {"column": "team", "favored": "a"},
    "list": {"column": "team", "favored": ["a", "b"]},
    "rest": {"column": "team"},
    "only": {"column": "team", "disfavored": "b"},
    "pairs": {"column": "team", "compare": "pairs"},
    "best": {"column": "team", "compare": "best"},
    "ages": {"column": "age", "groups": AGES, "favored": "old"},
    "ages_rest": {"column": "age", "groups": AGES},
    "cut": {"column": "age", "disfavored": {"below": 30}},
    "ends": {"column": "age", "favored": {"at_least": 50}, "disfavored": {"below": 30}},
    "cross": {"cross": ["one", "ages"], "favored": "a & old"},
}
Group = str | None
"""A group's name; empty for people in no group, None where a value is missing."""


def team(person: Person) -> Group:
    """Return the team."""
    return person.team


def age(person: Person) -> Group:
    """Return the named group of an age."""
    if missing(person.age):
        return None
    return {20.0: "young", 40.0: "", 60.0: "old"}[person.age or 0]


def both(person: Person) -> Group:
    """Return the intersection of team and age."""
    parts = (team(person), age(person))
    if None in parts:
        return None
    return "" if "" in parts else f"{parts[0]} & {parts[1]}"


def missing(value: float | str | None) -> bool:
    """Tell whether a value is null or NaN."""
    return value is None or (isinstance(value, float) and isnan(value))


GROUPS: dict[str, Callable[[Person], Group]] = {
    **dict.fromkeys(FACETS, team),
    "ages": age,
    "ages_rest": age,
    "cut": age,
    "ends": age,
    "cross": both,
}


def rate(people: list[Person], name: str) -> Fraction:
    """Return the selection rate of a team, -1 where nobody's outcomes are known."""
    known = [p for p in people if p.keep and p.team == name and p.label is not None]
    scores = [p.score for p in known if not missing(p.score)]
    return Fraction(sum((s or 0) > 0.5 for s in scores), len(scores)) if scores else Fraction(-1)


def disfavored(facet: str, people: list[Person]) -> set[str]:
    """Return the groups that stand on the disfavored side of some comparison."""
    teams = {"a", "b", "c"}
    highest = max(sorted(teams), key=lambda name: rate(people, name))
    return {
        "one": {"b"},
        "each": {"b", "c"},
        "list": {"c"},
        "rest": teams,
        "only": {"b"},
        "pairs": teams - {highest},
        "best": teams - {highest},
        "ages": {"young"},
        "ages_rest": {"young", "old"},
        "cut": {"young"},
        "ends": {"young"},
        "cross": {f"{t} & {a}" for t in teams for a in AGES} - {"a & old"},
    }[facet]


def favored(facet: str) -> set[str]:
    """Return the groups that stand on the favored side of some comparison."""
    return {
        "one": {"a"},
        "ages": {"old"},
        "ends": {"old"},
        "cross": {"a & old"},
        "cut": {"old", ""},
        "ages_rest": {"young", "old", ""},
    }.get(facet, {"a", "b", "c"})


def fate(person: Person, facet: str, against: set[str]) -> str:
    """Return what becomes of a row, by the first reason that applies."""
    group = GROUPS[facet](person)
    reasons = {
        "removed_by_where": not person.keep,
        "facet_missing": group is None,
        "label_missing": person.label is None,
        "prediction_missing": missing(person.score),
        "disfavored": group in against,
        "favored": group in favored(facet),
    }
    return next((reason for reason, applies in reasons.items() if applies), "other")


@pytest.mark.parametrize("way", some(WAYS))
@examples(25, unchecked=[HealthCheck.function_scoped_fixture])
@given(drawn=st.lists(PEOPLE, max_size=40))
def test_ledger_equals_a_slow_count(
    way: str, drawn: list[Person], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger of every facet is that of a count by hand, and adds up to the rows read."""
    count_as_large(monkeypatch, way)
    people = ALWAYS + drawn
    schema = {"team": pl.String, "age": pl.Float64, "label": pl.Int8, "score": pl.Float64}
    result = audited(
        tmp_path,
        pl.DataFrame(people, schema={**schema, "keep": pl.Boolean}, orient="row"),
        columns={
            "label": {"column": "label", "positive": 1},
            "prediction": {"column": "score", "above": 0.5, "constant": "allowed"},
        },
        data={"where": "keep"},
        facets=FACETS,
    )
    for facet in FACETS:
        against = disfavored(facet, people)
        expected = Counter(fate(person, facet, against) for person in people)
        found = result.data.ledger[facet].model_dump()
        assert {reason: n for reason, n in found.items() if n} == dict(expected)
        assert sum(found.values()) == result.data.rows == len(people)


def test_ledger_names_every_reason(tmp_path: Path) -> None:
    """A ledger has all its numbers, those of which there are none with 0."""
    frame = pl.DataFrame({"sex": ["m", "f"], "label": [1, 0]})
    assert audited(tmp_path, frame).data.ledger["sex"].model_dump() == {
        "favored": 1,
        "disfavored": 1,
        "other": 0,
        "facet_missing": 0,
        "label_missing": 0,
        "prediction_missing": 0,
        "removed_by_where": 0,
    }


def test_group_of_both_parts_is_disfavored(tmp_path: Path) -> None:
    """A group that is favored in one comparison and disfavored in another counts as disfavored."""
    frame = pl.DataFrame({"sex": ["a", "b", "b", "c"], "label": [1, 1, 0, 0]})
    facets = {"sex": {"column": "sex", "compare": "pairs"}}
    found = audited(tmp_path, frame, facets=facets).data.ledger["sex"]
    assert (found.favored, found.disfavored, found.other) == (1, 3, 0)
