"""Dagster: which asset checks an audit leaves, and which assets are made after it."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.cases import CASES, RECIPES, Case, write_audit

pytestmark = pytest.mark.recipes

ENDS = {
    "pass": (True, "WARN", True),
    "warn": (False, "WARN", True),
    "waived": (True, "WARN", True),
    "fail": (False, "ERROR", False),
    "undecided": (False, "ERROR", False),
    "nothing checked": (False, "ERROR", False),
    "wrong spec": None,
    "data fault": None,
}


@pytest.fixture(autouse=True)
def _silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what Dagster writes to the folder of the test."""
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    (tmp_path / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")


def materialized(folder: Path, case: Case, *metrics: str, retry: Any = None) -> Any:
    """Make the audited asset and one that depends on it, with the recipe's asset checks."""
    import dagster as dg

    @dg.asset
    def decisions() -> None:
        """Stand for the rows that are audited."""

    @dg.asset(deps=[decisions])
    def offers() -> None:
        """Stand for what is made of them."""

    spec = write_audit(folder, case)
    recipe = runpy.run_path(str(RECIPES / "dagster_checks.py"))
    checks = recipe["audit_checks"]("decisions", str(spec), metrics, retry)
    defined = dg.Definitions(assets=[decisions, offers], asset_checks=[checks])
    job = defined.resolve_implicit_global_asset_job_def()
    return job.execute_in_process(raise_on_error=False)


def made(result: Any) -> set[str]:
    """Return the assets that were made."""
    events = result.get_asset_materialization_events()
    return {event.asset_key.to_user_string() for event in events}


def shown(result: Any) -> dict[str, Any]:
    """Return the asset checks by name."""
    return {found.check_name: found for found in result.get_asset_check_evaluations()}


@pytest.mark.parametrize("case", ENDS)
def test_nothing_is_made_of_what_did_not_pass(case: str, tmp_path: Path) -> None:
    """An asset check has the severity of the verdict, and all but a warning stops what follows."""
    result = materialized(tmp_path, CASES[case])
    checks = shown(result)
    found = None
    if checks:
        audit = checks["bias_audit"]
        found = (audit.passed, audit.severity.value, result.success)
    assert found == ENDS[case]
    assert result.success == (CASES[case].code == 0)
    assert made(result) == {"decisions", *(["offers"] if CASES[case].code == 0 else [])}


@pytest.mark.parametrize(("case", "passed"), [("pass", True), ("warn", False), ("fail", False)])
def test_metric_has_an_asset_check_of_its_own(case: str, passed: bool, tmp_path: Path) -> None:
    """A named metric passes or fails by itself, and its check holds the finding as a table."""
    checks = shown(materialized(tmp_path, CASES[case], "DPPL"))
    assert set(checks) == {"bias_audit", "DPPL"}
    assert checks["DPPL"].passed == passed
    (row,) = checks["DPPL"].metadata["checks"].records
    assert row.data["verdict"] == case
    assert row.data["disfavored"] == "female"


def test_metric_is_named_by_an_alias_too(tmp_path: Path) -> None:
    """The asset check of an alias is that of the metric, under the name that was given."""
    case = Case(0, "pass", spec={"metrics": {"DI": {"min": 0.8}}})
    check = shown(materialized(tmp_path, case, "disparate_impact"))["disparate_impact"]
    assert check.passed
    (row,) = check.metadata["checks"].records
    assert row.data["metric"] == "DI"


def test_metric_that_the_audit_lacks_does_not_pass(tmp_path: Path) -> None:
    """A metric that the spec does not ask for is no passed asset check."""
    result = materialized(tmp_path, CASES["pass"], "vertex.accuracy_difference")
    assert shown(result)["vertex_accuracy_difference"].passed is False
    assert made(result) == {"decisions"}


def test_check_cites_the_evidence(tmp_path: Path) -> None:
    """The asset check of the audit holds the digests of its result and spec."""
    metadata = shown(materialized(tmp_path, CASES["pass"]))["bias_audit"].metadata
    digests = [metadata[name].value for name in ("result_sha256", "spec_sha256")]
    assert [len(digest) for digest in digests] == [64, 64]


@pytest.mark.parametrize(
    ("case", "tries"), [("data fault", 2), ("wrong spec", 1), ("fail", 1), ("undecided", 1)]
)
def test_only_faulty_data_is_tried_again(case: str, tries: int, tmp_path: Path) -> None:
    """A policy of retries is followed where the data cannot be read, and nowhere else."""
    import dagster as dg

    result = materialized(tmp_path, CASES[case], retry=dg.RetryPolicy(max_retries=1))
    events = [event.event_type_value for event in result.all_node_events]
    assert events.count("STEP_RESTARTED") == tries - 1
    assert not result.success
