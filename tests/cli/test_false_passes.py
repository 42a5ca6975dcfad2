"""What other tools let pass: nobody selected, nothing measured, nothing asked, all exit 0."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.calls import Ended, call, write_audit

Parts = dict[str, Any]

PREDICTION = {"prediction": {"column": "prediction", "positive": 1}}
BOTH = {**PREDICTION, "label": {"column": "label", "positive": 1}}


def run(*words: object, **parts: Any) -> Ended:
    """Write an audit and run it."""
    return call("run", write_audit(**parts), *words)


def table(header: str, *rows: str) -> str:
    """Return a text table; `f,0 x 20` is twenty equal rows."""
    lines = [header]
    for row in rows:
        values, _, times = row.partition(" x ")
        lines += [values] * int(times or 1)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("metric", "limits"),
    [("DI", {"min": 0.8}), ("DPPL", {"max_abs": 0.1}), ("vertex.dpppl", {"max": 0.1})],
)
def test_small_group_with_nobody_selected_fails(metric: str, limits: Parts) -> None:
    """A group of twenty of whom nobody is selected fails the audit, beside a large fair group."""
    rows = table("sex,prediction", "m,1 x 500", "m,0 x 500", "f,1 x 500", "f,0 x 500", "x,0 x 20")
    ended = run(rows=rows, columns=PREDICTION, metrics={metric: limits})
    assert ended.code == 1
    assert re.search(r"  x +20 +0\.0%  ", ended.out)


def test_ratio_over_nobody_fails_its_maximum() -> None:
    """A selection rate over one of 0 is infinite, is shown so, and breaks any maximum."""
    rows = table("sex,prediction", "m,0 x 20", "f,1 x 5", "f,0 x 15")
    ended = run(rows=rows, columns=PREDICTION, metrics={"DI": {"max": 1000}})
    assert ended.code == 1
    assert re.search(r"^FAIL     DI       \+inf  [\d.]+ to inf +to 1000  ", ended.out, re.M)


@pytest.mark.parametrize(
    "limits", [{"min": 0.8}, {"max": 1.25}, {"min": 1e-9}, {"warn": {"min": 0.8}}, {"max": 1e9}]
)
def test_ratio_of_nobody_to_nobody_is_undecided(limits: Parts) -> None:
    """A ratio 0/0 is undecided under any limit, however generous, and never counted as fair."""
    rows = table("sex,score", "m,0.2 x 20", "f,0.1 x 20")
    columns = {"prediction": {"column": "score", "above": 0.5, "constant": "allowed"}}
    ended = run(rows=rows, columns=columns, metrics={"DI": limits})
    assert ended.code == 4
    assert "UNDECIDED  DI      undefined" in ended.out


def test_recall_of_nobody_is_undecided() -> None:
    """Two recalls of 0/0 are undecided, not equal."""
    rows = table("sex,prediction,score", "m,1,0.1", "m,0,0.2", "f,1,0.1", "f,0,0.2")
    columns = {**PREDICTION, "label": {"column": "score", "above": 0.5, "constant": "allowed"}}
    ended = run(rows=rows, columns=columns, metrics={"RD": {"max_abs": 0.1}})
    assert ended.code == 4
    words = "has no value: of m, no people with 'score above 0.5'; n_a(1) = 0: RD is undefined"
    assert words in " ".join(ended.out.split())


@pytest.mark.parametrize("positive", [1, 1.0, "1", "1.0"])
@pytest.mark.parametrize("data", ["data.csv", "data.parquet"])
def test_floating_labels_are_found(positive: object, data: str) -> None:
    """Labels 0.0 and 1.0 have positives however the spec writes the one."""
    frame = pl.DataFrame({"sex": [*"mmmmff"], "label": [1.0, 1.0, 1.0, 0.0, 1.0, 0.0]})
    frame.write_csv("data.csv")
    frame.write_parquet("data.parquet")
    columns = {"label": {"column": "label", "positive": positive}}
    ended = run(rows=None, data=data, columns=columns, metrics={"DPL": {"max_abs": 0.2}})
    assert ended.code == 1
    assert re.search(r"^FAIL     DPL     \+0\.2500 .* within 0\.2  ", ended.out, re.M)


TYPOS: dict[str, Parts] = {
    "unknown metric": {"metrics": {"DX": {"min": 0.5}}},
    "unknown metric beside a limit that holds": {
        "metrics": {"DI": {"min": 0.5}, "disparity": {"min": 0.9}}
    },
    "metric in lower case": {"metrics": {"di": {"min": 0.5}}},
    "misspelt limit": {"metrics": {"DI": {"mn": 0.9}}},
    "misspelt limit under warn": {"metrics": {"DI": {"min": 0.5, "warn": {"mni": 0.9}}}},
    "misspelt section": {"metric": {"DI": {"min": 0.9}}},
    "misspelt facet key": {"facets": {"sex": {"column": "sex", "favoured": "m"}}},
    "unknown facet of a check": {"metrics": {"DI": {"min": 0.5, "facets": ["gender"]}}},
    "no facet of a check": {"metrics": {"DI": {"min": 0.9, "facets": []}}},
    "misspelt group": {"facets": {"sex": {"column": "sex", "favored": "male"}}},
    "misspelt other group": {
        "facets": {"sex": {"column": "sex", "favored": "m", "disfavored": "female"}}
    },
    "misspelt value of a named group": {
        "facets": {"sex": {"column": "sex", "groups": {"a": "m", "b": ["f", "w"]}, "favored": "a"}}
    },
    "misspelt column": {"facets": {"sex": {"column": "gender", "favored": "m"}}},
    "misspelt positive": {"columns": {"prediction": {"column": "prediction", "positive": "yes"}}},
    "one positive of two": {
        "columns": {"prediction": {"column": "prediction", "positive": [1, 2]}}
    },
    "limit in quotes": {"metrics": {"DI": {"min": "0.9"}}},
    "limit as a text": {"metrics": {"DI": ">= 0.9"}},
    "limit that no value keeps": {"metrics": {"DI": {"min": 1.25, "max": 0.8}}},
    "distance from 0 for a ratio": {"metrics": {"DI": {"max_abs": 0.9}}},
    "limit on a family": {"metrics": {"post_training": {"min": 0.9}}},
    "need that is not declared": {"metrics": {"FT": {"max_abs": 0.1}}},
    "version of the future": {"version": 2},
}


@pytest.mark.parametrize("parts", TYPOS.values(), ids=list(TYPOS))
@pytest.mark.parametrize("way", ["fail", "never"])
def test_typo_is_never_a_pass(parts: Parts, way: str) -> None:
    """A typo ends with 2, shows the line with a caret, and even --fail-on never lets none pass."""
    ended = run("--fail-on", way, **parts)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: audit.yaml:")
    assert "^" in ended.err


@pytest.mark.parametrize(
    ("metrics", "key"),
    [
        ({"DI": {"min": None}}, "min"),
        ({"DI": {"min": 0.5, "max": None}}, "max"),
        ({"DPPL": {"max_abs": None}}, "max_abs"),
        ({"DI": {"min": 0.5, "warn": {"min": None}}}, "min"),
    ],
)
def test_limit_without_a_number_is_never_a_pass(metrics: Parts, key: str) -> None:
    """A limit whose number is left out is a wrong spec, not a check without a limit."""
    ended = run(metrics={**metrics, "CI": {"max_abs": 0.9}})
    assert ended.code == 2
    assert key in ended.err


UNLIMITED: dict[str, Parts] = {
    "no metrics": {"metrics": {}},
    "metrics left empty": {"metrics": None},
    "metrics without limits": {"metrics": {"DI": None, "DPPL": {}}},
    "a family": {"metrics": {"vertex": None}},
    "all families": {"metrics": {"all": None}},
    "parameters alone": {"metrics": {"LP": {"p": 1}}},
    "a warning left empty": {"metrics": {"DI": {"warn": {}}}},
}


@pytest.mark.parametrize("parts", UNLIMITED.values(), ids=list(UNLIMITED))
def test_spec_without_limits_is_never_a_pass(parts: Parts) -> None:
    """A spec without any limit ends with 5 and says in its last line that nothing was checked."""
    ended = run(**parts)
    assert ended.code == 5
    assert "NOTHING CHECKED: no check has a limit" in ended.last
    assert "passed" not in ended.out


@pytest.mark.parametrize("parts", UNLIMITED.values(), ids=list(UNLIMITED))
def test_spec_without_limits_says_so_though_it_may_not_fail(parts: Parts) -> None:
    """With --fail-on never a spec without limits still says that nothing was checked."""
    ended = run("--fail-on", "never", **parts)
    assert ended.code == 0
    assert "NOTHING CHECKED: no check has a limit" in ended.last


def test_summary_never_praises_what_was_not_checked() -> None:
    """The summary of several specs says of one without limits that nothing was checked."""
    paths = write_audit("a"), write_audit("b", metrics={"DI": None})
    for way in ("fail", "never"):
        ended = call("run", *paths, "--fail-on", way)
        assert re.search(r"^nothing checked +[05]  b\.yaml .*  nothing checked$", ended.out, re.M)


def test_spec_that_is_left_out_does_not_pass_for_another() -> None:
    """Facets without their own limits do not hide that the limited facet was not selected."""
    facets = {
        "sex": {"column": "sex", "favored": "m", "metrics": {"DI": {"min": 0.5}}},
        "label": {"column": "label", "favored": 1},
    }
    ended = run("--select", "label", facets=facets, metrics={"DPPL": None})
    assert ended.code == 5


@pytest.mark.parametrize("limits", [{"max_abs": 0.1}, {"max": 0.99}, {"warn": {"max_abs": 0.1}}])
def test_undefined_value_with_a_limit_is_undecided(limits: Parts) -> None:
    """A metric without a value ends with 4 under each kind of limit, and counts as no pass."""
    ended = run(metrics={"RD": limits})
    assert ended.code == 4
    assert ended.last.startswith("1 undecided  (")


def test_undefined_value_without_a_limit_is_shown() -> None:
    """A metric without a value and without a limit is shown as undefined, not as 0."""
    ended = run("--all", metrics={"RD": None, "DI": {"min": 0.5}})
    assert ended.code == 0
    assert "reported  RD      undefined" in ended.out


@pytest.mark.parametrize(
    ("label", "code"),
    [({"positive": 1}, 2), ({"above": 0}, 2), ({"above": 0, "constant": "allowed"}, 4)],
)
def test_label_that_is_all_missing_is_never_a_pass(label: Parts, code: int) -> None:
    """A label without any value lacks the positive one, or leaves nobody to decide about."""
    rows = table("sex,prediction,label", "m,1, x 5", "m,0, x 5", "f,1, x 5", "f,0, x 5")
    columns = {**PREDICTION, "label": {"column": "label", **label}}
    for metrics in ({"RD": {"max_abs": 0.1}}, {"DI": {"min": 0.5}}, {"CI": {"max_abs": 0.5}}):
        assert run(rows=rows, columns=columns, metrics=metrics).code == code


@pytest.mark.parametrize(
    "metrics", [{"RD": {"max_abs": 0.99}}, {"DI": {"min": 0.01}}, {"DPPL": {"max_abs": 0.99}}]
)
def test_group_without_labels_is_undecided(metrics: Parts) -> None:
    """A group whose rows all lack a label is shown with nobody in it and is undecided."""
    rows = table("sex,prediction,label", "m,1,1 x 5", "m,0,0 x 5", "f,1, x 5", "f,0, x 5")
    ended = run(rows=rows, columns=BOTH, metrics=metrics)
    assert ended.code == 4
    assert "disfavored:  f, 0 people" in ended.out
    assert "10 of 20 rows compared; 10 without a label" in ended.out


@pytest.mark.parametrize(
    "metrics", [{"DI": {"min": 0.01}}, {"DPPL": {"max_abs": 0.99}}, {"KS": {"max": 0.99}}]
)
def test_group_of_weight_nought_is_undecided(metrics: Parts) -> None:
    """A group whose weights are all 0 is nobody and is undecided."""
    rows = table("sex,prediction,label,n", "m,1,1,5", "m,0,0,5", "f,1,1,0", "f,0,0,0")
    ended = run(rows=rows, columns={**BOTH, "weight": "n"}, metrics=metrics)
    assert ended.code == 4
    assert "disfavored:  f, 0 people" in ended.out


def test_group_without_anybody_is_undecided_among_others() -> None:
    """One group of weight 0 among groups that pass is undecided, not left out."""
    rows = table("sex,prediction,n", "m,1,5", "m,0,5", "f,1,5", "f,0,5", "x,1,0")
    ended = run(rows=rows, columns={**PREDICTION, "weight": "n"}, metrics={"DI": {"min": 0.5}})
    assert ended.code == 4
    assert ended.last.startswith("1 passed, 1 undecided  (")


def test_warning_alone_counts_as_a_check() -> None:
    """A check that may only warn is a check: it passes, warns, or cannot be decided."""
    codes = [run(metrics={"DI": {"warn": {"min": low}}}).code for low in (0.5, 0.9)]
    assert codes == [0, 0]
    assert run(metrics={"DI": {"warn": {"min": 0.9}}}).last.startswith("1 warned  (")
    assert run("--fail-on", "warn", metrics={"DI": {"warn": {"min": 0.9}}}).code == 1
    assert run(metrics={"RD": {"warn": {"max_abs": 0.9}}}).code == 4


def test_missing_scores_are_not_counted_as_rejections() -> None:
    """Rows whose score is NaN or missing take no part, and are counted as missing."""
    rows = table(
        "sex,score", "m,0.9 x 5", "m,0.1 x 5", "m,NaN x 10", "f,0.9 x 5", "f,0.1 x 5", "f, x 7"
    )
    columns = {"prediction": {"column": "score", "above": 0.5, "constant": "allowed"}}
    ended = run(rows=rows, columns=columns, metrics={"DI": {"min": 1, "max": 1}})
    assert ended.code == 0
    assert "20 of 37 rows compared; 17 without a prediction" in ended.out


def test_scores_that_are_all_missing_are_undecided() -> None:
    """Two groups without any score are undecided, not equally rejected."""
    frame = pl.DataFrame({"sex": ["m", "f"] * 5, "score": [float("nan"), None] * 5})
    frame.write_parquet("data.parquet")
    columns = {"prediction": {"column": "score", "above": 0.5, "constant": "allowed"}}
    parts: Parts = {"columns": columns, "metrics": {"DPPL": {"max_abs": 0.9}}}
    assert run(rows=None, data="data.parquet", **parts).code == 4


def where(condition: str, **parts: Any) -> Ended:
    """Run an audit of the rows that meet a condition."""
    path = write_audit(**parts)
    spec = json.loads(path.read_text(encoding="utf-8"))
    spec["data"]["where"] = condition
    path.write_text(json.dumps(spec), encoding="utf-8")
    return call("run", path)


@pytest.mark.parametrize("sides", [{}, {"favored": "m"}, {"compare": "pairs"}, {"compare": "best"}])
def test_condition_that_removes_a_group_is_never_a_pass(sides: Parts) -> None:
    """A condition that leaves nothing to compare ends with 2 and shows what it leaves."""
    ended = where("sex = 'm'", facets={"sex": {"column": "sex", **sides}})
    assert ended.code == 2
    assert "only 'm' occurs" in ended.err


def test_condition_that_removes_everybody_is_never_a_pass() -> None:
    """A condition that no row meets ends with 3."""
    ended = where("prediction > 7")
    assert ended.code == 3
    assert "`where` removes all 10 rows" in ended.err


def test_folder_whose_specs_are_misnamed_is_never_a_pass() -> None:
    """A folder whose specs end otherwise than .yaml or .yml ends with 2."""
    Path("audits").mkdir()
    write_audit().rename("audits/audit.yaml.txt")
    assert call("run", "audits").code == 2


def test_groups_that_never_meet_in_a_stratum_are_undecided() -> None:
    """A conditional disparity over strata of one group each has compared nobody: no pass."""
    rows = "sex,prediction,s\nm,1,a\nm,0,a\nf,1,b\nf,0,b\nf,0,b\n"
    columns = {"prediction": {"column": "prediction", "positive": 1}, "strata": ["s"]}
    facets = {"sex": {"column": "sex", "favored": "m"}}
    metrics = {"CDDPL": {"max_abs": 0.01}}
    ended = run(rows=rows, columns=columns, facets=facets, metrics=metrics)
    assert ended.code == 4
    assert "strata with both outcomes and both groups = 0: CDDPL is undefined" in ended.out


BEST = {"sex": {"column": "sex", "compare": "best"}}
PAIRS = {"sex": {"column": "sex", "compare": "pairs"}}


@pytest.mark.parametrize(
    ("metrics", "facets", "words"),
    [
        ({"DPPL": {"max_abs": 10}}, None, "no value can break max_abs 10: the range of DPPL is -1"),
        ({"DPPL": {"max_abs": 10, "warn": {"max_abs": 0.1}}}, None, "no value can break max_abs"),
        ({"DPPL": {"max_abs": 0.1}, "AD": {"warn": {"max": 1}}}, None, "no value can break max 1"),
        ({"DI": {"min": 0}}, None, "the range of DI is 0 to inf"),
        ({"KS": {"min": -1, "max": 1}}, None, "no value can break min -1 and max 1"),
        ({"LP": {"max": 1.5}}, None, "the range of LP is 0 to 1.41421"),
        ({"GE": {"alpha": 0.5, "max": 4}}, None, "the range of GE is 0 to 4"),
        ({"DI": {"max": 1.25}}, BEST, "the range of DI is 0 to 1 on sex, where the group with"),
        ({"DPPL": {"min": -0.1}}, PAIRS, "the range of DPPL is 0 to 1 on sex"),
    ],
)
def test_limit_that_nothing_can_break_is_no_pass(
    metrics: Parts, facets: Parts | None, words: str
) -> None:
    """A limit beyond what its check can come to, such as 10 for 10 %, ends with 2."""
    ended = run(columns=BOTH, metrics=metrics, **({"facets": facets} if facets else {}))
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


@pytest.mark.parametrize(
    ("metrics", "facets"),
    [
        ({"LP": {"p": 1, "max": 1.5}}, None),
        ({"GE": {"max": 1000}}, None),
        ({"KL": {"max": 5}}, None),
        ({"TE": {"max_abs": 50}}, None),
        ({"DI": {"min": 0.5, "max": 1.25}}, BEST),
        ({"DPL": {"min": -0.1}}, BEST),
    ],
)
def test_limit_that_something_can_break_is_accepted(metrics: Parts, facets: Parts | None) -> None:
    """A limit within the range at the parameters of its check is none of these."""
    parts: Parts = {"facets": facets} if facets else {}
    assert call("check", write_audit(columns=BOTH, metrics=metrics, **parts)).code == 0


def test_limit_on_the_chosen_side_counts_where_intervals_decide() -> None:
    """An interval reaches past parity though the value cannot: there such a limit may decide."""
    parts: Parts = {"columns": PREDICTION, "facets": BEST, "metrics": {"DI": {"max": 1.25}}}
    assert run(**parts).code == 2
    assert run(**parts, decision={"decide_by": "inside", "min_rows": 0}).code == 4


def test_label_as_its_own_prediction_is_no_pass() -> None:
    """A prediction that is the label makes every model right, and ends with 2."""
    columns = {**BOTH, "prediction": {"column": "label", "positive": 1}}
    ended = run(columns=columns, metrics={"AD": {"max_abs": 0.1}})
    assert ended.code == 2
    assert "label and prediction are the same column 'label'" in ended.err


@pytest.mark.parametrize("sample", [{}, {"sample": 4}], ids=["exact", "sampled"])
def test_features_that_nobody_has_are_refused(sample: Parts) -> None:
    """People of whom nothing is known are all alike, so that neighbours would say nothing."""
    rows = table("sex,prediction,town", "m,1, x 10", "m,0, x 10", "f,1, x 10", "f,0, x 10")
    columns = {**PREDICTION, "features": ["town"]}
    ended = run(rows=rows, columns=columns, metrics={"FT": {"max_abs": 0.5, **sample}})
    assert ended.code == 2
    assert "no row has a value in any of the features: 'town'" in ended.err
    assert (
        run(rows=rows.replace("f,1,", "f,1,Ulm"), columns=columns, metrics={"FT": None}).code == 5
    )
