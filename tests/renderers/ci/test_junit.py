"""JUnit XML is read as it is meant: who passed, failed, could not be decided or is waived."""

import re
from collections import Counter
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from biaspipe.renderers.ci.junit import _Case, _with_own_names, junit
from biaspipe.report import Report
from biaspipe.verdict import Verdict
from tests.renderers.ci.reports import ALL, sample, small

each_report = pytest.mark.parametrize("name", ALL)
KNOWN = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "time", "tests", "failures", "errors", "skipped", "timestamp"},
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"name", "classname", "time", "file", "line"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
}
"""The elements and attributes that the strictest reader knows, which is Jenkins' xUnit plugin."""
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids, be it written as it is or by its number."""


def suite_of(report: Report) -> TestSuite:
    """Return the one test suite of a report, as a reader of test reports has it."""
    (suite,) = JUnitXml.fromstring(junit(report).encode())
    return suite


def cases_of(report: Report) -> list[TestCase]:
    """Return its test cases."""
    return list(suite_of(report))


def outcome(case: TestCase) -> tuple[str, str] | None:
    """Return what a case says that did not simply pass, and its type."""
    for result in case.result:
        return type(result).__name__, result.type
    return None


def elements(name: str) -> list[Element]:
    """Return every element of a report's XML."""
    return list(fromstring(junit(sample(name))).iter())  # noqa: S314 - of our own making


@each_report
def test_only_what_every_reader_knows_is_written(name: str) -> None:
    """Elements and attributes are those of Jenkins' strictest reader, each with a text."""
    for element in elements(name):
        assert set(element.attrib) <= KNOWN[element.tag]
        assert all(value for value in element.attrib.values())
        if element.tag in ("failure", "error", "skipped"):
            assert element.text == element.get("message")
            assert (element.text or "").strip()


@each_report
def test_no_character_is_one_that_xml_forbids(name: str) -> None:
    """Neither texts nor attributes hold what XML 1.0 has no place for, or a line break."""
    text = junit(sample(name))
    assert not FORBIDDEN.search(text)
    assert "&#" not in text
    for element in elements(name):
        values = [element.text or "", *element.attrib.values()]
        assert not any("[[ATTACHMENT|" in value for value in values)


@each_report
def test_names_are_unique(name: str) -> None:
    """No two test cases have one name, of which readers take the first alone."""
    names = [case.name for case in cases_of(sample(name))]
    assert len(set(names)) == len(names) > 0
    assert max(map(len, names)) <= 520


def asides(report: Report) -> str:
    """Return what the suite says beside its cases."""
    root = fromstring(junit(report))  # noqa: S314 - of our own making
    return root.findtext("testsuite/system-out") or ""


OUTCOMES = {
    Verdict.PASS: None,
    Verdict.WARN: None,
    Verdict.FAIL: ("Failure", "fail"),
    Verdict.UNDECIDED: ("Error", "undecided"),
    Verdict.WAIVED: ("Skipped", "waived"),
}


def test_every_verdict_has_its_outcome() -> None:
    """Failures fail, undecided checks are errors, waived ones are skipped, warnings pass."""
    report = sample("every-verdict")
    limited = [check for check in report.result.checks if check.verdict is not Verdict.REPORTED]
    cases = cases_of(report)
    assert [outcome(case) for case in cases] == [OUTCOMES[check.verdict] for check in limited]
    assert Counter(check.verdict for check in limited) == {
        "fail": 4,
        "undecided": 4,
        "waived": 2,
        "warn": 1,
        "pass": 2,
    }


def test_counts_are_right() -> None:
    """The suite says how many cases there are, and how many failed, erred or were skipped."""
    suite = suite_of(sample("every-verdict"))
    counts = (suite.tests, suite.failures, suite.errors, suite.skipped)
    assert counts == (13, 4, 4, 2)
    counted = Counter(outcome(case) for case in suite)
    assert counts[1:] == tuple(counted[each] for each in list(OUTCOMES.values())[2:])
    root = fromstring(junit(sample("every-verdict")))  # noqa: S314 - of our own making
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("13", "4", "4")


def test_case_says_which_check_it_is_and_where() -> None:
    """A case has the audit and the facet as its class, the check as its name, and its place."""
    (case,) = cases_of(small({"DI": {"min": 0.8}}))
    assert (case.classname, case.name) == ("audit.sex", "DI on sex, f against m")
    node: Any = case._elem
    assert re.fullmatch(r"[\w.-]*audit\.yaml", node.get("file"))
    assert int(node.get("line")) > 1
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert failure.message == failure.text
    assert failure.text.startswith("FAIL: the share who are predicted ")
    assert failure.text.endswith("; DI 0.5000 (0.355 to 0.696), limit from 0.8")


def test_parameters_are_in_the_name() -> None:
    """A metric with parameters is named with them."""
    names = [case.name for case in cases_of(sample("every-verdict"))]
    assert "GE (alpha = 2.0)" in names


def test_waived_case_says_who_until_when_and_why() -> None:
    """What is skipped names who approved the waiver, its last day, its ticket and reason."""
    skipped = [case for case in cases_of(sample("every-verdict")) if case.is_skipped]
    (result,) = skipped[0].result
    assert isinstance(result, Skipped)
    words = (
        "waived by Ada Lovelace <ada@example.com> until 2026-03-31, RISK-17: The score is rebuilt"
    )
    assert words in result.text


def test_warning_passes_and_says_so() -> None:
    """A check that warned is a case that passed, with what it says in its output."""
    (case,) = cases_of(small({"DI": {"min": 0.4, "warn": {"min": 0.8}}}))
    assert case.is_passed
    assert case.system_out.startswith("WARN: the share who are predicted ")


def with_run(report: Report, **parts: Any) -> Report:
    """Return a report with something else in what varies from run to run."""
    return report.model_copy(update={"run": report.run.model_copy(update=parts)})


def test_warning_that_fails_the_run_is_a_failure() -> None:
    """Under --fail-on warn a warning is a failure here as well, and is called a warning."""
    report = small({"DI": {"min": 0.4, "warn": {"min": 0.8}}})
    (case,) = cases_of(with_run(report, fail_on="warn"))
    assert outcome(case) == ("Failure", "warn")


@pytest.mark.parametrize(
    ("undecided", "fail_on", "expected"),
    [
        ("fail", "fail", ("Error", "undecided")),
        ("warn", "fail", ("Skipped", "undecided")),
        ("pass", "warn", ("Skipped", "undecided")),
        ("warn", "warn", ("Error", "undecided")),
    ],
)
def test_undecided_never_passes(undecided: str, fail_on: str, expected: tuple[str, str]) -> None:
    """An undecided check is an error, or skipped where the spec lets the run pass with it."""
    rules = {"min_rows": 1000, "undecided": undecided}
    report = with_run(small({"DI": {"min": 0.8}}, decision=rules), fail_on=fail_on)
    (case,) = cases_of(report)
    assert outcome(case) == expected
    counted = "" if undecided == "fail" else f" (counted as {undecided}, as the spec says)"
    assert case.result[0].text.startswith(f"UNDECIDED{counted}: nothing is decided about f")


def test_nothing_checked_is_an_error() -> None:
    """An audit without any limit has one case, which is an error."""
    (case,) = cases_of(sample("unchecked"))
    assert (case.classname, case.name) == ("audit", "nothing checked")
    (error,) = case.result
    assert isinstance(error, Error)
    assert error.text == "nothing was checked, since no check has a limit"
    assert asides(sample("unchecked")) == "no test case, since it has no limit: 1 value"


def test_what_vanished_is_a_failure() -> None:
    """Each check and group that vanished since the baseline is a case that fails."""
    gone = {
        case.name: outcome(case)
        for case in cases_of(sample("second-release"))
        if case.name.startswith("vanished")
    }
    assert len(gone) == 6
    assert set(gone.values()) == {("Failure", "vanished")}
    assert "vanished since the baseline: group east of region" in gone


def test_pass_by_the_baseline_alone_says_that_it_has_no_limit() -> None:
    """A check that only is not worse than in the baseline passes, and says that it has no limit."""
    told = [case.system_out for case in cases_of(sample("second-release")) if case.is_passed]
    assert any(str(text).startswith("PASS: no limit; ") for text in told)


def test_suite_has_digest_and_cautions() -> None:
    """The suite holds what the report is verified by, and says what is not as usual."""
    report = with_run(sample("every-verdict"), fail_on="never")
    root = fromstring(junit(report))  # noqa: S314 - of our own making
    values = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert values["result_sha256"] == report.result_sha256
    assert (values["verdict"], values["spec"]) == ("FAIL", "audits/every-verdict.yaml")
    assert asides(report).startswith("CAUTION: run with --fail-on never: no verdict could make")
    assert suite_of(report).timestamp == "2026-01-01T00:00:00"


def test_number_of_a_name_is_no_name_of_another() -> None:
    """A name that is taken gets the first number with which it is not."""
    cases = [_Case(None, name, 1, None, "pass", "") for name in ("a", "a [2]", "a", "a")]
    assert [case.name for case in _with_own_names(cases)] == ["a", "a [2]", "a [3]", "a [4]"]
