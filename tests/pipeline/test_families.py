"""Families of comparisons: the intervals that decide, and what they share."""

import csv
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import biaspipe
from biaspipe.renderers.console.drawing import plain_text
from biaspipe.renderers.csv.checks import checks_csv
from biaspipe.renderers.markdown import markdown
from biaspipe.renderers.text import interval_text
from biaspipe.report import Report, Result, SimultaneousRecord
from tests.pipeline.reports import Values, forged

RATES = {"north": 60, "south": 45, "west": 52, "east": 30}
"""Of a hundred people each, how many are approved."""


def report_of(
    facet: dict[str, Any], decision: dict[str, Any], people: int = 100, **metrics: Any
) -> Report:
    """Run an audit of the four regions, so many people each."""
    rows = [
        (region, approved, n * people // 100)
        for region, yes in RATES.items()
        for approved, n in ((True, yes), (False, 100 - yes))
    ]
    spec = {
        "version": 1,
        "name": "regions",
        "columns": {"prediction": {"column": "approved", "positive": True}, "weight": "n"},
        "facets": {"region": {"column": "region", **facet}},
        "metrics": metrics or {"DPPL": {"max_abs": 0.1}},
        "decision": decision,
    }
    frame = pl.DataFrame(rows, schema=["region", "approved", "n"], orient="row")
    return biaspipe.run(spec, frame)


def result_of(
    facet: dict[str, Any], decision: dict[str, Any], people: int = 100, **metrics: Any
) -> Result:
    """Return the result of an audit of the four regions."""
    return report_of(facet, decision, people, **metrics).result


def deciding(result: Result) -> list[tuple[str, int, int | None, float] | None]:
    """Return by what each check is decided: procedure, comparisons, families, critical value."""
    return [_facts(check.simultaneous) for check in result.checks]


def _facts(record: SimultaneousRecord | None) -> tuple[str, int, int | None, float] | None:
    if record is None:
        return None
    return record.procedure, record.comparisons, record.families, record.critical


def test_intervals_with_the_best_group_hold_for_all_pairs() -> None:
    """The best group is picked among four: its intervals are Tukey's of four, corrected or not."""
    for correction in ("none", "holm"):
        result = result_of({"compare": "best"}, {"correction": correction, "decide_by": "outside"})
        assert deciding(result) == [("tukey", 6, None, 2.569032)] * 3
    south = result.checks[1]
    assert south.interval
    assert south.simultaneous
    assert [round(end, 4) for end in south.interval.ends] == [0.0117, 0.2804]
    assert [round(end, 4) for end in south.simultaneous.ends] == [-0.0304, 0.3173]


def test_best_of_two_groups_was_not_picked() -> None:
    """Of two groups one pair was looked at, whose interval decides by itself."""
    groups = {"a": ["north", "south"], "b": ["west", "east"]}
    result = result_of({"groups": groups, "compare": "best"}, {})
    assert deciding(result) == [None]


def test_what_best_shows_may_be_chance() -> None:
    """A sentence about the best group says so where the simultaneous interval holds parity."""
    best = result_of({"compare": "best"}, {}).checks
    fixed = result_of({"favored": "north"}, {}).checks
    south = "south"
    words = (
        {c.disfavored: c.sentence for c in best}[south],
        {c.disfavored: c.sentence for c in fixed}[south],
    )
    assert [sentence.endswith(", which may be chance") for sentence in words] == [True, False]


def test_p_values_with_the_best_group_count_all_pairs() -> None:
    """Holm counts the six pairs of four groups, of which three are tested, without being asked."""
    result = result_of({"compare": "best"}, {}, DPPL=None, DI=None)
    found = {c.disfavored: c.parity for c in result.checks if c.metric == "DI" and c.parity}
    east, south = found["east"], found["south"]
    assert east.adjusted == pytest.approx(6 * east.p_value)
    assert south.adjusted == pytest.approx(5 * south.p_value)
    assert result.decision.family == (
        "every two groups of a facet that is compared with its best one, by Holm"
    )
    both = result_of({"compare": "best"}, {"correction": "holm"}).decision.family
    assert str(both).startswith("the 6 tests of parity in this audit")


PROCEDURES: dict[str, tuple[dict[str, Any], tuple[str, int, int | None, float]]] = {
    "one reference": ({"favored": "north"}, ("dunnett", 3, None, 2.352)),
    "pairs": ({"compare": "pairs"}, ("tukey", 6, None, 2.569)),
    "the rest": ({"compare": "rest"}, ("bonferroni", 4, None, 2.498)),
}


@pytest.mark.parametrize(("facet", "expected"), PROCEDURES.values(), ids=list(PROCEDURES))
@pytest.mark.parametrize("decide_by", ["inside", "outside"])
def test_procedure_follows_from_the_comparison(
    facet: dict[str, Any], expected: tuple[str, int, int | None, float], decide_by: str
) -> None:
    """Groups that share a reference need less room than every two, and any others most."""
    result = result_of(facet, {"correction": "holm", "decide_by": decide_by})
    for found in deciding(result):
        assert found
        assert found[:3] == expected[:3]
        assert found[3] == pytest.approx(expected[3], abs=0.003)


@pytest.mark.parametrize(
    "decision", [{"correction": "holm"}, {"decide_by": "inside"}, {"decide_by": "outside"}]
)
def test_nothing_is_widened_unasked(decision: dict[str, Any]) -> None:
    """Without a correction, or where values decide, each check has its own interval alone."""
    assert deciding(result_of({"favored": "north"}, decision)) == [None] * 3


def test_reported_checks_make_no_family_larger() -> None:
    """Only metrics with a limit share the error; what has the value of another counts with it."""
    rules = {"correction": "holm", "decide_by": "outside"}
    limit = {"max_abs": 0.1}
    result = result_of({"favored": "north"}, rules, DPPL=limit, DI=None)
    assert [found and found[2] for found in deciding(result)] == [None] * 6
    assert deciding(result)[3:] == [None] * 3
    two = result_of({"favored": "north"}, rules, DPPL=limit, DI={"min": 0.8})
    assert {found and found[2] for found in deciding(two)} == {2}


def test_holm_leaves_the_error_of_families_that_failed() -> None:
    """Where every comparison of one metric fails, the other metric has the whole error."""
    rules = {"correction": "holm", "decide_by": "outside"}
    limits: dict[str, Any] = {"DPPL": {"max_abs": 0.01}, "DI": {"min": 0.2}}
    small = result_of({"favored": "north"}, rules, 100, **limits)
    large = result_of({"favored": "north"}, rules, 10_000, **limits)
    alone = result_of({"favored": "north"}, rules, 10_000, DI={"min": 0.2})
    for result, is_whole in ((small, False), (large, True)):
        (of_di,) = {found[3] for found in deciding(result)[3:] if found}
        (whole,) = {found[3] for found in deciding(alone) if found}
        assert (of_di == whole) is is_whole
    assert [c.verdict for c in large.checks[:3]] == ["fail"] * 3


def test_false_coverage_counts_what_fails() -> None:
    """By Benjamini and Hochberg intervals have the error that the number of failures allows."""
    rules = {"correction": "benjamini-hochberg", "decide_by": "outside"}
    result = result_of({"favored": "north"}, rules, 400)
    assert [c.verdict.value for c in result.checks] == ["fail", "undecided", "undecided"]
    assert deciding(result) == [("false-coverage-rate", 3, None, 2.393980)] * 3
    best = result_of({"compare": "best"}, rules, 400)
    assert deciding(best) == [("false-coverage-rate", 6, None, 2.638257)] * 3


def test_reason_says_over_what_an_interval_is_simultaneous() -> None:
    """What is undecided by an interval for many comparisons says so."""
    rules = {"correction": "holm", "decide_by": "outside"}
    two = result_of({"favored": "north"}, rules, DPPL={"max_abs": 0.1}, DI={"min": 0.8})
    assert [check.reason for check in two.checks][1] == (
        "the 95% interval -0.03367 to 0.3237, simultaneous over 3 comparisons in one of 2 families,"
        " reaches across the limit of at most 0.1 in either direction; about 4,600 more people"
        " would decide it four times in five if it stays what it is: 2,300 of north and 2,300 of"
        " south"
    )


FORGERIES = {
    "narrower": lambda check: check["simultaneous"].__setitem__("low", 0.2),
    "of fewer": lambda check: check["simultaneous"].__setitem__("comparisons", 2),
    "of another": lambda check: check["simultaneous"].__setitem__("procedure", "bonferroni"),
    "left out": lambda check: check.pop("simultaneous"),
    "less critical": lambda check: check["simultaneous"].__setitem__("critical", 1.96),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=list(FORGERIES))
def test_forged_simultaneous_interval_is_found(forge: Any, tmp_path: Path) -> None:
    """A simultaneous interval that does not follow from the counts is found where it stands."""
    path = tmp_path / "report.json"
    path.write_text(report_of({"compare": "best"}, {}).to_json(), encoding="utf-8")

    def change(values: Values) -> None:
        forge(values["result"]["checks"][0])

    assert forged(path, lambda values: values) == []
    assert any(place.startswith("result.checks[0].simul") for place in forged(path, change))


def test_one_comparison_is_simultaneous_with_those_of_other_metrics() -> None:
    """A family of one comparison says with how many other families it shares the error."""
    rules = {"correction": "holm", "decide_by": "outside"}
    groups = {"a": ["north", "south"], "b": ["west", "east"]}
    facet = {"groups": groups, "favored": "a", "disfavored": "b"}
    result = result_of(facet, rules, DPPL={"max_abs": 0.1}, DI={"min": 0.8})
    assert deciding(result) == [("bonferroni", 1, 2, 2.241403)] * 2
    assert [check.simultaneous.words for check in result.checks if check.simultaneous] == [
        "simultaneous with 1 other family of comparisons"
    ] * 2


def test_formats_show_the_interval_that_decides() -> None:
    """Console, page, CSV and frame show the simultaneous interval, and over what it is that."""
    report = report_of({"compare": "best"}, {"decide_by": "outside"})
    south = next(c for c in report.result.checks if c.disfavored == "south")
    assert interval_text(south) == "-0.0304 to +0.317"
    console, page = plain_text(report, report.exit_code), markdown(report)
    assert "-0.0304 to +0.317" in console
    assert "intervals of DPPL: simultaneous over 6 comparisons, by Tukey's critical" in console
    assert "-0.0304 to +0.317<br>simultaneous over 6 comparisons" in page
    rows = csv.DictReader(checks_csv(report).splitlines())
    row = next(row for row in rows if row["disfavored"] == "south")
    assert (row["simultaneous_over"], row["simultaneous_by"]) == ("6", "tukey")
    assert float(row["simultaneous_low"]) < float(row["low"]) < float(row["high"])
    assert float(row["high"]) < float(row["simultaneous_high"])
