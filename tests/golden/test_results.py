"""The artifact's `result`, byte by byte: it depends on the spec and the data alone."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from biaspipe.report import Report, canonical_json, digest
from tests.golden.audits import HERE, MADE, NAMES, ROOT, report_of

Golden = Callable[[Path, str], None]


def result_text(report: Report) -> str:
    """Return the result as the artifact writes it."""
    result = json.loads(report.to_json())["result"]
    return json.dumps(result, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    "name", ["berkeley-admissions", "college-applications", "german-credit", *MADE]
)
def test_result_is_the_reviewed_one(name: str, golden: Golden) -> None:
    """The result of these audits is the one that was read and found right."""
    golden(HERE / "results" / f"{name}.json", result_text(report_of(name)))


@pytest.mark.parametrize("name", NAMES)
def test_digest_is_that_of_the_result(name: str) -> None:
    """The digest beside a result is the one of its canonical text."""
    report = report_of(name)
    assert report.result_sha256 == digest(report.result)
    again = json.loads(report.to_json())["result"]
    text = json.dumps(again, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert text == canonical_json(report.result)


@pytest.mark.parametrize("name", NAMES)
def test_result_names_no_machine(name: str) -> None:
    """Neither the folder that an audit ran in nor any absolute path stands in its result."""
    text = canonical_json(report_of(name).result)
    assert str(ROOT) not in text
    assert '"/' not in text


def test_result_does_not_depend_on_threads() -> None:
    """Another process with one thread and another hash seed makes the same digest."""
    report = report_of("diabetes-progression")
    script = (
        "from pathlib import Path; from biaspipe.loading import load; from biaspipe.pipeline"
        " import run; print(run(load(Path('audits/diabetes-progression.yaml'))).result_sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == report.result_sha256
