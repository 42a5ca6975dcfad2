"""The report in Python: what it says of itself, its checks by name, its frames and its files."""

import copy
import datetime
import json
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

import biaspipe
from biaspipe import AuditReport
from biaspipe.report import Report
from biaspipe.verdict import Verdict

HOSTILE = "<b>&\"'\u202e\x1b[31m::error::x"
PEOPLE = pl.DataFrame(
    {
        "race": [*["White"] * 40, *["Black"] * 40, *[HOSTILE] * 40],
        "sex": ["m", "f"] * 60,
        "hired": [*["yes", "yes", "no", "no"] * 10, *["yes", "no", "no", "no"] * 20],
    }
)
SPEC: dict[str, Any] = {
    "version": 1,
    "name": "hiring",
    "columns": {"prediction": {"column": "hired", "positive": "yes"}},
    "facets": {
        "race": {"column": "race", "favored": "White"},
        "sex": {"column": "sex", "favored": "m", "disfavored": "f"},
    },
    "metrics": {"DI": {"min": 0.8, "facets": ["race"]}, "DPPL": {"max_abs": 0.9}},
}
"""Half of White people are hired, and a quarter of all others; no woman of those is."""


def report_of(**parts: Any) -> AuditReport:
    """Return the report of the spec with other parts."""
    return biaspipe.run({**SPEC, **parts}, data=PEOPLE)


FAILED = report_of()
PASSED = report_of(metrics={"DPPL": {"max_abs": 0.9}})
UNCHECKED = report_of(metrics={"DI": None})
UNDECIDED = report_of(metrics={"DPPL": {"max_abs": 0.9}}, decision={"min_rows": 1000})
WAIVER = {"metric": "DI", "reason": "Known", "approved_by": "Ada", "expires": "2099-03-31"}
WAIVED = report_of(waivers=[WAIVER])
WARNED = report_of(metrics={"DPPL": {"max_abs": 0.9, "warn": {"max_abs": 0.1}}})


@pytest.mark.parametrize(
    ("report", "verdict", "code"),
    [
        (PASSED, "pass", 0),
        (WARNED, "warn", 0),
        (WAIVED, "waived", 0),
        (FAILED, "fail", 1),
        (UNDECIDED, "undecided", 4),
        (UNCHECKED, "reported", 5),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_ok_is_exit_code_0_and_nothing_else(report: AuditReport, verdict: str, code: int) -> None:
    """A report is ok where the command ends with 0, and raises everywhere else."""
    assert (report.verdict, report.exit_code, report.ok) == (verdict, code, code == 0)
    if code == 0:
        report.raise_for_failures()
    else:
        with pytest.raises(biaspipe.VerdictError) as raised:
            report.raise_for_failures()
        assert raised.value.exit == code


def test_texts_of_a_check_can_be_printed() -> None:
    """Whatever a group is called, a check is told in a line that commands nothing."""
    group = "f\n::error::\x1b[31m##[error]"
    people = PEOPLE.with_columns(sex=pl.Series(["m", group] * 60))
    facets = {"sex": {"column": "sex", "favored": "m"}}
    metrics = {"DPPL": {"max_abs": 0.1}}
    report = biaspipe.run({**SPEC, "facets": facets, "metrics": metrics}, data=people)
    check = report.check("DPPL")
    assert group in check.sentence
    said = r"f\n::error::\x1b[31m#\x23[error]"
    assert str(check) == f"DPPL on sex, {said} against m"
    assert said in check.statement
    for text in (str(check), repr(check), check.statement, str(report), repr(report)):
        assert text.isprintable()
    begins = check.model_copy(update={"sentence": "::error::x"})
    assert begins.statement == r"\x3a:error::x"


@pytest.mark.parametrize("report", [PASSED, FAILED, UNCHECKED])
def test_report_is_neither_true_nor_false(report: AuditReport) -> None:
    """A test that forgets `.ok` is red whatever the verdict, and is told what to ask."""
    with pytest.raises(biaspipe.UsageError, match=r"neither true nor false\n  hint: report\.ok"):
        assert report
    assert report is not None


def test_warning_fails_where_the_run_said_so() -> None:
    """A stored run with --fail-on warn is not ok after a warning; never makes nothing ok."""
    strict = WARNED.model_copy(update={"run": WARNED.run.model_copy(update={"fail_on": "warn"})})
    assert (WARNED.ok, strict.ok, strict.exit_code) == (True, False, 1)
    with pytest.raises(biaspipe.VerdictError, match="DPPL on race, Black against White: warn"):
        strict.raise_for_failures()
    lenient = FAILED.model_copy(update={"run": FAILED.run.model_copy(update={"fail_on": "never"})})
    assert (lenient.ok, lenient.exit_code) == (False, 1)


def test_error_says_what_failed_in_a_line_each() -> None:
    """The error names the audit, what it came to, and each failure with its sentence."""
    with pytest.raises(biaspipe.VerdictError) as raised:
        FAILED.raise_for_failures()
    lines = str(raised.value).splitlines()
    assert lines[0] == "hiring: FAIL: 3 passed, 2 failed"
    assert sorted(lines[1:])[1] == (
        "  DI on race, Black against White: fail: the share who are predicted 'hired = yes' is 0.5"
        " times as large among Black as among White, to the disadvantage of Black"
    )
    assert len(lines) == 3
    assert not any(sign in str(raised.value) for sign in "\x1b\u202e")


def test_error_says_that_nothing_was_checked() -> None:
    """An audit without a limit says so, and one that is undecided says why."""
    with pytest.raises(biaspipe.VerdictError, match=r"NOTHING CHECKED.*\n  no check has a limit"):
        UNCHECKED.raise_for_failures()
    with pytest.raises(biaspipe.VerdictError, match=r"undecided: .*1000 are needed"):
        UNDECIDED.raise_for_failures()


def test_vanished_checks_raise(tmp_path: Path) -> None:
    """What the baseline has and the audit has not is told, where no check fails by itself."""
    old = tmp_path / "old.json"
    report_of(metrics={"CI": None, "DPPL": {"max_abs": 0.9}}).to_json(old)
    baseline = {"report": str(old), "max_worsening": 1}
    report = report_of(metrics={"DPPL": {"max_abs": 0.9}}, baseline=baseline)
    assert (report.ok, report.verdict) == (False, "fail")
    with pytest.raises(biaspipe.VerdictError, match="CI on sex, f against m: vanished since"):
        report.raise_for_failures()


def test_error_is_cut_after_twenty_findings() -> None:
    """A long list of failures ends in how many there are more."""
    people = pl.DataFrame(
        {"g": [str(i % 30) for i in range(300)], "y": [i % 30 < 9 for i in range(300)]}
    )
    columns = {"prediction": {"column": "y", "positive": True}}
    facets = {"g": {"column": "g", "favored": "0"}}
    report = biaspipe.run(
        {**SPEC, "columns": columns, "facets": facets, "metrics": {"DPPL": {"max_abs": 0.5}}},
        data=people,
    )
    with pytest.raises(biaspipe.VerdictError) as raised:
        report.raise_for_failures()
    assert (len(raised.value.findings), raised.value.findings[-1]) == (21, "and 1 more")


def test_error_survives_a_pickle() -> None:
    """What a worker raises reaches whoever waits for it with all that it says."""
    with pytest.raises(biaspipe.VerdictError) as raised:
        FAILED.raise_for_failures()
    other = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - ours
    assert (str(other), other.exit) == (str(raised.value), 1)


def test_report_is_one_line() -> None:
    """A report and its parts are short in a console, whoever prints them."""
    assert (
        repr(FAILED)
        == str(FAILED)
        == "AuditReport(audit='hiring', verdict='fail', failed=2, passed=3)"
    )
    assert repr(FAILED.result) == "Result(audit='hiring', verdict='fail', failed=2, passed=3)"
    selected = biaspipe.run(SPEC, data=PEOPLE, select=["DI"])
    assert repr(selected) == "AuditReport(audit='hiring', verdict='fail', failed=2, select=('DI',))"
    check = FAILED.check("DI", disfavored="Black")
    assert repr(check) == (
        "CheckRecord(metric='DI', facet='race', favored='White', disfavored='Black', value=0.5,"
        " verdict='fail')"
    )
    assert str(check) == "DI on race, Black against White"
    console = Console(width=200)
    with console.capture() as captured:
        console.print(FAILED)
    assert len(captured.get()) < 200


def test_report_is_the_artifact() -> None:
    """It is a report to all that takes one, and survives copies, pickles and JSON."""
    assert isinstance(FAILED, Report)
    for other in (copy.deepcopy(FAILED), pickle.loads(pickle.dumps(FAILED)), FAILED.model_copy()):  # noqa: S301 - ours
        assert other == FAILED
        assert (type(other), other.to_json()) == (AuditReport, FAILED.to_json())
    plain = Report.model_validate_json(FAILED.to_json())
    assert AuditReport.of(plain) == FAILED
    assert FAILED != PASSED


def test_check_is_found_by_its_names() -> None:
    """One check is found by as few names as tell it, a metric by its alias too."""
    assert FAILED.check("DI", disfavored="Black").value == 0.5
    assert FAILED.check("DPPL", facet="sex").disfavored == "f"
    assert FAILED.check("DI", facet="race", favored="White", disfavored=HOSTILE).verdict == "fail"
    columns = {**SPEC["columns"], "label": {"column": "sex", "positive": "m"}}
    both = report_of(columns=columns, metrics={"DCAcc": None})
    assert both.check("DCA", facet="race", disfavored="Black").metric == "DCAcc"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "several": (
        {"metric": "DI"},
        r"2 checks have metric 'DI', where one was expected\n  hint: say which: .*Black'",
    ),
    "several facets": (
        {"metric": "DPPL"},
        r"check\(\"DPPL\", facet='sex', favored='m', disfavored='f'\)",
    ),
    "name of another tool": (
        {"metric": "demographic_parity_difference"},
        r"\n  hint: fairlearn's is DPPL without its sign, .*",
    ),
    "no such metric": (
        {"metric": "DIP"},
        r"no check has the metric 'DIP'; there is 'DI', 'DPPL'\n  hint: did you mean 'DI'",
    ),
    "no such facet": (
        {"metric": "DI", "facet": "rase"},
        r"metric 'DI' has the facet 'rase'.*\n.*'race'",
    ),
    "another facet's group": (
        {"metric": "DI", "facet": "race", "disfavored": "f"},
        r"no check of metric 'DI', facet 'race' has the disfavored 'f'; there is '<b>",
    ),
    "no text": ({"metric": ["DI"]}, "metric is a list; expected a text"),
}


@pytest.mark.parametrize("case", WRONG)
def test_check_that_is_not_one_is_told(case: str) -> None:
    """None and several are errors that list what there is."""
    given, words = WRONG[case]
    with pytest.raises(biaspipe.UsageError, match=words):
        FAILED.check(**given)


def test_checks_are_filtered() -> None:
    """Names narrow each other down, and a verdict may be that of no check."""
    assert FAILED.checks() == FAILED.result.checks
    assert [c.metric for c in FAILED.checks(facet="race", disfavored="Black")] == ["DI", "DPPL"]
    assert len(FAILED.checks("DI", verdict="fail")) == 2
    assert FAILED.checks(verdict=Verdict.WARN) == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"metric": "KL"}, "no check has the metric 'KL'"),
        ({"metric": "DI", "facet": "sex"}, "no check of metric 'DI' has the facet 'sex'"),
        ({"verdict": "failed"}, r"there is no verdict 'failed'.*\n  hint: did you mean 'fail'"),
    ],
)
def test_no_check_is_no_empty_list(given: dict[str, Any], words: str) -> None:
    """What no check is called would look like a pass as an empty list, and is an error."""
    with pytest.raises(biaspipe.UsageError, match=words):
        FAILED.checks(**given)


def test_groups_are_found_by_their_values() -> None:
    """A group that is called by a number is found by the number."""
    people = pl.DataFrame({"g": [1, 2] * 20, "y": [True, False, True, True] * 10})
    columns = {"prediction": {"column": "y", "positive": True}}
    facets = {"g": {"column": "g", "favored": 1}}
    report = biaspipe.run(
        {**SPEC, "columns": columns, "facets": facets, "metrics": {"DI": None}}, data=people
    )
    given: Any = 2
    assert report.check("DI", disfavored=given).disfavored == "2"


def test_checks_are_a_frame() -> None:
    """Every check is a row of typed columns, texts as they are in the data."""
    frame = FAILED.to_frame()
    assert frame.height == 5
    assert frame.columns[:6] == ["metric", "facet", "favored", "disfavored", "verdict", "value"]
    assert frame.filter(metric="DI")["disfavored"].to_list() == [HOSTILE, "Black"]
    types = {name: frame.schema[name] for name in ("value", "day", "line", "waiver_until")}
    assert types == {"value": pl.Float64, "day": pl.Date, "line": pl.Int64, "waiver_until": pl.Date}
    assert WAIVED.to_frame()["waiver_until"][0] == datetime.date(2099, 3, 31)
    assert frame["spec_key"].unique().sort().to_list() == ["metrics.DI", "metrics.DPPL"]
    assert frame["line"].null_count() == 5
    assert frame.to_pandas()["value"].dtype == "float64"


def test_rates_are_a_frame() -> None:
    """Every rate of every group is a row with its interval and its people."""
    frame = FAILED.rates()
    row = frame.filter(facet="race", group="Black").row(0, named=True)
    assert (row["rate"], row["value"], row["people"]) == ("selection_rate", 0.25, 40.0)
    assert row["low"] < 0.25 < row["high"]
    assert frame.height == 5


def test_frames_without_rows_have_their_types() -> None:
    """Columns of nothing have types too, so that frames of many audits can be put together."""
    assert pl.concat([FAILED.to_frame(), UNCHECKED.to_frame()]).height == 8
    old = FAILED.result.model_copy(update={"facets": (), "checks": ()})
    empty = FAILED.model_copy(update={"result": old})
    assert (empty.to_frame().schema, empty.rates().schema) == (
        FAILED.to_frame().schema,
        FAILED.rates().schema,
    )


def test_report_is_written_by_its_ending(tmp_path: Path) -> None:
    """Files are what the command writes: the text of the same format, made with its folder."""
    for name in ("a/b/report.json", "report.html", "report.md", "report.csv", "report.txt"):
        FAILED.write(tmp_path / name)
    assert (tmp_path / "a/b/report.json").read_text(encoding="utf-8") == FAILED.to_json()
    FAILED.to_html(tmp_path / "page")
    assert (tmp_path / "page").read_text(encoding="utf-8") == FAILED.to_html()
    FAILED.to_markdown(str(tmp_path / "page"))
    assert (tmp_path / "page").read_text(encoding="utf-8") == FAILED.to_markdown()
    FAILED.write(tmp_path / "table", format="csv")
    assert (tmp_path / "table").read_bytes() == (tmp_path / "report.csv").read_bytes()
    FAILED.to_text(tmp_path / "page")
    assert (tmp_path / "page").read_text(encoding="utf-8").startswith("verdict FAIL: 2 of 5")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("a", "page", "report.csv", "report.html", "report.md", "report.txt", "table"),
    ]


@pytest.mark.parametrize(
    ("name", "format_", "words"),
    [
        ("report.pdf", None, r"report\.pdf: the ending tells the format; it is \.json"),
        ("report.html", "htm", "there is no format 'htm'.*\n.*did you mean 'html'"),
        ("v.json", "violations", "violations are of a baseline, and the audit has none"),
    ],
)
def test_unknown_formats_are_refused(name: str, format_: str | None, words: str) -> None:
    """What no format is written as is refused in words, and no file is made."""
    with pytest.raises(biaspipe.UsageError, match=words):
        FAILED.write(name, format=format_)
    assert not Path(name).exists()


def test_inputs_are_not_written_over(tmp_path: Path) -> None:
    """A report is written neither over its spec nor over its data."""
    PEOPLE.write_csv(tmp_path / "people.csv")
    spec = tmp_path / "hiring.yaml"
    spec.write_text(json.dumps({**SPEC, "data": {"path": "people.csv"}}), encoding="utf-8")
    report = biaspipe.run(spec)
    with pytest.raises(biaspipe.UsageError, match="is the data of the report"):
        report.write(tmp_path / "people.csv")
    with pytest.raises(biaspipe.UsageError, match="is the spec of the report"):
        report.to_html(spec)
    with pytest.raises(biaspipe.DataError, match="this is a folder"):
        report.to_html(tmp_path)
    assert pl.read_csv(tmp_path / "people.csv").height == 120


def test_stored_report_is_read_again(tmp_path: Path) -> None:
    """What is read is what was written, with all that Python offers."""
    file = tmp_path / "report.json"
    FAILED.to_json(file)
    report = biaspipe.read_report(file)
    assert report == FAILED
    assert report.check("DI", disfavored="Black").value == 0.5


def test_changed_report_is_not_read(tmp_path: Path) -> None:
    """A report in which a verdict was changed is refused, and so is what is none."""
    file = tmp_path / "report.json"
    file.write_text(FAILED.to_json().replace('"verdict": "fail"', '"verdict": "pass"'), "utf-8")
    with pytest.raises(biaspipe.DataError, match="was changed since it was written"):
        biaspipe.read_report(file)
    with pytest.raises(biaspipe.DataError, match="No such file"):
        biaspipe.read_report(str(tmp_path / "none.json"))
