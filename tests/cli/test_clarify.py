"""Clarify's arithmetic and its artifacts, from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import call, write_audit

ROWS = "sex,prediction,label\n" + "m,1,1\n" * 30 + "m,0,0\n" * 30 + "f,1,1\n" * 8 + "f,0,0\n" * 32
GAPS = ROWS + ",0,1\n" * 20
FACETS = {"sex": {"column": "sex", "disfavored": "f"}}
METRICS: dict[str, Any] = {"all": {}, "DPPL": {"max_abs": 0.25}}


def audit(name: str = "audit", rows: str = ROWS, **parts: Any) -> Path:
    """Write an audit under compat."""
    given = {"compat": "smclarify", "facets": FACETS, "metrics": METRICS}
    return write_audit(name, rows=rows, **{**given, **parts})


def read(name: str) -> Any:
    """Return a JSON document of the current folder."""
    return json.loads(Path(name).read_text(encoding="utf-8"))


def test_compat_decides_by_the_other_value() -> None:
    """The verdict is that of smclarify's value; the documented one fails beside it."""
    assert call("run", audit(rows=GAPS)).code == 0
    assert call("run", audit(rows=GAPS, compat=None)).code == 2
    spec = {k: v for k, v in read("audit.yaml").items() if k != "compat"}
    Path("documented.yaml").write_text(json.dumps(spec), encoding="utf-8")
    assert call("run", "documented.yaml").code == 1


def test_console_says_what_differs() -> None:
    """The console names each value that is not the documented one, by how much, and why."""
    out = call("run", audit(rows=GAPS)).out
    assert "DPPL sex, f: +0.1750, documented +0.3000, 0.125 apart (missing-facet)" in out
    assert "compat smclarify 0.5: " in out


def test_report_holds_both_values() -> None:
    """A check holds smclarify's value, and in `compat` the documented one and the difference."""
    call("run", audit(rows=GAPS), "-o", "r.json")
    checks = {check["metric"]: check for check in read("r.json")["result"]["checks"]}
    found = checks["DPPL"]
    assert found["value"] == 0.175
    assert found["compat"] == {
        "value": 0.3,
        "status": "ok",
        "differs": True,
        "difference": pytest.approx(-0.125),
        "reason": None,
        "sign": None,
        "why": ["missing-facet"],
    }
    assert found["interval"] is None
    assert checks["GE"]["compat"]["why"] == []


def test_report_under_compat_is_verified() -> None:
    """`verify` recomputes smclarify's values from the counts of the report, and finds a change."""
    call("run", audit(rows=GAPS), "-o", "r.json")
    assert call("verify", "r.json", "--data").code == 0
    text = Path("r.json").read_text(encoding="utf-8")
    Path("r.json").write_text(text.replace('"FN": 20', '"FN": 21'), encoding="utf-8")
    assert call("verify", "r.json").code == 1


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"facets": {"sex": {"column": "sex", "favored": "m"}}}, "one group with all the rest"),
        ({"metrics": {"LP": {"p": 1}}}, "LP with a p of its own"),
        ({"metrics": {"GE": {"alpha": 1}}}, "GE with a alpha of its own"),
        ({"decision": {"decide_by": "inside"}}, "no intervals to decide by"),
        ({"columns": {"prediction": {"column": "prediction", "positive": 1}}}, "without a label"),
        (
            {
                "columns": {
                    "label": {"column": "label", "at_least": 1},
                    "prediction": {"column": "prediction", "positive": 1},
                }
            },
            "exclusive lower bounds",
        ),
    ],
    ids=["favored", "p", "alpha", "decide_by", "label", "at_least"],
)
def test_what_smclarify_cannot_be_told_is_refused(parts: dict[str, Any], words: str) -> None:
    """A spec that smclarify has no way to say is wrong under compat."""
    ended = call("run", audit(**{"metrics": {"DPPL": {}}, **parts}))
    assert ended.code == 2
    assert words in ended.err


def test_explain_prints_the_differences() -> None:
    """`explain --compat` names the cases, the metrics, and both ways."""
    ended = call("explain", "--compat")
    assert ended.code == 0
    assert "flip-sign: the sign of the fliptest" in ended.out
    assert "documented  positive is against d: (F+ - F-)/n_d" in ended.out


def test_analysis_has_clarifys_shape() -> None:
    """`--format clarify` writes Clarify's keys in its order, metrics by id, GE in each group."""
    call("run", audit(), "-o", "analysis.json", "--format", "clarify")
    found = read("analysis.json")
    assert list(found) == ["version", "post_training_bias_metrics", "pre_training_bias_metrics"]
    section = found["post_training_bias_metrics"]
    assert list(section) == ["label", "facets", "label_value_or_threshold"]
    (group,) = section["facets"]["sex"]
    assert group["value_or_threshold"] == "f"
    names = [entry["name"] for entry in group["metrics"]]
    assert names == sorted(names)
    assert group["metrics"][1] == {
        "name": "CDDPL",
        "description": "Conditional Demographic Disparity in Predicted Labels (CDDPL)",
        "value": None,
        "error": "Group variable is empty or not provided",
    }
    assert {"GE", "DCA"} < set(names)


def test_infinite_values_are_texts() -> None:
    """DI over a selection of nobody is the text Infinity."""
    rows = ROWS.replace("m,1,1", "m,0,1")
    call("run", audit(rows=rows), "-o", "analysis.json", "--format", "clarify")
    (group,) = read("analysis.json")["post_training_bias_metrics"]["facets"]["sex"]
    values = {entry["name"]: entry["value"] for entry in group["metrics"]}
    assert values["DI"] == "Infinity"


def test_stored_report_renders_the_same() -> None:
    """`render` writes from a report what `run` writes, and the console without a file."""
    call("run", audit(), "-o", "a.json", "--format", "clarify")
    call("run", audit(), "-o", "r.json")
    assert call("render", "r.json", "--format", "clarify", "-o", "b.json").code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert "DPPL" in call("render", "r.json").out


def test_analysis_without_compat_has_documented_values() -> None:
    """Without compat the analysis holds the documented values; nobody knows a greatest value."""
    facets = {"age": {"column": "age", "disfavored": {"above": 40}}}
    rows = "age,prediction,label\n" + "30,1,1\n50,0,0\n" * 5
    write_audit(rows=rows, facets=facets, metrics={"DPPL": {}})
    call("run", "audit.yaml", "-o", "analysis.json", "--format", "clarify")
    (group,) = read("analysis.json")["post_training_bias_metrics"]["facets"]["age"]
    assert group["value_or_threshold"] == "(40, inf]"
    assert group["metrics"][0]["value"] == 1.0


@pytest.mark.parametrize(
    ("compat", "violations"), [({}, ["DI", "DPPL"]), ({"compat": "smclarify"}, ["DPPL"])]
)
def test_violations_follow_the_rule_of_the_audit(
    compat: dict[str, str], violations: list[str]
) -> None:
    """Worse is farther from parity, and under compat farther from 0, where a falling DI is not."""
    common: dict[str, Any] = {"facets": FACETS, "metrics": {"DI": {}, "DPPL": {}}}
    write_audit("old", rows=ROWS, **common, **compat)
    call("run", "old.yaml", "-o", "analysis.json", "--format", "clarify")
    worse = ROWS.replace("f,1,1\n" * 8, "f,0,1\n" * 4 + "f,1,1\n" * 4)
    write_audit("new", rows=worse, baseline={"report": "analysis.json"}, **common, **compat)
    assert call("run", "new.yaml", "-o", "constraint_violations.json", "-o", "r.json").code == 1
    found = read("constraint_violations.json")
    assert [entry["metric_name"] for entry in found["violations"]] == violations
    assert found["violations"][-1] == {
        "facet": "sex",
        "facet_value": "f",
        "metric_name": "DPPL",
        "constraint_check_type": "bias_drift_check",
        "description": "Metric value 0.4 doesn't meet the baseline constraint requirement 0.3",
    }
    assert call("verify", "r.json").code == 0


@pytest.mark.parametrize(
    "words",
    [
        "run audit.yaml -o constraint_violations.json",
        "render r.json -o constraint_violations.json",
        "render r.json --format violations",
    ],
)
def test_violations_without_a_baseline_are_refused(words: str) -> None:
    """An empty list of what got worse would look like a pass, in a file and where it is printed."""
    write_audit("audit", rows=ROWS, facets=FACETS, metrics={"DPPL": {"max_abs": 0.01}})
    call("run", "audit.yaml", "-o", "r.json")
    ended = call(*words.split())
    assert (ended.code, ended.out) == (2, "")
    assert "violations are of a baseline, and the audit has none" in ended.err


def test_baseline_of_other_facets_is_refused() -> None:
    """An analysis without any of the audit's checks is a wrong baseline."""
    analysis = {"version": "1.0", "pre_training_bias_metrics": {"facets": {"age": []}}}
    Path("analysis.json").write_text(json.dumps(analysis), encoding="utf-8")
    ended = call("run", audit(baseline={"report": "analysis.json"}))
    assert ended.code == 2
    assert "no value of any of these checks" in ended.err


def test_baseline_of_another_group_is_refused() -> None:
    """An analysis of men is no baseline for women, though both are texts."""
    group = {"value_or_threshold": "m", "metrics": [{"name": "DPPL", "value": 0.9}]}
    analysis = {"version": "1.0", "post_training_bias_metrics": {"facets": {"sex": [group]}}}
    Path("analysis.json").write_text(json.dumps(analysis), encoding="utf-8")
    ended = call("run", audit(baseline={"report": "analysis.json"}))
    assert ended.code == 2
    assert "no value of any of these checks" in ended.err


@pytest.mark.parametrize(
    ("label", "positive", "words"),
    [
        ("other", "1", "its label is 'other' and is 'label' here"),
        ("label", "0", "its positive label is '0' and is '1' here"),
    ],
)
def test_baseline_of_another_label_is_refused(label: str, positive: str, words: str) -> None:
    """An analysis of another label, or of the other outcome, is no baseline."""
    group = {"value_or_threshold": "f", "metrics": [{"name": "DPPL", "value": 0.9}]}
    section = {"label": label, "label_value_or_threshold": positive, "facets": {"sex": [group]}}
    analysis = {"version": "1.0", "post_training_bias_metrics": section}
    Path("analysis.json").write_text(json.dumps(analysis), encoding="utf-8")
    ended = call("run", audit(baseline={"report": "analysis.json"}))
    assert ended.code == 2
    assert words in ended.err


@pytest.mark.parametrize("value", [True, 10**400, [0.3], "much"])
def test_baseline_without_numbers_is_refused(value: Any) -> None:
    """A value that Clarify could not have written is an error of the data."""
    group = {"value_or_threshold": "f", "metrics": [{"name": "DPPL", "value": value}]}
    analysis = {"version": "1.0", "post_training_bias_metrics": {"facets": {"sex": [group]}}}
    Path("analysis.json").write_text(json.dumps(analysis), encoding="utf-8")
    ended = call("run", audit(baseline={"report": "analysis.json"}))
    assert ended.code == 3
    assert "not a whole analysis of Clarify" in ended.err
