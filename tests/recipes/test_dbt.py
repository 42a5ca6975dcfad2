"""Dbt: which models are built after an audit, and the exit codes of a script."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.cases import CASES, RECIPES, SPEC, Case

pytestmark = pytest.mark.recipes

DATA = {"table": "main.decisions", "connection": "duckdb://warehouse.duckdb"}
BY_SCRIPT = ["pass", "fail", "undecided", "wrong spec", "data fault"]
ENVIRONMENT = {
    **os.environ,
    "DO_NOT_TRACK": "1",
    "DBT_PROFILES_DIR": ".",
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the recipe's project."""
    return copy_of_project(tmp_path)


def copy_of_project(folder: Path) -> Path:
    """Copy the recipe's project into a folder."""
    return shutil.copytree(RECIPES / "dbt", folder / "project")


def prepare(project: Path, case: Case) -> None:
    """Write the audit of a case into a project, and its rows; no rows where they are faulty."""
    spec = json.dumps({**SPEC, "data": DATA, **case.spec})
    (project / "audits" / "decisions.yaml").write_text(spec, encoding="utf-8")
    rows = case.rows if case.women is not None else "sex,approved\n"
    (project / "seeds" / "applications.csv").write_text(rows, encoding="utf-8")


def called(project: Path, *words: str) -> int:
    """Run a program in a project; return its exit code."""
    done = subprocess.run(words, cwd=project, env=ENVIRONMENT, capture_output=True, check=False)
    return done.returncode


def ended(folder: Path, cases: Iterable[str], *words: str) -> dict[str, tuple[int, Path]]:
    """Run a program in a project for each case, several at once; return codes and projects."""
    names = list(cases)

    def end(case: str) -> tuple[int, Path]:
        project = copy_of_project(folder / case)
        prepare(project, CASES[case])
        return called(project, *words), project

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(end, names), strict=True))


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, Path]]:
    """Return how `dbt build` ends in each case."""
    return ended(tmp_path_factory.mktemp("build"), CASES, "dbt", "build")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, Path]]:
    """Return how the script ends in each case."""
    return ended(tmp_path_factory.mktemp("script"), BY_SCRIPT, "sh", "gate.sh")


def built(project: Path) -> dict[str, str]:
    """Return what became of each model in the last run."""
    results = json.loads((project / "target" / "run_results.json").read_text(encoding="utf-8"))
    return {found["unique_id"].split(".")[-1]: found["status"] for found in results["results"]}


def asked(project: Path, query: str) -> Any:
    """Return the one value that a query of the warehouse finds."""
    import duckdb

    with duckdb.connect(str(project / "warehouse.duckdb"), read_only=True) as warehouse:
        (value,) = warehouse.execute(query).fetchone() or (None,)
    return value


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_built_of_what_did_not_pass(
    case: str, builds: dict[str, tuple[int, Path]]
) -> None:
    """A model that depends on the audit is built where it passes, and skipped everywhere else."""
    code, project = builds[case]
    passed = CASES[case].code == 0
    ends = ("success", "success") if passed else ("error", "skipped")
    assert code == (0 if passed else 1)
    assert (built(project)["decisions_audit"], built(project)["offers"]) == ends
    written = (project / "target" / "audits" / "decisions.html").exists()
    assert written == (CASES[case].verdict is not None)


def test_checks_are_rows_of_the_warehouse(builds: dict[str, tuple[int, Path]]) -> None:
    """An audit that passed leaves a row for each check, with the digest of its result."""
    _, project = builds["pass"]
    report = json.loads((project / "target" / "audits" / "decisions.json").read_text())
    assert asked(project, "SELECT verdict FROM decisions_audit") == "pass"
    digest = asked(project, "SELECT result_sha256 FROM decisions_audit")
    assert digest == report["result_sha256"]


def test_failed_audit_leaves_the_last_offers(project: Path) -> None:
    """What was made of audited rows stays, and what did not pass does not get there."""
    assert called(project, "dbt", "build") == 0
    prepare(project, CASES["fail"])
    assert called(project, "dbt", "build") == 1
    assert asked(project, "SELECT count(*) FROM decisions WHERE approved = 'yes'") == 70
    assert asked(project, "SELECT count(*) FROM offers") == 98


@pytest.mark.parametrize("case", BY_SCRIPT)
def test_script_ends_with_the_code_of_the_audit(
    case: str, scripts: dict[str, tuple[int, Path]]
) -> None:
    """The script builds the rest where the audit passes, and ends with its exit code elsewhere."""
    code, project = scripts[case]
    assert code == CASES[case].code
    assert ("offers" in built(project)) == (code == 0)


def test_script_ends_where_the_audited_model_is_not_built(project: Path) -> None:
    """A model that dbt cannot build is not audited as it was before."""
    (project / "models" / "decisions.sql").write_text("select nothing", encoding="utf-8")
    assert called(project, "sh", "gate.sh") == 1
    assert not (project / "reports").exists()


def test_model_in_a_file_has_a_digest(project: Path) -> None:
    """A model that dbt writes as a file is audited as one, with the digest of its rows."""
    model = "{{ config(materialized='external', location='decisions.parquet') }}\n"
    path = project / "models" / "decisions.sql"
    path.write_text(model + path.read_text(encoding="utf-8"), encoding="utf-8")
    spec = json.dumps({**SPEC, "data": {"path": "../decisions.parquet"}})
    (project / "audits" / "decisions.yaml").write_text(spec, encoding="utf-8")
    assert called(project, "sh", "gate.sh") == 0
    report = json.loads((project / "reports" / "decisions.json").read_text())
    (source,) = report["result"]["data"]["inputs"]
    assert len(source["sha256"]) == 64
