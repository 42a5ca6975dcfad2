"""The example that uses every key of the format, and what it means."""

import pytest

from biaspipe.loading import load
from biaspipe.plan import planned_checks
from biaspipe.spec import (
    Audit,
    Check,
    Columns,
    Csv,
    Data,
    Excluded,
    Facet,
    Interval,
    Join,
    Limits,
    Outcome,
)

FULL = """\
# yaml-language-server: $schema=../schemas/audit-v1.schema.json
version: 1
name: loan-approval                       # stable id: letters, digits, - and _
description: Release candidate of the approval model, Q4
owner: credit-models@example.com
tags: [release, credit]
model: {name: approval-xgb, version: "2026.11"}      # recorded as evidence, free-form

data:
  path: data/decisions.parquet
  format: parquet
  csv: {separator: ",", header: true, columns: [a, b], null_values: ["?"]}
  where: "decision_date >= DATE '2026-07-01'"         # SQL condition
  join: [{path: data/demographics.csv, on: applicant_id}]

columns:
  label:      {column: repaid, positive: "yes"}
  prediction: {column: score, above: 0.5}
  strata: [purpose]                       # for CDDL, CDDPL
  weight: n                               # each row stands for n people (count tables)
  features: {exclude: [applicant_id]}

facets:
  sex:  {column: sex, favored: male, disfavored: female}
  race: {column: race, favored: White}
  age:
    column: age
    groups: {young: {below: 25}, middle: {at_least: 25, below: 60}, old: {at_least: 60}}
    favored: middle
  region: {column: region}                            # no favored: each value against the rest
  sex_by_age: {cross: [sex, age]}                     # intersections of declared facets

metrics:
  pre_training:                           # a family: every metric in it, reported without limits
  DPPL: {max_abs: 0.1}
  DI:   {min: 0.8, max: 1.25, warn: {min: 0.9}}
  CDDPL: {max_abs: 0.05, facets: [sex]}
  FT:   {k: 5, max_abs: 0.1}
  LP:   {p: 1}
"""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Load the example that uses every key of the format."""
    path = tmp_path_factory.mktemp("full") / "audit.yaml"
    path.write_text(FULL, encoding="utf-8")
    return load(path).audit


def test_full_header(full: Audit) -> None:
    """The head of a spec is what stands there, and the model's part is free-form."""
    assert (full.version, full.name) == (1, "loan-approval")
    assert full.description == "Release candidate of the approval model, Q4"
    assert full.owner == "credit-models@example.com"
    assert full.tags == ("release", "credit")
    assert full.model == {"name": "approval-xgb", "version": "2026.11"}


def test_full_data(full: Audit) -> None:
    """A single file or key is a list of one, and a table is joined by its key."""
    assert full.data == Data(
        path=("data/decisions.parquet",),
        format="parquet",
        csv=Csv(separator=",", header=True, columns=("a", "b"), null_values=("?",)),
        where="decision_date >= DATE '2026-07-01'",
        join=(Join(path=("data/demographics.csv",), on=("applicant_id",)),),
    )


def test_full_columns(full: Audit) -> None:
    """A label is favorable by its value, a score above its threshold."""
    assert full.columns == Columns(
        label=Outcome(column="repaid", positive=("yes",)),
        prediction=Outcome(column="score", above=0.5),
        strata=("purpose",),
        weight="n",
        features=Excluded(exclude=("applicant_id",)),
    )
    assert full.columns.prediction is not None
    assert 0.5 not in full.columns.prediction
    assert 0.51 in full.columns.prediction


def test_full_facets(full: Audit) -> None:
    """The five kinds of facet: two sides, one side, named groups, no side, a cross."""
    assert full.facets == {
        "sex": Facet(column="sex", favored="male", disfavored="female"),
        "race": Facet(column="race", favored="White"),
        "age": Facet(
            column="age",
            groups={
                "young": Interval(below=25),
                "middle": Interval(at_least=25, below=60),
                "old": Interval(at_least=60),
            },
            favored="middle",
        ),
        "region": Facet(column="region"),
        "sex_by_age": Facet(cross=("sex", "age")),
    }
    assert [facet.mode for facet in full.facets.values()] == [
        "favored",
        "favored",
        "favored",
        "rest",
        "rest",
    ]


def test_full_metrics(full: Audit) -> None:
    """A family is reported, and metrics have limits of both kinds, facets and parameters."""
    assert full.metrics == {
        "pre_training": Check(),
        "DPPL": Check(max_abs=0.1),
        "DI": Check(min=0.8, max=1.25, warn=Limits(min=0.9)),
        "CDDPL": Check(max_abs=0.05, facets=("sex",)),
        "FT": Check(k=5, max_abs=0.1),
        "LP": Check(p=1),
    }


def test_full_checks(full: Audit) -> None:
    """Each facet gets the family's metrics and those by name, which override the family's."""
    planned = planned_checks(full)
    of_region = {check.metric.id for check in planned if check.facet == "region"}
    assert of_region == {
        *("CI", "DPL", "KL", "JS", "LP", "TVD", "KS", "CDDL"),
        *("DPPL", "DI", "FT"),
    }
    assert [check.facet for check in planned if check.metric.id == "CDDPL"] == ["sex"]
    assert {check.check.p for check in planned if check.metric.id == "LP"} == {1.0}
    assert [check.check.has_limit for check in planned].count(True) == 16
