"""What is shipped is fresh, valid, and comes to what it documents."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from biaspipe.loading import load
from biaspipe.pipeline import run
from biaspipe.renderers.console.drawing import plain_text
from biaspipe.renderers.reference.schemas import SCHEMAS, schema_text
from biaspipe.report import Report
from tests.golden.audits import code_of

ROOT = Path(__file__).parent.parent.parent
AUDITS = sorted((ROOT / "audits").glob("*.yaml"))
DOCUMENTED = re.compile(r"^# Verdict: ([A-Z]+), exit code (\d)\.$", re.MULTILINE)

each_audit = pytest.mark.parametrize("audit", AUDITS, ids=lambda path: path.stem)


@cache
def validator(which: str) -> Draft202012Validator:
    """Return a validator by the shipped schema of an audit spec or of a report."""
    schema = json.loads((ROOT / "schemas" / SCHEMAS[which]).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults(which: str, values: object) -> list[str]:
    """Return what a schema finds wrong with plain values."""
    return [f"{e.json_path}: {e.message}" for e in validator(which).iter_errors(values)]


@cache
def report_of(audit: Path) -> Report:
    """Run an audit once for all tests."""
    return run(load(audit))


def test_five_audits_are_shipped() -> None:
    """The repository ships these audits and no others."""
    assert [audit.stem for audit in AUDITS] == [
        "adult-income",
        "berkeley-admissions",
        "college-applications",
        "diabetes-progression",
        "german-credit",
    ]


@pytest.mark.parametrize("which", SCHEMAS)
def test_schema_is_fresh(which: str) -> None:
    """Each shipped schema is what its model makes; if not, run python schemas/make_schemas.py."""
    shipped = (ROOT / "schemas" / SCHEMAS[which]).read_text(encoding="utf-8")
    assert shipped == schema_text(which)


def test_no_schema_is_surplus() -> None:
    """Every schema that is shipped is one of those that the command line prints."""
    shipped = {path.name for path in (ROOT / "schemas").glob("*.json")}
    assert shipped == {f"{which}-v1.schema.json" for which in ("audit", "policy", "report")}


@each_audit
def test_audit_fits_its_schema(audit: Path) -> None:
    """Each shipped audit is valid by the schema that its first line names for editors."""
    first = audit.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schemas/audit-v1.schema.json"
    assert faults("audit", load(audit).document.values) == []


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("metrcs", {}),
        ("version", 2),
        ("name", "loan approval"),
        ("facets", {}),
        ("metrics", {"DX": None}),
        ("metrics", {"DI": {"minn": 0.8}}),
        ("columns", {"label": {"column": "income", "postive": 1}}),
    ],
)
def test_schema_refuses_what_the_loader_refuses(part: str, value: object) -> None:
    """An editor marks the same typos that a run refuses."""
    spec = load(ROOT / "audits" / "adult-income.yaml").document.values
    assert faults("audit", {**spec, part: value}) != []


@each_audit
def test_audit_comes_to_its_documented_verdict(audit: Path) -> None:
    """The verdict and the exit code in the header of each shipped audit are those of its run."""
    (documented,) = DOCUMENTED.findall(audit.read_text(encoding="utf-8"))
    report = report_of(audit)
    assert documented == (report.result.verdict.value.upper(), str(int(code_of(report))))


def cited(audit: Path) -> list[str]:
    """Return the metrics' values that the comments of an audit cite, such as `DI 0.3294`."""
    text = audit.read_text(encoding="utf-8")
    comments = " ".join(line.partition("#")[2] for line in text.splitlines() if "#" in line)
    return re.findall(r"-?\d\.\d{3,4}\b", comments)


@each_audit
def test_values_in_comments_are_those_of_the_run(audit: Path) -> None:
    """Every value of three or four decimals in an audit's comments is one that its run finds."""
    values = [c.value for c in report_of(audit).result.checks if c.value is not None]
    wrong = [
        text
        for text in cited(audit)
        if all(f"{v:.{len(text.split('.')[1])}f}".lstrip("-") != text.lstrip("-") for v in values)
    ]
    assert wrong == []


@each_audit
def test_report_fits_its_schema(audit: Path) -> None:
    """The artifact of each shipped audit is valid by the shipped schema of reports."""
    assert faults("report", json.loads(report_of(audit).to_json())) == []


def artifact(audit: str) -> dict[str, Any]:
    """Return the artifact of a shipped audit as plain values."""
    values: dict[str, Any] = json.loads(report_of(ROOT / "audits" / audit).to_json())
    return values


def test_report_schema_is_strict() -> None:
    """The schema of reports refuses a key that it does not know, and a status of its own making."""
    report = artifact("college-applications.yaml")
    assert faults("report", {**report, "extra": 1}) != []
    report["result"]["checks"][0]["status"] = "fine"
    assert faults("report", report) != []


@each_audit
def test_report_can_be_read_back(audit: Path) -> None:
    """A report made again from its artifact alone gives the same bytes and the same text."""
    report = report_of(audit)
    again = Report.model_validate_json(report.to_json())
    code = code_of(report)
    assert again.to_json() == report.to_json()
    assert plain_text(again, code) == plain_text(report, code)


def started(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the repository."""
    command = [sys.executable, str(ROOT / script), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.locked
def test_example_data_is_fresh() -> None:
    """The data files are the bytes that their script makes; if not, run it without --check."""
    done = started("examples/make_data.py", "--check")
    assert (done.returncode, done.stdout) == (0, "")
