"""Every group of a report has its outcomes and rates, whatever it is compared with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given

from biaspipe.metrics import RateName
from biaspipe.report import FacetGroupRecord, RateRecord, Result
from tests.engines.builders import audited
from tests.pipeline.reports import table
from tests.pipeline.test_against_oracle import (
    COLUMNS,
    CROWDS,
    FACETS,
    POSITIVE,
    SCHEMA,
    Person,
    random_data,
)

ROWS = table(
    "sex,label,score", "m,1,1 x 6", "m,0,1 x 2", "m,0,0 x 4", "f,1,1 x 3", "f,1,0", "x,0,0", ",1,1"
)
LABEL: dict[str, Any] = {"column": "label", "positive": 1}
PREDICTION: dict[str, Any] = {"column": "score", "positive": 1}
MALE: dict[RateName, tuple[float | None, int]] = {
    "label_rate": (0.5, 12),
    "selection_rate": (8 / 12, 12),
    "TPR": (1, 6),
    "FPR": (2 / 6, 6),
    "TNR": (4 / 6, 6),
    "FNR": (0, 6),
    "PPV": (0.75, 8),
    "NPV": (1, 4),
    "accuracy": (10 / 12, 12),
}


def groups(result: Result, facet: str = "sex") -> dict[str, FacetGroupRecord]:
    """Return the groups of a facet by name."""
    return {g.group: g for f in result.facets if f.facet == facet for g in f.groups}


def rate_of(group: FacetGroupRecord, name: RateName) -> RateRecord:
    """Return a rate of a group that has rates."""
    assert group.rates is not None
    return group.rates[name]


def audit(folder: Path, columns: dict[str, Any], metric: str = "CI", /, **parts: Any) -> Any:
    """Return the groups of an audit of a few people."""
    given_parts: dict[str, Any] = {"columns": columns, "metrics": {metric: None}, **parts}
    return groups(audited(folder, ROWS, **given_parts))


def test_every_group_has_its_rates(tmp_path: Path) -> None:
    """Favored, disfavored and uncompared groups have rates; who has no value has none."""
    facets = {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}}
    found = audit(tmp_path, {"label": LABEL, "prediction": PREDICTION}, facets=facets)
    assert {name: (r.value, r.n) for name, r in found["m"].rates.items()} == MALE
    assert (found["x"].part, found["x"].rates["TNR"].value) == ("not compared", 1)
    assert (found["(missing)"].counts, found["(missing)"].rates) == (None, None)


def test_undefined_rate_is_nobodys(tmp_path: Path) -> None:
    """A rate of nobody has neither value nor interval, and says that it is one of nobody."""
    found = audit(tmp_path, {"label": LABEL, "prediction": PREDICTION})
    undefined = found["x"].rates["TPR"]
    assert undefined.model_dump() == {"value": None, "low": None, "high": None, "n": 0}


def test_rates_have_the_interval_of_the_decision(tmp_path: Path) -> None:
    """The interval is Wilson's at the confidence that the spec asks for."""
    found = audit(tmp_path, {"label": LABEL}, decision={"confidence": 0.9})
    rate = found["m"].rates["label_rate"]
    assert (rate.low, rate.high) == pytest.approx((0.2855348544, 0.7144651456), abs=1e-9)


@pytest.mark.parametrize(
    ("columns", "outcomes", "rates"),
    [
        ({"label": LABEL}, {"positives": 6, "negatives": 6}, ["label_rate"]),
        (
            {"prediction": PREDICTION},
            {"predicted_positives": 8, "predicted_negatives": 4},
            ["selection_rate"],
        ),
        (
            {"label": LABEL, "prediction": PREDICTION},
            {"TP": 6, "FP": 2, "FN": 0, "TN": 4},
            [*MALE],
        ),
    ],
)
def test_rates_are_those_that_the_columns_allow(
    columns: dict[str, Any], outcomes: dict[str, int], rates: list[str], tmp_path: Path
) -> None:
    """Without a label or a prediction there are only the outcomes and rates of the other."""
    found = audit(tmp_path, columns)["m"]
    assert found.counts.model_dump(exclude_none=True) == outcomes
    assert list(found.rates) == rates


def test_group_without_anybody_has_no_rates(tmp_path: Path) -> None:
    """Of an intersection that nobody is in there is nothing to say."""
    facets = {"sex": {"column": "sex"}, "half": {"column": "score"}}
    result = audited(
        tmp_path,
        ROWS,
        columns={"label": LABEL},
        facets={**facets, "both": {"cross": ["sex", "half"]}},
        metrics={"DPL": None},
    )
    found = groups(result, "both")
    assert (found["x & 1"].part, found["x & 1"].counts, found["x & 1"].rates) == (
        "empty",
        None,
        None,
    )


def test_people_in_no_group_have_rates(tmp_path: Path) -> None:
    """People outside of all declared groups are counted, and have rates."""
    facets = {"sex": {"column": "sex", "groups": {"men": "m", "others": "x"}, "favored": "men"}}
    found = audit(tmp_path, {"label": LABEL}, facets=facets)["(in no group)"]
    assert (found.part, found.people, found.rates["label_rate"].value) == ("in no group", 4, 1)


def test_audit_of_sizes_alone_has_no_rates(tmp_path: Path) -> None:
    """Where neither label nor prediction is declared, nothing is counted by outcome."""
    found = audit(tmp_path, {})["m"]
    assert (found.counts, found.rates) == (None, None)


def test_frequency_weights_are_people(tmp_path: Path) -> None:
    """A row that stands for 30 people counts as 30 in a rate and in its interval."""
    frame = pl.DataFrame({"sex": ["m", "m", "f"], "label": [1, 0, 1], "w": [30, 70, 5]})
    result = audited(
        tmp_path, frame, columns={"label": LABEL, "weight": "w"}, metrics={"DPL": None}
    )
    rate = rate_of(groups(result)["m"], "label_rate")
    assert (rate.value, rate.n) == (0.3, 100)
    assert (rate.low, rate.high) == pytest.approx((0.2189488529, 0.3958485463), abs=1e-9)


def test_sampling_weights_have_effective_people(tmp_path: Path) -> None:
    """The interval of a weighted rate is that of its own effective people, 20 / (3/4 + 5/4)."""
    # the average weights: 3, and 1 of few people, drawn 4/9 of the way to the 2.5 of all
    weights = [3.0] * 5 + [1.0] * 5
    frame = pl.DataFrame(
        {"sex": ["m"] * 10 + ["f"], "label": [1] * 5 + [0] * 5 + [1], "w": [*weights, 1.0]}
    )
    columns = {"label": LABEL, "weight": {"column": "w", "kind": "sampling"}}
    man = groups(audited(tmp_path, frame, columns=columns, metrics={"DPL": None}))["m"]
    rate = rate_of(man, "label_rate")
    assert (man.effective, rate.value, rate.n) == (8, 0.75, 20)
    assert (rate.low, rate.high) == pytest.approx((0.4421814243, 0.9190521758), abs=1e-9)


IsOf = Callable[[tuple[bool, bool]], bool]
ORACLE: dict[str, tuple[IsOf, IsOf]] = {
    "label_rate": (lambda _: True, lambda one: one[0]),
    "selection_rate": (lambda _: True, lambda one: one[1]),
    "TPR": (lambda one: one[0], lambda one: one[1]),
    "FPR": (lambda one: not one[0], lambda one: one[1]),
    "TNR": (lambda one: not one[0], lambda one: not one[1]),
    "FNR": (lambda one: one[0], lambda one: not one[1]),
    "PPV": (lambda one: one[1], lambda one: one[0]),
    "NPV": (lambda one: not one[1], lambda one: not one[0]),
    "accuracy": (lambda _: True, lambda one: one[0] == one[1]),
}
"""Of whom each rate is, and who of them it counts, by observed and predicted outcome."""


def walked(people: list[Person], column: str, group: str) -> dict[str, tuple[float | None, int]]:
    """Return the rates of a group, person by person."""
    members = [
        (person.label in POSITIVE, person.predicted)
        for person in people
        for _ in range(person.weight)
        if getattr(person, column) == group and person.label is not None
    ]
    known = [(label, score) for label, score in members if score is not None]
    found: dict[str, tuple[float | None, int]] = {}
    for name, (is_member, is_counted) in ORACLE.items():
        whole = [one for one in known if is_member(one)]
        part = [one for one in whole if is_counted(one)]
        found[name] = (len(part) / len(whole) if whole else None, len(whole))
    return found


@random_data
@given(people=CROWDS)
def test_every_rate_is_that_of_its_rows(people: list[Person], tmp_path: Path) -> None:
    """Whatever the data, each group has the rates that a walk over its rows finds."""
    frame = pl.DataFrame(people, schema=SCHEMA, orient="row")
    result = audited(tmp_path, frame, columns=COLUMNS, facets=FACETS, metrics={"DI": None})
    for facet in FACETS:
        for name, group in groups(result, facet).items():
            if group.rates is not None:
                found = {rate: (r.value, r.n) for rate, r in group.rates.items()}
                assert (name, found) == (name, walked(people, facet, name))
