"""SARIF is valid, has all that code scanning asks for, and opens no alert that is none."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator

from biaspipe.renderers.ci import sarif as module
from biaspipe.renderers.ci.alerts import alerts
from biaspipe.renderers.ci.sarif import category, sarif
from biaspipe.report import Report
from biaspipe.verdict import Verdict
from tests.renderers.ci.reports import ALL, sample, small

SCHEMA = Path(__file__).with_name("sarif-2.1.0.json")
REFERENCE = re.compile(r"[A-Za-z0-9_.~/%-]+")
"""An address relative to a folder: no scheme, nothing that is not written in percents."""
each_report = pytest.mark.parametrize("name", ALL)
Run = dict[str, Any]


def run_of(report: Report) -> Run:
    """Return the one run of a report's SARIF."""
    (run,) = json.loads(sarif(report))["runs"]
    assert isinstance(run, dict)
    return run


@cache
def validator() -> Draft202012Validator:
    """Return what checks a file by the schema of the standard."""
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@each_report
def test_file_is_valid_by_the_schema_of_the_standard(name: str) -> None:
    """SARIF of any report has no fault by the schema of OASIS."""
    faults = validator().iter_errors(json.loads(sarif(sample(name))))
    assert [f"{fault.json_path}: {fault.message[:200]}" for fault in faults] == []


def test_schema_finds_faults() -> None:
    """What the standard does not have is found by the schema."""
    values = json.loads(sarif(sample("every-verdict")))
    values["runs"][0]["results"][0]["kind"] = "undecided"
    del values["runs"][0]["results"][1]["message"]["text"]
    assert len(list(validator().iter_errors(values))) == 2


@each_report
def test_everything_that_code_scanning_requires_is_said(name: str) -> None:
    """Each rule, and each result with its place and fingerprint, has what GitHub marks required."""
    values = json.loads(sarif(sample(name)))
    (run,) = values["runs"]
    said = [values["$schema"], values["version"], run["tool"]["driver"]["name"]]
    for rule in run["tool"]["driver"]["rules"]:
        said += [rule["id"], rule["help"]["text"], rule["help"]["markdown"]]
        said += [rule["shortDescription"]["text"], rule["fullDescription"]["text"]]
        assert len(rule["name"]) <= 255
        assert all(
            len(rule[key]["text"]) <= 1024 for key in ("shortDescription", "fullDescription")
        )
    for result in run["results"]:
        (location,) = result["locations"]
        place = location["physicalLocation"]
        region = place["region"]
        said += [result["message"]["text"], place["artifactLocation"]["uri"]]
        said.append(result["partialFingerprints"]["primaryLocationLineHash"])
        assert 1 <= region["startLine"] == region["endLine"]
        assert 1 == region["startColumn"] < region["endColumn"]
    assert all(isinstance(words, str) and words.strip() for words in said)


@each_report
def test_alerts_are_results_and_nothing_else_is(name: str) -> None:
    """What failed is an error, what is undecided or warned a warning; nothing else is there."""
    report = sample(name)
    results = run_of(report)["results"]
    verdicts = [result["properties"]["verdict"] for result in results]
    assert verdicts == [alert.verdict.of_audit for alert in alerts(report)]
    assert not {"pass", "waived", "reported"} & set(verdicts)
    assert all("kind" not in result and "suppressions" not in result for result in results)
    levels = {"fail": "error", "nothing checked": "error", "warn": "warning"}
    for verdict, result in zip(verdicts, results, strict=True):
        assert result["level"] == levels.get(verdict, "warning")
        assert result["message"]["text"].startswith(f"{verdict.upper()} ")


@each_report
def test_result_names_its_rule(name: str) -> None:
    """The number and the id of a result's rule are those of one rule, which is there once."""
    run = run_of(sample(name))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_rules_are_of_the_checks_that_have_limits_whatever_they_came_to() -> None:
    """The rules of an audit stay the same when a check passes that failed."""
    red, green = (small({"DI": {"min": least}, "DPPL": None}) for least in (0.8, 0.1))
    rules = [run_of(report)["tool"]["driver"]["rules"] for report in (red, green)]
    assert rules[0] == rules[1]
    ids = ["DI", "nothing-checked", "vanished", "subgroups", "left-out"]
    assert [rule["id"] for rule in rules[0]] == ids
    assert run_of(green)["results"] == []


def test_rule_says_what_the_metric_is() -> None:
    """A rule has the plain words, the formula and the source of the metric's record."""
    rule = run_of(small({"DI": {"min": 0.8}}))["tool"]["driver"]["rules"][0]
    assert rule["name"] == "DisparateImpact"
    assert rule["shortDescription"]["text"] == "Disparate Impact (DI)"
    assert rule["fullDescription"]["text"].startswith("How often people of one group get the")
    assert "**Formula**: `(n'_d(1)/n_d) / (n'_a(1)/n_a)`" in rule["help"]["markdown"]
    assert "Source: AWS SageMaker Clarify, Post-training" in rule["help"]["text"]


def test_fingerprint_stays_while_the_value_changes() -> None:
    """The fingerprint is of the check; each check has its own."""
    before, after = (small({"CI": None} | {"DI": {"min": least}}) for least in (0.8, 0.9))
    first, second = (run_of(report)["results"][0] for report in (before, after))
    assert first["message"] != second["message"]
    assert first["partialFingerprints"] == second["partialFingerprints"]
    prints = [
        result["partialFingerprints"]["primaryLocationLineHash"]
        for result in run_of(sample("forty"))["results"]
    ]
    assert all(re.fullmatch(r"[0-9a-f]{16}:1", each) for each in prints)
    assert len(set(prints)) == len(prints) > 600


def with_run(report: Report, **parts: Any) -> Report:
    """Return a report with something else in what varies from run to run."""
    return report.model_copy(update={"run": report.run.model_copy(update=parts)})


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("audits/a b.yaml", "audits/a%20b.yaml"),
        ("c:a.yaml", "c%3Aa.yaml"),
        ("a#b?c%20.yaml", "a%23b%3Fc%2520.yaml"),
        ("prüfung/南.yaml", "pr%C3%BCfung/%E5%8D%97.yaml"),
        ("a\\b.yaml", "a%5Cb.yaml"),
    ],
)
def test_place_is_an_address_from_the_top_of_the_repository(path: str, uri: str) -> None:
    """The path of a spec is written as an address that is read as the same path."""
    report = with_run(sample("every-verdict"), spec=path)
    for result in run_of(report)["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": uri}
        assert REFERENCE.fullmatch(uri)
        assert unquote(uri) == path


def test_category_is_that_of_the_audit() -> None:
    """Each audit has a category, which ends in a slash; a selection of its checks has another."""
    report = sample("every-verdict")
    assert category(report) == "biaspipe/audits/every-verdict.yaml/every-verdict/"
    assert run_of(report)["automationDetails"] == {"id": category(report)}
    selected = with_run(report, select=("sex", "DI"))
    assert category(selected) == f"{category(report)}select/DI/sex/"
    assert any("selection" in words for words in run_of(selected)["properties"]["cautions"])


def test_message_has_neither_link_nor_slot() -> None:
    """Names of groups make no link and no slot in a message, and do not make it endless."""
    texts = [result["message"]["text"] for result in run_of(sample("hostile"))["results"]]
    assert any(r"[text]\x28https://example.com)" in text for text in texts)
    assert any("{{0}} {{verdict}}" in text for text in texts)
    assert not any("](" in text for text in texts)
    assert max(map(len, texts)) < 2_100
    assert all(text.isprintable() or "\u200d" in text for text in texts)


def test_nothing_checked_and_vanished_are_results() -> None:
    """An audit that checked nothing, and what vanished since the baseline, each have a result."""
    (result,) = run_of(sample("unchecked"))["results"]
    assert (result["ruleId"], result["level"]) == ("nothing-checked", "error")
    said = "NOTHING CHECKED nothing checked: nothing was checked, since no check has a limit."
    assert result["message"]["text"] == said
    rules = [result["ruleId"] for result in run_of(sample("second-release"))["results"]]
    assert rules.count("vanished") == 6


def test_warning_that_fails_the_run_is_an_error() -> None:
    """Under --fail-on warn a warning is as grave as a failure."""
    report = small({"DI": {"min": 0.4, "warn": {"min": 0.8}}})
    assert run_of(report)["results"][0]["level"] == "warning"
    assert run_of(with_run(report, fail_on="warn"))["results"][0]["level"] == "error"


def test_what_has_no_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more results than there is room for the gravest are kept, and one tells of the rest."""
    monkeypatch.setattr(module, "MAX_RESULTS", 5)
    report = sample("every-verdict")
    *kept, last = run_of(report)["results"]
    assert [result["properties"]["verdict"] for result in kept] == ["fail"] * 4
    assert (last["ruleId"], last["level"]) == ("left-out", "warning")
    assert last["message"]["text"].startswith(
        "UNDECIDED findings left out: 5 more findings of 9 have no room here; "
    )


def test_run_holds_its_digest_and_cautions() -> None:
    """A run says what it came to, by which digest it is verified, and what is not as usual."""
    report = with_run(sample("every-verdict"), fail_on="never")
    assert run_of(report)["properties"] == {
        "audit": "every-verdict",
        "verdict": "fail",
        "tally": report.result.tally,
        "resultSha256": report.result_sha256,
        "cautions": ["run with --fail-on never: no verdict could make it fail"],
    }
    assert Verdict.FAIL in report.result.tally


@pytest.mark.parametrize(
    ("version", "key"), [("1.2.3", "semanticVersion"), ("1.2.dev1", "version")]
)
def test_version_is_semantic_where_it_can_be(version: str, key: str) -> None:
    """A version of Python that is no semantic one stands as a plain version."""
    driver = run_of(with_run(sample("unchecked"), biaspipe=version))["tool"]["driver"]
    assert driver[key] == version
    assert len({"semanticVersion", "version"} & set(driver)) == 1
