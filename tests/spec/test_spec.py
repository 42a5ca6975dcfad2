"""What a valid spec means: defaults, and values that keep the type which the spec gives them."""

from typing import Any

import pytest
from pydantic import ValidationError

from biaspipe.spec import (
    Audit,
    Check,
    Columns,
    Csv,
    Data,
    Facet,
    Interval,
    Outcome,
    format_value,
)

LEAST: dict[str, Any] = {
    "version": 1,
    "name": "loans",
    "data": {"path": "loans.csv"},
    "facets": {"sex": {"column": "sex"}},
}


def audit(**parts: Any) -> Audit:
    """Make the shortest audit with these parts added or replaced."""
    return Audit.model_validate({**LEAST, **parts})


def test_defaults() -> None:
    """What a spec leaves out is empty, except how text tables are written."""
    least = audit()
    assert least.data == Data(path=("loans.csv",), format=None, where=None, join=())
    assert least.data.csv == Csv(separator=",", header=True, columns=None, null_values=None)
    assert least.columns == Columns(
        label=None, prediction=None, strata=None, weight=None, features=None
    )
    assert (least.description, least.owner, least.model) == (None, None, None)
    assert (least.tags, least.metrics) == ((), {})


def test_defaults_of_a_facet() -> None:
    """A facet that names nobody compares each value with the rest."""
    facet = audit().facets["sex"]
    assert facet == Facet(column="sex")
    assert facet.mode == "rest"


@pytest.mark.parametrize(
    ("facet", "mode"),
    [
        (Facet(column="sex"), "rest"),
        (Facet(column="sex", disfavored="female"), "rest"),
        (Facet(column="sex", favored="male"), "favored"),
        (Facet(column="sex", favored=0), "favored"),
        (Facet(column="sex", favored=False), "favored"),
        (Facet(column="sex", compare="pairs"), "pairs"),
        (Facet(column="sex", compare="best"), "best"),
    ],
)
def test_mode_of_a_facet(facet: Facet, mode: str) -> None:
    """How groups are compared is what `compare` says, or what the named sides imply."""
    assert facet.mode == mode


def test_metrics_without_any() -> None:
    """`metrics:` with nothing behind it is the same as none at all."""
    assert audit(metrics=None) == audit(metrics={}) == audit()


def test_metric_without_a_check() -> None:
    """A metric or family with nothing behind it is reported without limits."""
    found = audit(metrics={"pre_training": None, "DI": None, "RD": {}})
    assert found.metrics == {"pre_training": Check(), "DI": Check(), "RD": Check()}


@pytest.mark.parametrize(
    ("spec", "meant"),
    [
        ("yes", ("yes",)),
        (1, (1,)),
        (True, (True,)),
        (["yes", "true"], ("yes", "true")),
        ([1, 2.5], (1, 2.5)),
    ],
)
def test_favorable_values(spec: Any, meant: tuple[Any, ...]) -> None:
    """One favorable value is a list of one, and each keeps the type that the spec gives it."""
    outcome = Outcome.model_validate({"column": "repaid", "positive": spec})
    assert outcome.positive == meant
    assert [type(value) for value in outcome.positive or ()] == [type(value) for value in meant]


@pytest.mark.parametrize("side", ["male", 1, 1.5, True, "1"])
def test_side_keeps_its_type(side: Any) -> None:
    """A value that names a group is neither turned into a text nor into a number."""
    favored = Facet.model_validate({"column": "sex", "favored": side}).favored
    assert favored == side
    assert type(favored) is type(side)


def test_sides_in_other_forms() -> None:
    """A side is a list of values taken together, or an interval."""
    facet = Facet.model_validate(
        {"column": "age", "favored": {"at_least": 25}, "disfavored": [18, 19]}
    )
    assert facet.favored == Interval(at_least=25)
    assert facet.disfavored == (18, 19)


def test_order_of_the_spec_is_kept() -> None:
    """Facets and metrics stay in the order in which they are written."""
    facets = {name: {"column": name} for name in ("sex", "age", "race")}
    found = audit(facets=facets, metrics={"RD": {}, "DI": {}, "AD": {}})
    assert list(found.facets) == ["sex", "age", "race"]
    assert list(found.metrics) == ["RD", "DI", "AD"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.5, "-0.5"),
        (1e20, "1e+20"),
        (True, "true"),
        (False, "false"),
        ("True", "True"),
        ("", ""),
    ],
)
def test_written(value: object, text: str) -> None:
    """Values are written as a person would write them."""
    assert format_value(value) == text


@pytest.mark.parametrize("version", [True, 1.0, "1", 2, None])
def test_version_is_a_whole_number(version: Any) -> None:
    """Only the whole number 1 is a version, not what Python takes for equal to it."""
    with pytest.raises(ValidationError, match="version"):
        audit(version=version)


@pytest.mark.parametrize("where", ["", " ", "\n\t"])
def test_condition_says_something(where: str) -> None:
    """A blank condition is refused rather than taken for one that every row meets."""
    with pytest.raises(ValidationError, match="where"):
        audit(data={"path": "loans.csv", "where": where})


def test_list_names_what_stands_twice() -> None:
    """A list that names a value twice, be it as a number and a text, is refused by that value."""
    with pytest.raises(ValidationError, match="'1' stands in the list already, as 1"):
        Outcome.model_validate({"column": "repaid", "positive": [1, "1"]})
