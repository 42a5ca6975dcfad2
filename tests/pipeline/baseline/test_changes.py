"""Changes since a baseline: what chance may have done is not called a change of the model."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from biaspipe.errors import SpecError
from biaspipe.pipeline import run
from biaspipe.pipeline.verification import verify
from biaspipe.report import ChangeRecord, CheckRecord, Result
from tests.cli.calls import call
from tests.engines.builders import prepare, write
from tests.pipeline.baseline.test_baselines import WIDE, compared, noted, some
from tests.pipeline.reports import Values, report, resealed, table

INSIDE = {"decide_by": "inside", "min_rows": 0}
DPPL: Values = {"metrics": {"DPPL": None}}
BOTH = table(
    "sex,label,then,now",
    "m,1,1,1 x 250",
    "m,0,0,1 x 20",
    "m,1,1,0 x 30",
    "m,0,0,0 x 200",
    "f,1,1,1 x 140",
    "f,0,0,1 x 20",
    "f,1,1,0 x 60",
    "f,0,0,0 x 280",
)


def change_of(check: CheckRecord) -> ChangeRecord:
    """Return the interval of a check's change."""
    assert check.baseline
    assert check.baseline.change
    return check.baseline.change


def decided(folder: Path, old: str, new: str, most: float, decide_by: str) -> CheckRecord:
    """Compare DPPL of new rows with old ones."""
    rules = {"decide_by": decide_by, "min_rows": 0}
    return compared(folder, old, new, most, **DPPL, decision=rules).checks[0]


OLD, NEW = some(m=(500, 500), f=(500, 500)), some(m=(500, 500), f=(450, 550))
"""Of 1,000 people each, a difference of 0.05 where there was none: -0.04 to +0.09."""


@pytest.mark.parametrize("decide_by", ["inside", "outside"])
@pytest.mark.parametrize(
    ("most", "f", "expected"),
    [
        (0.02, 450, ("undecided", "undecided")),
        (0.12, 450, ("pass", "worse")),
        (0.02, 400, ("fail", "regressed")),
        (0.02, 500, ("pass", "same")),
        (0.02, 501, ("undecided", "undecided")),
    ],
)
def test_whole_interval_of_a_change_decides(
    most: float, f: int, expected: tuple[str, str], decide_by: str, tmp_path: Path
) -> None:
    """A change fails or passes as a whole interval does, and is undecided where it straddles."""
    new = some(m=(500, 500), f=(f, 1000 - f))
    assert noted(decided(tmp_path, OLD, new, most, decide_by)) == expected


def test_values_decide_where_they_are_asked_to(tmp_path: Path) -> None:
    """Under decide_by: value a change fails by its value, and says that it may be chance."""
    check = decided(tmp_path, OLD, NEW, 0.02, "value")
    assert noted(check) == ("fail", "regressed")
    assert check.reason == (
        "worse than in the baseline: was 0, now 0.05 farther from parity, more than 0.02,"
        " which may be chance"
    )


def test_undecided_change_says_what_is_not_known(tmp_path: Path) -> None:
    """The reason names the interval of the change, what is allowed, and what would tell."""
    check = decided(tmp_path, OLD, NEW, 0.02, "inside")
    assert check.reason == (
        "may be worse than in the baseline: was 0, now 0.05 farther from parity, which may be"
        " chance; the 95% interval of the change -0.02207 to 0.1117 reaches across the 0.02 that"
        " is allowed; about 12 times as many people in both reports would tell four times in five"
        " if the change stays what it is"
    )


def test_limit_that_is_kept_does_not_decide_an_open_change(tmp_path: Path) -> None:
    """A check within its limit is undecided where its change is, and fails where its limit does."""
    metrics = {"DPPL": {"max_abs": 0.3}}
    result = compared(tmp_path, OLD, NEW, 0.02, metrics=metrics, decision=INSIDE)
    assert noted(result.checks[0]) == ("undecided", "undecided")
    metrics = {"DPPL": {"min": 0.2}}
    result = compared(tmp_path, OLD, NEW, 0.02, metrics=metrics, decision=INSIDE)
    assert noted(result.checks[0]) == ("fail", "undecided")


def test_same_rows_and_predictions_change_by_nothing(tmp_path: Path) -> None:
    """A report against the same files has a change of exactly 0, without chance."""
    result = compared(tmp_path, NEW, NEW, metrics={"DI": None, "DPPL": None}, decision=INSIDE)
    assert {noted(check) for check in result.checks} == {("pass", "same")}
    for check in result.checks:
        change = change_of(check)
        assert (change.low, change.high, change.method) == (0.0, 0.0, "identical")
    assert (result.baseline and result.baseline.rows) == "same"


def test_same_file_under_another_condition_is_of_other_rows(tmp_path: Path) -> None:
    """The rows that a condition leaves are not those of the whole file."""
    report(tmp_path, NEW, "old", **WIDE)
    data = {"path": "data.csv", "where": "prediction >= 0"}
    result = run(prepare(tmp_path, data=data, baseline={"report": "old.json"}, **WIDE)).result
    assert (result.baseline and result.baseline.rows) == "other"
    assert {change_of(check).method for check in result.checks} == {"mover"}


def challenged(folder: Path, rows: str = BOTH, **parts: Any) -> Result:
    """Audit one prediction, and another one of the same rows against it."""
    parts = {"metrics": {"DPPL": None, "DI": None, "DPL": None}, **parts}
    columns = {"label": {"column": "label", "positive": 1}, **parts.pop("columns", {})}
    then, now = (
        {**columns, "prediction": {"column": name, "positive": 1, "constant": "allowed"}}
        for name in ("then", "now")
    )
    report(folder, rows, "old", **parts, columns=then)
    path = report(folder, rows, **parts, columns=now, baseline={"report": "old.json"})
    assert verify(path).findings == ()
    return run(
        prepare(
            folder, data={"path": "data.csv"}, **parts, columns=now, baseline={"report": "old.json"}
        )
    ).result


def test_two_predictions_of_the_same_rows_are_paired(tmp_path: Path) -> None:
    """DPPL of 0.22 after 0.16 has nearly Newcombe's paired limits; the labels cannot change."""
    difference, ratio, labels = challenged(tmp_path).checks
    change = change_of(difference)
    assert change.method == "paired"
    assert (difference.value, difference.baseline and difference.baseline.value) == (0.22, 0.16)
    # Newcombe's method 10 in each group: 0.02 (-0.0085 to 0.0481) and 0.08 (0.0455 to 0.1144)
    assert change.ends == pytest.approx((0.06 - 0.0446, 0.06 + 0.0447), abs=0.002)
    assert change_of(ratio).method == "paired"
    assert change_of(labels).method == "identical"
    plain = 1.96 * sqrt(2 * (0.5 * 0.5 + 0.36 * 0.64) / 500)
    ends = change.ends
    assert ends[1] - ends[0] < 0.8 * 2 * plain


def test_people_by_both_predictions_stand_in_the_report(tmp_path: Path) -> None:
    """A comparison has its people by label and prediction, for each earlier prediction."""
    result = challenged(tmp_path)
    earlier = result.facets[0].comparisons[0].earlier
    assert earlier
    men = earlier.favorable.counts["favored"]
    assert (men.TP, men.FP, men.FN, men.TN) == (250, 0, 30, 0)
    assert earlier.unfavorable.counts["disfavored"].FP == 20
    assert result.baseline
    assert (result.baseline.rows, result.baseline.other_prediction) == ("same", True)


def test_strata_are_paired_too(tmp_path: Path) -> None:
    """A conditional disparity of two predictions is paired, stratum by stratum."""
    rows = BOTH.replace("\n", ",x\n").replace("now,x", "now,s")
    rows += BOTH.partition("\n")[2].replace("\n", ",y\n")
    columns = {"strata": ["s"]}
    result = challenged(tmp_path, rows, columns=columns, metrics={"CDDPL": None})
    change = change_of(result.checks[0])
    assert change.method == "paired"
    assert change.correlation == pytest.approx(0.7, abs=0.1)


def test_people_without_one_prediction_are_not_paired(tmp_path: Path) -> None:
    """Where somebody has one prediction alone, the two are not of the same people."""
    result = challenged(tmp_path, BOTH + "m,1,,1\n")
    assert result.facets[0].comparisons[0].earlier is None
    assert change_of(result.checks[0]).method == "mover"


def test_weighted_people_are_paired_by_squared_weights(tmp_path: Path) -> None:
    """Sampling weights of 2 for everybody leave the correlation of two predictions as it is."""
    plain = change_of(challenged(tmp_path).checks[0])
    rows = BOTH.replace("\n", ",2.0\n").replace("now,2.0", "now,w")
    columns = {"weight": {"column": "w", "kind": "sampling"}}
    weighted = change_of(challenged(tmp_path, rows, columns=columns).checks[0])
    assert weighted.method == "paired"
    assert weighted.correlation == pytest.approx(plain.correlation, abs=1e-6)
    assert weighted.ends == pytest.approx(plain.ends, abs=1e-6)


def test_reports_side_by_side_are_paired_too(tmp_path: Path) -> None:
    """`diff` pairs two predictions where the new report was run against the old one."""
    challenged(tmp_path)
    ended = call("diff", tmp_path / "old.json", tmp_path / "report.json")
    line = next(line for line in ended.out.splitlines() if " DPPL " in line)
    assert "+0.0600 (+0.0156 to +0.104)" in line
    assert "may be chance" not in ended.out


def test_reports_side_by_side_are_paired_in_either_order(tmp_path: Path) -> None:
    """`diff` of the same two reports the other way round has the negative of the interval."""
    challenged(tmp_path)
    ended = call("diff", tmp_path / "report.json", tmp_path / "old.json")
    line = next(line for line in ended.out.splitlines() if " DPPL " in line)
    assert "-0.0600 (-0.104 to -0.0156)" in line


def test_odds_of_other_people_than_before_are_not_called_paired(tmp_path: Path) -> None:
    """EOD is of false positive rates where it was of true ones: nobody moves both values."""
    rows = table(
        "sex,label,then,now",
        "m,1,1,1 x 90",
        "m,1,0,0 x 10",
        "f,1,1,1 x 70",
        "f,1,0,1 x 15",
        "f,1,0,0 x 15",
        "m,0,1,1 x 30",
        "m,0,0,1 x 10",
        "m,0,0,0 x 60",
        "f,0,1,1 x 20",
        "f,0,0,0 x 80",
    )
    odds, gap = challenged(tmp_path, rows, metrics={"EOD": None, "RD": None}).checks
    assert (change_of(odds).method, change_of(odds).correlation) == ("mover", None)
    assert change_of(gap).method == "paired"


def test_open_change_is_waived_as_a_regression_only(tmp_path: Path) -> None:
    """A waiver covers a check whose change is undecided where it says so, as of a regression."""
    waiver = {"metric": "DPPL", "reason": "known", "approved_by": "Ada", "expires": "2999-12-31"}
    parts: Values = {**WIDE, "metrics": {"DPPL": {"max_abs": 0.3}}}
    report(tmp_path, OLD, "old", **parts)
    write(tmp_path / "data.csv", NEW)
    parts |= {
        "data": {"path": "data.csv"},
        "decision": INSIDE,
        "baseline": {"report": "old.json", "max_worsening": 0.02},
    }
    for more, verdict in (({}, "undecided"), ({"regression": True}, "waived")):
        result = run(prepare(tmp_path, **parts, waivers=[{**waiver, **more}])).result
        assert result.checks[0].verdict == verdict


def test_another_prediction_of_other_rows_is_refused(tmp_path: Path) -> None:
    """Two predictions are compared on the same rows, and on no others."""
    columns = {name: {"prediction": {"column": name, "positive": 1}} for name in ("then", "now")}
    report(tmp_path, BOTH, "old", columns=columns["then"], **DPPL)
    write(tmp_path / "data.csv", BOTH + "m,1,1,1\n")
    loaded = prepare(
        tmp_path,
        data={"path": "data.csv"},
        columns=columns["now"],
        baseline={"report": "old.json"},
        **DPPL,
    )
    with pytest.raises(SpecError, match=r"columns\.prediction was .* a file has another digest"):
        run(loaded)


def forgeries(values: Values) -> list[tuple[str, Any]]:
    """Return what a forger may write into a report with a baseline."""
    change = values["result"]["checks"][0]["baseline"]["change"]
    return [
        ("low", change["low"] + 0.01),
        ("high", change["high"] - 0.01),
        ("method", "identical"),
        ("correlation", 0.99),
        ("confidence", 0.9),
    ]


def test_changed_intervals_are_found_out(tmp_path: Path) -> None:
    """The interval of a change follows from the report, and what it rests on fits the rest."""
    challenged(tmp_path)
    path = tmp_path / "report.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    for key, value in forgeries(whole):
        forged = json.loads(path.read_text(encoding="utf-8"))
        forged["result"]["checks"][0]["baseline"]["change"][key] = value
        assert found_in(tmp_path, forged)
    for key, value in (("rows", "other"), ("rows", None), ("other_prediction", None)):
        forged = json.loads(path.read_text(encoding="utf-8"))
        forged["result"]["baseline"][key] = value
        assert found_in(tmp_path, forged)
    forged = json.loads(path.read_text(encoding="utf-8"))
    people = forged["result"]["facets"][0]["comparisons"][0]["earlier"]["favorable"]
    people["counts"]["favored"]["TP"] += 1
    assert found_in(tmp_path, forged)


def found_in(folder: Path, values: Values) -> bool:
    """Whether verification finds anything in a report that was sealed anew."""
    path = folder / "forged.json"
    path.write_text(json.dumps(resealed(values)), encoding="utf-8")
    return bool(verify(path).findings)


def test_fresh_samples_of_an_unchanged_model_fail_no_more(tmp_path: Path) -> None:
    """Of 6 audits on fresh people nearly all have a worse value, and none a worse interval."""
    rng = np.random.RandomState(5)
    metrics = dict.fromkeys(("DPPL", "DI", "RD", "SD", "DPL"))
    columns = {
        "label": {"column": "label", "positive": 1},
        "prediction": {"column": "prediction", "positive": 1},
    }
    by_value = by_interval = 0
    for _ in range(6):
        old, new = (fresh(rng) for _ in range(2))
        checks = compared(tmp_path, old, new, columns=columns, metrics=metrics).checks
        by_value += any(noted(check)[1] == "regressed" for check in checks)
        by_interval += any(change_of(check).ends[0] > 0 for check in checks)
    assert by_value >= 5
    assert by_interval == 0


def fresh(rng: np.random.RandomState) -> str:
    """Return 1,000 people of each of two groups, from the same population each time."""
    rows = ["sex,label,prediction"]
    for sex in "mf":
        counts = rng.multinomial(1000, [0.4, 0.1, 0.1, 0.4])
        for (label, prediction), n in zip(((1, 1), (1, 0), (0, 1), (0, 0)), counts, strict=True):
            rows += [f"{sex},{label},{prediction}"] * n
    return "\n".join(rows) + "\n"
