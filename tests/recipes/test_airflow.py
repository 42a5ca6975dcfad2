"""Airflow: the states that tasks are in after an audit, and how often it was tried."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recipes.cases import CASES, RECIPES, write_audit

pytestmark = pytest.mark.recipes

DAGS = ["audited_by_command", "audited_in_process", "audited_by_bash"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set up an Airflow of its own, with the recipe among its DAGs; return its folder."""
    home = tmp_path_factory.mktemp("airflow")
    (home / "dags").mkdir()
    shutil.copy(RECIPES / "airflow_dag.py", home / "dags")
    os.environ.update(
        AIRFLOW_HOME=str(home),
        AIRFLOW__CORE__LOAD_EXAMPLES="False",
        AIRFLOW__LOGGING__LOGGING_LEVEL="ERROR",
        AUDIT_COMMAND=str(Path(sys.executable).with_name("biaspipe")),
        AUDIT_SPEC=str(home / "audit.yaml"),
        AUDIT_REPORTS=str(home),
        AUDIT_DELAY="0",
    )
    migrate = [sys.executable, "-m", "airflow", "db", "migrate"]
    subprocess.run(migrate, check=True, capture_output=True)
    return home


@pytest.fixture(scope="module")
def dags(folder: Path) -> dict[str, Any]:
    """Return the DAGs that Airflow finds in its folder."""
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(str(folder / "dags"))
    assert bag.import_errors == {}
    return dict(bag.dags)


@pytest.mark.parametrize("name", DAGS)
@pytest.mark.parametrize("case", CASES)
def test_only_what_passed_is_published(
    name: str, case: str, folder: Path, dags: dict[str, Any]
) -> None:
    """A task is green where the audit passes, and only data that cannot be read is tried again."""
    (folder / "decisions.csv").unlink(missing_ok=True)
    write_audit(folder, CASES[case])
    run = dags[name].test()
    tasks = {task.task_id: (str(task.state), task.try_number) for task in run.get_task_instances()}
    tries = 3 if case == "data fault" and name != "audited_by_bash" else 1
    if CASES[case].code == 0:
        assert tasks == {"audit": ("success", 1), "publish": ("success", 1)}
    else:
        assert tasks == {"audit": ("failed", tries), "publish": ("upstream_failed", 0)}
    assert run.state == ("success" if CASES[case].code == 0 else "failed")
    assert (folder / "decisions.json").exists() == (CASES[case].verdict is not None)
    (folder / "decisions.json").unlink(missing_ok=True)


def test_dags_are_those_of_the_page(dags: dict[str, Any]) -> None:
    """The recipe defines the DAGs that are tested, and no other."""
    assert set(dags) == set(DAGS)
