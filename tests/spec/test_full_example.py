"""The example that uses every key of the format, and what it means."""

from datetime import date

import pytest

from biaspipe.loading import load
from biaspipe.plan import planned_checks
from biaspipe.spec import (
    Audit,
    Baseline,
    Check,
    Columns,
    Csv,
    Data,
    Decision,
    Excluded,
    Facet,
    Interval,
    Join,
    Limits,
    Outcome,
    Waiver,
    Weight,
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
  weight: {column: n, kind: frequency}    # each row stands for n people (count tables)
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

decision:
  confidence: 0.9                         # of every interval
  decide_by: inside                       # pass only if the whole interval keeps the limits
  min_rows: 100                           # people that each group and denominator needs
  undecided: warn                         # exit 0, or 1 with --fail-on warn
  correction: benjamini-hochberg

waivers:
  - metric: DI
    facet: race
    favored: White
    disfavored: Other
    reason: 31 applicants in Q4; decided again with the data of Q1.
    approved_by: Ada Lovelace
    ticket: RISK-17
    expires: 2027-03-31                   # the last day on which it holds
    bound: {min: 0.6}                     # a worse value is not waived
  - {facet: region, reason: Only to see, approved_by: Ada, expires: "2026-12-31"}

baseline: {report: reports/v1.json, max_worsening: 0.02}
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
        weight=Weight(column="n", kind="frequency"),
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


def test_full_decision(full: Audit) -> None:
    """What decides is a block of its own, and these are the rules."""
    assert full.decision == full.rules
    assert full.rules == Decision(
        confidence=0.9,
        decide_by="inside",
        min_rows=100,
        undecided="warn",
        correction="benjamini-hochberg",
    )


def test_full_waivers(full: Audit) -> None:
    """A waiver ends on a day, in quotes or not, and names as few keys as it needs."""
    assert full.waivers == (
        Waiver(
            metric="DI",
            facet="race",
            favored="White",
            disfavored="Other",
            reason="31 applicants in Q4; decided again with the data of Q1.",
            approved_by="Ada Lovelace",
            ticket="RISK-17",
            expires=date(2027, 3, 31),
            bound=Limits(min=0.6),
        ),
        Waiver(facet="region", reason="Only to see", approved_by="Ada", expires=date(2026, 12, 31)),
    )


def test_full_baseline(full: Audit) -> None:
    """A baseline is a report, and how much worse than it a value may be."""
    assert full.baseline == Baseline(report="reports/v1.json", max_worsening=0.02)


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
