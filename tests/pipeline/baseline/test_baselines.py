"""Baselines: worse is farther from parity, and what cannot be compared is not passed over."""

from pathlib import Path
from typing import Any

import pytest

from biaspipe.errors import DataError
from biaspipe.metrics import Value
from biaspipe.pipeline import Options, run
from biaspipe.pipeline.baseline.change_intervals import BaselineValue
from biaspipe.pipeline.baseline.new_and_vanished import changes
from biaspipe.pipeline.baseline.worsening import BaselineValues
from biaspipe.pipeline.selection import select
from biaspipe.report import CheckRecord, Result
from biaspipe.report.checks import check_key
from tests.engines.builders import prepare, write
from tests.pipeline.reports import report, table

Parts = dict[str, Any]
PREDICTION = {"prediction": {"column": "prediction", "positive": 1}}
SCORE = {"prediction": {"column": "prediction", "above": 0, "constant": "allowed"}}
WIDE: Parts = {"columns": SCORE, "metrics": {"DI": None, "DPPL": None}}


def rows(m: int, f: int, of: int = 100) -> str:
    """Return people of two groups, so many of whom are selected."""
    return table(
        "sex,prediction", f"m,1 x {m}", f"m,0 x {of - m}", f"f,1 x {f}", f"f,0 x {of - f}"
    ).replace("m,1 x 0\n", "")


def some(**groups: tuple[int, int]) -> str:
    """Return groups with so many selected and so many rejected people."""
    lines = ["sex,prediction"]
    for name, (yes, no) in groups.items():
        lines += [f"{name},1"] * yes + [f"{name},0"] * no
    return "\n".join(lines) + "\n"


HALVES = some(m=(50, 50), f=(50, 50))


def compared(folder: Path, old: str, new: str, most: float = 0, **parts: Any) -> Result:
    """Run an audit on old rows, and again on new ones with the first report as its baseline."""
    parts = {**WIDE, **parts}
    report(folder, old, "old", **{**parts, "decision": {"min_rows": 0}})
    write(folder / "data.csv", new)
    baseline = {"report": "old.json", "max_worsening": most}
    return run(prepare(folder, data={"path": "data.csv"}, baseline=baseline, **parts)).result


def noted(check: CheckRecord) -> tuple[str, str | None]:
    """Return a check's verdict, and that of its comparison."""
    return check.verdict.value, check.baseline.verdict if check.baseline else None


@pytest.mark.parametrize(
    ("f", "most", "expected"),
    [
        (50, 0, ("pass", "same")),
        (51, 0, ("fail", "regressed")),
        (49, 0, ("fail", "regressed")),
        (48, 0.02, ("pass", "worse")),
        (52, 0.02, ("pass", "worse")),
        (47, 0.02, ("fail", "regressed")),
    ],
)
def test_worse_is_farther_from_parity(
    f: int, most: float, expected: tuple[str, str], tmp_path: Path
) -> None:
    """A value may be as much farther from parity as is allowed, to either side, and no more."""
    result = compared(tmp_path, HALVES, some(m=(50, 50), f=(f, 100 - f)), most)
    assert noted(result.checks[1]) == expected


def test_nearer_to_parity_is_better(tmp_path: Path) -> None:
    """A value on the other side of parity, but nearer to it, is better."""
    result = compared(tmp_path, some(m=(50, 50), f=(40, 60)), some(m=(50, 50), f=(55, 45)))
    assert [noted(c) for c in result.checks] == [("pass", "better")] * 2
    note = result.checks[1].baseline
    assert note
    assert (note.value, note.worsening) == (0.1, -0.05)
    assert note.sentence == "was 0.1, now 0.05 nearer to parity, which may be chance"


def test_ratios_have_their_parity_at_one(tmp_path: Path) -> None:
    """The distance of a ratio is that from 1: from 0.8 to 1.2 nothing got worse."""
    result = compared(tmp_path, some(m=(50, 50), f=(40, 60)), some(m=(50, 50), f=(60, 40)))
    assert noted(result.checks[0]) == ("pass", "same")


def test_decimals_are_compared_as_they_are_written(tmp_path: Path) -> None:
    """From 0.1 to 0.3, 0.2 are allowed: the difference of two decimals is no binary fraction."""
    old, new = some(m=(5, 5), f=(4, 6)), some(m=(5, 5), f=(2, 8))
    assert noted(compared(tmp_path, old, new, 0.2).checks[1]) == ("pass", "worse")


def test_both_values_stand_with_their_intervals(tmp_path: Path) -> None:
    """A check shows the value that it had, with its interval, beside its own."""
    check = compared(tmp_path, HALVES, some(m=(50, 50), f=(40, 60))).checks[0]
    assert check.interval
    assert check.baseline
    assert check.baseline.interval
    assert (check.value, check.baseline.value) == (0.8, 1.0)
    assert check.baseline.interval.ends[0] < 1 < check.baseline.interval.ends[1]


def test_regression_says_so(tmp_path: Path) -> None:
    """A failure by the baseline alone says that it is one, from where, by how much."""
    result = compared(tmp_path, HALVES, some(m=(50, 50), f=(40, 60)), 0.02)
    assert result.checks[1].reason == (
        "worse than in the baseline: was 0, now 0.1 farther from parity, more than 0.02,"
        " which may be chance"
    )
    assert result.verdict == "fail"


def test_limits_fail_whatever_the_baseline_says(tmp_path: Path) -> None:
    """A value that got better, but still breaks its limit, fails."""
    old, new = some(m=(50, 50), f=(10, 90)), some(m=(50, 50), f=(20, 80))
    result = compared(tmp_path, old, new, metrics={"DI": {"min": 0.8}})
    assert noted(result.checks[0]) == ("fail", "better")


def test_regression_fails_what_keeps_its_limits(tmp_path: Path) -> None:
    """A value within its limits, but worse than it was, fails."""
    new = some(m=(50, 50), f=(45, 55))
    result = compared(tmp_path, HALVES, new, metrics={"DI": {"min": 0.8, "warn": {"min": 0.95}}})
    assert noted(result.checks[0]) == ("fail", "regressed")


@pytest.mark.parametrize("undecided", ["fail", "warn", "pass"])
def test_regression_fails_what_straddles_its_limits(undecided: str, tmp_path: Path) -> None:
    """A regression fails though the interval straddles a limit, however mildly that counts."""
    rules = {"decide_by": "inside", "min_rows": 3, "undecided": undecided}
    old, new = some(m=(500, 500), f=(500, 500)), some(m=(500, 500), f=(400, 600))
    metrics = {"DPPL": {"max_abs": 0.12}}
    result = compared(tmp_path, old, new, metrics=metrics, decision=rules)
    assert noted(result.checks[0]) == ("fail", "regressed")
    assert result.verdict == "fail"


def test_too_few_people_decide_nothing(tmp_path: Path) -> None:
    """A regression of too few people is undecided, with and without a limit."""
    old, new = some(m=(50, 50), f=(5, 5)), some(m=(50, 50), f=(4, 6))
    for limits in (None, {"max_abs": 0.9}):
        result = compared(tmp_path, old, new, metrics={"DPPL": limits}, decision={})
        assert noted(result.checks[0]) == ("undecided", "regressed")
        assert result.checks[0].reason == "of f, only 10 people; 30 are needed"


NOBODY, SOME = some(m=(0, 100), f=(0, 100)), some(m=(0, 100), f=(50, 50))
CASES: dict[str, tuple[str, str, tuple[str, str]]] = {
    "finite to infinite": (HALVES, SOME, ("fail", "regressed")),
    "infinite to finite": (SOME, HALVES, ("pass", "better")),
    "infinite to infinite": (SOME, SOME, ("pass", "same")),
    "defined to undefined": (HALVES, NOBODY, ("undecided", "undecided")),
    "undefined to defined": (NOBODY, HALVES, ("undecided", "undecided")),
    "undefined to undefined": (NOBODY, NOBODY, ("reported", "same")),
}


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=list(CASES))
def test_values_that_are_no_numbers(
    old: str, new: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    """Infinite is farther than any number; what has a value in one report alone is undecided."""
    result = compared(tmp_path, old, new, metrics={"DI": None})
    assert noted(result.checks[0]) == expected


def test_value_that_was_lost_beside_a_limit(tmp_path: Path) -> None:
    """A value that is undefined now is undecided and keeps the reason why."""
    check = compared(tmp_path, HALVES, NOBODY, metrics={"DI": {"min": 0.1}}).checks[0]
    assert check.verdict == "undecided"
    assert check.reason == "n'_a(1) = 0: DI is undefined"
    assert check.baseline
    assert check.baseline.sentence == "was 1; it is undefined now"


def test_value_that_was_not_there_is_no_pass(tmp_path: Path) -> None:
    """A value that the baseline lacks cannot be compared with it, and says so."""
    check = compared(tmp_path, NOBODY, HALVES, metrics={"DI": None}).checks[0]
    assert check.reason == ("cannot be compared with the baseline: was undefined; it is 1 now")


def test_limit_decides_what_the_baseline_cannot(tmp_path: Path) -> None:
    """A check whose earlier value is undefined is decided by its limit, if it has one."""
    for least, verdict in ((0.8, "pass"), (1.1, "fail")):
        result = compared(tmp_path, NOBODY, HALVES, metrics={"DI": {"min": least}})
        assert noted(result.checks[0]) == (verdict, "undecided")


PAIRS = {"sex": {"column": "sex", "compare": "pairs"}}
BEST = {"sex": {"column": "sex", "compare": "best"}}


@pytest.mark.parametrize("facets", [PAIRS, BEST])
def test_sides_that_changed_places_are_compared(facets: Parts, tmp_path: Path) -> None:
    """Where the other group is the best by now, the old value is computed the other way round."""
    old, new = some(m=(60, 40), f=(30, 70)), some(m=(10, 90), f=(80, 20))
    result = compared(tmp_path, old, new, facets=facets, metrics={"DI": None, "DPPL": None})
    ratio, difference = result.checks
    assert (ratio.favored, ratio.disfavored) == ("f", "m")
    assert ratio.baseline
    assert difference.baseline
    assert (ratio.baseline.value, difference.baseline.value) == (2.0, -0.3)
    assert noted(difference) == ("fail", "regressed")
    assert (result.baseline and result.baseline.new) == ()


def test_fliptests_that_changed_places_are_new(tmp_path: Path) -> None:
    """A fliptest cannot be turned: one whose sides changed places is new, the old one vanished."""
    columns = {**SCORE, "features": ["prediction"]}
    old, new = some(m=(60, 40), f=(30, 70)), some(m=(10, 90), f=(80, 20))
    parts: Parts = {"columns": columns, "facets": PAIRS, "metrics": {"FT": None, "DI": None}}
    result = compared(tmp_path, old, new, **parts)
    assert result.baseline
    assert result.baseline.new == ("FT on sex, m against f",)
    assert result.baseline.vanished == ("FT on sex, f against m",)


def test_new_and_vanished_are_named(tmp_path: Path) -> None:
    """Checks and groups that only one of both reports has are named."""
    old, new = some(m=(5, 5), f=(5, 5), x=(5, 5)), some(m=(5, 5), f=(5, 5), y=(1, 9))
    result = compared(tmp_path, old, new, metrics={"DI": None})
    assert result.baseline
    assert result.baseline.new == ("DI on sex, y against m", "group y of sex")
    assert result.baseline.vanished == ("DI on sex, x against m", "group x of sex")
    assert [noted(c) for c in result.checks] == [("pass", "same"), ("reported", None)]
    assert (result.verdict, result.tally["fail"]) == ("fail", 0)


THREE, TWO = some(m=(5, 5), f=(5, 5), x=(5, 5)), some(m=(5, 5), f=(5, 5))
GONE = ("DI on sex, x against m", "DPPL on sex, x against m", "group x of sex")


@pytest.mark.parametrize(
    ("allow", "left"),
    [
        ([], GONE),
        (["x"], ()),
        (["sex"], ()),
        (["DI"], GONE[1:]),
        (["disparate_impact", "DPPL"], GONE[2:]),
        (["m"], GONE),
        (["f", "X", "race", "RD"], GONE),
        (["group x of sex"], GONE[:2]),
        ([GONE[1]], (GONE[0], GONE[2])),
    ],
)
def test_vanished_fails_unless_it_is_allowed(
    allow: list[str], left: tuple[str, ...], tmp_path: Path
) -> None:
    """What vanished fails the audit, except for metrics, facets, groups and names that may."""
    report(tmp_path, THREE, "old", **WIDE)
    write(tmp_path / "data.csv", TWO)
    baseline = {"report": "old.json", **({"allow_vanished": allow} if allow else {})}
    result = run(prepare(tmp_path, data={"path": "data.csv"}, baseline=baseline, **WIDE)).result
    assert result.baseline
    assert result.baseline.vanished == left
    assert result.baseline.allowed == tuple(name for name in GONE if name not in left)
    assert result.verdict == ("fail" if left else "pass")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"metrics": {"DI": None}}, ("DPPL on sex, f against m",)),
        (
            {"facets": {"sex": {"column": "sex", "favored": "m"}, "p": {"column": "prediction"}}},
            {"facets": {"sex": {"column": "sex", "favored": "m"}}},
            (
                *(f"{m} on p, {v} against the rest" for m in ("DI", "DPPL") for v in "01"),
                "group 0 of p",
                "group 1 of p",
            ),
        ),
    ],
)
def test_metrics_and_facets_vanish_too(
    old: Parts, new: Parts, expected: tuple[str, ...], tmp_path: Path
) -> None:
    """A metric or a facet that the spec has no more is named, check by check."""
    report(tmp_path, HALVES, "old", **{**WIDE, **old})
    parts = {**WIDE, **new}
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **parts)
    result = run(loaded).result
    assert result.baseline
    assert (result.verdict, result.baseline.vanished) == ("fail", expected)


def test_people_in_no_comparison_do_not_vanish(tmp_path: Path) -> None:
    """Missing values, and groups that no comparison uses, may come and go."""
    facets = {"sex": {"column": "sex", "favored": "m", "disfavored": "f"}}
    old = THREE + ",1\n"
    result = compared(tmp_path, old, TWO, facets=facets)
    assert result.baseline
    assert (result.verdict, result.baseline.vanished) == ("pass", ())


def test_group_that_lost_its_people_has_vanished(tmp_path: Path) -> None:
    """A group that only stands in a table without anybody in it counts as gone."""
    old, new = some(m=(5, 5), f=(5, 5), x=(5, 5)), some(m=(5, 5), f=(5, 5)) + "x,\n"
    result = compared(tmp_path, old, new, metrics={"DPPL": None})
    assert result.baseline
    assert result.baseline.vanished == ("group x of sex",)


def test_selection_does_not_make_the_others_vanish(tmp_path: Path) -> None:
    """With a selection, only what is missing inside of it has vanished."""
    report(tmp_path, some(m=(5, 5), f=(5, 5), x=(5, 5)), "old", **WIDE)
    write(tmp_path / "data.csv", some(m=(5, 5), f=(5, 5)))
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **WIDE)
    chosen = select([loaded], ["DI"])[0]
    result = run(loaded, Options(chosen, ("DI",))).result
    assert result.baseline
    assert result.baseline.vanished == ("DI on sex, x against m", "group x of sex")


def value_of(check: CheckRecord) -> Value:
    """Return what a check came to."""
    return Value(check.status, check.value, check.sign)


def test_groups_are_compared_with_another_best_one(tmp_path: Path) -> None:
    """Where another group is the best by now, the earlier value is computed against that one."""
    best: Parts = {"facets": {"sex": {"column": "sex", "compare": "best"}}}
    old = some(a=(60, 40), b=(55, 45), c=(50, 50))
    new = some(a=(55, 45), b=(80, 20), c=(50, 50))
    result = compared(tmp_path, old, new, 0.02, **best, metrics={"DPPL": None})
    found = {(c.favored, c.disfavored): c for c in result.checks}
    assert {sides: noted(check) for sides, check in found.items()} == {
        ("b", "a"): ("fail", "regressed"),
        ("b", "c"): ("fail", "regressed"),
    }
    note = found["b", "c"].baseline
    assert note
    assert (note.value, note.worsening) == (0.05, 0.25)
    assert result.baseline
    assert (result.baseline.new, result.baseline.vanished) == ((), ())


def test_selection_may_share_nothing_with_the_baseline(tmp_path: Path) -> None:
    """A selection of what the baseline does not have yet is run, and named as new."""
    report(tmp_path, HALVES, "old", **{**WIDE, "metrics": {"DI": None}})
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **WIDE)
    chosen = select([loaded], ["DPPL"])[0]
    result = run(loaded, Options(chosen, ("DPPL",))).result
    assert result.baseline
    assert result.baseline.new == ("DPPL on sex, f against m",)


def test_report_is_no_worse_than_itself(tmp_path: Path) -> None:
    """Nothing is new, has vanished or got worse against the same data."""
    result = compared(tmp_path, HALVES, HALVES, metrics={"DI": None, "DPPL": None})
    assert changes(
        result,
        BaselineValues({check_key(c): BaselineValue(value_of(c)) for c in result.checks}, result),
    ) == ((), (), ())
    assert {noted(c) for c in result.checks} == {("pass", "same")}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("", "not a JSON document"),
        ("{}", "not a report of biaspipe"),
        ('{"schema": "biaspipe-report/1"}', "not a whole report: result: "),
        ("[" * 10**5, "not a JSON document"),
    ],
)
def test_baseline_that_is_no_report(content: str | None, words: str, tmp_path: Path) -> None:
    """A baseline that is missing or no report ends the run as faulty data."""
    write(tmp_path / "data.csv", HALVES)
    if content is not None:
        write(tmp_path / "old.json", content)
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **WIDE)
    with pytest.raises(DataError, match=words):
        run(loaded)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"value": 1.0', '"value": 0.5'), ('"as_of": "2', '"as_of": "3'), ('"min_rows": 0', "1")],
)
def test_baseline_that_was_changed_is_refused(old: str, new: str, tmp_path: Path) -> None:
    """A baseline that somebody changed is not compared with."""
    path = report(tmp_path, HALVES, "old", **WIDE)
    text = path.read_text(encoding="utf-8")
    new = new if new.startswith('"') else f'"min_rows": {new}'
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    loaded = prepare(tmp_path, data={"path": "data.csv"}, baseline={"report": "old.json"}, **WIDE)
    with pytest.raises(DataError, match="was changed since it was written"):
        run(loaded)
